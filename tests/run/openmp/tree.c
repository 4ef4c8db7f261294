/* A tree is built and summed up by tasks. */
#include "openmp.h"
#include <stdlib.h>
struct node {
  struct node *left, *right;
  int sum;
};
static struct node *build(int depth) {
  struct node *n = calloc(1, sizeof *n);
  n->sum = 1;
  if (depth == 0) return n;
#pragma omp task shared(n)
  {
    if (depth > 3) pause_a_moment();
    n->left = build(depth - 1); /* race */
  }
#pragma omp task shared(n)
  n->right = build(depth - 1); /* race */
#ifdef RACY
  if (depth == 4) pause_a_moment();
  if (depth < 4)
#endif
  {
#pragma omp taskwait
  }
  n->sum += n->left ? n->left->sum : 0;   /* race */
  n->sum += n->right ? n->right->sum : 0; /* race */
#pragma omp taskwait
  return n;
}
static void drop(struct node *n) {
  if (n) drop(n->left), drop(n->right), free(n);
}
int main(void) {
  struct node *root = NULL;
#pragma omp parallel num_threads(4)
#pragma omp single
  root = build(4);
  int bad = root->sum < 1;
  drop(root);
  return bad;
}
