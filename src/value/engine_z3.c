/* Z3 through its C API: the theories of bit vectors, arrays and floating point. Oracle in tests, yardstick in benchmarks.
 *
 * libz3 is opened at run time, as in order/order_z3.c: only those who use it pay for loading it. */
#include <dlfcn.h>
#include <limits.h>

#include "base/err.h"
#include "value/engine_z3.h"
#include "value/walk.h"

/* A context keeps all expressions that were made in it; with so many it is renewed. */
#define MANY_EXPRESSIONS ((size_t)1 << 20)
/* Of Z3's units, about what a conflict costs. */
#define RLIMIT_A_CONFLICT 10000u

static void no_handler(Z3_context c, Z3_error_code code) { (void)c, (void)code; }

static void open_context(struct engine_z3 *z) {
  Z3_config config = z->mk_config();
  z->context = z->mk_context(config);
  z->del_config(config);
  z->set_error_handler(z->context, no_handler);
  z->solver = z->mk_simple_solver(z->context);
  z->solver_inc_ref(z->context, z->solver);
  bool bit = true;
  z->one = z->mk_bv_numeral(z->context, 1, &bit);
  for (size_t i = 0; i < z->made.count; i++) z->made.data[i] = NULL;
  z->count = 0;
}

static void close_context(struct engine_z3 *z) {
  z->solver_dec_ref(z->context, z->solver);
  z->del_context(z->context);
}

Z3_ast z3_number(struct engine_z3 *z, bits128 value, unsigned width) {
  bool bits[EXPR_MAX_WIDTH];
  for (unsigned i = 0; i < width; i++) bits[i] = value >> i & 1;
  return z->mk_bv_numeral(z->context, width, bits);
}

static Z3_sort sort(struct engine_z3 *z, unsigned width) {
  if (width) return z->mk_bv_sort(z->context, width);
  return z->mk_array_sort(z->context, z->mk_bv_sort(z->context, ARRAY_INDEX_WIDTH), z->mk_bv_sort(z->context, 8));
}

static Z3_ast bit(struct engine_z3 *z, Z3_ast is) { return z->mk_ite(z->context, is, z->one, z3_number(z, 0, 1)); }

static Z3_ast binary(struct engine_z3 *z, enum expr_op op, Z3_ast a, Z3_ast b) {
  Z3_context c = z->context;
  switch ((int)op) {
    case EXPR_ADD:
      return z->mk_bvadd(c, a, b);
    case EXPR_SUB:
      return z->mk_bvsub(c, a, b);
    case EXPR_MUL:
      return z->mk_bvmul(c, a, b);
    case EXPR_UDIV:
      return z->mk_bvudiv(c, a, b);
    case EXPR_SDIV:
      return z->mk_bvsdiv(c, a, b);
    case EXPR_UREM:
      return z->mk_bvurem(c, a, b);
    case EXPR_SREM:
      return z->mk_bvsrem(c, a, b);
    case EXPR_AND:
      return z->mk_bvand(c, a, b);
    case EXPR_OR:
      return z->mk_bvor(c, a, b);
    case EXPR_XOR:
      return z->mk_bvxor(c, a, b);
    case EXPR_SHL:
      return z->mk_bvshl(c, a, b);
    case EXPR_LSHR:
      return z->mk_bvlshr(c, a, b);
    case EXPR_ASHR:
      return z->mk_bvashr(c, a, b);
    case EXPR_EQ:
      return bit(z, z->mk_eq(c, a, b));
    case EXPR_ULT:
      return bit(z, z->mk_bvult(c, a, b));
    case EXPR_ULE:
      return bit(z, z->mk_bvule(c, a, b));
    case EXPR_SLT:
      return bit(z, z->mk_bvslt(c, a, b));
  }
  return bit(z, z->mk_bvsle(c, a, b));
}

