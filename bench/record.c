/* Writes down what an exploration asks of the order engine, for bench/order to replay.
 *
 * usage: record FILE QUERIES [OPTIONS OF HEDDLE CHECK] PROGRAM..
 *
 * Of the strategy's own questions, and those of prediction (--predict). If there are more than QUERIES, problems (a problem is what is
 * asked about one trace) are left out evenly: every second one, every fourth, and so on. Prints how many were written. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/console.h"
#include "cli/options.h"
#include "cli/session.h"
#include "search/search.h"
#include "machine/machine.h"
#include "order/record.h"

struct recorder {
  struct order_record now; /* the present problem, if it is recorded */
  VEC(struct order_record) problems;
  uint64_t stride, made, queries, most;
};

static uint64_t count_queries(const struct order_record *r) {
  uint64_t n = 0;
  for (size_t i = 0; i < r->steps.count; i++) n += r->steps.data[i].op == RECORD_SOLVE;
  return n;
}

static void take_present(struct recorder *x) {
  uint64_t queries = count_queries(&x->now);
  if (queries)
    *vec_push(&x->problems) = x->now;
  else
    order_record_release(&x->now);
  x->now = (struct order_record){0};
  x->queries += queries;
}

/* Keeps every second problem. */
static void thin(struct recorder *x) {
  size_t kept = 0;
  x->queries = 0;
  for (size_t i = 0; i < x->problems.count; i++) {
    if (i % 2) {
      order_record_release(&x->problems.data[i]);
      continue;
    }
    x->problems.data[kept++] = x->problems.data[i];
    x->queries += count_queries(&x->problems.data[i]);
  }
  x->problems.count = kept;
  x->stride *= 2;
}

static struct order_record *next_problem(void *data) {
  struct recorder *x = data;
  take_present(x);
  while (x->queries > x->most && x->problems.count > 1) thin(x);
  return x->made++ % x->stride ? NULL : &x->now;
}

static bool write_all(struct recorder *x, const char *path) {
  struct order_record all = {0};
  struct text text = {0};
  for (size_t i = 0; i < x->problems.count; i++) {
    const struct order_record *r = &x->problems.data[i];
    for (size_t k = 0; k < r->steps.count; k++) {
      struct record_step step = r->steps.data[k];
      step.lits += (uint32_t)all.lits.count;
      *vec_push(&all.steps) = step;
    }
    for (size_t k = 0; k < r->lits.count; k++) *vec_push(&all.lits) = r->lits.data[k];
  }
  order_dump(&all, &text);
  FILE *f = fopen(path, "w");
  bool ok = f && fwrite(text.data, 1, text.count, f) == text.count;
  if (f) ok &= fclose(f) == 0;
  if (!ok) perror(path);
  order_record_release(&all);
  text_release(&text);
  return ok;
}

static enum err record(const struct options *o, struct recorder *x, struct diag *d) {
  struct session s;
  struct session_inputs inputs = session_inputs_of(o);
  struct explore_options options = {
      .strategy = strategy_find(o->strategy ? o->strategy : "mcr"), .predict = o->predict, .seconds = o->time};
  struct explore_result r = {0};
  if (!options.strategy) return diag_set(d, ERR_USAGE, "there is no strategy \"%s\"", o->strategy);
  options.strategy_options = (struct strategy_options){.bound = UINT32_MAX, .seed = o->seed, .executions = o->executions};
  if (options.strategy->depends) options.strategy_options.dependency = DEPENDENCY_DYNAMIC;
  options.executions = o->executions, options.step_limit = (uint32_t)o->step_limit;
  inputs.alone = options.strategy->sees_alone;
  enum err e = session_open(&s, &inputs, d);
  if (e) return e;
  order_record_each(next_problem, x);
  e = explore(s.m, &options, &r, d);
  order_record_each(NULL, NULL);
  take_present(x);
  explore_result_release(&r);
  session_close(&s);
  return e;
}

int main(int argc, char **argv) {
  struct options o;
  struct diag d = {0};
  struct recorder x = {.stride = 1};
  if (argc < 4) {
    fprintf(stderr, "usage: %s FILE QUERIES [OPTIONS OF HEDDLE CHECK] PROGRAM..\n", argv[0]);
    return 2;
  }
  x.most = strtoull(argv[2], NULL, 10);
  if (options_parse(&o, CHECK, argc - 3, argv + 3, &d) || record(&o, &x, &d)) return console_complain(&d);
  bool ok = write_all(&x, argv[1]);
  printf("%" PRIu64 " of %" PRIu64 " problems, %" PRIu64 " queries\n", (uint64_t)x.problems.count, x.made, x.queries);
  for (size_t i = 0; i < x.problems.count; i++) order_record_release(&x.problems.data[i]);
  vec_release(&x.problems);
  options_release(&o);
  diag_release(&d);
  return !ok;
}
