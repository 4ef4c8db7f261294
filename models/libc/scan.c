/* The scanf family's engine: see scan.h. */
#include "scan.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum length { LENGTH_INT, LENGTH_CHAR, LENGTH_SHORT, LENGTH_LONG, LENGTH_LONG_DOUBLE };
enum outcome { STORED, SKIPPED, MISMATCH, INPUT_END };

struct spec {
  bool suppress, allocate;
  int width; /* INT_MAX: none was given */
  bool has_width;
  enum length length;
  char conversion;
  const char *set, *set_end; /* between the brackets */
  bool set_negated;
  void *target;
};

static int take(struct hd_source *s) {
  int c = s->get(s);
  if (c != EOF) s->count++;
  return c;
}

static void give(struct hd_source *s, int c) {
  if (c == EOF) return;
  s->unget(s, c);
  s->count--;
}

static void skip_space(struct hd_source *s) {
  int c;
  do c = take(s);
  while (hd_isspace(c));
  give(s, c);
}

static enum length parse_length(const char **format) {
  char c = **format;
  bool twice = c && (*format)[1] == c;
  switch (c) {
    case 'h':
      *format += twice ? 2 : 1;
      return twice ? LENGTH_CHAR : LENGTH_SHORT;
    case 'l':
      *format += twice ? 2 : 1;
      return twice ? LENGTH_LONG_DOUBLE : LENGTH_LONG;
    case 'q':
    case 'L':
      ++*format;
      return LENGTH_LONG_DOUBLE;
    case 'j':
    case 'z':
    case 'Z':
    case 't':
      ++*format;
      return LENGTH_LONG;
    default:
      return LENGTH_INT;
  }
}

static int parse_count(const char **s) {
  int value = 0;
  for (; hd_isdigit(**s); ++*s) value = value < INT_MAX / 10 - 1 ? value * 10 + (**s - '0') : INT_MAX;
  return value;
}

/* `format` is behind the '%'; `position` becomes the number of the argument, 0 for the next one. */
static const char *parse_spec(const char *format, struct spec *spec, int *position) {
  *spec = (struct spec){.width = INT_MAX};
  *position = 0;
  const char *start = format;
  int number = parse_count(&format);
  if (*format == '$' && number)
    *position = number, format++;
  else
    format = start;
  for (;; format++) {
    if (*format == '*')
      spec->suppress = true;
    else if (*format != '\'' && *format != 'I')
      break;
  }
  if (hd_isdigit(*format)) {
    spec->width = parse_count(&format);
    spec->has_width = spec->width > 0;
    if (!spec->width) spec->width = INT_MAX;
  }
  if (*format == 'm') spec->allocate = true, format++;
  spec->length = parse_length(&format);
  spec->conversion = *format;
  if (!*format) return format;
  format++;
  if (spec->conversion != '[') return format;
  if (*format == '^') spec->set_negated = true, format++;
  spec->set = format;
  if (*format == ']') format++;
  while (*format && *format != ']') format++;
  spec->set_end = format;
  return *format ? format + 1 : format;
}

static bool set_has(const struct spec *spec, int c) {
  bool inside = false;
  for (const char *s = spec->set; s < spec->set_end && !inside; s++) {
    if (s + 2 < spec->set_end && s[1] == '-') {
      inside = c >= (unsigned char)s[0] && c <= (unsigned char)s[2];
      s += 2;
    } else {
      inside = c == (unsigned char)*s;
    }
  }
  return inside != spec->set_negated;
}

static bool belongs(const struct spec *spec, int c) {
  if (spec->conversion == 's') return !hd_isspace(c);
  return spec->conversion == 'c' || set_has(spec, c);
}

static void store_integer(const struct spec *spec, uint64_t value) {
  switch (spec->length) {
    case LENGTH_CHAR:
      *(signed char *)spec->target = (signed char)value;
      break;
    case LENGTH_SHORT:
      *(short *)spec->target = (short)value;
      break;
    case LENGTH_INT:
      *(int *)spec->target = (int)value;
      break;
    case LENGTH_LONG:
    case LENGTH_LONG_DOUBLE:
      *(long *)spec->target = (long)value;
      break;
  }
}

