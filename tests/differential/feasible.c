/* Can what the causal model lets change be executed as the witness says? Random C programs run under random schedules; dependencies are
 * taken from the machine (machine/interpret/depend.h); the model is asked whether a read could return something else, keeping no more reads than the
 * dependencies say. Each witness is then executed: every step must make the events that it made before, of the same kind and at the same
 * place, and the read must return what was asked.
 *
 * usage: feasible [--memory=sc|tso|pso] [--loops] [--programs=N] [--seed=N] [--dependency=all|dynamic|static]
 *
 * --loops: programs with loops, as long as they are not too long.
 *
 * With `static` a thread may go another way to the same place, so that differences are counted and are no errors. A thread that spins is
 * known by the state that it repeats, which values that nothing depends on are part of: a witness that has a wait for a change is passed
 * over. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "batch.h"
#include "execution/run.h"
#include "strategy/mcr/needs.h"

#define BATCH     100u
#define SCHEDULES 12u /* of a program */
#define LONGEST   300u
#define VALUES    8u

static struct totals { uint64_t programs, executions, witnesses, changed, spun, ended, wrong; } totals;

struct test {
  struct machine *m;
  enum dependency dependency;
  uint64_t random;
  struct run run;
  struct mcr_trace trace;
  struct mcr_needs needs;
  struct causal *causal;
  struct execution x;
  struct schedule prefix, steps;
  struct mcr_sites sites;
};

static uint32_t below(struct test *t, uint32_t n) {
  t->random = hash_mix(t->random);
  return (uint32_t)((t->random >> 20) % n);
}

static struct step random_step(struct test *t) {
  const struct tset *enabled = machine_enabled(t->m);
  uint32_t k = below(t, tset_count(enabled)), thread = tset_next(enabled, 0);
  while (k-- > 0) thread = tset_next(enabled, thread + 1);
  return (struct step){.thread = thread, .choice = below(t, machine_alternatives(t->m, thread))};
}

/* False: it was too long, the process ended while threads ran (when it does is no event), or more memory turned out to be shared. */
static bool run_random(struct test *t) {
  run_begin(&t->run);
  for (uint32_t i = 0; run_going(&t->run); i++) {
    if (i == LONGEST) return false;
    run_step(&t->run, random_step(t));
  }
  run_finish(&t->run);
  if (t->run.end == EXECUTION_COMPLETE && tset_count(machine_alive(t->m)) > 1) return false;
  return !machine_sharing_changed(t->m);
}

static bool initial_value(void *data, uint64_t address, uint32_t size, uint64_t *value) {
  struct test *t = data;
  return execution_initial(&t->x, address, size, value);
}

static bool same_event(const struct event *is, const struct event *was) {
  return is->op == was->op && is->thread == was->thread && is->object == was->object && is->size == was->size;
}

/* The step that the last one of the run was to repeat: it begins with this event of the trace. */
static bool same_step(const struct test *t, uint32_t event) {
  uint32_t n, depth = (uint32_t)t->run.ends.count;
  const struct event *trace = machine_trace(t->m, &n);
  for (uint32_t i = depth > 1 ? t->run.ends.data[depth - 2] : 0; i < n; i++, event++) {
    if (trace[i].op == EVENT_FLUSH) return true;
    if (event >= t->trace.n || !same_event(&trace[i], &t->trace.events.data[event])) return false;
  }
  return true;
}

static bool spins(const struct test *t, const struct causal_step *witness, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &t->trace.events.data[witness[i].event];
    if (e->op == EVENT_AWAIT || (e->flags & EVENT_WAITS)) return true;
  }
  return false;
}

/* The pending step of a thread that is about to wait although it did not. */
static bool waits_now(const struct test *t, struct step step) {
  return step.thread < THREADS_MAX && (machine_pending(t->m, step.thread)->flags & EVENT_WAITS);
}

