/* Numbers from text, <stdlib.h> and <inttypes.h>: integers here, floating point through the host's parser on a private copy. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "internal.h"

/* glibc's names for what a C23 program calls. */
#define C23(type, name, ...) type __isoc23_##name(__VA_ARGS__)

/* Where digits begin: after a sign, and after 0x or 0b if the base asks for one and a digit follows. */
static const char *skip_prefix(const char *s, int *base, bool binary) {
  if (*s != '0') {
    if (!*base) *base = 10;
    return s;
  }
  int letter = s[1] | 32;
  if ((*base == 0 || *base == 16) && letter == 'x' && hd_digit((unsigned char)s[2]) < 16) {
    *base = 16;
    return s + 2;
  }
  if (binary && (*base == 0 || *base == 2) && letter == 'b' && hd_digit((unsigned char)s[2]) < 2) {
    *base = 2;
    return s + 2;
  }
  if (!*base) *base = 8;
  return s;
}

struct parsed {
  uint64_t magnitude;
  bool negative, overflow;
};

static struct parsed parse_integer(const char *s, char **end, int base, bool binary) {
  struct parsed result = {0, false, false};
  const char *start = s;
  if (end) *end = (char *)start;
  if (base < 0 || base == 1 || base > 36) {
    HD_ERRNO = EINVAL;
    return result;
  }
  while (hd_isspace(*s)) s++;
  if (*s == '-' || *s == '+') result.negative = *s++ == '-';
  s = skip_prefix(s, &base, binary);
  const char *first = s;
  for (;; s++) {
    int digit = hd_digit((unsigned char)*s);
    if (digit >= base) break;
    uint64_t scaled;
    if (__builtin_mul_overflow(result.magnitude, (uint64_t)base, &scaled) || __builtin_add_overflow(scaled, (uint64_t)digit, &scaled))
      result.overflow = true;
    result.magnitude = scaled;
  }
  if (s == first) result.negative = false;
  if (end) *end = (char *)(s == first ? start : s);
  return result;
}

static int64_t parse_signed(const char *s, char **end, int base, bool binary) {
  struct parsed p = parse_integer(s, end, base, binary);
  uint64_t limit = (uint64_t)INT64_MAX + p.negative;
  if (p.overflow || p.magnitude > limit) {
    HD_ERRNO = ERANGE;
    return p.negative ? INT64_MIN : INT64_MAX;
  }
  return (int64_t)(p.negative ? 0 - p.magnitude : p.magnitude);
}

static uint64_t parse_unsigned(const char *s, char **end, int base, bool binary) {
  struct parsed p = parse_integer(s, end, base, binary);
  if (p.overflow) {
    HD_ERRNO = ERANGE;
    return UINT64_MAX;
  }
  return p.negative ? 0 - p.magnitude : p.magnitude;
}

#define INTEGER(type, name, parser)                                                                                   \
  type name(const char *restrict s, char **restrict end, int base) { return (type)parser(s, end, base, false); }      \
  C23(type, name, const char *restrict s, char **restrict end, int base);                                             \
  C23(type, name, const char *restrict s, char **restrict end, int base) { return (type)parser(s, end, base, true); } \
  type name##_l(const char *restrict s, char **restrict end, int base, locale_t l);                                   \
  type name##_l(const char *restrict s, char **restrict end, int base, locale_t l) { return (void)l, (type)parser(s, end, base, false); }

INTEGER(long, strtol, parse_signed)
INTEGER(long long, strtoll, parse_signed)
INTEGER(intmax_t, strtoimax, parse_signed)
INTEGER(unsigned long, strtoul, parse_unsigned)
INTEGER(unsigned long long, strtoull, parse_unsigned)
INTEGER(uintmax_t, strtoumax, parse_unsigned)

long long strtoq(const char *restrict s, char **restrict end, int base) { return parse_signed(s, end, base, false); }
unsigned long long strtouq(const char *restrict s, char **restrict end, int base) { return parse_unsigned(s, end, base, false); }
long __strtol_internal(const char *s, char **end, int base, int group);
long __strtol_internal(const char *s, char **end, int base, int group) { return (void)group, parse_signed(s, end, base, false); }

