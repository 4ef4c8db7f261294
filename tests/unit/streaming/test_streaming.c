/* The streaming analyses on random traces with all that a recorded run may have (accesses of all sizes and alignments, atomics and fences
 * of all orders, locks of both kinds, conditions, semaphores, barriers, forks, joins, memory that is freed and allocated) against their
 * definitions (define.h); and what the definitions do not have: lost notifications, the table, repeated sites. With an argument, few
 * sections of each lock are kept (SECTIONS_MAX): then less may be found, but nothing else. */
#include "streaming/streaming.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../leaks.h"
#include "compare.h"
#include "define.h"

enum { THREADS = 5, LOCKS = 3, BYTES = 24 };
enum { MEMORY = 0x1000, LOCK = 0x2000, CONDITION = 0x3000, SEMAPHORE = 0x4000, BARRIER = 0x5000 };

static bool few;

static struct {
  uint64_t random;
  struct event trace[DEFINED_MOST];
  uint32_t n, most, index[THREADS];
  uint8_t held[THREADS][LOCKS]; /* 1: exclusively, 2: for reading */
  bool alive[THREADS], done[THREADS], waits[THREADS], woken[THREADS];
  uint32_t posts, round, arrived, entered[THREADS]; /* entered: round + 1 */
} g;

static uint32_t pick(uint32_t n) {
  g.random ^= g.random << 13, g.random ^= g.random >> 7, g.random ^= g.random << 17;
  return (uint32_t)(g.random >> 33) % n;
}

static struct event *add(uint32_t t, enum event_op op, uint64_t object, uint64_t size) {
  struct event *e = &g.trace[g.n++];
  *e = (struct event){.op = (uint8_t)op, .thread = t, .index = g.index[t]++, .site = g.n, .object = object, .size = size};
  return e;
}

static bool can_take(uint32_t lock, bool shared) {
  for (uint32_t t = 0; t < THREADS; t++)
    if (g.held[t][lock] == 1 || (g.held[t][lock] == 2 && !shared)) return false;
  return true;
}

static void access(uint32_t t) {
  static const uint32_t sizes[] = {1, 2, 4, 8, 8, 8, 12, 16};
  static const enum event_op ops[] = {EVENT_READ, EVENT_READ, EVENT_WRITE, EVENT_WRITE, EVENT_RMW};
  uint32_t size = sizes[pick(8)], at = pick(2) ? pick(BYTES - size + 1) : pick(BYTES / size) * size;
  struct event *e = add(t, ops[pick(5)], MEMORY + at, size);
  if (size <= 8 && at % size == 0 && (e->op == EVENT_RMW || pick(4) == 0)) e->order = (uint8_t)(ORDER_RELAXED + pick(5));
}

static void lock(uint32_t t) {
  uint32_t l = pick(LOCKS);
  bool shared = l == 0 && pick(2);
  if (g.held[t][l]) {
    add(t, EVENT_RELEASE, LOCK + 64 * l, 40)->flags = g.held[t][l] == 2 ? EVENT_SHARED_LOCK : 0;
    g.held[t][l] = 0;
  } else if (can_take(l, shared)) {
    add(t, EVENT_ACQUIRE, LOCK + 64 * l, 40)->flags = shared ? EVENT_SHARED_LOCK : 0;
    g.held[t][l] = shared ? 2 : 1;
  } else {
    add(t, EVENT_TRYFAIL, LOCK + 64 * l, 40)->flags = shared ? EVENT_SHARED_LOCK : 0;
  }
}

static void condition(uint32_t t) {
  if (g.held[t][1] && pick(2)) {
    add(t, EVENT_WAIT_ENTER, CONDITION, 48)->value2 = LOCK + 64;
    g.held[t][1] = 0, g.waits[t] = true, g.woken[t] = false;
    return;
  }
  add(t, pick(2) ? EVENT_SIGNAL : EVENT_BROADCAST, CONDITION, 48)->value2 = UINT64_MAX;
  for (uint32_t u = 0; u < THREADS; u++) g.woken[u] = true;
}

static void go_on(uint32_t t) {
  bool late = pick(4) == 0;
  if (!late && !(g.woken[t] && can_take(1, false))) return;
  struct event *e = add(t, EVENT_WAIT_LEAVE, CONDITION, 48);
  e->value2 = late ? 0 : LOCK + 64;
  if (late) e->flags = EVENT_TIMED | EVENT_TIMED_OUT;
  if (!late) g.held[t][1] = 1;
  g.waits[t] = false;
}

