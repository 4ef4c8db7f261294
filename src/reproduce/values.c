/* Values: computed in the engine's order; where they do not satisfy the conditions, the engine is told of them. */
#include "reproduce/internal.h"

static struct source *source_of(struct formula *f, uint32_t read) {
  const struct place *r = &f->places.data[read];
  return &f->sources.data[r->first_source + r->found];
}

/* The answer is gone with the first clause that is added. */
static const struct source *find_source(struct formula *f, uint32_t read) {
  struct place *r = &f->places.data[read];
  r->found = 0;
  while (r->found + 1 < r->sources && !order_value(f->o, source_of(f, read)->is)) r->found++;
  return source_of(f, read);
}

/* What each read finds in the engine's order. A read comes behind what it finds, and that behind what it is made of. */
static void compute_values(struct formula *f) {
  vec_clear(&f->sequence);
  vec_clear(&f->unfit);
  order_linear(f->o, vec_push_n(&f->sequence, f->nodes));
  for (size_t i = 0; i < f->sequence.count; i++) {
    uint32_t event = f->node_event.data[f->sequence.data[i]];
    if (event == NOBODY || (event & 1) || !apart_reads(event_at(f, event / 2)) || has_leader(f, event / 2)) continue;
    const struct apart_event *e = event_at(f, event / 2);
    const struct source *s = find_source(f, event / 2);
    bits128 value = s->write == NOBODY ? e->initial : expr_eval(f->pool, f->written.data[s->write], &f->values);
    if (value >> expr_width(f->pool, f->read.data[event / 2])) *vec_push(&f->unfit) = event / 2;
    value_model_set(&f->values, expr_the_symbol(f->pool, f->read.data[event / 2]), value);
  }
}

/* Its symbols are to have bits. */
static void need_symbols(struct formula *f, struct expr e) {
  size_t n;
  const struct symbol *of = symbol_set_list(f->pool, expr_symbols(f->pool, e), &n);
  for (size_t i = 0; i < n; i++) {
    bool fresh;
    hashmap_at(&f->needed, of[i].id, 1, &fresh);
    if (fresh) *vec_push(&f->waiting) = of[i].id;
  }
}

/* Of the read, and all that what it finds is made of, the bits are to be what was written. False: the formula became too large. */
static bool value_read(struct formula *f, uint32_t read, size_t *added) {
  struct source *s = source_of(f, read);
  const struct apart_event *e = event_at(f, read);
  unsigned width = (unsigned)(8 * e->size);
  struct expr written = s->write == NOBODY ? expr_constant(f->pool, width, e->initial) : f->written.data[s->write];
  need_symbols(f, written);
  if (s->valued) return true;
  s->valued = true;
  struct order_lit is = s->is;
  uint32_t equal;
  if (!circuit_condition(f->circuit, expr_binary(f->pool, EXPR_EQ, expr_zext(f->pool, f->read.data[read], width), written), GATES_MOST,
                         &equal))
    return false;
  clause_add(f, order_not(is)), clause_add(f, (struct order_lit){equal});
  clause_end(f);
  ++*added;
  return true;
}

static bool value_symbols(struct formula *f, struct expr e, size_t *added) {
  need_symbols(f, e);
  while (f->waiting.count) {
    const uint64_t *read = hashmap_find(&f->reader, vec_pop(&f->waiting));
    if (read && !value_read(f, (uint32_t)*read, added)) return false;
  }
  return true;
}

static enum err too_many_bits(struct formula *f) { return diag_set(f->d, ERR_UNSUPPORTED, "the formula's values need too many bits"); }

/* Conditions that do not hold with these values become part of the problem, with what they depend on. `*added`: how much that was; 0 and
 * `*hold`: all hold. */
static enum err add_values(struct formula *f, bool *hold) {
  size_t added = 0;
  *hold = true;
  hashmap_clear(&f->needed);
  evaluator_begin(&f->evaluator, f->pool, &f->values);
  for (size_t i = 0; i < f->unfit.count; i++) {
    *hold = false;
    if (!value_symbols(f, f->read.data[f->unfit.data[i]], &added)) return too_many_bits(f);
  }
  for (size_t i = 0; i < f->conditions.count; i++) {
    struct expr condition = f->conditions.data[i];
    uint32_t holds;
    if (evaluator_value(&f->evaluator, condition)) continue;
    *hold = false;
    bool good = true;
    if (!f->said.data[i]) {
      f->said.data[i] = true, added++;
      good = circuit_condition(f->circuit, condition, GATES_MOST, &holds);
      if (good) clause_add(f, (struct order_lit){holds}), clause_end(f);
    }
    if (!good || !value_symbols(f, condition, &added)) return too_many_bits(f);
  }
  f->counts->values += added;
  return *hold || added ? ERR_NONE : diag_set(f->d, ERR_UNSUPPORTED, "the formula's solution does not satisfy it");
}

enum err values_check(struct formula *f, bool *hold) {
  compute_values(f);
  return add_values(f, hold);
}
