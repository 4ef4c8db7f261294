/* Random traces of several threads, which one thread plays, against happens-before by definition: the closure of program order and of what
 * each kind of synchronisation orders, over all events. Nothing may be reported that is not a race, with the places of both accesses and
 * the locks that the earlier one was made under; and every byte's first race is reported. */
#include "analysis/access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/held.h"
#include "analysis/race.h"
#include "analysis/section.h"
#include "runtime.h"
#include "sync.h"

struct options options;
bool runtime_on;

enum { EVENTS = 200, THREADS = 6, LOCKS = 3, ATOMICS = 2, WORDS = 3, BYTES = WORDS * 8 };
enum { RUN = 12 }; /* accesses in a row */
/* No report; one with an operation of __tsan_atomic.., whose place is in this file; with a read or a write at some place, or with one of
 * several accesses, as the runtime keeps only so many combinations of places. */
enum { NOWHERE = -1, SOMEWHERE = -2, READ = -3, WRITE = -4, AMONG = -5 };
enum order { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

int __tsan_atomic32_load(const volatile int *p, int order);
void __tsan_atomic32_store(volatile int *p, int v, int order);
int __tsan_atomic32_fetch_add(volatile int *p, int v, int order);
void __tsan_atomic_thread_fence(int order);

struct event {
  int thread;
  bool access, writes, atomic;
  unsigned at, size; /* bytes of memory[] */
  unsigned locks;    /* that the thread held: by bits */
};

typedef uint64_t bits[(EVENTS + 63) / 64];

static struct {
  uint64_t random;
  struct event events[EVENTS];
  unsigned count;
  bool before[EVENTS][EVENTS]; /* closed: events come in the order of the trace */
  struct fast threads[THREADS];
  int last[THREADS];    /* event, -1: none */
  int id[THREADS], ids; /* no other thread of the trace has or had it */
  bool alive[THREADS], joinable[THREADS];
  struct vclock *ends[THREADS];
  int held[LOCKS], released[LOCKS]; /* thread, -1; event, -1 */
  int owner[ATOMICS]; /* whose heads they are: a thread's id, NOWHERE, or SOMEWHERE for several, and then a relaxed store keeps them all */
  bool heads[ATOMICS][EVENTS];   /* who reads the present value synchronises with these */
  bool pending[THREADS][EVENTS]; /* what its next acquire fence takes */
  int fence[THREADS];            /* its last release fence */
  bool tainted[BYTES];
  _Alignas(16) unsigned char memory[BYTES];
  bool reported[WORDS]; /* a race of the last event */
} g;

static unsigned pick(unsigned n) {
  g.random ^= g.random << 13, g.random ^= g.random >> 7, g.random ^= g.random << 17;
  return (unsigned)(g.random >> 33) % n;
}

/* An event's place is its number. */
static uintptr_t place(unsigned event) { return 0x1000 + event; }

static unsigned add_event(int thread) {
  unsigned e = g.count++;
  memset(g.before[e], 0, sizeof g.before[e]);
  g.events[e] = (struct event){.thread = thread};
  for (unsigned i = 0; i < LOCKS; i++) g.events[e].locks |= (unsigned)(g.held[i] == thread) << i;
  return e;
}

static void order(int a, unsigned b) {
  if (a < 0 || (unsigned)a == b) return;
  g.before[a][b] = true;
  for (int i = 0; i < a; i++) g.before[i][b] |= g.before[i][a];
}

static unsigned step(int thread) {
  unsigned e = add_event(thread);
  order(g.last[thread], e);
  g.last[thread] = (int)e;
  return e;
}

static bool conflicts(unsigned a, unsigned b, unsigned byte) {
  const struct event *x = &g.events[a], *y = &g.events[b];
  return x->access && y->access && (x->writes || y->writes) && !(x->atomic && y->atomic) && !g.before[a][b] && byte - x->at < x->size &&
         byte - y->at < y->size;
}

static bool is_race(int reported, unsigned e, unsigned byte) {
  if (reported >= 0) return conflicts((unsigned)reported, e, byte);
  for (unsigned a = 0; a < e; a++)
    if (conflicts(a, e, byte) && (reported == AMONG       ? true
                                  : reported == SOMEWHERE ? g.events[a].atomic
                                                          : g.events[a].writes == (reported == WRITE)))
      return true;
  return false;
}

static void check_locks(const struct race *r, const struct event *theirs) {
  struct finding_lock found[LOCKS];
  struct finding_locks l = held_then(r->epoch, r->theirs, found, LOCKS);
  unsigned locks = 0;
  assert_int_equal(l.known, LOCKS_ALL);
  for (unsigned i = 0; i < l.count; i++) locks |= 1u << ((found[i].address - (uintptr_t)g.held) / sizeof g.held[0]);
  assert_int_equal(locks, theirs->locks);
}

void race_found(struct thread *t, const struct race *r) {
  (void)t;
  unsigned e = g.count - 1, byte = (unsigned)(r->address - (uintptr_t)g.memory);
  if (!g.events[e].atomic || g.events[e].at % 8) assert_int_equal(context_at(r->mine)->pc, place(e));
  uintptr_t theirs = context_at(r->theirs)->pc - 0x1000;
  bool near = context_at(r->theirs)->kind == SITE_NEAR;
  int reported = near ? (kind_writes(context_kind(r->theirs)) ? WRITE : READ) : theirs < EVENTS ? (int)theirs : SOMEWHERE;
  if (context_at(r->theirs)->kind == SITE_AMONG) reported = AMONG;
  if (!is_race(reported, e, byte)) fail_msg("event %u: no race of byte %u with %d", e, byte, reported);
  if (reported >= 0) check_locks(r, &g.events[reported]);
  g.reported[byte / 8] = true;
}

static void check(unsigned e) {
  bool expected[WORDS] = {false}, racy[BYTES] = {false};
  for (unsigned byte = 0; byte < BYTES; byte++) {
    for (unsigned a = 0; a < e; a++) racy[byte] |= conflicts(a, e, byte);
    expected[byte / 8] |= racy[byte] && !g.tainted[byte];
  }
  for (unsigned word = 0; word < WORDS; word++)
    if (expected[word] && !g.reported[word]) fail_msg("event %u of thread %d: its race is not found", e, g.events[e].thread);
  for (unsigned byte = 0; byte < BYTES; byte++) g.tainted[byte] |= racy[byte];
  memset(g.reported, 0, sizeof g.reported);
}

static void access_bytes(int thread, bool writes, bool atomic, unsigned at, unsigned size) {
  unsigned e = step(thread);
  struct event *x = &g.events[e];
  x->access = true, x->writes = writes, x->atomic = atomic, x->at = at, x->size = size;
  uintptr_t p = (uintptr_t)g.memory + at;
  if (size > 8 || size & (size - 1))
    access_range(hd_fast.self, p, size, writes ? SITE_WRITE : SITE_READ, place(e));
  else if (atomic)
    access_atomic(hd_fast.self, p, size, writes, place(e));
  else if (writes)
    access_write(p, size, place(e));
  else
    access_read(p, size, place(e));
  check(e);
}

static void access_memory(int thread, bool atomic) {
  unsigned size = 1u << pick(4);
  access_bytes(thread, pick(2), atomic, pick(4) ? pick(BYTES / size) * size : pick(BYTES - size + 1), size);
}

/* Many bytes at once; or bytes or pairs of them one after another, which are written, read, or copied from others. */
static void access_range_or_run(int thread) {
  unsigned size = 1 + pick(2), n = 2 + pick(RUN - 2), from = pick(BYTES - n * size + 1), to = pick(BYTES - n * size + 1), what = pick(4);
  if (what == 3) {
    size = 9 + pick(BYTES - 8);
    access_bytes(thread, pick(2), false, pick(BYTES - size + 1), size);
    return;
  }
  for (unsigned i = 0; i < n && g.count < EVENTS - RUN; i++) {
    if (what != 0) access_bytes(thread, false, false, from + i * size, size);
    if (what != 1) access_bytes(thread, true, false, to + i * size, size);
  }
}

static void lock_or_unlock(int thread, unsigned lock) {
  struct sync *s = sync_at((uintptr_t)&g.held[lock], SYNC_MUTEX);
  if (g.held[lock] == thread) {
    g.released[lock] = (int)step(thread), g.held[lock] = -1;
    section_end(hd_fast.self, s, false, true);
  } else if (g.held[lock] < 0) {
    unsigned e = step(thread);
    order(g.released[lock], e);
    g.held[lock] = thread;
    section_begin(hd_fast.self, s, false, 0);
  }
}

/* Nearly all of one lock, one after the other, so that its epochs are equal; what is accessed within, behind and between them is one word.
 */
static void sections(int thread, unsigned lock) {
  if (g.held[lock] >= 0 && g.held[lock] != thread) return;
  for (unsigned n = 2 + pick(6), word = pick(WORDS); n > 0 && g.count < EVENTS - RUN; n--) {
    unsigned size = pick(3) ? 4 : 1u << pick(4);
    if (pick(6) == 0 && g.held[lock] < 0 && g.held[(lock + 1) % LOCKS] < 0) lock = (lock + 1) % LOCKS;
    lock_or_unlock(thread, lock);
    if (pick(4)) access_bytes(thread, pick(4) == 0, false, word * 8 + pick(8 / size) * size, size);
  }
}

static void synchronise(unsigned e, const bool *with) {
  for (unsigned i = 0; i < e; i++)
    if (with[i]) order((int)i, e);
}

static void use_atomic(int thread, unsigned object) {
  static const int loads[] = {RELAXED, ACQUIRE, SEQ_CST}, stores[] = {RELAXED, RELEASE, SEQ_CST},
                   both[] = {RELAXED, ACQUIRE, RELEASE, ACQ_REL};
  unsigned e = step(thread), what = pick(3);
  int *p = (int *)(void *)&g.memory[object * 8];
  int o = what == 0 ? loads[pick(3)] : what == 1 ? stores[pick(3)] : both[pick(4)];
  bool releases = o >= RELEASE, acquires = o == ACQUIRE || o >= ACQ_REL;
  if (what != 1) {
    if (acquires)
      synchronise(e, g.heads[object]);
    else
      for (unsigned i = 0; i < e; i++) g.pending[thread][i] |= g.heads[object][i];
  }
  if (what == 1 && !(o == RELAXED && g.owner[object] != NOWHERE && (g.owner[object] == g.id[thread] || g.owner[object] == SOMEWHERE)))
    memset(g.heads[object], 0, sizeof g.heads[object]), g.owner[object] = NOWHERE;
  if (what != 0 && (releases || g.fence[thread] >= 0))
    g.owner[object] = g.owner[object] == NOWHERE || g.owner[object] == g.id[thread] ? g.id[thread] : SOMEWHERE;
  if (what != 0) {
    if (releases) g.heads[object][e] = true;
    if (g.fence[thread] >= 0) g.heads[object][g.fence[thread]] = true;
  }
  g.events[e] = (struct event){.thread = thread, .access = true, .writes = what != 0, .atomic = true, .at = object * 8, .size = sizeof *p};
  if (what == 0)
    __tsan_atomic32_load(p, o);
  else if (what == 1)
    __tsan_atomic32_store(p, 1, o);
  else
    __tsan_atomic32_fetch_add(p, 1, o);
  check(e);
}

static void fence(int thread) {
  static const int orders[] = {ACQUIRE, RELEASE, ACQ_REL, SEQ_CST};
  int o = orders[pick(4)];
  unsigned e = step(thread);
  if (o != RELEASE) synchronise(e, g.pending[thread]);
  if (o != ACQUIRE) g.fence[thread] = (int)e;
  __tsan_atomic_thread_fence(o);
}

static void fork_thread(int thread) {
  for (int n = 1; n < THREADS; n++) {
    if (g.alive[n] || g.joinable[n]) continue;
    unsigned e = step(thread);
    struct fast parent = hd_fast;
    struct thread *t = thread_new(hd_fast.self, SITE_UNKNOWN);
    assert_non_null(t);
    thread_tick(hd_fast.self);
    parent = hd_fast;
    thread_begin(t);
    g.threads[n] = hd_fast;
    hd_fast = parent;
    g.alive[n] = true, g.id[n] = ++g.ids, g.last[n] = (int)e, g.fence[n] = -1; /* it goes on where its creator was */
    memset(g.pending[n], 0, sizeof g.pending[n]);
    return;
  }
}

static bool holds_any(int thread) {
  for (unsigned i = 0; i < LOCKS; i++)
    if (g.held[i] == thread) return true;
  return false;
}

static void end_or_join(int thread) {
  if (thread != 0 && !holds_any(thread) && pick(3) == 0) {
    step(thread);
    thread_end(hd_fast.self, &g.ends[thread]);
    g.alive[thread] = false, g.joinable[thread] = true;
    return;
  }
  for (int n = 1; n < THREADS; n++) {
    if (!g.joinable[n]) continue;
    unsigned e = step(thread);
    order(g.last[n], e);
    thread_acquire(hd_fast.self, g.ends[n]);
    vclock_free(g.ends[n]);
    g.ends[n] = NULL, g.joinable[n] = false;
    return;
  }
}

/* A thread that becomes known by itself: of what was done so far it is taken to know all. */
static void attach_thread(void) {
  for (int n = 1; n < THREADS; n++) {
    if (g.alive[n] || g.joinable[n]) continue;
    unsigned e = add_event(n);
    for (int k = 0; k < THREADS; k++)
      if (g.alive[k]) order(g.last[k], e);
    hd_fast = (struct fast){0};
    assert_non_null(thread_self_slow());
    g.threads[n] = hd_fast;
    g.alive[n] = true, g.id[n] = ++g.ids, g.last[n] = (int)e, g.fence[n] = -1;
    memset(g.pending[n], 0, sizeof g.pending[n]);
    for (int k = 0; k < THREADS; k++) /* what they do later is not known to it */
      if (g.alive[k] && k != n) hd_fast = g.threads[k], thread_tick(hd_fast.self), g.threads[k] = hd_fast;
    return;
  }
}

static void barrier(void) {
  struct vclock *c = NULL;
  int from[THREADS];
  for (int k = 0; k < THREADS; k++) {
    from[k] = -1;
    if (!g.alive[k] || !pick(5)) continue;
    hd_fast = g.threads[k];
    from[k] = (int)step(k);
    thread_release_join(hd_fast.self, &c);
    g.threads[k] = hd_fast;
  }
  for (int k = 0; k < THREADS; k++) {
    if (from[k] < 0) continue;
    unsigned e = step(k);
    for (int i = 0; i < THREADS; i++) order(from[i], e);
    thread_acquire(g.threads[k].self, c);
  }
  vclock_free(c);
  threads_settle();
}

static void one_trace(uint64_t seed, bool with_atomic_data) {
  struct fast main_thread = g.threads[0];
  memset(&g, 0, sizeof g);
  g.random = seed * 0x9e3779b97f4a7c15ull + 1;
  g.threads[0] = main_thread, g.alive[0] = true;
  for (int i = 0; i < THREADS; i++) g.last[i] = g.fence[i] = -1;
  for (int i = 0; i < ATOMICS; i++) g.owner[i] = NOWHERE;
  for (int i = 0; i < LOCKS; i++) g.held[i] = g.released[i] = -1;
  access_forget((uintptr_t)g.memory, BYTES);
  for (unsigned i = 0; i < LOCKS; i++) sync_remove((uintptr_t)&g.held[i]);
  for (unsigned i = 0; i < ATOMICS; i++) sync_remove((uintptr_t)&g.memory[i * 8]);
  while (g.count < EVENTS - 2 * THREADS - RUN) {
    int thread = (int)pick(THREADS);
    if (!g.alive[thread]) continue;
    if (pick(20) == 0) {
      (pick(3) ? barrier : attach_thread)();
      continue;
    }
    hd_fast = g.threads[thread];
    unsigned what = pick(20);
    if (pick(4) == 0) threads_settle();
    if (what < 10)
      access_memory(thread, with_atomic_data && pick(3) == 0);
    else if (what < 12 && pick(2))
      access_range_or_run(thread);
    else if (what < 14)
      (pick(3) ? lock_or_unlock : sections)(thread, pick(LOCKS));
    else if (what < 16)
      use_atomic(thread, pick(ATOMICS));
    else if (what < 17)
      fence(thread);
    else if (what < 19)
      fork_thread(thread);
    else
      end_or_join(thread);
    g.threads[thread] = hd_fast;
  }
  for (unsigned i = 0; i < LOCKS; i++) {
    int thread = g.held[i];
    if (thread < 0) continue;
    hd_fast = g.threads[thread];
    lock_or_unlock(thread, i);
    g.threads[thread] = hd_fast;
  }
  for (int n = 1; n < THREADS; n++) {
    if (!g.alive[n]) continue;
    hd_fast = g.threads[n];
    thread_end(hd_fast.self, &g.ends[n]);
  }
  hd_fast = g.threads[0];
  for (int n = 1; n < THREADS; n++) {
    thread_acquire(hd_fast.self, g.ends[n]); /* so that their slots can be used again */
    vclock_free(g.ends[n]);
  }
  vclock_free(hd_fast.self->fence_acquire), vclock_free(hd_fast.self->fence_release);
  hd_fast.self->fence_acquire = hd_fast.self->fence_release = NULL;
}

static uint64_t first_seed = 1;
static unsigned traces = 6000;

static void reports_the_first_race_of_every_byte_and_nothing_else(void **state) {
  (void)state;
  for (unsigned i = 0; i < traces; i++) one_trace(first_seed + i, i % 2);
}

int main(int argc, char **argv) {
  if (argc > 1) traces = (unsigned)strtoul(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  shadow_start();
  context_start();
  sync_start();
  threads_start();
  runtime_on = true;
  g.threads[0] = hd_fast;
  const struct CMUnitTest tests[] = {cmocka_unit_test(reports_the_first_race_of_every_byte_and_nothing_else)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
