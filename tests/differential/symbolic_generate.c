#include "symbolic_generator.h"

static void leaf(struct generator *g) {
  static const char *const leaves[] = {"l0", "l1", "l2", "(int)in", "(int)in", "(in >> 1)", "bytes[0]", "bytes[1]", "words.a", "words.b", "pair(bytes)"};
  unsigned i = below(g, 15);
  if (i < sizeof leaves / sizeof *leaves)
    PUT("%s", leaves[i]);
  else
    PUT("%d", (int)below(g, 12) - 3);
}

/* long: one line for each shape */
static void real(struct generator *g, unsigned depth) {
  static const char *const leaves[] = {"d0", "d1", "f0", "0.5", "-0.0", "1e300", "1e-310", "__builtin_inf()", "__builtin_nan(\"3\")", "-__builtin_nanf(\"5\")", "0.1f", "3.0"};
  static const char *const functions[] = {"floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven", "fabs", "sqrt", "floorf", "rintf", "sqrtf", "roundf"};
  static const char *const of_two[] = {"fmin", "fmax", "copysign", "fminf", "fmaxf", "copysignf"};
  unsigned shape = depth ? below(g, 24) : 23;
  if (shape < 9) {
    const char *cast = below(g, 3) ? "" : "(float)";
    PUT("(%s", cast);
    real(g, depth - 1);
    PUT(" %c %s", "+-*/"[below(g, 4)], cast);
    real(g, depth - 1);
    PUT(")");
  } else if (shape < 14) {
    static const char *const types[] = {"double", "float"}, *const of[] = {"int", "unsigned", "unsigned long", "long", "signed char"};
    PUT("(%s)(%s)(", types[below(g, 2)], of[below(g, 5)]);
    generate_value(g, depth - 1);
    PUT(")");
  } else if (shape < 16) {
    PUT("__builtin_%s(", functions[below(g, 13)]);
    real(g, depth - 1);
    PUT(")");
  } else if (shape == 16) {
    PUT("__builtin_%s(", of_two[below(g, 6)]);
    real(g, depth - 1);
    PUT(", ");
    real(g, depth - 1);
    PUT(")");
  } else if (shape == 17) {
    PUT("-(");
    real(g, depth - 1);
    PUT(")");
  } else if (shape == 18) { /* of bits: any kind of number, since the exponent has all */
    PUT("%s(", below(g, 2) ? "to_float" : "to_double");
    generate_value(g, depth - 1);
    PUT(")");
  } else {
    PUT("%s", leaves[below(g, sizeof leaves / sizeof *leaves)]);
  }
}

/* An integer that has to do with floating point. */
static void of_real(struct generator *g, unsigned depth) {
  static const char *const types[] = {"int", "unsigned", "long", "unsigned long", "short"}, *const compare[] = {"<", "<=", ">", ">=", "==", "!="};
  static const char *const classes[] = {"isnan", "isinf", "isfinite", "isnormal", "signbit"};
  unsigned shape = below(g, 12);
  if (shape < 4) {
    PUT("(int)(%s)%s(", types[below(g, 5)], below(g, 2) ? "any_double" : "any_float");
    real(g, depth);
    PUT(")");
  } else if (shape < 8) {
    PUT("(");
    real(g, depth);
    PUT(" %s ", compare[below(g, 6)]);
    real(g, depth);
    PUT(")");
  } else if (shape < 10) {
    PUT("%s(", below(g, 2) ? "bits" : "bitsf");
    real(g, depth);
    PUT(")");
  } else if (shape == 10) {
    PUT("(__builtin_%s(", classes[below(g, 5)]);
    real(g, depth);
    PUT(") != 0)");
  } else {
    PUT("__builtin_%s(", below(g, 2) ? "isunordered" : "islessgreater");
    real(g, depth);
    PUT(", ");
    real(g, depth);
    PUT(")");
  }
}