/* Text conversions: %c, %s, %[. An allocated target grows as it fills. */
static enum outcome scan_text(struct hd_source *s, const struct spec *spec) {
  bool is_char = spec->conversion == 'c';
  size_t limit = is_char && !spec->has_width ? 1 : (size_t)spec->width, n = 0, capacity = spec->allocate ? 32 : 0;
  char *to = spec->suppress ? NULL : spec->allocate ? malloc(capacity) : spec->target;
  int c = EOF;
  while (n < limit && (c = take(s)) != EOF) {
    if (!belongs(spec, c)) {
      give(s, c);
      break;
    }
    if (spec->allocate && !spec->suppress && n + 1 == capacity) to = realloc(to, capacity *= 2);
    if (to) to[n] = (char)c;
    n++;
  }
  if (!n) {
    if (spec->allocate) free(to);
    return c == EOF ? INPUT_END : MISMATCH;
  }
  if (spec->suppress) return SKIPPED;
  if (!is_char) to[n] = 0;
  if (spec->allocate) *(char **)spec->target = to;
  return STORED;
}

struct reader {
  struct hd_source *source;
  int width; /* characters that may still be taken */
  int next;  /* not taken yet */
};

static void advance(struct reader *r) {
  r->width--;
  r->next = r->width > 0 ? take(r->source) : EOF;
}

static struct reader reader_start(struct hd_source *s, const struct spec *spec) {
  return (struct reader){.source = s, .width = spec->width, .next = take(s)};
}

static enum outcome scan_integer(struct hd_source *s, const struct spec *spec) {
  char c = spec->conversion;
  int base = c == 'd' || c == 'u' ? 10 : c == 'o' ? 8 : c == 'i' ? 0 : 16;
  struct reader r = reader_start(s, spec);
  if (r.next == EOF) return INPUT_END;
  bool negative = r.next == '-', any = false, overflow = false;
  uint64_t value = 0;
  if (r.next == '-' || r.next == '+') advance(&r);
  if (r.next == '0' && (base == 0 || base == 16)) {
    any = true;
    advance(&r);
    if (r.next != EOF && (r.next | 32) == 'x') {
      base = 16; /* "0x" alone is zero, as glibc has it */
      advance(&r);
    } else if (!base) {
      base = 8;
    }
  }
  if (!base) base = 10;
  for (int digit; r.next != EOF && (digit = hd_digit(r.next)) < base; advance(&r)) {
    any = true;
    if (__builtin_mul_overflow(value, (uint64_t)base, &value) || __builtin_add_overflow(value, (uint64_t)digit, &value)) overflow = true;
  }
  give(s, r.next);
  if (!any) return MISMATCH;
  if (spec->suppress) return SKIPPED;
  bool is_signed = c == 'd' || c == 'i';
  if (is_signed && (overflow || value > (uint64_t)INT64_MAX + negative))
    value = (uint64_t)INT64_MAX + negative;
  else if (overflow)
    value = UINT64_MAX, negative = false;
  store_integer(spec, negative ? 0 - value : value);
  return STORED;
}

enum { FLOAT_TEXT = 5000 }; /* digits of a floating constant that count; the rest are read and dropped */

struct float_text {
  struct reader r;
  char *bytes;
  size_t n;
};

static void keep(struct float_text *t) {
  if (t->n < FLOAT_TEXT) t->bytes[t->n++] = (char)t->r.next;
  advance(&t->r);
}

static bool keep_word(struct float_text *t, const char *word) {
  for (; *word; word++) {
    if (t->r.next == EOF || (t->r.next | 32) != *word) return false;
    keep(t);
  }
  return true;
}

static bool keep_digits(struct float_text *t, int base) {
  bool any = false;
  for (; t->r.next != EOF && hd_digit(t->r.next) < base; any = true) keep(t);
  return any;
}

/* Takes the longest text that may begin a floating constant; false if it is none. */
static bool collect_float(struct float_text *t) {
  if (t->r.next == '+' || t->r.next == '-') keep(t);
  if (t->r.next == EOF) return false;
  if ((t->r.next | 32) == 'n') return keep_word(t, "nan");
  if ((t->r.next | 32) == 'i') {
    if (!keep_word(t, "inf")) return false;
    return t->r.next == EOF || (t->r.next | 32) != 'i' || keep_word(t, "inity");
  }
  int base = 10;
  bool any = false;
  if (t->r.next == '0') {
    keep(t);
    any = true;
    if (t->r.next != EOF && (t->r.next | 32) == 'x') {
      keep(t);
      base = 16;
      any = false;
    }
  }
  any = keep_digits(t, base) || any;
  if (t->r.next == '.') {
    keep(t);
    any = keep_digits(t, base) || any;
  }
  if (!any) return false;
  if (t->r.next == EOF || (t->r.next | 32) != (base == 16 ? 'p' : 'e')) return true;
  keep(t);
  if (t->r.next == '+' || t->r.next == '-') keep(t);
  keep_digits(t, 10); /* "7e" and "7e+" are taken for 7, as glibc has it */
  return true;
}

