/* Nothing is wrong here. More threads wait for one condition, and at one barrier, than a window of the analysis can have. */
#include <pthread.h>
#include <unistd.h>

enum { CROWD = 300 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t all;
int waiting, open_now, done;

static void *waits(void *unused) {
  pthread_mutex_lock(&lock);
  waiting++;
  while (!open_now) pthread_cond_wait(&opened, &lock);
  pthread_mutex_unlock(&lock);
  pthread_barrier_wait(&all);
  pthread_mutex_lock(&lock);
  done++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  static pthread_t threads[CROWD];
  pthread_barrier_init(&all, NULL, CROWD);
  for (int i = 0; i < CROWD; i++) pthread_create(&threads[i], NULL, waits, NULL);
  for (int there = 0; there < CROWD; usleep(1000)) {
    pthread_mutex_lock(&lock);
    there = waiting;
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  open_now = 1;
  pthread_cond_broadcast(&opened);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < CROWD; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&all);
  return done != CROWD;
}
