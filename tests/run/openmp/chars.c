/* Bytes of one word. */
#include "openmp.h"
char text[64];
int main(void) {
#pragma omp parallel for num_threads(4) schedule(static, 3)
  for (int i = 0; i < 60; i++) {
    text[i] = 'a'; /* race */
#ifdef RACY
    if (i % 3 == 2) text[i + 1] = 0; /* race */
#endif
  }
  return text[60];
}
