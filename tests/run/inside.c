/* finds: data race A B; fixed: nothing. Read-write locks of the program's own making, each in the word of memory that holds what it guards.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "moment.h"

void AnnotateRWLockAcquired(const char *file, int line, const volatile void *lock, long exclusive);
void AnnotateRWLockReleased(const char *file, int line, const volatile void *lock, long exclusive);

enum { GUARDED = 256, ROUNDS = 100 };
static struct guarded {
  _Alignas(8) atomic_int holders; /* -1: one alone */
  int value;
} all[GUARDED];
static volatile int at; /* where the reader is, and the other with it; -1: it is done */
MOMENT void go(int to) { at = to; }
MOMENT int place(void) { return at; }

static void take(struct guarded *g, bool alone) {
  for (int seen = -1; seen < 0;) {
    seen = atomic_load_explicit(&g->holders, memory_order_relaxed);
    int wanted = alone ? -1 : seen + 1;
    if ((alone ? seen != 0 : seen < 0) ||
        !atomic_compare_exchange_weak_explicit(&g->holders, &seen, wanted, memory_order_acquire, memory_order_relaxed))
      seen = -1;
  }
  AnnotateRWLockAcquired(__FILE__, __LINE__, g, alone);
}
static void give(struct guarded *g, bool alone) {
  AnnotateRWLockReleased(__FILE__, __LINE__, g, alone);
  atomic_fetch_add_explicit(&g->holders, alone ? 1 : -1, memory_order_release);
}

static void *writes(void *argument) {
  for (int i = 0; i < GUARDED; i++) {
    take(&all[i], true);
    all[i].value = i; /* @A */
    give(&all[i], true);
  }
  moment_reach(1);
  return argument;
}

static void *reads(void *argument) {
  int sum = 0;
  moment_await(1), moment_await(2);
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < GUARDED; i++) {
      go(i);
      take(&all[i], false);
      sum += all[i].value;
      give(&all[i], false);
    }
  go(-1);
  return sum < 0 ? NULL : argument;
}

static void *comes_and_goes(void *argument) {
  moment_reach(2);
  for (int i = place(); i >= 0; i = place()) take(&all[i], false), give(&all[i], false);
  return argument;
}

int main(void) {
  pthread_t t[3];
  void *(*const does[])(void *) = {writes, reads, comes_and_goes};
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, does[i], NULL);
  moment_await(1);
#ifdef FIXED
  take(&all[3], false);
#endif
  int value = all[3].value; /* @B */
#ifdef FIXED
  give(&all[3], false);
#endif
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return value != 3;
}
