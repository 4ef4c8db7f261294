/* A library that nobody records: locks of its own, and waits for what it keeps to itself. */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

bool spin_try(int *lock);
void spin_take(int *lock);
void spin_give(int *lock);
void gate_wait(void *gate);
void gate_open(void *gate);
void own_wait(void);
void own_open(void);
void flag_wait(int *flag);

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
