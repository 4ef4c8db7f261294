#include "intercept/format.h"

#include <string.h>

static long number(const char **at) {
  long n = 0;
  if (**at < '0' || **at > '9') return -1;
  for (; **at >= '0' && **at <= '9'; (*at)++) n = n < 1 << 20 ? n * 10 + (**at - '0') : n;
  return n;
}

/* A width or a precision: a number, or a star for the next argument. */
static long amount(const char **at, bool *star) {
  *star = **at == '*';
  if (!*star) return number(at);
  (*at)++;
  return -1;
}

static char length(const char **at) {
  char c = **at;
  if (!c || !strchr("hlLqjzt", c)) return 0;
  (*at)++;
  if ((c != 'h' && c != 'l') || **at != c) return c;
  (*at)++;
  return c == 'h' ? 'H' : 'q';
}

/* The characters of "[^]a-z]", from behind the first bracket. */
static const char *behind_set(const char *at) {
  if (*at == '^') at++;
  if (*at == ']') at++;
  while (*at && *at != ']') at++;
  return *at ? at + 1 : at;
}

static struct conversion conversion(const char **at, bool scans) {
  struct conversion c = {.width = -1, .precision = -1};
  if (scans) {
    c.skipped = **at == '*';
    if (c.skipped) (*at)++;
    while (**at == '\'' || **at == 'I') (*at)++;
    c.width = number(at);
    c.makes = **at == 'm';
    if (c.makes) (*at)++;
  } else {
    *at += strspn(*at, "-+ #0'I");
    c.width = amount(at, &c.stars[0]);
    if (**at == '.') {
      (*at)++;
      c.precision = amount(at, &c.stars[1]);
      if (c.precision < 0 && !c.stars[1]) c.precision = 0;
    }
  }
  c.length = length(at);
  c.what = **at;
  if (c.what) (*at)++;
  if (c.what == '$') c.what = 0;
  if (scans && c.what == '[') *at = behind_set(*at);
  return c;
}

struct conversion conversion_next(const char **at, bool scans) {
  while ((*at = strchr(*at, '%'))) {
    (*at)++;
    if (**at != '%') return conversion(at, scans);
    (*at)++;
  }
  return (struct conversion){0};
}

size_t conversion_integer(char l) {
  switch (l) {
    case 'H':
      return sizeof(char);
    case 'h':
      return sizeof(short);
    case 'l':
    case 'q':
    case 'L':
    case 'j':
    case 'z':
    case 't':
      return sizeof(long);
    default:
      return sizeof(int);
  }
}
