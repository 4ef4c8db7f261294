/* Matrix product of doubles in global memory. */
#include <stdlib.h>

#define N 24

static double a[N][N], b[N][N], c[N][N];

int main(int argc, char **argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i + 0.5 * j;
      b[i][j] = i == j ? 1.0 : 0.001;
    }
  for (long r = 0; r < rounds; r++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
        c[i][j] = sum;
      }
    a[r % N][0] = c[0][r % N];
  }
  return (int)c[3][4] & 127;
}