static Z3_ast translate(struct engine_z3 *z, const struct node *n) {
  Z3_context c = z->context;
  Z3_ast x[3] = {0};
  for (unsigned i = 0; i < node_operands((enum expr_op)n->op); i++) x[i] = z->made.data[n->args[i]];
  unsigned of = x[0] ? node_at(z->pool, n->args[0])->width : 0;
  switch ((int)n->op) {
    case EXPR_CONSTANT:
      return z3_number(z, node_value(n), n->width);
    case EXPR_SYMBOL:
    case EXPR_ARRAY_SYMBOL:
      return z->mk_const(c, z->mk_int_symbol(c, (int)n->args[0]), sort(z, n->width));
    case EXPR_NOT:
      return z->mk_bvnot(c, x[0]);
    case EXPR_NEG:
      return z->mk_bvneg(c, x[0]);
    case EXPR_CONCAT:
      return z->mk_concat(c, x[0], x[1]);
    case EXPR_EXTRACT:
      return z->mk_extract(c, n->args[1] + n->width - 1, n->args[1], x[0]);
    case EXPR_ZEXT:
      return z->mk_zero_ext(c, n->width - of, x[0]);
    case EXPR_SEXT:
      return z->mk_sign_ext(c, n->width - of, x[0]);
    case EXPR_ITE:
      return z->mk_ite(c, z->mk_eq(c, x[0], z->one), x[1], x[2]);
    case EXPR_SELECT:
      return z->mk_select(c, x[0], x[1]);
    case EXPR_STORE:
      return z->mk_store(c, x[0], x[1], x[2]);
    case EXPR_ARRAY_CONSTANT:
      return z->mk_const_array(c, z->mk_bv_sort(c, ARRAY_INDEX_WIDTH), x[0]);
  }
  if (expr_is_real((enum expr_op)n->op)) return z3_real(z, n, of, x[0], x[1]);
  return binary(z, (enum expr_op)n->op, x[0], x[1]);
}

static Z3_ast z3_of(struct engine_z3 *z, uint32_t root) {
  while (z->made.count < z->pool->nodes.count) *vec_push(&z->made) = NULL;
  *vec_push(&z->stack) = root;
  while (z->stack.count) {
    uint32_t id = vec_last(&z->stack);
    const struct node *n = node_at(z->pool, id);
    size_t waiting = z->stack.count;
    for (unsigned i = 0; !z->made.data[id] && i < node_operands((enum expr_op)n->op); i++)
      if (!z->made.data[n->args[i]]) *vec_push(&z->stack) = n->args[i];
    if (z->stack.count != waiting) continue;
    (void)vec_pop(&z->stack);
    if (z->made.data[id]) continue;
    z->made.data[id] = translate(z, n);
    z->count++;
  }
  return z->made.data[root];
}

/* Models. */

static bits128 evaluated(struct engine_z3 *z, Z3_model m, Z3_ast e) {
  Z3_ast value;
  bits128 number = 0;
  if (!z->model_eval(z->context, m, e, true, &value)) return 0;
  const char *text = z->get_numeral_binary_string(z->context, value);
  for (; text && *text; text++) number = number << 1 | (*text == '1');
  return number;
}

/* What is read of array symbols below the conditions: a model has no more to say. */
static void read_bytes(struct engine_z3 *z, Z3_model m, const uint32_t *ids, size_t count, struct value_model *model) {
  struct walk w = {0};
  walk_from(&w, z->pool, ids, count);
  for (size_t i = 0; i < w.ids.count; i++) {
    const struct node *n = node_at(z->pool, w.ids.data[i]);
    if (n->op != EXPR_SELECT) continue;
    uint32_t array = n->args[0];
    while (node_at(z->pool, array)->op == EXPR_STORE) array = node_at(z->pool, array)->args[0];
    if (node_at(z->pool, array)->op != EXPR_ARRAY_SYMBOL) continue;
    struct symbol s = {node_at(z->pool, array)->args[0]};
    uint64_t index = (uint64_t)evaluated(z, m, z->made.data[n->args[1]]);
    Z3_ast byte = z->mk_select(z->context, z->made.data[array], z3_number(z, index, ARRAY_INDEX_WIDTH));
    value_model_set_byte(model, s, index, (uint8_t)evaluated(z, m, byte));
  }
  walk_release(&w);
}

