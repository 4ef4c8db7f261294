// output: native
// The clock does not run backwards and rand() with a seed repeats itself.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  clock_gettime(CLOCK_MONOTONIC, &b);
  printf("%d\n", b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
  printf("%d\n", time(0) != (time_t)-1);
  srand(5);
  int x = rand(), y = rand();
  srand(5);
  int x2 = rand(), y2 = rand();
  printf("%d %d %d\n", x2 == x, y2 == y, x >= 0 && x <= RAND_MAX);
  struct tm t = {.tm_year = 100, .tm_mon = 1, .tm_mday = 29};
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%d", &t);
  printf("%s\n", text);
  return 0;
}
