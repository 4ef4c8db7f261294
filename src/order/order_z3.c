#include "order/order_z3.h"

#include <assert.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <z3.h>

#include "base/err.h"
#include "order/search.h"

/* Of libz3, what is used here. */
#define Z3_LIST(X)            \
  X(mk_config)                \
  X(del_config)               \
  X(mk_context)               \
  X(del_context)              \
  X(mk_simple_solver)         \
  X(solver_inc_ref)           \
  X(solver_dec_ref)           \
  X(solver_reset)             \
  X(solver_push)              \
  X(solver_pop)               \
  X(solver_assert)            \
  X(solver_set_params)        \
  X(solver_check_assumptions) \
  X(solver_get_unsat_core)    \
  X(solver_get_model)         \
  X(model_inc_ref)            \
  X(model_dec_ref)            \
  X(model_eval)               \
  X(get_numeral_int64)        \
  X(get_bool_value)           \
  X(mk_params)                \
  X(params_inc_ref)           \
  X(params_dec_ref)           \
  X(params_set_uint)          \
  X(mk_int_sort)              \
  X(mk_bool_sort)             \
  X(mk_int_symbol)            \
  X(mk_string_symbol)         \
  X(mk_const)                 \
  X(mk_lt)                    \
  X(mk_or)                    \
  X(mk_not)                   \
  X(mk_true)                  \
  X(mk_false)                 \
  X(ast_vector_inc_ref)       \
  X(ast_vector_dec_ref)       \
  X(ast_vector_size)          \
  X(ast_vector_get)

/* Expressions stay until their context goes; it is renewed after so many problems. */
#define PROBLEMS_A_CONTEXT 256u

struct order_z3 {
  void *library;
#define X(name) __typeof__(Z3_##name) *name;
  Z3_LIST(X)
#undef X
  Z3_context context;
  Z3_solver solver;
  bool sparse;
  uint32_t problems;
  bool bad;                    /* an event was to come before itself */
  VEC(Z3_ast) events;          /* kept over problems: event i is always the same constant */
  VEC(uint32_t) linear, place; /* of the answer */
  VEC(bool) booleans;          /* by variable */
  VEC(Z3_ast) scratch;
  VEC(int64_t) positions;
  uint32_t count;
  VEC(uint32_t) levels; /* events at each push */
};

/* Of Z3's arithmetic solvers (4.8.12), 3 is dense difference logic: best for small problems, quadratic in events. 1 is sparse. What
 * QF_IDL chooses, and simplex (2, 6), are behind one of the two on every shape of bench/order. */
static Z3_solver solver_new(struct order_z3 *z) {
  Z3_solver solver = z->mk_simple_solver(z->context);
  z->solver_inc_ref(z->context, solver); /* the context holds only the newest object */
  Z3_params p = z->mk_params(z->context);
  z->params_inc_ref(z->context, p);
  z->params_set_uint(z->context, p, z->mk_string_symbol(z->context, "arith.solver"), z->sparse ? 1 : 3);
  z->solver_set_params(z->context, solver, p);
  z->params_dec_ref(z->context, p);
  return solver;
}

static void open_context(struct order_z3 *z) {
  Z3_config config = z->mk_config();
  z->context = z->mk_context(config);
  z->del_config(config);
  z->solver = solver_new(z);
  vec_clear(&z->events);
  z->problems = 0;
}

static void close_context(struct order_z3 *z) {
  z->solver_dec_ref(z->context, z->solver);
  z->del_context(z->context);
}

struct order_z3 *order_z3_new(bool sparse, struct diag *d) {
  struct order_z3 *z = mem_alloc(sizeof *z);
  z->sparse = sparse;
  const char *missing = NULL;
  z->library = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!z->library) {
    (void)diag_set(d, ERR_UNSUPPORTED, "libz3 cannot be opened: %s", dlerror());
    diag_hint(d, "install the package libz3-4");
    mem_free(z, sizeof *z);
    return NULL;
  }
