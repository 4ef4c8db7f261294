/* The next front of a search in a graph: who marks a node first, has it. */
#include "openmp.h"
int seen[N], front[N], next[2 * N], count;
int main(void) {
  for (int i = 0; i < N; i++) front[i] = i;
#pragma omp parallel for num_threads(4) schedule(static, 1)
  for (int i = 0; i < N; i++) {
    int node = front[i] / 2, was;
#ifdef RACY
    was = seen[node]; /* race */
    seen[node] = 1;   /* race */
#else
#pragma omp atomic capture
    {
      was = seen[node];
      seen[node] = 1;
    }
#endif
    if (was) continue;
    int at;
#pragma omp atomic capture
    at = count++;
    next[at] = node;
  }
  return count < N / 2 || next[0] < 0;
}
