/* Integers of 65 to 128 bits: __int128, and _BitInt of odd widths. */
#include "symbolic_generator.h"

const char generated_wide_functions[] =
    "typedef unsigned __int128 wide_t;\ntypedef __int128 wides_t;\n"
    "typedef unsigned _BitInt(65) u65; typedef unsigned _BitInt(72) u72; typedef unsigned _BitInt(96) u96; typedef unsigned _BitInt(127) u127;\n"
    "typedef _BitInt(65) s65; typedef _BitInt(72) s72; typedef _BitInt(96) s96; typedef _BitInt(127) s127;\n"
    "struct fields { wide_t a : 70, b : 58; };\n"
    "static __attribute__((noinline, optnone)) wide_t any_wide(wide_t x) { return x; }\n"
    "static int fold(wide_t x) { return (int)(x ^ x >> 32 ^ x >> 64 ^ x >> 99); }\n"
    "static wide_t rotated(wide_t x, unsigned n) { n &= 127; return x << n | x >> (-n & 127); }\n"
    "static wide_t swapped(wide_t x) { return (wide_t)__builtin_bswap64((unsigned long)x) << 64 | __builtin_bswap64((unsigned long)(x >> 64)); }\n"
    "static wide_t mixed(wide_t x) { return (wide_t)(unsigned long)x * (unsigned long)(x >> 64); }\n"
    "static wide_t largest(wides_t x, wides_t y) { return x > y ? x : y; }\n"
    "static wide_t smallest(wide_t x, wide_t y) { return x < y ? x : y; }\n"
    "static wide_t distant(wides_t x) { return x < 0 ? -(wide_t)x : (wide_t)x; }\n"
    "static wide_t adds(wides_t x, wides_t y) { wides_t r; return __builtin_add_overflow(x, y, &r) ? 77 : r; }\n"
    "static wide_t addu(wide_t x, wide_t y) { wide_t r; return __builtin_add_overflow(x, y, &r) ? 78 : r; }\n"
    "static wide_t subs(wides_t x, wides_t y) { wides_t r; return __builtin_sub_overflow(x, y, &r) ? 79 : r; }\n"
    "static wide_t subu(wide_t x, wide_t y) { wide_t r; return __builtin_sub_overflow(x, y, &r) ? 80 : r; }\n"
    "static wide_t muls(wides_t x, wides_t y) { wides_t r; return __builtin_mul_overflow(x, y, &r) ? 81 : r; }\n"
    "static wide_t mulu(wide_t x, wide_t y) { wide_t r; return __builtin_mul_overflow(x, y, &r) ? 82 : r; }\n"
    "static wide_t mull(wide_t x, wide_t y) { wides_t r; return __builtin_mul_overflow((long)x, (long)(y >> 32), &r) ? 83 : r; }\n"
    "static wide_t add65(wide_t x, wide_t y) { long r; return __builtin_add_overflow((long)x, (unsigned long)y, &r) ? 84 : r; }\n"
    "static wide_t mul65(wide_t x, wide_t y) { unsigned r; return __builtin_mul_overflow((long)x, (unsigned long)y, &r) ? 85 : r; }\n"
    "static wide_t bits64(wide_t x) { unsigned long u = (unsigned long)(x ^ x >> 64); return __builtin_popcountll(u) + __builtin_clzll(u | 1) * 256 +\n"
    "  __builtin_ctzll(u | 1ul << 40) * 65536 + ((wide_t)__builtin_bitreverse64(u) << 50) + ((wide_t)__builtin_rotateleft64(u, u & 63) << 24); }\n"
    "static wide_t sums(wide_t x, wide_t y) { return __builtin_elementwise_add_sat((long)x, (long)(y >> 7)) ^\n"
    "  (wide_t)__builtin_elementwise_sub_sat((long)(x << 61), (long)y << 60) << 20 ^\n"
    "  (wide_t)__builtin_elementwise_add_sat((unsigned)x << 25, (unsigned)y << 26) << 50; }\n"
    "static wide_t sums8(wide_t x, wide_t y) { return __builtin_elementwise_sub_sat((unsigned short)x, (unsigned short)y) +\n"
    "  (wide_t)(unsigned char)__builtin_elementwise_sub_sat((signed char)(x << 2), (signed char)(y << 3)) * 65536; }\n"
    "static wide_t parts(wide_t x, wide_t y) { volatile struct fields f = {x, y}; f.b += f.a; return f.a * 3 + (wide_t)f.b; }\n";

const char generated_wide_locals[] = "wide_t w0 = in, w1 = (wide_t)7 << 90 | in, rows[2] = {in, 5};\n";
const char generated_wide_result[] = "fold(w0) ^ fold(w1) * 3 ^ fold(rows[1])";

static void of_two(struct generator *g, unsigned depth, const char *before, const char *between, const char *behind) {
  PUT("%s", before);
  generate_wide(g, depth - 1);
  PUT("%s", between);
  generate_wide(g, depth - 1);
  PUT("%s", behind);
}

static void of_one(struct generator *g, unsigned depth, const char *before, const char *behind) {
  PUT("%s", before);
  generate_wide(g, depth - 1);
  PUT("%s", behind);
}

static void of_value(struct generator *g, unsigned depth, const char *before, const char *behind) {
  PUT("%s", before);
  generate_value(g, depth - 1);
  PUT("%s", behind);
}

static void leaf(struct generator *g) {
  static const char *const leaves[] = {"w0", "w1", "w0", "rows[0]", "rows[1]", "(wide_t)in", "((wide_t)in << 61)", "((wide_t)in << 125)", "-(wide_t)in",
                                       "((wide_t)1 << 127)", "~(wide_t)0", "(((wide_t)3 << 64) + 7)", "(wide_t)0x9e3779b97f4a7c15u"};
  PUT("%s", leaves[below(g, sizeof leaves / sizeof *leaves)]);
}

