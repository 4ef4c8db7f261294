/* Threads take work from a queue, and put more there. */
#include "openmp.h"
int queue[64], head, tail = 4, sum;
static int take(void) {
  int got = -1;
#pragma omp critical(queue)
  if (head < tail) got = queue[head++]; /* race */
  return got;
}
static void put(int n) {
#ifdef RACY
  pause_a_moment();
#else
#pragma omp critical(queue)
#endif
  if (tail < 64) queue[tail++] = n; /* race */
}
int main(void) {
  for (int i = 0; i < 4; i++) queue[i] = i + 1;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  for (int n; (n = take()) > 0;) {
    sum += n;
    if (n < 6) put(n + 1), put(n + 2);
  }
  return sum < 0;
}
