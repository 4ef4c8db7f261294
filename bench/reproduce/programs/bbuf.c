/* A bounded buffer of two producers and two consumers.
 *
 * The bug: who waits does not look again when it is woken: `if` in place of `while`. An item that was there when a consumer was woken may
 * have been taken by another one that came by, and a place may have been filled.
 *
 * Natively: bbuf [ITEMS], items of each producer, fails in some of the runs. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { PRODUCERS = 2, CONSUMERS = 2, SLOTS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
static int slots[SLOTS], first, count;
static int items = 4; /* of each producer, and of each consumer */

static void put(int item) {
  pthread_mutex_lock(&lock);
  if (count == SLOTS) pthread_cond_wait(&room, &lock);
  assert(count < SLOTS);
  slots[(first + count++) % SLOTS] = item;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
}

static int take(void) {
  pthread_mutex_lock(&lock);
  if (count == 0) pthread_cond_wait(&filled, &lock);
  assert(count > 0);
  int item = slots[first];
  first = (first + 1) % SLOTS, count--;
  pthread_cond_signal(&room);
  pthread_mutex_unlock(&lock);
  return item;
}

static void *produce(void *unused) {
  for (int i = 1; i <= items; i++) put(i);
  return unused;
}

static void *consume(void *sum) {
  for (int i = 1; i <= items; i++) *(int *)sum += take();
  return sum;
}

int main(int argc, char **argv) {
  pthread_t producer[PRODUCERS], consumer[CONSUMERS];
  int sums[CONSUMERS] = {0}, sum = 0;
  if (argc > 1) items = atoi(argv[1]);
  for (int i = 0; i < CONSUMERS; i++) pthread_create(&consumer[i], 0, consume, &sums[i]);
  for (int i = 0; i < PRODUCERS; i++) pthread_create(&producer[i], 0, produce, 0);
  for (int i = 0; i < PRODUCERS; i++) pthread_join(producer[i], 0);
  for (int i = 0; i < CONSUMERS; i++) pthread_join(consumer[i], 0), sum += sums[i];
  assert(sum == PRODUCERS * items * (items + 1) / 2);
  return 0;
}