static void meet(uint32_t t) {
  if (pick(2) && g.posts > 0) {
    add(t, EVENT_SEM_WAIT, SEMAPHORE, 32), g.posts--;
  } else if (g.posts == 0 && pick(3) == 0) {
    add(t, EVENT_TRYFAIL, SEMAPHORE, 32)->flags = RECORDED_COUNT;
  } else if (pick(2)) {
    add(t, EVENT_SEM_POST, SEMAPHORE, 32), g.posts++;
  } else if (g.entered[t] && g.entered[t] <= g.round) {
    add(t, EVENT_BARRIER_LEAVE, BARRIER, 32)->value = g.entered[t] - 1;
    g.entered[t] = 0;
  } else if (!g.entered[t]) {
    add(t, EVENT_BARRIER_ENTER, BARRIER, 32)->value = g.round;
    g.entered[t] = g.round + 1;
    if (++g.arrived == 2) g.arrived = 0, g.round++;
  }
}

static void fork_or_join(uint32_t t) {
  uint32_t u = 1 + pick(THREADS - 1);
  if (u == t) return;
  if (!g.alive[u] && !g.done[u]) {
    add(t, EVENT_FORK, u, 0);
    g.alive[u] = true;
  } else if (g.done[u]) {
    add(t, EVENT_JOIN, u, 0)->flags = pick(4) ? 0 : EVENT_TIMED_OUT;
  } else {
    g.alive[u] = false, g.done[u] = true; /* it just ends */
  }
}

static void free_or_fence(uint32_t t) {
  if (pick(2)) {
    add(t, EVENT_FENCE, 0, 0)->order = (uint8_t)(ORDER_ACQUIRE + pick(4));
    return;
  }
  uint32_t size = pick(2) ? 8 : 1 + pick(BYTES - 1), at = size == 8 ? 8 * pick(3) : pick(BYTES - size + 1);
  add(t, pick(3) ? EVENT_ALLOC : EVENT_FREE, MEMORY + at, size);
}

static void step(uint32_t t) {
  if (g.waits[t]) {
    go_on(t);
    return;
  }
  if (g.entered[t] > g.round) return; /* stands before the barrier */
  uint32_t what = pick(16);
  if (what < 7)
    access(t);
  else if (what < 11)
    lock(t);
  else if (what < 12)
    condition(t);
  else if (what < 13)
    meet(t);
  else if (what < 14)
    fork_or_join(t);
  else
    free_or_fence(t);
}

static void make(uint64_t seed) {
  memset(&g, 0, sizeof g);
  g.random = seed * 0x9e3779b97f4a7c15u + 1;
  g.most = 12 + pick(DEFINED_MOST - 12);
  for (uint32_t t = 0; t < THREADS; t++) g.alive[t] = t < 3;
  for (uint32_t tries = 0; g.n < g.most && tries < 1000; tries++) {
    uint32_t t = pick(THREADS);
    if (g.alive[t]) step(t);
  }
}

static struct streaming *analyse(const char *name, const struct event *trace, uint32_t n) {
  struct streaming *s = streaming_new(streaming_type(name));
  for (uint32_t i = 0; i < n; i += 7) streaming_feed(s, trace + i, n - i < 7 ? n - i : 7);
  streaming_end(s);
  return s;
}

static void analyses_equal_their_definitions(void **state) {
  (void)state;
  uint64_t found[8] = {0};
  size_t n;
  const struct streaming_type *const *types = streaming_types(&n);
  for (uint64_t seed = 1; seed <= 12000; seed++) {
    make(seed);
    for (size_t k = 0; k < n; k++) {
      char why[200];
      struct streaming *s = analyse(types[k]->name, g.trace, g.n);
      bool coarse = s->coarse > 0 && few;
      if (!compare_defined(s, g.trace, g.n, coarse, why, sizeof why)) fail_msg("seed %u, %s: %s", (unsigned)seed, types[k]->name, why);
      found[k] += s->findings.count;
      streaming_free(s);
    }
  }
  for (size_t k = 0; k < n; k++) assert_true(found[k] > 10000);
}

/* An access in a loop has one site, and what it finds is told once. */
static void pairs_of_sites_are_told_once(void **state) {
  (void)state;
  size_t n;
  const struct streaming_type *const *types = streaming_types(&n);
  for (size_t k = 0; k < n; k++) {
    struct streaming *s = streaming_new(types[k]);
    for (uint32_t i = 0; i < 1000; i++) {
      struct event e = {.op = EVENT_WRITE, .thread = i % 2, .index = i / 2, .site = 1 + i % 2, .object = MEMORY + i % 64, .size = 1};
      streaming_feed(s, &e, 1);
    }
    streaming_end(s);
    assert_int_equal(s->findings.count, 0); /* two threads never share a byte */
    for (uint32_t i = 1000; i < 2000; i++) {
      struct event e = {.op = EVENT_WRITE, .thread = i % 2, .index = i / 2, .site = 1 + i % 2, .object = MEMORY, .size = 8};
      streaming_feed(s, &e, 1);
    }
    assert_int_equal(s->findings.count, 1);
    assert_int_equal(s->findings.data[0].kind, FINDING_DATA_RACE);
    streaming_free(s);
  }
}

