// Both threads hold the lock, so there is no race; that the user comes first is the schedule's doing.
// verdict: BUG
// options: --predict --executions=2
// executions: 1
// finding: use-after-free A B
// case: not-predicted
// verdict: BOUNDED
// options: --executions=2
// executions: 1
// case: fixed -DFIXED
// verdict: SAFE
// options: --predict
// case: fixed-first-execution -DFIXED
// verdict: BOUNDED
// options: --predict --executions=2
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *user(void *unused) {
#ifdef FIXED
  int *mine;
#else
  int *mine = shared;
#endif
  pthread_mutex_lock(&lock);
#ifdef FIXED
  mine = shared;
  if (mine)
#endif
    *mine = 1;  // @A
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *owner(void *unused) {
  pthread_mutex_lock(&lock);
  free(shared);  // @B
#ifdef FIXED
  shared = NULL;
#endif
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t[2];
  shared = malloc(sizeof *shared);
  pthread_create(&t[0], NULL, user, NULL);
  pthread_create(&t[1], NULL, owner, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
