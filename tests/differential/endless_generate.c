/* Random programs that read input for ever, or until some input ends them: one or two threads, each with a few numbers of its own and some
 * that are shared, under a lock. What they hold has few values, so with chosen inputs there are few states. */
#include <stdbool.h>

#include "base/hash.h"
#include "symbolic_generate.h"

struct generator {
  struct text *out;
  uint64_t random;
  bool shared; /* there are two threads */
};

static unsigned below(struct generator *g, unsigned n) {
  g->random = hash_mix(g->random);
  return (unsigned)((g->random >> 20) % n);
}

#define PUT(...) text_printf(g->out, __VA_ARGS__)

static void operand(struct generator *g) {
  static const char *const names[] = {"x", "x", "x", "l0", "l1", "last", "g0", "g1"};
  unsigned i = below(g, 10);
  if (i < sizeof names / sizeof *names)
    PUT("%s", names[i]);
  else
    PUT("%u", below(g, 4));
}

static void condition(struct generator *g) {
  static const char *const operators[] = {"==", "==", "!=", "<", ">", "<=", ">="};
  operand(g);
  PUT(" %s ", operators[below(g, 7)]);
  operand(g);
  if (below(g, 4) == 0) PUT(" + 1");
  if (below(g, 4) == 0) {
    PUT(below(g, 2) ? " && " : " || ");
    condition(g);
  }
}

static void change(struct generator *g) {
  static const char *const numbers[] = {"l0", "l1", "g0", "g1"};
  const char *to = numbers[below(g, 4)];
  unsigned shape = below(g, 10);
  if (shape < 3)
    PUT("%s = %u;", to, below(g, 4));
  else if (shape < 5)
    PUT("%s = (%s + 1) & 3;", to, to);
  else if (shape < 6)
    PUT("%s ^= 1;", to);
  else if (shape < 7)
    PUT("%s = x;", to);
  else if (shape < 8)
    PUT("{ unsigned char t = l0; l0 = l1; l1 = t; }");
  else if (shape < 9)
    PUT("x = input(how);");
  else if (below(g, 4) == 0)
    PUT("%s = (%s + x) & 3;", to, to); /* an expression that grows */
  else
    PUT("%s = x ^ %u;", to, below(g, 4));
}

static void statement(struct generator *g) {
  unsigned shape = below(g, 15);
  if (shape < 8) {
    PUT("if (");
    condition(g);
    PUT(") ");
    change(g);
    if (below(g, 3) == 0) {
      PUT(" else ");
      change(g);
    }
    PUT("\n");
  } else if (shape == 8) {
    PUT("last = x;\n");
  } else if (shape == 9) {
    PUT("hd_assume(");
    condition(g);
    PUT(");\n");
  } else if (shape == 10 || shape == 14) {
    PUT("hd_assert(!(%s == %u && %s == %u", below(g, 2) ? "l0" : "l1", below(g, 4), below(g, 2) ? "g0" : "g1", below(g, 4));
    if (below(g, 2)) {
      PUT(" && (");
      condition(g);
      PUT(")");
    }
    PUT("));\n");
  } else if (shape == 11) {
    PUT("switch (x) { case %u: ", below(g, 4));
    change(g);
    PUT(" break; case %u: ", 4 + below(g, 2));
    change(g);
    PUT(" break; default: ");
    change(g);
    PUT(" }\n");
  } else {
    change(g);
    PUT("\n");
  }
}

static void loop(struct generator *g, const char *name, unsigned index) {
  PUT("static int %s_%u(int how) {\nunsigned char l0 = 0, l1 = 1, last = 0, x = 0;\n", name, index);
  if (below(g, 4) == 0) PUT("x = input(how);\n");
  PUT("while (1) {\n");
  PUT("x = input(how);\n");
  if (g->shared) PUT("pthread_mutex_lock(&lock);\n");
  for (unsigned n = 1 + below(g, 4); n > 0; n--) statement(g);
  bool ends = below(g, 3) != 0;
  if (ends) {
    PUT("if (");
    condition(g);
    PUT(") { %sbreak; }\n", g->shared ? "pthread_mutex_unlock(&lock); " : "");
  }
  if (g->shared) PUT("pthread_mutex_unlock(&lock);\n");
  PUT("}\nreturn l0 + 4 * l1;\n}\n");
}

static void program(struct generator *g, unsigned index) {
  g->shared = below(g, 3) == 0;
  loop(g, "first", index);
  if (g->shared) loop(g, "second", index);
  if (g->shared) PUT("static void *thread_%u(void *how) { return (void *)(long)second_%u((int)(long)how); }\n", index, index);
  PUT("static int program_%u(int how) {\n", index);
  if (g->shared) PUT("pthread_t t;\nvoid *r2;\npthread_create(&t, 0, thread_%u, (void *)(long)how);\n", index);
  PUT("int r = first_%u(how);\n", index);
  if (g->shared) PUT("pthread_join(t, &r2);\nr += 16 * (int)(long)r2;\n");
  PUT("return (r + g0 + 4 * g1) & 63;\n}\n");
}

void endless_generate(uint64_t seed, unsigned count, struct text *out) {
  struct generator state = {.out = out, .random = hash_mix(seed)}, *g = &state;
  PUT("#include <pthread.h>\nvoid hd_assume(int), hd_assert(int), hd_symbolic(void *, unsigned long, const char *);\nunsigned hd_choose(unsigned);\n"
      "unsigned char __VERIFIER_nondet_uchar(void);\nint klee_range(int, int, const char *);\n"
      "static unsigned char g0, g1;\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
      "static unsigned char input(int how) {\nunsigned char in = 0;\nswitch (how) {\ncase 'c': return (unsigned char)hd_choose(4);\n"
      "case 's': hd_symbolic(&in, 1, \"in\"); break;\ncase 'n': in = __VERIFIER_nondet_uchar(); break;\n"
      "case 'k': return (unsigned char)klee_range(0, 4, \"in\");\n}\nhd_assume(in < 4);\nreturn in;\n}\n");
  for (unsigned i = 0; i < count; i++) program(g, i);
  PUT("int main(int argc, char **argv) {\n(void)argc;\nint n = 0;\nfor (const char *c = argv[1] + 1; *c; c++) n = n * 10 + (*c - '0');\n");
  PUT("switch (n) {\n");
  for (unsigned i = 0; i < count; i++) PUT("case %u: return program_%u(argv[1][0]);\n", i, i);
  PUT("}\nreturn 255;\n}\n");
}
