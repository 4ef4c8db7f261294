// A thread that could be cancelled at any step writes what another one writes as well: each of its writes is a step, and a race all the same.
// verdict: BUG
// finding: data-race A B
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: data-race A B
// case: naive
// options: --strategy=naive
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static int word;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
  pthread_mutex_lock(&lock);
  word = 1;  // @A
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  int type;
  (void)argv;
  pthread_create(&thread, NULL, other, NULL);
  if (argc > 1) pthread_cancel(thread);
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
  word = 2;  // @B
  pthread_setcanceltype(type, NULL);
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  pthread_join(thread, NULL);
}
