/* After "boundedbuffer" of the IBM benchmark: producers and consumers of a ring under a lock and two conditions. Statistics about it are
 * kept without the lock, one of them before it is taken and one behind; who is done says so without it, too. */
#include "shared.h"

#define ROOM      2
#define PRODUCERS 2
#define ITEMS     4 /* of each producer */

static int ring[ROOM];
static int used, in, out;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static int last_put, last_got; /* what passed last */
static int attempts;           /* to put */
static int deepest;            /* most items at a time */
static volatile int halted;    /* producers that are done */

static void put(int item) {
  attempts++;
  last_put = item;
  pthread_mutex_lock(&lock);
  while (used == ROOM) pthread_cond_wait(&not_full, &lock);
  ring[in] = item;
  in = (in + 1) % ROOM;
  used++;
  pthread_cond_broadcast(&not_empty);
  pthread_mutex_unlock(&lock);
}

static int get(void) {
  pthread_mutex_lock(&lock);
  while (used == 0) pthread_cond_wait(&not_empty, &lock);
  int item = ring[out];
  out = (out + 1) % ROOM;
  used--;
  pthread_cond_broadcast(&not_full);
  pthread_mutex_unlock(&lock);
  last_got = item;
  return item;
}

static void *producer(void *argument) {
  for (int i = 0; i < ITEMS; i++) put(100 * number_of(argument) + i);
  halted++;
  return NULL;
}

static void *consumer(void *argument) {
  long *sum = argument;
  for (int i = 0; i < PRODUCERS * ITEMS; i++) {
    *sum += get();
    if (used > deepest) deepest = used;
  }
  return NULL;
}

int main(void) {
  pthread_t producers[PRODUCERS], last;
  long sum = 0;
  if (pthread_create(&last, NULL, consumer, &sum)) return 1;
  for (int i = 0; i < PRODUCERS; i++) start(&producers[i], producer, i);
  wait_a_moment();
  int early = halted;
  pthread_mutex_lock(&lock);
  int depth = used;
  pthread_mutex_unlock(&lock);
  int seen = last_put + last_got;
  for (int i = 0; i < PRODUCERS; i++) pthread_join(producers[i], NULL);
  pthread_join(last, NULL);
  printf("sum %ld of %d items, at most %d at a time, %d then; %d halted early, %d seen\n", sum, attempts, deepest, depth, early, seen);
  return 0;
}
