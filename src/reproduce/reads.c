/* Which writes a read may find. */
#include <string.h>

#include "reproduce/internal.h"

enum err reads_locate(struct formula *f) {
  uint32_t last[THREADS_MAX];
  for (uint32_t i = 0; i < f->a->events.count; i++) {
    const struct apart_event *e = event_at(f, i);
    if (!apart_reads(e) && !apart_writes(e)) continue;
    uint64_t *at = NULL;
    for (uint64_t b = 0; b < e->size; b++) {
      at = hashmap_at(&f->location_of, e->object + b, 0, NULL);
      const struct location *l = *at ? &f->locations.data[*at - 1] : NULL;
      if (l && (l->object != e->object || l->size != e->size))
        return formula_cannot(f, e, "memory that several threads use is accessed in different sizes");
      if (*at) continue;
      if (b == 0) *vec_push(&f->locations) = (struct location){.object = e->object, .size = e->size};
      *at = f->locations.count;
    }
    struct location *l = &f->locations.data[*at - 1];
    if (apart_reads(e)) *vec_push(&l->reads) = i;
    if (apart_writes(e)) *vec_push(&l->writes) = i;
  }
  for (size_t k = 0; k < f->locations.count; k++) {
    const struct location *l = &f->locations.data[k];
    size_t r = 0;
    memset(last, 255, sizeof last);
    for (size_t w = 0; w <= l->writes.count; w++) {
      uint32_t write = w < l->writes.count ? l->writes.data[w] : NOBODY;
      for (; r < l->reads.count && l->reads.data[r] <= write; r++)
        f->places.data[l->reads.data[r]].own = last[event_at(f, l->reads.data[r])->thread];
      if (write == NOBODY) break;
      uint32_t t = event_at(f, write)->thread;
      if (last[t] != NOBODY) f->places.data[last[t]].next = write;
      last[t] = write;
    }
  }
  return ERR_NONE;
}

/* Conditions of one symbol alone are looked at before the engine is asked. */
static void find_alone(struct formula *f) {
  vec_clear(&f->next_alone);
  hashmap_clear(&f->alone);
  for (uint32_t i = 0; i < f->conditions.count; i++) {
    size_t n;
    *vec_push(&f->next_alone) = 0;
    const struct symbol *s = symbol_set_list(f->pool, expr_symbols(f->pool, f->conditions.data[i]), &n);
    if (n != 1) continue;
    uint64_t *first = hashmap_at(&f->alone, s[0].id, 0, NULL);
    f->next_alone.data[i] = (uint32_t)*first;
    *first = i + 1;
  }
}

/* Can the symbol have the value? */
static bool suits(struct formula *f, struct symbol s, uint64_t value) {
  struct value_model m = {0};
  const uint64_t *first = hashmap_find(&f->alone, s.id);
  bool good = true;
  value_model_set(&m, s, value);
  for (uint32_t i = first ? (uint32_t)*first : 0; i && good; i = f->next_alone.data[i - 1])
    good = expr_eval(f->pool, f->conditions.data[i - 1], &m);
  value_model_release(&m);
  return good;
}

static bool source_suits(struct formula *f, uint32_t read, uint32_t write) {
  bits128 value;
  if (write == NOBODY)
    value = event_at(f, read)->initial;
  else if (!expr_is_constant(f->pool, f->written.data[write], &value))
    return true;
  return suits(f, expr_the_symbol(f->pool, f->read.data[read]), (uint64_t)value);
}

/* Whatever the order is, `write` is not what `read` finds. */
static bool is_out(struct formula *f, uint32_t read, uint32_t write) {
  const struct place *r = &f->places.data[read], *w = &f->places.data[write];
  if (write == read || write == r->own) return write == read;
  if (event_at(f, write)->thread == event_at(f, read)->thread) return true; /* overwritten, or still to come */
  if (order_before(f->o, r->step, w->visible)) return true;
  if (w->next != NOBODY && order_before(f->o, f->places.data[w->next].visible, r->until)) return true;
  return r->own != NOBODY && order_before(f->o, w->visible, f->places.data[r->own].visible);
}

