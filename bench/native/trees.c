/* Binary trees are built and taken down: small blocks come and go. */
#include "native.h"

enum { DEPTH = 14, ROUNDS = 24 };
struct tree {
  struct tree *left, *right;
  long value;
};

static struct tree *build(int depth) {
  struct tree *t = malloc(sizeof *t);
  t->value = depth;
  t->left = depth ? build(depth - 1) : NULL;
  t->right = depth ? build(depth - 1) : NULL;
  return t;
}
static long sum(const struct tree *t) { return t ? t->value + sum(t->left) + sum(t->right) : 0; }
static void destroy(struct tree *t) {
  if (!t) return;
  destroy(t->left);
  destroy(t->right);
  free(t);
}

static void work(unsigned me, unsigned threads) {
  for (unsigned i = me; i < ROUNDS; i += threads) {
    struct tree *t = build(DEPTH);
    if (sum(t) != (2 << DEPTH) - 2 - DEPTH) exit(1);
    destroy(t);
  }
}

int main(int argc, char **argv) {
  native_run(work, native_threads(argc, argv));
  return 0;
}
