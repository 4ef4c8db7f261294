#include <string.h>

#include "property/internal.h"

/* Alternatives, one of which is matched. A case without atoms and absences is matched by anything. */
struct cases {
  VEC(struct property_case) list;
};

struct pattern {
  struct reader *r;
  struct property *p;
  struct property_text threads[PROPERTY_THREADS], regions[PROPERTY_REGIONS];
  bool denied; /* within the parentheses of ! */
};

/* Returns false, for who fails. */
static bool cases_release(struct cases *c) {
  vec_release(&c->list);
  return false;
}

static bool read_choice(struct pattern *p, struct cases *out);

static bool is_empty(const struct property_case *c) { return c->natoms == 0 && c->nabsences == 0; }

static void set_empty(struct cases *c) {
  vec_clear(&c->list);
  *vec_push(&c->list) = (struct property_case){0};
}

enum joined { JOINED_AND, JOINED_THEN, JOINED_PARALLEL };

/* a and b in one case, in that way. */
static bool join_two(struct pattern *p, const struct property_case *a, const struct property_case *b, enum joined how,
                     struct property_case *out, const struct property_text *at) {
  *out = *a;
  if (a->natoms + b->natoms > PROPERTY_ATOMS)
    return reader_fail(p->r, at, "more than %d events have to come together for a match", PROPERTY_ATOMS);
  if (a->nabsences + b->nabsences > PROPERTY_ABSENCES) return reader_fail(p->r, at, "more than %d `!' in a pattern", PROPERTY_ABSENCES);
  uint16_t needed = 0;
  for (unsigned i = 0; i < a->natoms; i++) needed |= (uint16_t)((a->atoms[i].maybe ? 0u : 1u) << i);
  for (unsigned i = 0; i < b->natoms; i++) {
    struct property_atom *atom = &out->atoms[out->natoms++];
    *atom = b->atoms[i];
    atom->before = (uint16_t)(atom->before << a->natoms | (how == JOINED_THEN ? needed : 0));
    atom->parallel = (uint16_t)(atom->parallel << a->natoms | (how == JOINED_PARALLEL ? needed : 0));
  }
  if (how == JOINED_PARALLEL) out->atoms[0].parallel |= 2;
  for (unsigned i = 0; i < b->nabsences; i++) {
    out->absences[out->nabsences] = b->absences[i];
    out->absences[out->nabsences].since = (uint16_t)(b->absences[i].since << a->natoms);
    out->absences[out->nabsences++].atom += a->natoms;
  }
  return true;
}

/* Each of a with each of b, which comes into a; b is empty afterwards. */
static bool join(struct pattern *p, struct cases *a, struct cases *b, enum joined how, const struct property_text *at) {
  struct cases both = {0};
  bool fine = true;
  if (a->list.count * b->list.count > PROPERTY_CASES) fine = reader_fail(p->r, at, "the pattern has more than %d cases", PROPERTY_CASES);
  for (size_t i = 0; fine && i < a->list.count; i++)
    for (size_t j = 0; fine && j < b->list.count; j++)
      fine = join_two(p, &a->list.data[i], &b->list.data[j], how, vec_push(&both.list), at);
  cases_release(a);
  cases_release(b);
  *a = both;
  return fine;
}

static int number_of(struct pattern *p, struct property_text *names, uint8_t *count, int most, const char *what,
                     const struct property_text *name) {
  for (int i = 0; i < *count; i++)
    if (property_text_same(&names[i], name)) return i;
  if (*count == most) return reader_fail(p->r, name, "more than %d %s", most, what), PROPERTY_NONE;
  names[*count] = *name;
  return (*count)++;
}

