/* <wchar.h> and <wctype.h>: wide strings, and wide characters beyond ASCII without classes. */
#include <wchar.h>

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <wctype.h>

#include "stream.h"

size_t wcslen(const wchar_t *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

size_t wcsnlen(const wchar_t *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return n;
}

static int compare(const wchar_t *a, const wchar_t *b, size_t n, bool strings) {
  for (; n; a++, b++, n--) {
    if (*a != *b) return *a < *b ? -1 : 1;
    if (strings && !*a) break;
  }
  return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b) { return compare(a, b, SIZE_MAX, true); }
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) { return compare(a, b, n, true); }
int wcscoll(const wchar_t *a, const wchar_t *b) { return compare(a, b, SIZE_MAX, true); }
int wcscoll_l(const wchar_t *a, const wchar_t *b, locale_t l) { return (void)l, compare(a, b, SIZE_MAX, true); }
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) { return compare(a, b, n, false); }

static int compare_folded(const wchar_t *a, const wchar_t *b, size_t n) {
  for (; n; a++, b++, n--) {
    wint_t x = towlower((wint_t)*a), y = towlower((wint_t)*b);
    if (x != y) return x < y ? -1 : 1;
    if (!x) break;
  }
  return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b) { return compare_folded(a, b, SIZE_MAX); }
int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n) { return compare_folded(a, b, n); }

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  __builtin_memcpy(to, from, n * sizeof *to);
  return to;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
  __builtin_memmove(to, from, n * sizeof *to);
  return to;
}

wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) { return wmemcpy(to, from, n) + n; }

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = c;
  return to;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
  for (; n; s++, n--)
    if (*s == c) return (wchar_t *)s;
  return NULL;
}

static wchar_t *copy_to_end(wchar_t *to, const wchar_t *from) {
  while ((*to = *from++)) to++;
  return to;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) { return copy_to_end(to, from), to; }
wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from) { return copy_to_end(to, from); }
wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) { return copy_to_end(to + wcslen(to), from), to; }

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  size_t length = wcsnlen(from, n);
  wmemcpy(to, from, length);
  wmemset(to + length, 0, n - length);
  return to;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  wchar_t *end = to + wcslen(to);
  size_t length = wcsnlen(from, n);
  wmemcpy(end, from, length);
  end[length] = 0;
  return to;
}

size_t wcsxfrm(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  size_t length = wcslen(from);
  if (n) wcsncpy(to, from, length < n ? length + 1 : n);
  return length;
}

wchar_t *wcsdup(const wchar_t *s) {
  size_t n = wcslen(s) + 1;
  wchar_t *copy = malloc(n * sizeof *copy);
  return copy ? wmemcpy(copy, s, n) : NULL;
}

wchar_t *wcschr(const wchar_t *s, wchar_t c) {
  for (;; s++) {
    if (*s == c) return (wchar_t *)s;
    if (!*s) return NULL;
  }
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
  for (size_t n = wcslen(s) + 1; n--;)
    if (s[n] == c) return (wchar_t *)s + n;
  return NULL;
}

static size_t span(const wchar_t *s, const wchar_t *set, bool inside) {
  size_t n = 0;
  while (s[n] && (wcschr(set, s[n]) != NULL) == inside) n++;
  return n;
}

size_t wcsspn(const wchar_t *s, const wchar_t *set) { return span(s, set, true); }
size_t wcscspn(const wchar_t *s, const wchar_t *set) { return span(s, set, false); }

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set) {
  s += span(s, set, false);
  return *s ? (wchar_t *)s : NULL;
}

wchar_t *wcsstr(const wchar_t *s, const wchar_t *part) {
  size_t n = wcslen(part);
  for (;; s++) {
    if (!compare(s, part, n, true)) return (wchar_t *)s;
    if (!*s) return NULL;
  }
}

wchar_t *wcstok(wchar_t *restrict s, const wchar_t *restrict separators, wchar_t **restrict rest) {
  if (!s) s = *rest;
  if (!s) return NULL;
  s += span(s, separators, true);
  wchar_t *end = s + span(s, separators, false);
  bool found = end != s;
  *rest = *end ? end + 1 : NULL;
  *end = 0;
  return found ? s : NULL;
}

/* Numbers are ASCII: a narrow copy of what may belong to one goes to the narrow parser. */
static size_t narrow(const wchar_t *s, char *to, size_t size) {
  size_t n = 0;
  for (; n + 1 < size && s[n] > 0 && s[n] < 128; n++) to[n] = (char)s[n];
  to[n] = 0;
  return n;
}

