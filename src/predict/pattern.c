#include "predict/pattern.h"

#include <string.h>

#include "base/hash.h"
#include "base/vec.h"

#define NONE  UINT32_MAX
#define FOUND UINT64_MAX

struct pattern_memory {
  struct hashmap tries; /* by property, case and places: how often it was asked for; FOUND */
};

struct pattern_memory *pattern_memory_new(void) {
  struct pattern_memory *m = mem_alloc(sizeof *m);
  *m = (struct pattern_memory){0};
  return m;
}
void pattern_memory_free(struct pattern_memory *m) {
  if (!m) return;
  hashmap_release(&m->tries);
  mem_free(m, sizeof *m);
}

/* Points of one event of the property, by a parameter's value if that is known. */
struct chain {
  uint32_t first, last;
};

struct choice {
  const struct pattern_search *s;
  struct pattern_memory *memory;
  struct pattern_counts *counts;
  const struct property_case *which;
  struct hashmap chains; /* of (event, parameter, value), and (event): index + 1 into `heads` */
  VEC(struct chain) heads;
  VEC(uint32_t) links;                  /* [n][PROPERTY_PARAMETERS + 1]: the next point of the same chain */
  VEC(uint32_t) ends[PROPERTY_REGIONS]; /* of each point that begins the region: the point that ends it, or NONE */
  struct pattern_match match;
  uint32_t threads[PROPERTY_THREADS];
  uint32_t behind[PROPERTY_ABSENCES]; /* points that have to happen behind the match; NONE */
  uint64_t looks;                     /* that are left */
  bool over;
  VEC(struct causal_pair) pairs;
  VEC(uint32_t) starts;
};

static const struct pattern_point *point(const struct choice *c, uint32_t i) { return &c->s->points[i]; }

/* --- points by event and parameter --- */

static uint64_t chain_key(bool past, uint8_t what, unsigned parameter, uint64_t value) {
  return hash_pair(value, (uint64_t)past << 16 | (uint64_t)what << 8 | parameter);
}

static void chain_add(struct choice *c, uint64_t key, uint32_t at, unsigned parameter) {
  bool is_new;
  uint64_t *i = hashmap_at(&c->chains, key, c->heads.count, &is_new);
  if (is_new) *vec_push(&c->heads) = (struct chain){at, at};
  struct chain *chain = &c->heads.data[*i];
  if (!is_new) c->links.data[chain->last * (PROPERTY_PARAMETERS + 1) + parameter] = at;
  chain->last = at;
}

static void index_points(struct choice *c) {
  size_t words = (size_t)c->s->n * (PROPERTY_PARAMETERS + 1);
  uint32_t *links = vec_push_n(&c->links, words);
  for (size_t i = 0; i < words; i++) links[i] = NONE;
  for (uint32_t i = 0; i < c->s->n; i++) {
    const struct pattern_point *p = point(c, i);
    chain_add(c, chain_key(p->past, p->what, PROPERTY_PARAMETERS, 0), i, PROPERTY_PARAMETERS);
    for (unsigned k = 0; k < PROPERTY_PARAMETERS; k++)
      if (p->given >> k & 1) chain_add(c, chain_key(p->past, p->what, k, p->values[k]), i, k);
  }
}

/* Points of an event that can have the values of the parameters: first those of the window, then those of the past. An event whose sources
 * do not all give a parameter is in no chain of that. */
struct walk {
  uint8_t what;
  unsigned parameter;
  uint64_t value;
  bool past;
  uint32_t at; /* NONE: there are no more */
};

static uint32_t chain_first(const struct choice *c, const struct walk *w) {
  const uint64_t *i = hashmap_find(&c->chains, chain_key(w->past, w->what, w->parameter, w->value));
  return i ? c->heads.data[*i].first : NONE;
}
static void walk_past(const struct choice *c, struct walk *w) {
  if (w->at != NONE || w->past) return;
  w->past = true;
  w->at = chain_first(c, w);
}
static struct walk walk_begin(const struct choice *c, uint8_t what) {
  uint32_t known = c->s->property->events.data[what].parameters & c->match.bound;
  struct walk w = {.what = what, .parameter = known ? (unsigned)__builtin_ctz(known) : PROPERTY_PARAMETERS};
  w.value = known ? c->match.values[w.parameter] : 0;
  w.at = chain_first(c, &w);
  walk_past(c, &w);
  return w;
}
static void walk_on(const struct choice *c, struct walk *w) {
  w->at = c->links.data[(size_t)w->at * (PROPERTY_PARAMETERS + 1) + w->parameter];
  walk_past(c, w);
}

