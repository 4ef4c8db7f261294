/* Puts findings in an order that does not depend on who found what first, and those together that are one defect (defect.h). */
#include <stdlib.h>

#include "explore/session.h"

/* Of a race, it is a matter of the execution which access comes first. */
static uint32_t place_of(const struct finding *f, size_t i) {
  uint32_t site = f->sites.data[i].site, other = f->sites.data[f->sites.count - 1 - i].site;
  if (f->kind != FINDING_DATA_RACE || f->sites.count != 2) return site;
  return (site < other) == (i == 0) ? site : other;
}

static int by_place(const void *a, const void *b) {
  const struct explore_finding *x = a, *y = b;
  if (x->finding.kind != y->finding.kind) return x->finding.kind < y->finding.kind ? -1 : 1;
  for (size_t i = 0; i < x->finding.sites.count && i < y->finding.sites.count; i++) {
    uint32_t m = place_of(&x->finding, i), n = place_of(&y->finding, i);
    if (m != n) return m < n ? -1 : 1;
  }
  return x->key < y->key ? -1 : x->key > y->key;
}

/* A forest: each finding has one above it in the same defect, or itself. */
struct forest {
  uint32_t *above;
};

static uint32_t root_of(struct forest *f, uint32_t i) {
  while (f->above[i] != i) i = f->above[i] = f->above[f->above[i]];
  return i;
}

/* The earlier one stays the root. */
static void join(struct forest *f, uint32_t i, uint32_t j) {
  i = root_of(f, i), j = root_of(f, j);
  if (i < j) f->above[j] = i;
  if (j < i) f->above[i] = j;
}

/* A block that only some executions leak, and for which threads race: the race is why. */
static void join_leaks(struct session *s, struct forest *forest) {
  const struct explore_result *r = s->result;
  struct hashmap raced = {0};
  for (uint32_t i = 0; i < r->findings.count; i++) {
    const struct explore_finding *f = &r->findings.data[i];
    if (f->finding.kind == FINDING_DATA_RACE && f->links.block) hashmap_at(&raced, f->links.block, i, NULL);
  }
  for (uint32_t i = 0; s->ended_well && i < r->findings.count; i++) {
    const struct explore_finding *f = &r->findings.data[i];
    uint64_t *race = f->finding.kind == FINDING_LEAK && f->links.block ? hashmap_find(&raced, f->links.block) : NULL;
    if (race) join(forest, (uint32_t)*race, i);
  }
  hashmap_release(&raced);
}

static void join_linked(struct session *s, struct forest *forest) {
  const struct explore_result *r = s->result;
  struct hashmap first = {0};
  for (uint32_t i = 0; i < r->findings.count; i++) {
    const struct defect_links *d = &r->findings.data[i].links;
    for (uint32_t k = 0; k < d->count; k++) join(forest, (uint32_t)*hashmap_at(&first, d->links[k], i, NULL), i);
  }
  hashmap_release(&first);
}

/* What stands for a defect: it has a schedule, and says most, in this order: what went wrong (a use of freed memory; a lost wake-up, which
 * tells who signalled); a race, which only says that there was no order; a deadlock, which says who waits, and a leak. */
static unsigned rank(const struct explore_finding *f) {
  bool last = f->finding.kind == FINDING_LEAK || f->finding.kind == FINDING_DEADLOCK;
  unsigned order = last ? 2 : f->finding.kind == FINDING_DATA_RACE;
  return 4u * f->stood_for + order;
}

static int by_defect(const void *a, const void *b) {
  const struct explore_finding *x = a, *y = b;
  if (x->defect != y->defect) return x->defect < y->defect ? -1 : 1;
  if (rank(x) != rank(y)) return rank(x) < rank(y) ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* Numbers the defects in the order of their first findings. */
static uint32_t number_defects(struct session *s, struct forest *forest) {
  struct explore_result *r = s->result;
  uint32_t defects = 0;
  for (uint32_t i = 0; i < r->findings.count; i++) {
    uint32_t root = root_of(forest, i);
    r->findings.data[i].defect = root == i ? defects++ : r->findings.data[root].defect;
    r->findings.data[i].place = i;
  }
  return defects;
}

void group_findings(struct session *s) {
  struct explore_result *r = s->result;
  const struct strategy_type *type = s->options->strategy;
  size_t n = r->findings.count;
  if (n == 0) return;
  bool by_chance = type->in_parts || type->in_common || type->in_blocks || type->prefixes || s->options == &s->sweep;
  if (by_chance) qsort(r->findings.data, n, sizeof *r->findings.data, by_place);
  struct forest forest = {.above = mem_alloc(n * sizeof *forest.above)};
  for (uint32_t i = 0; i < n; i++) forest.above[i] = i;
  join_linked(s, &forest);
  join_leaks(s, &forest);
  uint32_t defects = number_defects(s, &forest);
  mem_free(forest.above, n * sizeof *forest.above);
  qsort(r->findings.data, n, sizeof *r->findings.data, by_defect);
  while (s->options->findings && defects > s->options->findings && vec_last(&r->findings).defect >= s->options->findings)
    explore_finding_release(&r->findings.data[--r->findings.count]);
}
