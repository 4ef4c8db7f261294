/* same-each-run
 * Threads that make threads, and lists and trees that they hand over. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node {
  struct node *left, *right;
  int value;
};
static void *build(void *argument) {
  struct node *n = malloc(sizeof *n);
  int depth = *(int *)argument - 1;
  pthread_t t;
  *n = (struct node){.value = depth};
  if (depth < 0) return n;
  pthread_create(&t, 0, build, &depth);
  void *made;
  pthread_join(t, &made);
  n->left = made;
  pthread_create(&t, 0, build, &depth);
  pthread_join(t, &made);
  n->right = made;
  return n;
}
static int sum(struct node *n) {
  if (!n) return 0;
  int s = n->value + sum(n->left) + sum(n->right);
  free(n);
  return s;
}
int main(void) {
  int depth = 3;
  assert(sum(build(&depth)) == 2 + 2 * 1 + 4 * 0 + 8 * -1);
  return 0;
}