int atoi(const char *s) { return (int)parse_signed(s, NULL, 10, false); }
long atol(const char *s) { return parse_signed(s, NULL, 10, false); }
long long atoll(const char *s) { return parse_signed(s, NULL, 10, false); }

/* How many bytes of `s` may belong to a floating constant: a superset, for the copy. */
static size_t float_extent(const char *s) {
  size_t n = 0;
  while (hd_isspace(s[n])) n++;
  for (;; n++) {
    int c = (unsigned char)s[n];
    bool part = hd_digit(c) < 36 || c == '+' || c == '-' || c == '.' || c == '(' || c == ')' || c == '_';
    if (!part) return n;
  }
}

/* The copy is private: the host's parser reads no byte of the program's. */
#define FLOAT_COPY(copy, s)                  \
  size_t extent = float_extent(s);           \
  char *copy = __builtin_alloca(extent + 1); \
  __builtin_memcpy(copy, s, extent);         \
  copy[extent] = 0;                          \
  size_t used = 0

/* Is the text a number other than zero? Then a result out of the normal range is an error. */
static bool has_digit(const char *s, size_t n) {
  bool hexadecimal = false;
  for (size_t i = 0; i < n; i++) {
    int c = s[i] | 32;
    if (c == 'n' || c == 'p' || (c == 'e' && !hexadecimal)) return false; /* inf, nan, or only zeros so far */
    if (c == 'x')
      hexadecimal = true;
    else if (c != '0' && hd_digit((unsigned char)c) < 16)
      return true;
  }
  return false;
}

double strtod(const char *restrict s, char **restrict end) {
  FLOAT_COPY(copy, s);
  double value = __hd_parse_double(copy, &used);
  if (end) *end = (char *)s + used;
  double size = value < 0 ? -value : value;
  if (has_digit(copy, used) && (size > __DBL_MAX__ || size < __DBL_MIN__)) HD_ERRNO = ERANGE;
  return value;
}

float strtof(const char *restrict s, char **restrict end) {
  FLOAT_COPY(copy, s);
  float value = __hd_parse_float(copy, &used);
  if (end) *end = (char *)s + used;
  float size = value < 0 ? -value : value;
  if (has_digit(copy, used) && (size > __FLT_MAX__ || size < __FLT_MIN__)) HD_ERRNO = ERANGE;
  return value;
}

long double strtold(const char *restrict s, char **restrict end) {
  FLOAT_COPY(copy, s);
  long double value = 0;
  __hd_parse_long_double(copy, &used, &value);
  if (end) *end = (char *)s + used;
  long double size = value < 0 ? -value : value;
  if (has_digit(copy, used) && (size > __LDBL_MAX__ || size < __LDBL_MIN__)) HD_ERRNO = ERANGE;
  return value;
}

double strtod_l(const char *restrict s, char **restrict end, locale_t l) { return (void)l, strtod(s, end); }
float strtof_l(const char *restrict s, char **restrict end, locale_t l) { return (void)l, strtof(s, end); }
long double strtold_l(const char *restrict s, char **restrict end, locale_t l) { return (void)l, strtold(s, end); }
double atof(const char *s) { return strtod(s, NULL); }

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
intmax_t imaxabs(intmax_t x) { return x < 0 ? -x : x; }
div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }
imaxdiv_t imaxdiv(intmax_t a, intmax_t b) { return (imaxdiv_t){a / b, a % b}; }

/* Base 64 of a number, little digit first: <stdlib.h>, a64l(3). */
static const char base64[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

long a64l(const char *s) {
  uint32_t value = 0;
  for (int i = 0; i < 6 && s[i]; i++) {
    const char *at = hd_strchr(base64, s[i]);
    if (!at) break;
    value |= (uint32_t)(at - base64) << (6 * i);
  }
  return (long)value;
}

char *l64a(long value) {
  static char text[7];
  uint32_t rest = (uint32_t)value;
  int n = 0;
  for (; rest; rest >>= 6) text[n++] = base64[rest & 63];
  text[n] = 0;
  return text;
}