/* A use in pages that are freed at once; then the memory begins anew. */
static void large_blocks_are_freed(void **state) {
  (void)state;
  size_t n;
  const struct streaming_type *const *types = streaming_types(&n);
  struct event trace[] = {
      {.op = EVENT_WRITE, .thread = 0, .index = 0, .site = 1, .object = 0x7000123, .size = 4},
      {.op = EVENT_WRITE, .thread = 0, .index = 1, .site = 2, .object = 0x7ffffff, .size = 2},
      {.op = EVENT_FREE, .thread = 1, .index = 0, .site = 3, .object = 0x7000000, .size = 0x1000000},
      {.op = EVENT_ALLOC, .thread = 1, .index = 1, .site = 4, .object = 0x7000000, .size = 0x1000000},
      {.op = EVENT_WRITE, .thread = 0, .index = 2, .site = 5, .object = 0x7000123, .size = 4},
  };
  for (size_t k = 0; k < n; k++) {
    struct streaming *s = analyse(types[k]->name, trace, 5);
    assert_int_equal(s->findings.count, 2);
    assert_int_equal(s->findings.data[0].kind, FINDING_USE_AFTER_FREE);
    assert_int_equal(s->findings.data[0].object + s->findings.data[1].object, 0x7000123 + 0x7ffffff);
    streaming_free(s);
  }
}

static struct event at(uint32_t t, enum event_op op, uint64_t object, uint64_t value2) {
  struct event e = {.op = (uint8_t)op, .thread = t, .index = g.index[t]++, .site = ++g.n, .object = object, .size = 8, .value2 = value2};
  return e;
}

/* Thread 0 waits, as far as `needs` says for nothing; thread 1 notifies it under the lock, after `reads` there what thread 0 wrote. */
static size_t lost_notifications(bool reads, bool again, bool timed) {
  memset(&g, 0, sizeof g);
  struct event trace[16];
  uint32_t n = 0;
  trace[n++] = at(0, EVENT_ACQUIRE, LOCK, 0);
  trace[n++] = at(0, EVENT_WRITE, MEMORY, 0);
  trace[n++] = at(0, EVENT_WAIT_ENTER, CONDITION, LOCK);
  if (timed) trace[n - 1].flags = EVENT_TIMED;
  trace[n++] = at(1, EVENT_ACQUIRE, LOCK, 0);
  if (reads) trace[n++] = at(1, EVENT_READ, MEMORY, 0);
  trace[n++] = at(1, EVENT_SIGNAL, CONDITION, UINT64_MAX);
  trace[n++] = at(1, EVENT_RELEASE, LOCK, 0);
  if (again) trace[n++] = at(1, EVENT_SIGNAL, CONDITION, UINT64_MAX);
  trace[n++] = at(0, EVENT_WAIT_LEAVE, CONDITION, LOCK);
  trace[n++] = at(0, EVENT_RELEASE, LOCK, 0);
  struct streaming *s = analyse("edc", trace, n);
  size_t found = 0;
  for (size_t i = 0; i < s->findings.count; i++) found += s->findings.data[i].kind == FINDING_LOST_WAKEUP;
  streaming_free(s);
  return found;
}

static void notifications_may_come_too_early(void **state) {
  (void)state;
  assert_int_equal(lost_notifications(false, false, false), 1);
  assert_int_equal(lost_notifications(true, false, false), 0); /* the sections conflict: they keep their order */
  assert_int_equal(lost_notifications(false, true, false), 0); /* the thread notifies again and again */
  assert_int_equal(lost_notifications(false, false, true), 0); /* the wait ends by itself */
}

/* Runs as text: a thread, what it does (+ - a lock; r w f memory), and with which. */
static uint32_t read_shape(const char *text, struct event *trace) {
  uint32_t n = 0;
  memset(&g, 0, sizeof g);
  for (; *text; text += text[3] == ' ' ? 4 : 3) {
    enum event_op op = text[1] == '+'   ? EVENT_ACQUIRE
                       : text[1] == '-' ? EVENT_RELEASE
                       : text[1] == 'r' ? EVENT_READ
                       : text[1] == 'w' ? EVENT_WRITE
                                        : EVENT_FREE;
    uint64_t object = op == EVENT_ACQUIRE || op == EVENT_RELEASE ? LOCK : MEMORY;
    trace[n++] = at((uint32_t)(text[0] - '0'), op, object + 64 * (uint64_t)(text[2] - 'a'), 0);
  }
  return n;
}

