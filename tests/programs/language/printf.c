// output: native
// Formats of printf: flags, widths, precisions, lengths, %n and return values.
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
  int n = printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d]\n", 42, 42, 42, 42, 42, 42, 7);
  printf("%d\n", n);
  printf("[%x] [%#x] [%X] [%o] [%#o] [%u] [%#10x]\n", 255, 255, 255, 8, 8, UINT_MAX, 255);
  printf("[%hhd] [%hd] [%ld] [%lld] [%jd] [%zu] [%td]\n", 300, 70000, LONG_MIN, LLONG_MAX, (intmax_t)-1, sizeof(int), (ptrdiff_t)-3);
  printf("[%s] [%10s] [%-10s] [%.2s] [%*s] [%-*s] [%.*s]\n", "abc", "abc", "abc", "abc", 6, "abc", 6, "abc", 1, "abc");
  printf("[%c] [%3c] [%%] [%s]\n", 'x', 'y', "");
  printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%e] [%g] [%G] [%+.0f] [%#.0f]\n", 3.14159, 2.005, 1.5, 2.25, 12345.678, 1e-5, 1e20, 2.5, 3.0);
  printf("[%a] [%.3e] [%010.2f] [%Lf] [%.3Lg]\n", 0.5, 0.000123456, -3.5, 1.25L, 1e100L);
  int at = 0;
  printf("12345%n6789\n", &at);
  printf("%d\n", at);
  char small[8];
  printf("%d %s\n", snprintf(small, sizeof small, "%s-%d", "truncate", 99), small);
  printf("%d\n", snprintf(0, 0, "%08lx", 0xabcdefl));
  printf("%" PRIx64 " %" PRIu8 " %p\n", (uint64_t)1 << 63, (uint8_t)200, (void *)0);
  fprintf(stdout, "%s", "to stdout\n");
  puts("puts");
  putchar('c');
  fputs("fputs\n", stdout);
  fwrite("write\n", 1, 6, stdout);
  return fflush(stdout);
}
