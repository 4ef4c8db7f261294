/* Jumps back: what was loaded before setjmp() is used after its second return; jumps out of functions and scopes; jumps that must not be. */
#include "generator.h"

static const char declarations[] =
    "#include <setjmp.h>\nstatic jmp_buf far; static __thread jmp_buf deep;\n"
    "static __attribute__((noinline)) void jump(int r) { longjmp(deep, 1 + (r & 1)); }\n"
    "static __attribute__((noinline)) int fill(void) { return setjmp(deep); }\n";

static const char *load(struct generator *g) {
  static const char *const ways[] = {"a", "b", "atomic_load(&c)", "atomic_fetch_add(&d, 1)", "r"};
  return ways[below(g, 5)];
}

/* What is done with the value behind the jump. */
static void put_use_of_value(struct generator *g) {
  static const char *const ways[] = {"LOG(v);", "r = v;", "b = v;", "if (v == 1) __hd_fail(\"assertion\", \"v\");", "if (v) { LOG(atomic_load(&c)); }",
                                     "atomic_store(&d, v + 1);"};
  text_puts(g->out, ways[below(g, 6)]);
}

static void put_back(struct generator *g) {
  text_printf(g->out, "{ jmp_buf j; %sint v = %s; if (!setjmp(j)) {", below(g, 4) ? "" : "volatile ", load(g));
  put_statements(g, 1);
  if (below(g, 3) == 0) text_printf(g->out, " if (%s)", load(g));
  text_puts(g->out, " longjmp(j, 1); } ");
  put_use_of_value(g);
  text_puts(g->out, " }");
}

/* The same in a function of its own. */
static void put_back_in_function(struct generator *g) {
  struct helper x;
  helper_begin(g, &x);
  text_puts(g->out, " ");
  put_back(g);
  helper_end(g, &x);
}

static void put_turns(struct generator *g) {
  text_printf(g->out, "{ jmp_buf j; int v = %s; volatile int n = 0; int k = setjmp(j);", load(g));
  put_statements(g, 1);
  text_printf(g->out, " if (n++ < %u) longjmp(j, n); LOG(k); ", 1 + below(g, 2));
  put_use_of_value(g);
  text_puts(g->out, " }");
}

/* A jump out of other functions. */
static void put_deep(struct generator *g) {
  struct helper x;
  text_printf(g->out, "{ int v = %s; int k = setjmp(deep); LOG(k); if (k == 0) { ", load(g));
  helper_begin(g, &x);
  text_puts(g->out, " int l = 1; (void)l;");
  put_statements(g, 1);
  if (below(g, 2)) text_printf(g->out, " r = %s; if (r)", load(g));
  text_puts(g->out, " jump(r);");
  helper_end(g, &x);
  text_puts(g->out, " } ");
  put_use_of_value(g);
  text_puts(g->out, " }");
}

/* To a buffer that nobody, somebody else or a function that has returned has filled. */
static void put_wrong(struct generator *g) {
  static const char *const ways[] = {"if (!setjmp(far)) b = 1;", "if (atomic_load(&c)) longjmp(far, 1);", "if (a == 1) longjmp(deep, 1);",
                                     "if (!fill()) if (a) longjmp(deep, 1);"};
  text_puts(g->out, ways[below(g, 4)]);
}

static void put_other(struct generator *g) {
  static const char *const ways[] = {"a = 1;", "b = 1;", "b = 2;", "atomic_store(&c, 1);", "atomic_fetch_add(&d, 1);", "a++;"};
  text_puts(g->out, ways[below(g, 6)]);
}

static const struct statement_kind kinds[] = {
    {"back", 4, true, put_back}, {"back-in-function", 2, true, put_back_in_function}, {"turns", 2, true, put_turns}, {"deep", 3, true, put_deep},
    {"wrong", 1, false, put_wrong}, {"other", 8, false, put_other},
};
const struct statement_family family_setjmp = {declarations, kinds, sizeof kinds / sizeof *kinds};
