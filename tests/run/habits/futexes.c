/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. A pool of threads with a lock and a queue of its own, made of atomics and futex(). */
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fixed.h"
#include "moment.h"

enum { THREADS = 3, JOBS = 500, ROOM = 16, FREE = 0, TAKEN = 1, WAITED_FOR = 2 };
static atomic_int state, turns;
static struct {
  int at[ROOM], head, tail;
  bool over;
} queue;
static int done, sum;

static void await(atomic_int *a, int value) { syscall(SYS_futex, a, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0); }
static void wake(atomic_int *a, int n) { syscall(SYS_futex, a, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0); }
static void take(void) {
  int seen = FREE;
  if (atomic_compare_exchange_strong(&state, &seen, TAKEN)) return;
  if (seen != WAITED_FOR) seen = atomic_exchange(&state, WAITED_FOR);
  for (; seen != FREE; seen = atomic_exchange(&state, WAITED_FOR)) await(&state, WAITED_FOR);
}
static void give(void) {
  if (atomic_fetch_sub(&state, 1) == TAKEN) return;
  atomic_store(&state, FREE);
  wake(&state, 1);
}

/* -1: there is none; -2: nor will there be. */
static int next(void) {
  take();
  int job = queue.head != queue.tail ? queue.at[queue.head++ % ROOM] : queue.over ? -2 : -1;
  give();
  return job;
}
static void count(int job) {
  lock();
  done++; /* @A */
  unlock();
  take();
  sum += job;
  give();
}
static void meet(intptr_t i) {
  moment_reach((int)i);
  for (int k = 0; k < THREADS; k++) moment_await(k);
}
static void *work(void *argument) {
  bool first = true;
  for (;;) {
    int turn = atomic_load(&turns), job = next();
    if (job == -2) return NULL;
    if (first && job >= 0) meet((intptr_t)argument), first = false;
    if (job >= 0)
      count(job);
    else
      await(&turns, turn);
  }
}
static bool put(int job) {
  take();
  bool room = queue.tail - queue.head < ROOM;
  if (room) queue.at[queue.tail++ % ROOM] = job;
  give();
  atomic_fetch_add(&turns, 1);
  wake(&turns, 1);
  return room;
}

int main(void) {
  pthread_t t[THREADS];
  for (intptr_t i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < JOBS; i++)
    while (!put(i)) sched_yield();
  take();
  queue.over = true;
  give();
  atomic_fetch_add(&turns, 1);
  wake(&turns, INT_MAX);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return sum != JOBS * (JOBS - 1) / 2;
}
