/* same-each-run
 * Calls through pointers, switches, jumps out of functions, variable arguments. */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
static int value = 2;
static jmp_buf back;
static int twice(int n) { return 2 * n; }
static int square(int n) { return n * n; }
static int (*volatile functions[2])(int) = {twice, square};
static int sum(int n, ...) {
  va_list more;
  int s = 0;
  va_start(more, n);
  while (n-- > 0) s += va_arg(more, int);
  va_end(more);
  return s;
}
static void *work(void *argument) {
  for (int i = 0; i < 6; i++) {
    value = functions[i % 2](value);
    switch (value % 7) {
      case 1: value += 3; break;
      case 2: value -= 1; break;
      case 4: value += 5; break;
      case 5: value ^= 8; break;
      default: value++;
    }
    if (value > 1000) value %= 1000;
  }
  if (setjmp(back) == 0) longjmp(back, 1);
  value += sum(3, value, 1, 2);
  int list[5] = {5, 3, value, 1, 4};
  value = list[abs(value) % 2 + 3];
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(value == 1 || value == 4);
  return 0;
}
