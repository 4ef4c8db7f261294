/* predicts: data-race 0
 * Two locks, a queue, a stack and a counter of inline assembler, as libraries have them. With RACY, the queue tells of an item too early. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#ifdef __x86_64__
static void take(int *lock) {
  int taken = 1;
  for (;;) {
    __asm__ volatile("xchgl %0, %1" : "+r"(taken), "+m"(*lock) : : "memory");
    if (!taken) return;
    __asm__ volatile("pause" : : : "memory");
    sched_yield();
  }
}
static void take_here(int *lock) {
  __asm__ volatile("1: movl $1, %%eax; xchgl %%eax, %0; testl %%eax, %%eax; jz 2f; pause; jmp 1b; 2:" : "+m"(*lock) : : "eax", "cc", "memory");
}
static void give(int *lock) { __asm__ volatile("movl $0, %0" : "=m"(*lock) : : "memory"); }
static int load(const int *p) {
  int value;
  __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*p) : "memory");
  return value;
}
static void store(int *p, int value) { __asm__ volatile("movl %1, %0" : "=m"(*p) : "r"(value) : "memory"); }
static int add(int *p, int n) {
  __asm__ volatile("lock xaddl %0, (%1)" : "+r"(n) : "r"(p) : "cc", "memory");
  return n;
}
/* Its type says one byte, its instruction eight. */
static int exchange(void *p, void *old, void *new) {
  char done;
  __asm__ volatile("lock cmpxchgq %3, %0; sete %1" : "+m"(*(char *)p), "=q"(done), "+a"(old) : "r"(new) : "cc", "memory");
  return done;
}
#else
static void take(int *lock) {
  while (__atomic_exchange_n(lock, 1, __ATOMIC_SEQ_CST)) sched_yield();
}
static void take_here(int *lock) { take(lock); }
static void give(int *lock) { __atomic_store_n(lock, 0, __ATOMIC_SEQ_CST); }
static int load(const int *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
static void store(int *p, int value) { __atomic_store_n(p, value, __ATOMIC_SEQ_CST); }
static int add(int *p, int n) { return __atomic_fetch_add(p, n, __ATOMIC_SEQ_CST); }
static int exchange(void *p, void *old, void *new) {
  return __atomic_compare_exchange_n((void **)p, &old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
#endif

enum { ITEMS = 10, SLOTS = 4 };
static int lock, lock_here, counter, counter_here, tickets, winner;
static int slots[SLOTS], written, fetched, sum;
struct node {
  struct node *next;
  int value;
};
static struct node *top;

static void *produce(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    while (i - load(&fetched) == SLOTS) sched_yield();
#ifdef RACY
    store(&written, i + 1);
    slots[i % SLOTS] = i;
#else
    slots[i % SLOTS] = i;
    store(&written, i + 1);
#endif
  }
  return unused;
}
static void *consume(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    while (load(&written) == i) sched_yield();
    sum += slots[i % SLOTS];
    store(&fetched, i + 1);
  }
  return unused;
}
static void *count(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    take(&lock);
    counter++;
    give(&lock);
    take_here(&lock_here);
    counter_here++;
    give(&lock_here);
  }
  struct node *n = malloc(sizeof *n);
  n->value = 7;
  do n->next = __atomic_load_n(&top, __ATOMIC_RELAXED);
  while (!exchange(&top, n->next, n));
  if (add(&tickets, 1) == 1) winner++;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, produce, 0), pthread_create(&t[1], 0, consume, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, count, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
#ifndef RACY
  assert(sum == ITEMS * (ITEMS - 1) / 2);
#endif
  assert(counter == 2 * ITEMS && counter_here == 2 * ITEMS && tickets == 2 && winner == 1);
  assert(top->value == 7 && top->next->value == 7);
  return 0;
}