static bool returned(const struct test *t, const struct event *read, uint64_t value) {
  uint32_t n;
  uint64_t result;
  const struct event *trace = machine_trace(t->m, &n);
  for (uint32_t i = 0; i < n; i++)
    if (trace[i].thread == read->thread && trace[i].index == read->index) return causal_is_read(&trace[i], &result) && result == value;
  return false;
}

/* Has a read that the witness let go of returned something else? */
static bool changed(const struct test *t, const struct causal_step *witness, uint32_t n) {
  uint32_t count;
  const struct event *trace = machine_trace(t->m, &count);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k + 1 < n && trace[i].op == EVENT_READ; k++) {
      const struct event *was = &t->trace.events.data[witness[k].event];
      if (!witness[k].flush && was->thread == trace[i].thread && was->index == trace[i].index && was->value != trace[i].value) return true;
    }
  return false;
}

static bool begins_step(const struct test *t, uint32_t event) {
  return event == 0 || t->trace.steps.data[event - 1] != t->trace.steps.data[event];
}

/* Executes the witness. NULL: as it says. */
static const char *execute(struct test *t, const struct causal_step *witness, uint32_t n, uint64_t value) {
  vec_clear(&t->steps.steps);
  vec_clear(&t->sites.sites);
  mcr_trace_steps(&t->trace, witness, n, &t->steps, &t->sites);
  run_begin(&t->run);
  for (size_t i = 0; i < t->prefix.steps.count; i++) run_step(&t->run, t->prefix.steps.data[i]);
  uint32_t at = 0;
  for (size_t i = 0; i < t->steps.steps.count; i++) {
    struct step step = t->steps.steps.data[i];
    struct execution x = run_view(&t->run);
    bool flush = witness[at].flush, last = i + 1 == t->steps.steps.count;
    uint32_t event = witness[at].event;
    if (waits_now(t, step)) {
      totals.spun++;
      return NULL;
    }
    if (machine_status(t->m) != MACHINE_RUNNING) {
      totals.ended++;
      return NULL;
    }
    if (!mcr_trace_resolve(&x, &step)) return "a step cannot be taken";
    run_step(&t->run, step);
    if (!last && !flush && !same_step(t, event)) return "a step does something else";
    for (at++; at < n && !witness[at].flush && !begins_step(t, witness[at].event);) at++;
  }
  return returned(t, &t->trace.events.data[witness[n - 1].event], value) ? NULL : "the read returns something else";
}

static void ask(struct test *t, uint32_t event, uint64_t value, uint64_t seed, uint32_t index) {
  uint32_t n;
  if (causal_read(t->causal, event, value) != CAUSAL_YES) return;
  const struct causal_step *witness = causal_witness(t->causal, &n);
  if (spins(t, witness, n)) {
    totals.spun++;
    return;
  }
  totals.witnesses++;
  const char *wrong = execute(t, witness, n, value);
  totals.changed += changed(t, witness, n);
  if (!wrong) return;
  totals.wrong++;
  if (t->dependency != DEPENDENCY_STATIC) fprintf(stderr, "%s: differential --show=%llu,%u\n", wrong, (unsigned long long)seed, index);
}

/* Which reads of this execution could return something else, some of its steps being fixed? */
static void ask_all(struct test *t, uint64_t seed, uint32_t index) {
  uint64_t values[VALUES], unused;
  uint32_t fixed = below(t, 2) ? below(t, (uint32_t)t->run.steps.steps.count + 1) : 0;
  t->x = run_view(&t->run);
  while (fixed && fixed < t->x.depth && (t->x.trace[t->x.ends[fixed - 1]].flags & EVENT_INTERNAL)) fixed++; /* in an atomic section */
  mcr_trace_take(&t->trace, &t->x, fixed, t->run.cut);
  vec_clear(&t->prefix.steps);
  for (uint32_t i = 0; i < fixed; i++) *vec_push(&t->prefix.steps) = t->run.steps.steps.data[i];
  struct causal_trace trace = {.events = t->trace.events.data, .n = t->trace.n, .prefix = t->trace.prefix, .pending = t->trace.pending};
  trace.flushes = t->trace.flushes.data, trace.flush_count = (uint32_t)t->trace.flushes.count;
  trace.needs = mcr_needs_take(&t->needs, &t->trace, &t->x, t->dependency, true);
  if (!trace.needs && t->dependency != DEPENDENCY_ALL) return;
  totals.executions++;
  causal_build(t->causal, &trace);
  for (uint32_t i = t->trace.prefix; i < t->trace.n; i++) {
    if (!causal_is_read(&trace.events[i], &unused)) continue;
    uint32_t n = causal_values(t->causal, i, values, VALUES, NULL);
    for (uint32_t k = 0; k < n && k < VALUES; k++) ask(t, i, values[k], seed, index);
  }
}

