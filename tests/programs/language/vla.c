// output: native
// Variable-length arrays, alloca, two-dimensional parameters, sizeof at run time.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static long trace(int n, long m[n][n]) {
  long t = 0;
  for (int i = 0; i < n; i++) t += m[i][i];
  return t;
}

static int length(int n) {
  char buffer[n + 1];
  memset(buffer, 'x', (size_t)n);
  buffer[n] = 0;
  char *copy = alloca(strlen(buffer) + 1);
  strcpy(copy, buffer);
  return (int)(sizeof buffer + strlen(copy));
}

int main(void) {
  for (int n = 1; n < 6; n++) {
    long m[n][n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) m[i][j] = i * 10 + j;
    printf("%ld %zu %d\n", trace(n, m), sizeof m, length(n));
  }
  return 0;
}
