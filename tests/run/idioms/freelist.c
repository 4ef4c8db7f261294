/* A pool of blocks: each thread has a few of its own, and takes and gives back several at a time under the lock of all. */
#include <pthread.h>
#include <stdlib.h>
enum { THREADS = 3, ROUNDS = 80, BATCH = 4 };
struct block {
  struct block *next;
  int data[6];
};
static struct block *all;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct block *own;
static _Thread_local int count;
static void refill(void) {
  pthread_mutex_lock(&m);
  for (; all && count < BATCH; count++) {
    struct block *b = all;
    all = b->next, b->next = own, own = b;
  }
  pthread_mutex_unlock(&m);
  for (; count < BATCH; count++) {
    struct block *b = malloc(sizeof *b);
    b->next = own, own = b;
  }
}
static void give_back(int keep) {
#ifndef RACY
  pthread_mutex_lock(&m);
#endif
  for (; count > keep; count--) {
    struct block *b = own;
    own = b->next, b->next = all, all = b;
  }
#ifndef RACY
  pthread_mutex_unlock(&m);
#endif
}
static void *work(void *argument) {
  struct block *mine[6];
  for (int i = 0; i < ROUNDS; i++) {
    for (int k = 0; k < 6; k++) {
      if (!own) refill();
      mine[k] = own, own = own->next, count--;
      for (int j = 0; j < 6; j++) mine[k]->data[j] = i;
    }
    for (int k = 0; k < 6; k++) mine[k]->next = own, own = mine[k], count++;
    if (count > BATCH) give_back(BATCH / 2);
  }
  give_back(0);
  return argument;
}
int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
#ifndef RACY
  for (struct block *b = all, *next; b; b = next) next = b->next, free(b);
#endif
  return 0;
}
