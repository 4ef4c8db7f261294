/* Producers and consumers and a bounded queue: one lock and two condition variables for all. */
#include "native.h"

enum { SLOTS = 256, ITEMS = 300000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER, filled = PTHREAD_COND_INITIALIZER;
static unsigned first, count, taken;
static long slots[SLOTS], sums[MOST_THREADS];

static void produce(long item) {
  pthread_mutex_lock(&lock);
  while (count == SLOTS) pthread_cond_wait(&room, &lock);
  slots[(first + count++) % SLOTS] = item;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
}

static long consume(void) {
  pthread_mutex_lock(&lock);
  while (count == 0 && taken < ITEMS) pthread_cond_wait(&filled, &lock);
  long item = -1;
  if (count > 0) {
    item = slots[first], first = (first + 1) % SLOTS, count--;
    if (++taken == ITEMS) pthread_cond_broadcast(&filled);
  }
  pthread_cond_signal(&room);
  pthread_mutex_unlock(&lock);
  return item;
}

static void work(unsigned me, unsigned threads) {
  unsigned producers = threads / 2 ? threads / 2 : 1;
  if (me < producers) {
    for (long i = me; i < ITEMS; i += producers) produce(i);
    if (threads > 1) return;
  }
  for (long item; (item = consume()) >= 0;) sums[me] += item;
}

int main(int argc, char **argv) {
  unsigned threads = native_threads(argc, argv);
  if (threads < 2) threads = 2;
  native_run(work, threads);
  long sum = 0;
  for (unsigned i = 0; i < threads; i++) sum += sums[i];
  return sum != (long)ITEMS * (ITEMS - 1) / 2;
}
