// sem_trywait, sem_getvalue and a semaphore as a mutex.
// verdict: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t mutex, items;
static int count;

static void *work(void *unused) {
  (void)unused;
  sem_wait(&mutex);
  count++;
  sem_post(&mutex);
  sem_post(&items);
  return 0;
}

int main(void) {
  pthread_t t[2];
  int value = -1;
  sem_init(&mutex, 0, 1);
  sem_init(&items, 0, 0);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  int early = sem_trywait(&items) == 0;
  if (!early) assert(errno == EAGAIN);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(count == 2);
  assert(sem_getvalue(&items, &value) == 0 && value == 2 - early);
  sem_destroy(&mutex);
  sem_destroy(&items);
  return 0;
}
