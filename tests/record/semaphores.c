/* Semaphores, barriers, read-write locks, things that are done once, thread-local variables. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t room, items;
static pthread_barrier_t barrier;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int slots[2], in, out, value, made, phases[3];
static _Thread_local int own;
static void make(void) { made = 3; }
static void *produce(void *argument) {
  pthread_once(&once, make);
  for (int i = 0; i < 10; i++) {
    sem_wait(&room);
    slots[in++ % 2] = made;
    sem_post(&items);
  }
  return argument;
}
static void *consume(void *argument) {
  pthread_once(&once, make);
  for (int i = 0; i < 10; i++) {
    sem_wait(&items);
    own += slots[out++ % 2];
    sem_post(&room);
  }
  assert(own == 10 * made);
  return argument;
}
static void *meet(void *argument) {
  int me = *(int *)argument;
  for (int i = 1; i < 4; i++) {
    phases[me] = i;
    pthread_barrier_wait(&barrier);
    assert(phases[(me + 1) % 3] == i);
    pthread_barrier_wait(&barrier);
    pthread_rwlock_rdlock(&lock);
    int v = value;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    value = v + 1 > value ? v + 1 : value;
    pthread_rwlock_unlock(&lock);
  }
  return argument;
}
int main(void) {
  int numbers[3] = {0, 1, 2};
  pthread_t t[5];
  sem_init(&room, 0, 2);
  sem_init(&items, 0, 0);
  pthread_barrier_init(&barrier, 0, 3);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, meet, &numbers[i]);
  pthread_create(&t[3], 0, produce, 0);
  pthread_create(&t[4], 0, consume, 0);
  for (int i = 0; i < 5; i++) pthread_join(t[i], 0);
  return 0;
}
