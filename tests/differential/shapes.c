/* The two definitions of the memory models (docs/model.md, Memory models) against each other: what the causal model says of the machine's
 * own traces under SC, TSO and PSO, and what the machine does when every step and every flush is tried.
 *
 * usage: shapes [--shapes=N] [--seed=N] [--most=EXECUTIONS]
 *
 * For the litmus tests of docs/model.md and N random shapes: each outcome's trace is given to the causal model, without its flushes. It
 * must say of each read and each value whether that read can be the first to return something else, and that exactly where an execution of
 * the machine shows it. And maximal must have as many outcomes as the plain enumeration: what all reads returned is written at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../unit/toy/enumerate.h"
#include "causal/causal.h"
#include "execution/run.h"
#include "machine/machine.h"
#include "search/search.h"

#define SHAPE_LENGTH 160u
#define VALUES       6u /* that are written: 0 to 5 */
#define EVENTS_MOST  64u

/* Threads are separated by `|`. x1: stores 1 to x, relaxed; xr1: release; xs1: sequentially consistent; x?: loads; xa?: acquire; xe1:
 * exchange; xc1: compare-exchange of 0; F, A, R: fences, sequentially consistent, acquire, release. Behind `;` main goes on, when it has
 * joined the threads. */
static const char *const litmus[] = {
    "x1 y? | y1 x?",      "x1 F y? | y1 F x?",     "x1 x? y? | y1 y? x?", "x? y1 | y? x1",         "x1 | y1 | x? y? | y? x?",
    "x1 | x? y1 | y? x?", "x1 x? y? | y1 x2 ; x?", "x1 y1 | y? x?",       "x1 F y1 | y? x?",       "x1 y2 | y1 x2 ; x? y?",
    "x2 y1 | y? x1 ; x?", "x1 y1 | y2 x? ; y?",    "x1 | x? x?",          "x1 x2 | x? x? ; x?",    "x1 | x? y? | y1 x?",
    "x1 yr1 | ya? x?",    "x1 R y1 | y? x?",       "xs1 y? | ys1 x?",     "x1 xe2 y? | y1 ye2 x?", "x1 xc2 y? | y1 yc2 x?",
};
#define LITMUS (sizeof litmus / sizeof *litmus)

static uint64_t state = 1;
static uint32_t most_executions = 60000; /* of a shape that is not left out */

static uint32_t below(uint32_t n) {
  state = hash_mix(state);
  return (uint32_t)((state >> 20) % n);
}

static const char *random_word(char variable, char value, char out[8]) {
  static const char *const words[] = {"v1", "v1", "v1", "vr1", "vs1", "v?", "v?", "v?", "v?", "va?", "ve1", "vc1", "F", "A", "R"};
  snprintf(out, 8, "%s", words[below(sizeof words / sizeof *words)]);
  for (char *c = out; *c; c++) {
    if (*c == 'v') *c = variable;
    if (*c == '1') *c = value;
  }
  return out;
}

static void random_shape(char *out) {
  uint32_t threads = 2 + below(2), most = threads == 2 ? 4 : 3;
  size_t n = 0;
  char word[8];
  for (uint32_t t = 0; t < threads; t++) {
    if (t > 0) n += (size_t)snprintf(out + n, SHAPE_LENGTH - n, "| ");
    for (uint32_t k = 1 + below(most); k > 0; k--)
      n += (size_t)snprintf(out + n, SHAPE_LENGTH - n, "%s ",
                            random_word((char)('x' + below(threads)), (char)('1' + below(VALUES - 1)), word));
  }
}

static void put_word(struct text *o, const char *w) {
  static const char *const orders[] = {['r'] = "release", ['s'] = "seq_cst", ['a'] = "acquire"};
  const char *order = w[1] == 'r' || w[1] == 's' || w[1] == 'a' ? orders[(unsigned char)w[1]] : "relaxed";
  char last = w[strlen(w) - 1];
  if (w[0] < 'a')
    text_printf(o, " atomic_thread_fence(memory_order_%s);\n", w[0] == 'F' ? "seq_cst" : w[0] == 'A' ? "acquire" : "release");
  else if (last == '?')
    text_printf(o, " LOG(atomic_load_explicit(&%c, memory_order_%s));\n", w[0], order);
  else if (w[1] == 'e')
    text_printf(o, " LOG(atomic_exchange_explicit(&%c, %c, memory_order_relaxed));\n", w[0], last);
  else if (w[1] == 'c')
    text_printf(o, " { int e = 0; (void)atomic_compare_exchange_strong(&%c, &e, %c); LOG(e); }\n", w[0], last);
  else
    text_printf(o, " atomic_store_explicit(&%c, %c, memory_order_%s);\n", w[0], last, order);
}