enum { NUMBER = 512 };

#define PARSE(type, name, parser)                                \
  type name(const wchar_t *restrict s, wchar_t **restrict end) { \
    char text[NUMBER], *stop;                                    \
    narrow(s, text, sizeof text);                                \
    type value = parser(text, &stop);                            \
    if (end) *end = (wchar_t *)s + (stop - text);                \
    return value;                                                \
  }

#define PARSE_INTEGER(type, name, parser)                                  \
  type name(const wchar_t *restrict s, wchar_t **restrict end, int base) { \
    char text[NUMBER], *stop;                                              \
    narrow(s, text, sizeof text);                                          \
    type value = parser(text, &stop, base);                                \
    if (end) *end = (wchar_t *)s + (stop - text);                          \
    return value;                                                          \
  }

PARSE(double, wcstod, strtod)
PARSE(float, wcstof, strtof)
PARSE(long double, wcstold, strtold)
PARSE_INTEGER(long, wcstol, strtol)
PARSE_INTEGER(unsigned long, wcstoul, strtoul)
PARSE_INTEGER(long long, wcstoll, strtoll)
PARSE_INTEGER(unsigned long long, wcstoull, strtoull)

/* --- classes --- */

static int in_class(wint_t c, int mask) { return c < 128 ? (*__ctype_b_loc())[c] & mask : 0; }

#define CLASS(name, mask)                               \
  int isw##name(wint_t c) { return in_class(c, mask); } \
  int isw##name##_l(wint_t c, locale_t l) { return (void)l, in_class(c, mask); }

CLASS(alnum, _ISalnum)
CLASS(alpha, _ISalpha)
CLASS(blank, _ISblank)
CLASS(cntrl, _IScntrl)
CLASS(digit, _ISdigit)
CLASS(graph, _ISgraph)
CLASS(lower, _ISlower)
CLASS(print, _ISprint)
CLASS(punct, _ISpunct)
CLASS(space, _ISspace)
CLASS(upper, _ISupper)
CLASS(xdigit, _ISxdigit)

wint_t towlower(wint_t c) { return c < 128 ? (wint_t)hd_tolower((int)c) : c; }
wint_t towupper(wint_t c) { return c < 128 ? (wint_t)hd_toupper((int)c) : c; }
wint_t towlower_l(wint_t c, locale_t l) { return (void)l, towlower(c); }
wint_t towupper_l(wint_t c, locale_t l) { return (void)l, towupper(c); }

wctype_t wctype(const char *name) {
  static const struct {
    const char *name;
    wctype_t mask;
  } masks[] = {{"alnum", _ISalnum}, {"alpha", _ISalpha}, {"blank", _ISblank}, {"cntrl", _IScntrl},
               {"digit", _ISdigit}, {"graph", _ISgraph}, {"lower", _ISlower}, {"print", _ISprint},
               {"punct", _ISpunct}, {"space", _ISspace}, {"upper", _ISupper}, {"xdigit", _ISxdigit}};
  for (size_t i = 0; i < sizeof masks / sizeof *masks; i++)
    if (!hd_strcmp(masks[i].name, name)) return masks[i].mask;
  return 0;
}

int iswctype(wint_t c, wctype_t mask) { return in_class(c, (int)mask); }
wctype_t wctype_l(const char *name, locale_t l) { return (void)l, wctype(name); }
int iswctype_l(wint_t c, wctype_t mask, locale_t l) { return (void)l, in_class(c, (int)mask); }
int wcwidth(wchar_t c) { return !c ? 0 : c < 32 || (c >= 127 && c < 160) ? -1 : 1; }

int wcswidth(const wchar_t *s, size_t n) {
  int width = 0;
  for (size_t i = 0; i < n && s[i]; i++) {
    int w = wcwidth(s[i]);
    if (w < 0) return -1;
    width += w;
  }
  return width;
}

/* --- streams: wide characters as multibyte ones --- */

static wint_t put_wide(FILE *f, wchar_t c) {
  char bytes[8];
  size_t n = wcrtomb(bytes, c, &(mbstate_t){0});
  return n <= sizeof bytes && __hd_stream_put(f, bytes, n) ? (wint_t)c : WEOF;
}

