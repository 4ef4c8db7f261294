// What a global still points to at exit is not a leak, directly or through another block.
// verdict: SAFE
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

static struct node *cache;

int main(void) {
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 0;
    n->next = cache;
    n->value = i;
    cache = n;
  }
  return cache->next->next->value;
}
