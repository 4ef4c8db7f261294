// output: native
// strtol and its relatives, atoi, strtod, sscanf; errno at the limits.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static const char *const texts[] = {"42", "-17x", "  +8", "0x1f", "077", "zz", "", "99999999999999999999", "-99999999999999999999", "7fffffff"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    for (int base = 0; base <= 36; base += base == 0 ? 8 : base == 8 ? 2 : base == 10 ? 6 : 20) {
      char *end;
      errno = 0;
      long value = strtol(texts[i], &end, base);
      printf("%ld,%td,%d ", value, end - texts[i], errno == ERANGE);
    }
    printf("\n");
  }
  errno = 0;
  unsigned long small = strtoul("-1", 0, 10);
  printf("%lu %d\n", small, errno);
  unsigned long long large = strtoull("18446744073709551616", 0, 10);
  printf("%llu %d\n", large, errno == ERANGE);
  printf("%d %ld %g\n", atoi("  12ab"), atol("-5"), atof("1e3"));
  static const char *const reals[] = {"1.5", "-.25e2x", "inf", "nan", "0x1.8p3", "1e400", "1e-400", "abc"};
  for (unsigned i = 0; i < sizeof reals / sizeof *reals; i++) {
    char *end;
    double value = strtod(reals[i], &end);
    printf("%g %td\n", value, end - reals[i]);
  }
  printf("%g %.10Lg\n", strtof("0.1", 0), strtold("1.0000000001", 0));
  int a = 0, b = 0, used = 0;
  char word[16] = "";
  double x = 0;
  int n = sscanf("12 -7 name 2.5 rest", "%d %i %15s %lf%n", &a, &b, word, &x, &used);
  printf("%d %d %d %s %g %d\n", n, a, b, word, x, used);
  unsigned hex = 0;
  char set[8] = "";
  n = sscanf("ff:abc123", "%x:%7[a-c]", &hex, set);
  printf("%d %x %s\n", n, hex, set);
  printf("%d %ld\n", abs(-5), labs(-6l));
  div_t q = div(-17, 5);
  printf("%d %d\n", q.quot, q.rem);
  return 0;
}