/* Program `i` of the source. The first thread that main makes does nothing, and is joined last: so main is never alone, and what it does is
 * visible. */
static void put_shape(struct text *o, unsigned i, const char *shape) {
  char copy[SHAPE_LENGTH];
  uint32_t threads = 1;
  snprintf(copy, sizeof copy, "%s", shape);
  for (const char *c = copy; *c; c++) threads += *c == '|';
  text_printf(o, "static void *t%u_0(void *p) {\n unsigned long h = 1;\n", i);
  uint32_t t = 0;
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
    if (*word == '|')
      text_printf(o, " return (void *)h;\n}\nstatic void *t%u_%u(void *p) {\n unsigned long h = 1;\n", i, ++t);
    else if (*word == ';')
      text_printf(o, " return (void *)h;\n}\nstatic unsigned long after%u(unsigned long h) {\n", i);
    else
      put_word(o, word);
  }
  bool after = strchr(shape, ';');
  text_puts(o, after ? " return h;\n}\n" : " return (void *)h;\n}\n");
  text_printf(o, "static void program%u(void) {\n pthread_t none, t[%u];\n void *r;\n unsigned long h = 1;\n", i, threads);
  text_puts(o, " pthread_create(&none, 0, nothing, 0);\n");
  for (t = 0; t < threads; t++) text_printf(o, " pthread_create(&t[%u], 0, t%u_%u, 0);\n", t, i, t);
  for (t = 0; t < threads; t++) text_printf(o, " pthread_join(t[%u], &r), h = (h ^ (unsigned long)r) * 0x9e3779b97f4a7c15 + 1;\n", t);
  if (after) text_printf(o, " h = after%u(h);\n", i);
  text_puts(o, " pthread_join(none, 0);\n put(h);\n}\n");
}

static bool run_command(const char *program, const char *options, const char *to, const char *from) {
  struct text command = {0};
  text_printf(&command, "%s %s %s %s", program, options, to, from);
  bool good = system(text_str(&command)) == 0;
  text_release(&command);
  return good;
}

static bool compile(const struct text *source, struct image *image) {
  char folder[] = "/tmp/heddle-shapes-XXXXXX", c[64], bc[64], hdi[64];
  struct diag d = {0};
  if (!mkdtemp(folder)) return false;
  snprintf(c, sizeof c, "%s/p.c", folder);
  snprintf(bc, sizeof bc, "%s/p.bc", folder);
  snprintf(hdi, sizeof hdi, "%s/p.hdi", folder);
  FILE *f = fopen(c, "w");
  bool good = f && fwrite(source->data, 1, source->count, f) == source->count;
  if (f) good = fclose(f) == 0 && good;
  good = good && run_command(CLANG, "-std=gnu17 -O1 -g -w -emit-llvm -c -o", bc, c) && run_command(HEDDLE_LOAD, "-o", hdi, bc) &&
         image_open(image, hdi, &d) == ERR_NONE;
  if (!good) fprintf(stderr, "shapes: %s\n", text_str(&d.message));
  unlink(c), unlink(bc), unlink(hdi), rmdir(folder);
  diag_release(&d);
  return good;
}

/* --- what the machine does --- */

/* An execution without its flushes. */
struct trace {
  uint32_t n;
  struct event events[EVENTS_MOST];
};

struct seen {
  VEC(struct trace) traces; /* one for each outcome */
  struct hashmap outcomes, sequences;
  VEC(uint32_t) reads;    /* in each sequence of reads that there is */
  VEC(struct event) read; /* theirs, one sequence behind the other */
};

static bool result_of(const struct event *e, uint64_t *value) {
  *value = e->value;
  return (e->op == EVENT_READ || e->op == EVENT_RMW) && e->object;
}

static void strip(const struct run *r, struct trace *to) {
  struct execution x = run_view(r);
  uint32_t n = x.depth ? x.ends[x.depth - 1] : 0;
  to->n = 0;
  for (uint32_t i = 0; i < n && to->n < EVENTS_MOST; i++)
    if (x.trace[i].op != EVENT_FLUSH) to->events[to->n++] = x.trace[i];
}