/* If `is` then nothing that is written there becomes visible between: each other write comes before `write`, or behind the read. Of one
 * thread's writes two say it: the next one behind `write`, if that is the thread's, is behind the read. */
static void nothing_between(struct formula *f, const struct location *l, uint32_t read, uint32_t write, struct order_lit is) {
  const struct place *r = &f->places.data[read];
  uint32_t thread = write == NOBODY ? NOBODY : event_at(f, write)->thread;
  for (size_t i = 0; i < l->writes.count; i++) {
    uint32_t other = l->writes.data[i];
    const struct place *p = &f->places.data[other];
    uint32_t whose = event_at(f, other)->thread;
    if (other == write || other == read || whose == event_at(f, read)->thread) continue;
    if (whose == thread && other != f->places.data[write].next) continue;
    clause_add(f, order_not(is));
    clause_add(f, order_less(f->o, r->until, p->visible));
    if (write != NOBODY && whose != thread) clause_add(f, order_less(f->o, p->visible, f->places.data[write].visible));
    clause_end(f);
  }
}

static void find_sources(struct formula *f, const struct location *l, uint32_t read) {
  struct place *r = &f->places.data[read];
  r->first_source = (uint32_t)f->sources.count;
  r->sources = 1;
  if (f->becomes.data[read].id != NO_EXPR.id) { /* what it asked for is gone from the conditions */
    *vec_push(&f->sources) = (struct source){.write = r->settled};
    return;
  }
  if (r->own == NOBODY && source_suits(f, read, NOBODY)) *vec_push(&f->sources) = (struct source){.write = NOBODY};
  for (size_t i = 0; i < l->writes.count; i++)
    if (!is_out(f, read, l->writes.data[i]) && source_suits(f, read, l->writes.data[i]))
      *vec_push(&f->sources) = (struct source){.write = l->writes.data[i]};
  r->sources = (uint32_t)f->sources.count - r->first_source;
}

enum err reads_find_sources(struct formula *f) {
  vec_clear(&f->sources);
  find_alone(f);
  for (size_t i = 0; i < f->locations.count; i++) {
    const struct location *l = &f->locations.data[i];
    for (size_t k = 0; k < l->reads.count; k++) {
      if (has_leader(f, l->reads.data[k])) continue;
      find_sources(f, l, l->reads.data[k]);
      if (f->places.data[l->reads.data[k]].sources == 0)
        return formula_cannot(f, event_at(f, l->reads.data[k]), "nothing that is written there is what the thread can have read");
    }
  }
  return ERR_NONE;
}

static enum err add_read(struct formula *f, const struct location *l, uint32_t read) {
  const struct place *r = &f->places.data[read];
  for (uint32_t i = 0; i < r->sources; i++) {
    struct source *s = source_at(f, read, i);
    s->number = f->booleans;
    s->is = add_boolean(f);
    if (s->write != NOBODY && s->write != r->own) {
      order_implies(f->o, s->is, f->places.data[s->write].visible, r->step);
      if (r->own != NOBODY) order_implies(f->o, s->is, f->places.data[r->own].visible, f->places.data[s->write].visible);
    }
    nothing_between(f, l, read, s->write, s->is);
  }
  for (uint32_t i = 0; i < r->sources; i++) clause_add(f, source_at(f, read, i)->is);
  clause_end(f);
  return f->counts->clauses > CLAUSES_MOST ? formula_cannot(f, event_at(f, read), "the formula has too many clauses") : ERR_NONE;
}

enum err reads_add(struct formula *f) {
  for (size_t i = 0; i < f->locations.count; i++) {
    const struct location *l = &f->locations.data[i];
    for (size_t k = 0; k < l->reads.count; k++) {
      enum err e = has_leader(f, l->reads.data[k]) ? ERR_NONE : add_read(f, l, l->reads.data[k]);
      if (e) return e;
    }
  }
  return ERR_NONE;
}
