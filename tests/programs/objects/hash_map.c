// A hash map with a lock for each bucket: put_if_absent looks and puts in two sections of the lock.
// verdict: BUG
// options: --linearizable --arguments=2
// finding: not-linearizable
// case: atomic -DFIXED
// options: --linearizable --arguments=2
// verdict: SAFE
#include <heddle.h>
#include <pthread.h>

enum { BUCKETS = 2 };
static pthread_mutex_t lock[BUCKETS];
static int value[BUCKETS];

HD_BEGIN(void) {
  for (int i = 0; i < BUCKETS; i++) pthread_mutex_init(&lock[i], 0);
}

static int swap(int key, int to) {
  int was = value[key % BUCKETS];
  if (to >= 0) value[key % BUCKETS] = to;
  return was;
}

static int locked_swap(int key, int to) {
  pthread_mutex_lock(&lock[key % BUCKETS]);
  int was = swap(key, to);
  pthread_mutex_unlock(&lock[key % BUCKETS]);
  return was;
}

HD_OPERATION(get, int key) { return locked_swap(key, -1); }
HD_OPERATION(remove, int key) { return locked_swap(key, 0); }
HD_OPERATION(put_if_absent, int key, int to) {
#ifdef FIXED
  pthread_mutex_lock(&lock[key % BUCKETS]);
  int was = swap(key, -1);
  if (was == 0) swap(key, to);
  pthread_mutex_unlock(&lock[key % BUCKETS]);
#else
  int was = locked_swap(key, -1);
  if (was == 0) locked_swap(key, to);
#endif
  return was;
}
HD_STATE { return hd_hash_sequence(value, BUCKETS); }
