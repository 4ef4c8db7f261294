// Three philosophers, the execution of whom lets each eat before the next one sits down.
// verdict: BUG
// options: --predict --executions=1
// executions: 1
// finding: deadlock A
// case: not-predicted
// verdict: BOUNDED
// options: --executions=1
// case: gate -DGATE
// verdict: SAFE
// options: --predict
// case: gate-first-execution -DGATE
// verdict: BOUNDED
// options: --predict --executions=1
// case: ordered -DORDERED
// verdict: SAFE
// options: --predict
#include <pthread.h>
#include <stdint.h>

#define SEATS 3

static pthread_mutex_t fork_of[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
#ifdef GATE
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *eat(void *seat) {
  uintptr_t left = (uintptr_t)seat, right = (left + 1) % SEATS;
#ifdef ORDERED
  if (left > right) left = 0, right = SEATS - 1;
#endif
#ifdef GATE
  pthread_mutex_lock(&gate);
#endif
  pthread_mutex_lock(&fork_of[left]);
  pthread_mutex_lock(&fork_of[right]);  // @A
  pthread_mutex_unlock(&fork_of[right]);
  pthread_mutex_unlock(&fork_of[left]);
#ifdef GATE
  pthread_mutex_unlock(&gate);
#endif
  return NULL;
}

int main(void) {
  pthread_t t[SEATS];
  for (uintptr_t i = 0; i < SEATS; i++) pthread_create(&t[i], NULL, eat, (void *)i);
  for (int i = 0; i < SEATS; i++) pthread_join(t[i], NULL);
  return 0;
}
