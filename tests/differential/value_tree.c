#include "value_tree.h"

#include <stdlib.h>

uint64_t tree_random(struct tree *t, uint64_t below) {
  t->random = t->random * 6364136223846793005u + 1442695040888963407u;
  uint64_t x = t->random ^ t->random >> 29;
  return (x * 0xbf58476d1ce4e5b9u >> 20) % below;
}

bits128 tree_number(struct tree *t, unsigned width) {
  bits128 all = ((bits128)1 << (width - 1) << 1) - 1, x = 0;
  for (int i = 0; i < 4; i++) x = x << 32 | tree_random(t, 1ull << 32);
  switch (tree_random(t, 7)) {
  case 0: return tree_random(t, 3) & all;
  case 1: return all - (tree_random(t, 3) & all);
  case 2: return (bits128)1 << tree_random(t, width);
  case 3: return ((bits128)1 << (width - 1)) - (tree_random(t, 2) & all);
  case 4: return tree_some_real(t, width, x) & all;
  default: return x & all;
  }
}

static unsigned some_width(struct tree *t) {
  static const unsigned wide[] = {1, 2, 7, 8, 16, 31, 32, 33, 64, 65, 127, 128};
  return t->small ? 1 + (unsigned)tree_random(t, 4) : wide[tree_random(t, 12)];
}

static int new_node(struct tree *t, enum expr_op op, unsigned width) {
  if (t->count == TREE_NODES) abort();
  t->nodes[t->count] = (struct tree_node){.op = op, .width = width};
  return t->count++;
}

static void add_kid(struct tree *t, int at, int kid) { t->nodes[at].kids[t->nodes[at].kid_count++] = kid; }

static int leaf(struct tree *t, unsigned width) {
  bool constant = tree_random(t, 3) == 0;
  int at = new_node(t, constant ? EXPR_CONSTANT : EXPR_SYMBOL, width);
  t->nodes[at].value = constant ? tree_number(t, width) : tree_random(t, t->small ? 2 : TREE_SYMBOLS);
  return at;
}

/* Indices that often meet. */
static int grow_index(struct tree *t, int depth) {
  if (tree_random(t, 2)) {
    int at = new_node(t, EXPR_CONSTANT, ARRAY_INDEX_WIDTH);
    t->nodes[at].value = tree_random(t, 4);
    return at;
  }
  int at = new_node(t, EXPR_ZEXT, ARRAY_INDEX_WIDTH);
  add_kid(t, at, tree_grow(t, 2, depth - 1));
  return at;
}

static int grow_array(struct tree *t, int depth) {
  if (depth <= 0 || tree_random(t, 4) == 0) {
    bool filled = depth > 0 && tree_random(t, 2);
    int at = new_node(t, filled ? EXPR_ARRAY_CONSTANT : EXPR_ARRAY_SYMBOL, 0);
    if (filled) add_kid(t, at, tree_grow(t, 8, 0));
    return at;
  }
  int at = new_node(t, EXPR_STORE, 0);
  add_kid(t, at, grow_array(t, depth - 1));
  add_kid(t, at, grow_index(t, depth - 1));
  add_kid(t, at, tree_grow(t, 8, depth - 2));
  return at;
}

static int grow_part(struct tree *t, unsigned width, int depth) {
  unsigned most = t->small ? 4 : EXPR_MAX_WIDTH;
  switch (tree_random(t, 4)) {
  case 0: {
    if (width == 1) break;
    unsigned low = 1 + (unsigned)tree_random(t, width - 1);
    int at = new_node(t, EXPR_CONCAT, width);
    add_kid(t, at, tree_grow(t, width - low, depth - 1));
    add_kid(t, at, tree_grow(t, low, depth - 1));
    return at;
  }
  case 1: {
    unsigned from = width + (unsigned)tree_random(t, most - width + 1);
    int at = new_node(t, EXPR_EXTRACT, width);
    t->nodes[at].low = (unsigned)tree_random(t, from - width + 1);
    add_kid(t, at, tree_grow(t, from, depth - 1));
    return at;
  }
  default: break;
  }
  int at = new_node(t, tree_random(t, 2) ? EXPR_ZEXT : EXPR_SEXT, width);
  add_kid(t, at, tree_grow(t, 1 + (unsigned)tree_random(t, width), depth - 1));
  return at;
}

