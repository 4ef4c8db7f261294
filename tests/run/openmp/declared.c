/* A reduction of the program's own. */
#include "openmp.h"
struct pair {
  double low, high;
};
static void join(struct pair *a, const struct pair *b) {
  if (b->low < a->low) a->low = b->low;
  if (b->high > a->high) a->high = b->high; /* race */
}
#pragma omp declare reduction(span : struct pair : join(&omp_out, &omp_in)) initializer(omp_priv = (struct pair){0, 0})
int main(void) {
  struct pair p = {0, 0};
#ifdef RACY
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for num_threads(4) reduction(span : p)
#endif
  for (int i = 0; i < N; i++) {
    if (i < p.low) p.low = i;   /* race */
    if (i > p.high) p.high = i; /* race */
  }
  return p.high < 0;
}
