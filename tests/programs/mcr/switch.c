// Programs of the papers on switch equivalence (the thesis, Figures 3.2, 5.3, 5.5 and 5.6), with the numbers of executions given there.
// Of the 16 that Figure 5.6 gives for mcr, three are given up: what their prefixes lead to is known.
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 5
// case: equivalence
// verdict: BOUNDED
// options: --strategy=se-mcr
// executions: 4
// case: overlapping -DOVERLAPPING
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 7
// case: overlapping-equivalence -DOVERLAPPING
// verdict: BOUNDED
// options: --strategy=se-mcr
// executions: 6
// case: locks -DLOCKS
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 5
// case: locks-equivalence -DLOCKS
// verdict: BOUNDED
// options: --strategy=se-mcr
// executions: 4
// case: three -DTHREE
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 13
// case: three-equivalence -DTHREE
// verdict: BOUNDED
// options: --strategy=se-mcr
// executions: 8
#include <pthread.h>
#include <stdatomic.h>

#define GET(v)    atomic_load_explicit(&(v), memory_order_relaxed)
#define SET(v, n) atomic_store_explicit(&(v), n, memory_order_relaxed)
#ifdef LOCKS
#define LOCK()   pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
#else
#define LOCK()
#define UNLOCK()
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y, z;

static void *write_x(void *unused) {
  SET(x, 1);
  return unused;
}

static void *read_x(void *unused) {
  LOCK();
  (void)GET(x);
  UNLOCK();
  return unused;
}

static void *write_y(void *unused) {
  SET(y, 1);
  return unused;
}

static void *read_y(void *unused) {
#ifdef OVERLAPPING
  SET(x, 2);
#endif
  LOCK();
  (void)GET(y);
  UNLOCK();
  return unused;
}

static void *write_z(void *unused) {
  SET(z, 1);
  return unused;
}

static void *read_z(void *unused) {
  (void)GET(z);
  return unused;
}

int main(void) {
  pthread_t t[6];
#ifdef THREE
  void *(*const run[])(void *) = {read_x, read_y, read_z, write_x, write_y, write_z};
#else
  void *(*const run[])(void *) = {write_x, read_x, write_y, read_y};
  (void)write_z, (void)read_z;
#endif
  for (unsigned i = 0; i < sizeof run / sizeof *run; i++) pthread_create(&t[i], NULL, run[i], NULL);
  for (unsigned i = 0; i < sizeof run / sizeof *run; i++) pthread_join(t[i], NULL);
  (void)lock;
  return 0;
}
