/* <string.h> and <libgen.h>: searching and splitting. */
#include <string.h>
#include <strings.h>

#include "internal.h"

char *strchr(const char *s, int c) { return (char *)hd_strchr(s, c); }
char *index(const char *s, int c) { return (char *)hd_strchr(s, c); }

char *strchrnul(const char *s, int c) {
  for (;; s++) {
    char x = *s;
    if (!x || x == (char)c) return (char *)s;
  }
}

static char *find_last(const char *s, int c) {
  const char *last = NULL;
  for (;; s++) {
    char x = *s;
    if (x == (char)c) last = s;
    if (!x) return (char *)last;
  }
}

char *strrchr(const char *s, int c) { return find_last(s, c); }
char *rindex(const char *s, int c) { return find_last(s, c); }

/* A set of bytes, private to its caller: the program's string is read once. */
struct byte_set {
  uint64_t bits[4];
};

static struct byte_set set_of(const char *bytes) {
  struct byte_set set = {{0, 0, 0, 0}};
  for (;; bytes++) {
    unsigned char c = (unsigned char)*bytes;
    if (!c) return set;
    set.bits[c >> 6] |= 1ull << (c & 63);
  }
}

static bool set_has(const struct byte_set *set, char c) { return set->bits[(unsigned char)c >> 6] >> ((unsigned char)c & 63) & 1; }

/* How many bytes of `s` are in the set (or outside it), up to the string's end. */
static size_t span(const char *s, const char *bytes, bool inside) {
  struct byte_set set = set_of(bytes);
  size_t n = 0;
  for (;; n++) {
    char c = s[n];
    if (!c || set_has(&set, c) != inside) return n;
  }
}

size_t strspn(const char *s, const char *accept) { return span(s, accept, true); }
size_t strcspn(const char *s, const char *reject) { return span(s, reject, false); }

char *strpbrk(const char *s, const char *accept) {
  s += span(s, accept, false);
  return *s ? (char *)s : NULL;
}

static char *next_token(char *s, const char *separators, char **rest) {
  if (!s) s = *rest;
  if (!s) return NULL;
  s += span(s, separators, true);
  char *end = s + span(s, separators, false);
  bool found = end != s;
  if (found && *end) *end++ = 0;
  *rest = end;
  return found ? s : NULL;
}

char *strtok_r(char *restrict s, const char *restrict separators, char **restrict rest) { return next_token(s, separators, rest); }
char *__strtok_r(char *restrict s, const char *restrict separators, char **restrict rest) { return next_token(s, separators, rest); }

/* One position for the whole program, as in the C library: two threads that use strtok race, and are told so. */
static char *strtok_rest;

char *strtok(char *restrict s, const char *restrict separators) { return next_token(s, separators, &strtok_rest); }

char *strsep(char **restrict rest, const char *restrict separators) {
  char *s = *rest;
  if (!s) return NULL;
  char *end = s + span(s, separators, false);
  if (*end) {
    *end = 0;
    *rest = end + 1;
  } else {
    *rest = NULL;
  }
  return s;
}

char *strstr(const char *s, const char *part) {
  char first = *part;
  if (!first) return (char *)s;
  size_t n = hd_strlen(part);
  for (;; s++) {
    char c = *s;
    if (!c) return NULL;
    if (c == first && !hd_strncmp(s, part, n)) return (char *)s;
  }
}

char *strcasestr(const char *s, const char *part) {
  size_t n = hd_strlen(part);
  for (;; s++) {
    size_t i = 0;
    while (i < n && s[i] && hd_tolower((unsigned char)s[i]) == hd_tolower((unsigned char)part[i])) i++;
    if (i == n) return (char *)s;
    if (!*s) return NULL;
  }
}

void *memmem(const void *s, size_t size, const void *part, size_t n) {
  if (!n) return (void *)s;
  char first = *(const char *)part;
  for (const char *p = s; size >= n; p++, size--)
    if (*p == first && !hd_memcmp(p, part, n)) return (void *)p;
  return NULL;
}

static size_t digits(const char *s) {
  size_t n = 0;
  while (hd_isdigit(s[n])) n++;
  return n;
}

/* Runs of digits compare as numbers, or, when they begin with a zero, as fractions. What the bytes before the first difference say
 * decides: `start` is where the run of digits that reaches it begins. */
int strverscmp(const char *a, const char *b) {
  size_t i = 0, start = 0;
  for (; a[i] == b[i]; i++) {
    if (!a[i]) return 0;
    if (!hd_isdigit(a[i])) start = i + 1;
  }
  int x = (unsigned char)a[i], y = (unsigned char)b[i];
  size_t zeros = start;
  while (zeros < i && a[zeros] == '0') zeros++;
  bool whole = start < i && zeros == start, only_zeros = start < i && zeros == i;
  if (only_zeros && hd_isdigit(x) != hd_isdigit(y)) return hd_isdigit(x) ? -1 : 1;
  bool number = whole || (start == i && hd_isdigit(x) && hd_isdigit(y) && x != '0' && y != '0');
  if (number) {
    size_t m = digits(a + i), n = digits(b + i);
    if (m != n) return m < n ? -1 : 1;
  }
  return x - y;
}

static char *after_slash(const char *path) {
  char *slash = find_last(path, '/');
  return slash ? slash + 1 : (char *)path;
}

/* GNU's, of <string.h>. The one of <libgen.h> is __xpg_basename. */
char *basename(const char *path) { return after_slash(path); }

char *__xpg_basename(char *path);
char *__xpg_basename(char *path) {
  if (!path || !*path) return (char *)".";
  size_t n = hd_strlen(path);
  while (n > 1 && path[n - 1] == '/') path[--n] = 0;
  return n == 1 ? path : after_slash(path);
}

char *dirname(char *path);
char *dirname(char *path) {
  if (!path || !*path) return (char *)".";
  size_t n = hd_strlen(path);
  while (n > 1 && path[n - 1] == '/') n--;
  while (n && path[n - 1] != '/') n--;
  if (!n) return (char *)".";
  while (n > 1 && path[n - 1] == '/') n--;
  if (n == 1 && path[0] == '/' && path[1] == '/' && path[2] != '/') n = 2; /* "//" is a root of its own */
  path[n] = 0;
  return path;
}
