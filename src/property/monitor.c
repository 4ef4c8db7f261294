#include "property/monitor.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"

enum { PENDING = 24, MATCHES_MOST = 4096, NO_THREAD = 255 };

/* An event that may be an absence's: whether it is depends on values that are not known yet. */
struct pending {
  uint8_t absence, given;
  bool late;  /* it came behind the absence's atom: `had` */
  bool named; /* its thread matters, */
  uint8_t thread;
  uint8_t reserved[3];
  uint64_t values[PROPERTY_PARAMETERS];
};

/* What a partial match is known by; padding is zero. */
struct match {
  uint16_t property, which, matched; /* matched: bit set of atoms */
  uint8_t bound, npending;
  uint8_t threads[PROPERTY_ATOMS]; /* of the matched atoms */
  uint8_t depth[PROPERTY_REGIONS]; /* of a region that has begun: further ones within it */
  uint8_t given[PROPERTY_REGIONS]; /* likewise: parameters that its beginning gave */
  uint32_t reserved;
  uint64_t values[PROPERTY_PARAMETERS];
  struct pending pending[PENDING];
};
_Static_assert(sizeof(struct pending) == 8 + 8 * PROPERTY_PARAMETERS && PROPERTY_PARAMETERS == 8, "no padding; bits of a byte");
_Static_assert(sizeof(struct match) == 40 + 8 * PROPERTY_PARAMETERS + PENDING * sizeof(struct pending), "no padding");

struct partial {
  struct match m;
  uint32_t from[PROPERTY_ATOMS]; /* which events; not part of what it is known by */
};

struct partials {
  VEC(struct partial) list;
  bool lost;
};

/* Where a state's matches are: [first, first + bytes) of `content`. */
struct interned {
  size_t first, bytes;
};

struct monitor {
  const struct properties *properties;
  struct hashmap numbers; /* of states -> index */
  VEC(struct interned) states;
  VEC(char) content;
};

/* An event of one property, with values of its parameters. */
struct point {
  uint16_t property;
  uint8_t what, given, thread;
  uint32_t index;
  uint64_t values[PROPERTY_PARAMETERS];
};

static const struct property *property_of(const struct monitor *m, const struct match *x) { return &m->properties->list.data[x->property]; }
static const struct property_case *case_of(const struct monitor *m, const struct match *x) {
  return &property_of(m, x)->cases.data[x->which];
}

/* --- events of properties --- */

static bool bind(struct point *p, const struct property_value *v, uint64_t value) {
  if (v->kind == PROPERTY_NUMBER) return v->number == value;
  if (v->kind == PROPERTY_ANY) return true;
  if (p->given >> v->parameter & 1) return p->values[v->parameter] == value;
  p->given |= (uint8_t)(1u << v->parameter);
  p->values[v->parameter] = value;
  return true;
}

static bool is_name(const struct property_text *t, const char *name) {
  return strlen(name) == t->length && memcmp(name, t->at, t->length) == 0;
}

static bool happens_by(const struct property_source *s, const struct monitor_event *e, struct point *p) {
  if (s->what != e->what || s->after != e->after) return false;
  if (s->what == PROPERTY_ACQUIRE || s->what == PROPERTY_RELEASE) return bind(p, &s->object, e->arguments[0]);
  if (!is_name(&s->name, e->name)) return false;
  for (unsigned i = 0; i < s->narguments; i++)
    if (s->arguments[i].kind != PROPERTY_ANY && (i >= e->n || !bind(p, &s->arguments[i], e->arguments[i]))) return false;
  return !s->after || s->result.kind == PROPERTY_ANY || (e->has_result && bind(p, &s->result, e->result));
}

/* Is it that event of the property? */
static bool happens(const struct property *property, uint8_t what, const struct monitor_event *e, struct point *p) {
  const struct property_event *event = &property->events.data[what];
  for (uint32_t k = event->first; k < event->first + event->count; k++) {
    struct point point = {.property = p->property, .what = what, .thread = (uint8_t)e->thread, .index = p->index};
    if (!happens_by(&property->sources.data[k], e, &point)) continue;
    *p = point;
    return true;
  }
  return false;
}

