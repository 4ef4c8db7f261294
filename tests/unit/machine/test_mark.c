/* Going back to a state in the middle of an execution: everything is as it was, and goes on as it went. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"
#include "trace/schedule.h"

#define STEPS_MOST 400u

/* What can be seen of a state. */
struct seen {
  struct fingerprint all, threads, state;
  struct tset enabled, alive;
  struct event pending[24]; /* of agents from 8 on */
  uint32_t events;
  size_t output;
};

struct passage {
  struct step steps[STEPS_MOST];
  struct seen states[STEPS_MOST + 1]; /* before each step, and the last */
  size_t marks[STEPS_MOST];           /* 0: none */
  uint32_t count;
  struct event trace[STEPS_MOST * 4];
  uint32_t events;
  enum machine_status status;
};

static uint32_t dice(uint64_t *state, uint32_t n) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*state >> 33) % n);
}

static struct seen look(struct machine *m) {
  struct seen s = {.enabled = *machine_enabled(m), .alive = *machine_alive(m), .output = machine_output(m, 1)->count};
  s.all = machine_fingerprint(m);
  s.threads = machine_threads_fingerprint(m);
  s.state = machine_state(m);
  machine_trace(m, &s.events);
  for (uint32_t t = tset_next(&s.alive, 0); t < THREADS_MAX; t = tset_next(&s.alive, t + 1))
    s.pending[t < AGENTS_FROM ? t % 8 : 8 + (t - AGENTS_FROM) % 16] = *machine_pending(m, t);
  return s;
}

static void expect_seen(struct machine *m, const struct seen *was) {
  struct seen is = look(m);
  assert_true(fingerprint_equal(is.all, was->all));
  assert_true(fingerprint_equal(is.threads, was->threads));
  assert_true(fingerprint_equal(is.state, was->state));
  assert_memory_equal(&is.enabled, &was->enabled, sizeof is.enabled);
  assert_memory_equal(&is.alive, &was->alive, sizeof is.alive);
  assert_memory_equal(is.pending, was->pending, sizeof is.pending);
  assert_int_equal(is.events, was->events);
  assert_int_equal(is.output, was->output);
}

static struct step draw(struct machine *m, uint64_t *random) {
  const struct tset *enabled = machine_enabled(m);
  uint32_t i = dice(random, tset_count(enabled)), t = tset_next(enabled, 0);
  while (i-- > 0) t = tset_next(enabled, t + 1);
  return (struct step){t, dice(random, machine_alternatives(m, t))};
}

/* A random execution, with marks before random steps. */
static void pass(struct machine *m, struct passage *p, uint64_t *random) {
  machine_reset(m);
  for (p->count = 0; machine_status(m) == MACHINE_RUNNING; p->count++) {
    assert_true(p->count < STEPS_MOST);
    p->states[p->count] = look(m);
    p->marks[p->count] = dice(random, 3) == 0 ? machine_mark(m, NULL) : 0;
    p->steps[p->count] = draw(m, random);
    machine_step(m, p->steps[p->count].thread, p->steps[p->count].choice);
  }
  p->status = machine_status(m);
  const struct event *trace = machine_trace(m, &p->events);
  assert_true(p->events <= STEPS_MOST * 4);
  memcpy(p->trace, trace, p->events * sizeof *trace);
}

static void follow(struct machine *m, const struct passage *p, uint32_t from) {
  for (uint32_t i = from; i < p->count; i++) {
    expect_seen(m, &p->states[i]);
    machine_step(m, p->steps[i].thread, p->steps[i].choice);
  }
  uint32_t events;
  const struct event *trace = machine_trace(m, &events);
  assert_int_equal(machine_status(m), p->status);
  assert_int_equal(events, p->events);
  assert_memory_equal(trace, p->trace, events * sizeof *trace);
}

/* Some steps that the execution did not take. */
static void stray(struct machine *m, uint64_t *random) {
  for (uint32_t n = dice(random, 20); n > 0 && machine_status(m) == MACHINE_RUNNING; n--) {
    struct step step = draw(m, random);
    machine_step(m, step.thread, step.choice);
    if (machine_status(m) == MACHINE_RUNNING && dice(random, 6) == 0) machine_mark(m, NULL);
  }
}

static void expect_ways_back_under(enum machine_memory memory, const char *source) {
  static struct passage p;
  struct rig r;
  uint64_t random = 7;
  rig_open(&r, source, &(struct machine_options){.memory = memory});
  for (uint32_t round = 0; round < 150; round++) {
    pass(r.machine, &p, &random);
    if (machine_sharing_changed(r.machine)) continue;
    for (uint32_t i = p.count; i-- > 0;) {
      if (!p.marks[i] || dice(&random, 2)) continue;
      machine_rollback(r.machine, p.marks[i]);
      expect_seen(r.machine, &p.states[i]);
      stray(r.machine, &random);
      machine_rollback(r.machine, p.marks[i]);
      follow(r.machine, &p, i);
    }
    machine_reset(r.machine);
    follow(r.machine, &p, 0);
  }
  rig_close(&r);
}

