/* Questions a second on programs over symbolic data, of several solvers.
 *
 * usage: value_bench [--paths=N] [--program=NAME] [--solver=NAME] [--chain=N] [--counters]
 *
 * Programs are explored depth first, at most N paths of each (default 3,000), and a model is kept beside each path, so of a branch the
 * way that the model goes is not asked. Time is CPU time within the solver. Z3 may give up (column "unkn."): it has a limit of 2 million
 * of its units a question.
 * --chain: instead, one question for a model of a path of N conditions, each of which has to do with the one before (as of a run that is
 * reproduced from a log of where it went). */
#include "value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A path that was left for later. */
struct job {
  VEC(bool) way;
  struct path *path;
  struct value_model model;
};

struct explorer {
  struct value_solver *solver;
  VEC(struct job) jobs;
  struct job now;
  size_t at; /* branches so far */
  double seconds;
  unsigned long unknown, longest;
};

static void leave_for_later(struct run *r, struct expr other, struct value_model *model) {
  struct explorer *x = r->explorer;
  struct job *job = vec_push(&x->jobs);
  *job = (struct job){.path = path_extend(r->pool, x->now.path, other), .model = *model};
  for (size_t i = 0; i < x->at; i++) *vec_push(&job->way) = x->now.way.data[i];
  *vec_push(&job->way) = !x->now.way.data[x->at];
}

bool branch(struct run *r, struct expr condition) {
  struct explorer *x = r->explorer;
  bits128 value;
  if (expr_is_constant(r->pool, condition, &value)) return value;
  if (x->at < x->now.way.count) return x->now.way.data[x->at++];
  bool way = expr_eval(r->pool, condition, &x->now.model) != 0;
  struct expr here = way ? condition : expr_not(r->pool, condition), other = expr_not(r->pool, here);
  struct value_model model = {0};
  value_model_copy(&model, &x->now.model);
  *vec_push(&x->now.way) = way;
  double start = now();
  enum value_answer answer = value_may(x->solver, x->now.path, other, &model);
  x->seconds += now() - start;
  x->unknown += answer == VALUE_UNKNOWN;
  if (answer == VALUE_YES)
    leave_for_later(r, other, &model);
  else
    value_model_release(&model);
  struct path *longer = path_extend(r->pool, x->now.path, here);
  path_release(x->now.path);
  x->now.path = longer;
  if (path_length(longer) > x->longest) x->longest = path_length(longer);
  x->at++;
  return way;
}

static void job_release(struct job *job) {
  vec_release(&job->way);
  path_release(job->path);
  value_model_release(&job->model);
}

static void print_counters(const struct value_counters *c) {
#define X(name, text) \
  if (c->name) printf("    %12llu %s\n", (unsigned long long)c->name, text);
  VALUE_COUNTER_LIST(X)
#undef X
}

static void measure(const struct program *program, const char *who, const struct value_options *options, unsigned long most, bool counters) {
  struct diag d = {0};
  struct run r = {.pool = value_pool_new()};
  struct explorer x = {.solver = value_solver_new(r.pool, options, &d)};
  if (!x.solver) fprintf(stderr, "%s\n", text_str(&d.message)), exit(2);
  unsigned long paths = 0;
  r.explorer = &x;
  *vec_push(&x.jobs) = (struct job){0};
  while (x.jobs.count && paths < most) {
    x.now = vec_pop(&x.jobs);
    x.at = 0;
    program->run(&r);
    job_release(&x.now);
    paths++;
  }
  const struct value_counters *c = value_solver_counters(x.solver);
  unsigned long long asked = c->engine_yes + c->engine_no + c->engine_unknown;
  printf("%-10s %-14s %7lu %7lu %9llu %9llu %8.3f %9.0f %8.1f %6lu\n", program->name, who, paths, x.longest, (unsigned long long)c->questions,
         asked, x.seconds, (double)c->questions / x.seconds, asked ? x.seconds / (double)asked * 1e6 : 0, x.unknown);
  if (counters) print_counters(c);
  fflush(stdout);
  for (size_t i = 0; i < x.jobs.count; i++) job_release(&x.jobs.data[i]);
  vec_release(&x.jobs);
  value_solver_free(x.solver);
  value_pool_free(r.pool);
}

static void measure_chain(unsigned long length) {
  struct value_pool *p = value_pool_new();
  struct path *path = NULL;
  struct expr v = expr_symbol(p, (struct symbol_name){"0", 1, 0}, 32);
  double start = now();
  for (unsigned long i = 0; i < length; i++) {
    struct expr next = expr_symbol(p, (struct symbol_name){"0", 1, i + 1}, 32), read = expr_symbol(p, (struct symbol_name){"0", 2, i}, 8);
    struct expr sum = expr_binary(p, EXPR_ADD, expr_binary(p, EXPR_MUL, v, expr_constant(p, 32, 5)), expr_zext(p, read, 32));
    struct path *longer = path_extend(p, path, expr_binary(p, EXPR_EQ, next, sum));
    path_release(path);
    path = longer;
    v = next;
  }
  struct path *all = path_extend(p, path, expr_binary(p, EXPR_EQ, v, expr_constant(p, 32, 0xc0ffee)));
  double built = now();
  struct value_solver *s = value_solver_new(p, &(struct value_options){.work = 1000000}, NULL);
  struct value_model m = {0};
  enum value_answer answer = value_model(s, all, &m);
  printf("%lu conditions: made in %.3f s, answered (%d) in %.3f s\n", length + 1, built - start, answer, now() - built);
  value_model_release(&m);
  path_release(path);
  path_release(all);
  value_solver_free(s);
  value_pool_free(p);
}

int main(int argc, char **argv) {
  static const struct {
    const char *who;
    struct value_options options;
  } solvers[] = {{"bits", {.engine = VALUE_BITS}},
                 {"bits, no cache", {.engine = VALUE_BITS, .no_cache = true}},
                 {"z3", {.engine = VALUE_Z3, .work = 200}},
                 {"z3, no cache", {.engine = VALUE_Z3, .work = 200, .no_cache = true}}};
  unsigned long most = 3000, chain = 0;
  const char *only = NULL, *by = NULL;
  bool counters = false;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--program=", 10) == 0)
      only = argv[i] + 10;
    else if (strncmp(argv[i], "--solver=", 9) == 0)
      by = argv[i] + 9;
    else if (strcmp(argv[i], "--counters") == 0)
      counters = true;
    else if (sscanf(argv[i], "--paths=%lu", &most) != 1 && sscanf(argv[i], "--chain=%lu", &chain) != 1)
      return fprintf(stderr, "usage: value_bench [--paths=N] [--program=NAME] [--solver=NAME] [--chain=N] [--counters]\n"), 2;
  }
  if (chain) return measure_chain(chain), 0;
  printf("%-10s %-14s %7s %7s %9s %9s %8s %9s %8s %6s\n", "program", "solver", "paths", "longest", "questions", "engine", "s", "a second",
         "us/eng.", "unkn.");
  for (unsigned i = 0; i < program_count; i++)
    for (unsigned j = 0; j < sizeof solvers / sizeof *solvers; j++)
      if ((!only || strcmp(only, programs[i].name) == 0) && (!by || strcmp(by, solvers[j].who) == 0))
        measure(&programs[i], solvers[j].who, &solvers[j].options, most, counters);
  return 0;
}
