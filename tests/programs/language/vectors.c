// output: native
// Vector extensions and loops that -O2 turns into vector code.
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f8 __attribute__((vector_size(32)));
typedef unsigned char b16 __attribute__((vector_size(16)));

static int data[100];
static float weights[100];
static unsigned char bytes[64];

int main(void) {
  v4 a = {1, 2, 3, 4}, b = {10, 20, 30, 40};
  v4 c = a * b + (a < 3);
  v4 d = __builtin_shufflevector(a, b, 3, 4, 0, 7);
  printf("%d %d %d %d %d %d\n", c[0], c[1], c[2], c[3], d[1], d[3]);
  f8 f = {1, 2, 3, 4, 5, 6, 7, 8};
  f = f * f - 0.5f;
  float total = 0;
  for (int i = 0; i < 8; i++) total += f[i];
  printf("%g\n", total);
  b16 x;
  for (int i = 0; i < 16; i++) x[i] = (unsigned char)(i * 17);
  x = (x >> 3) ^ (x << 1);
  for (int i = 0; i < 16; i++) printf("%d ", x[i]);
  int sum = 0, max = -1;
  for (int i = 0; i < 100; i++) data[i] = (i * 37) % 101;
  for (int i = 0; i < 100; i++) sum += data[i] * data[i];
  for (int i = 0; i < 100; i++) max = data[i] > max ? data[i] : max;
  for (int i = 0; i < 100; i++) weights[i] = (float)data[i] * 0.25f + 1;
  for (int i = 0; i < 64; i++) bytes[i] = (unsigned char)(bytes[i] + i * 3);
  int count = 0;
  for (int i = 0; i < 64; i++) count += bytes[i] > 100;
  printf("\n%d %d %g %g %d\n", sum, max, weights[3], weights[99], count);
  long wide = 0;
  for (int i = 0; i < 100; i++) wide += (long)data[i] << (i % 40);
  printf("%ld\n", wide);
  return c[3] & 15;
}
