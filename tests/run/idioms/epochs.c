/* Reclamation by quiescent states, as RCU does: a block is freed when every reader has been outside since it was taken out. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
enum { READERS = 2, ROUNDS = 40 };
struct node {
  int key;
  struct node *_Atomic next;
};
static struct node *_Atomic list;
static struct {
  _Alignas(64) atomic_ulong at; /* odd: within */
} readers[READERS];
static atomic_int stop;
static void *reader(void *argument) {
  atomic_ulong *mine = argument;
  long sum = 0;
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    atomic_fetch_add(mine, 1);
    for (struct node *n = atomic_load_explicit(&list, memory_order_acquire); n; n = atomic_load_explicit(&n->next, memory_order_acquire))
      sum += n->key;
    atomic_fetch_add_explicit(mine, 1, memory_order_release);
    sched_yield();
  }
  return (void *)sum;
}
static void synchronize(void) {
#ifndef RACY
  for (int i = 0; i < READERS; i++) {
    unsigned long was = atomic_load(&readers[i].at);
    while (was % 2 && atomic_load(&readers[i].at) == was) sched_yield();
  }
#endif
}
int main(void) {
  pthread_t t[READERS];
  for (int i = 0; i < READERS; i++) pthread_create(&t[i], NULL, reader, &readers[i].at);
  for (int i = 0; i < ROUNDS; i++) {
    struct node *n = malloc(sizeof *n);
    n->key = i, atomic_init(&n->next, atomic_load(&list));
    atomic_store_explicit(&list, n, memory_order_release);
    sched_yield();
    if (i % 2) {
      struct node *old = atomic_load(&list), *second = atomic_load(&old->next);
      atomic_store_explicit(&old->next, atomic_load(&second->next), memory_order_release);
      synchronize();
      second->key = -1;
      free(second);
    }
  }
  atomic_store(&stop, 1);
  for (int i = 0; i < READERS; i++) pthread_join(t[i], NULL);
  for (struct node *n = atomic_load(&list), *next; n; n = next) next = atomic_load(&n->next), free(n);
  return 0;
}
