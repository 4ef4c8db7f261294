// Two threads that take many turns, in an execution of more than 60,000 events: what the model is asked about are windows of that. In the only
// execution that is made the lock orders the write, in its middle, before the read; in another one it does not.
// verdict: BUG
// options: --strategy=dpor --predict --executions=2 --step-limit=0
// executions: 1
// finding: data-race A B
// case: not-predicted
// verdict: BOUNDED
// options: --strategy=dpor --executions=2 --step-limit=0
// executions: 1
// case: fixed -DFIXED
// verdict: BOUNDED
// options: --strategy=dpor --predict --executions=2 --step-limit=0
#include <pthread.h>

#define TURNS 8000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data, turns;

static void take_turns(int n) {
  for (int i = 0; i < n; i++) {
    pthread_mutex_lock(&lock);
    turns++;
    pthread_mutex_unlock(&lock);
  }
}

static void *writer(void *unused) {
  take_turns(TURNS);
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  data = 1;  // @A
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  take_turns(1);
  return unused;
}

static void *reader(void *unused) {
  take_turns(1);
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  int seen = data;  // @B
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  take_turns(TURNS);
  return seen ? unused : NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
