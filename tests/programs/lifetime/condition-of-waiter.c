// The condition variable is signalled once more, without the lock, when its waiter may have gone.
// verdict: BUG
// options: --strategy=maximal
// finding: use-after-free A
// finding?: data-race
// case: dpor-sc
// verdict: BUG
// options: --strategy=dpor
// finding: use-after-free A
// finding?: data-race
// case: naive-sc
// verdict: BUG
// options: --strategy=naive
// finding: use-after-free A
// finding?: data-race
// case: fixed-maximal-sc -DFIXED
// verdict: SAFE
// options: --strategy=maximal
// case: fixed-dpor-sc -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// case: fixed-naive-sc -DFIXED
// verdict: SAFE
// options: --strategy=naive
#include <pthread.h>
#include <stddef.h>

struct request {
  pthread_mutex_t m;
  pthread_cond_t c;
  int done;
};

static void *server(void *argument) {
  struct request *r = argument;
  pthread_mutex_lock(&r->m);
  r->done = 1;
#ifdef FIXED
  pthread_cond_signal(&r->c);
#endif
  pthread_mutex_unlock(&r->m);
#ifndef FIXED
  pthread_cond_signal(&r->c);  // @A
#endif
  return NULL;
}

static void ask(pthread_t *t) {
  struct request r = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
  pthread_create(t, NULL, server, &r);
  pthread_mutex_lock(&r.m);
  while (!r.done) pthread_cond_wait(&r.c, &r.m);
  pthread_mutex_unlock(&r.m);
}

int main(void) {
  pthread_t t;
  ask(&t);
  pthread_join(t, NULL);
  return 0;
}
