#include "value/renaming.h"

#include <stdlib.h>
#include <string.h>

#include "value/internal.h"

uint64_t renaming_number(struct renaming *r, struct symbol s) {
  bool is_new;
  return *hashmap_at(&r->numbers, s.id, r->numbers.count, &is_new);
}

bool renaming_has(const struct renaming *r, struct symbol s) { return hashmap_find(&r->numbers, s.id); }

/* New symbols of one expression are met in the order of their names: of two turns of a loop, which read in the same order, alike. */
static int by_name(const void *a, const void *b) {
  const struct renaming_symbol *x = a, *y = b;
  if (x->name.count != y->name.count) return x->name.count < y->name.count ? -1 : 1;
  if (x->name.place != y->name.place) return x->name.place < y->name.place ? -1 : 1;
  return strcmp(x->name.thread, y->name.thread);
}

static void number_all(struct renaming *r, struct expr e) {
  size_t n;
  const struct symbol *s = symbol_set_list(r->pool, expr_symbols(r->pool, e), &n);
  vec_clear(&r->met);
  for (size_t i = 0; i < n; i++)
    if (!renaming_has(r, s[i])) *vec_push(&r->met) = (struct renaming_symbol){s[i], symbol_name(r->pool, s[i])};
  if (r->met.count > 1) qsort(r->met.data, r->met.count, sizeof *r->met.data, by_name);
  for (size_t i = 0; i < r->met.count; i++) renaming_number(r, r->met.data[i].symbol);
}

/* Operands of a sum, also of sums within it, may stand in any order: that of their names' hashes tells nothing here. */
static bool is_sum(enum expr_op op) { return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR; }

static uint64_t known(const struct renaming *r, uint32_t id) { return *hashmap_find(&r->hashes, id); }

static uint64_t part_of_sum(struct renaming *r, enum expr_op op, uint32_t id) {
  const struct node *n = node_at(r->pool, id);
  return n->op == op && n->symbols ? *hashmap_find(&r->sums, id) : hash_mix(known(r, id));
}

/* Of one whose operands have hashes. */
static uint64_t hash_of(struct renaming *r, uint32_t id) {
  const struct node *n = node_at(r->pool, id);
  enum expr_op op = (enum expr_op)n->op;
  if (n->symbols == 0) return n->hash.lo;
  uint64_t h = hash_pair(op, n->width);
  if (op == EXPR_SYMBOL || op == EXPR_ARRAY_SYMBOL) return hash_pair(h, renaming_number(r, (struct symbol){n->args[0]}));
  bool commutes = op == EXPR_EQ || op == EXPR_REAL_ADD || op == EXPR_REAL_MUL;
  if (commutes) return hash_pair(h, hash_mix(known(r, n->args[0])) + hash_mix(known(r, n->args[1])));
  if (is_sum(op)) {
    uint64_t sum = part_of_sum(r, op, n->args[0]) + part_of_sum(r, op, n->args[1]);
    hashmap_at(&r->sums, id, sum, NULL);
    return hash_pair(h, sum);
  }
  for (unsigned i = 0; i < node_operands(op); i++) h = hash_pair(h, known(r, n->args[i]));
  return op == EXPR_EXTRACT || op == EXPR_REAL_ROUND ? hash_pair(h, n->args[1]) : h;
}

uint64_t renaming_hash(struct renaming *r, struct expr e) {
  number_all(r, e);
  vec_clear(&r->todo);
  *vec_push(&r->todo) = e.id;
  while (r->todo.count) {
    uint32_t id = vec_last(&r->todo), missing = id;
    const struct node *n = node_at(r->pool, id);
    for (unsigned i = 0; n->symbols && missing == id && i < node_operands((enum expr_op)n->op); i++)
      if (!hashmap_find(&r->hashes, n->args[i])) missing = n->args[i];
    if (missing != id) {
      *vec_push(&r->todo) = missing;
      continue;
    }
    uint64_t h = hash_of(r, id);
    hashmap_at(&r->hashes, id, h, NULL);
    r->todo.count--;
  }
  return known(r, e.id);
}

void renaming_clear(struct renaming *r) {
  hashmap_clear(&r->numbers);
  hashmap_clear(&r->hashes);
  hashmap_clear(&r->sums);
}

void renaming_release(struct renaming *r) {
  hashmap_release(&r->numbers);
  hashmap_release(&r->hashes);
  hashmap_release(&r->sums);
  vec_release(&r->met);
  vec_release(&r->todo);
}
