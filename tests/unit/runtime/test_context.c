/* Numbers of places and contexts: threads ask for the same ones at random, at the same time; each is told the same number, which stands for
 * what was asked for. */
#include "analysis/race.h"
#include "context.h"
#include "thread.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

bool runtime_on;
void race_found(struct thread *t, const struct race *r) { (void)t, (void)r; }

enum { THREADS = 4, CALLS = 40, PLACES = 1500, KEYS = CALLS * PLACES, ROUNDS = 3, RECURSIVE = 7 };

static const enum site_kind kinds[] = {SITE_READ, SITE_WRITE, SITE_ATOMIC_READ, SITE_LOCK};
static uint32_t told[THREADS][KEYS], contexts_told[THREADS][CALLS];

static uint64_t call_of(unsigned call) { return call_what(0x100000 + call * 64); }
/* Few places in most calls, and many in some; many at one instruction, by how many locks were taken, and within actions. */
static uint64_t what_of(unsigned place) {
  uint64_t inside = place % 11 == 0 ? WHAT_INSIDE : 0;
  return site_what(0x200000 + place / 8 * 5, kinds[place % 4], 1u << place % 3, place % 8) | inside;
}
static unsigned places_of(unsigned call) { return call % 10 == 0 ? PLACES : call % 7 + 1; }

static void *ask(void *data) {
  uint32_t me = (uint32_t)(uintptr_t)data, seed = me + 1;
  for (unsigned round = 0; round < ROUNDS; round++)
    for (unsigned i = 0; i < CALLS; i++) {
      unsigned call = (i * 7 + me * 10) % CALLS, many = places_of(call);
      uint32_t context = context_found(CONTEXT_NONE, call_of(call));
      contexts_told[me][call] = context;
      for (unsigned k = 0; k < many; k++) {
        seed = seed * 1664525 + 1013904223;
        unsigned place = round == 0 ? (k + (seed >> 30)) % many : (seed >> 8) % many;
        uint32_t site = context_found(context, what_of(place)), *before = &told[me][call * PLACES + place];
        if (*before && *before != site) abort();
        *before = site;
      }
    }
  return NULL;
}

/* The node says what was asked for. */
static void check_site(uint32_t site, uint64_t what, uint32_t call_site) {
  const struct site *s = context_at(site);
  assert_int_equal(s->pc, (what & ~WHAT_INSIDE) >> WHAT_PC);
  assert_int_equal(s->kind, what >> WHAT_KIND & 15);
  assert_int_equal(s->size, what >> WHAT_SIZE & 255);
  s = context_at(s->parent);
  if (what & 15) {
    assert_int_equal(s->kind, SITE_HELD);
    assert_int_equal(s->pc, what & 15);
    s = context_at(s->parent);
  }
  if (what & WHAT_INSIDE) {
    assert_int_equal(s->kind, SITE_INSIDE);
    s = context_at(s->parent);
  }
  assert_ptr_equal(s, context_at(call_site));
}

static void test_each_place_has_one_number(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, ask, (void *)i), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  uint32_t *whose = calloc(context_count() + 1, sizeof *whose);
  for (unsigned key = 0; key < KEYS; key++) {
    uint32_t site = 0, call = key / PLACES;
    for (int i = 0; i < THREADS; i++) {
      if (!told[i][key]) continue;
      if (site) assert_int_equal(told[i][key], site);
      site = told[i][key];
      assert_int_equal(context_found(contexts_told[i][call], what_of(key % PLACES)), site);
    }
    if (!site) continue;
    assert_int_equal(whose[site], 0);
    whose[site] = key + 1;
    check_site(site, what_of(key % PLACES), contexts[contexts_told[0][call]].site);
  }
  free(whose);
}

static void test_a_call_under_way_leads_back_to_it(void **state) {
  (void)state;
  uint32_t outer = context_found(CONTEXT_NONE, call_of(RECURSIVE)), inner = context_found(outer, call_of(RECURSIVE + 1));
  assert_int_not_equal(outer, inner);
  assert_int_equal(context_found(inner, call_of(RECURSIVE)), outer);
  assert_int_equal(context_found(inner, call_of(RECURSIVE + 1)), inner);
  assert_int_equal(context_at(contexts[inner].site)->parent, contexts[outer].site);
  assert_int_equal(contexts[CONTEXT_NONE].site, SITE_UNKNOWN);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_place_has_one_number),
                                     cmocka_unit_test(test_a_call_under_way_leads_back_to_it)};
  context_start();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
