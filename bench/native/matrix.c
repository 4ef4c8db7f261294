/* Matrices are multiplied: every thread reads all of both, and writes rows of its own. */
#include "native.h"

enum { N = 320 };
static double (*a)[N], (*b)[N], (*c)[N];

static void work(unsigned me, unsigned threads) {
  for (unsigned i = me; i < N; i += threads)
    for (unsigned j = 0; j < N; j++) {
      double sum = 0;
      for (unsigned k = 0; k < N; k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

int main(int argc, char **argv) {
  unsigned threads = native_threads(argc, argv);
  a = malloc(sizeof(double[N][N])), b = malloc(sizeof(double[N][N])), c = malloc(sizeof(double[N][N]));
  for (unsigned i = 0; i < N; i++)
    for (unsigned j = 0; j < N; j++) a[i][j] = i + j, b[i][j] = i == j;
  native_run(work, threads);
  return c[3][4] != 7;
}
