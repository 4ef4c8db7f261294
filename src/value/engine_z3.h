/* What the files of the engine Z3 share: libz3's functions, which are looked up at run time. Only for engine_z3*.c. */
#pragma once
#include <z3.h>

#include "value/engine.h"
#include "value/internal.h"

/* Of libz3, what is used here. */
#define Z3_LIST(X)             \
  X(mk_config)                 \
  X(del_config)                \
  X(mk_context)                \
  X(del_context)               \
  X(set_error_handler)         \
  X(mk_simple_solver)          \
  X(solver_inc_ref)            \
  X(solver_dec_ref)            \
  X(solver_push)               \
  X(solver_pop)                \
  X(solver_assert)             \
  X(solver_set_params)         \
  X(solver_check)              \
  X(solver_get_model)          \
  X(model_inc_ref)             \
  X(model_dec_ref)             \
  X(model_eval)                \
  X(mk_params)                 \
  X(params_inc_ref)            \
  X(params_dec_ref)            \
  X(params_set_uint)           \
  X(mk_bv_sort)                \
  X(mk_array_sort)             \
  X(mk_int_symbol)             \
  X(mk_string_symbol)          \
  X(mk_const)                  \
  X(mk_bv_numeral)             \
  X(mk_eq)                     \
  X(mk_ite)                    \
  X(mk_bvadd)                  \
  X(mk_bvsub)                  \
  X(mk_bvmul)                  \
  X(mk_bvudiv)                 \
  X(mk_bvsdiv)                 \
  X(mk_bvurem)                 \
  X(mk_bvsrem)                 \
  X(mk_bvand)                  \
  X(mk_bvor)                   \
  X(mk_bvxor)                  \
  X(mk_bvshl)                  \
  X(mk_bvlshr)                 \
  X(mk_bvashr)                 \
  X(mk_bvult)                  \
  X(mk_bvule)                  \
  X(mk_bvslt)                  \
  X(mk_bvsle)                  \
  X(mk_bvnot)                  \
  X(mk_bvneg)                  \
  X(mk_concat)                 \
  X(mk_extract)                \
  X(mk_zero_ext)               \
  X(mk_sign_ext)               \
  X(mk_select)                 \
  X(mk_store)                  \
  X(mk_const_array)            \
  X(get_numeral_binary_string) \
  X(mk_fpa_sort)               \
  X(mk_fpa_rne)                \
  X(mk_fpa_rna)                \
  X(mk_fpa_rtp)                \
  X(mk_fpa_rtn)                \
  X(mk_fpa_rtz)                \
  X(mk_fpa_add)                \
  X(mk_fpa_mul)                \
  X(mk_fpa_div)                \
  X(mk_fpa_sqrt)               \
  X(mk_fpa_round_to_integral)  \
  X(mk_fpa_to_fp_bv)           \
  X(mk_fpa_to_fp_float)        \
  X(mk_fpa_to_fp_signed)       \
  X(mk_fpa_to_fp_unsigned)     \
  X(mk_fpa_to_sbv)             \
  X(mk_fpa_to_ieee_bv)         \
  X(mk_fpa_is_nan)

struct engine_z3 {
  struct engine engine;
  struct value_pool *pool;
  void *library;
#define X(name) __typeof__(Z3_##name) *name;
  Z3_LIST(X)
#undef X
  Z3_context context;
  Z3_solver solver;
  Z3_ast one;       /* #b1 */
  VEC(Z3_ast) made; /* by id; NULL: not so far */
  size_t count;     /* of them */
  VEC(uint32_t) stack;
};

/* `width` bits. */
Z3_ast z3_number(struct engine_z3 *z, bits128 value, unsigned width);
/* engine_z3_real.c. A node of floating point, whose operands, of `of` bits, are x and y. */
Z3_ast z3_real(struct engine_z3 *z, const struct node *n, unsigned of, Z3_ast x, Z3_ast y);
