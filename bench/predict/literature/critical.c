/* After "critical" of the IBM benchmark: two threads guard a critical section by a variable that says whose turn it is, which they test and
 * set without any lock. A log of who came in is kept under a lock. Main reads it so, and then, without, what the threads count in the
 * section. */
#include "shared.h"

#define TRIES 3

static volatile int turn;    /* whose turn it is */
static volatile int inside;  /* who is in the critical section */
static int result[2];        /* what each left there */
static int shared;           /* what the section protects */
static int last_in, entries; /* the log */
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void enter_log(int self) {
  pthread_mutex_lock(&log_lock);
  last_in = self;
  entries++;
  pthread_mutex_unlock(&log_lock);
}

static void critical_section(int self) {
  inside = self;
  shared = shared + 1;
  result[self] = shared;
  enter_log(self);
}

static void *first(void *unused) {
  (void)unused;
  for (int i = 0; i < TRIES; i++) {
    if (turn != 0) continue; /* not ours: try again, but not for ever */
    critical_section(0);
    turn = 1;
  }
  return NULL;
}

static void *second(void *unused) {
  (void)unused;
  for (int i = 0; i < TRIES; i++) {
    if (turn != 1) continue;
    critical_section(1);
    turn = 0;
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  start(&a, first, 0);
  start(&b, second, 1);
  wait_a_moment();
  pthread_mutex_lock(&log_lock);
  int seen = entries;
  pthread_mutex_unlock(&log_lock);
  int early = shared;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d entries, %d before the end; last in %d, shared %d, before %d\n", entries, seen, last_in, shared, early);
  return inside > 1;
}
