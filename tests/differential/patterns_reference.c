#include "patterns_reference.h"

#include <string.h>

#define NONE  UINT32_MAX
#define ASKED 400u /* most choices of one run whose orders are enumerated */

struct chosen {
  const struct property *p;
  const struct property_case *which;
  const struct property_points *all;
  const struct run *r;
  uint32_t points[PROPERTY_ATOMS];
  uint32_t thread[PROPERTY_THREADS];
  uint64_t values[PROPERTY_PARAMETERS];
  uint32_t bound;
};

static const struct event *event_of(const struct chosen *c, uint32_t point) { return &c->r->trace[c->all->points.data[point].position]; }
static bool done(const struct run_state *s, const struct event *e) { return s->position[e->thread] > e->index; }
static bool happened(const struct chosen *c, const struct run_state *s, unsigned atom) { return done(s, event_of(c, c->points[atom])); }

/* The values that all chosen points give, or false if two differ. */
static bool unify(struct chosen *c) {
  c->bound = 0;
  for (unsigned i = 0; i < c->which->natoms; i++) {
    if (c->points[i] == NONE) continue;
    const struct property_point *p = &c->all->points.data[c->points[i]];
    for (int k = 0; k < PROPERTY_PARAMETERS; k++) {
      if (!(p->given >> k & 1)) continue;
      if (c->bound >> k & 1 && c->values[k] != p->values[k]) return false;
      c->bound |= 1u << k, c->values[k] = p->values[k];
    }
  }
  return true;
}

static bool name_threads(struct chosen *c) {
  for (int k = 0; k < PROPERTY_THREADS; k++) c->thread[k] = NONE;
  for (unsigned i = 0; i < c->which->natoms; i++) {
    int name = c->which->atoms[i].thread;
    if (c->points[i] == NONE || name == PROPERTY_NONE) continue;
    uint32_t thread = event_of(c, c->points[i])->thread;
    if (c->thread[name] != NONE && c->thread[name] != thread) return false;
    c->thread[name] = thread;
  }
  for (int k = 0; k < PROPERTY_THREADS; k++)
    for (int j = 0; j < k; j++)
      if (c->thread[k] != NONE && c->thread[k] == c->thread[j]) return false;
  return true;
}

static bool give_same(const struct property_point *a, const struct property_point *b) {
  for (int k = 0; k < PROPERTY_PARAMETERS; k++)
    if (a->given >> k & 1 && b->given >> k & 1 && a->values[k] != b->values[k]) return false;
  return true;
}

/* The end of the region that the point begins: a count of those that begin and end within it, which are not its own. */
static uint32_t end_of(const struct chosen *c, uint32_t begin, uint8_t begins, uint8_t ends) {
  uint32_t taken[RUN_EVENTS] = {0}; /* which points are ends of inner regions */
  const struct property_point *all = c->all->points.data;
  for (uint32_t i = (uint32_t)c->all->points.count; i-- > begin;) {
    if (all[i].what != begins || event_of(c, i)->thread != event_of(c, begin)->thread) continue;
    for (uint32_t k = i + 1; k < c->all->points.count; k++) {
      if (all[k].what != ends || event_of(c, k)->thread != event_of(c, begin)->thread || taken[k] || !give_same(&all[i], &all[k])) continue;
      if (i == begin) return k;
      taken[k] = 1;
      break;
    }
  }
  return NONE;
}

static bool fit_regions(struct chosen *c) {
  for (unsigned i = 0; i < c->which->natoms; i++) {
    const struct property_atom *end = &c->which->atoms[i];
    if (end->ends == PROPERTY_NONE) continue;
    for (unsigned k = 0; k < c->which->natoms; k++) {
      const struct property_atom *begin = &c->which->atoms[k];
      if (begin->begins == end->ends && end_of(c, c->points[k], begin->event, end->event) != c->points[i]) return false;
    }
  }
  return true;
}

static bool distinct(const struct chosen *c) {
  for (unsigned i = 0; i < c->which->natoms; i++)
    for (unsigned k = 0; k < i; k++) {
      if (c->points[i] == NONE || c->points[k] == NONE) continue;
      if (c->points[i] == c->points[k]) return false;
      bool one = event_of(c, c->points[i])->thread == event_of(c, c->points[k])->thread;
      if (one && c->which->atoms[i].parallel >> k & 1) return false;
    }
  return true;
}

