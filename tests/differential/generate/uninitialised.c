/* Values that nobody wrote: decided by, handed on, written in some executions alone. */
#include "generator.h"

static const char declarations[] =
    "#ifndef LOCAL\n#define LOCAL\n#endif\nstruct holes { char x; int y; short z; };\n"
    "static __attribute__((noinline)) int either(int x, int y) { return x ? y : 0; }\n"
    "static struct holes *_Atomic heap_holes; static struct holes static_holes;\n";

static void put_decided(struct generator *g) {
  static const char *const ways[] = {"if (y == 1) a = y;",
                                     "if (a) y = 1; if (y == 1) b = 1;",
                                     "if (atomic_load(&c)) y = 2; if (y == 2) LOG(5);",
                                     "switch (y) { case 1: LOG(1); break; case 2: LOG(2); break; default: break; }",
                                     "LOG(bytes[y & 7]);",
                                     "for (int i = 0; i < (y & 1); i++) LOG(3);",
                                     "r = either(a, y); if (r == 1) LOG(4);",
                                     "y |= 1; if (y & 1) LOG(6);"};
  text_printf(g->out, "{ LOCAL int y; %s }", ways[below(g, 8)]);
}

/* Not by itself a decision: it may be one elsewhere. */
static void put_handed_on(struct generator *g) {
  static const char *const ways[] = {"{ LOCAL int y; b = y; }", "{ LOCAL int y; if (a) y = 1; b = y; }", "{ LOCAL int y; atomic_store(&c, y); }",
                                     "{ struct holes l; l.x = 1; static_holes = l; }", "{ LOCAL int y; static_holes.y = y; }"};
  text_puts(g->out, ways[below(g, 5)]);
}

static void put_decide(struct generator *g) {
  static const char *const ways[] = {"if (b == 1) LOG(5);", "r = b; LOG(r);", "if (atomic_load(&c) == 1) LOG(7);",
                                     "if (static_holes.y == 1) LOG(8);", "{ struct holes l = static_holes; if (l.z) LOG(9); }",
                                     "if (a) LOG(1);"};
  text_puts(g->out, ways[below(g, 6)]);
}

static void put_array(struct generator *g) {
  unsigned n = 2 + below(g, 2);
  text_printf(g->out, "{ LOCAL int y[%u]; y[%u] = 1; if (y[%u] == 1) LOG(2); }", n, below(g, n), below(g, n));
}

static void put_heap(struct generator *g) {
  static const char *const ways[] = {
      "{ struct holes *l = malloc(sizeof *l); l->x = 1; atomic_store(&heap_holes, l); }",
      "{ struct holes *l = atomic_load(&heap_holes); if (l) l->y = 1; }",
      "{ struct holes *l = atomic_load(&heap_holes); if (l && l->y == 1) LOG(1); }",
      "{ struct holes *l = atomic_load(&heap_holes); if (l && l->x == 1) LOG(2); }",
      "{ int *l = malloc(8); l[0] = 1; if (l[1]) LOG(3); free(l); }",
      "{ int *l = calloc(1, 8); l[0] = 1; if (l[1]) LOG(3); free(l); }",
      "{ int *l = malloc(4); *l = 1; l = realloc(l, 8); if (l[r & 1]) LOG(3); free(l); }",
  };
  text_puts(g->out, ways[below(g, 7)]);
}

static void put_write(struct generator *g) {
  static const char *const ways[] = {"a = 1;", "b = 1;", "atomic_store(&c, 1);", "static_holes.z = 1;", "r = a;"};
  text_puts(g->out, ways[below(g, 5)]);
}

static const struct statement_kind kinds[] = {
    {"decided", 4, false, put_decided}, {"handed-on", 3, false, put_handed_on}, {"decide", 4, false, put_decide},
    {"array", 1, false, put_array},     {"heap", 3, false, put_heap},           {"write", 5, false, put_write},
};
const struct statement_family family_uninitialised = {declarations, kinds, sizeof kinds / sizeof *kinds};