bool monitor_gives(const struct property *p, uint8_t what, const struct monitor_event *e, struct monitor_values *out) {
  struct point point = {0};
  if (!happens(p, what, e, &point)) return false;
  out->given = point.given;
  memcpy(out->values, point.values, sizeof out->values);
  return true;
}

static bool any_event(const struct monitor *m, const struct monitor_event *e, bool parallel) {
  for (size_t i = 0; i < m->properties->list.count; i++) {
    const struct property *p = &m->properties->list.data[i];
    for (size_t k = 0; k < p->events.count; k++) {
      struct point point = {0};
      bool stands = !parallel;
      if (!happens(p, (uint8_t)k, e, &point)) continue;
      for (size_t c = 0; c < p->cases.count && !stands; c++)
        for (unsigned a = 0; a < p->cases.data[c].natoms; a++)
          stands |= p->cases.data[c].atoms[a].event == k && p->cases.data[c].atoms[a].parallel;
      if (stands) return true;
    }
  }
  return false;
}
bool monitor_concerns(const struct monitor *m, const struct monitor_event *e) { return any_event(m, e, false); }
bool monitor_stands(const struct monitor *m, const struct monitor_event *e) { return any_event(m, e, true); }

/* --- partial matches --- */

static bool has(const struct match *x, unsigned atom) { return x->matched >> atom & 1; }

/* The thread that a name stands for, as far as it is known. */
static uint32_t named(const struct property_case *c, const struct match *x, int name) {
  for (unsigned i = 0; i < c->natoms; i++)
    if (has(x, i) && c->atoms[i].thread == name) return x->threads[i];
  return UINT32_MAX;
}

static bool agrees(const struct match *x, uint8_t given, const uint64_t *values) {
  for (unsigned k = 0; k < PROPERTY_PARAMETERS; k++)
    if (x->bound & given & 1u << k && x->values[k] != values[k]) return false;
  return true;
}

static bool fits_thread(const struct property_case *c, const struct match *x, unsigned atom, uint8_t thread) {
  const struct property_atom *a = &c->atoms[atom];
  for (unsigned i = 0; i < c->natoms; i++) {
    if (!has(x, i)) continue;
    if (a->parallel >> i & 1 && x->threads[i] == thread) return false;
    if (a->thread != PROPERTY_NONE && c->atoms[i].thread != PROPERTY_NONE && (c->atoms[i].thread == a->thread) != (x->threads[i] == thread))
      return false;
  }
  return true;
}

static bool fits(const struct property_case *c, const struct match *x, unsigned atom, const struct point *p) {
  return !has(x, atom) && c->atoms[atom].event == p->what && (c->atoms[atom].before & ~x->matched) == 0 && agrees(x, p->given, p->values) &&
         fits_thread(c, x, atom, p->thread);
}

enum answer { NO, YES, OPEN };

/* Is it, as far as is known, an event of that absence? */
static enum answer is_absent(const struct property_case *c, const struct match *x, const struct pending *e) {
  uint32_t thread = e->named ? named(c, x, c->absences[e->absence].thread) : e->thread;
  if (thread != UINT32_MAX && thread != e->thread) return NO;
  if (!agrees(x, e->given, e->values)) return NO;
  return thread == UINT32_MAX || (e->given & ~x->bound) ? OPEN : YES;
}

static bool wait_for(struct match *x, const struct pending *e) {
  for (unsigned i = 0; i < x->npending; i++)
    if (memcmp(&x->pending[i], e, sizeof *e) == 0) return true;
  if (x->npending == PENDING) return false;
  unsigned at = x->npending++;
  while (at > 0 && memcmp(&x->pending[at - 1], e, sizeof *e) > 0) x->pending[at] = x->pending[at - 1], at--;
  x->pending[at] = *e;
  return true;
}