/* (t), (t, <r), (t, >r), (<r), ... */
static bool read_attributes(struct pattern *p, struct property_atom *atom) {
  struct reader *r = p->r;
  do {
    bool begins = reader_takes_sign(r, '<'), ends = !begins && reader_takes_sign(r, '>');
    struct property_text name;
    if (!reader_needs_name(r, begins || ends ? "the name of a region" : "the name of a thread, <REGION or >REGION", &name)) return false;
    if (!begins && !ends) {
      if (atom->thread != PROPERTY_NONE) return reader_fail(r, &name, "an event is of one thread");
      atom->thread = (int8_t)number_of(p, p->threads, &p->p->nthreads, PROPERTY_THREADS, "names of threads", &name);
      continue;
    }
    if (atom->begins != PROPERTY_NONE || atom->ends != PROPERTY_NONE)
      return reader_fail(r, &name, "an event begins one region, or ends one");
    if (p->denied) return reader_fail(r, &name, "no region can be named within `!'");
    *(begins ? &atom->begins : &atom->ends) =
        (int8_t)number_of(p, p->regions, &p->p->nregions, PROPERTY_REGIONS, "names of regions", &name);
  } while (reader_takes_sign(r, ','));
  return reader_needs_sign(r, ')');
}

static bool read_atom(struct pattern *p, struct property_atom *atom) {
  struct reader *r = p->r;
  *atom = (struct property_atom){.thread = PROPERTY_NONE, .begins = PROPERTY_NONE, .ends = PROPERTY_NONE};
  if (!reader_needs_name(r, "an event", &atom->at)) return false;
  size_t i = 0;
  while (i < p->p->events.count && !property_text_same(&p->p->events.data[i].name, &atom->at)) i++;
  if (i == p->p->events.count) return reader_fail(r, &atom->at, "`%.*s' is no event of the property", (int)atom->at.length, atom->at.at);
  atom->event = (uint8_t)i;
  bool close = r->token.text.at == atom->at.at + atom->at.length; /* else the parentheses are a group */
  return !close || !reader_takes_sign(r, '(') || read_attributes(p, atom);
}

/* Behind !: (a b c), so an event of b before which there was none of a, or one of c before which there was none of b. */
static bool read_denied(struct pattern *p, struct cases *out) {
  struct reader *r = p->r;
  struct property_text at = r->token.text;
  if (!reader_needs_sign(r, '(')) return false;
  p->denied = true;
  struct property_atom last, atom;
  unsigned n = 0;
  while (r->token.kind == TOKEN_NAME) {
    if (!read_atom(p, &atom)) return false;
    if (n++) {
      struct property_case c = {.natoms = 1, .nabsences = 1, .atoms = {atom}};
      c.absences[0] = (struct property_absence){.event = last.event, .thread = last.thread, .had = true};
      *vec_push(&out->list) = c;
    }
    last = atom;
  }
  p->denied = false;
  if (r->token.kind == TOKEN_SIGN && strchr("*+?", r->token.sign))
    return reader_fail(r, &r->token.text, "`%c' cannot be denied: `!' is for events one after the other", r->token.sign);
  if (r->token.kind != TOKEN_SIGN || r->token.sign != ')')
    return reader_expected(r, "an event or `)': `!' is for events one after the other");
  if (n < 2) return reader_fail(r, &at, "`!' is for two events or more, one after the other");
  reader_next(r);
  return true;
}

static bool read_group(struct pattern *p, struct cases *out) {
  struct reader *r = p->r;
  if (r->nesting == PROPERTY_NESTING) return reader_fail(r, &r->token.text, "more than %d parentheses within each other", PROPERTY_NESTING);
  r->nesting++;
  bool fine = read_choice(p, out) && reader_needs_sign(r, ')');
  r->nesting--;
  return fine;
}

/* The end of a region is the only thing of which "it need not happen" says something. */
static bool is_end(const struct cases *c) {
  return c->list.count == 1 && c->list.data[0].natoms == 1 && c->list.data[0].atoms[0].ends != PROPERTY_NONE;
}

