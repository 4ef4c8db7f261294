/* Random patterns of properties, watched in random orders of events, against their meaning (property/property.h) by brute force: behind
 * which event is the property violated for the first time?
 *
 * usage: monitor [--runs=N] [--seed=N] [--print] */
#include "property/monitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "patterns_generate.h"

enum { EVENTS = 9, POINTS = EVENTS * 3, THREADS = 3, NEVER = 1000, NOBODY = 1000 };

/* What happens: an event, and when its thread goes on, as a position; NEVER. */
struct happening {
  struct monitor_event e;
  unsigned leaves;
};

struct sequence {
  struct happening list[EVENTS];
  unsigned n;
};

static void put_source(struct pattern_maker *m) {
  static const char *const names[] = {"x", "y", "*", "1"}, *const locks[] = {"acquire", "release"};
  uint32_t kind = pattern_pick(m, 6);
  if (kind == 0) {
    text_printf(&m->text, " %s %s %s", pattern_pick(m, 2) ? "after" : "before", locks[pattern_pick(m, 2)], names[pattern_pick(m, 3)]);
  } else if (kind < 3) {
    text_printf(&m->text, " at mark m%u(%s, %s)", pattern_pick(m, 2), names[pattern_pick(m, 4)], names[pattern_pick(m, 4)]);
  } else if (pattern_pick(m, 2)) {
    text_printf(&m->text, " before call f%u(%s)", pattern_pick(m, 2), names[pattern_pick(m, 4)]);
  } else {
    text_printf(&m->text, " after call f%u(%s) returns %s", pattern_pick(m, 2), names[pattern_pick(m, 4)], names[pattern_pick(m, 4)]);
  }
}

static struct monitor_event some_event(struct pattern_maker *m, uint32_t thread) {
  static const char *const marks[] = {"m0", "m1"}, *const functions[] = {"f0", "f1"};
  struct monitor_event e = {.thread = thread, .name = ""};
  uint32_t kind = pattern_pick(m, 6);
  e.arguments[0] = 1 + pattern_pick(m, 2), e.arguments[1] = 1 + pattern_pick(m, 2);
  if (kind == 0) {
    e.what = pattern_pick(m, 2) ? PROPERTY_ACQUIRE : PROPERTY_RELEASE, e.after = pattern_pick(m, 2), e.n = 1;
  } else if (kind < 3) {
    e.what = PROPERTY_MARK, e.name = marks[pattern_pick(m, 2)], e.n = 1 + pattern_pick(m, 2);
  } else {
    e.what = PROPERTY_CALL, e.name = functions[pattern_pick(m, 2)], e.n = 1, e.after = pattern_pick(m, 2);
    e.has_result = e.after, e.result = 1 + pattern_pick(m, 2);
  }
  return e;
}

/* A thread goes on before it comes to its next event; some never do. */
static void make_sequence(struct pattern_maker *m, struct sequence *s) {
  s->n = 3 + pattern_pick(m, EVENTS - 2);
  for (unsigned i = 0; i < s->n; i++) s->list[i] = (struct happening){some_event(m, pattern_pick(m, THREADS)), NEVER};
  for (unsigned i = 0; i < s->n; i++) {
    unsigned next = i + 1;
    while (next < s->n && s->list[next].e.thread != s->list[i].e.thread) next++;
    if (next < s->n || pattern_pick(m, 2)) s->list[i].leaves = i + 1 + pattern_pick(m, next - i);
  }
}

/* --- what it means --- */

struct point {
  unsigned at; /* of the sequence */
  unsigned thread, leaves;
  uint8_t what;
  uint32_t given;
  uint64_t values[PROPERTY_PARAMETERS];
};

struct meaning {
  const struct property *property;
  const struct property_case *c;
  struct point points[POINTS];
  unsigned n;                              /* points of the events so far */
  unsigned ends[PROPERTY_REGIONS][POINTS]; /* of a point that begins the region: the one that ends it; NOBODY */
  unsigned chosen[PROPERTY_ATOMS];         /* NOBODY: an end that has not come */
  unsigned threads[PROPERTY_THREADS];
  uint32_t bound;
  uint64_t values[PROPERTY_PARAMETERS];
};

static bool bind(struct point *p, const struct property_value *v, uint64_t value) {
  if (v->kind == PROPERTY_ANY) return true;
  if (v->kind == PROPERTY_NUMBER) return v->number == value;
  if (p->given >> v->parameter & 1) return p->values[v->parameter] == value;
  p->given |= 1u << v->parameter, p->values[v->parameter] = value;
  return true;
}

