/* Three items are handed over by a semaphore; the note behind the last one is read too early.
 * confirms: data-race 1 */
#include <pthread.h>
#include <semaphore.h>

static sem_t items;
int queue[3], note;

static void *producer(void *unused) {
  for (int i = 0; i < 3; i++) {
    queue[i] = i + 1;
    sem_post(&items);
  }
  note = 1;
  return unused;
}
static void *consumer(void *sum) {
  for (int i = 0; i < 3; i++) {
    sem_wait(&items);
    *(int *)sum += queue[i];
  }
  *(int *)sum += 100 * note;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int sum = 0;
  sem_init(&items, 0, 0);
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, &sum);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return sum % 100 != 6;
}
