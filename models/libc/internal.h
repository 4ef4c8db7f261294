/* What the C library models share. They are compiled to bitcode and run in the machine as part of the program under test, so:
 *   1. bytes of the program are read and written with ordinary loads and stores: its races and overflows are seen where they happen;
 *   2. a model calls no name that a program may define for itself (`getline`): only names with a leading underscore, names of the same
 *      header, the primitives of hd_model.h, and what the machine provides (malloc, pthread_mutex_lock);
 *   3. state that threads share is guarded by a mutex or does not change once a second thread exists; printing to standard output and
 *      error touches none.
 * One file, one header of the C library or one part of it. */
#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../hd_model.h"

/* In functions that leave their result in memory that all threads share, and of which glibc says that threads must not call them at a time:
 * two unordered calls are a data race of FUNCTION_result. */
#define HD_SHARED_RESULT(function)          \
  do {                                      \
    static volatile char function##_result __attribute__((unused)); \
    function##_result = 1;                  \
  } while (0)

int *__hd_errno(void) __attribute__((const));
#define HD_ERRNO (*__hd_errno())

/* The machine's clock begins at 2024-01-01 00:00:00 UTC. */
enum { HD_EPOCH = 1704067200, HD_GIGA = 1000000000 };

/* NULL, or what the end of the process runs last (exit.c). */
extern void (*__hd_at_end)(void);

/* Streams that were opened and not closed (stream.c). */
extern struct hd_file *__hd_open_streams;
void __hd_streams_close(void);

static inline size_t hd_strlen(const char *s) {
  const char *end = s;
  while (*end) end++;
  return (size_t)(end - s);
}

static inline size_t hd_strnlen(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return n;
}

static inline int hd_strcmp(const char *a, const char *b) {
  for (;; a++, b++) {
    unsigned char x = (unsigned char)*a, y = (unsigned char)*b;
    if (x != y || !x) return x - y;
  }
}

static inline int hd_strncmp(const char *a, const char *b, size_t n) {
  for (; n; a++, b++, n--) {
    unsigned char x = (unsigned char)*a, y = (unsigned char)*b;
    if (x != y || !x) return x - y;
  }
  return 0;
}

static inline int hd_memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (; n; x++, y++, n--) {
    unsigned char p = *x, q = *y;
    if (p != q) return p - q;
  }
  return 0;
}

static inline const char *hd_strchr(const char *s, int c) {
  for (;; s++) {
    char x = *s;
    if (x == (char)c) return s;
    if (!x) return NULL;
  }
}

static inline bool hd_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline bool hd_isdigit(int c) { return c >= '0' && c <= '9'; }
static inline int hd_tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
static inline int hd_toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

/* The value of a letter or digit in bases up to 36; 99 for anything else. */
static inline int hd_digit(int c) {
  if (hd_isdigit(c)) return c - '0';
  int lower = c | 32;
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : 99;
}

/* Sends a signal to the process; timers send this one with that value (signal.c). */
void __hd_kill(int number);
void __hd_signal_timed(int number, void *value);

/* Text of an error number, NULL if unknown. */
const char *__hd_error_text(int number);

/* Where formatted bytes go. `drain` empties a full buffer (and is called at the end); without it bytes past `size` are counted and
 * dropped. */
struct hd_sink {
  char *buffer;
  size_t used, size;
  size_t total; /* bytes put so far */
  bool (*drain)(struct hd_sink *sink);
  void *target;
  bool failed;
};
void __hd_sink_put(struct hd_sink *sink, const char *bytes, size_t n);
void __hd_sink_pad(struct hd_sink *sink, char c, size_t n);
/* As printf; returns the number of bytes produced, or -1 with errno set. */
int __hd_format(struct hd_sink *sink, const char *format, va_list arguments);
