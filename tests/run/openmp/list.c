/* A task for each node of a list. */
#include "openmp.h"
#include <stdlib.h>
struct node {
  struct node *next;
  int value;
};
int done;
int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 40; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = list, n->value = i;
    list = n;
  }
#pragma omp parallel num_threads(4)
#pragma omp single
  for (struct node *n = list; n; n = n->next) {
#pragma omp task firstprivate(n)
    {
      if (n->value % 8 == 0) pause_a_moment();
      n->value *= 2;
#ifndef RACY
#pragma omp atomic
#endif
      done++; /* race */
    }
  }
  for (struct node *next; list; list = next) next = list->next, free(list);
  return done < 1;
}
