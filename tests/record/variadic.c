/* Functions with any number of arguments: what va_start() and va_copy() write, on stacks where other things were before. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static int sum_list(int n, va_list list) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += va_arg(list, int);
  return sum;
}
__attribute__((noinline)) static int sum(int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  int twice = sum_list(n, list) + sum_list(n, again);
  va_end(again);
  va_end(list);
  return twice;
}
__attribute__((noinline)) static void fill(int *numbers, int n) {
  for (int i = 0; i < n; i++) numbers[i] = i - 7;
}

static void *work(void *unused) {
  int numbers[200];
  for (int i = 0; i < 20; i++) {
    fill(numbers, 200);
    int n = sum(4, i, 1, 2, 3) + numbers[7];
    pthread_mutex_lock(&lock);
    total += n;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  assert(total == 2 * 2 * (190 + 20 * 6));
  char text[64];
  snprintf(text, sizeof text, "%d %d", total, sum(1, total));
  puts(text);
  return 0;
}