/* long: one line for each shape */
void generate_value(struct generator *g, unsigned depth) {
  static const char *const operators[] = {"+", "-", "*", "^", "&", "|", "<", "==", "<=", "!="};
  if (depth == 0 || below(g, 5) == 0) {
    leaf(g);
    return;
  }
  unsigned shape = below(g, 37);
  if (shape < 10) {
    static const char *const types[] = {"unsigned", "long", "unsigned short", "signed char", "unsigned long"};
    const char *type = types[below(g, 5)];
    PUT("(int)((%s)", type);
    generate_value(g, depth - 1);
    PUT(" %s (%s)", operators[shape], type);
    generate_value(g, depth - 1);
    PUT(")");
  } else if (shape < 13) {
    PUT("(");
    generate_value(g, depth - 1);
    PUT(" ? ");
    generate_value(g, depth - 1);
    PUT(" : ");
    generate_value(g, depth - 1);
    PUT(")");
  } else if (shape < 15) {
    PUT("(int)((unsigned)");
    generate_value(g, depth - 1);
    PUT(" %s (", shape == 13 ? "<<" : ">>");
    generate_value(g, depth - 1);
    PUT(" & 31))");
  } else if (shape < 17) {
    PUT("(int)((unsigned)");
    generate_value(g, depth - 1);
    PUT(" %s (", shape == 15 ? "/" : "%");
    generate_value(g, depth - 1);
    PUT(" | 1u))");
  } else if (shape == 17) {
    PUT("(");
    generate_value(g, depth - 1);
    PUT(" / ((");
    generate_value(g, depth - 1);
    PUT(" & 7) + 1))");
  } else if (shape == 18) {
    PUT("table[");
    generate_value(g, depth - 1);
    PUT(" & 7]");
  } else if (shape == 19) {
    PUT("twice(");
    generate_value(g, depth - 1);
    PUT(", ");
    generate_value(g, depth - 1);
    PUT(")");
  } else if (shape == 20) {
    PUT("(int)((double)(");
    generate_value(g, depth - 1);
    PUT(" & 255) * 0.5)");
  } else if (shape < 24) {
    static const char *const functions[] = {"over_add", "over_mul", "over_sub", "least", "most", "distance"};
    PUT("%s(", functions[below(g, 6)]);
    generate_value(g, depth - 1);
    PUT(", ");
    generate_value(g, depth - 1);
    PUT(")");
  } else if (shape < 28) {
    static const char *const arrays[] = {"pool[", "local[", "wide["};
    unsigned array = below(g, 3);
    PUT("(int)%sany(", arrays[array]);
    generate_value(g, depth - 1);
    PUT(") & %u]", array == 0 && below(g, 6) == 0 ? 15 : 7); /* 12 are in the pool: some are outside */
  } else if (shape < 32) {
    of_real(g, depth - 1);
  } else if (shape < 36) {
    generate_of_wide(g, depth - 1);
  } else {
    PUT("(short)");
    generate_value(g, depth - 1);
  }
}

static void block(struct generator *g, unsigned n);

/* Of a store: relaxed ones wait in a buffer under TSO and PSO. */
static unsigned order(struct generator *g) { return below(g, 3) ? 0 : 5; }

/* Up to the value that is stored. */
static void compare_exchange(struct generator *g, unsigned which) {
  PUT("{ __typeof__(g0) expected = ");
  if (below(g, 2))
    PUT("%u", below(g, 3));
  else
    generate_value(g, 1);
  PUT("; l%u = __atomic_compare_exchange_n(&g%u, &expected, ", which, which);
}

static void visible(struct generator *g) {
  static const char *const updates[] = {"fetch_add", "fetch_add", "exchange_n", "exchange_n", "fetch_sub", "fetch_and", "fetch_or",
                                        "fetch_xor", "fetch_nand", "fetch_min", "fetch_max", "add_fetch"};
  g->visible--;
  if (below(g, 2)) {
    PUT("l%u = __atomic_load_n(&g%u, 5);\n", below(g, 3), below(g, 2));
    return;
  }
  unsigned shape = below(g, 5), which = below(g, 2);
  if (shape == 2) { /* with an input of 0 both are the same, and with others not */
    PUT("__atomic_store_n(&g%u, %s, %u);\n", which, below(g, 2) ? "in" : "0", order(g));
    return;
  }
  if (shape < 2)
    PUT("__atomic_store_n(&g%u, ", which);
  else if (shape == 3)
    compare_exchange(g, which);
  else
    PUT("l%u = __atomic_%s(&g%u, ", which, updates[below(g, sizeof updates / sizeof *updates)], which);
  generate_value(g, 1);
  if (shape == 3)
    PUT(", 0, 5, 5) ? 1 : expected; }\n");
  else
    PUT(", %u);\n", shape < 2 ? order(g) : 5);
}

