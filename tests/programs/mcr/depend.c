// The thesis's Listing 4.1: mcr and mcr-s+ need three executions, mcr-s makes one of them twice, unless all reads count. With -DWRITTEN its
// example of data dependence (section 4.2.2.2): what thread 1 can read is 0, 1 and 2, and each time the right writes must come before.
// With -DBRANCH a thread takes another way to its read than the one that was known: mcr-s finds the read by its place.
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 3
// case: loose
// verdict: BOUNDED
// options: --strategy=mcr-s
// executions: 4
// case: loose-dynamic
// verdict: BOUNDED
// options: --strategy=mcr-s --dependency=dynamic
// executions: 4
// case: all
// verdict: BOUNDED
// options: --strategy=mcr-s --dependency=all
// executions: 3
// case: strict
// verdict: BOUNDED
// options: --strategy=mcr-s+
// executions: 3
// case: strict-dynamic
// verdict: BOUNDED
// options: --strategy=mcr-s+ --dependency=dynamic
// executions: 3
// case: written -DWRITTEN
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 4
// case: written-loose -DWRITTEN
// verdict: BOUNDED
// options: --strategy=mcr-s
// executions: 4
// case: branch-all -DBRANCH
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 2
// case: branch -DBRANCH
// verdict: BOUNDED
// options: --strategy=mcr-s
// executions: 3
// case: branch-dynamic -DBRANCH
// verdict: BOUNDED
// options: --strategy=mcr-s --dependency=dynamic
// executions: 2
#include <pthread.h>
#include <stdatomic.h>

#define GET(v)    atomic_load_explicit(&(v), memory_order_relaxed)
#define SET(v, n) atomic_store_explicit(&(v), n, memory_order_relaxed)

#ifdef BRANCH
#define LOCK()   pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#else
#define LOCK()
#define UNLOCK()
#endif

static atomic_int x, y, z;

#ifdef WRITTEN
static void *first(void *unused) {
  (void)GET(y);
  return unused;
}

static void *second(void *unused) {
  SET(x, 1);
  SET(y, GET(x));
  return unused;
}

static void *third(void *unused) {
  SET(x, 2);
  return unused;
}
#else
static void *first(void *unused) {
  LOCK();
  SET(x, 1);
#ifdef BRANCH
  SET(y, 1);
#endif
  UNLOCK();
  return unused;
}

static void *second(void *unused) {
#ifdef BRANCH
  LOCK();
  if (GET(x)) SET(z, 1);
  (void)GET(y);
  UNLOCK();
#else
  (void)GET(x);
  (void)GET(x);
#endif
  return unused;
}

static void *third(void *unused) { return unused; }
#endif

int main(void) {
  pthread_t a, b, c;
#ifdef BRANCH
  pthread_create(&b, 0, second, 0);
  pthread_create(&a, 0, first, 0);
#else
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
#endif
  pthread_create(&c, 0, third, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
