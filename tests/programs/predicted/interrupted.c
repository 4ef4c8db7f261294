// A message is sent in another section than the one that saw the channel open. The only execution that is made closes it when all was sent.
// verdict: BUG
// options: --predict --executions=2 --property={here}/interrupted.property
// executions: 1
// finding: property LOOK CLOSE SEND
// case: not-predicted
// verdict: BOUNDED
// options: --executions=2 --property={here}/interrupted.property
// case: fixed -DFIXED
// verdict: SAFE
// options: --predict --property={here}/interrupted.property
// case: fixed-first-execution -DFIXED
// verdict: BOUNDED
// options: --predict --executions=2 --property={here}/interrupted.property
// case: pso
// verdict: BUG
// memory: pso
// options: --predict --executions=2 --property={here}/interrupted.property
// finding: property LOOK CLOSE SEND
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_open = true;
static int sent;

static void *sender(void *unused) {
  pthread_mutex_lock(&lock);  // @LOOK
  bool open = is_open;
#ifdef FIXED
  if (open) sent++;
#endif
  pthread_mutex_unlock(&lock);
#ifndef FIXED
  if (!open) return unused;
  pthread_mutex_lock(&lock);  // @SEND
  sent++;
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

static void *closer(void *unused) {
  pthread_mutex_lock(&lock);  // @CLOSE
  is_open = false;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, sender, NULL);
  pthread_create(&t[1], NULL, closer, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
