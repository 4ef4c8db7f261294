/* Shortest ways over more and more nodes: one node after the other. */
#include "openmp.h"
enum { V = 12 };
int d[V][V];
int main(void) {
  for (int i = 0; i < V; i++)
    for (int k = 0; k < V; k++) d[i][k] = i == k ? 0 : 1 + (i * 5 + k * 3) % 17;
#ifdef RACY
#pragma omp parallel for num_threads(4)
#endif
  for (int m = 0; m < V; m++)
#ifndef RACY
#pragma omp parallel for num_threads(4)
#endif
    for (int i = 0; i < V; i++)
      for (int k = 0; k < V; k++)
        if (d[i][m] + d[m][k] < d[i][k]) d[i][k] = d[i][m] + d[m][k]; /* race */
  return d[0][0];
}
