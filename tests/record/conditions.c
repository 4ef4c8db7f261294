/* A queue with two condition variables; waits with and without a time limit. */
#include <assert.h>
#include <pthread.h>
#include <time.h>
enum { ROOM = 3, ITEMS = 40 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER, never = PTHREAD_COND_INITIALIZER;
static int queue[ROOM], first, count, sum;
static void *put(void *argument) {
  for (int i = 1; i <= ITEMS; i++) {
    pthread_mutex_lock(&m);
    while (count == ROOM) pthread_cond_wait(&emptied, &m);
    queue[(first + count++) % ROOM] = i;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&m);
  }
  return argument;
}
static void *take(void *argument) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&m);
    while (count == 0) pthread_cond_wait(&filled, &m);
    sum += queue[first];
    first = (first + 1) % ROOM, count--;
    pthread_cond_broadcast(&emptied);
    pthread_mutex_unlock(&m);
  }
  return argument;
}
int main(void) {
  pthread_t t[4];
  struct timespec soon;
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, i % 2 ? take : put, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  pthread_mutex_lock(&m);
  clock_gettime(CLOCK_REALTIME, &soon);
  int e = pthread_cond_timedwait(&never, &m, &soon);
  pthread_mutex_unlock(&m);
  assert(e != 0 && sum == ITEMS * (ITEMS + 1));
  return 0;
}
