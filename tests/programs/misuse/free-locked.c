// Frees a block with a mutex in it that is still locked by another thread.
// verdict: BUG
// finding: thread-misuse|use-after-free|data-race
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdlib.h>

struct object {
  pthread_mutex_t lock;
  int references;
};

static void drop(struct object *o) {
  pthread_mutex_lock(&o->lock);
  int last = --o->references == 0;
#ifdef FIXED
  pthread_mutex_unlock(&o->lock);
  if (last) {
    pthread_mutex_destroy(&o->lock);
    free(o);
  }
#else
  if (last) free(o);
  pthread_mutex_unlock(&o->lock);
#endif
}

static void *worker(void *argument) {
  drop(argument);
  return 0;
}

int main(void) {
  pthread_t t;
  struct object *o = malloc(sizeof *o);
  if (!o) return 0;
  pthread_mutex_init(&o->lock, 0);
  o->references = 2;
  pthread_create(&t, 0, worker, o);
  drop(o);
  pthread_join(t, 0);
  return 0;
}
