// A mutex in a block from malloc() that nobody initialised.
// verdict: BUG
// finding: thread-misuse|uninitialised A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdlib.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

int main(void) {
  struct account *a = malloc(sizeof *a);
  if (!a) return 0;
  a->balance = 0;
#ifdef FIXED
  pthread_mutex_init(&a->lock, 0);
#endif
  pthread_mutex_lock(&a->lock);  // @A
  a->balance++;
  pthread_mutex_unlock(&a->lock);
  free(a);
  return 0;
}