static void test_program(const struct image *image, uint64_t seed, uint32_t index, enum machine_memory memory, enum dependency dependency) {
  struct test t = {.m = batch_machine(image, index, memory, true), .dependency = dependency, .random = seed * 1000 + index};
  if (!t.m) {
    totals.wrong++;
    return;
  }
  totals.programs++;
  struct causal_options options = {.memory = (enum causal_memory)memory, .thorough = true, .budget = 100000};
  options.initial = initial_value, options.data = &t;
  t.causal = causal_new(&options);
  run_init(&t.run, t.m);
  for (uint32_t i = 0; i < SCHEDULES; i++)
    if (run_random(&t)) ask_all(&t, seed, index);
  run_release(&t.run);
  causal_free(t.causal);
  mcr_trace_release(&t.trace);
  mcr_needs_release(&t.needs);
  vec_release(&t.prefix.steps);
  vec_release(&t.steps.steps);
  vec_release(&t.sites.sites);
  machine_free(t.m);
}

int main(int argc, char **argv) {
  uint64_t programs = 500, seed = 1;
  unsigned features = 0;
  enum machine_memory memory = MEMORY_SC;
  enum dependency dependency = DEPENDENCY_DYNAMIC;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--programs=", 11) == 0)
      programs = strtoull(argv[i] + 11, NULL, 10);
    else if (strncmp(argv[i], "--seed=", 7) == 0)
      seed = strtoull(argv[i] + 7, NULL, 10);
    else if (strcmp(argv[i], "--loops") == 0)
      features |= GENERATE_LOOPS;
    else if (strcmp(argv[i], "--dependency=static") == 0)
      dependency = DEPENDENCY_STATIC;
    else if (strcmp(argv[i], "--dependency=all") == 0)
      dependency = DEPENDENCY_ALL;
    else if (strcmp(argv[i], "--dependency=dynamic") != 0 &&
             (strncmp(argv[i], "--memory=", 9) != 0 || !batch_memory(argv[i] + 9, &memory))) {
      fputs("usage: feasible [--memory=sc|tso|pso] [--loops] [--programs=N] [--seed=N] [--dependency=all|dynamic|static]\n", stderr);
      return 2;
    }
  }
  if (memory != MEMORY_SC) features |= GENERATE_STORES;
  for (uint64_t done = 0; done < programs; seed++) {
    uint32_t n = programs - done < BATCH ? (uint32_t)(programs - done) : BATCH;
    struct image image;
    if (!batch_open(&image, seed, n, features)) return 2;
    for (uint32_t i = 0; i < n; i++) test_program(&image, seed, i, memory, dependency);
    image_close(&image);
    done += n;
  }
  printf("%llu programs, %llu executions, %llu witnesses, %llu of them with other reads changed\n", (unsigned long long)totals.programs,
         (unsigned long long)totals.executions, (unsigned long long)totals.witnesses, (unsigned long long)totals.changed);
  printf("%llu with spinning threads, %llu that ended early, %llu differences\n", (unsigned long long)totals.spun,
         (unsigned long long)totals.ended, (unsigned long long)totals.wrong);
  if (dependency == DEPENDENCY_STATIC) return totals.wrong * 20 > totals.witnesses; /* few go another way */
  bool changes = dependency == DEPENDENCY_ALL || totals.changed > 0;
  return totals.wrong > 0 || totals.witnesses < totals.programs || !changes;
}
