/* Locks of the program's own: one of tickets, one of waiting cells after Mellor-Crummey and Scott. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
enum { THREADS = 3, ROUNDS = 60 };
static atomic_uint next_ticket, serving;
struct cell {
  struct cell *_Atomic next;
  atomic_int waits;
};
static struct cell *_Atomic last;
static int by_tickets, by_cells;
static void take_ticket(void) {
  unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
#ifdef RACY
  while (atomic_load_explicit(&serving, memory_order_relaxed) != mine) sched_yield();
#else
  while (atomic_load_explicit(&serving, memory_order_acquire) != mine) sched_yield();
#endif
}
static void give_ticket(void) {
  unsigned now = atomic_load_explicit(&serving, memory_order_relaxed);
  atomic_store_explicit(&serving, now + 1, memory_order_release);
}
static void take_cell(struct cell *c) {
  atomic_store_explicit(&c->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&c->waits, 1, memory_order_relaxed);
  struct cell *before = atomic_exchange_explicit(&last, c, memory_order_acq_rel);
  if (!before) return;
  atomic_store_explicit(&before->next, c, memory_order_release);
  while (atomic_load_explicit(&c->waits, memory_order_acquire)) sched_yield();
}
static void give_cell(struct cell *c) {
  struct cell *next = atomic_load_explicit(&c->next, memory_order_acquire), *mine = c;
  if (!next && atomic_compare_exchange_strong_explicit(&last, &mine, NULL, memory_order_release, memory_order_relaxed)) return;
  while (!(next = atomic_load_explicit(&c->next, memory_order_acquire))) sched_yield();
  atomic_store_explicit(&next->waits, 0, memory_order_release);
}
static void *work(void *argument) {
  for (int i = 0; i < ROUNDS; i++) {
    struct cell c;
    take_ticket();
    by_tickets++;
    give_ticket();
    take_cell(&c);
    by_cells++;
    give_cell(&c);
  }
  return argument;
}
int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return by_tickets != THREADS * ROUNDS || by_cells != THREADS * ROUNDS;
}
