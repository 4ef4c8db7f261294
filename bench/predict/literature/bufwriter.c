/* After "bufwriter" of the IBM benchmark: writers append to a buffer under a lock; one counts what it wrote behind the lock, and a checker
 * looks at what is there with a lock that is meant for something else. */
#include "shared.h"

#define WRITERS 3
#define EACH    3
#define ROOM    (WRITERS * EACH)

static char buffer[ROOM];
static int position;
static int written[WRITERS]; /* of each writer */
static int total;            /* of all, counted by each when it is done, under `totals` */
static int last_done;        /* who was done last */
static volatile int sealed;  /* the checker's: nobody should write any more */
static int late;             /* written although it was sealed */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, totals = PTHREAD_MUTEX_INITIALIZER;

static void append(int self) {
  pthread_mutex_lock(&lock);
  buffer[position] = (char)('a' + self);
  position++;
  pthread_mutex_unlock(&lock);
  written[self]++;
}

static void *writer(void *argument) {
  int self = number_of(argument);
  for (int i = 0; i < EACH; i++) append(self);
  last_done = self;
  pthread_mutex_lock(&totals);
  total += written[self];
  pthread_mutex_unlock(&totals);
  if (sealed) late++;
  return NULL;
}

static void *checker(void *result) {
  wait_a_moment();
  pthread_mutex_lock(&totals);
  int seen = position, sum = total;
  pthread_mutex_unlock(&totals);
  int last = last_done;
  int holes = 0;
  for (int i = 0; i < ROOM; i++) holes += i < seen && buffer[i] == 0;
  sealed = 1;
  *(int *)result = holes + (sum > ROOM) + (last >= WRITERS);
  return NULL;
}

int main(void) {
  pthread_t writers[WRITERS], last;
  int holes = 0;
  for (int i = 0; i < WRITERS; i++) start(&writers[i], writer, i);
  if (pthread_create(&last, NULL, checker, &holes)) return 1;
  for (int i = 0; i < WRITERS; i++) pthread_join(writers[i], NULL);
  pthread_join(last, NULL);
  printf("%d of %d written, %d holes seen, %d late\n", total, ROOM, holes, late);
  return 0;
}
