// The execution has the store in its buffer while both reads are made, and the detector then sees the second one alone. In the execution
// that shows the race with the first one the store leaves the buffer between them.
// verdict: BUG
// memory: tso
// options: --strategy=dpor --predict --executions=2
// finding: data-race A B
// finding: data-race A C
// case: pso
// verdict: BUG
// memory: pso
// options: --strategy=dpor --predict --executions=2
// finding: data-race A B
// finding: data-race A C
// case: not-predicted
// verdict: BUG
// memory: tso
// options: --strategy=dpor --executions=2
// finding: data-race A C
// case: fixed -DFIXED
// verdict: SAFE
// memory: tso
// options: --predict
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int data;

static void *reader(void *unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  int before = data;  // @B
  int after = data;   // @C
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return before == after ? unused : NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  data = 0;  // @A: no read can return anything else, so that races are all there is to ask about
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  pthread_join(t, NULL);
  return 0;
}
