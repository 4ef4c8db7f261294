// Two threads that turn a flag for ever: four executions, which end at cutoffs. Livelocks cannot be seen then; if nobody asks for them, the
// program is SAFE.
// verdict: BOUNDED
// options: --strategy=unfolding --cutoffs
// executions: 0
// case: asked
// verdict: SAFE
// options: --strategy=unfolding --cutoffs --ignore=livelock
// executions: 0
// case: seen
// verdict: BUG
// options: --strategy=unfolding
// finding: livelock A
// case: races
// verdict: BUG
// options: --strategy=unfolding --cutoffs --ignore=livelock
// cflags: -DRACES
// finding: data-race B B
#include <pthread.h>

static int flag;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *flip(void *unused) {
  for (;;) {
#ifdef RACES
    flag = 1; // @B
#else
    pthread_mutex_lock(&lock); // @A
    flag = !flag;
    pthread_mutex_unlock(&lock);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, flip, NULL);
  flip(NULL);
}
