/* <string.h>: bytes and strings, one visible access a byte. */
#include <string.h>

#include <strings.h>
#include <unistd.h>

#include "internal.h"

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  __builtin_memcpy(to, from, n);
  return to;
}

void *memmove(void *to, const void *from, size_t n) {
  __builtin_memmove(to, from, n);
  return to;
}

void *memset(void *to, int c, size_t n) {
  __builtin_memset(to, c, n);
  return to;
}

void explicit_bzero(void *to, size_t n) { __builtin_memset(to, 0, n); }
void bzero(void *to, size_t n) { __builtin_memset(to, 0, n); }
void bcopy(const void *from, void *to, size_t n) { __builtin_memmove(to, from, n); }

void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
  __builtin_memcpy(to, from, n);
  return (char *)to + n;
}

void *__mempcpy(void *restrict to, const void *restrict from, size_t n) {
  __builtin_memcpy(to, from, n);
  return (char *)to + n;
}

void *memccpy(void *restrict to, const void *restrict from, int c, size_t n) {
  unsigned char *t = to;
  for (const unsigned char *f = from; n; n--) {
    unsigned char x = *f++;
    *t++ = x;
    if (x == (unsigned char)c) return t;
  }
  return NULL;
}

void swab(const void *restrict from, void *restrict to, ssize_t n) {
  const char *f = from;
  char *t = to;
  for (; n > 1; n -= 2, f += 2, t += 2) {
    char even = f[0], odd = f[1];
    t[0] = odd;
    t[1] = even;
  }
}

int memcmp(const void *a, const void *b, size_t n) { return hd_memcmp(a, b, n); }
int bcmp(const void *a, const void *b, size_t n) { return hd_memcmp(a, b, n); }

void *memchr(const void *s, int c, size_t n) {
  for (const unsigned char *p = s; n; p++, n--)
    if (*p == (unsigned char)c) return (void *)p;
  return NULL;
}

void *memrchr(const void *s, int c, size_t n) {
  for (const unsigned char *p = (const unsigned char *)s + n; n; n--)
    if (*--p == (unsigned char)c) return (void *)p;
  return NULL;
}

void *rawmemchr(const void *s, int c) {
  const unsigned char *p = s;
  while (*p != (unsigned char)c) p++;
  return (void *)p;
}

size_t strlen(const char *s) { return hd_strlen(s); }
size_t strnlen(const char *s, size_t max) { return hd_strnlen(s, max); }
int strcmp(const char *a, const char *b) { return hd_strcmp(a, b); }
int strncmp(const char *a, const char *b, size_t n) { return hd_strncmp(a, b, n); }
int strcoll(const char *a, const char *b) { return hd_strcmp(a, b); }
int strcoll_l(const char *a, const char *b, locale_t l) { return (void)l, hd_strcmp(a, b); }

static int compare_folded(const char *a, const char *b, size_t n) {
  for (; n; a++, b++, n--) {
    int x = hd_tolower((unsigned char)*a), y = hd_tolower((unsigned char)*b);
    if (x != y || !x) return x - y;
  }
  return 0;
}

int strcasecmp(const char *a, const char *b) { return compare_folded(a, b, SIZE_MAX); }
int strncasecmp(const char *a, const char *b, size_t n) { return compare_folded(a, b, n); }
int strcasecmp_l(const char *a, const char *b, locale_t l) { return (void)l, compare_folded(a, b, SIZE_MAX); }
int strncasecmp_l(const char *a, const char *b, size_t n, locale_t l) { return (void)l, compare_folded(a, b, n); }

static char *copy_to_end(char *to, const char *from) {
  for (;; to++, from++) {
    char c = *from;
    *to = c;
    if (!c) return to;
  }
}

char *strcpy(char *restrict to, const char *restrict from) { return copy_to_end(to, from), to; }
char *stpcpy(char *restrict to, const char *restrict from) { return copy_to_end(to, from); }
char *__stpcpy(char *restrict to, const char *restrict from) { return copy_to_end(to, from); }

/* Fills `n` bytes: the string, then NULs. Returns the first NUL, or the end. */
static char *copy_filled(char *to, const char *from, size_t n) {
  size_t length = 0;
  for (; length < n; length++) {
    char c = from[length];
    if (!c) break;
    to[length] = c;
  }
  __builtin_memset(to + length, 0, n - length);
  return to + length;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n) { return copy_filled(to, from, n), to; }
char *stpncpy(char *restrict to, const char *restrict from, size_t n) { return copy_filled(to, from, n); }
char *__stpncpy(char *restrict to, const char *restrict from, size_t n) { return copy_filled(to, from, n); }

char *strcat(char *restrict to, const char *restrict from) { return copy_to_end(to + hd_strlen(to), from), to; }

char *strncat(char *restrict to, const char *restrict from, size_t n) {
  char *end = to + hd_strlen(to);
  for (; n; n--) {
    char c = *from++;
    if (!c) break;
    *end++ = c;
  }
  *end = 0;
  return to;
}

/* glibc 2.36 has neither of the two; programs bring or test for them. */
size_t strlcpy(char *restrict to, const char *restrict from, size_t size);
size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
  size_t length = hd_strlen(from);
  if (size) {
    size_t n = length < size ? length : size - 1;
    __builtin_memcpy(to, from, n);
    to[n] = 0;
  }
  return length;
}

size_t strlcat(char *restrict to, const char *restrict from, size_t size);
size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
  size_t used = hd_strnlen(to, size), length = hd_strlen(from);
  if (used < size) {
    size_t n = length < size - used ? length : size - used - 1;
    __builtin_memcpy(to + used, from, n);
    to[used + n] = 0;
  }
  return used + length;
}

size_t strxfrm(char *restrict to, const char *restrict from, size_t n) {
  size_t length = hd_strlen(from);
  if (n) copy_filled(to, from, length < n ? length + 1 : n);
  return length;
}

size_t strxfrm_l(char *restrict to, const char *restrict from, size_t n, locale_t l) { return (void)l, strxfrm(to, from, n); }

static char *duplicate(const char *s, size_t n) {
  char *copy = __builtin_malloc(n + 1);
  if (!copy) return NULL;
  __builtin_memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}

char *strdup(const char *s) { return duplicate(s, hd_strlen(s)); }
char *__strdup(const char *s) { return duplicate(s, hd_strlen(s)); }
char *strndup(const char *s, size_t max) { return duplicate(s, hd_strnlen(s, max)); }
char *__strndup(const char *s, size_t max) { return duplicate(s, hd_strnlen(s, max)); }

int ffs(int x) { return __builtin_ffs(x); }
int ffsl(long x) { return __builtin_ffsl(x); }
int ffsll(long long x) { return __builtin_ffsll(x); }
