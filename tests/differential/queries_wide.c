/* Questions over wide bit vectors and arrays, which Z3 answers. */
#include "queries.h"
#include "value_script.h"

enum { CONDITIONS = 8, DEPTH = 3 };

struct wide {
  struct expr conditions[CONDITIONS];
};

static struct expr condition(struct source *s) {
  const struct wide *w = s->own;
  struct expr a = w->conditions[tree_random(&s->random, CONDITIONS)];
  return tree_random(&s->random, 2) ? expr_not(s->pool, a) : a;
}

static enum value_answer truth(struct source *s, const struct expr *conditions, size_t count) {
  return script_ask(s->pool, conditions, count);
}

static void release(struct source *s) {
  mem_free(s->own, sizeof(struct wide));
  vec_release(&s->starts);
  value_pool_free(s->pool);
}

/* Products and quotients of many bits, which no solver is quick at; floating point has some within. */
static bool is_hard(const struct tree *t) {
  for (int i = 0; i < t->count; i++)
    if (tree_is_real(&t->nodes[i]) || (t->nodes[i].op >= EXPR_MUL && t->nodes[i].op <= EXPR_SREM && t->nodes[i].width > 16)) return true;
  return false;
}

static struct expr grow(struct source *s, unsigned width) {
  struct tree *t = &s->random;
  int root;
  do {
    t->count = 0;
    root = tree_grow(t, width, DEPTH);
  } while (is_hard(t) && tree_random(t, 16));
  return (struct expr){tree_build(t, root, s->pool, false)};
}

/* One of the trees' symbols is what a tree says. */
static struct expr equality(struct source *s) {
  unsigned width = tree_random(&s->random, 2) ? 8 : 32;
  struct expr symbol = expr_symbol(s->pool, (struct symbol_name){"0.1", 7, tree_random(&s->random, TREE_SYMBOLS)}, width);
  return expr_binary(s->pool, EXPR_EQ, symbol, grow(s, width));
}

void source_wide(struct source *s, uint64_t seed) {
  struct wide *w = mem_alloc(sizeof *w);
  *s = (struct source){.pool = value_pool_new(), .own = w, .condition = condition, .truth = truth, .release = release};
  s->random.random = seed * 0x9e3779b97f4a7c15u;
  for (unsigned i = 0; i < CONDITIONS; i++) w->conditions[i] = i < 2 ? equality(s) : grow(s, 1);
}
