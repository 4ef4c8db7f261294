/* Linked list in the heap: walk, add up, and change. */
#include <stdlib.h>

struct node {
  struct node *next;
  long value;
};

int main(int argc, char **argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 1;
  struct node *head = NULL;
  for (int i = 0; i < 500; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->next = head;
    n->value = i;
    head = n;
  }
  long sum = 0;
  for (long r = 0; r < rounds; r++)
    for (struct node *n = head; n; n = n->next) {
      sum += n->value;
      n->value = sum & 1023;
    }
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return (int)(sum & 127);
}