static void note(const struct run *r, uint64_t hash, void *data) {
  (void)hash;
  struct seen *seen = data;
  struct trace t;
  uint64_t outcome = 0, sequence = 0, value;
  uint32_t n = 0;
  bool is_new;
  strip(r, &t);
  for (uint32_t i = 0; i < t.n; i++) {
    if (!result_of(&t.events[i], &value)) continue;
    uint64_t read = hash_pair(hash_pair(t.events[i].thread, t.events[i].index), value);
    outcome += hash_mix(read);
    sequence = hash_pair(sequence, read);
    n++;
  }
  hashmap_at(&seen->outcomes, outcome, 0, &is_new);
  if (is_new) *vec_push(&seen->traces) = t;
  hashmap_at(&seen->sequences, sequence, 0, &is_new);
  if (!is_new) return;
  *vec_push(&seen->reads) = n;
  for (uint32_t i = 0; i < t.n; i++)
    if (result_of(&t.events[i], &value)) *vec_push(&seen->read) = t.events[i];
}

static void seen_release(struct seen *s) {
  vec_release(&s->traces);
  vec_release(&s->reads);
  vec_release(&s->read);
  hashmap_release(&s->outcomes);
  hashmap_release(&s->sequences);
}

/* --- what the causal model says --- */

struct table {
  bool can[EVENTS_MOST][VALUES]; /* position in the trace, value */
};

static uint32_t position(const struct trace *t, const struct event *e) {
  uint32_t i = 0;
  while (i < t->n && (t->events[i].thread != e->thread || t->events[i].index != e->index)) i++;
  return i;
}

/* The first read of each execution that returns something else than in the trace. */
static void by_machine(const struct seen *seen, const struct trace *t, struct table *out) {
  uint32_t from = 0;
  memset(out, 0, sizeof *out);
  for (size_t k = 0; k < seen->reads.count; from += seen->reads.data[k++]) {
    for (uint32_t i = 0; i < seen->reads.data[k]; i++) {
      const struct event *e = &seen->read.data[from + i];
      uint32_t at = position(t, e);
      if (at < t->n && t->events[at].value == e->value) continue;
      if (at < t->n && e->value < VALUES) out->can[at][e->value] = true;
      break;
    }
  }
}

static unsigned by_causal(struct causal *c, const struct trace *t, struct table *out) {
  unsigned unknown = 0;
  uint64_t was;
  memset(out, 0, sizeof *out);
  causal_build(c, &(struct causal_trace){.events = t->events, .n = t->n});
  for (uint32_t i = 0; i < t->n; i++) {
    if (!result_of(&t->events[i], &was)) continue;
    for (uint64_t v = 0; v < VALUES; v++) {
      if (v == was) continue;
      enum causal_answer answer = causal_read(c, i, v);
      out->can[i][v] = answer == CAUSAL_YES;
      unknown += answer == CAUSAL_UNKNOWN;
    }
  }
  return unknown;
}

static bool initial(void *data, uint64_t address, uint32_t size, uint64_t *value) { return machine_initial(data, address, size, value); }

static const char *const names[] = {"sc", "tso", "pso"};

struct totals {
  unsigned compared, large, wrong;
  uint64_t traces, outcomes, maximal;
};

static unsigned differences(const struct trace *t, const struct table *machine, const struct table *causal, bool tell) {
  unsigned wrong = 0;
  for (uint32_t i = 0; i < t->n; i++) {
    for (uint32_t v = 0; v < VALUES; v++) {
      if (machine->can[i][v] == causal->can[i][v]) continue;
      wrong++;
      if (tell)
        fprintf(stderr, "  event %u of thread %u: %u, says %s alone\n", t->events[i].index, t->events[i].thread, v,
                machine->can[i][v] ? "the machine" : "the causal model");
    }
  }
  return wrong;
}

static void compare(struct machine *m, const struct seen *seen, const char *shape, enum machine_memory memory, struct totals *totals) {
  static const enum causal_memory same[] = {CAUSAL_SC, CAUSAL_TSO, CAUSAL_PSO};
  struct causal *c = causal_new(&(struct causal_options){.memory = same[memory], .initial = initial, .data = m});
  for (size_t i = 0; i < seen->traces.count; i++) {
    const struct trace *t = &seen->traces.data[i];
    struct table machine, causal;
    by_machine(seen, t, &machine);
    unsigned unknown = by_causal(c, t, &causal), wrong = differences(t, &machine, &causal, false);
    totals->traces++;
    if (wrong + unknown == 0) continue;
    fprintf(stderr, "%s, %s: %u differences, %u not known (%s)\n", shape, names[memory], wrong, unknown,
            causal_limit(c) ? causal_limit(c) : "-");
    differences(t, &machine, &causal, true);
    totals->wrong++;
    break;
  }
  causal_free(c);
}

