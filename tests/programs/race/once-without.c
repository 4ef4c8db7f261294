// Hand-made "once": the test of the plain flag races with its setting.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised;

static void initialise(void) {
  initialised = 1;  // @A
}

static void *use(void *unused) {
  (void)unused;
#ifdef FIXED
  pthread_once(&once, initialise);
#else
  if (!initialised) {  // @B
    pthread_mutex_lock(&lock);
    initialise();
    pthread_mutex_unlock(&lock);
  }
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  (void)once;
  (void)lock;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, use, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return initialised - 1;
}
