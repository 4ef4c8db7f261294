/* An array of pointers to rows: two of them to the same one. */
#include "openmp.h"
int memory[8][16], *row[8];
int main(void) {
  for (int i = 0; i < 8; i++) row[i] = memory[i];
#ifdef RACY
  row[7] = memory[0];
#endif
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 16; k++) row[i][k] += k; /* race */
  return memory[0][0];
}