static void store_float(const struct spec *spec, const char *text) {
  size_t used;
  if (spec->length == LENGTH_LONG_DOUBLE) {
    long double value;
    __hd_parse_long_double(text, &used, &value);
    *(long double *)spec->target = value;
  } else if (spec->length == LENGTH_LONG) {
    *(double *)spec->target = __hd_parse_double(text, &used);
  } else {
    *(float *)spec->target = __hd_parse_float(text, &used);
  }
}

static enum outcome scan_float(struct hd_source *s, const struct spec *spec) {
  char bytes[FLOAT_TEXT + 1];
  struct float_text text = {.r = reader_start(s, spec), .bytes = bytes};
  if (text.r.next == EOF) return INPUT_END;
  bool good = collect_float(&text);
  give(s, text.r.next);
  if (!good) return MISMATCH;
  bytes[text.n] = 0;
  if (spec->suppress) return SKIPPED;
  store_float(spec, bytes);
  return STORED;
}

static enum outcome scan_pointer(struct hd_source *s, struct spec *spec) {
  spec->length = LENGTH_LONG;
  skip_space(s);
  int c = take(s);
  if (c != '(') {
    give(s, c);
    return scan_integer(s, spec);
  }
  for (const char *rest = "nil)"; *rest; rest++)
    if ((c = take(s)) != *rest) {
      give(s, c);
      return MISMATCH;
    }
  if (spec->suppress) return SKIPPED;
  *(void **)spec->target = NULL;
  return STORED;
}

static enum outcome scan_conversion(struct hd_source *s, struct spec *spec) {
  bool wide = spec->length == LENGTH_LONG && hd_strchr("cs[", spec->conversion);
  if (wide || spec->conversion == 'C' || spec->conversion == 'S')
    __hd_unsupported("scanf", "conversions to wide characters are not modelled");
  switch (spec->conversion) {
    case 'n':
      if (!spec->suppress) store_integer(spec, s->count);
      return SKIPPED;
    case 'c':
    case '[':
      return scan_text(s, spec);
    case 's':
      skip_space(s);
      return scan_text(s, spec);
    case 'p':
      return scan_pointer(s, spec);
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      skip_space(s);
      return scan_integer(s, spec);
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      skip_space(s);
      return scan_float(s, spec);
    default:
      return MISMATCH;
  }
}

struct scan_arguments {
  va_list next, first;
};

/* All arguments are pointers, so the nth is found by counting. */
static void *scan_target(struct scan_arguments *arguments, int position) {
  if (!position) return va_arg(arguments->next, void *);
  va_list list;
  va_copy(list, arguments->first);
  void *target = NULL;
  while (position--) target = va_arg(list, void *);
  va_end(list);
  return target;
}

/* A character of the format that the input must repeat. */
static enum outcome scan_literal(struct hd_source *s, char expected) {
  int c = take(s);
  if (c == (unsigned char)expected) return SKIPPED;
  give(s, c);
  return c == EOF ? INPUT_END : MISMATCH;
}

int __hd_scan(struct hd_source *s, const char *format, va_list list) {
  struct scan_arguments arguments;
  va_copy(arguments.next, list);
  va_copy(arguments.first, list);
  int stored = 0;
  enum outcome outcome = SKIPPED;
  while (*format && outcome <= SKIPPED) {
    if (hd_isspace(*format)) {
      skip_space(s);
      format++;
    } else if (*format != '%') {
      outcome = scan_literal(s, *format++);
    } else if (format[1] == '%') {
      skip_space(s);
      outcome = scan_literal(s, '%');
      format += 2;
    } else {
      struct spec spec;
      int position;
      format = parse_spec(format + 1, &spec, &position);
      if (!spec.suppress) spec.target = scan_target(&arguments, position);
      outcome = scan_conversion(s, &spec);
      if (outcome == STORED) stored++;
    }
  }
  va_end(arguments.next);
  va_end(arguments.first);
  return outcome == INPUT_END && !stored ? EOF : stored;
}