static void read_model(struct engine_z3 *z, const uint32_t *ids, size_t count, struct value_model *model) {
  Z3_model m = z->solver_get_model(z->context, z->solver);
  z->model_inc_ref(z->context, m);
  for (size_t i = 0; i < count; i++) {
    size_t symbols;
    const struct symbol *of = symbol_set_list(z->pool, (struct symbol_set){node_at(z->pool, ids[i])->symbols}, &symbols);
    for (size_t j = 0; j < symbols; j++) {
      unsigned width = symbol_width(z->pool, of[j]);
      Z3_ast symbol = z->mk_const(z->context, z->mk_int_symbol(z->context, (int)of[j].id), sort(z, width));
      if (width) value_model_set(model, of[j], evaluated(z, m, symbol));
    }
  }
  read_bytes(z, m, ids, count, model);
  z->model_dec_ref(z->context, m);
}

static void limit(struct engine_z3 *z, uint64_t work) {
  Z3_params p = z->mk_params(z->context);
  z->params_inc_ref(z->context, p);
  unsigned most = work < UINT_MAX / RLIMIT_A_CONFLICT ? (unsigned)work * RLIMIT_A_CONFLICT : UINT_MAX;
  z->params_set_uint(z->context, p, z->mk_string_symbol(z->context, "rlimit"), most);
  z->solver_set_params(z->context, z->solver, p);
  z->params_dec_ref(z->context, p);
}

static enum value_answer solve(struct engine *engine, const uint32_t *ids, size_t count, uint64_t work, struct value_model *model,
                               struct conjuncts *core) {
  struct engine_z3 *z = (struct engine_z3 *)engine;
  if (z->count > MANY_EXPRESSIONS) {
    close_context(z);
    open_context(z);
  }
  z->solver_push(z->context, z->solver);
  for (size_t i = 0; i < count; i++) z->solver_assert(z->context, z->solver, z->mk_eq(z->context, z3_of(z, ids[i]), z->one));
  limit(z, work);
  Z3_lbool result = z->solver_check(z->context, z->solver);
  if (result == Z3_L_TRUE) read_model(z, ids, count, model);
  for (size_t i = 0; result == Z3_L_FALSE && i < count; i++) *vec_push(&core->ids) = ids[i];
  z->engine.reason = VALUE_REASON_LIMIT;
  z->solver_pop(z->context, z->solver, 1);
  return result == Z3_L_TRUE ? VALUE_YES : result == Z3_L_FALSE ? VALUE_NO : VALUE_UNKNOWN;
}

static void release(struct engine *engine) {
  struct engine_z3 *z = (struct engine_z3 *)engine;
  close_context(z);
  dlclose(z->library);
  vec_release(&z->made);
  vec_release(&z->stack);
  mem_free(z, sizeof *z);
}

/* False: `d` says why. */
static bool open_library(struct engine_z3 *z, struct diag *d) {
  const char *missing = NULL;
  z->library = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!z->library) {
    (void)diag_set(d, ERR_UNSUPPORTED, "libz3 cannot be opened: %s", dlerror());
    diag_hint(d, "install the package libz3-4");
    return false;
  }
#define X(name) \
  if (!(z->name = (__typeof__(Z3_##name) *)dlsym(z->library, "Z3_" #name))) missing = "Z3_" #name;
  Z3_LIST(X)
#undef X
  if (!missing) return true;
  (void)diag_set(d, ERR_UNSUPPORTED, "libz3 has no %s: another version is needed", missing);
  dlclose(z->library);
  return false;
}

struct engine *engine_z3_new(struct value_pool *p, struct diag *d) {
  struct engine_z3 *z = mem_alloc(sizeof *z);
  if (!open_library(z, d)) {
    mem_free(z, sizeof *z);
    return NULL;
  }
  z->engine = (struct engine){.solve = solve, .free = release};
  z->pool = p;
  open_context(z);
  return &z->engine;
}
