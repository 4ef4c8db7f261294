/* scanf() and its like: what was converted is written. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "intercept/format.h"
#include "intercept/library.h"
#include "intercept/text.h"

/* The bytes that a conversion wrote at p. */
static size_t scanned(const struct conversion *c, const void *p) {
  bool wide = c->length == 'l' || c->what == 'S' || c->what == 'C';
  if (strchr("diouxXn", c->what)) return conversion_integer(c->length);
  if (strchr("aAeEfFgG", c->what)) return c->length == 'L' ? sizeof(long double) : c->length == 'l' ? sizeof(double) : sizeof(float);
  if (c->what == 'p') return sizeof(void *);
  if (c->what == 'c' || c->what == 'C') return (size_t)(c->width > 0 ? c->width : 1) * (wide ? sizeof(wchar_t) : 1);
  return wide ? (NEXT(wcslen)(p) + 1) * sizeof(wchar_t) : NEXT(strlen)(p) + 1; /* "%s", "%[" */
}

/* `kept`: how many conversions were. */
static void scans_all(struct thread *t, const char *format, va_list all, int kept, uintptr_t pc) {
  va_list list;
  va_copy(list, all);
  const char *at = format;
  for (struct conversion c; (c = conversion_next(&at, true)).what && strchr("diouxXnaAeEfFgGpcCsS[", c.what);) {
    if (c.skipped) continue;
    if (c.what != 'n' && kept-- <= 0) break;
    void *p = va_arg(list, void *);
    if (c.makes) touches(t, p, sizeof(void *), SITE_WRITE, pc), p = *(void **)p;
    touches(t, p, scanned(&c, p), SITE_WRITE, pc);
  }
  va_end(list);
}

#define BEFORE_1
#define BEFORE_2 uintptr_t from,
#define GIVEN_1
#define GIVEN_2 from,
#define FIRST_1 0
#define FIRST_2 from

/* As PRINTS() of print.c. */
#define SCANS(name, vname, n, role, ...)                                                                                       \
  ROW_ALONE(name, role, ALWAYS, __VA_ARGS__);                                                                                  \
  ROW_ALONE(vname, role, ALWAYS, __VA_ARGS__);                                                                                 \
  static int through_##name(const struct library_function *f, uintptr_t pc, BEFORE_##n const char *format, va_list list) {     \
    int (*next)(BEFORE_##n const char *, va_list) = (int (*)(BEFORE_##n const char *, va_list))library_next(&library_##vname); \
    const uintptr_t arguments[LIBRARY_ARGUMENTS] = {FIRST_##n};                                                                \
    struct thread *t = watched();                                                                                              \
    if (!t) return next(GIVEN_##n format, list);                                                                               \
    struct library_rooms rooms;                                                                                                \
    library_begins(t, f, arguments, &rooms, pc);                                                                               \
    touches(t, format, NEXT(strlen)(format) + 1, SITE_READ, pc);                                                               \
    va_list again;                                                                                                             \
    va_copy(again, list);                                                                                                      \
    int result = next(GIVEN_##n format, list);                                                                                 \
    library_ends(t, f, arguments, &rooms, (uintptr_t)result, pc);                                                              \
    if (f->effects[0].kind) text_decides(t);                                                                                   \
    scans_all(t, format, again, result, pc);                                                                                   \
    va_end(again);                                                                                                             \
    return result;                                                                                                             \
  }                                                                                                                            \
  PUBLIC int call_##vname(BEFORE_##n const char *format, va_list list) __asm__(#vname);                                        \
  int call_##vname(BEFORE_##n const char *format, va_list list) {                                                              \
    return through_##name(&library_##vname, CALLER, GIVEN_##n format, list);                                                   \
  }                                                                                                                            \
  PUBLIC int call_##name(BEFORE_##n const char *format, ...) __asm__(#name);                                                   \
  int call_##name(BEFORE_##n const char *format, ...) {                                                                        \
    va_list list;                                                                                                              \
    va_start(list, format);                                                                                                    \
    int result = through_##name(&library_##name, CALLER, GIVEN_##n format, list);                                              \
    va_end(list);                                                                                                              \
    return result;                                                                                                             \
  }

SCANS(scanf, vscanf, 1, STANDARD_READ)
SCANS(__isoc99_scanf, __isoc99_vscanf, 1, STANDARD_READ)
SCANS(__isoc23_scanf, __isoc23_vscanf, 1, STANDARD_READ)
SCANS(fscanf, vfscanf, 2, STREAM_READ)
SCANS(__isoc99_fscanf, __isoc99_vfscanf, 2, STREAM_READ)
SCANS(__isoc23_fscanf, __isoc23_vfscanf, 2, STREAM_READ)
SCANS(sscanf, vsscanf, 2, PLAIN, R(0, TEXT))
SCANS(__isoc99_sscanf, __isoc99_vsscanf, 2, PLAIN, R(0, TEXT))
SCANS(__isoc23_sscanf, __isoc23_vsscanf, 2, PLAIN, R(0, TEXT))
