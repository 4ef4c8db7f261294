/* The partial order against the closure of its edges by Floyd and Warshall. */
#include "order/porder.h"

/* cmocka wants these first */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "problem.h"

#define EVENTS 40u
#define EDGES  120u

struct model {
  struct porder p;
  struct rng rng;
  uint32_t chain[EVENTS], events, edges;
  struct {
    uint32_t a, b;
  } edge[EDGES];
  struct {
    struct porder_mark mark;
    uint32_t edges;
  } marks[16];
  uint32_t depth;
  bool reach[EVENTS][EVENTS];
};

/* The closure of the chains and of those edges that are in `used` (all if NULL). */
static void close_over(struct model *m, const bool *used) {
  memset(m->reach, 0, sizeof m->reach);
  for (uint32_t a = 0; a < m->events; a++) {
    for (uint32_t b = a; b < m->events; b++) m->reach[a][b] = m->chain[a] == m->chain[b];
  }
  for (uint32_t i = 0; i < m->edges; i++) m->reach[m->edge[i].a][m->edge[i].b] |= !used || used[i];
  for (uint32_t k = 0; k < m->events; k++) {
    for (uint32_t a = 0; a < m->events; a++) {
      for (uint32_t b = 0; b < m->events; b++) m->reach[a][b] |= m->reach[a][k] && m->reach[k][b];
    }
  }
}

static void compare(struct model *m) {
  close_over(m, NULL);
  for (uint32_t a = 0; a < m->events; a++) {
    for (uint32_t b = 0; b < m->events; b++) assert_int_equal(porder_before(&m->p, a, b), m->reach[a][b]);
  }
}

struct labels {
  bool used[EDGES];
  uint32_t count;
};

static void take(void *to, uint32_t label) {
  struct labels *l = to;
  l->used[label] = true;
  l->count++;
}

/* Some pair's explanation is enough for it, and names no edge twice. */
static void explain_one(struct model *m) {
  uint32_t a = rng_below(&m->rng, m->events), b = rng_below(&m->rng, m->events);
  struct labels l = {0};
  if (!porder_before(&m->p, a, b)) return;
  porder_explain(&m->p, a, b, take, &l);
  close_over(m, l.used);
  assert_true(m->reach[a][b]);
  uint32_t distinct = 0;
  for (uint32_t i = 0; i < m->edges; i++) distinct += l.used[i];
  assert_int_equal(distinct, l.count);
}

static void step(struct model *m) {
  uint32_t a = rng_below(&m->rng, m->events), b = rng_below(&m->rng, m->events);
  switch (rng_below(&m->rng, 8)) {
    case 0:
      if (m->depth == 16) break;
      m->marks[m->depth].mark = porder_mark(&m->p);
      m->marks[m->depth++].edges = m->edges;
      break;
    case 1:
      if (!m->depth) break;
      porder_undo(&m->p, m->marks[--m->depth].mark);
      m->edges = m->marks[m->depth].edges;
      break;
    default:
      if (porder_before(&m->p, a, b) || porder_before(&m->p, b, a) || m->edges == EDGES) break;
      porder_add(&m->p, a, b, m->edges);
      m->edge[m->edges].a = a, m->edge[m->edges++].b = b;
  }
}

static void it_knows_what_follows_and_why(void **state) {
  (void)state;
  static struct model m;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    struct porder kept = m.p;
    m = (struct model){.p = kept, .rng = {seed * 0x9e3779b97f4a7c15u}};
    uint32_t chains = 1 + rng_below(&m.rng, 20);
    porder_clear(&m.p, chains);
    for (uint32_t n = 5 + rng_below(&m.rng, EVENTS - 5); m.events < n; m.events++) {
      m.chain[m.events] = rng_below(&m.rng, chains);
      assert_int_equal(porder_event(&m.p, m.chain[m.events]), m.events);
    }
    for (uint32_t i = 0; i < 80; i++) {
      step(&m);
      if (i % 8 == 0) compare(&m), explain_one(&m);
    }
  }
  porder_release(&m.p);
  assert_int_equal(mem_live(), 0);
}

static void the_latest_by_number_is_found(void **state) {
  (void)state;
  struct porder p = {0};
  porder_clear(&p, 3);
  for (uint32_t i = 0; i < 9; i++) (void)porder_event(&p, i % 3);
  for (uint32_t i = 0; i < 9; i++) assert_int_equal(porder_latest(&p, i), i);
  porder_add(&p, 7, 2, 0); /* 7 of chain 1 before 2 of chain 2 */
  porder_add(&p, 5, 3, 1); /* so 3 comes after 7, too */
  assert_int_equal(porder_latest(&p, 2), 7);
  assert_int_equal(porder_latest(&p, 3), 7);
  assert_int_equal(porder_latest(&p, 0), 0);
  assert_int_equal(porder_latest(&p, 6), 7);
  assert_int_equal(porder_latest(&p, 8), 8);
  porder_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_knows_what_follows_and_why),
      cmocka_unit_test(the_latest_by_number_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
