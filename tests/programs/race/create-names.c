// pthread_create() stores the new thread's name, while a third thread looks there: that store was no step, and the race not found.
// verdict: BUG
// finding: data-race store look
// finding: assertion unset
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: data-race store look
// finding: assertion unset
// case: before -DFIXED
// verdict: SAFE
#include <assert.h>
#include <pthread.h>

static pthread_t named;

static void *work(void *unused) {
  assert(pthread_equal(named, pthread_self())); /* the C library tells before the thread begins */
  return unused;
}

static void *watch(void *unused) {
  assert(named != 0); /* @look @unset */
  return unused;
}

int main(void) {
  pthread_t w;
#ifdef FIXED
  pthread_create(&named, NULL, work, NULL);
  pthread_create(&w, NULL, watch, NULL);
#else
  pthread_create(&w, NULL, watch, NULL);
  pthread_create(&named, NULL, work, NULL); /* @store */
#endif
  pthread_join(w, NULL);
  pthread_join(named, NULL);
}
