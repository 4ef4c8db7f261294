/* A library that nobody records: locks of its own, and waits for what it keeps to itself. */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

#include "kept.h"

bool spin_try(int *lock) {
  int zero = 0;
  return __atomic_compare_exchange_n(lock, &zero, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}
void spin_take(int *lock) {
  while (!spin_try(lock)) sched_yield();
}
void spin_give(int *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

struct gate {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  bool open;
};
void gate_wait(void *gate) {
  struct gate *g = gate;
  pthread_mutex_lock(&g->lock);
  while (!g->open) pthread_cond_wait(&g->opened, &g->lock);
  pthread_mutex_unlock(&g->lock);
}
void gate_open(void *gate) {
  struct gate *g = gate;
  pthread_mutex_lock(&g->lock);
  g->open = true;
  pthread_cond_broadcast(&g->opened);
  pthread_mutex_unlock(&g->lock);
}

static struct gate own = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
void own_wait(void) { gate_wait(&own); }
void own_open(void) { gate_open(&own); }

void flag_wait(int *flag) {
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) sched_yield();
}

static int posted;
void post(void) { __atomic_store_n(&posted, 1, __ATOMIC_RELEASE); }
void wait_post(void) {
  while (!__atomic_load_n(&posted, __ATOMIC_ACQUIRE)) sched_yield();
}

static void (*volatile job)(void);
static pthread_t worker;
static int given;
static void *work(void *unused) {
  while (!__atomic_load_n(&given, __ATOMIC_ACQUIRE)) sched_yield();
  job();
  return unused;
}
void begin_work(void) { pthread_create(&worker, NULL, work, NULL); }
void give(void (*f)(void)) {
  job = f;
  __atomic_store_n(&given, 1, __ATOMIC_RELEASE);
}
void end_work(void) { pthread_join(worker, NULL); }
