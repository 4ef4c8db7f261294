/* A table with a lock for each chain. */
#include "openmp.h"
#include <stdlib.h>
enum { B = 4 };
struct entry {
  struct entry *next;
  int key;
} *chain[B];
omp_lock_t lock[B];
int entries;
static void insert(int key) {
  struct entry *e = malloc(sizeof *e);
  int k = key % B;
  e->key = key;
  omp_set_lock(&lock[k]);
  e->next = chain[k], chain[k] = e;
#ifdef RACY
  entries++; /* race */
#endif
  omp_unset_lock(&lock[k]);
}
int main(void) {
  for (int k = 0; k < B; k++) omp_init_lock(&lock[k]);
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 40; i++) insert(i);
  for (int k = 0; k < B; k++) {
    omp_destroy_lock(&lock[k]);
    for (struct entry *e = chain[k], *next; e; e = next) next = e->next, free(e);
  }
  return entries > 40;
}