static bool by_source(struct point *p, const struct property_source *s, const struct monitor_event *e) {
  if (s->what != e->what || s->after != e->after) return false;
  if (s->what == PROPERTY_ACQUIRE || s->what == PROPERTY_RELEASE) return bind(p, &s->object, e->arguments[0]);
  if (strlen(e->name) != s->name.length || strncmp(e->name, s->name.at, s->name.length) != 0) return false;
  for (unsigned i = 0; i < s->narguments; i++) {
    if (s->arguments[i].kind == PROPERTY_ANY) continue;
    if (i >= e->n || !bind(p, &s->arguments[i], e->arguments[i])) return false;
  }
  return !s->after || bind(p, &s->result, e->result);
}

static void add_points(struct meaning *m, const struct happening *h, unsigned at) {
  for (uint8_t what = 0; what < m->property->events.count; what++) {
    const struct property_event *event = &m->property->events.data[what];
    for (uint32_t k = event->first; k < event->first + event->count; k++) {
      struct point p = {.at = at, .thread = h->e.thread, .leaves = h->leaves, .what = what};
      if (!by_source(&p, &m->property->sources.data[k], &h->e)) continue;
      m->points[m->n++] = p;
      break;
    }
  }
}

static bool same_values(const struct point *a, const struct point *b) {
  for (unsigned k = 0; k < PROPERTY_PARAMETERS; k++)
    if (a->given & b->given & 1u << k && a->values[k] != b->values[k]) return false;
  return true;
}

/* An end belongs to the last beginning in its thread, of such values, that has none. */
static void match_regions(struct meaning *m, unsigned n) {
  for (int region = 0; region < PROPERTY_REGIONS; region++) {
    int begins = -1, ends = -1;
    for (unsigned i = 0; i < m->c->natoms; i++) {
      if (m->c->atoms[i].begins == region) begins = m->c->atoms[i].event;
      if (m->c->atoms[i].ends == region) ends = m->c->atoms[i].event;
    }
    for (unsigned i = 0; i < n; i++) m->ends[region][i] = NOBODY;
    for (unsigned i = 0; i < n; i++)
      for (unsigned k = m->points[i].what == ends ? i : 0; k-- > 0;)
        if (m->points[k].what == begins && m->points[k].thread == m->points[i].thread && m->ends[region][k] == NOBODY &&
            same_values(&m->points[k], &m->points[i])) {
          m->ends[region][k] = i;
          break;
        }
  }
}

static bool agrees(const struct meaning *m, const struct point *p) {
  for (unsigned k = 0; k < PROPERTY_PARAMETERS; k++)
    if (m->bound & p->given & 1u << k && m->values[k] != p->values[k]) return false;
  return true;
}

/* Of the points so far, [0, n): does the choice have all that is asked of orders? */
static bool holds(const struct meaning *m, unsigned n) {
  for (unsigned i = 0; i < m->c->natoms; i++) {
    const struct property_atom *a = &m->c->atoms[i];
    unsigned x = m->chosen[i];
    for (unsigned k = 0; k < m->c->natoms && x != NOBODY; k++) {
      unsigned y = m->chosen[k];
      if (y == NOBODY) continue;
      if (a->before >> k & 1 && y >= x) return false;
      bool left = m->points[x].leaves <= m->points[y].at || m->points[y].leaves <= m->points[x].at;
      if (a->parallel >> k & 1 && (left || m->points[x].thread == m->points[y].thread)) return false;
    }
  }
  for (unsigned i = 0; i < m->c->nabsences; i++) {
    const struct property_absence *a = &m->c->absences[i];
    bool any = false;
    for (unsigned e = 0; e < n; e++) {
      const struct point *p = &m->points[e];
      if (p->what != a->event || !agrees(m, p) || e == m->chosen[a->atom]) continue;
      if (a->thread != PROPERTY_NONE && m->threads[a->thread] != NOBODY && m->threads[a->thread] != p->thread) continue;
      bool between = e < m->chosen[a->atom];
      any = true;
      for (unsigned k = 0; k < m->c->natoms; k++)
        if (a->since >> k & 1) between &= m->chosen[k] < e;
      if (between) return false;
    }
    if (a->had && !any) return false;
  }
  return true;
}

static bool choose(struct meaning *m, unsigned i, unsigned n);

static bool choose_point(struct meaning *m, unsigned i, unsigned at, unsigned n) {
  const struct property_atom *a = &m->c->atoms[i];
  const struct point *p = &m->points[at];
  if (p->what != a->event || !agrees(m, p)) return false;
  for (unsigned k = 0; k < i; k++)
    if (m->chosen[k] == at) return false;
  for (int t = 0; t < PROPERTY_THREADS && a->thread != PROPERTY_NONE; t++)
    if (m->threads[t] != NOBODY && (m->threads[t] == p->thread) != (t == a->thread)) return false;
  struct meaning saved = *m;
  for (unsigned k = 0; k < PROPERTY_PARAMETERS; k++)
    if (p->given >> k & 1) m->values[k] = p->values[k];
  m->bound |= p->given;
  if (a->thread != PROPERTY_NONE) m->threads[a->thread] = p->thread;
  m->chosen[i] = at;
  if (choose(m, i + 1, n)) return true;
  *m = saved;
  return false;
}

