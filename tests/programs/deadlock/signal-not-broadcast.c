// One signal for two waiters with different conditions: the wrong one may take it.
// verdict: BUG
// finding: deadlock|lost-wakeup A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int level;

static void *wait_for(void *argument) {
  int wanted = *(int *)argument;
  pthread_mutex_lock(&lock);
  while (level < wanted)
    pthread_cond_wait(&changed, &lock);  // @A
  pthread_mutex_unlock(&lock);
  return 0;
}

static void raise_level(void) {
  pthread_mutex_lock(&lock);
  level++;
#ifdef FIXED
  pthread_cond_broadcast(&changed);
#else
  pthread_cond_signal(&changed);
#endif
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t t[2];
  static int wanted[2] = {1, 2};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, wait_for, &wanted[i]);
  raise_level();
  raise_level();
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
