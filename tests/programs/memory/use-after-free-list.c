// Walks a list while freeing it.
// verdict: BUG
// finding: use-after-free A
// case: fixed -DFIXED
// verdict: SAFE
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  n->next = head;
  n->value = value;
  return n;
}

static void drop(struct node *head) {
  struct node *next;
  for (struct node *n = head; n; n = next) {
#ifdef FIXED
    next = n->next;
    free(n);
#else
    free(n);
    next = n->next;  // @A
#endif
  }
}

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) list = push(list, i);
  drop(list);
  return 0;
}
