#include "value/eval.h"

#include <assert.h>
#include <string.h>

#include "value/internal.h"
#include "value/real.h"

static bits128 value_of(const struct evaluator *v, uint32_t id) { return v->values[id]; }

/* The byte that was stored there last. */
static bits128 select_byte(const struct evaluator *v, uint32_t array, bits128 index) {
  const struct node *n = node_at(v->pool, array);
  for (; n->op == EXPR_STORE; n = node_at(v->pool, n->args[0]))
    if (value_of(v, n->args[1]) == index) return value_of(v, n->args[2]);
  if (n->op == EXPR_ARRAY_CONSTANT) return value_of(v, n->args[0]);
  return value_model_get_byte(v->model, (struct symbol){n->args[0]}, (uint64_t)index);
}

bits128 node_apply(const struct value_pool *p, const struct node *n, const bits128 of[3]) {
  unsigned w = n->width;
  switch ((int)n->op) {
    case EXPR_CONSTANT:
      return node_value(n);
    case EXPR_NOT:
      return bits_trim(~of[0], w);
    case EXPR_NEG:
      return bits_neg(of[0], w);
    case EXPR_CONCAT:
      return of[0] << node_at(p, n->args[1])->width | of[1];
    case EXPR_EXTRACT:
      return bits_extract(of[0], n->args[1], w);
    case EXPR_ZEXT:
      return of[0];
    case EXPR_SEXT:
      return bits_sext(of[0], node_at(p, n->args[0])->width, w);
    case EXPR_ITE:
      return of[0] ? of[1] : of[2];
    case EXPR_REAL_ADD:
    case EXPR_REAL_MUL:
    case EXPR_REAL_DIV:
      return real_bits_apply(n, w, of[0], of[1]);
    case EXPR_REAL_SQRT:
    case EXPR_REAL_ROUND:
    case EXPR_REAL_CONVERT:
    case EXPR_REAL_TO_SIGNED:
    case EXPR_REAL_FROM_SIGNED:
    case EXPR_REAL_FROM_UNSIGNED:
      return real_bits_apply(n, node_at(p, n->args[0])->width, of[0], 0);
  }
  assert(n->op >= EXPR_ADD && n->op <= EXPR_SLE);
  return bits_apply((enum expr_op)n->op, node_at(p, n->args[0])->width, of[0], of[1]);
}

static bits128 evaluate(const struct evaluator *v, const struct node *n) {
  const uint32_t *a = n->args;
  if (n->op == EXPR_SYMBOL) return bits_trim(value_model_get(v->model, (struct symbol){a[0]}), n->width);
  if (n->op == EXPR_SELECT) return select_byte(v, a[0], value_of(v, a[1]));
  if (n->width == 0) return 0; /* an array */
  bits128 of[3] = {0};
  unsigned operands = node_operands((enum expr_op)n->op);
  for (unsigned i = 0; i < operands; i++) of[i] = value_of(v, a[i]);
  return node_apply(v->pool, n, of);
}

/* What is kept of earlier rounds is not there any more. */
static void begin_round(uint32_t *round, uint32_t *rounds, size_t room) {
  if (++*round != 0) return;
  if (room) memset(rounds, 0, room * sizeof *rounds); /* the count of rounds began anew */
  *round = 1;
}

/* Fresh memory is zero and not touched, so one evaluation in a large pool is not the pool's size. */
static void *larger(void *items, size_t size, size_t count, size_t room) {
  void *to = mem_alloc(room * size);
  if (count) memcpy(to, items, count * size);
  mem_free(items, count * size);
  return to;
}

void evaluator_begin(struct evaluator *v, const struct value_pool *p, const struct value_model *m) {
  v->pool = p, v->model = m;
  begin_round(&v->round, v->rounds, v->room);
}

/* Room for all of the pool's expressions. */
static void make_room(struct evaluator *v) {
  size_t count = value_pool_count(v->pool), room = v->room ? 2 * count : count;
  if (v->room >= count) return;
  v->values = larger(v->values, sizeof *v->values, v->room, room);
  v->rounds = larger(v->rounds, sizeof *v->rounds, v->room, room);
  v->room = room;
}

bits128 evaluator_value(struct evaluator *v, struct expr e) {
  make_room(v);
  *vec_push(&v->stack) = e.id;
  while (v->stack.count) {
    uint32_t id = vec_last(&v->stack);
    const struct node *n = node_at(v->pool, id);
    unsigned operands = node_operands((enum expr_op)n->op);
    size_t waiting = v->stack.count;
    if (v->rounds[id] != v->round)
      for (unsigned i = 0; i < operands; i++)
        if (v->rounds[n->args[i]] != v->round) *vec_push(&v->stack) = n->args[i];
    if (v->stack.count != waiting) continue;
    (void)vec_pop(&v->stack);
    if (v->rounds[id] == v->round) continue; /* it was waiting twice */
    v->values[id] = evaluate(v, n);
    v->rounds[id] = v->round;
  }
  return v->values[e.id];
}