/* The event with which the thread goes on from the point. */
static const struct event *goes_on(const struct chosen *c, uint32_t point) {
  const struct event *e = event_of(c, point);
  for (uint32_t i = e->index + 1; i < c->r->length[e->thread]; i++) {
    const struct event *next = &c->r->trace[c->r->by_thread[e->thread][i]];
    if (next->op < EVENT_COUNT) return next;
  }
  for (uint32_t i = 0; i < c->r->n; i++) /* it ends; the trace need not say so */
    if (c->r->trace[i].op == EVENT_JOIN && c->r->trace[i].object == e->thread) return &c->r->trace[i];
  return NULL;
}

static bool is_absent(const struct chosen *c, const struct property_absence *a, uint32_t point) {
  const struct property_point *p = &c->all->points.data[point];
  if (p->what != a->event || point == c->points[a->atom]) return false;
  if (a->thread != PROPERTY_NONE && c->thread[a->thread] != NONE && event_of(c, point)->thread != c->thread[a->thread]) return false;
  for (int k = 0; k < PROPERTY_PARAMETERS; k++)
    if (p->given >> k & 1 && c->bound >> k & 1 && p->values[k] != c->values[k]) return false;
  return true;
}

static bool had(const struct chosen *c) {
  for (unsigned i = 0; i < c->which->nabsences; i++) {
    bool any = !c->which->absences[i].had;
    for (uint32_t k = 0; k < c->all->points.count; k++) any |= is_absent(c, &c->which->absences[i], k);
    if (!any) return false;
  }
  return true;
}

static bool may_as_atom(const struct chosen *c, const struct run_state *s, const struct event *e, unsigned i) {
  const struct property_atom *atom = &c->which->atoms[i];
  if (c->points[i] == NONE) return true;
  const struct event *mine = event_of(c, c->points[i]);
  for (unsigned k = 0; k < c->which->natoms; k++) {
    if (e == mine && atom->before >> k & 1 && !happened(c, s, k)) return false;
    if (atom->parallel >> k & 1 && e == goes_on(c, c->points[i]) && !happened(c, s, k)) return false;
  }
  return e != mine || atom->maybe || !c->all->points.data[c->points[i]].exact || !run_changed(c->r, s, e->thread);
}

static bool may(const void *data, const struct run_state *s, const struct event *e) {
  const struct chosen *c = data;
  for (unsigned i = 0; i < c->which->natoms; i++)
    if (!may_as_atom(c, s, e, i)) return false;
  for (unsigned i = 0; i < c->which->nabsences && e->op == RECORDED_POINT; i++) {
    const struct property_absence *a = &c->which->absences[i];
    if (!is_absent(c, a, (uint32_t)e->value) || happened(c, s, a->atom)) continue;
    bool since = true;
    for (unsigned k = 0; k < c->which->natoms; k++)
      if (a->since >> k & 1) since &= happened(c, s, k) && c->points[k] != e->value;
    if (since) return false;
  }
  return true;
}

static bool is_match(const void *data, const struct run_state *s) {
  const struct chosen *c = data;
  for (unsigned i = 0; i < c->which->natoms; i++)
    if (!c->which->atoms[i].maybe && !happened(c, s, i)) return false;
  return true;
}

static void choose(struct pattern_truths *out, struct chosen *c, unsigned i) {
  if (i == c->which->natoms) {
    bool complete = true;
    if (!distinct(c) || !unify(c) || !name_threads(c) || !fit_regions(c) || !had(c)) return;
    if (out->asked++ >= ASKED) out->complete = false;
    if (!out->complete || !truth_reaches(c->r, may, is_match, c, &complete)) return;
    out->complete &= complete;
    struct pattern_truth *t = vec_push(&out->list);
    t->which = (uint32_t)(c->which - c->p->cases.data);
    memcpy(t->points, c->points, sizeof t->points);
    return;
  }
  const struct property_atom *atom = &c->which->atoms[i];
  for (uint32_t k = 0; k < c->all->points.count && out->complete; k++) {
    c->points[i] = k;
    if (c->all->points.data[k].what == atom->event) choose(out, c, i + 1);
  }
  c->points[i] = NONE;
  if (atom->maybe) choose(out, c, i + 1);
}

void patterns_true(struct pattern_truths *out, const struct property *p, const struct property_points *points, const struct run *r) {
  vec_clear(&out->list);
  out->complete = true, out->asked = 0;
  for (size_t i = 0; i < p->cases.count; i++) {
    struct chosen c = {.p = p, .which = &p->cases.data[i], .all = points, .r = r};
    for (unsigned k = 0; k < PROPERTY_ATOMS; k++) c.points[k] = NONE;
    choose(out, &c, 0);
  }
}
