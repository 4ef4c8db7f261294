// The only execution that is made orders the two accesses: the reader comes to the lock behind the writer.
// verdict: BUG
// options: --strategy=dpor --predict --executions=2
// executions: 1
// finding: data-race A B
// case: not-predicted
// verdict: BOUNDED
// options: --strategy=dpor --executions=2
// executions: 1
// case: random
// verdict: BUG
// options: --strategy=random --executions=2
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
// options: --predict
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data, turns;

static void take_a_turn(void) {
  pthread_mutex_lock(&lock);
  turns++;
  pthread_mutex_unlock(&lock);
}

static void *writer(void *unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  data = 1;  // @A
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  take_a_turn();
  return unused;
}

static void *reader(void *unused) {
  take_a_turn();
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  int seen = data;  // @B
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return seen ? unused : NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
