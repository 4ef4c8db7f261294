/* Jumps back: what was loaded before setjmp() is used after its second return; jumps out of functions and scopes; jumps that must not be.
 */
#include "generator.h"

static const char declarations[] =
    "#include <setjmp.h>\n"
    "static jmp_buf far; static __thread jmp_buf deep;\n"
    "static __attribute__((noinline)) void jump(int r) { longjmp(deep, 1 + (r & 1)); }\n"
    "static __attribute__((noinline)) int fill(void) { return setjmp(deep); }\n";

static const char *use(struct generator *g) {
  static const char *const ways[] = {"LOG(v);",
                                     "r = v;",
                                     "b = v;",
                                     "if (v == 1) __hd_fail(\"assertion\", \"v\");",
                                     "if (v) LOG(atomic_load(&c));",
                                     "atomic_store(&d, v + 1);"};
  return ways[below(g, sizeof ways / sizeof *ways)];
}

static void put_back(struct generator *g) {
  put_text(g, below(g, 4) ? "{ jmp_buf j; int v = $; if (!setjmp(j)) { @" : "{ jmp_buf j; volatile int v = $; if (!setjmp(j)) { @");
  if (below(g, 3) == 0) put_text(g, " if ($)");
  text_printf(g->out, " longjmp(j, 1); } %s }", use(g));
}

/* The same in a function of its own. */
static void put_back_in_function(struct generator *g) {
  struct helper x;
  helper_begin(g, &x);
  put_back(g);
  helper_end(g, &x);
}

static void put_turns(struct generator *g) {
  put_text(g, "{ jmp_buf j; int v = $; volatile int n = 0; int k = setjmp(j); @");
  text_printf(g->out, " if (n++ < %u) longjmp(j, n); LOG(k); %s }", 1 + below(g, 2), use(g));
}

/* A jump out of other functions. */
static void put_deep(struct generator *g) {
  struct helper x;
  put_text(g, "{ int v = $; int k = setjmp(deep); LOG(k); if (k == 0) { ");
  helper_begin(g, &x);
  put_text(g, " int l = 1; (void)l; @");
  if (below(g, 2)) put_text(g, " r = $; if (r)");
  text_puts(g->out, " jump(r);");
  helper_end(g, &x);
  text_printf(g->out, " } %s }", use(g));
}

static const struct statement_kind kinds[] = {
    {4, .put = put_back, .nests = true},
    {2, .put = put_back_in_function, .nests = true},
    {2, .put = put_turns, .nests = true},
    {3, .put = put_deep, .nests = true},
    /* to a buffer that nobody, somebody else or a function that has returned has filled */
    {1, .text = "if (!setjmp(far)) b = 1;"},
    {1, .text = "if (atomic_load(&c)) longjmp(far, 1);"},
    {1, .text = "if (a == 1) longjmp(deep, 1);"},
    {1, .text = "if (!fill()) if (a) longjmp(deep, 1);"},
    {2, .text = "a = #;"},
    {3, .text = "b = #;"},
    {2, .text = "atomic_store(&c, 1);"},
    {2, .text = "atomic_fetch_add(&d, 1);"},
};
const struct statement_family family_setjmp = {declarations, NULL, kinds, sizeof kinds / sizeof *kinds};
