/* Random locking by one thread: the locks of every access are those that were held then, as long as they are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/access.h"
#include "analysis/held.h"
#include "analysis/race.h"
#include "runtime.h"

bool runtime_on;

enum { LOCKS = 6, STEPS = 4000 };

static struct done {
  epoch epoch;
  uint32_t site;
  unsigned count;
  uintptr_t held[LOCKS]; /* in the order of taking */
} accesses[STEPS];
static unsigned naccesses;
static uint64_t random_state;
static unsigned begin; /* a section's begin takes so many epochs */
static char locks[LOCKS][16] __attribute__((aligned(16)));

void race_found(struct thread *t, const struct race *r) { (void)t, (void)r; }

static unsigned pick(unsigned n) {
  random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
  return (unsigned)(random_state >> 33) % n;
}

static void take_or_give(struct thread *t, struct done *now, unsigned which) {
  struct sync *s = sync_at((uintptr_t)locks[which], SYNC_MUTEX);
  unsigned i = 0;
  while (i < now->count && now->held[i] != s->address) i++;
  if (i == now->count) {
    now->held[now->count++] = s->address;
    held_add(t, s, false, thread_site(t, 0x2000 + which, SITE_LOCK, 0));
    for (unsigned k = 0; k < begin; k++) thread_tick(t);
    return;
  }
  for (now->count--; i < now->count; i++) now->held[i] = now->held[i + 1];
  held_remove(t, s);
  thread_release(t, &s->clock);
}

static void compare(const struct done *a, bool complete) {
  struct finding_lock found[LOCKS];
  struct finding_locks l = held_then(a->epoch, a->site, found, LOCKS);
  if (complete) assert_int_equal(l.known, LOCKS_ALL);
  if (l.known == LOCKS_ALL) assert_int_equal(l.count, a->count);
  for (unsigned i = 0, k = 0; i < l.count; i++, k++) {
    while (k < a->count && a->held[k] != found[i].address) k++;
    assert_true(k < a->count);
    assert_int_equal(context_at(found[i].site)->pc - 0x2000, (found[i].address - (uintptr_t)locks) / sizeof locks[0]);
  }
}

static void one_run(uint64_t seed, unsigned nlocks, unsigned steps) {
  struct thread *t = hd_fast.self;
  struct done now = {0};
  random_state = seed * 0x9e3779b97f4a7c15ull + 1, naccesses = 0;
  for (unsigned i = 0; i < steps; i++) {
    unsigned what = pick(8);
    if (what < 4) {
      take_or_give(t, &now, pick(nlocks));
    } else if (what < 7) {
      now.epoch = hd_fast.epoch, now.site = thread_site(t, 0x1000 + pick(20), SITE_WRITE, 4);
      accesses[naccesses++] = now;
    } else if (pick(20) == 0) {
      thread_tick(t);
    }
  }
  for (unsigned i = 0; i < naccesses; i++) compare(&accesses[i], true);
  while (now.count) take_or_give(t, &now, (unsigned)((now.held[0] - (uintptr_t)locks) / sizeof locks[0]));
  for (unsigned i = 0; i < naccesses; i++) compare(&accesses[i], true);
}

static void the_locks_of_all_accesses_are_known(void **state) {
  (void)state;
  for (unsigned seed = 1; seed <= 600; seed++) begin = seed / LOCKS % 3, one_run(seed, 1 + seed % LOCKS, STEPS);
}

static void what_is_too_long_ago_is_said_to_be_unknown(void **state) {
  (void)state;
  one_run(7, 3, STEPS);
  struct thread *t = hd_fast.self;
  struct done now = {0};
  for (int i = 0; i < 20000; i++) take_or_give(t, &now, (unsigned)(i / 2 % 2));
  unsigned known = 0;
  for (unsigned i = 0; i < naccesses; i++) {
    struct finding_lock found[LOCKS];
    known += held_then(accesses[i].epoch, accesses[i].site, found, LOCKS).known == LOCKS_ALL;
    compare(&accesses[i], false);
  }
  assert_int_equal(known, 0);
}

static void a_loop_with_one_lock_takes_no_room(void **state) {
  (void)state;
  for (begin = 0; begin < 3; begin++) {
    one_run(9, 3, 400);
    struct thread *t = hd_fast.self;
    struct done now = {0};
    for (int i = 0; i < 1000000; i++) take_or_give(t, &now, 0);
    for (unsigned i = 0; i < naccesses; i++) compare(&accesses[i], true);
  }
}

static void what_ended_an_epoch_is_known(void **state) {
  (void)state;
  struct thread *t = hd_fast.self;
  struct done now = {0};
  struct finding_lock lock;
  begin = 0;
  epoch e = hd_fast.epoch;
  assert_false(held_given(e, &lock));
  take_or_give(t, &now, 2), take_or_give(t, &now, 2);
  assert_true(held_given(e, &lock));
  assert_int_equal(lock.address, (uintptr_t)locks[2]);
  e = hd_fast.epoch;
  thread_tick(t);
  assert_false(held_given(e, &lock));
}

int main(void) {
  shadow_start();
  context_start();
  sync_start();
  threads_start();
  runtime_on = true;
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_locks_of_all_accesses_are_known),
                                     cmocka_unit_test(what_is_too_long_ago_is_said_to_be_unknown),
                                     cmocka_unit_test(a_loop_with_one_lock_takes_no_room), cmocka_unit_test(what_ended_an_epoch_is_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
