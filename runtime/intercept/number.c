/* Functions with numbers that rows of the table do not have: text that becomes a number is read up to where the number ends; and results of
 * <math.h> that are written. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "intercept/text.h"

static void parsed(const char *s, const char *end, char **out, uintptr_t pc) {
  struct thread *t = watched();
  touches_text(t, s, (size_t)(end - s) + 1, pc);
  if (out) touches(t, out, sizeof *out, SITE_WRITE, pc);
}
#define PARSES(result, function, parameters, arguments) \
  PUBLIC result function parameters;                    \
  result function parameters {                          \
    char *end;                                          \
    result value = NEXT(function) arguments;            \
    if (out) *out = end;                                \
    parsed(s, end, out, CALLER);                        \
    return value;                                       \
  }
#define PARSES_INTEGER(result, function) PARSES(result, function, (const char *s, char **out, int base), (s, &end, base))
PARSES_INTEGER(long, strtol)
PARSES_INTEGER(long long, strtoll)
PARSES_INTEGER(unsigned long, strtoul)
PARSES_INTEGER(unsigned long long, strtoull)
PARSES_INTEGER(intmax_t, strtoimax)
PARSES_INTEGER(uintmax_t, strtoumax)
PARSES(float, strtof, (const char *s, char **out), (s, &end))
PARSES(double, strtod, (const char *s, char **out), (s, &end))
PARSES(long double, strtold, (const char *s, char **out), (s, &end))

#define SHORT(result, function, next, ...)                                 \
  PUBLIC result function(const char *s) {                                  \
    char *end;                                                             \
    result value = (result)NEXT(next)(s, &end __VA_OPT__(, ) __VA_ARGS__); \
    parsed(s, end, NULL, CALLER);                                          \
    return value;                                                          \
  }
SHORT(int, atoi, strtol, 10)
SHORT(long, atol, strtol, 10)
SHORT(long long, atoll, strtoll, 10)
SHORT(double, atof, strtod)

#define KEEPS(result, function, parameters, arguments, out)   \
  PUBLIC result function parameters {                         \
    result value = NEXT(function) arguments;                  \
    touches(watched(), out, sizeof *out, SITE_WRITE, CALLER); \
    return value;                                             \
  }
#define KEEPS_ALL(type, suffix)                                                            \
  KEEPS(type, frexp##suffix, (type x, int *exponent), (x, exponent), exponent)             \
  KEEPS(type, modf##suffix, (type x, type * whole), (x, whole), whole)                     \
  KEEPS(type, remquo##suffix, (type x, type y, int *quotient), (x, y, quotient), quotient) \
  KEEPS(type, lgamma##suffix##_r, (type x, int *sign), (x, sign), sign)                    \
  PUBLIC void sincos##suffix(type x, type *sine, type *cosine) {                           \
    NEXT(sincos##suffix)(x, sine, cosine);                                                 \
    struct thread *t = watched();                                                          \
    touches(t, sine, sizeof *sine, SITE_WRITE, CALLER);                                    \
    touches(t, cosine, sizeof *cosine, SITE_WRITE, CALLER);                                \
  }
KEEPS_ALL(double, )
KEEPS_ALL(float, f)
KEEPS_ALL(long double, l)
