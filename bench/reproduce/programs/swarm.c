/* A parallel sort in the shape of swarm: the threads take parts of an array, sort them in memory of their own, meet at a barrier, and the
 * first one merges.
 *
 * The bug: a part is looked at under the lock, and taken under the lock, but not both at once: two threads may take the same part, and the
 * one that `next` skips stays as it is.
 *
 * Natively: swarm [SIZE], numbers of each part, fails in some of the runs with 1000. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, PARTS = 4, MOST = 4096 };

static int size = 16;
static int numbers[PARTS * MOST], merged[PARTS * MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_sorted;
static int next_part;

static void sort(int *a, int n) {
  if (n < 2) return;
  int pivot = a[n / 2], i = 0, k = n - 1;
  for (;; i++, k--) {
    while (a[i] < pivot) i++;
    while (a[k] > pivot) k--;
    if (i >= k) break;
    int t = a[i];
    a[i] = a[k], a[k] = t;
  }
  sort(a, i);
  sort(a + k + 1, n - k - 1);
}

static int part_of_next(void) {
  pthread_mutex_lock(&lock);
  int part = next_part;
  pthread_mutex_unlock(&lock);
  return part;
}

static void part_taken(void) {
  pthread_mutex_lock(&lock);
  next_part++;
  pthread_mutex_unlock(&lock);
}

static void merge(void) {
  int at[PARTS] = {0};
  for (int i = 0; i < PARTS * size; i++) {
    int best = -1;
    for (int p = 0; p < PARTS; p++)
      if (at[p] < size && (best < 0 || numbers[p * size + at[p]] < numbers[best * size + at[best]])) best = p;
    merged[i] = numbers[best * size + at[best]++];
  }
}

static void sort_part(int *part) {
  int own[MOST];
  memcpy(own, part, (size_t)size * sizeof *own);
  sort(own, size);
  memcpy(part, own, (size_t)size * sizeof *own);
}

static void *work(void *me) {
  for (int part; (part = part_of_next()) < PARTS;) {
    sched_yield();
    part_taken();
    sort_part(numbers + part * size);
  }
  pthread_barrier_wait(&all_sorted);
  if (me == 0) merge();
  return me;
}

int main(int argc, char **argv) {
  pthread_t thread[THREADS];
  unsigned random = 1;
  if (argc > 1) size = atoi(argv[1]);
  if (size > MOST) size = MOST;
  for (int i = 0; i < PARTS * size; i++) random = random * 1103515245u + 12345u, numbers[i] = (int)(random >> 16 & 0x7fff);
  pthread_barrier_init(&all_sorted, 0, THREADS);
  for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], 0, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], 0);
  pthread_barrier_destroy(&all_sorted);
  for (int i = 1; i < PARTS * size; i++) assert(merged[i - 1] <= merged[i]);
  return 0;
}