static bool choose(struct meaning *m, unsigned i, unsigned n) {
  if (i == m->c->natoms) return holds(m, n);
  const struct property_atom *a = &m->c->atoms[i];
  m->chosen[i] = NOBODY;
  if (a->ends == PROPERTY_NONE) {
    for (unsigned at = 0; at < n; at++)
      if (choose_point(m, i, at, n)) return true;
    return false;
  }
  unsigned end = NOBODY;
  for (unsigned k = 0; k < i; k++)
    if (m->c->atoms[k].begins == a->ends && m->chosen[k] < m->n) end = m->ends[a->ends][m->chosen[k]];
  if (end != NOBODY && end < n) return choose_point(m, i, end, n);
  return a->maybe && choose(m, i + 1, n);
}

/* Behind which event the property is violated first; NEVER. */
static unsigned violated_at(const struct property *property, const struct sequence *s) {
  static struct meaning all;
  all = (struct meaning){.property = property};
  for (unsigned at = 0; at < s->n; at++) {
    add_points(&all, &s->list[at], at);
    for (size_t c = 0; c < property->cases.count; c++) {
      struct meaning m = all;
      m.c = &property->cases.data[c];
      for (unsigned t = 0; t < PROPERTY_THREADS; t++) m.threads[t] = NOBODY;
      for (unsigned i = 0; i < PROPERTY_ATOMS; i++) m.chosen[i] = NOBODY;
      match_regions(&m, m.n);
      if (choose(&m, 0, m.n)) return at;
    }
  }
  return NEVER;
}

/* --- what is watched --- */

static unsigned watched_at(const struct properties *p, const struct sequence *s, bool *lost) {
  struct monitor *m = monitor_new(p);
  uint64_t state = 0;
  unsigned at = NEVER;
  for (unsigned i = 0; i < s->n && at == NEVER && !*lost; i++) {
    const struct property *violated = NULL;
    for (unsigned k = 0; k < i; k++)
      if (s->list[k].leaves == i) state = monitor_leaves(m, state, s->list[k].e.thread);
    state = monitor_next(m, state, &s->list[i].e, &violated);
    *lost = state == MONITOR_LOST;
    if (violated) at = i;
  }
  monitor_free(m);
  return at;
}

static void print(uint64_t seed, const char *text, const struct sequence *s, unsigned expected, unsigned found) {
  static const char *const kinds[] = {"call", "", "", "", "acquire", "release", "mark"};
  printf("seed %llu: violated at %u, watched at %u\n%s", (unsigned long long)seed, expected, found, text);
  for (unsigned i = 0; i < s->n; i++) {
    const struct monitor_event *e = &s->list[i].e;
    printf("%2u thread %u %s %s %s(%llu, %llu of %u) = %llu, until %u\n", i, e->thread, e->after ? "after" : "before", kinds[e->what],
           e->name, (unsigned long long)e->arguments[0], (unsigned long long)e->arguments[1], e->n, (unsigned long long)e->result,
           s->list[i].leaves);
  }
}

int main(int argc, char **argv) {
  uint64_t runs = 20000, seed = 1, violations = 0, lost = 0, wrong = 0;
  bool all = false;
  for (int i = 1; i < argc; i++) {
    const char *value = strchr(argv[i], '=');
    if (value && strncmp(argv[i], "--runs", 6) == 0) runs = strtoull(value + 1, NULL, 10);
    if (value && strncmp(argv[i], "--seed", 6) == 0) seed = strtoull(value + 1, NULL, 10);
    all |= strcmp(argv[i], "--print") == 0;
  }
  for (uint64_t i = seed; i < seed + runs; i++) {
    struct pattern_maker m = {.seed = hash_mix(i)};
    struct properties p = {0};
    struct sequence s;
    bool is_lost = false;
    do pattern_make(&m, put_source, &p);
    while (property_unclear_region(&p.list.data[0])); /* is refused */
    make_sequence(&m, &s);
    unsigned expected = violated_at(&p.list.data[0], &s), found = watched_at(&p, &s, &is_lost);
    violations += expected != NEVER, lost += is_lost;
    bool differs = expected != found && !is_lost;
    wrong += differs;
    if (differs || all) print(i, text_str(&m.text), &s, expected, found);
    properties_release(&p);
    text_release(&m.text);
  }
  printf("%llu sequences: %llu violations, %llu with too many partial matches, %llu wrong\n", (unsigned long long)runs,
         (unsigned long long)violations, (unsigned long long)lost, (unsigned long long)wrong);
  return wrong || lost * 20 > runs || violations == 0;
}
