// A thread that looks for another one's name before that is created waits for it: what it does to it comes later in every order.
// verdict: BUG
// finding: data-race create look
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: data-race create look
// case: naive
// options: --strategy=naive
// verdict: BUG
// finding: data-race create look
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_t name;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *child(void *unused) { return unused; }

static void *joiner(void *unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
  pthread_t seen = name;
  pthread_mutex_unlock(&lock);
#else
  pthread_t seen = name;  // @look
#endif
  if (seen) pthread_join(seen, 0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, joiner, 0);
#ifdef FIXED
  pthread_mutex_lock(&lock);
  pthread_create(&name, 0, child, 0);
  pthread_mutex_unlock(&lock);
#else
  pthread_create(&name, 0, child, 0);  // @create
#endif
  pthread_join(t, 0);
  return 0;
}
