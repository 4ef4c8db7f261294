/* Vector clocks against plain arrays: random sets and joins, of ever other lengths, in both orders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "clock.h"

enum { SLOTS_USED = 70, STEPS = 200000 };

struct plain {
  uint32_t n, at[SLOTS_USED];
};
static uint64_t random_state = 11;

static unsigned pick(unsigned n) {
  random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
  return (unsigned)(random_state >> 33) % n;
}

static void plain_set(struct plain *p, const uint32_t *at, uint32_t n) {
  *p = (struct plain){.n = n};
  memcpy(p->at, at, n * sizeof at[0]);
}
static void plain_join(struct plain *p, const uint32_t *at, uint32_t n) {
  if (n > p->n) p->n = n;
  for (uint32_t i = 0; i < n; i++)
    if (at[i] > p->at[i]) p->at[i] = at[i];
}

static void compare(const struct vclock *c, const struct plain *p) {
  assert_int_equal(c ? c->n : 0, p->n);
  for (uint32_t i = 0; c && i < c->cap; i++) assert_int_equal(c->at[i], i < p->n ? p->at[i] : 0);
}

static void sets_and_joins_are_those_of_arrays(void **state) {
  (void)state;
  struct vclock *c = NULL;
  struct plain strong = {0}, weak = {0};
  for (unsigned step = 0; step < STEPS; step++) {
    _Alignas(16) uint32_t at[SLOTS_USED + CLOCKS_STEP] = {0};
    uint32_t n = pick(pick(20) ? 9 : SLOTS_USED) + 1;
    for (uint32_t i = 0; i < n; i++) at[i] = pick(1u << CLOCK_BITS);
    switch (pick(pick(200) ? 4 : 6)) {
      case 0:
        vclock_join(&c, at, n), plain_join(&strong, at, n);
        break;
      case 1:
        vclock_join_weak(&c, at, n), plain_join(&weak, at, n);
        break;
      case 2:
        vclock_set(&c, at, n, step), plain_set(&strong, at, n);
        break;
      case 3:
        vclock_set_weak(&c, at, n, step), plain_set(&weak, at, n);
        break;
      case 4:
        if (c) vclock_clear(c), strong = (struct plain){0};
        break;
      case 5:
        vclock_free(c), c = NULL, strong = weak = (struct plain){0};
        break;
    }
    compare(c, &strong);
    compare(vclock_weak(c), &weak);
  }
  vclock_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sets_and_joins_are_those_of_arrays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
