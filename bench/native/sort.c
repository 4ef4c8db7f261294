/* Threads sort parts of an array of words, and the parts are merged: private data, large and in order. */
#include "native.h"

enum { SIZE = 1 << 21 };
static uint32_t *data, *merged;

static void sort(uint32_t *a, long n) {
  while (n > 16) {
    uint32_t pivot = a[n / 2];
    long i = 0, j = n - 1;
    while (i <= j) {
      while (a[i] < pivot) i++;
      while (a[j] > pivot) j--;
      if (i <= j) {
        uint32_t t = a[i];
        a[i++] = a[j], a[j--] = t;
      }
    }
    sort(a, j + 1);
    a += i, n -= i;
  }
  for (long i = 1; i < n; i++) {
    uint32_t x = a[i];
    long k = i;
    for (; k > 0 && a[k - 1] > x; k--) a[k] = a[k - 1];
    a[k] = x;
  }
}

static void work(unsigned me, unsigned threads) { sort(data + SIZE / threads * me, SIZE / threads); }

static void merge(unsigned threads) {
  long at[MOST_THREADS] = {0}, part = SIZE / threads;
  for (long i = 0; i < part * threads; i++) {
    unsigned best = 0;
    uint32_t least = UINT32_MAX;
    for (unsigned t = 0; t < threads; t++)
      if (at[t] < part && data[part * t + at[t]] <= least) least = data[part * t + at[t]], best = t;
    merged[i] = least, at[best]++;
  }
}

int main(int argc, char **argv) {
  unsigned threads = native_threads(argc, argv);
  data = malloc(SIZE * sizeof *data), merged = malloc(SIZE * sizeof *merged);
  for (long i = 0; i < SIZE; i++) data[i] = native_random();
  native_run(work, threads);
  merge(threads);
  for (long i = 1; i < SIZE / threads * threads; i++)
    if (merged[i - 1] > merged[i]) return 1;
  return 0;
}
