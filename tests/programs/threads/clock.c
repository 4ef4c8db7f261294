// All threads have one clock. It does not run backwards for whoever knows of an earlier look, and of two looks either may be the earlier.
// verdict: SAFE
// case: before -DCHECK=(times[0]<times[1])
// verdict: BUG
// finding: assertion A
// case: behind -DCHECK=(times[0]>times[1])
// verdict: BUG
// finding: assertion A
// case: different -DCHECK=(times[0]!=times[1])
// verdict: SAFE
// executions: 2
// case: naive -DCHECK=(times[0]!=times[1])
// verdict: SAFE
// options: --strategy=naive
// case: seconds -DSECONDS -DCHECK=(times[0]==times[1])
// verdict: SAFE
// executions: 1
// case: cycles -DCYCLES -DCHECK=(times[0]<times[1])
// verdict: BUG
// finding: assertion A
// case: no-buffer -DBUFFERED -DCHECK=(seen[0]||seen[1])
// verdict: BUG
// memory: tso
// finding: assertion A
// case: no-buffer-sc -DBUFFERED -DCHECK=(seen[0]||seen[1])
// verdict: SAFE
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#ifndef CHECK
#define CHECK 1
#endif

static long times[2];
static atomic_int set[2], seen[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long latest;

static long now(void) {
#if defined CYCLES
  return (long)__builtin_readcyclecounter();
#elif defined SECONDS
  return time(0);
#else
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000 + t.tv_nsec;
#endif
}

static void *look(void *place) {
  long *to = place;
#ifdef BUFFERED
  long me = to - times;
  atomic_store_explicit(&set[me], 1, memory_order_relaxed); /* may still be in the buffer when the other thread looks */
  *to = now();
  seen[me] = atomic_load_explicit(&set[1 - me], memory_order_relaxed);
#else
  *to = now();
#endif
  return 0;
}

static void *later(void *unused) {
  pthread_mutex_lock(&lock);
  long time = now();
  hd_assert(time >= latest);
  latest = time;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t[2];
  long begin = now();
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, look, &times[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  long end = now();
  for (int i = 0; i < 2; i++) hd_assert(begin <= times[i] && times[i] <= end);
  hd_assert(CHECK);  // @A
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, later, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