static bool agrees(const struct choice *c, const struct pattern_point *p) {
  for (uint32_t rest = p->given & c->match.bound; rest; rest &= rest - 1) {
    int k = __builtin_ctz(rest);
    if (p->values[k] != c->match.values[k]) return false;
  }
  return true;
}

/* --- regions --- */

static bool same_region(const struct pattern_point *a, const struct pattern_point *b) {
  for (uint32_t rest = a->given & b->given; rest; rest &= rest - 1)
    if (a->values[__builtin_ctz(rest)] != b->values[__builtin_ctz(rest)]) return false;
  return a->thread == b->thread;
}

/* Regions of one thread lie within each other: an end belongs to the last beginning that has none. */
static void match_region(struct choice *c, int region) {
  int begins = -1, ends = -1;
  for (unsigned i = 0; i < c->which->natoms; i++) {
    if (c->which->atoms[i].begins == region) begins = c->which->atoms[i].event;
    if (c->which->atoms[i].ends == region) ends = c->which->atoms[i].event;
  }
  vec_clear(&c->ends[region]);
  uint32_t *end = vec_push_n(&c->ends[region], c->s->n);
  VEC(uint32_t) open = {0};
  for (uint32_t i = 0; i < c->s->n; i++) {
    const struct pattern_point *p = point(c, i);
    end[i] = NONE;
    if (p->what == begins) *vec_push(&open) = i;
    for (size_t k = p->what == ends ? open.count : 0; k-- > 0;) {
      if (!same_region(point(c, open.data[k]), p) || open.data[k] == i) continue;
      end[open.data[k]] = i;
      memmove(&open.data[k], &open.data[k + 1], (open.count - k - 1) * sizeof open.data[0]);
      open.count--;
      break;
    }
  }
  vec_release(&open);
}

/* The end of the region that `atom` ends, as the match has begun it; NONE. */
static uint32_t region_end(const struct choice *c, const struct property_atom *atom) {
  for (unsigned i = 0; i < c->which->natoms; i++)
    if (c->which->atoms[i].begins == atom->ends) return c->ends[atom->ends].data[c->match.points[i]];
  return NONE;
}

/* --- the question --- */

static void clause_begin(struct choice *c) { *vec_push(&c->starts) = (uint32_t)c->pairs.count; }
static void clause_events(struct choice *c, uint32_t first, uint32_t second) { *vec_push(&c->pairs) = (struct causal_pair){first, second}; }
/* The clause that was begun holds: it need not be asked. */
static void clause_drop(struct choice *c) { c->pairs.count = vec_pop(&c->starts); }
/* Or the first point comes before the second. True if that is so anyway. */
static bool clause_or(struct choice *c, uint32_t first, uint32_t second) {
  const struct pattern_point *a = point(c, first), *b = point(c, second);
  if (a->past) return !b->past || first < second;
  if (b->past || first == second) return false;
  if (a->event == b->event) return first < second; /* one event may be several of the property */
  clause_events(c, a->event, b->event);
  return false;
}

static void add_atom(struct choice *c, unsigned i) {
  const struct property_atom *atom = &c->which->atoms[i];
  const struct pattern_point *p = point(c, c->match.points[i]);
  for (unsigned k = 0; k < i; k++) {
    if (c->match.points[k] == NONE) continue;
    const struct pattern_point *q = point(c, c->match.points[k]);
    if (atom->before >> k & 1) {
      clause_begin(c);
      if (clause_or(c, c->match.points[k], c->match.points[i])) clause_drop(c);
    }
    if (!(atom->parallel >> k & 1)) continue;
    if (q->next != NONE) clause_begin(c), clause_events(c, p->event, q->next);
    if (p->next != NONE) clause_begin(c), clause_events(c, q->event, p->next);
  }
}

static bool is_absent(const struct choice *c, const struct property_absence *absence, uint32_t at) {
  const struct pattern_point *p = point(c, at);
  if (!agrees(c, p) || at == c->match.points[absence->atom]) return false;
  return absence->thread == PROPERTY_NONE || c->threads[absence->thread] == NONE || c->threads[absence->thread] == p->thread;
}

/* No such event in between. False: there is one anyway, or none in the run although there should be. */
static bool add_absence(struct choice *c, const struct property_absence *absence) {
  uint32_t x = c->match.points[absence->atom];
  bool any = false;
  for (struct walk w = walk_begin(c, absence->event); w.at != NONE; walk_on(c, &w)) {
    if (!is_absent(c, absence, w.at)) continue;
    any = true;
    clause_begin(c);
    bool holds = clause_or(c, x, w.at);
    for (unsigned k = 0; k < c->which->natoms && !holds; k++)
      if (absence->since >> k & 1) holds = c->match.points[k] == w.at || clause_or(c, w.at, c->match.points[k]);
    if (holds) clause_drop(c);
  }
  return any || !absence->had;
}

