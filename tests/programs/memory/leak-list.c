// Frees the head of a list and loses the rest.
// verdict: BUG
// finding: leak A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>

struct node {
  struct node *next;
};

static struct node *cons(struct node *next) {
  struct node *n = malloc(sizeof *n);  // @A
  if (!n) abort();
  n->next = next;
  return n;
}

static struct node *list;

int main(void) {
  list = cons(cons(0));
#ifdef FIXED
  free(list->next);
#endif
  free(list);
  list = 0;
  return 0;
}