/* The point as an event of absences, `taken` being what it is in the match (or none). False: there was to be none. */
static bool passes_absences(const struct property_case *c, struct match *x, const struct match *before, const struct point *p, int taken,
                            bool *lost) {
  for (unsigned i = 0; i < c->nabsences; i++) {
    const struct property_absence *a = &c->absences[i];
    bool over = has(before, a->atom);
    if (a->event != p->what || a->atom == taken || (a->since & ~before->matched) || (over && !a->had)) continue;
    struct pending e = {.absence = (uint8_t)i, .given = p->given, .late = over, .named = a->thread != PROPERTY_NONE, .thread = p->thread};
    memcpy(e.values, p->values, sizeof e.values);
    enum answer is = is_absent(c, x, &e);
    if (is == YES && !over) return false;
    if (is != NO) *lost |= !wait_for(x, &e);
  }
  return true;
}

/* More values are known: which of the open events are absences? False: one is. */
static bool settle(const struct property_case *c, struct match *x) {
  unsigned n = 0;
  for (unsigned i = 0; i < x->npending; i++) {
    enum answer is = is_absent(c, x, &x->pending[i]);
    if (is == YES && !x->pending[i].late) return false;
    if (is != NO) x->pending[n++] = x->pending[i];
  }
  memset(&x->pending[n], 0, (x->npending - n) * sizeof x->pending[0]);
  x->npending = (uint8_t)n;
  return true;
}

/* Values that are not known in the end stand for any. */
static bool is_whole(const struct property_case *c, const struct match *x) {
  for (unsigned i = 0; i < c->natoms; i++)
    if (!c->atoms[i].maybe && !has(x, i)) return false;
  uint32_t late = 0;
  for (unsigned i = 0; i < x->npending; i++) {
    if (!x->pending[i].late) return false;
    late |= 1u << x->pending[i].absence;
  }
  for (unsigned i = 0; i < c->nabsences; i++)
    if (c->absences[i].had && !(late >> i & 1)) return false;
  return true;
}

/* --- regions --- */

enum within { ELSEWHERE, INSIDE, ENDS };

/* What the point is to the region that atom `begin` has begun and atom `end` ends. */
static enum within in_region(const struct property_case *c, struct match *x, unsigned begin, unsigned end, const struct point *e) {
  uint8_t *depth = &x->depth[c->atoms[begin].begins];
  uint8_t given = x->given[c->atoms[begin].begins] & e->given;
  if (!has(x, begin) || has(x, end) || x->threads[begin] != e->thread || !agrees(x, given, e->values)) return ELSEWHERE;
  bool begins = e->what == c->atoms[begin].event, ends = e->what == c->atoms[end].event;
  if (begins && !ends && *depth < UINT8_MAX) ++*depth;
  if (!ends) return INSIDE;
  return (*depth)-- ? INSIDE : ENDS;
}

/* The atom that the point must be because it ends its region; PROPERTY_NONE: it ends none. */
static int ended_by(const struct monitor *m, struct match *x, const struct point *e) {
  const struct property_case *c = case_of(m, x);
  int ended = PROPERTY_NONE;
  for (unsigned end = 0; end < c->natoms; end++)
    for (unsigned begin = 0; begin < c->natoms; begin++)
      if (c->atoms[end].ends != PROPERTY_NONE && c->atoms[begin].begins == c->atoms[end].ends && in_region(c, x, begin, end, e) == ENDS)
        ended = (int)end, x->depth[c->atoms[begin].begins] = 0;
  return ended;
}

/* --- steps --- */

static bool same(const struct match *a, const struct match *b) { return memcmp(a, b, sizeof *a) == 0; }

static void keep(struct partials *to, const struct partial *x) {
  for (size_t i = 0; i < to->list.count; i++)
    if (same(&to->list.data[i].m, &x->m)) return;
  if (to->list.count < MATCHES_MOST)
    *vec_push(&to->list) = *x;
  else
    to->lost = true;
}