static void shapes_of_the_literature(void **state) {
  (void)state;
  static const struct {
    const char *run, *found; /* by whom, in the table's order */
    enum finding_kind kind;
  } shapes[] = {
      /* A lock between two writes, whose sections have nothing to do with each other. */
      {"0wx 0+l 0-l 1+l 1-l 1wx", "wcp sp edc wdc", FINDING_DATA_RACE},
      /* They have: the second one reads what the first one wrote. */
      {"0wx 0+l 0wy 0-l 1+l 1ry 1-l 1wx", "", FINDING_DATA_RACE},
      /* The second section must come first. */
      {"0+l 0wx 0-l 1+l 1wz 1-l 1wx", "wcp edc wdc", FINDING_DATA_RACE},
      /* No order shows it: who tries comes to a deadlock. */
      {"0+l 0+m 0-m 0wx 0-l 1+m 1+l 1-l 1wx 1-m", "wcp edc wdc", FINDING_DATA_RACE},
      /* The begin of the first section of l comes before the end of the second one, by what sections of m do: rule (b). */
      {"0wx 0+l 0+m 0wy 0-m 0-l 1+l 1+m 1ry 1-m 1-l 1wx", "", FINDING_DATA_RACE},
      {"0+l 0+m 0wy 0-m 0wx 0-l 1+m 1ry 1-m 1+l 1-l 1wx", "wdc", FINDING_DATA_RACE},
      /* OVPredict, Figure 3.3, and without what keeps the sections' order. */
      {"0+m 0ry 0wx 0-m 1+m 1fx 1wy 1-m", "", FINDING_USE_AFTER_FREE},
      {"0+m 0wx 0-m 1+m 1fx 1-m", "edc", FINDING_USE_AFTER_FREE},
  };
  size_t n;
  const struct streaming_type *const *types = streaming_types(&n);
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    struct event trace[32];
    char found[64] = "";
    uint32_t length = read_shape(shapes[i].run, trace);
    for (size_t k = 0; k < n; k++) {
      struct streaming *s = analyse(types[k]->name, trace, length);
      if (s->findings.count) {
        assert_int_equal(s->findings.data[0].kind, shapes[i].kind);
        if (*found) strcat(found, " ");
        strcat(found, types[k]->name);
      }
      streaming_free(s);
    }
    assert_string_equal(found, shapes[i].found);
  }
}

/* Whatever a damaged trace has: events that no run could have done, in any order. */
static void nonsense_is_survived(void **state) {
  (void)state;
  static const uint64_t objects[] = {0, 1, 3, MEMORY, MEMORY + 5, LOCK, UINT64_MAX, UINT64_MAX - 9, 1ull << 47};
  static const uint64_t sizes[] = {0, 1, 8, 13, 100, UINT32_MAX, UINT64_MAX};
  static const uint32_t threads[] = {0, 1, 2, 3, 40, THREADS_MAX, UINT32_MAX};
  size_t n;
  const struct streaming_type *const *types = streaming_types(&n);
  g.random = 4711;
  for (size_t k = 0; k < n; k++) {
    struct streaming *s = streaming_new(types[k]);
    for (uint32_t i = 0; i < 3000; i++) {
      struct event e = {.op = (uint8_t)pick(EVENT_COUNT + 4), .order = (uint8_t)pick(8), .flags = (uint8_t)pick(256), .index = pick(1000)};
      e.thread = threads[pick(7)], e.site = pick(20), e.object = objects[pick(9)], e.size = sizes[pick(e.op == EVENT_READ ? 5 : 7)];
      if (e.op == EVENT_WRITE || e.op == EVENT_RMW) e.size %= 256;
      e.value = pick(4), e.value2 = objects[pick(9)];
      streaming_feed(s, &e, 1);
    }
    streaming_end(s);
    streaming_free(s);
  }
}

static void analyses_have_names(void **state) {
  (void)state;
  size_t n;
  const struct streaming_type *const *types = streaming_types(&n);
  for (size_t k = 0; k < n; k++) assert_ptr_equal(streaming_type(types[k]->name), types[k]);
  assert_null(streaming_type("none"));
}

int main(int argc, char **argv) {
  (void)argv;
  few = argc > 1;
  const struct CMUnitTest tests[] = {
      TEST(analyses_equal_their_definitions),
      TEST(pairs_of_sites_are_told_once),
      TEST(large_blocks_are_freed),
      TEST(notifications_may_come_too_early),
      TEST(shapes_of_the_literature),
      TEST(nonsense_is_survived),
      TEST(analyses_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
