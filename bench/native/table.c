/* A table of counts with a lock for each part: short sections, many of them. */
#include "native.h"

enum { PARTS = 64, ENTRIES = 64, ROUNDS = 1000000 };
static struct {
  pthread_mutex_t lock;
  unsigned uses, last;
  struct {
    uint32_t key, count;
  } entries[ENTRIES];
} parts[PARTS];

static void work(unsigned me, unsigned threads) {
  uint64_t state = me + 1;
  for (unsigned i = 0; i < ROUNDS / threads; i++) {
    uint32_t key = native_next(&state);
    unsigned p = key % PARTS, e = key / PARTS % ENTRIES;
    pthread_mutex_lock(&parts[p].lock);
    parts[p].uses++, parts[p].last = me;
    parts[p].entries[e].key = key, parts[p].entries[e].count++;
    pthread_mutex_unlock(&parts[p].lock);
  }
}

int main(int argc, char **argv) {
  unsigned threads = native_threads(argc, argv), sum = 0;
  for (unsigned i = 0; i < PARTS; i++) pthread_mutex_init(&parts[i].lock, NULL);
  native_run(work, threads);
  for (unsigned i = 0; i < PARTS; i++) sum += parts[i].uses;
  return sum != ROUNDS / threads * threads;
}