static bool take(const struct property_case *c, struct partial *to, unsigned atom, const struct point *p) {
  struct match *x = &to->m;
  x->matched |= (uint16_t)(1u << atom);
  x->threads[atom] = p->thread;
  to->from[atom] = p->index;
  for (unsigned k = 0; k < PROPERTY_PARAMETERS; k++)
    if (p->given >> k & 1) x->values[k] = p->values[k];
  x->bound |= p->given;
  if (c->atoms[atom].begins != PROPERTY_NONE) x->given[c->atoms[atom].begins] = p->given;
  return settle(c, x);
}

/* One partial match behind the point, in all ways. Returns whether one of them is whole, which is *whole then. */
static bool advance(const struct monitor *m, struct partials *to, const struct partial *from, const struct point *p,
                    struct partial *whole) {
  struct partial stays = *from;
  const struct property_case *c = case_of(m, &from->m);
  int ended = ended_by(m, &stays.m, p);
  bool found = false;
  for (unsigned i = 0; i < c->natoms; i++) {
    struct partial next = stays;
    if ((ended != PROPERTY_NONE && ended != (int)i) || (ended == PROPERTY_NONE && c->atoms[i].ends != PROPERTY_NONE)) continue;
    if (!fits(c, &stays.m, i, p)) continue;
    if (!take(c, &next, i, p) || !passes_absences(c, &next.m, &stays.m, p, (int)i, &to->lost)) continue;
    keep(to, &next);
    if (is_whole(c, &next.m)) *whole = next, found = true;
  }
  if (ended != PROPERTY_NONE) return found;
  if (!passes_absences(c, &stays.m, &from->m, p, PROPERTY_NONE, &to->lost)) return found;
  keep(to, &stays);
  if (is_whole(c, &stays.m)) *whole = stays, found = true;
  return found;
}

static void swap(struct partials *a, struct partials *b) {
  struct partials was = *a;
  *a = *b, *b = was;
  vec_clear(&b->list);
  a->lost |= b->lost;
}

/* The set behind the event; true: a property is violated, by *whole. */
static bool step(const struct monitor *m, struct partials *set, const struct monitor_event *e, uint32_t index, struct partial *whole) {
  struct partials next = {0};
  bool found = false;
  for (size_t k = 0; k < m->properties->list.count; k++) {
    const struct property *property = &m->properties->list.data[k];
    for (size_t what = 0; what < property->events.count; what++) {
      struct point p = {.property = (uint16_t)k, .index = index};
      if (!happens(property, (uint8_t)what, e, &p)) continue;
      for (size_t i = 0; i < set->list.count; i++) {
        const struct partial *x = &set->list.data[i];
        if (x->m.property != k)
          *vec_push(&next.list) = *x;
        else
          found |= advance(m, &next, x, &p, whole);
      }
      swap(set, &next);
    }
  }
  vec_release(&next.list);
  return found;
}

/* What stood at one moment with something that has not happened, is over. */
static void leave(const struct monitor *m, struct partials *set, uint32_t thread) {
  size_t n = 0;
  for (size_t i = 0; i < set->list.count; i++) {
    const struct match *x = &set->list.data[i].m;
    const struct property_case *c = case_of(m, x);
    bool over = false;
    for (unsigned a = 0; a < c->natoms; a++) over |= has(x, a) && x->threads[a] == thread && (c->atoms[a].parallel & ~x->matched);
    if (!over) set->list.data[n++] = set->list.data[i];
  }
  set->list.count = n;
}

static void begin(const struct monitor *m, struct partials *set) {
  for (size_t k = 0; k < m->properties->list.count; k++)
    for (size_t i = 0; i < m->properties->list.data[k].cases.count; i++)
      *vec_push(&set->list) = (struct partial){.m = {.property = (uint16_t)k, .which = (uint16_t)i}};
}

/* --- states --- */

static size_t size_of(const struct match *x) { return offsetof(struct match, pending) + x->npending * sizeof x->pending[0]; }

