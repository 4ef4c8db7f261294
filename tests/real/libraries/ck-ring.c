/* Concurrency Kit's ring with one producer and one consumer. */
#include <pthread.h>
#include <assert.h>
#include <ck_ring.h>
static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int values[3] = {1, 2, 3};
static void *producer(void *a) {
  for (int i = 0; i < 2; i++)
    while (!ck_ring_enqueue_spsc(&ring, buffer, &values[i]))
      ;
  return a;
}
int main(void) {
  pthread_t t;
  ck_ring_init(&ring, 4);
  pthread_create(&t, NULL, producer, NULL);
  void *p;
  for (int i = 0; i < 2; i++) {
    while (!ck_ring_dequeue_spsc(&ring, buffer, &p))
      ;
    assert(*(int *)p == i + 1);
  }
  pthread_join(t, NULL);
}
