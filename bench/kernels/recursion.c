/* Calls: the Fibonacci numbers the slow way. */
#include <stdlib.h>

__attribute__((noinline)) static int fib(int n) {
  if (n < 2) return n;
  int before = fib(n - 1);
  return before + fib(n - 2);
}

int main(int argc, char **argv) {
  long rounds = argc > 1 ? atol(argv[1]) : 1;
  int sum = 0;
  for (long r = 0; r < rounds; r++) sum += fib(10 + (int)(r & 1));
  return sum & 127;
}