static bool load(const struct monitor *m, uint64_t state, struct partials *set) {
  const uint64_t *at = hashmap_find(&m->numbers, state);
  if (!at) return false;
  const struct interned *s = &m->states.data[*at];
  for (size_t i = 0; i < s->bytes;) {
    struct partial *x = vec_push(&set->list);
    *x = (struct partial){0};
    memcpy(&x->m, m->content.data + s->first + i, offsetof(struct match, pending));
    memcpy(x->m.pending, m->content.data + s->first + i + offsetof(struct match, pending), x->m.npending * sizeof x->m.pending[0]);
    i += size_of(&x->m);
  }
  return true;
}

static int compare(const void *a, const void *b) {
  return memcmp(&((const struct partial *)a)->m, &((const struct partial *)b)->m, sizeof(struct match));
}

/* Appends the matches in one order, so that equal sets have equal bytes. */
static void append(struct monitor *m, struct partials *set) {
  if (set->list.count > 1) qsort(set->list.data, set->list.count, sizeof set->list.data[0], compare);
  for (size_t i = 0; i < set->list.count; i++) {
    size_t n = size_of(&set->list.data[i].m);
    memcpy(vec_push_n(&m->content, n), &set->list.data[i].m, n);
  }
}

static uint64_t store(struct monitor *m, struct partials *set) {
  if (set->lost) return MONITOR_LOST;
  size_t first = m->content.count;
  append(m, set);
  size_t n = m->content.count - first;
  uint64_t number = hash_bytes(n ? m->content.data + first : NULL, n, 0) | 2;
  if (m->states.count > 0 && m->states.data[0].bytes == n && (!n || memcmp(m->content.data, m->content.data + first, n) == 0)) number = 0;
  bool is_new;
  hashmap_at(&m->numbers, number, m->states.count, &is_new);
  if (is_new)
    *vec_push(&m->states) = (struct interned){first, n};
  else
    m->content.count = first;
  return number;
}

struct monitor *monitor_new(const struct properties *p) {
  struct monitor *m = mem_alloc(sizeof *m);
  struct partials set = {0};
  *m = (struct monitor){.properties = p};
  begin(m, &set);
  append(m, &set);
  hashmap_at(&m->numbers, 0, 0, NULL);
  *vec_push(&m->states) = (struct interned){0, m->content.count};
  vec_release(&set.list);
  return m;
}

void monitor_free(struct monitor *m) {
  if (!m) return;
  hashmap_release(&m->numbers);
  vec_release(&m->states);
  vec_release(&m->content);
  mem_free(m, sizeof *m);
}

uint64_t monitor_next(struct monitor *m, uint64_t state, const struct monitor_event *e, const struct property **violated) {
  struct partials set = {0};
  struct partial whole;
  uint64_t next = MONITOR_LOST;
  if (violated) *violated = NULL;
  if (load(m, state, &set)) {
    if (step(m, &set, e, 0, &whole) && violated) *violated = property_of(m, &whole.m);
    next = store(m, &set);
  }
  vec_release(&set.list);
  return next;
}

uint64_t monitor_leaves(struct monitor *m, uint64_t state, uint32_t thread) {
  struct partials set = {0};
  uint64_t next = MONITOR_LOST;
  if (load(m, state, &set)) {
    leave(m, &set, thread);
    next = store(m, &set);
  }
  vec_release(&set.list);
  return next;
}

uint32_t monitor_explain(const struct monitor *m, const struct monitor_event *events, uint32_t n,
                         struct monitor_part parts[PROPERTY_ATOMS]) {
  struct partials set = {0};
  struct partial whole;
  uint32_t count = 0;
  bool found = false;
  begin(m, &set);
  for (uint32_t i = 0; i < n; i++) {
    if (events[i].what == MONITOR_LEAVES)
      leave(m, &set, events[i].thread);
    else
      found = step(m, &set, &events[i], i, &whole);
  }
  const struct property_case *c = found ? case_of(m, &whole.m) : NULL;
  for (unsigned a = 0; c && a < c->natoms; a++)
    if (has(&whole.m, a) && !c->atoms[a].maybe)
      parts[count++] = (struct monitor_part){whole.from[a], property_of(m, &whole.m)->events.data[c->atoms[a].event].name};
  vec_release(&set.list);
  return count;
}
