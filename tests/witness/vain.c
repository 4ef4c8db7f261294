/* Who finds no place writes without one.
 * confirms: data-race 2 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t places;
static atomic_int taken;
int tried, waited;

static void *guest(void *unused) {
  sem_wait(&places);
  taken = 1;
  tried = 1;
  waited = 1;
  return unused;
}
static void *late(void *unused) {
  struct timespec now;
  while (!taken) sched_yield();
  if (sem_trywait(&places) != 0) tried = 2;
  clock_gettime(CLOCK_REALTIME, &now);
  if (sem_timedwait(&places, &now) != 0) waited = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&places, 0, 1);
  pthread_create(&a, NULL, guest, NULL);
  pthread_create(&b, NULL, late, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return tried + waited == 0;
}
