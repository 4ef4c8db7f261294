/* Expressions over bit vectors and byte arrays: what a value is where it depends on data that nobody fixed.
 *
 * 1. An expression is made once: two ids are equal if and only if operator, width and operands are. Ids hold until the pool is freed.
 * 2. Operands have smaller ids than what is made of them, so a walk by id is a walk from the leaves up.
 * 3. What is made is simplified by rules that look at expressions and never at ids. So the same calls give the same expression in whatever
 *    order other expressions were made; expr_hash() tells that across pools and processes. Operands that may change places stand in the
 *    order of their hashes, a constant second.
 * 4. A condition is an expression of one bit. Arrays map 64-bit indices to bytes and are ids of their own.
 *
 * Operators have SMT-LIB's meaning everywhere (value/bits.h: division by zero, shifts by too much). Callers see to equal widths. Those of
 * floating point (EXPR_REAL_ADD and behind it) are made in value/real.h; value/real_bits.h says what their NaN is.
 * One thread at a time. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "value/bits.h"

enum { EXPR_MAX_WIDTH = 128, ARRAY_INDEX_WIDTH = 64 };

/* X(name, what SMT-LIB calls it) */
#define EXPR_OP_LIST(X)               \
  X(CONSTANT, "")                     \
  X(SYMBOL, "")                       \
  X(ADD, "bvadd")                     \
  X(SUB, "bvsub")                     \
  X(MUL, "bvmul")                     \
  X(UDIV, "bvudiv")                   \
  X(SDIV, "bvsdiv")                   \
  X(UREM, "bvurem")                   \
  X(SREM, "bvsrem")                   \
  X(AND, "bvand")                     \
  X(OR, "bvor")                       \
  X(XOR, "bvxor")                     \
  X(SHL, "bvshl")                     \
  X(LSHR, "bvlshr")                   \
  X(ASHR, "bvashr")                   \
  X(EQ, "=")                          \
  X(ULT, "bvult")                     \
  X(ULE, "bvule")                     \
  X(SLT, "bvslt")                     \
  X(SLE, "bvsle")                     \
  X(NOT, "bvnot")                     \
  X(NEG, "bvneg")                     \
  X(CONCAT, "concat")                 \
  X(EXTRACT, "extract")               \
  X(ZEXT, "zero_extend")              \
  X(SEXT, "sign_extend")              \
  X(ITE, "ite")                       \
  X(SELECT, "select")                 \
  X(ARRAY_SYMBOL, "")                 \
  X(ARRAY_CONSTANT, "")               \
  X(STORE, "store")                   \
  X(REAL_ADD, "fp.add")               \
  X(REAL_MUL, "fp.mul")               \
  X(REAL_DIV, "fp.div")               \
  X(REAL_SQRT, "fp.sqrt")             \
  X(REAL_ROUND, "fp.roundToIntegral") \
  X(REAL_CONVERT, "to_fp")            \
  X(REAL_TO_SIGNED, "fp.to_sbv")      \
  X(REAL_FROM_SIGNED, "to_fp")        \
  X(REAL_FROM_UNSIGNED, "to_fp_unsigned")
enum expr_op {
#define X(name, smt) EXPR_##name,
  EXPR_OP_LIST(X)
#undef X
};

struct expr {
  uint32_t id;
};
struct expr_array {
  uint32_t id;
};
struct symbol {
  uint32_t id; /* 0, 1, ... in the order in which they were made */
};
/* The symbols of an expression, made once: equal sets have equal ids; 0 is the empty one. */
struct symbol_set {
  uint32_t id;
};

/* Who read the data, where, and how many times before: the same in whatever schedule. */
struct symbol_name {
  const char *thread; /* hierarchical: "0.2.1" */
  uint64_t place;
  uint64_t count;
};

struct value_pool;

[[nodiscard]] struct value_pool *value_pool_new(void);
void value_pool_free(struct value_pool *p);

static inline bool expr_equal(struct expr a, struct expr b) { return a.id == b.id; }
static inline bool expr_array_equal(struct expr_array a, struct expr_array b) { return a.id == b.id; }

/* Leaves. A name and a width (1 to 128; of an array none) are one symbol; `name` is copied. */
struct expr expr_constant(struct value_pool *p, unsigned width, bits128 value);
struct expr expr_symbol(struct value_pool *p, struct symbol_name name, unsigned width);
struct expr_array expr_array_symbol(struct value_pool *p, struct symbol_name name);
/* The array with `byte` (8 bits) at each index. */
struct expr_array expr_array_constant(struct value_pool *p, struct expr byte);

/* EXPR_ADD to EXPR_ASHR give the operands' width, EXPR_EQ to EXPR_SLE one bit. */
struct expr expr_binary(struct value_pool *p, enum expr_op op, struct expr a, struct expr b);
struct expr expr_not(struct value_pool *p, struct expr a);
struct expr expr_neg(struct value_pool *p, struct expr a);
/* `high` above `low`; the sum of widths is at most 128. */
struct expr expr_concat(struct value_pool *p, struct expr high, struct expr low);
/* The `width` bits from bit `low` on. */
struct expr expr_extract(struct value_pool *p, struct expr a, unsigned low, unsigned width);
/* To `width` bits, which are not fewer. */
struct expr expr_zext(struct value_pool *p, struct expr a, unsigned width);
struct expr expr_sext(struct value_pool *p, struct expr a, unsigned width);
struct expr expr_ite(struct value_pool *p, struct expr condition, struct expr a, struct expr b);
struct expr expr_select(struct value_pool *p, struct expr_array array, struct expr index);
struct expr_array expr_store(struct value_pool *p, struct expr_array array, struct expr index, struct expr byte);

/* What is known of an expression, in constant time. */
unsigned expr_width(const struct value_pool *p, struct expr e);
enum expr_op expr_op(const struct value_pool *p, struct expr e);
bool expr_is_constant(const struct value_pool *p, struct expr e, bits128 *value);
/* What an EXPR_ZEXT or EXPR_SEXT widens. */
struct expr expr_widened(const struct value_pool *p, struct expr e);
struct fingerprint expr_hash(const struct value_pool *p, struct expr e);
struct fingerprint expr_array_hash(const struct value_pool *p, struct expr_array a);
struct symbol_set expr_symbols(const struct value_pool *p, struct expr e);

/* Is it made of at most `most` expressions, with no products, quotients, reads of arrays and floating point? Takes as long as there are
 * such. */
bool expr_is_simple(const struct value_pool *p, struct expr e, size_t most);

/* The set's symbols in rising order, `*count` of them; holds until the next expression is made. */
const struct symbol *symbol_set_list(const struct value_pool *p, struct symbol_set set, size_t *count);
/* `thread` holds as long as the pool. */
struct symbol_name symbol_name(const struct value_pool *p, struct symbol s);
/* 0: an array. */
unsigned symbol_width(const struct value_pool *p, struct symbol s);
/* The symbol that an expression, or an array, is; it must be one. */
struct symbol expr_the_symbol(const struct value_pool *p, struct expr e);
struct symbol expr_array_the_symbol(const struct value_pool *p, struct expr_array a);
/* How many expressions and arrays there are. */
size_t value_pool_count(const struct value_pool *p);
