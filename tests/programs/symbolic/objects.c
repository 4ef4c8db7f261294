// Locks and the like whose bytes are inputs: what they say is looked at.
// verdict: BUG
// finding: thread-misuse A
// case: semaphore
// verdict: BUG
// cflags: -DSEMAPHORE
// finding: thread-misuse B
// case: zeros
// verdict: SAFE
// cflags: -DZEROS
// case: initialised
// verdict: SAFE
// cflags: -DINITIALISED
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>

static struct {
  char before;
  pthread_mutex_t lock;
  sem_t count;
} of_an_input;

int main(void) {
  hd_symbolic(&of_an_input, sizeof of_an_input, "of_an_input");
#ifdef ZEROS
  for (unsigned i = 0; i < sizeof of_an_input.lock; i++) hd_assume(((char *)&of_an_input.lock)[i] == 0);
#endif
#ifdef INITIALISED
  pthread_mutex_init(&of_an_input.lock, NULL);
  sem_init(&of_an_input.count, 0, 1);
#endif
#if defined SEMAPHORE || defined INITIALISED
  sem_wait(&of_an_input.count); /* @B */
#endif
#ifndef SEMAPHORE
  pthread_mutex_lock(&of_an_input.lock); /* @A */
  pthread_mutex_unlock(&of_an_input.lock);
#endif
  hd_assert(of_an_input.before != 'x' || of_an_input.before == 'x');
  return 0;
}
