// A service is asked before it was opened, which shows only if it is opened later. In the only execution that is made it was opened first.
// verdict: BUG
// options: --predict --executions=2 --property={here}/unready.property
// executions: 1
// finding: property ASK
// case: not-predicted
// verdict: BOUNDED
// options: --executions=2 --property={here}/unready.property
// case: fixed -DFIXED
// verdict: SAFE
// options: --predict --property={here}/unready.property
// case: fixed-first-execution -DFIXED
// verdict: BOUNDED
// options: --predict --executions=2 --property={here}/unready.property
#include <pthread.h>

static struct service {
  pthread_mutex_t lock;
  int open, asked;
} service = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void service_open(struct service *s) {
  pthread_mutex_lock(&s->lock);
  s->open = 1;
  pthread_mutex_unlock(&s->lock);
}

static void service_ask(struct service *s) {
  pthread_mutex_lock(&s->lock);
  s->asked++;
  pthread_mutex_unlock(&s->lock);
}

static void *opener(void *s) {
  service_open(s);
  return NULL;
}

static void *client(void *s) {
  service_ask(s);  // @ASK
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, opener, &service);
#ifdef FIXED
  pthread_join(t[0], NULL);
#endif
  pthread_create(&t[1], NULL, client, &service);
#ifndef FIXED
  pthread_join(t[0], NULL);
#endif
  pthread_join(t[1], NULL);
  return 0;
}