/* long: one line for each shape */
void generate_wide(struct generator *g, unsigned depth) {
  static const char *const operators[] = {" + ", " - ", " * ", " & ", " | ", " ^ ", " + ", " - "};
  static const char *const widths[] = {"u65", "u72", "u96", "u127", "s65", "s72", "s96", "s127"};
  static const char *const functions[] = {"largest(", "smallest(", "adds(", "addu(", "subs(", "subu(", "muls(", "mulu(", "mull(", "add65(", "mul65(", "parts(", "sums(", "sums8("};
  static const char *const unary[] = {"swapped(", "mixed(", "distant(", "bits64(", "any_wide(", "~(", "-("};
  unsigned shape = depth ? below(g, 32) : 31;
  if (shape < 8) {
    of_two(g, depth, "(", operators[shape], ")");
  } else if (shape < 10) {
    of_one(g, depth, shape == 8 ? "(" : "(wide_t)((wides_t)", shape == 8 ? " << (" : " >> (");
    of_value(g, depth, "", " & 127))");
  } else if (shape == 10) {
    of_one(g, depth, "(", " >> (");
    of_value(g, depth, "5 * (", ") & 127))");
  } else if (shape == 11) {
    of_two(g, depth, "(", below(g, 2) ? " / (" : " % (", " | 1))");
  } else if (shape == 12) { /* the divisor has 63 bits */
    of_two(g, depth, "(wide_t)((wides_t)", below(g, 2) ? " / ((wides_t)(" : " % ((wides_t)(", " >> 65) + 1))");
  } else if (shape < 15) {
    of_value(g, depth, shape == 13 ? "(wide_t)(unsigned long)(" : "(wide_t)(", ")");
  } else if (shape == 15) {
    of_value(g, depth, "((wide_t)(unsigned long)(", ") * ");
    of_value(g, depth, "(unsigned long)(", "))");
  } else if (shape == 16) {
    of_value(g, depth, "(wide_t)((wides_t)(long)(", ") * ");
    of_value(g, depth, "(long)(", "))");
  } else if (shape == 17) {
    of_value(g, depth, "(", " ? ");
    of_two(g, depth, "", " : ", ")");
  } else if (shape < 21) {
    PUT("(wide_t)(%s)", widths[below(g, 8)]);
    of_one(g, depth, "(", ")");
  } else if (shape == 21) { /* in the type's own bits */
    const char *type = widths[below(g, 4)];
    PUT("(wide_t)((%s)", type);
    of_one(g, depth, "", operators[below(g, 8)]);
    PUT("(%s)", type);
    of_one(g, depth, "", ")");
  } else if (shape < 26) {
    of_two(g, depth, functions[below(g, sizeof functions / sizeof *functions)], ", ", ")");
  } else if (shape < 28) {
    of_one(g, depth, unary[below(g, sizeof unary / sizeof *unary)], ")");
  } else if (shape == 28) {
    of_one(g, depth, "rotated(", ", ");
    of_value(g, depth, "", ")");
  } else if (shape == 29) {
    of_value(g, depth, "rows[(", ") & 1]");
  } else {
    leaf(g);
  }
}

void generate_of_wide(struct generator *g, unsigned depth) {
  static const char *const compare[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
  static const char *const odd[] = {"u65", "s65", "u72", "s72", "u96", "s127"};
  unsigned shape = below(g, 10);
  if (depth == 0) {
    PUT("%s(w%u >> %u)", below(g, 2) ? "(int)" : "fold", below(g, 2), below(g, 80));
  } else if (shape < 2) {
    of_two(g, depth, "(", compare[below(g, 6)], ")");
  } else if (shape < 4) {
    of_one(g, depth, "((wides_t)", compare[below(g, 6)]);
    of_one(g, depth, "(wides_t)", ")");
  } else if (shape == 4) {
    const char *type = odd[below(g, 6)];
    PUT("((%s)", type);
    of_one(g, depth, "", compare[below(g, 6)]);
    PUT("(%s)", type);
    of_one(g, depth, "", ")");
  } else if (shape < 8) {
    of_one(g, depth, "fold(", ")");
  } else if (shape == 8) {
    of_one(g, depth, "(int)(", below(g, 2) ? " >> 64)" : " >> 120)");
  } else {
    of_one(g, depth, "bits((double)(wides_t)", ")");
  }
}

void generate_wide_statement(struct generator *g) {
  unsigned shape = below(g, 11);
  if (shape == 0) {
    of_value(g, 2, "((unsigned char *)&w0)[(", ") & 15] = (unsigned char)");
    of_value(g, 2, "", ";\n");
  } else if (shape == 1) {
    of_value(g, 2, "rows[(", ") & 1] = ");
    of_one(g, 2, "", ";\n");
  } else if (shape == 2 && below(g, 2) == 0) { /* by 0, and the least by -1 */
    of_two(g, 2, "w1 = (wides_t)any_wide(", below(g, 2) ? ") / (wides_t)any_wide(" : ") % (wides_t)any_wide(", ");\n");
  } else if (shape == 3 && below(g, 3) == 0) {
    of_two(g, 2, "hd_assert(", " != ", ");\n");
  } else if (shape == 4) {
    of_one(g, 2, "for (int i = 0; i < 3; i++) w1 = w1 * 3 + ", ";\n");
  } else if (shape == 5) {
    of_one(g, 2, "if (", ") w1 += 5; else w0--;\n");
  } else {
    PUT("w%u = ", below(g, 2));
    of_one(g, 3, "", ";\n");
  }
}
