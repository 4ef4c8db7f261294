#include "value/expr_text.h"

#include <inttypes.h>

#include "value/real_bits.h"
#include "value/walk.h"

enum { DEEPEST = 12 };

static const char *const smt_names[] = {
#define X(name, smt) [EXPR_##name] = smt,
    EXPR_OP_LIST(X)
#undef X
};

static const char *const c_names[EXPR_REAL_FROM_UNSIGNED + 1] = {
    [EXPR_ADD] = "+", [EXPR_SUB] = "-",  [EXPR_MUL] = "*", [EXPR_AND] = "&", [EXPR_OR] = "|",
    [EXPR_XOR] = "^", [EXPR_SHL] = "<<", [EXPR_EQ] = "==", [EXPR_NOT] = "~", [EXPR_NEG] = "-",
};

static const char *const modes[] = {[REAL_EVEN] = "RNE", [REAL_AWAY] = "RNA", [REAL_UP] = "RTP", [REAL_DOWN] = "RTN", [REAL_ZERO] = "RTZ"};

static void put_symbol(const struct value_pool *p, uint32_t symbol, struct text *out) {
  struct symbol_name s = symbol_name(p, (struct symbol){symbol});
  text_printf(out, "%s:%" PRIu64 "#%" PRIu64, s.thread, s.place, s.count);
}

static void put_number(bits128 v, struct text *out) {
  if (v >> 64)
    text_printf(out, "0x%" PRIx64 "%016" PRIx64, (uint64_t)(v >> 64), (uint64_t)v);
  else
    text_printf(out, v < 10 ? "%" PRIu64 : "0x%" PRIx64, (uint64_t)v);
}

static void put(const struct value_pool *p, uint32_t id, int depth, struct text *out);

static void put_list(const struct value_pool *p, const struct node *n, int depth, struct text *out) {
  text_puts(out, n->op == EXPR_ARRAY_CONSTANT ? "all" : smt_names[n->op]);
  for (unsigned i = 0; i < node_operands((enum expr_op)n->op); i++) {
    text_puts(out, i ? ", " : "(");
    put(p, n->args[i], depth, out);
  }
  bool has_width = n->op == EXPR_ZEXT || n->op == EXPR_SEXT || n->op >= EXPR_REAL_CONVERT;
  if (has_width) text_printf(out, ", %u", n->width);
  if (n->op == EXPR_REAL_ROUND) text_printf(out, ", %s", modes[n->args[1]]);
  text_putc(out, ')');
}

static void put(const struct value_pool *p, uint32_t id, int depth, struct text *out) {
  const struct node *n = node_at(p, id);
  const char *c = c_names[n->op];
  if (n->op == EXPR_CONSTANT) {
    put_number(node_value(n), out);
  } else if (n->op == EXPR_SYMBOL || n->op == EXPR_ARRAY_SYMBOL) {
    put_symbol(p, n->args[0], out);
  } else if (depth == DEEPEST) {
    text_puts(out, "...");
  } else if (n->op == EXPR_EXTRACT) {
    put(p, n->args[0], depth + 1, out);
    text_printf(out, "[%u:%u]", n->args[1] + n->width - 1, n->args[1]);
  } else if (c && node_operands((enum expr_op)n->op) == 1) {
    text_puts(out, c);
    put(p, n->args[0], depth + 1, out);
  } else if (c) {
    text_putc(out, '(');
    put(p, n->args[0], depth + 1, out);
    text_printf(out, " %s ", c);
    put(p, n->args[1], depth + 1, out);
    text_putc(out, ')');
  } else {
    put_list(p, n, depth + 1, out);
  }
}

void expr_print(const struct value_pool *p, struct expr e, struct text *out) { put(p, e.id, 0, out); }

static void smt_sort(unsigned width, struct text *out) {
  if (width)
    text_printf(out, "(_ BitVec %u)", width);
  else
    text_puts(out, "(Array (_ BitVec 64) (_ BitVec 8))");
}

static void smt_symbol(const struct value_pool *p, uint32_t symbol, unsigned width, struct text *out) {
  text_putc(out, '|');
  put_symbol(p, symbol, out);
  text_printf(out, "/%u|", width); /* a name may be there with two widths */
}

static void smt_body(const struct value_pool *p, const struct node *n, struct text *out) {
  unsigned operands = node_operands((enum expr_op)n->op);
  bool compares = n->op >= EXPR_EQ && n->op <= EXPR_SLE;
  if (n->op == EXPR_CONSTANT) {
    text_puts(out, "#b");
    for (unsigned i = n->width; i-- > 0;) text_putc(out, node_value(n) >> i & 1 ? '1' : '0');
    return;
  }
  if (!operands) {
    smt_symbol(p, n->args[0], n->width, out);
    return;
  }
  if (n->op == EXPR_ITE) {
    text_printf(out, "(ite (= e%u #b1) e%u e%u)", n->args[0], n->args[1], n->args[2]);
    return;
  }
  text_puts(out, compares ? "(ite (" : "(");
  if (n->op == EXPR_EXTRACT)
    text_printf(out, "(_ extract %u %u)", n->args[1] + n->width - 1, n->args[1]);
  else if (n->op == EXPR_ZEXT || n->op == EXPR_SEXT)
    text_printf(out, "(_ %s %d)", smt_names[n->op], n->width - node_at(p, n->args[0])->width);
  else if (n->op == EXPR_ARRAY_CONSTANT)
    text_puts(out, "(as const (Array (_ BitVec 64) (_ BitVec 8)))");
  else
    text_puts(out, smt_names[n->op]);
  for (unsigned i = 0; i < operands; i++) text_printf(out, " e%u", n->args[i]);
  text_puts(out, compares ? ") #b1 #b0)" : ")");
}

