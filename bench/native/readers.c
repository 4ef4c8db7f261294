/* A configuration that is read all the time and changed rarely, under a read-write lock. */
#include "native.h"

enum { KEYS = 256, ROUNDS = 800000 };
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long values[KEYS], seen[MOST_THREADS];

static void work(unsigned me, unsigned threads) {
  uint64_t state = me + 1;
  long sum = 0;
  for (unsigned i = 0; i < ROUNDS / threads; i++) {
    uint32_t r = native_next(&state);
    if (r % 100 == 0) {
      pthread_rwlock_wrlock(&lock);
      values[r / 128 % KEYS]++;
      pthread_rwlock_unlock(&lock);
    } else {
      pthread_rwlock_rdlock(&lock);
      for (unsigned k = 0; k < 8; k++) sum += values[(r / 128 + k) % KEYS];
      pthread_rwlock_unlock(&lock);
    }
  }
  seen[me] = sum;
}

int main(int argc, char **argv) {
  native_run(work, native_threads(argc, argv));
  return seen[0] < 0;
}