/* long: one line for each shape */
static void statement(struct generator *g) {
  unsigned shape = below(g, 29);
  if (shape < 4 && g->visible) {
    visible(g);
  } else if (shape < 9) {
    PUT("l%u = ", below(g, 3));
    generate_value(g, 2);
    PUT(";\n");
  } else if (shape < 13 && g->depth) {
    g->depth--;
    PUT("if (");
    generate_value(g, 2);
    PUT(") {\n");
    block(g, 2);
    PUT("} else {\n");
    block(g, 1);
    PUT("}\n");
    g->depth++;
  } else if (shape == 13 && g->depth) {
    g->depth--;
    PUT("switch (");
    generate_value(g, 1);
    PUT(" & 7) {\ncase 0: l0++; break;\ncase 1: l1 ^= 3; /* fall through */\ncase 2: l2 = l1; break;\ncase 5: l0 = 9; break;\ndefault:\n");
    block(g, 1);
    PUT("}\n");
    g->depth++;
  } else if (shape == 14) {
    PUT("for (int i = 0; i < (in & 3); i++) l%u = l%u * 3 + i;\n", below(g, 3), below(g, 3));
  } else if (shape == 15) {
    PUT("bytes[");
    generate_value(g, 1);
    PUT(" & 1] = (unsigned char)");
    generate_value(g, 1);
    PUT(";\n");
  } else if (shape == 16) {
    PUT("words.a = ");
    generate_value(g, 1);
    PUT("; words.b = (short)");
    generate_value(g, 1);
    PUT("; { struct words copy = words; __builtin_memcpy(bytes, &copy, 2); }\n");
  } else if (shape == 17 && below(g, 3) == 0) {
    PUT("hd_assume(");
    generate_value(g, 2);
    PUT(");\n");
  } else if (shape == 18 && below(g, 2) == 0) {
    PUT("hd_assert(");
    generate_value(g, 2);
    PUT(" != %u);\n", below(g, 30));
  } else if (shape == 19 && below(g, 3) == 0) {
    PUT("l0 = l1 / (any(");
    generate_value(g, 1);
    PUT(") - %u);\n", below(g, 30) + 5);
  } else if (shape == 20 || shape == 21) {
    PUT("%s[", below(g, 2) ? "local" : "wide");
    if (below(g, 2))
      generate_value(g, 1);
    else
      PUT("%u", below(g, 8));
    PUT(" & 7] = ");
    generate_value(g, 1);
    PUT(";\n");
  } else if (shape == 22) {
    PUT("if (pair(bytes) %s (unsigned short)(", below(g, 2) ? "==" : "!=");
    generate_value(g, 1);
    PUT(")) l%u ^= 5;\n", below(g, 3));
  } else if (shape == 23 || shape == 24) {
    static const char *const reals[] = {"d0", "d1", "f0"};
    PUT("%s = ", reals[below(g, 3)]);
    real(g, 2);
    PUT(";\n");
  } else if (shape > 25) {
    generate_wide_statement(g);
  } else {
    PUT("l%u += ", below(g, 3));
    generate_value(g, 1);
    PUT(";\n");
  }
}

static void block(struct generator *g, unsigned n) {
  for (unsigned i = 0; i < n; i++) statement(g);
}

static void body(struct generator *g, unsigned index, const char *name, unsigned statements, unsigned visible_most) {
  g->depth = 2, g->visible = visible_most;
  PUT("static int %s_%u(unsigned char in) {\nint l0 = 1, l1 = 2, l2 = in;\nunsigned char bytes[2] = {in, 7};\nstruct words words = {in, 3};\n"
      "double d0 = in, d1 = 1.5; float f0 = 1 + (float)in;\nunsigned char local[8] = {5, 3, 0, 200, 7, 7, 1, 2};\nlong wide[8] = {1, -2, 3};\n%s", name,
      index, generated_wide_locals);
  block(g, statements);
  PUT("return l0 ^ l1 * 3 ^ l2 * 5 ^ bytes[0] ^ words.b ^ bits(d0) ^ bitsf(f0) ^ %s + bits(d1);\n}\n", generated_wide_result);
}

/* A loop that waits for the other thread, and whose turns are told apart by values in memory alone: with some inputs. */
static void spin(struct generator *g) {
  PUT("volatile unsigned char turns[4] = {0};\nwhile (!__atomic_load_n(&done, 5)) {\nturns[3] = turns[2], turns[2] = turns[1], turns[1] = turns[0];\n");
  PUT("turns[0] = in %s %u;\n}\nr += turns[3] * 7 + turns[1];\n", below(g, 2) ? "&" : "|", below(g, 4));
}

static void program(struct generator *g, unsigned index) {
  bool threads = below(g, 3) != 0;
  unsigned bits = 2 + below(g, threads ? 3 : 5), most = threads ? 3 : 6;
  body(g, index, "first", 3 + below(g, 5), most);
  body(g, index, "second", 2 + below(g, 4), most);
  PUT("static void *thread_%u(void *p) { (void)p; __atomic_store_n(&result, second_%u(shared), 5); __atomic_store_n(&done, 1, 5); return 0; }\n", index,
      index);
  PUT("static int program_%u(int how) {\n", index);
  PUT("unsigned char in = 0;\nif (how != 'c') { in = input(how, %u); hd_assume(in < %u); }\n", 1u << bits, 1u << bits);
  PUT("else for (int i = 0; i < %u; i++) in |= hd_choose(2) << i;\nshared = in;\n", bits);
  if (threads) {
    PUT("pthread_t t;\npthread_create(&t, 0, thread_%u, 0);\nint r = first_%u(in);\n", index, index);
    if (below(g, 3) == 0) spin(g);
    PUT("pthread_join(t, 0);\nr += result;\n");
  } else {
    PUT("int r = first_%u(in) + second_%u(in ^ 1);\n", index, index);
  }
  PUT("return (r + g0 + g1) & %u;\n}\n", (2u << below(g, 6)) - 1);
}

