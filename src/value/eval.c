#include "value/eval.h"

#include <assert.h>
#include <string.h>

#include "value/walk.h"

static bits128 value_of(const struct evaluator *v, uint32_t id) { return v->values[id]; }

/* The byte that was stored there last. */
static bits128 select_byte(const struct evaluator *v, uint32_t array, bits128 index) {
  const struct node *n = node_at(v->pool, array);
  for (; n->op == EXPR_STORE; n = node_at(v->pool, n->args[0]))
    if (value_of(v, n->args[1]) == index) return value_of(v, n->args[2]);
  if (n->op == EXPR_ARRAY_CONSTANT) return value_of(v, n->args[0]);
  return value_model_get_byte(v->model, (struct symbol){n->args[0]}, (uint64_t)index);
}

static bits128 evaluate(const struct evaluator *v, const struct node *n) {
  unsigned w = n->width;
  const uint32_t *a = n->args;
  switch ((enum expr_op)n->op) {
    case EXPR_CONSTANT:
      return node_value(n);
    case EXPR_SYMBOL:
      return bits_trim(value_model_get(v->model, (struct symbol){a[0]}), w);
    case EXPR_NOT:
      return bits_trim(~value_of(v, a[0]), w);
    case EXPR_NEG:
      return bits_neg(value_of(v, a[0]), w);
    case EXPR_CONCAT:
      return value_of(v, a[0]) << node_at(v->pool, a[1])->width | value_of(v, a[1]);
    case EXPR_EXTRACT:
      return bits_extract(value_of(v, a[0]), a[1], w);
    case EXPR_ZEXT:
      return value_of(v, a[0]);
    case EXPR_SEXT:
      return bits_sext(value_of(v, a[0]), node_at(v->pool, a[0])->width, w);
    case EXPR_ITE:
      return value_of(v, value_of(v, a[0]) ? a[1] : a[2]);
    case EXPR_SELECT:
      return select_byte(v, a[0], value_of(v, a[1]));
    case EXPR_ARRAY_SYMBOL:
    case EXPR_ARRAY_CONSTANT:
    case EXPR_STORE:
      return 0;
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR:
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE:
      return bits_apply((enum expr_op)n->op, node_at(v->pool, a[0])->width, value_of(v, a[0]), value_of(v, a[1]));
  }
  assert(false); /* no operator */
  return 0;
}

void evaluator_begin(struct evaluator *v, const struct value_pool *p, const struct value_model *m) {
  v->pool = p, v->model = m;
  if (++v->round != 0) return;
  if (v->room) memset(v->rounds, 0, v->room * sizeof *v->rounds); /* the count of rounds began anew */
  v->round = 1;
}

/* Room for all of the pool's expressions. Fresh memory is zero and not touched, so one evaluation in a large pool is not the pool's size.
 */
static void make_room(struct evaluator *v) {
  size_t count = value_pool_count(v->pool);
  if (v->room >= count) return;
  size_t room = v->room ? 2 * count : count;
  bits128 *values = mem_alloc(room * sizeof *values);
  uint32_t *rounds = mem_alloc(room * sizeof *rounds);
  if (v->room) {
    memcpy(values, v->values, v->room * sizeof *values);
    memcpy(rounds, v->rounds, v->room * sizeof *rounds);
    mem_free(v->values, v->room * sizeof *values);
    mem_free(v->rounds, v->room * sizeof *rounds);
  }
  v->values = values, v->rounds = rounds, v->room = room;
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

struct expr expr_substitute(struct value_pool *p, struct expr e, const struct substitution *by, size_t count) {
  struct walk w = {0};
  struct hashmap of_symbol = {0};
  VEC(uint32_t) results = {0};
  for (size_t i = 0; i < count; i++) hashmap_at(&of_symbol, by[i].symbol.id, by[i].by, NULL);
  walk_from(&w, p, &e.id, 1);
  for (size_t i = 0; i < w.ids.count; i++) {
    uint32_t id = w.ids.data[i], x[3] = {0};
    struct node n = *node_at(p, id); /* nodes move */
    unsigned operands = node_operands((enum expr_op)n.op);
    for (unsigned j = 0; j < operands; j++) x[j] = results.data[walk_place(&w, n.args[j])];
    uint32_t result = operands ? rebuilt(p, n, x) : leaf(n, id, &of_symbol);
    *vec_push(&results) = result;
  }
  struct expr result = {vec_last(&results)};
  vec_release(&results);
  hashmap_release(&of_symbol);
  walk_release(&w);
  return result;
}
