// output: native
// 128-bit integers: arithmetic, comparison, shifts, division, conversion.
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void print(u128 v) {
  char digits[48];
  int n = 0;
  do digits[n++] = (char)('0' + (int)(v % 10));
  while (v /= 10);
  while (n) putchar(digits[--n]);
  putchar('\n');
}

static volatile unsigned long seed = 0x9e3779b97f4a7c15;

struct pair {
  char tag;
  i128 value;
};

static i128 scale(struct pair p, int by) { return p.value * by; }

int main(void) {
  u128 a = ((u128)seed << 64) | (seed * 3);
  u128 b = (u128)seed * seed;
  print(a);
  print(b);
  print(a + b);
  print(a * 31 - b);
  print(a / 12345678901234567ull);
  print(a % b);
  print((a >> 37) ^ (b << 91));
  i128 n = -(i128)(b >> 3);
  printf("%d %d %d\n", n < 0, (i128)a < n, a > b);
  print((u128)(n >> 70));
  print((u128)-(n / 1000));
  printf("%ld %lu %.6e %.6e\n", (long)n, (unsigned long)(a >> 64), (double)n, (double)a);
  print((u128)(double)(1ull << 52) << 9);
  struct pair p = {'x', n};
  print((u128)-scale(p, 5));
  u128 f = 1;
  for (int i = 1; i <= 33; i++) f *= (unsigned)i;
  print(f);
  return 0;
}
