/* A deque of tasks after Chase and Lev, with the orders of Le, Pop, Cohen and Nardelli (PPoPP 2013): its owner works at one end, others
 * steal from the other. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
enum { SIZE = 256, TASKS = 200, THIEVES = 2 };
struct task {
  int in, out;
};
static struct task *_Atomic tasks[SIZE];
static atomic_long top, bottom;
static atomic_int done;
static void push(struct task *t) {
  long b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&tasks[b % SIZE], t, memory_order_relaxed);
#ifndef RACY
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}
static struct task *take(void) {
  long b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  long t = atomic_load_explicit(&top, memory_order_relaxed);
  struct task *x = t <= b ? atomic_load_explicit(&tasks[b % SIZE], memory_order_relaxed) : NULL;
  if (t == b && !atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) x = NULL;
  if (t >= b) atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  return x;
}
static struct task *steal(void) {
  long t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  long b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b) return NULL;
  struct task *x = atomic_load_explicit(&tasks[t % SIZE], memory_order_relaxed);
  return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed) ? x : NULL;
}
static void work(struct task *t) {
  if (!t) {
    sched_yield();
    return;
  }
  t->out = t->in * 2;
  atomic_fetch_add_explicit(&done, 1, memory_order_release);
}
static void *thief(void *argument) {
  while (atomic_load_explicit(&done, memory_order_relaxed) < TASKS) work(steal());
  return argument;
}
int main(void) {
  static struct task all[TASKS];
  pthread_t t[THIEVES];
  for (int i = 0; i < THIEVES; i++) pthread_create(&t[i], NULL, thief, NULL);
  for (int i = 0; i < TASKS; i++) {
    all[i].in = i;
    push(&all[i]);
    if (i % 4 == 0) sched_yield();
    if (i % 3 == 0) work(take());
  }
  while (atomic_load_explicit(&done, memory_order_acquire) < TASKS) work(take());
  for (int i = 0; i < TASKS; i++)
    if (all[i].out != i * 2) return 1;
  for (int i = 0; i < THIEVES; i++) pthread_join(t[i], NULL);
  return 0;
}
