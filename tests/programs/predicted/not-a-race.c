// Looks like race.c to whoever looks at locks alone: but the reader reads behind a flag that the writer sets, in every execution.
// verdict: SAFE
// options: --predict
// case: first-execution
// verdict: BOUNDED
// options: --predict --executions=2
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data, ready;

static void *writer(void *unused) {
  data = 1;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *reader(void *unused) {
  pthread_mutex_lock(&lock);
  int go_on = ready;
  pthread_mutex_unlock(&lock);
  return go_on && data ? unused : NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, writer, NULL);
  pthread_create(&t[1], NULL, reader, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
