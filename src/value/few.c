#include "value/few.h"

#include <assert.h>

#include "value/walk.h"

#define NUMBERS_MOST 4096u /* 16 MB */

static bits128 number_at(const struct few *f, uint32_t id, unsigned k) { return f->numbers.data[*hashmap_find(&f->at, id)].of[k]; }

/* The byte that was stored there last. */
static bits128 select_byte(const struct few *f, uint32_t array, bits128 index, unsigned k) {
  const struct node *n = node_at(f->pool, array);
  for (; n->op == EXPR_STORE; n = node_at(f->pool, n->args[0]))
    if (number_at(f, n->args[1], k) == index) return number_at(f, n->args[2], k);
  assert(n->op == EXPR_ARRAY_CONSTANT); /* an array symbol has no width, so few_decide() does not come here */
  return number_at(f, n->args[0], k);
}

static void find_numbers(struct few *f, uint32_t id) {
  const struct node *n = node_at(f->pool, id);
  unsigned operands = node_operands((enum expr_op)n->op);
  struct few_numbers *to = vec_push(&f->numbers);
  const bits128 *from[3] = {0};
  bits128 of[3] = {0};
  for (unsigned i = 0; i < operands; i++) from[i] = f->numbers.data[*hashmap_find(&f->at, n->args[i])].of;
  for (unsigned k = 0; k < FEW_VALUES; k++) {
    for (unsigned i = 0; i < operands; i++) of[i] = from[i][k];
    if (n->op == EXPR_SYMBOL)
      to->of[k] = bits_trim(k, n->width);
    else if (n->op == EXPR_SELECT)
      to->of[k] = select_byte(f, n->args[0], of[1], k);
    else
      to->of[k] = n->width ? node_apply(f->pool, n, of) : 0;
  }
  hashmap_at(&f->at, id, f->numbers.count - 1, NULL);
}

/* The numbers of what is below the condition, and then its own. */
static bool find_all(struct few *f, uint32_t id) {
  struct walk w = {0};
  walk_from(&w, f->pool, &id, 1);
  bool fits = w.ids.count <= NUMBERS_MOST;
  if (f->numbers.count + w.ids.count > NUMBERS_MOST) {
    hashmap_clear(&f->at);
    vec_clear(&f->numbers);
  }
  for (size_t i = 0; fits && i < w.ids.count; i++)
    if (!hashmap_find(&f->at, w.ids.data[i])) find_numbers(f, w.ids.data[i]);
  walk_release(&w);
  return fits;
}

/* NULL: the condition is too large. */
static const struct few_truths *truths_of(struct few *f, uint32_t id) {
  const uint64_t *known = hashmap_find(&f->truths_at, id);
  if (known) return &f->truths.data[*known];
  if (!find_all(f, id)) return NULL;
  struct few_truths t = {0};
  for (unsigned k = 0; k < FEW_VALUES; k++) t.words[k / 64] |= (uint64_t)(number_at(f, id, k) != 0) << k % 64;
  *vec_push(&f->truths) = t;
  hashmap_at(&f->truths_at, id, f->truths.count - 1, NULL);
  return &vec_last(&f->truths);
}

/* The only symbol of all conditions, if it has few values. */
static bool only_symbol(const struct few *f, struct cache_key key, struct symbol *symbol) {
  uint32_t set = node_at(f->pool, key.ids[0])->symbols;
  size_t count;
  const struct symbol *of = symbol_set_list(f->pool, (struct symbol_set){set}, &count);
  if (count != 1) return false;
  unsigned width = symbol_width(f->pool, *of);
  if (width == 0 || width > 8) return false;
  for (size_t i = 1; i < key.count; i++)
    if (node_at(f->pool, key.ids[i])->symbols != set) return false;
  *symbol = *of;
  return true;
}

bool few_decide(struct few *f, struct cache_key key, enum value_answer *answer, struct symbol *symbol, bits128 *value) {
  if (key.count == 0 || !only_symbol(f, key, symbol)) return false;
  struct few_truths all = {{~0ull, ~0ull, ~0ull, ~0ull}};
  for (size_t i = 0; i < key.count; i++) {
    const struct few_truths *t = truths_of(f, key.ids[i]);
    if (!t) return false;
    for (unsigned w = 0; w < FEW_VALUES / 64; w++) all.words[w] &= t->words[w];
  }
  *answer = VALUE_NO;
  for (unsigned w = FEW_VALUES / 64; w-- > 0;)
    if (all.words[w]) *answer = VALUE_YES, *value = 64 * w + (unsigned)__builtin_ctzll(all.words[w]);
  return true;
}

void few_release(struct few *f) {
  hashmap_release(&f->at);
  vec_release(&f->numbers);
  hashmap_release(&f->truths_at);
  vec_release(&f->truths);
}
