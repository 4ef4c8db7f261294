#include "value/eval.h"

#include <assert.h>

#include "value/walk.h"

void value_model_set(struct value_model *m, struct symbol s, bits128 value) {
  while (m->numbers.count <= s.id) *vec_push(&m->numbers) = 0;
  m->numbers.data[s.id] = value;
}

static struct model_byte *byte_at(const struct value_model *m, struct symbol array, uint64_t index) {
  for (size_t i = 0; i < m->bytes.count; i++)
    if (m->bytes.data[i].array.id == array.id && m->bytes.data[i].index == index) return &m->bytes.data[i];
  return NULL;
}

void value_model_set_byte(struct value_model *m, struct symbol array, uint64_t index, uint8_t byte) {
  struct model_byte *known = byte_at(m, array, index);
  if (known)
    known->byte = byte;
  else
    *vec_push(&m->bytes) = (struct model_byte){array, index, byte};
}

bits128 value_model_get(const struct value_model *m, struct symbol s) { return s.id < m->numbers.count ? m->numbers.data[s.id] : 0; }

uint8_t value_model_get_byte(const struct value_model *m, struct symbol array, uint64_t index) {
  const struct model_byte *known = byte_at(m, array, index);
  return known ? known->byte : 0;
}

void value_model_clear(struct value_model *m) {
  vec_clear(&m->numbers);
  vec_clear(&m->bytes);
}

void value_model_release(struct value_model *m) {
  vec_release(&m->numbers);
  vec_release(&m->bytes);
}

struct evaluation {
  const struct value_pool *pool;
  const struct value_model *model;
  struct walk walk;
  VEC(bits128) values; /* by place; an array has none */
};

static bits128 value_of(const struct evaluation *v, uint32_t id) { return v->values.data[walk_place(&v->walk, id)]; }

/* The byte that was stored there last. */
static bits128 select_byte(const struct evaluation *v, uint32_t array, bits128 index) {
  const struct node *n = node_at(v->pool, array);
  for (; n->op == EXPR_STORE; n = node_at(v->pool, n->args[0]))
    if (value_of(v, n->args[1]) == index) return value_of(v, n->args[2]);
  if (n->op == EXPR_ARRAY_CONSTANT) return value_of(v, n->args[0]);
  return value_model_get_byte(v->model, (struct symbol){n->args[0]}, (uint64_t)index);
}

static bits128 evaluate(const struct evaluation *v, const struct node *n) {
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

bits128 expr_eval(const struct value_pool *p, struct expr e, const struct value_model *m) {
  struct evaluation v = {.pool = p, .model = m};
  walk_from(&v.walk, p, &e.id, 1);
  for (size_t i = 0; i < v.walk.ids.count; i++) {
    bits128 value = evaluate(&v, node_at(p, v.walk.ids.data[i]));
    *vec_push(&v.values) = value;
  }
  bits128 result = vec_last(&v.values);
  vec_release(&v.values);
  walk_release(&v.walk);
  return result;
}

static uint32_t leaf(struct node n, uint32_t id, const struct substitution *by, size_t count) {
  if (n.op == EXPR_CONSTANT) return id;
  for (size_t i = 0; i < count; i++)
    if (by[i].symbol.id == n.args[0]) return by[i].by;
  return id;
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
  VEC(uint32_t) results = {0};
  walk_from(&w, p, &e.id, 1);
  for (size_t i = 0; i < w.ids.count; i++) {
    uint32_t id = w.ids.data[i], x[3] = {0};
    struct node n = *node_at(p, id); /* nodes move */
    unsigned operands = node_operands((enum expr_op)n.op);
    for (unsigned j = 0; j < operands; j++) x[j] = results.data[walk_place(&w, n.args[j])];
    uint32_t result = operands ? rebuilt(p, n, x) : leaf(n, id, by, count);
    *vec_push(&results) = result;
  }
  struct expr result = {vec_last(&results)};
  vec_release(&results);
  walk_release(&w);
  return result;
}