/* Where the event comes from; if that is not known, what it is, whose and of what. */
static uint64_t place_of(const struct pattern_point *p) {
  uint64_t about = p->address ? hash_pair(p->address, p->block) : p->given ? p->values[__builtin_ctz(p->given)] : 0;
  return p->site ? p->site : hash_pair(about, (uint64_t)p->thread << 8 | p->what) | 1ull << 63;
}

static uint64_t key_of(const struct choice *c) {
  const struct property_text *name = &c->s->property->name;
  uint64_t key = hash_pair(hash_bytes(name->at, name->length, 1), (uint64_t)(c->which - c->s->property->cases.data));
  for (unsigned i = 0; i < c->which->natoms; i++)
    key = hash_pair(key, c->match.points[i] == NONE || c->which->atoms[i].maybe ? 0 : place_of(point(c, c->match.points[i])));
  return key;
}

/* By places alone: where the same places match in several ways, as the two threads of a deadlock by either name, one is told. */
static uint64_t places_of(const struct choice *c) {
  const struct property_text *name = &c->s->property->name;
  uint64_t sum = 0;
  for (unsigned i = 0; i < c->which->natoms; i++)
    if (c->match.points[i] != NONE && !c->which->atoms[i].maybe) sum += hash_mix(place_of(point(c, c->match.points[i])));
  return hash_pair(hash_bytes(name->at, name->length, 2), sum);
}

static void ask(struct choice *c) {
  uint32_t events[PROPERTY_ATOMS + PROPERTY_ABSENCES], n = 0;
  bool exact[PROPERTY_ATOMS + PROPERTY_ABSENCES], possible = true;
  vec_clear(&c->pairs);
  vec_clear(&c->starts);
  for (unsigned i = 0; i < c->which->natoms; i++) {
    if (c->match.points[i] == NONE) continue;
    add_atom(c, i);
    const struct pattern_point *p = point(c, c->match.points[i]);
    if (c->which->atoms[i].maybe || p->past) continue;
    events[n] = p->event, exact[n++] = p->exact;
  }
  for (unsigned i = 0; i < c->which->nabsences && possible; i++) {
    possible = add_absence(c, &c->which->absences[i]);
    if (c->behind[i] == NONE) continue;
    const struct pattern_point *p = point(c, c->behind[i]);
    clause_begin(c);
    if (clause_or(c, c->match.points[c->which->absences[i].atom], c->behind[i])) clause_drop(c);
    events[n] = p->event, exact[n++] = p->exact;
  }
  uint32_t clauses = (uint32_t)c->starts.count;
  *vec_push(&c->starts) = (uint32_t)c->pairs.count;
  for (uint32_t i = 0; i < clauses; i++) possible &= c->starts.data[i] < c->starts.data[i + 1]; /* an empty clause */
  if (!possible || n == 0) return;                                                              /* all of the past: an earlier window's */
  c->counts->questions++;
  const struct causal_arrangement order = {
      .events = events, .exact = exact, .n = n, .pairs = c->pairs.data, .starts = c->starts.data, .clauses = clauses};
  enum causal_answer answer = c->s->ask(c->s->data, &order);
  if (answer == CAUSAL_YES) {
    c->counts->yes++;
    if (c->s->found(c->s->data, &c->match) && !c->s->all) {
      *hashmap_at(&c->memory->tries, key_of(c), 0, NULL) = FOUND;
      *hashmap_at(&c->memory->tries, places_of(c), 0, NULL) = FOUND;
    }
  } else if (answer == CAUSAL_UNKNOWN) {
    c->counts->unknown++;
    bool is_new = false;
    (void)hashmap_at(&c->memory->tries, hash_pair(places_of(c), 1), 0, &is_new);
    if (c->s->undecided && (is_new || c->s->all)) c->s->undecided(c->s->data, &c->match);
  }
}

static void consider(struct choice *c) {
  c->counts->choices++;
  if (!c->s->all) {
    if (hashmap_find(&c->memory->tries, places_of(c))) return;
    uint64_t *tries = hashmap_at(&c->memory->tries, key_of(c), 0, NULL);
    if (*tries == FOUND) return;
    if (*tries >= PATTERN_TRIES) {
      c->counts->left_out++;
      return;
    }
    ++*tries;
  }
  c->over |= c->s->is_over && c->s->is_over(c->s->data);
  if (!c->over) ask(c);
}