static bool read_item(struct pattern *p, struct cases *out) {
  struct reader *r = p->r;
  bool fine;
  if (reader_takes_sign(r, '!')) {
    fine = read_denied(p, out);
  } else if (reader_takes_sign(r, '(')) {
    fine = read_group(p, out);
  } else {
    struct property_case c = {.natoms = 1};
    fine = read_atom(p, &c.atoms[0]);
    *vec_push(&out->list) = c;
  }
  while (fine && r->token.kind == TOKEN_SIGN && strchr("*+?", r->token.sign)) {
    for (size_t i = 0; i < out->list.count; i++)
      if (out->list.data[i].nabsences) return reader_fail(r, &r->token.text, "`!' and `%c' do not go together", r->token.sign);
    if (r->token.sign == '?' && is_end(out))
      out->list.data[0].atoms[0].maybe = true;
    else if (r->token.sign != '+')
      set_empty(out);
    reader_next(r);
  }
  return fine && !r->e;
}

/* One event, by whatever name. */
static bool is_moment(const struct cases *c) {
  for (size_t i = 0; i < c->list.count; i++)
    if (c->list.data[i].natoms != 1 || c->list.data[i].nabsences || c->list.data[i].atoms[0].maybe) return false;
  return true;
}

static bool read_parallel(struct pattern *p, struct cases *out) {
  struct reader *r = p->r;
  if (!read_item(p, out)) return false;
  struct property_text at = r->token.text;
  if (r->token.kind != TOKEN_PARALLEL) return true;
  reader_next(r);
  struct cases other = {0};
  bool fine = read_item(p, &other);
  if (fine && (!is_moment(out) || !is_moment(&other))) fine = reader_fail(r, &at, "`||' stands between two events");
  if (fine && r->token.kind == TOKEN_PARALLEL) fine = reader_fail(r, &r->token.text, "`||' stands between two events, and not more");
  if (!fine) return cases_release(&other);
  return join(p, out, &other, JOINED_PARALLEL, &at);
}

static bool begins_item(const struct token *t) {
  return t->kind == TOKEN_NAME || (t->kind == TOKEN_SIGN && (t->sign == '(' || t->sign == '!'));
}

/* !b, for what stands before it and behind it. True if there is none; `which` says whether there was one. */
static bool read_absence(struct pattern *p, struct property_absence *absence, bool *is) {
  struct reader *r = p->r;
  struct property_atom atom;
  struct reader before = *r;
  *is = reader_takes_sign(r, '!');
  if (*is && r->token.kind != TOKEN_NAME) {
    *r = before;
    return *is = false, true;
  }
  if (!*is) return true;
  p->denied = true;
  bool fine = read_atom(p, &atom);
  p->denied = false;
  if (fine && !begins_item(&r->token)) fine = reader_expected(r, "an event behind what must not come before it");
  if (fine) *absence = (struct property_absence){.event = atom.event, .thread = atom.thread};
  return fine;
}

/* There is no such event between the first `since` atoms and each later one. */
static bool add_absence(struct pattern *p, struct property_case *c, struct property_absence absence, unsigned since,
                        const struct property_text *at) {
  for (unsigned i = 0; i < since; i++) absence.since |= (uint16_t)((c->atoms[i].maybe ? 0u : 1u) << i);
  for (unsigned i = since; i < c->natoms; i++) {
    if (c->nabsences == PROPERTY_ABSENCES) return reader_fail(p->r, at, "more than %d `!' in a pattern", PROPERTY_ABSENCES);
    absence.atom = (uint8_t)i;
    if (!c->atoms[i].maybe) c->absences[c->nabsences++] = absence;
  }
  return true;
}

/* One more item behind what there is, and no event of the absences in between. */
static bool add_item(struct pattern *p, struct cases *out, const struct property_absence *absences, unsigned n) {
  struct property_text at = p->r->token.text;
  struct cases next = {0}, both = {0};
  bool fine = read_parallel(p, &next);
  if (fine && out->list.count * next.list.count > PROPERTY_CASES)
    fine = reader_fail(p->r, &at, "the pattern has more than %d cases", PROPERTY_CASES);
  for (size_t i = 0; fine && i < out->list.count; i++)
    for (size_t j = 0; fine && j < next.list.count; j++) {
      struct property_case *c = vec_push(&both.list);
      fine = join_two(p, &out->list.data[i], &next.list.data[j], JOINED_THEN, c, &at);
      for (unsigned k = 0; fine && k < n; k++) fine = add_absence(p, c, absences[k], out->list.data[i].natoms, &at);
    }
  cases_release(&next);
  cases_release(out);
  *out = both;
  return fine;
}