/* The ways that the input comes: SYMBOLIC_WAYS. */
static const char input[] = "#include <fcntl.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
                            "unsigned char __VERIFIER_nondet_uchar(void);\nint klee_range(int, int, const char *);\n"
                            "static char *argument;\n"
                            "static unsigned char input(int how, int most) {\n"
                            "unsigned char in = 0;\nint fd;\n"
                            "switch (how) {\n"
                            "case 's': hd_symbolic(&in, 1, \"in\"); break;\n"
                            "case 't': for (int i = 0; i < 2; i++) { unsigned char part; hd_symbolic(&part, 1, \"part\"); hd_assume(part < 8); in = (unsigned char)(in << 3 | part); } break;\n"
                            "case 'n': in = __VERIFIER_nondet_uchar(); break;\n"
                            "case 'k': in = (unsigned char)klee_range(0, most, \"in\"); break;\n"
                            "case 'a': in = (unsigned char)argument[0]; break;\n"
                            "case 'v': in = (unsigned char)getenv(\"IN\")[0]; break;\n"
                            "case 'i': if (read(0, &in, 1) != 1) abort(); break;\n"
                            "case 'f': fd = open(\"in\", O_RDONLY); if (fd < 0 || read(fd, &in, 1) != 1 || close(fd)) abort(); break;\n"
                            "}\nreturn in;\n}\n";

void symbolic_generate(uint64_t seed, unsigned count, struct text *out) {
  struct generator state = {.out = out, .random = hash_mix(seed)}, *g = &state;
  PUT("#include <pthread.h>\nvoid hd_assume(int), hd_assert(int), hd_symbolic(void *, unsigned long, const char *);\nunsigned hd_choose(unsigned);\n");
  PUT("struct words { int a; short b; };\nstatic int g0, g1, result, done;\nstatic unsigned char shared;\n");
  PUT("static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};\nstatic short pool[12] = {2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5};\n");
  PUT("static unsigned short pair(const unsigned char *bytes) { unsigned short p; __builtin_memcpy(&p, bytes, 2); return p; }\n");
  PUT("static __attribute__((noinline)) int twice(int x, int y) { return x > y ? x * 2 : y - x; }\n");
  PUT("static int over_add(int x, int y) { int r; return __builtin_add_overflow(x << 24, y << 24, &r) ? 77 : r; }\n");
  PUT("static int over_mul(unsigned x, unsigned y) { unsigned r; return __builtin_mul_overflow(x << 20, y << 8, &r) ? 78 : (int)r; }\n");
  PUT("static int over_sub(unsigned x, unsigned y) { unsigned r; return __builtin_sub_overflow(x, y, &r) ? 79 : (int)r; }\n");
  PUT("static int least(int x, int y) { return x < y ? x : y; }\n");
  PUT("static int most(unsigned x, unsigned y) { return x > y ? x : y; }\n");
  /* What is wrong for sure is what no loop comes to, for a compiler that sees it. */
  PUT("static __attribute__((noinline, optnone)) int any(int x) { return x; }\n");
  PUT("static __attribute__((noinline, optnone)) double any_double(double x) { return x; }\n");
  PUT("static __attribute__((noinline, optnone)) float any_float(float x) { return x; }\n");
  PUT("static int distance(int x, int y) { return __builtin_abs(x - y) + 1; }\n");
  PUT("static int bits(double d) { unsigned long u; __builtin_memcpy(&u, &d, 8); return (int)(u ^ u >> 32 ^ u >> 52); }\n");
  PUT("static int bitsf(float f) { unsigned u; __builtin_memcpy(&u, &f, 4); return (int)(u ^ u >> 23); }\n");
  PUT("static double to_double(unsigned v) { unsigned long u = (unsigned long)v << 56 ^ (unsigned long)v << 49 ^ v; double d; __builtin_memcpy(&d, &u, 8); return d; }\n");
  PUT("static float to_float(unsigned v) { unsigned u = v << 25 ^ v << 20 ^ v; float f; __builtin_memcpy(&f, &u, 4); return f; }\n");
  PUT("%s%s", generated_wide_functions, input);
  for (unsigned i = 0; i < count; i++) program(g, i);
  PUT("int main(int argc, char **argv) {\nargument = argc > 2 ? argv[2] : 0;\nint n = 0;\nfor (const char *c = argv[1] + 1; *c; c++) n = n * 10 + (*c - '0');\n");
  PUT("switch (n) {\n");
  for (unsigned i = 0; i < count; i++) PUT("case %u: return program_%u(argv[1][0]);\n", i, i);
  PUT("}\nreturn 255;\n}\n");
}
