/* predicts: data-race 0
 * A semaphore that is made anew: what was left in it is gone, and lets nobody through later. */
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static int data;
static void *leave(void *argument) {
  sem_post(&s);
  return argument;
}
static void *post(void *argument) {
  data = 1;
  sem_post(&s);
  return argument;
}
static void *await(void *argument) {
  sem_wait(&s);
  data++;
  return argument;
}
static void both(void *(*one)(void *), void *(*another)(void *)) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, another, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
int main(void) {
  sem_init(&s, 0, 1);
  both(leave, leave);
  sem_destroy(&s);
  sem_init(&s, 0, 0);
  both(post, await);
  both(leave, leave);
  sem_init(&s, 0, 0);
  both(post, await);
  return data != 2;
}