int tree_grow(struct tree *t, unsigned width, int depth) {
  if (depth <= 0) return leaf(t, width);
  uint64_t kind = tree_random(t, 12);
  if (kind == 0) return leaf(t, width);
  if (kind <= 2) return grow_part(t, width, depth);
  enum expr_op op = (enum expr_op)(EXPR_ADD + tree_random(t, EXPR_ASHR - EXPR_ADD + 1));
  unsigned of = width;
  int kids = 2;
  if (kind == 3) op = tree_random(t, 2) ? EXPR_NOT : EXPR_NEG, kids = 1;
  if (kind == 4) {
    int at = new_node(t, EXPR_ITE, width);
    add_kid(t, at, tree_grow(t, 1, depth - 1));
    add_kid(t, at, tree_grow(t, width, depth - 1));
    add_kid(t, at, tree_grow(t, width, depth - 1));
    return at;
  }
  if (width == 8 && !t->small && kind == 5) {
    int at = new_node(t, EXPR_SELECT, 8);
    add_kid(t, at, grow_array(t, depth));
    add_kid(t, at, grow_index(t, depth - 1));
    return at;
  }
  if (!t->small && (width == 32 || width == 64) && kind >= 6 && kind <= 8) {
    int at = new_node(t, EXPR_REAL_ADD, width);
    kids = tree_grow_real(t, &t->nodes[at], &of);
    for (int i = 0; i < kids; i++) add_kid(t, at, tree_grow(t, of, depth - 1));
    return at;
  }
  if (width == 1 && kind > 5) op = (enum expr_op)(EXPR_EQ + tree_random(t, 5)), of = some_width(t);
  int at = new_node(t, op, width);
  add_kid(t, at, tree_grow(t, of, depth - 1));
  if (kids == 2 && tree_random(t, 12) == 0) add_kid(t, at, t->nodes[at].kids[0]);
  else if (kids == 2) add_kid(t, at, tree_grow(t, of, depth - 1));
  return at;
}

/* Arithmetic bit by bit. */

static unsigned bit(bits128 x, unsigned i) { return (unsigned)(x >> i & 1); }

static bits128 sum(bits128 x, bits128 y, unsigned carry, unsigned w) {
  bits128 r = 0;
  for (unsigned i = 0; i < w; i++) {
    unsigned s = bit(x, i) + bit(y, i) + carry;
    r |= (bits128)(s & 1) << i, carry = s >> 1;
  }
  return r;
}

static bits128 inverse(bits128 x, unsigned w) {
  bits128 r = 0;
  for (unsigned i = 0; i < w; i++) r |= (bits128)!bit(x, i) << i;
  return r;
}

static bits128 minus(bits128 x, unsigned w) { return sum(inverse(x, w), 0, 1, w); }

static bool less(bits128 x, bits128 y, unsigned w) {
  for (unsigned i = w; i-- > 0;)
    if (bit(x, i) != bit(y, i)) return bit(y, i);
  return false;
}

static bool less_signed(bits128 x, bits128 y, unsigned w) {
  return bit(x, w - 1) != bit(y, w - 1) ? bit(x, w - 1) : less(x, y, w);
}

/* By one bit to the left or right, as often as said; `fill` comes in. */
static bits128 moved(bits128 x, bits128 by, unsigned w, bool left, unsigned fill) {
  unsigned n = less(by, w, 128) ? (unsigned)by : w;
  for (; n; n--) {
    bits128 r = 0;
    for (unsigned i = 0; i < w; i++) {
      unsigned from = left ? (i ? bit(x, i - 1) : fill) : (i + 1 < w ? bit(x, i + 1) : fill);
      r |= (bits128)from << i;
    }
    x = r;
  }
  return x;
}

static bits128 product(bits128 x, bits128 y, unsigned w) {
  bits128 r = 0;
  for (unsigned i = 0; i < w; i++, x = moved(x, 1, w, true, 0))
    if (bit(y, i)) r = sum(r, x, 0, w);
  return r;
}

/* SMT-LIB's long division: with 0 the quotient is all ones and the rest the dividend. */
static bits128 divided(bits128 x, bits128 y, unsigned w, bits128 *rest) {
  bits128 q = 0;
  if (y == 0) return *rest = x, inverse(0, w);
  *rest = 0;
  for (unsigned i = w; i-- > 0;) {
    unsigned out = bit(*rest, w - 1);
    *rest = moved(*rest, 1, w, true, bit(x, i));
    if (!out && less(*rest, y, w)) continue;
    *rest = sum(*rest, inverse(y, w), 1, w);
    q |= (bits128)1 << i;
  }
  return q;
}

static bits128 divided_signed(bits128 x, bits128 y, unsigned w, bool want_rest) {
  bool s = bit(x, w - 1), t = bit(y, w - 1);
  bits128 rest, q = divided(s ? minus(x, w) : x, t ? minus(y, w) : y, w, &rest);
  if (want_rest) return s ? minus(rest, w) : rest;
  return s != t ? minus(q, w) : q;
}