/* From absence i on: which of their events happens behind the match, if one has to. */
static void choose_behind(struct choice *c, unsigned i) {
  const struct property_absence *absence = &c->which->absences[i];
  if (i == c->which->nabsences) {
    consider(c);
    return;
  }
  c->behind[i] = NONE;
  if (!c->s->shown || !absence->had) {
    choose_behind(c, i + 1);
    return;
  }
  for (struct walk w = walk_begin(c, absence->event); w.at != NONE && !w.past && !c->over; walk_on(c, &w)) {
    if (!is_absent(c, absence, w.at)) continue;
    c->behind[i] = w.at;
    choose_behind(c, i + 1);
  }
}

/* --- choosing --- */

/* Can the point be the atom's, beside those that were chosen? Some things that program order alone says. */
static bool fits(const struct choice *c, unsigned i, uint32_t at) {
  const struct property_atom *atom = &c->which->atoms[i];
  const struct pattern_point *p = point(c, at);
  if (!agrees(c, p)) return false;
  for (unsigned k = 0; k < i; k++) {
    if (c->match.points[k] == NONE) continue;
    if (c->match.points[k] == at) return false;
    const struct pattern_point *q = point(c, c->match.points[k]);
    bool one = q->thread == p->thread;
    if (!q->past && !p->past && p->address && p->address == q->address && p->block != q->block) return false;
    if (atom->parallel >> k & 1 && (one || q->past || p->past)) return false; /* of the past nothing is at one moment any more */
    if (one && atom->before >> k & 1 && c->match.points[k] > at) return false;
  }
  for (unsigned k = 0; atom->thread != PROPERTY_NONE && k < PROPERTY_THREADS; k++)
    if (c->threads[k] != NONE && (c->threads[k] == p->thread) != (k == (unsigned)atom->thread)) return false;
  return true;
}

static bool may_look(struct choice *c) {
  c->counts->looks++;
  if (c->looks > 0 && --c->looks == 0) c->counts->left_out++, c->over = true;
  return !c->over;
}

static void choose(struct choice *c, unsigned i);

static void choose_point(struct choice *c, unsigned i, uint32_t at) {
  const struct property_atom *atom = &c->which->atoms[i];
  const struct pattern_point *p = point(c, at);
  if (!may_look(c) || !fits(c, i, at)) return;
  uint32_t fresh = p->given & ~c->match.bound, thread = atom->thread == PROPERTY_NONE ? NONE : c->threads[atom->thread];
  for (uint32_t rest = fresh; rest; rest &= rest - 1) c->match.values[__builtin_ctz(rest)] = p->values[__builtin_ctz(rest)];
  c->match.bound |= fresh;
  if (atom->thread != PROPERTY_NONE) c->threads[atom->thread] = p->thread;
  c->match.points[i] = at;
  choose(c, i + 1);
  c->match.bound &= ~fresh;
  if (atom->thread != PROPERTY_NONE) c->threads[atom->thread] = thread;
}

static void choose(struct choice *c, unsigned i) {
  if (i == c->which->natoms) {
    choose_behind(c, 0);
    return;
  }
  const struct property_atom *atom = &c->which->atoms[i];
  if (atom->ends != PROPERTY_NONE) {
    uint32_t end = region_end(c, atom);
    if (end != NONE) choose_point(c, i, end); /* unless the region has ended before what must lie in it */
    if (end != NONE || !atom->maybe) return;
    c->match.points[i] = NONE;
    choose(c, i + 1);
    return;
  }
  for (struct walk w = walk_begin(c, atom->event); w.at != NONE && !c->over && !(w.past && atom->parallel); walk_on(c, &w))
    choose_point(c, i, w.at);
}

/* Is there a point for each atom that has to happen? */
static bool can_match(const struct choice *c) {
  for (unsigned i = 0; i < c->which->natoms; i++)
    if (!c->which->atoms[i].maybe && walk_begin(c, c->which->atoms[i].event).at == NONE) return false;
  return true;
}

void pattern_find(struct pattern_memory *memory, const struct pattern_search *s, struct pattern_counts *counts) {
  struct choice c = {.s = s, .memory = memory, .counts = counts, .looks = s->looks};
  index_points(&c);
  for (size_t k = 0; k < s->property->cases.count && !c.over; k++) {
    c.which = &s->property->cases.data[k];
    c.match = (struct pattern_match){.property = s->property, .which = c.which};
    if (!can_match(&c)) continue;
    for (int i = 0; i < PROPERTY_THREADS; i++) c.threads[i] = NONE;
    for (unsigned i = 0; i < c.which->natoms; i++)
      if (c.which->atoms[i].begins != PROPERTY_NONE) match_region(&c, c.which->atoms[i].begins);
    choose(&c, 0);
  }
  hashmap_release(&c.chains);
  vec_release(&c.heads);
  vec_release(&c.links);
  vec_release(&c.pairs);
  vec_release(&c.starts);
  for (int i = 0; i < PROPERTY_REGIONS; i++) vec_release(&c.ends[i]);
}
