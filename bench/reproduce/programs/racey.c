/* In the spirit of racey, a benchmark for deterministic replay: two threads mix the entries of an array without a lock, so that nearly each
 * order of their accesses has a signature of its own.
 *
 * The bug: all of it; it is an error that the signature is not that of one thread after the other.
 *
 * Natively: racey [MAX_LOOP] fails whenever the threads overlap: in most runs from about 1000 on. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 2, ENTRIES = 64 };

static int max_loop = 1000;
static volatile unsigned shared[ENTRIES];

static unsigned mix(unsigned i, unsigned j) { return (i * 31u + j * 17u + 7u) % 1000003u; }

static void fill(void) {
  for (unsigned i = 0; i < ENTRIES; i++) shared[i] = i;
}

static unsigned signature(void) {
  unsigned sum = shared[0];
  for (unsigned i = 1; i < ENTRIES; i++) sum = mix(sum, shared[i]);
  return sum;
}

static void *work(void *argument) {
  unsigned at = (unsigned)(long)argument;
  for (int i = 0; i < max_loop; i++) {
    unsigned one = shared[at % ENTRIES], other = shared[one % ENTRIES];
    at = mix(one, other);
    shared[one % ENTRIES] = at;
  }
  return 0;
}

int main(int argc, char **argv) {
  pthread_t thread[THREADS];
  if (argc > 1) max_loop = atoi(argv[1]);
  fill();
  for (long i = 0; i < THREADS; i++) work((void *)i);
  unsigned expected = signature();
  fill();
  for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], 0, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], 0);
  assert(signature() == expected);
  return 0;
}
