#include "value/trial.h"

/* So many values, times nodes of the conditions, take about as long as circuits of one operation. */
#define MOST   ((size_t)1 << 19)
#define WIDEST 16u

/* How many bits the symbols have; more than WIDEST: too many, or other reasons. */
static unsigned trial_bits(struct trial *f, const struct value_pool *p, const uint32_t *ids, size_t count) {
  unsigned bits = 0;
  bool real = false;
  for (size_t i = 0; i < count; i++) { /* before the walk, which costs more */
    size_t symbols;
    const struct symbol *of = symbol_set_list(p, expr_symbols(p, (struct expr){ids[i]}), &symbols);
    for (size_t j = 0; j < symbols; j++)
      if (symbol_width(p, of[j]) == 0 || symbol_width(p, of[j]) > WIDEST) return WIDEST + 1;
    if (symbols > WIDEST) return WIDEST + 1;
  }
  vec_clear(&f->walk.ids);
  hashmap_clear(&f->walk.seen);
  walk_from(&f->walk, p, ids, count);
  vec_clear(&f->symbols);
  for (size_t i = 0; i < f->walk.ids.count && bits <= WIDEST; i++) {
    const struct node *n = node_at(p, f->walk.ids.data[i]);
    real |= expr_is_real((enum expr_op)n->op);
    if (n->op != EXPR_SYMBOL) continue;
    bits += n->width;
    *vec_push(&f->symbols) = (struct symbol){n->args[0]};
  }
  return real && bits <= WIDEST && f->walk.ids.count <= MOST >> bits ? bits : WIDEST + 1;
}

static void take_values(const struct trial *f, const struct value_pool *p, uint32_t number, struct value_model *model) {
  for (size_t i = 0; i < f->symbols.count; i++) {
    unsigned width = symbol_width(p, f->symbols.data[i]);
    value_model_set(model, f->symbols.data[i], bits_trim(number, width));
    number >>= width;
  }
}

/* The first that is false; `count`: none is. */
static size_t first_false(struct trial *f, const struct value_pool *p, const uint32_t *ids, size_t count, const struct value_model *model) {
  size_t i = 0;
  evaluator_begin(&f->evaluator, p, model);
  while (i < count && evaluator_value(&f->evaluator, (struct expr){ids[i]})) i++;
  return i;
}

enum value_answer trial_solve(struct trial *f, const struct value_pool *p, const uint32_t *ids, size_t count, struct value_model *model,
                              struct conjuncts *core) {
  unsigned bits = trial_bits(f, p, ids, count);
  if (bits > WIDEST) return VALUE_UNKNOWN;
  vec_clear(&f->refutes);
  for (size_t i = 0; i < count; i++) *vec_push(&f->refutes) = false;
  for (uint32_t number = 0; number < 1u << bits; number++) {
    take_values(f, p, number, model);
    size_t at = first_false(f, p, ids, count, model);
    if (at == count) return VALUE_YES;
    f->refutes.data[at] = true;
  }
  value_model_clear(model);
  for (size_t i = 0; i < count; i++)
    if (f->refutes.data[i]) *vec_push(&core->ids) = ids[i];
  return VALUE_NO;
}

void trial_release(struct trial *f) {
  walk_release(&f->walk);
  evaluator_release(&f->evaluator);
  vec_release(&f->symbols);
  vec_release(&f->refutes);
}
