/* The causal model against brute force: for random traces, every result of every read, every pair of accesses, every use of freed memory
 * and every cycle of locks has the same answer, and every witness can be executed.
 *
 * usage: witness [--traces=N] [--seed=N] [--memory=sc|tso|pso] [--features=BITS] [--threads=N] [--size=N] [--print] [--time] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "causal/causal.h"
#include "witness_axioms.h"
#include "witness_check.h"
#include "witness_generate.h"
#include "witness_reference.h"

struct counts {
  uint64_t traces, limited, skipped, kept, yes, no, unknown, wrong, longer, steps, shortest;
  double seconds;
};

struct settings {
  uint64_t traces, seed;
  int memory; /* -1: all */
  long features;
  uint32_t threads, size;
  bool print, time;
};

struct subject {
  const struct sim *x;
  const struct reference *r;
  struct causal *c;
  struct counts *n;
  bool wrong;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void complain(struct subject *s, const char *what, uint32_t a, uint64_t b, const char *why) {
  uint32_t n;
  const struct causal_step *steps = causal_witness(s->c, &n);
  printf("%s %u, %llu: %s (limit: %s); steps", what, a, (unsigned long long)b, why, causal_limit(s->c) ? causal_limit(s->c) : "none");
  for (uint32_t i = 0; i < n; i++) printf(" %s%u", steps[i].flush ? "flush " : "", steps[i].event);
  printf("\n");
  s->wrong = true;
}

/* Compares an answer with the reference's. True: there is a witness to look at. */
static bool compare(struct subject *s, enum causal_answer answer, bool possible, const char *what, uint32_t a, uint64_t b) {
  s->n->yes += answer == CAUSAL_YES;
  s->n->no += answer == CAUSAL_NO;
  s->n->unknown += answer == CAUSAL_UNKNOWN;
  if (answer == CAUSAL_YES && !possible) complain(s, what, a, b, "yes, but it is impossible");
  if (answer == CAUSAL_NO && possible) complain(s, what, a, b, "no, but it is possible");
  if (answer == CAUSAL_UNKNOWN && !causal_limit(s->c)) complain(s, what, a, b, "unknown without a reason");
  return answer == CAUSAL_YES;
}

static void check_read(struct subject *s, uint32_t e, uint64_t value) {
  struct sim_state state;
  uint32_t n;
  if (!compare(s, causal_read(s->c, e, value), reference_can(s->r, e, value), "read", e, value)) return;
  const struct causal_step *steps = causal_witness(s->c, &n);
  const char *wrong = witness_check(s->x, steps, n, e, value, &state);
  if (wrong) complain(s, "witness of", e, value, wrong);
  uint32_t events = 0, shortest = 0;
  for (uint32_t i = 0; i < n; i++) events += !steps[i].flush;
  for (uint32_t i = 0; i < s->r->results[e]; i++)
    if (s->r->result[e][i] == value) shortest = s->r->shortest[e][i];
  s->n->steps += events, s->n->shortest += shortest, s->n->longer += events > shortest;
}

static void check_results(struct subject *s, uint32_t e) {
  uint64_t was, values[64];
  bool all;
  if (!causal_is_read(&s->x->trace[e], &was)) return;
  uint32_t n = causal_values(s->c, e, values, 64, &all);
  check_read(s, e, was);
  for (uint32_t i = 0; i < n && i < 64; i++) check_read(s, e, values[i]);
  for (uint32_t i = 0; i < s->r->results[e]; i++) {
    bool known = s->r->result[e][i] == was;
    for (uint32_t k = 0; k < n && k < 64; k++) known |= values[k] == s->r->result[e][i];
    if (!known && all) complain(s, "event", e, s->r->result[e][i], "a possible result is missing");
    if (!known) check_read(s, e, s->r->result[e][i]);
  }
  check_read(s, e, 77);
}

/* An operation that was blocked when the trace ended. */
static void check_pending(struct subject *s, uint32_t p) {
  const struct event *e = &s->x->trace[p];
  if (e->flags & (EVENT_TRY | EVENT_TIMED)) return;
  if ((e->flags & EVENT_WAITS) && e->op != EVENT_AWAIT) {
    uint64_t values[64];
    bool all;
    uint32_t n = causal_values(s->c, p, values, 64, &all);
    for (uint32_t i = 0; i < n && i < 64; i++) check_read(s, p, values[i]);
    for (uint32_t i = 0; i < s->r->results[p]; i++) check_read(s, p, s->r->result[p][i]);
    return;
  }
  uint32_t n;
  enum causal_answer answer = causal_reach(s->c, p);
  if (answer == CAUSAL_UNKNOWN && e->op == EVENT_AWAIT) return;
  if (!compare(s, answer, reference_can(s->r, p, 1), "reach", p, 0)) return;
  const struct causal_step *steps = causal_witness(s->c, &n);
  struct sim_state state;
  struct event out[SIM_OUTCOMES];
  const char *wrong = n == 0 || steps[n - 1].event != p ? "its witness does not end in it" : NULL;
  if (!wrong) wrong = witness_check(s->x, steps, n - 1, UINT32_MAX, 0, &state);
  if (!wrong && state.position[e->thread] != s->x->length[e->thread]) wrong = "the thread does not stand before it";
  if (!wrong && sim_outcomes(s->x, &state, e, 0, out) == 0) wrong = "it is blocked";
  if (wrong) complain(s, "witness of pending", p, 0, wrong);
}

static void check_race(struct subject *s, uint32_t a, uint32_t b) {
  struct sim_state state;
  uint32_t n;
  if (!compare(s, causal_race(s->c, a, b), s->r->race[a][b], "race", a, b)) return;
  const struct causal_step *steps = causal_witness(s->c, &n);
  if (n < 2 || steps[n - 2].event != a || steps[n - 1].event != b) return complain(s, "race", a, b, "its witness does not end in it");
  const char *wrong = witness_check(s->x, steps, n - 2, UINT32_MAX, 0, &state);
  if (!wrong && sim_next(s->x, &state, s->x->trace[a].thread, 0) != &s->x->trace[a]) wrong = "the first is not next";
  if (!wrong && sim_next(s->x, &state, s->x->trace[b].thread, 0) != &s->x->trace[b]) wrong = "the second is not next";
  if (wrong) complain(s, "witness of race", a, b, wrong);
}

static void check_use(struct subject *s, uint32_t f, uint32_t use) {
  struct sim_state state;
  uint32_t n;
  if (!compare(s, causal_use_after_free(s->c, f, use), s->r->freed[f][use], "use after free", f, use)) return;
  const struct causal_step *steps = causal_witness(s->c, &n);
  const char *wrong = witness_check(s->x, steps, n - 1, UINT32_MAX, 0, &state);
  if (!wrong && sim_next(s->x, &state, s->x->trace[use].thread, 0) != &s->x->trace[use]) wrong = "the use is not next";
  if (!wrong && state.position[s->x->trace[f].thread] <= s->x->trace[f].index) wrong = "it is not freed";
  if (wrong) complain(s, "witness of use after free", f, use, wrong);
}

static void check_pairs(struct subject *s) {
  for (uint32_t a = s->x->prefix; a < s->x->n; a++) {
    for (uint32_t b = s->x->prefix; b < s->x->n; b++) {
      const struct event *x = &s->x->trace[a], *y = &s->x->trace[b];
      if (x->thread == y->thread || !sim_is_access(x) || !sim_is_access(y) || !sim_overlap(x, y)) continue;
      if ((x->flags | y->flags) & EVENT_INTERNAL) continue;
      check_race(s, a, b);
      if (x->op == EVENT_FREE) check_use(s, a, b);
    }
  }
}

static void check_cycles(struct subject *s) {
  struct causal_cycle cycles[64];
  uint32_t n = causal_cycles(s->c, cycles, 64, NULL);
  uint32_t met = 0;
  for (uint32_t i = 0; i < n && i < 64; i++) {
    uint32_t by_thread[SIM_THREADS] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    bool possible = false;
    for (uint32_t k = 0; k < cycles[i].n; k++) by_thread[s->x->trace[cycles[i].acquires[k]].thread] = cycles[i].acquires[k];
    for (uint32_t k = 0; k < s->r->cycles; k++) possible |= memcmp(s->r->cycle[k], by_thread, sizeof by_thread) == 0;
    met += possible;

    if (!compare(s, causal_deadlock(s->c, &cycles[i]), possible, "deadlock", cycles[i].acquires[0], cycles[i].n)) continue;
    struct sim_state state;
    uint32_t count;
    const struct causal_step *steps = causal_witness(s->c, &count);
    const char *wrong = witness_check(s->x, steps, count, UINT32_MAX, 0, &state);
    for (uint32_t k = 0; !wrong && k < cycles[i].n; k++) {
      const struct event *e = &s->x->trace[cycles[i].acquires[k]];
      struct event out[SIM_OUTCOMES];
      state.stores[e->thread] = 0; /* what is buffered can be flushed */
      const struct event *next = sim_next(s->x, &state, e->thread, 0);
      if (!next) next = sim_pending(s->x, e->thread);
      if (next != e || sim_outcomes(s->x, &state, e, 0, out) != 0) wrong = "an acquire is not blocked";
    }
    if (wrong) complain(s, "witness of deadlock", cycles[i].acquires[0], cycles[i].n, wrong);
  }
  if (met < s->r->cycles && n <= 64 && !causal_limit(s->c)) complain(s, "cycles", met, s->r->cycles, "some were not found");
}

static bool initial(void *data, uint64_t address, uint32_t size, uint64_t *value) {
  const struct sim *x = *(const struct sim **)data;
  *value = 0;
  for (uint32_t i = 0; i < size; i++) *value |= (uint64_t)x->initial[(address - SIM_MEMORY + i) % SIM_BYTES] << (8 * i);
  return true;
}

static struct causal_trace trace_of(const struct sim *x, struct causal_flush *flushes) {
  for (uint32_t i = 0; i < x->flushes; i++) flushes[i] = (struct causal_flush){x->flushed[i].event, x->flushed[i].at};
  return (struct causal_trace){.events = x->trace,
                               .n = x->n,
                               .prefix = x->prefix,
                               .pending = x->pending,
                               .cut = x->cut,
                               .flushes = flushes,
                               .flush_count = x->flushes};
}

/* A trace of one seed. Traces of some seeds have few kinds of operations, so that these meet often. */
static bool check_trace(struct causal *c, struct sim *x, struct reference *r, uint64_t seed, const struct settings *with,
                        enum sim_memory memory, struct counts *n) {
  uint64_t random = seed * 77;
  unsigned features = with->features >= 0 ? (unsigned)with->features : 0;
  unsigned kinds = 1 + witness_random(&random, 4);
  for (unsigned i = 0; with->features < 0 && i < kinds; i++) features |= 1u << witness_random(&random, 14);
  if (features & WITNESS_CONDITIONS) features |= WITNESS_LOCKS;
  if (memory != SIM_SC) features &= ~(unsigned)WITNESS_FREE; /* a store can be in the buffer when its memory is freed */
  uint32_t threads = with->threads ? with->threads : 2 + witness_random(&random, memory == SIM_SC ? 3 : 2);
  uint32_t size = with->size ? with->size : 3 + witness_random(&random, threads == 4 ? 3 : 5);
  witness_generate(x, seed, features, memory, threads, size);
  x->cut = x->n > x->prefix && witness_random(&random, 4) == 0;
  reference_find(r, x);
  n->traces++;
  if (!r->complete) {
    n->skipped++;
    return true;
  }
  struct subject s = {.x = x, .r = r, .c = c, .n = n};
  struct causal_flush flushes[SIM_TRACE];
  struct causal_trace trace = trace_of(x, flushes);
  double start = now();
  causal_build(c, &trace);
  n->seconds += now() - start;
  n->limited += causal_limit(c) != NULL;
  for (uint32_t i = x->prefix; i < x->n; i++) check_results(&s, i);
  for (uint32_t i = x->n; i < x->n + x->pending; i++) check_pending(&s, i);
  check_pairs(&s);
  check_cycles(&s);
  if (s.wrong || with->print) {
    printf("seed %llu, --memory=%u --features=%u --threads=%u --size=%u\n", (unsigned long long)seed, memory, features, threads, size);
    witness_print(x);
  }
  return !s.wrong;
}

/* Does a witness that keeps events have them, and the changed read? */
static const char *check_kept_witness(const struct sim *x, struct causal *c, uint32_t event, uint64_t value, const uint32_t *least) {
  struct sim_state state;
  uint32_t n;
  const struct causal_step *steps = causal_witness(c, &n);
  static struct sim changed;
  changed = *x;
  changed.trace[event].value = value; /* to the checker all results are as they were */
  const char *wrong = witness_check(&changed, steps, n, UINT32_MAX, 0, &state);
  for (uint32_t t = 0; !wrong && t < x->threads; t++) {
    bool own = t == x->trace[event].thread;
    if (state.position[t] < (own ? x->trace[event].index + 1 : least[t])) wrong = "a kept event is missing";
  }
  return wrong;
}

/* One read, one value, and events of the other threads that are kept: the causal model, the reference and, for accesses and fences alone,
 * the axioms of the memory model. */
static bool check_kept(struct causal *c, const struct sim *x, uint32_t event, uint64_t value, const uint32_t *least, bool simple,
                       struct counts *n) {
  bool kept[SIM_TRACE];
  for (uint32_t i = 0; i < x->n; i++) kept[i] = x->trace[i].index < least[x->trace[i].thread];
  struct causal_trace trace = {.events = x->trace, .n = x->n, .kept = kept};
  bool possible = reference_kept(x, event, value, least);
  causal_build(c, &trace);
  enum causal_answer answer = causal_read(c, event, value);
  const char *wrong = NULL;
  n->kept++;
  if (simple && axioms_can(x, event, value, least) != possible) wrong = "the axioms say something else than the reference";
  if (answer == CAUSAL_YES && !possible) wrong = "yes, but it is impossible";
  if (answer == CAUSAL_NO && possible) wrong = "no, but it is possible";
  if (answer == CAUSAL_YES && !wrong) wrong = check_kept_witness(x, c, event, value, least);
  if (wrong)
    printf("event %u, value %llu, keeping %u, %u, %u: %s\n", event, (unsigned long long)value, least[0], least[1], least[2], wrong);
  return !wrong;
}

static bool check_keeping(struct causal *c, struct sim *x, uint64_t seed, enum sim_memory memory, struct counts *n) {
  static const unsigned choices[] = {WITNESS_LITMUS,
                                     WITNESS_LITMUS,
                                     WITNESS_LITMUS | WITNESS_FENCES,
                                     WITNESS_LITMUS | WITNESS_RMW,
                                     WITNESS_RMW | WITNESS_FENCES,
                                     WITNESS_JOINS, /* the axioms know no more than these */
                                     WITNESS_LOCKS,
                                     WITNESS_SEMAPHORES,
                                     WITNESS_CONDITIONS | WITNESS_LOCKS,
                                     WITNESS_MIXED};
  uint64_t random = seed * 99;
  uint32_t kind = witness_random(&random, sizeof choices / sizeof *choices);
  uint32_t threads = 2 + witness_random(&random, 2);
  witness_generate(x, seed, choices[kind], memory, threads, threads == 2 ? 5 : 4);
  x->prefix = x->pending = 0, x->cut = false;
  bool right = true;
  for (uint32_t e = 0; e < x->n && right; e++) {
    if (x->trace[e].op != EVENT_READ) continue;
    uint32_t least[SIM_THREADS] = {0};
    for (uint32_t t = 0; t < threads; t++) least[t] = witness_random(&random, 3) ? x->length[t] : witness_random(&random, x->length[t] + 1);
    least[x->trace[e].thread] = 0;
    for (uint64_t value = 0; value < (kind < 4 ? 8 : 3) && right; value++) right = check_kept(c, x, e, value, least, kind < 6, n);
  }
  if (!right) witness_print(x);
  return right;
}

/* How long it takes: the shared part, and the questions about every read's other values. No reference. */
static void measure(struct causal *c, struct sim *x, const struct settings *with, enum sim_memory memory) {
  uint64_t questions = 0, events = 0, most = with->traces;
  double build = 0, ask = 0;
  for (uint64_t i = 0; i < most; i++) {
    uint64_t values[16];
    unsigned features = with->features >= 0 ? (unsigned)with->features : WITNESS_LOCKS | WITNESS_RMW;
    witness_generate(x, with->seed + i, features, memory, with->threads ? with->threads : 3, with->size ? with->size : 20);
    struct causal_flush flushes[SIM_TRACE];
    struct causal_trace trace = trace_of(x, flushes);
    double start = now();
    for (int k = 0; k < 10; k++) causal_build(c, &trace);
    double built = now();
    for (uint32_t e = x->prefix; e < x->n; e++) {
      uint32_t n = causal_values(c, e, values, 16, NULL);
      for (uint32_t k = 0; k < n && k < 16; k++) (void)causal_read(c, e, values[k]);
      questions += n < 16 ? n : 16;
    }
    build += (built - start) / 10, ask += now() - built, events += x->n;
  }
  printf("%u: %.1f events, %.1f questions a trace; %.1f us to build, %.1f us to ask, %.2f us a question\n", memory,
         (double)events / (double)most, (double)questions / (double)most, 1e6 * build / (double)most, 1e6 * ask / (double)most,
         1e6 * ask / (double)questions);
}

static bool option(const char *argument, const char *name, long long *value) {
  size_t n = strlen(name);
  if (strncmp(argument, name, n) != 0) return false;
  *value = strtoll(argument + n, NULL, 0);
  return true;
}

static bool parse(int argc, char **argv, struct settings *with) {
  *with = (struct settings){.traces = 3000, .seed = 1, .memory = -1, .features = -1};
  for (int i = 1; i < argc; i++) {
    long long value;
    if (option(argv[i], "--traces=", &value))
      with->traces = (uint64_t)value;
    else if (option(argv[i], "--seed=", &value))
      with->seed = (uint64_t)value;
    else if (option(argv[i], "--memory=", &value))
      with->memory = (int)value;
    else if (option(argv[i], "--features=", &value))
      with->features = (long)value;
    else if (option(argv[i], "--threads=", &value))
      with->threads = (uint32_t)value;
    else if (option(argv[i], "--size=", &value))
      with->size = (uint32_t)value;
    else if (strcmp(argv[i], "--print") == 0)
      with->print = true;
    else if (strcmp(argv[i], "--time") == 0)
      with->time = true;
    else
      return false;
  }
  return true;
}

int main(int argc, char **argv) {
  static const char *const names[] = {"SC", "TSO", "PSO"};
  static struct sim x;
  static struct reference r;
  struct settings with;
  if (!parse(argc, argv, &with)) {
    fprintf(stderr,
            "usage: witness [--traces=N] [--seed=N] [--memory=0|1|2] [--features=BITS] [--threads=N] [--size=N] [--print] [--time]\n");
    return 2;
  }
  uint64_t wrong = 0;
  for (int memory = SIM_SC; memory <= SIM_PSO; memory++) {
    if (with.memory >= 0 && with.memory != memory) continue;
    const struct sim *current = &x;
    struct causal_options options = {.memory = (enum causal_memory)memory, .initial = initial, .data = &current};
    struct causal *quick = causal_new(&options);
    options.thorough = true;
    struct causal *c = causal_new(&options); /* every other trace has the engine find every witness */
    struct counts n = {0};
    if (with.time) {
      measure(quick, &x, &with, (enum sim_memory)memory);
      causal_free(c);
      causal_free(quick);
      continue;
    }
    for (uint64_t i = 0; i < with.traces && wrong < 5; i++)
      wrong += !check_trace(i & 1 ? c : quick, &x, &r, with.seed + i, &with, (enum sim_memory)memory, &n);
    for (uint64_t i = 0; i < with.traces / 5 && wrong < 5; i++)
      wrong += !check_keeping(i & 1 ? c : quick, &x, with.seed + i, (enum sim_memory)memory, &n);
    printf(
        "%s: %llu reads with events kept, %llu traces (%llu not exact, %llu too large), %llu yes, %llu no, %llu unknown, build %.1f us, "
        "witnesses %.2f of the shortest, "
        "%llu longer\n",
        names[memory], (unsigned long long)n.kept, (unsigned long long)n.traces, (unsigned long long)n.limited,
        (unsigned long long)n.skipped, (unsigned long long)n.yes, (unsigned long long)n.no, (unsigned long long)n.unknown,
        1e6 * n.seconds / (double)n.traces, (double)n.steps / (double)(n.shortest ? n.shortest : 1), (unsigned long long)n.longer);
    causal_free(c);
    causal_free(quick);
  }
  reference_release();
  if (mem_live() != 0) {
    printf("%zu bytes leaked\n", mem_live());
    return 1;
  }
  return wrong > 0;
}