static bits128 binary(enum expr_op op, bits128 x, bits128 y, unsigned w) {
  bits128 rest = 0, q;
  switch ((int)op) {
  case EXPR_ADD: return sum(x, y, 0, w);
  case EXPR_SUB: return sum(x, inverse(y, w), 1, w);
  case EXPR_MUL: return product(x, y, w);
  case EXPR_UDIV: return divided(x, y, w, &rest);
  case EXPR_UREM: return q = divided(x, y, w, &rest), (void)q, rest;
  case EXPR_SDIV: return divided_signed(x, y, w, false);
  case EXPR_SREM: return divided_signed(x, y, w, true);
  case EXPR_AND: return x & y;
  case EXPR_OR: return x | y;
  case EXPR_XOR: return x ^ y;
  case EXPR_SHL: return moved(x, y, w, true, 0);
  case EXPR_LSHR: return moved(x, y, w, false, 0);
  case EXPR_ASHR: return moved(x, y, w, false, bit(x, w - 1));
  case EXPR_EQ: return x == y;
  case EXPR_ULT: return less(x, y, w);
  case EXPR_ULE: return !less(y, x, w);
  case EXPR_SLT: return less_signed(x, y, w);
  case EXPR_SLE: return !less_signed(y, x, w);
  }
  abort();
}

static bits128 selected(const struct tree *t, int array, bits128 index, const struct assignment *a) {
  const struct tree_node *n = &t->nodes[array];
  if (n->op == EXPR_ARRAY_SYMBOL) return index < 4 ? a->bytes[index] : 0;
  if (n->op == EXPR_ARRAY_CONSTANT) return tree_value(t, n->kids[0], a);
  return tree_value(t, n->kids[1], a) == index ? tree_value(t, n->kids[2], a) : selected(t, n->kids[0], index, a);
}

static bits128 low_bits(bits128 x, unsigned w) { return inverse(inverse(x, w), w); }

bits128 tree_value(const struct tree *t, int at, const struct assignment *a) {
  const struct tree_node *n = &t->nodes[at];
  unsigned w = n->width, of = n->kid_count ? t->nodes[n->kids[0]].width : 0;
  if (n->op == EXPR_CONSTANT) return n->value;
  if (n->op == EXPR_SYMBOL) return low_bits(a->numbers[n->value], w);
  if (n->op == EXPR_SELECT) return selected(t, n->kids[0], tree_value(t, n->kids[1], a), a);
  bits128 x = tree_value(t, n->kids[0], a);
  switch ((int)n->op) {
  case EXPR_NOT: return inverse(x, w);
  case EXPR_NEG: return minus(x, w);
  case EXPR_EXTRACT: return low_bits(moved(x, n->low, of, false, 0), w);
  case EXPR_ZEXT: return x;
  case EXPR_SEXT:
    for (unsigned i = of; i < w; i++) x |= (bits128)bit(x, of - 1) << i;
    return x;
  case EXPR_CONCAT: return moved(x, w - of, w, true, 0) | tree_value(t, n->kids[1], a);
  case EXPR_ITE: return tree_value(t, n->kids[x ? 1 : 2], a);
  }
  bits128 y = n->kid_count == 2 ? tree_value(t, n->kids[1], a) : 0;
  return tree_is_real(n) ? tree_real_value(n, of, x, y) : binary(n->op, x, y, of);
}

uint32_t tree_build(const struct tree *t, int at, struct value_pool *p, bool backwards) {
  const struct tree_node *n = &t->nodes[at];
  uint32_t k[3] = {0};
  for (int i = 0; i < n->kid_count; i++) {
    int kid = backwards ? n->kid_count - 1 - i : i;
    k[kid] = tree_build(t, n->kids[kid], p, backwards);
  }
  struct expr a = {k[0]}, b = {k[1]}, c = {k[2]};
  struct symbol_name name = {"0.1", 7, (uint64_t)n->value};
  switch ((int)n->op) {
  case EXPR_CONSTANT: return expr_constant(p, n->width, n->value).id;
  case EXPR_SYMBOL: return expr_symbol(p, name, n->width).id;
  case EXPR_ARRAY_SYMBOL: return expr_array_symbol(p, name).id;
  case EXPR_ARRAY_CONSTANT: return expr_array_constant(p, a).id;
  case EXPR_STORE: return expr_store(p, (struct expr_array){k[0]}, b, c).id;
  case EXPR_SELECT: return expr_select(p, (struct expr_array){k[0]}, b).id;
  case EXPR_NOT: return expr_not(p, a).id;
  case EXPR_NEG: return expr_neg(p, a).id;
  case EXPR_EXTRACT: return expr_extract(p, a, n->low, n->width).id;
  case EXPR_ZEXT: return expr_zext(p, a, n->width).id;
  case EXPR_SEXT: return expr_sext(p, a, n->width).id;
  case EXPR_CONCAT: return expr_concat(p, a, b).id;
  case EXPR_ITE: return expr_ite(p, a, b, c).id;
  }
  return tree_is_real(n) ? tree_build_real(n, p, a, b) : expr_binary(p, n->op, a, b).id;
}