static void expect_ways_back(const char *source) {
  expect_ways_back_under(MEMORY_SC, source);
  expect_ways_back_under(MEMORY_TSO, source);
  expect_ways_back_under(MEMORY_PSO, source);
}

static void locks_conditions_and_ends(void **state) {
  (void)state;
  expect_ways_back(HEAD MUTEX "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n" THREAD(
      "f") "{ pthread_mutex_lock(&m); while (!x) "
           "pthread_cond_wait(&c, &m); x--; pthread_mutex_unlock(&m); return argument; }\n" THREAD(
               "g") "{ for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); x++; pthread_cond_signal(&c); "
                    "pthread_mutex_unlock(&m); } return argument; }\n"
                    "int main(void) { pthread_t a, b, d; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); "
                    "pthread_create(&d, 0, g, 0); pthread_join(d, 0); pthread_join(b, 0); pthread_join(a, 0); return x; }\n");
}

static void heaps_stacks_and_thread_locals(void **state) {
  (void)state;
  expect_ways_back("#include <stdlib.h>\n" HEAD MUTEX
                   "__thread int own = 3; int *kept;\n"
                   "static int deep(int n, int *up) { int here[4] = {n, n + 1, *up, own}; own += n; if (n) return deep(n - 1, here) + here[2]; "
                   "__atomic_add_fetch(&y, here[1], 5); return here[0]; }\n" THREAD(
                       "f") "{ for (int i = 0; i < 3; i++) { int *p = malloc(40 + 16 * i); p[i] = deep(3, &i); pthread_mutex_lock(&m); "
                            "int *old = kept; kept = p; pthread_mutex_unlock(&m); free(old); __atomic_add_fetch(&x, own, 5); } "
                            "return argument; }\n"
                            "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); "
                            "pthread_join(a, 0); pthread_join(b, 0); free(kept); return 0; }\n");
}

static void loops_that_wait(void **state) {
  (void)state;
  expect_ways_back(HEAD THREAD("f") "{ while (!__atomic_load_n(&x, 5)) ; __atomic_store_n(&y, 1, 5); return argument; }\n" THREAD(
      "g") "{ __atomic_store_n(&x, 1, 5); while (!__atomic_load_n(&y, 5)) sched_yield(); return argument; }\n" RUN_F_AND_G("return r;"));
}

static void buffered_stores(void **state) {
  (void)state;
  expect_ways_back(HEAD "struct pair { int a, b, c; } pair, one = {1, 2, 3};\n" THREAD(
      "f") "{ __atomic_store_n(&x, 1, 0); pair = one; y = __atomic_load_n(&x, 0); __atomic_store_n(&x, 2, 0); return argument; }\n" THREAD(
      "g") "{ r = pair.b; __atomic_store_n(&x, 3, 0); pair.a = 4; __atomic_store_n(&y, 5, 5); return argument; }\n" RUN_F_AND_G("return 0;"));
}

/* A barrier is destroyed that a thread has not left yet, a thread is detached, another one notices its lock. */
static void threads_that_others_change(void **state) {
  (void)state;
  expect_ways_back(HEAD MUTEX "pthread_barrier_t meet; pthread_t a;\n" THREAD(
      "f") "{ pthread_barrier_wait(&meet); for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); "
           "__atomic_add_fetch(&x, 1, 5); pthread_mutex_unlock(&m); } return argument; }\n" THREAD(
               "g") "{ pthread_barrier_wait(&meet); pthread_barrier_destroy(&meet); pthread_detach(a); "
                    "for (int i = 0; i < 3; i++) if (!pthread_mutex_trylock(&m)) __atomic_add_fetch(&y, 1, 5), pthread_mutex_unlock(&m); "
                    "return argument; }\n"
                    "int main(void) { pthread_t b; pthread_barrier_init(&meet, 0, 2); pthread_create(&a, 0, f, 0); "
                    "pthread_create(&b, 0, g, 0); pthread_join(b, 0); return y; }\n");
}

static void failures(void **state) {
  (void)state;
  expect_ways_back(HEAD MUTEX "pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;\n" THREAD(
      "f") "{ pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return "
           "argument; }\n" THREAD(
               "g") "{ pthread_mutex_lock(&n); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); "
                    "pthread_mutex_unlock(&n); return argument; }\n" RUN_F_AND_G("return 0;"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(locks_conditions_and_ends), cmocka_unit_test(heaps_stacks_and_thread_locals), cmocka_unit_test(loops_that_wait),
      cmocka_unit_test(buffered_stores),           cmocka_unit_test(threads_that_others_change),     cmocka_unit_test(failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