static wint_t get_wide(FILE *f) {
  mbstate_t state = {0};
  for (;;) {
    int c = __hd_stream_get(f);
    if (c == EOF) return WEOF;
    wchar_t wide;
    size_t used = mbrtowc(&wide, &(char){(char)c}, 1, &state);
    if (used == (size_t)-1) return WEOF;
    if (used != (size_t)-2) return (wint_t)wide;
  }
}

#define LOCKED(type, f, expression) \
  __hd_stream_lock(f);              \
  type result = expression;         \
  __hd_stream_unlock(f);            \
  return result

wint_t fputwc(wchar_t c, FILE *f) { LOCKED(wint_t, f, put_wide(f, c)); }
wint_t putwc(wchar_t c, FILE *f) { LOCKED(wint_t, f, put_wide(f, c)); }
wint_t putwchar(wchar_t c) { LOCKED(wint_t, stdout, put_wide(stdout, c)); }
wint_t fgetwc(FILE *f) { LOCKED(wint_t, f, get_wide(f)); }
wint_t getwc(FILE *f) { LOCKED(wint_t, f, get_wide(f)); }
wint_t getwchar(void) { LOCKED(wint_t, stdin, get_wide(stdin)); }

static wint_t unget_wide(FILE *f, wint_t c) {
  char bytes[8];
  size_t n = c == WEOF ? (size_t)-1 : wcrtomb(bytes, (wchar_t)c, &(mbstate_t){0});
  if (n > sizeof bytes) return WEOF;
  while (n) __hd_stream_unget(f, (unsigned char)bytes[--n]);
  return c;
}

wint_t ungetwc(wint_t c, FILE *f) { LOCKED(wint_t, f, unget_wide(f, c)); }

static int put_string(FILE *f, const wchar_t *s) {
  for (; *s; s++)
    if (put_wide(f, *s) == WEOF) return -1;
  return 1;
}

int fputws(const wchar_t *restrict s, FILE *restrict f) { LOCKED(int, f, put_string(f, s)); }

static wchar_t *get_string(wchar_t *to, int n, FILE *f) {
  int i = 0;
  wint_t c = 0;
  while (i < n - 1 && c != '\n' && (c = get_wide(f)) != WEOF) to[i++] = (wchar_t)c;
  if (!i) return NULL;
  to[i] = 0;
  return to;
}

wchar_t *fgetws(wchar_t *restrict to, int n, FILE *restrict f) { LOCKED(wchar_t *, f, get_string(to, n, f)); }
int fwide(FILE *f, int mode) { return (void)f, mode; }

/* Wide formats go through the narrow engine: conversions mean the same, and %s is a multibyte string in both. */
static char *narrow_format(const wchar_t *format) {
  size_t n = wcslen(format), used = 0;
  char *bytes = malloc(n * 4 + 1);
  if (!bytes) return NULL;
  for (size_t i = 0; i < n; i++) {
    size_t length = wcrtomb(bytes + used, format[i], &(mbstate_t){0});
    if (length > 4) {
      free(bytes);
      return NULL;
    }
    used += length;
  }
  bytes[used] = 0;
  return bytes;
}

int vfwprintf(FILE *restrict f, const wchar_t *restrict format, va_list list) {
  char *bytes = narrow_format(format);
  int n = bytes ? __hd_stream_format(f, bytes, list) : -1;
  free(bytes);
  return n;
}

int vwprintf(const wchar_t *restrict format, va_list list) { return vfwprintf(stdout, format, list); }

int vswprintf(wchar_t *restrict to, size_t size, const wchar_t *restrict format, va_list list) {
  char *bytes = narrow_format(format), *text = NULL;
  int n = bytes ? vasprintf(&text, bytes, list) : -1;
  free(bytes);
  if (n < 0) return -1;
  size_t wides = mbstowcs(to, text, size);
  free(text);
  if (wides < size) return (int)wides;
  if (size) to[size - 1] = 0;
  return -1;
}

#define VARIADIC(call)    \
  va_list list;           \
  va_start(list, format); \
  int result = call;      \
  va_end(list);           \
  return result

int fwprintf(FILE *restrict f, const wchar_t *restrict format, ...) { VARIADIC(vfwprintf(f, format, list)); }
int wprintf(const wchar_t *restrict format, ...) { VARIADIC(vfwprintf(stdout, format, list)); }
int swprintf(wchar_t *restrict to, size_t size, const wchar_t *restrict format, ...) { VARIADIC(vswprintf(to, size, format, list)); }
