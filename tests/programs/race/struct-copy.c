// A structure is copied while one of its fields is written.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

struct config {
  int size[6];
  int mode;
};

static struct config current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  current.mode = 2;  // @A
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, change, 0);
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  struct config mine = current;  // @B
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  pthread_join(t, 0);
  return mine.mode > 2;
}
