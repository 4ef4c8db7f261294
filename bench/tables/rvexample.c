/* RVExample, after the motivating example of maximal causality reduction: one thread sets x and y, one resets y and counts, main observes.
 * The error needs the reset of y of a second round, the 2 that main stores, and the increment, in that order, between main's two rounds.
 * The accesses race. */
#include <heddle.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef RAISES
#define RAISES 1 /* rounds of the thread that sets both */
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *raise_both(void *unused) {
  (void)unused;
  for (int i = 0; i < RAISES; i++) {
    pthread_mutex_lock(&lock);
    x = 1;
    y = 1;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

static void *reset_and_count(void *unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock);
    y = 0;
    pthread_mutex_unlock(&lock);
    if (x > 0) {
      y = y + 1;
      x = 2;
    }
  }
  return 0;
}

static int observe(void) {
  int errors = 0;
  for (int i = 0; i < ROUNDS; i++) {
    if (x <= 1) continue;
    if (y == 3)
      errors++;
    else
      y = 2;
  }
  return errors;
}

int main(void) {
  pthread_t thread[2];
  pthread_create(&thread[0], 0, raise_both, 0);
  pthread_create(&thread[1], 0, reset_and_count, 0);
  int errors = observe();
  for (int i = 0; i < 2; i++) pthread_join(thread[i], 0);
  hd_assert(errors == 0);
  return 0;
}