/* An operand as a number, and what the operator makes of it. */
static void smt_real(const struct value_pool *p, const struct node *n, struct text *out) {
  struct real_format f = real_format(node_at(p, n->args[0])->width), to = real_format(n->width);
  bool of_integer = n->op == EXPR_REAL_FROM_SIGNED || n->op == EXPR_REAL_FROM_UNSIGNED;
  if (n->op == EXPR_REAL_CONVERT || of_integer)
    text_printf(out, "((_ %s %u %u)", smt_names[n->op], to.exponent, to.significand);
  else if (n->op == EXPR_REAL_TO_SIGNED)
    text_printf(out, "((_ %s 64)", smt_names[n->op]);
  else
    text_printf(out, "(%s", smt_names[n->op]);
  text_printf(out, " %s", n->op == EXPR_REAL_TO_SIGNED ? "RTZ" : n->op == EXPR_REAL_ROUND ? modes[n->args[1]] : "RNE");
  for (unsigned i = 0; i < node_operands((enum expr_op)n->op); i++)
    if (of_integer)
      text_printf(out, " e%u", n->args[i]);
    else
      text_printf(out, " ((_ to_fp %u %u) e%u)", f.exponent, f.significand, n->args[i]);
  text_putc(out, ')');
}

/* A number becomes bits by saying whose number it is: r. Of NaN there are several, and of what is no integer none. */
static void smt_of_real(const struct value_pool *p, uint32_t id, struct text *out) {
  const struct node *n = node_at(p, id);
  struct real_format f = real_format(n->width), of = real_format(node_at(p, n->args[0])->width);
  if (n->op != EXPR_REAL_TO_SIGNED) {
    text_printf(out, "(declare-const r%u (_ BitVec %u))\n(assert (= ((_ to_fp %u %u) r%u) ", id, n->width, f.exponent, f.significand, id);
    smt_real(p, n, out);
    text_puts(out, "))\n");
  }
  text_printf(out, "(define-fun e%u () (_ BitVec %u) ", id, n->width);
  if (n->op == EXPR_REAL_TO_SIGNED) {
    unsigned field = of.significand - 1;
    text_printf(out, "(ite (bvult ((_ extract %u %u) e%u) (_ bv%u %u)) ", field + of.exponent - 1, field, n->args[0], real_bias(of) + 63,
                of.exponent);
    smt_real(p, n, out);
    text_puts(out, " #x8000000000000000))\n");
  } else {
    text_printf(out, "(ite (fp.isNaN ((_ to_fp %u %u) r%u)) (_ bv%" PRIu64 " %u) r%u))\n", f.exponent, f.significand, id,
                (uint64_t)real_nan(n->width), n->width, id);
  }
}

void expr_define_smt(const struct value_pool *p, const struct expr *all, size_t count, struct text *out) {
  struct walk w = {0};
  VEC(uint32_t) roots = {0};
  for (size_t i = 0; i < count; i++) *vec_push(&roots) = all[i].id;
  walk_from(&w, p, roots.data, count);
  for (size_t i = 0; i < w.ids.count; i++) {
    const struct node *n = node_at(p, w.ids.data[i]);
    if (n->op == EXPR_SYMBOL || n->op == EXPR_ARRAY_SYMBOL) {
      text_puts(out, "(declare-const ");
      smt_symbol(p, n->args[0], n->width, out);
      text_putc(out, ' ');
      smt_sort(n->width, out);
      text_puts(out, ")\n");
    }
    if (expr_is_real((enum expr_op)n->op)) {
      smt_of_real(p, w.ids.data[i], out);
      continue;
    }
    text_printf(out, "(define-fun e%u () ", w.ids.data[i]);
    smt_sort(n->width, out);
    text_putc(out, ' ');
    smt_body(p, n, out);
    text_puts(out, ")\n");
  }
  vec_release(&roots);
  walk_release(&w);
}

void expr_print_smt(const struct value_pool *p, const struct expr *conditions, size_t count, struct text *out) {
  text_puts(out, "(set-logic ALL)\n");
  expr_define_smt(p, conditions, count, out);
  for (size_t i = 0; i < count; i++) text_printf(out, "(assert (= e%u #b1))\n", conditions[i].id);
  text_puts(out, "(check-sat)\n");
}