#define X(name) \
  if (!(z->name = (__typeof__(Z3_##name) *)dlsym(z->library, "Z3_" #name))) missing = "Z3_" #name;
  Z3_LIST(X)
#undef X
  if (missing) {
    (void)diag_set(d, ERR_UNSUPPORTED, "libz3 has no %s: another version is needed", missing);
    dlclose(z->library);
    mem_free(z, sizeof *z);
    return NULL;
  }
  open_context(z);
  return z;
}

void order_z3_free(struct order_z3 *z) {
  if (!z) return;
  close_context(z);
  dlclose(z->library);
  vec_release(&z->events);
  vec_release(&z->linear);
  vec_release(&z->place);
  vec_release(&z->booleans);
  vec_release(&z->scratch);
  vec_release(&z->positions);
  vec_release(&z->levels);
  mem_free(z, sizeof *z);
}

void order_z3_clear(struct order_z3 *z) {
  if (++z->problems > PROBLEMS_A_CONTEXT) {
    close_context(z);
    open_context(z);
  } else {
    z->solver_reset(z->context, z->solver);
  }
  z->count = 0;
  vec_clear(&z->levels);
}

static Z3_ast less(struct order_z3 *z, uint32_t a, uint32_t b) {
  return a == b ? z->mk_false(z->context) : z->mk_lt(z->context, z->events.data[a], z->events.data[b]);
}

void order_z3_event(struct order_z3 *z, uint32_t before) {
  uint32_t e = z->count++;
  while (z->events.count <= e) {
    Z3_symbol name = z->mk_int_symbol(z->context, (int)z->events.count);
    *vec_push(&z->events) = z->mk_const(z->context, name, z->mk_int_sort(z->context));
  }
  if (before != PORDER_NONE) order_z3_edge(z, before, e);
}

void order_z3_edge(struct order_z3 *z, uint32_t a, uint32_t b) { z->solver_assert(z->context, z->solver, less(z, a, b)); }

static Z3_ast expression(struct order_z3 *z, const struct search *s, struct order_lit l) {
  uint32_t a, b;
  if (search_pair(s, l.code, &a, &b)) return less(z, a, b);
  if (l.code <= 1) return l.code == ORDER_TRUE.code ? z->mk_true(z->context) : z->mk_false(z->context);
  /* Events and Booleans have names of one kind and constants of two sorts. */
  Z3_ast boolean = z->mk_const(z->context, z->mk_int_symbol(z->context, (int)(l.code >> 1)), z->mk_bool_sort(z->context));
  return l.code & 1 ? z->mk_not(z->context, boolean) : boolean;
}

static void expressions(struct order_z3 *z, const struct search *s, const struct order_lit *lits, size_t n) {
  vec_clear(&z->scratch);
  for (size_t i = 0; i < n; i++) *vec_push(&z->scratch) = expression(z, s, lits[i]);
}

void order_z3_clause(struct order_z3 *z, const struct search *s, const struct order_lit *lits, size_t n) {
  expressions(z, s, lits, n);
  z->solver_assert(z->context, z->solver, z->mk_or(z->context, (unsigned)n, z->scratch.data));
}

void order_z3_push(struct order_z3 *z) { z->solver_push(z->context, z->solver); }

void order_z3_pop(struct order_z3 *z, const struct search *s) {
  z->solver_pop(z->context, z->solver, 1);
  z->count = (uint32_t)s->porder.events.count;
}

static int64_t *sort_by;

static int by_position(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  int64_t p = sort_by[x], q = sort_by[y];
  return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

static void read_model(struct order_z3 *z, const struct search *s) {
  Z3_model model = z->solver_get_model(z->context, z->solver);
  z->model_inc_ref(z->context, model);
  vec_clear(&z->positions);
  vec_clear(&z->linear);
  vec_clear(&z->place);
  vec_clear(&z->booleans);
  for (uint32_t e = 0; e < z->count; e++) {
    Z3_ast value;
    int64_t position = 0;
    bool fine = z->model_eval(z->context, model, z->events.data[e], true, &value) && z->get_numeral_int64(z->context, value, &position);
    assert(fine);
    (void)fine;
    *vec_push(&z->positions) = position;
    *vec_push(&z->linear) = e;
    *vec_push(&z->place) = 0;
  }
  for (uint32_t v = 0; v < s->vars.count; v++) {
    Z3_ast value;
    bool is = s->vars.data[v].a == NO_EVENT &&
              z->model_eval(z->context, model, expression(z, s, (struct order_lit){2 * v}), true, &value) &&
              z->get_bool_value(z->context, value) == Z3_L_TRUE;
    *vec_push(&z->booleans) = is;
  }
  z->model_dec_ref(z->context, model);
  sort_by = z->positions.data;
  if (z->count) qsort(z->linear.data, z->count, sizeof *z->linear.data, by_position);
  for (uint32_t i = 0; i < z->count; i++) z->place.data[z->linear.data[i]] = i;
}

static void read_core(struct order_z3 *z, struct search *s, const struct order_lit *assumptions, size_t n) {
  Z3_ast_vector core = z->solver_get_unsat_core(z->context, z->solver);
  z->ast_vector_inc_ref(z->context, core);
  for (unsigned i = 0; i < z->ast_vector_size(z->context, core); i++) {
    size_t j = 0;
    while (j < n && z->scratch.data[j] != z->ast_vector_get(z->context, core, i)) j++;
    assert(j < n);
    *vec_push(&s->core) = assumptions[j];
  }
  z->ast_vector_dec_ref(z->context, core);
}

/* Z3 leaves a constant out of its cores. */
static bool assumes_false(struct search *s, const struct order_lit *assumptions, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (assumptions[i].code != ORDER_FALSE.code) continue;
    *vec_push(&s->core) = ORDER_FALSE;
    s->answer = ORDER_NO;
    return true;
  }
  return false;
}

enum order_answer order_z3_solve(struct order_z3 *z, struct search *s, const struct order_lit *assumptions, size_t n, uint64_t budget) {
  Z3_params p = z->mk_params(z->context);
  z->params_inc_ref(z->context, p);
  z->params_set_uint(z->context, p, z->mk_string_symbol(z->context, "max_conflicts"), budget < UINT_MAX ? (unsigned)budget : UINT_MAX);
  z->solver_set_params(z->context, z->solver, p);
  z->params_dec_ref(z->context, p);
  vec_clear(&s->core);
  if (assumes_false(s, assumptions, n)) return ORDER_NO;
  expressions(z, s, assumptions, n);
  Z3_lbool result = z->solver_check_assumptions(z->context, z->solver, (unsigned)n, z->scratch.data);
  s->answer = result == Z3_L_TRUE ? ORDER_YES : result == Z3_L_FALSE ? ORDER_NO : ORDER_UNKNOWN;
  if (s->answer == ORDER_YES) read_model(z, s);
  if (s->answer == ORDER_NO) read_core(z, s, assumptions, n);
  return s->answer;
}

bool order_z3_value(struct order_z3 *z, const struct search *s, struct order_lit l) {
  uint32_t a, b;
  if (search_pair(s, l.code, &a, &b)) return z->place.data[a] < z->place.data[b];
  return z->booleans.data[l.code >> 1] != (l.code & 1);
}

void order_z3_linear(struct order_z3 *z, const struct search *s, uint32_t *out) {
  for (uint32_t i = 0; i < s->porder.events.count; i++) out[i] = z->linear.data[i];
}