static bool read_sequence(struct pattern *p, struct cases *out) {
  struct property_absence absences[PROPERTY_ABSENCES];
  unsigned n = 0;
  bool is;
  if (!begins_item(&p->r->token)) return reader_expected(p->r, "an event");
  set_empty(out);
  while (begins_item(&p->r->token)) {
    struct property_text at = p->r->token.text;
    if (n == PROPERTY_ABSENCES) return reader_fail(p->r, &at, "more than %d `!' in a pattern", PROPERTY_ABSENCES);
    if (!read_absence(p, &absences[n], &is)) return false;
    if (is)
      n++;
    else if (!add_item(p, out, absences, n))
      return false;
    else
      n = 0;
  }
  return true;
}

static bool read_both(struct pattern *p, struct cases *out) {
  if (!read_sequence(p, out)) return false;
  struct property_text at = p->r->token.text;
  while (reader_takes_sign(p->r, '&')) {
    struct cases next = {0};
    if (!read_sequence(p, &next)) return cases_release(&next);
    if (!join(p, out, &next, JOINED_AND, &at)) return false;
  }
  return true;
}

static bool read_choice(struct pattern *p, struct cases *out) {
  if (!read_both(p, out)) return false;
  struct property_text at = p->r->token.text;
  while (reader_takes_sign(p->r, '|')) {
    struct cases next = {0};
    bool fine = read_both(p, &next);
    if (fine && out->list.count + next.list.count > PROPERTY_CASES)
      fine = reader_fail(p->r, &at, "the pattern has more than %d cases", PROPERTY_CASES);
    for (size_t i = 0; fine && i < next.list.count; i++) *vec_push(&out->list) = next.list.data[i];
    cases_release(&next);
    if (!fine) return false;
  }
  return true;
}

/* In each case a region that ends has begun, in the same thread; and what is parallel is of two threads. */
static bool check_case(struct pattern *p, const struct property_case *c) {
  for (unsigned i = 0; i < c->natoms; i++) {
    const struct property_atom *a = &c->atoms[i];
    bool begun = a->ends == PROPERTY_NONE;
    for (unsigned j = 0; j < c->natoms; j++) {
      const struct property_atom *b = &c->atoms[j];
      if (a->parallel >> j & 1 && a->thread != PROPERTY_NONE && a->thread == b->thread)
        return reader_fail(p->r, &a->at, "a thread does not do two things at a time");
      if (i != j && a->begins != PROPERTY_NONE && a->begins == b->begins) return reader_fail(p->r, &b->at, "a region begins once");
      begun |= b->begins == a->ends && b->thread == a->thread && a->before >> j & 1;
    }
    if (!begun)
      return reader_fail(p->r, &a->at, "`%.*s' ends a region that no event before it, of the same thread, begins", (int)a->at.length,
                         a->at.at);
  }
  return true;
}

bool pattern_read(struct reader *r) {
  struct pattern p = {.r = r, .p = r->property};
  struct cases all = {0};
  struct property_text at = r->token.text;
  bool fine = read_choice(&p, &all);
  for (size_t i = 0; fine && i < all.list.count; i++) {
    const struct property_case *c = &all.list.data[i];
    bool needed = false;
    for (unsigned j = 0; j < c->natoms; j++) needed |= !c->atoms[j].maybe;
    if (is_empty(c) || !needed) fine = reader_fail(r, &at, "the pattern is matched although nothing happens");
    fine = fine && check_case(&p, c);
    if (fine) *vec_push(&r->property->cases) = *c;
  }
  cases_release(&all);
  return fine && !r->e;
}
