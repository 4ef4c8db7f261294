/* predicts: data-race 1
 * outside: kept.c
 * What a library does that is not recorded orders the threads by locks that it makes of words, and by waits for what only it knows of:
 * nothing of `data` is told as a race, and no notification of the library's as lost, but as unconfirmed. `raced` is a race. */
#include <pthread.h>
#include <unistd.h>

#include "libraries/kept.h"

static int spins[2], flag;
int data[7], raced;
static char gate[256];

static void *first(void *unused) {
  raced = 1;
  while (!spin_try(&spins[0])) continue;
  data[0] = 1;
  spin_give(&spins[0]);
  spin_take(&spins[1]);
  usleep(100000);
  data[1] = 1;
  spin_give(&spins[1]);
  data[2] = 1;
  gate_open(&gate);
  data[3] = 1;
  own_open();
  data[4] = 1;
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  data[5] = 1;
  post();
  return unused;
}

static void *second(void *unused) {
  usleep(50000);
  raced = 2;
  while (!spin_try(&spins[0])) continue;
  data[0] = 2;
  spin_give(&spins[0]);
  spin_take(&spins[1]);
  data[1] = 2;
  spin_give(&spins[1]);
  gate_wait(&gate);
  data[2] = 2;
  own_wait();
  data[3] = 2;
  flag_wait(&flag);
  data[4] = 2;
  wait_post();
  data[5] = 2;
  return unused;
}

static void called(void) { data[6] = 2; }

int main(void) {
  pthread_t a, b;
  begin_work();
  data[6] = 1;
  give(called);
  end_work();
  data[6] = 3;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
