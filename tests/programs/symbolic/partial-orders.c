// The example of docs/unfolding.md: the input is negative or not, and either thread may lock first. Four executions, and none of them twice.
// verdict: SAFE
// options: --strategy=unfolding
// executions: 4
// case: maximal
// verdict: SAFE
// case: endless
// verdict: SAFE
// options: --strategy=unfolding
// cflags: -DENDLESS
// case: lost
// verdict: BUG
// options: --strategy=unfolding
// cflags: -DLOST
// finding: lost-wakeup A
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *second(void *unused) {
  do {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
#ifdef ENDLESS
  } while (1);
#else
  } while (0);
#endif
  return unused;
}

static void first(void) {
  int x;
  hd_symbolic(&x, sizeof x, "x");
  if (x < 0) x = 0;
  pthread_mutex_lock(&lock);
#ifdef LOST
  if (x == 0 || !ready) pthread_cond_wait(&condition, &lock); /* @A */
#else
  if (!ready) pthread_cond_wait(&condition, &lock);
#endif
#ifdef ENDLESS
  ready = 0;
#endif
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, second, 0);
#ifdef ENDLESS
  for (;;)
#endif
    first();
  pthread_join(t, 0);
  return 0;
}