/* It must have as many outcomes: what is written tells them apart. */
static void compare_maximal(struct machine *m, const struct seen *seen, const char *shape, enum machine_memory memory,
                            struct totals *totals) {
  struct explore_options o = {.strategy = &strategy_maximal, .strategy_options = {.bound = UINT32_MAX}, .outcomes = true, .no_races = true};
  struct explore_result r = {0};
  struct diag d = {0};
  if (explore(m, &o, &r, &d) != ERR_NONE || r.verdict != VERDICT_SAFE || r.outcomes.count != seen->outcomes.count) {
    fprintf(stderr, "%s, %s: maximal has %zu outcomes, of %zu%s\n", shape, names[memory], r.outcomes.count, seen->outcomes.count,
            text_str(&d.message));
    totals->wrong++;
  }
  totals->outcomes += r.outcomes.count, totals->maximal += r.counts.executions;
  explore_result_release(&r);
  diag_release(&d);
}

static void compare_shape(const struct image *image, unsigned index, const char *shape, struct totals *totals) {
  char number[16];
  snprintf(number, sizeof number, "%u", index);
  const char *const arguments[] = {"p", number, NULL};
  for (enum machine_memory memory = MEMORY_SC; memory <= MEMORY_PSO; memory++) {
    struct machine_options options = {.arguments = arguments, .memory = memory};
    struct machine *m = NULL;
    struct diag d = {0};
    if (machine_new(&m, image, &options, &d) != ERR_NONE) {
      fprintf(stderr, "%s: %s\n", shape, text_str(&d.message));
      totals->wrong++;
      diag_release(&d);
      return;
    }
    struct seen seen = {0};
    struct enumeration all = {.most_preemptions = UINT32_MAX}, again = {.most_preemptions = UINT32_MAX, .each = note, .data = &seen};
    /* After the first, what is shared is known. */
    bool made =
        enumerate(m, &strategy_dpor, UINT32_MAX, most_executions, &all) && enumerate(m, &strategy_naive, 0, most_executions, &again);
    if (!made) {
      fprintf(stderr, "%s, %s: %s\n", shape, names[memory], text_str(&machine_diag(m)->message));
      totals->wrong++;
    } else if (again.stopped) {
      totals->large++;
    } else {
      compare(m, &seen, shape, memory, totals);
      compare_maximal(m, &seen, shape, memory, totals);
      totals->compared++;
    }
    seen_release(&seen);
    enumeration_release(&all);
    enumeration_release(&again);
    machine_free(m);
  }
}

int main(int argc, char **argv) {
  unsigned shapes = 150, n;
  for (int i = 1; i < argc; i++) {
    if (sscanf(argv[i], "--shapes=%u", &shapes) == 1) continue;
    if (sscanf(argv[i], "--seed=%lu", &state) == 1) continue;
    if (sscanf(argv[i], "--most=%u", &most_executions) == 1) continue;
    fprintf(stderr, "usage: %s [--shapes=N] [--seed=N] [--most=EXECUTIONS]\n", argv[0]);
    return 2;
  }
  n = shapes + (unsigned)LITMUS;
  char(*shape)[SHAPE_LENGTH] = calloc(n, sizeof *shape);
  struct text source = {0};
  text_puts(&source,
            "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x, y, z;\n"
            "void __hd_output(int, const void *, unsigned long);\n"
            "#define LOG(value) (h = h * 0x100000001b3 + (unsigned long)(value))\n"
            "static void put(unsigned long h) { char t[16]; for (int i = 0; i < 16; i++) t[i] = (char)('a' + (h >> 4 * i & 15));"
            " __hd_output(1, t, 16); }\n"
            "static void *nothing(void *p) { return p; }\n");
  for (unsigned i = 0; i < n; i++) {
    if (i < LITMUS)
      snprintf(shape[i], SHAPE_LENGTH, "%s", litmus[i]);
    else
      random_shape(shape[i]);
    put_shape(&source, i, shape[i]);
  }
  text_puts(&source,
            "int main(int argc, char **argv) {\n int i = 0;\n for (char *c = argv[1]; *c; c++) i = 10 * i + *c - 48;\n switch (i) {\n");
  for (unsigned i = 0; i < n; i++) text_printf(&source, "  case %u: program%u(); break;\n", i, i);
  text_puts(&source, " }\n return 0;\n}\n");
  struct image image;
  struct totals totals = {0};
  if (!compile(&source, &image)) return 1;
  for (unsigned i = 0; i < n; i++) compare_shape(&image, i, shape[i], &totals);
  printf("%u shapes; %u enumerations compared, %u too large; %llu traces, %u with differences\n", n, totals.compared, totals.large,
         (unsigned long long)totals.traces, totals.wrong);
  printf("maximal: %llu outcomes in %llu executions\n", (unsigned long long)totals.outcomes, (unsigned long long)totals.maximal);
  image_close(&image);
  text_release(&source);
  free(shape);
  return totals.wrong || totals.compared < 2 * n;
}
