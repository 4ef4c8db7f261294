// One of many threads leaves a pointer to its thread-local variable, which is that of a later thread again: still a use of something gone.
// verdict: BUG
// finding: use-after-free A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <semaphore.h>

enum { THREADS = 34 }; /* numbers are not given again at once */

static _Thread_local int own;
static int *stale;
static int other;

static void *show(void *unused) {
  own = 1;
#ifndef FIXED
  stale = &own;
#endif
  return unused;
}

static void *idle(void *unused) { return unused; }

static sem_t go, used;

static void *use(void *unused) {
  sem_wait(&go);
  *stale = 2;  // @A
  sem_post(&used);
  return unused;
}

static void *stay(void *unused) {
  sem_wait(&used);
  return unused;
}

int main(void) {
  pthread_t t, user;
  stale = &other;
  sem_init(&go, 0, 0), sem_init(&used, 0, 0);
  pthread_create(&t, 0, show, 0);
  pthread_join(t, 0);
  pthread_create(&user, 0, use, 0);
  for (int i = 1; i < THREADS; i++) {
    pthread_create(&t, 0, idle, 0);
    pthread_join(t, 0);
  }
  sem_post(&go);
  pthread_create(&t, 0, stay, 0);
  pthread_join(user, 0);
  pthread_join(t, 0);
  return 0;
}