void evaluator_release(struct evaluator *v) {
  mem_free(v->values, v->room * sizeof *v->values);
  mem_free(v->rounds, v->room * sizeof *v->rounds);
  vec_release(&v->stack);
  v->values = NULL, v->rounds = NULL, v->room = 0;
}

bits128 expr_eval(const struct value_pool *p, struct expr e, const struct value_model *m) {
  struct evaluator v = {0};
  evaluator_begin(&v, p, m);
  bits128 value = evaluator_value(&v, e);
  evaluator_release(&v);
  return value;
}

static uint32_t leaf(struct node n, uint32_t id, const struct hashmap *by) {
  const uint64_t *found = n.op == EXPR_CONSTANT ? NULL : hashmap_find(by, n.args[0]);
  return found ? (uint32_t)*found : id;
}

/* The node `n` over other operands, `x`. */
static uint32_t rebuilt(struct value_pool *p, struct node n, const uint32_t x[3]) {
  struct expr a = {x[0]}, b = {x[1]}, c = {x[2]};
  if (expr_is_real((enum expr_op)n.op)) return real_expr_rebuilt(p, &n, a, b).id;
  switch ((int)n.op) {
    case EXPR_NOT:
      return expr_not(p, a).id;
    case EXPR_NEG:
      return expr_neg(p, a).id;
    case EXPR_CONCAT:
      return expr_concat(p, a, b).id;
    case EXPR_EXTRACT:
      return expr_extract(p, a, n.args[1], n.width).id;
    case EXPR_ZEXT:
      return expr_zext(p, a, n.width).id;
    case EXPR_SEXT:
      return expr_sext(p, a, n.width).id;
    case EXPR_ITE:
      return expr_ite(p, a, b, c).id;
    case EXPR_SELECT:
      return expr_select(p, (struct expr_array){x[0]}, b).id;
    case EXPR_ARRAY_CONSTANT:
      return expr_array_constant(p, a).id;
    case EXPR_STORE:
      return expr_store(p, (struct expr_array){x[0]}, b, c).id;
  }
  return expr_binary(p, (enum expr_op)n.op, a, b).id;
}

void substituter_begin(struct substituter *t, struct value_pool *p) {
  t->pool = p;
  hashmap_clear(&t->of_symbol);
  begin_round(&t->round, t->rounds, t->room);
}

void substituter_replace(struct substituter *t, struct substitution by) { *hashmap_at(&t->of_symbol, by.symbol.id, by.by, NULL) = by.by; }

static void make_room_for_results(struct substituter *t) {
  size_t count = value_pool_count(t->pool), room = t->room ? 2 * count : count;
  if (t->room >= count) return;
  t->results = larger(t->results, sizeof *t->results, t->room, room);
  t->rounds = larger(t->rounds, sizeof *t->rounds, t->room, room);
  t->room = room;
}

struct expr substituter_result(struct substituter *t, struct expr e) {
  make_room_for_results(t); /* for all that is below `e`: what is made meanwhile is not */
  *vec_push(&t->stack) = e.id;
  while (t->stack.count) {
    uint32_t id = vec_last(&t->stack), x[3] = {0};
    struct node n = *node_at(t->pool, id); /* nodes move */
    unsigned operands = node_operands((enum expr_op)n.op);
    size_t waiting = t->stack.count;
    if (t->rounds[id] != t->round)
      for (unsigned i = 0; i < operands; i++)
        if (t->rounds[n.args[i]] != t->round) *vec_push(&t->stack) = n.args[i];
    if (t->stack.count != waiting) continue;
    (void)vec_pop(&t->stack);
    if (t->rounds[id] == t->round) continue; /* it was waiting twice */
    for (unsigned i = 0; i < operands; i++) x[i] = t->results[n.args[i]];
    t->results[id] = operands ? rebuilt(t->pool, n, x) : leaf(n, id, &t->of_symbol);
    t->rounds[id] = t->round;
  }
  return (struct expr){t->results[e.id]};
}

void substituter_release(struct substituter *t) {
  mem_free(t->results, t->room * sizeof *t->results);
  mem_free(t->rounds, t->room * sizeof *t->rounds);
  hashmap_release(&t->of_symbol);
  vec_release(&t->stack);
  t->results = t->rounds = NULL, t->room = 0;
}

struct expr expr_substitute(struct value_pool *p, struct expr e, const struct substitution *by, size_t count) {
  struct substituter t = {0};
  substituter_begin(&t, p);
  for (size_t i = 0; i < count; i++) substituter_replace(&t, by[i]);
  e = substituter_result(&t, e);
  substituter_release(&t);
  return e;
}
