/* A lock of tickets. */
#include "openmp.h"
int next, serving, count;
int main(void) {
#pragma omp parallel num_threads(4)
  for (int k = 0; k < 3; k++) {
    int mine, now = -1;
#pragma omp atomic capture
    mine = next++;
    while (now != mine) {
#pragma omp atomic read acquire
      now = serving;
      if (now != mine) usleep(1);
    }
#ifndef RACY
    count++;
#endif
#pragma omp atomic update release
    serving++;
#ifdef RACY
    count++; /* race */
#endif
  }
  return count < 1;
}
