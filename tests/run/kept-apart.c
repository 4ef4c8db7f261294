/* analysis: ovp. finds: potential deadlock A B, potential deadlock C D; fixed: nothing. Two locks in two orders: what one thread reads says that the other has got both of its own, or
 * only that it is about to take them. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

#include "moment.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

#ifdef FIXED
static pthread_cond_t over = PTHREAD_COND_INITIALIZER;
static sem_t posted;
static int state, ends[2];

static void *one(void *way) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  if (*(int *)way == 0) atomic_store(&flag, 1);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  if (*(int *)way == 1) sem_post(&posted);
  if (*(int *)way == 2 && write(ends[1], "x", 1) != 1) return NULL;
  pthread_mutex_lock(&m);
  if (*(int *)way >= 3) state = *(int *)way;
  if (*(int *)way == 4) pthread_cond_signal(&over);
  pthread_mutex_unlock(&m);
  return way;
}

static void await(int way) {
  char c;
  while (way == 0 && !atomic_load(&flag)) usleep(1000);
  if (way == 1) sem_wait(&posted);
  if (way == 2 && read(ends[0], &c, 1) != 1) return;
  pthread_mutex_lock(&m);
  while (way == 4 && state != way) pthread_cond_wait(&over, &m);
  while (way == 3 && state != way) {
    pthread_mutex_unlock(&m);
    usleep(1000);
    pthread_mutex_lock(&m);
  }
  pthread_mutex_unlock(&m);
}

int main(void) {
  if (sem_init(&posted, 0, 0) != 0 || pipe(ends) != 0) return 1;
  for (int way = 0; way < 5; way++) {
    pthread_t t;
    pthread_create(&t, NULL, one, &way);
    await(way);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(t, NULL);
  }
  return 0;
}
#else
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;
static int begun, work;

static void *one(void *argument) {
  pthread_mutex_lock(&m);
  begun = 1;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); /* @A */
  work++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&c);
  atomic_store(&flag, 1); /* whoever sees it comes while c is taken */
  pthread_mutex_lock(&d); /* @C */
  pthread_mutex_unlock(&d);
  pthread_mutex_unlock(&c);
  moment_reach(1);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  moment_await(1);
  pthread_mutex_lock(&m);
  int seen = begun;
  pthread_mutex_unlock(&m);
  if (seen) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); /* @B */
    work++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
  }
  if (atomic_load(&flag)) {
    pthread_mutex_lock(&d);
    pthread_mutex_lock(&c); /* @D */
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&d);
  }
  return pthread_join(t, NULL);
}
#endif
