/* printf() and its like: the strings that are printed are read, and what "%n" points to is written. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "intercept/format.h"
#include "intercept/library.h"
#include "intercept/text.h"

static void reads_string(struct thread *t, const char *s, long precision, uintptr_t pc) {
  if (!s) return;
  size_t most = precision < 0 ? SIZE_MAX : (size_t)precision, n = NEXT(strnlen)(s, most);
  touches_text(t, s, n < most ? n + 1 : n, pc);
}
/* A precision limits bytes, not characters; each has a byte at least. */
static void reads_wide(struct thread *t, const wchar_t *s, long precision, uintptr_t pc) {
  if (!s) return;
  size_t most = precision < 0 ? SIZE_MAX / sizeof *s : (size_t)precision, n = NEXT(wcsnlen)(s, most);
  touches_text(t, s, (n < most ? n + 1 : n) * sizeof *s, pc);
}

static void prints(struct thread *t, struct conversion c, va_list list, uintptr_t pc) {
  if (c.stars[0]) va_arg(list, int);
  if (c.stars[1]) c.precision = va_arg(list, int);
  if (strchr("diouxXbBcC", c.what)) {
    if (conversion_integer(c.length) == sizeof(long) && c.what != 'c')
      va_arg(list, long);
    else
      va_arg(list, int);
  } else if (strchr("aAeEfFgG", c.what)) {
    if (c.length == 'L')
      va_arg(list, long double);
    else
      va_arg(list, double);
  } else if (c.what == 'S' || (c.what == 's' && c.length == 'l')) {
    reads_wide(t, va_arg(list, const wchar_t *), c.precision, pc);
  } else if (c.what == 's') {
    reads_string(t, va_arg(list, const char *), c.precision, pc);
  } else if (c.what == 'n') {
    touches(t, va_arg(list, void *), conversion_integer(c.length), SITE_WRITE, pc);
  } else if (c.what == 'p') {
    va_arg(list, void *);
  }
}

static void prints_all(struct thread *t, const char *format, va_list all, uintptr_t pc) {
  va_list list;
  va_copy(list, all);
  touches(t, format, NEXT(strlen)(format) + 1, SITE_READ, pc);
  const char *at = format;
  for (struct conversion c; (c = conversion_next(&at, false)).what && strchr("diouxXbBcCaAeEfFgGsSnpm", c.what);) prints(t, c, list, pc);
  va_end(list);
}

#define FIXED_1 uintptr_t a
#define FIXED_2 FIXED_1, uintptr_t b
#define FIXED_3 FIXED_2, uintptr_t c
#define FIXED_4 FIXED_3, uintptr_t d
#define FIXED_5 FIXED_4, uintptr_t e
#define GIVEN_1 a
#define GIVEN_2 GIVEN_1, b
#define GIVEN_3 GIVEN_2, c
#define GIVEN_4 GIVEN_3, d
#define GIVEN_5 GIVEN_4, e
#define LAST_1  a
#define LAST_2  b
#define LAST_3  c
#define LAST_4  d
#define LAST_5  e

/* A function and the one that takes its arguments as a list: both have n others before, of which the format is the last. The rest is as in
 * a row. */
#define PRINTS(name, vname, n, role, success, ...)                                                                \
  ROW_ALONE(name, role, success, __VA_ARGS__);                                                                    \
  ROW_ALONE(vname, role, success, __VA_ARGS__);                                                                   \
  static int through_##name(const struct library_function *f, uintptr_t pc, FIXED_##n, va_list list) {            \
    int (*next)(FIXED_##n, va_list) = (int (*)(FIXED_##n, va_list))library_next(&library_##vname);                \
    const uintptr_t arguments[LIBRARY_ARGUMENTS] = {GIVEN_##n};                                                   \
    struct thread *t = watched();                                                                                 \
    if (!t) return next(GIVEN_##n, list);                                                                         \
    struct library_rooms rooms;                                                                                   \
    library_begins(t, f, arguments, &rooms, pc);                                                                  \
    prints_all(t, (const char *)LAST_##n, list, pc);                                                              \
    if (f->effects[0].kind) text_decides(t);                                                                      \
    int result = next(GIVEN_##n, list);                                                                           \
    library_ends(t, f, arguments, &rooms, (uintptr_t)result, pc);                                                 \
    return result;                                                                                                \
  }                                                                                                               \
  PUBLIC int call_##vname(FIXED_##n, va_list list) __asm__(#vname);                                               \
  int call_##vname(FIXED_##n, va_list list) { return through_##name(&library_##vname, CALLER, GIVEN_##n, list); } \
  PUBLIC int call_##name(FIXED_##n, ...) __asm__(#name);                                                          \
  int call_##name(FIXED_##n, ...) {                                                                               \
    va_list list;                                                                                                 \
    va_start(list, LAST_##n);                                                                                     \
    int result = through_##name(&library_##name, CALLER, GIVEN_##n, list);                                        \
    va_end(list);                                                                                                 \
    return result;                                                                                                \
  }

PRINTS(printf, vprintf, 1, STANDARD, NUMBER)
PRINTS(__printf_chk, __vprintf_chk, 2, STANDARD, NUMBER)
PRINTS(fprintf, vfprintf, 2, STREAM, NUMBER)
PRINTS(__fprintf_chk, __vfprintf_chk, 3, STREAM, NUMBER)
PRINTS(dprintf, vdprintf, 2, SENDS, NUMBER)
PRINTS(__dprintf_chk, __vdprintf_chk, 3, SENDS, NUMBER)
PRINTS(sprintf, vsprintf, 2, PLAIN, NUMBER, W(0, RESULT_END))
PRINTS(__sprintf_chk, __vsprintf_chk, 4, PLAIN, NUMBER, W(0, RESULT_END))
PRINTS(snprintf, vsnprintf, 3, PLAIN, NUMBER, W(0, TEXT_LIMIT(1)))
PRINTS(__snprintf_chk, __vsnprintf_chk, 5, PLAIN, NUMBER, W(0, TEXT_LIMIT(1)))
PRINTS(asprintf, vasprintf, 2, PLAIN, NUMBER, W_AT(0, RESULT_END), W(0, OF(void *)))
PRINTS(__asprintf_chk, __vasprintf_chk, 3, PLAIN, NUMBER, W_AT(0, RESULT_END), W(0, OF(void *)))
