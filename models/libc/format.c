/* The printf family's engine: one pass over the format, one argument at a time, bytes to a sink. Integers and text are formatted here,
 * floating point by the host. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <wchar.h>

#include "internal.h"

void __hd_sink_put(struct hd_sink *sink, const char *bytes, size_t n) {
  sink->total += n;
  while (n) {
    size_t room = sink->size - sink->used, part = n < room ? n : room;
    __builtin_memcpy(sink->buffer + sink->used, bytes, part);
    sink->used += part;
    bytes += part;
    n -= part;
    if (!n) return;
    if (!sink->drain) return;
    if (!sink->drain(sink)) {
      sink->failed = true;
      return;
    }
  }
}

void __hd_sink_pad(struct hd_sink *sink, char c, size_t n) {
  char block[32];
  __builtin_memset(block, c, sizeof block);
  for (; n > sizeof block; n -= sizeof block) __hd_sink_put(sink, block, sizeof block);
  __hd_sink_put(sink, block, n);
}

enum { FLAG_LEFT = 1, FLAG_PLUS = 2, FLAG_SPACE = 4, FLAG_ALTERNATE = 8, FLAG_ZERO = 16, FLAG_GROUP = 32 };
enum length { LENGTH_INT, LENGTH_CHAR, LENGTH_SHORT, LENGTH_LONG, LENGTH_LONG_DOUBLE };

/* One conversion. Arguments are positions from 1 where the format numbers them, 0 for "the next one", -1 for none. */
struct spec {
  const char *start;
  unsigned flags;
  int width, precision; /* precision -1: none */
  int width_argument, precision_argument, argument;
  enum length length;
  char conversion;
};

/* A positive decimal number; saturates at INT_MAX. */
static int parse_count(const char **s) {
  int value = 0;
  for (; hd_isdigit(**s); ++*s)
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, **s - '0', &value)) value = INT_MAX;
  return value;
}

/* "12$": 12; anything else: 0, and nothing is consumed. */
static int parse_position(const char **s) {
  const char *p = *s;
  if (!hd_isdigit(*p)) return 0;
  int n = parse_count(&p);
  if (*p != '$') return 0;
  *s = p + 1;
  return n;
}

static unsigned flag_of(char c) {
  switch (c) {
    case '-':
      return FLAG_LEFT;
    case '+':
      return FLAG_PLUS;
    case ' ':
      return FLAG_SPACE;
    case '#':
      return FLAG_ALTERNATE;
    case '0':
      return FLAG_ZERO;
    case '\'':
    case 'I':
      return FLAG_GROUP;
    default:
      return 0;
  }
}

static enum length parse_length(const char **s) {
  char c = **s;
  bool twice = c && (*s)[1] == c;
  switch (c) {
    case 'h':
      *s += twice ? 2 : 1;
      return twice ? LENGTH_CHAR : LENGTH_SHORT;
    case 'l':
      *s += twice ? 2 : 1;
      return LENGTH_LONG;
    case 'j':
    case 'z':
    case 'Z':
    case 't':
      ++*s;
      return LENGTH_LONG;
    case 'q':
      ++*s;
      return LENGTH_LONG;
    case 'L':
      ++*s;
      return LENGTH_LONG_DOUBLE;
    default:
      return LENGTH_INT;
  }
}

/* `s` is behind the '%'; returns what follows the conversion. */
static const char *parse_spec(const char *s, struct spec *spec) {
  *spec = (struct spec){.start = s - 1, .precision = -1, .width_argument = -1, .precision_argument = -1};
  spec->argument = parse_position(&s);
  for (unsigned flag; (flag = flag_of(*s)); s++) spec->flags |= flag;
  if (*s == '*') {
    s++;
    spec->width_argument = parse_position(&s);
  } else {
    spec->width = parse_count(&s);
  }
  if (*s == '.') {
    s++;
    if (*s == '*') {
      s++;
      spec->precision_argument = parse_position(&s);
    } else {
      spec->precision = *s == '-' ? (s++, parse_count(&s), -1) : parse_count(&s);
    }
  }
  spec->length = parse_length(&s);
  spec->conversion = *s;
  if (spec->conversion == 'C' || spec->conversion == 'S') spec->conversion += 32, spec->length = LENGTH_LONG;
  return *s ? s + 1 : s;
}

union argument {
  uint64_t integer;
  const void *pointer;
  double number;
  long double long_number;
};

enum kind { KIND_NONE, KIND_INT, KIND_LONG, KIND_POINTER, KIND_DOUBLE, KIND_LONG_DOUBLE };

static enum kind kind_of(const struct spec *spec) {
  switch (spec->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B':
      return spec->length == LENGTH_LONG || spec->length == LENGTH_LONG_DOUBLE ? KIND_LONG : KIND_INT;
    case 'c':
      return KIND_INT;
    case 's':
    case 'p':
    case 'n':
      return KIND_POINTER;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return spec->length == LENGTH_LONG_DOUBLE ? KIND_LONG_DOUBLE : KIND_DOUBLE;
    default:
      return KIND_NONE;
  }
}

struct arguments {
  va_list list;
  union argument *numbered; /* NULL: in sequence */
  int count;
};

static union argument fetch(struct arguments *from, enum kind kind) {
  union argument value = {0};
  switch (kind) {
    case KIND_NONE:
      break;
    case KIND_INT:
      value.integer = (uint64_t)(int64_t)va_arg(from->list, int);
      break;
    case KIND_LONG:
      value.integer = va_arg(from->list, uint64_t);
      break;
    case KIND_POINTER:
      value.pointer = va_arg(from->list, void *);
      break;
    case KIND_DOUBLE:
      value.number = va_arg(from->list, double);
      break;
    case KIND_LONG_DOUBLE:
      value.long_number = va_arg(from->list, long double);
      break;
  }
  return value;
}

static union argument take(struct arguments *from, int position, enum kind kind) {
  if (!from->numbered) return fetch(from, kind);
  return position > 0 && position <= from->count ? from->numbered[position - 1] : (union argument){0};
}

/* The highest argument number of a format; 0 if it numbers none. */
static int count_numbered(const char *format) {
  int highest = 0;
  for (; (format = hd_strchr(format, '%'));) {
    struct spec spec;
    format = parse_spec(format + 1, &spec);
    if (spec.argument > highest) highest = spec.argument;
    if (spec.width_argument > highest) highest = spec.width_argument;
    if (spec.precision_argument > highest) highest = spec.precision_argument;
  }
  return highest;
}

/* Reads all arguments of a format that numbers them, in their order. A gap is taken for an int, as its type is unknown. */
static void read_numbered(struct arguments *arguments, const char *format, unsigned char *kinds) {
  __builtin_memset(kinds, KIND_INT, (size_t)arguments->count);
  for (; (format = hd_strchr(format, '%'));) {
    struct spec spec;
    format = parse_spec(format + 1, &spec);
    enum kind kind = kind_of(&spec);
    if (spec.argument > 0 && kind != KIND_NONE) kinds[spec.argument - 1] = (unsigned char)kind;
  }
  for (int i = 0; i < arguments->count; i++) arguments->numbered[i] = fetch(arguments, (enum kind)kinds[i]);
}

static size_t padding(const struct spec *spec, size_t length) { return (size_t)spec->width > length ? (size_t)spec->width - length : 0; }

/* Text in a field. */
static void put_field(struct hd_sink *sink, const struct spec *spec, const char *text, size_t n) {
  size_t pad = padding(spec, n);
  if (!(spec->flags & FLAG_LEFT)) __hd_sink_pad(sink, ' ', pad);
  __hd_sink_put(sink, text, n);
  if (spec->flags & FLAG_LEFT) __hd_sink_pad(sink, ' ', pad);
}

/* Digits of `value` before `end`, the last digit first; none for 0. */
static char *digits_before(char *end, uint64_t value, unsigned base, bool upper) {
  const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  for (; value; value /= base) *--end = digits[value % base];
  return end;
}

/* [spaces] prefix [zeros] digits [spaces] */
static void put_integer(struct hd_sink *sink, const struct spec *spec, uint64_t value, unsigned base, const char *prefix) {
  char digits[64], *end = digits + sizeof digits, *start = digits_before(end, value, base, spec->conversion == 'X');
  size_t n = (size_t)(end - start), zeros = 0, minimum = spec->precision < 0 ? 1 : (size_t)spec->precision;
  if (n < minimum) zeros = minimum - n;
  if (spec->conversion == 'o' && spec->flags & FLAG_ALTERNATE && !zeros && (!n || *start != '0')) zeros = 1;
  size_t prefix_length = hd_strlen(prefix), length = prefix_length + zeros + n, pad = padding(spec, length);
  if (spec->flags & FLAG_ZERO && !(spec->flags & FLAG_LEFT) && spec->precision < 0) zeros += pad, pad = 0;
  if (!(spec->flags & FLAG_LEFT)) __hd_sink_pad(sink, ' ', pad);
  __hd_sink_put(sink, prefix, prefix_length);
  if (zeros) __hd_sink_pad(sink, '0', zeros);
  __hd_sink_put(sink, start, n);
  if (spec->flags & FLAG_LEFT) __hd_sink_pad(sink, ' ', pad);
}

static uint64_t narrow(uint64_t value, enum length length, bool is_signed) {
  switch (length) {
    case LENGTH_CHAR:
      return is_signed ? (uint64_t)(int64_t)(int8_t)value : (uint8_t)value;
    case LENGTH_SHORT:
      return is_signed ? (uint64_t)(int64_t)(int16_t)value : (uint16_t)value;
    case LENGTH_INT:
      return is_signed ? (uint64_t)(int64_t)(int32_t)value : (uint32_t)value;
    case LENGTH_LONG:
    case LENGTH_LONG_DOUBLE:
      return value;
  }
  return value;
}

static void put_signed(struct hd_sink *sink, const struct spec *spec, uint64_t raw) {
  int64_t value = (int64_t)narrow(raw, spec->length, true);
  const char *sign = value < 0 ? "-" : spec->flags & FLAG_PLUS ? "+" : spec->flags & FLAG_SPACE ? " " : "";
  put_integer(sink, spec, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 10, sign);
}

static void put_unsigned(struct hd_sink *sink, const struct spec *spec, uint64_t raw, unsigned base) {
  uint64_t value = narrow(raw, spec->length, false);
  char prefix[3] = {'0', spec->conversion, 0};
  bool prefixed = spec->flags & FLAG_ALTERNATE && value && (base == 16 || base == 2);
  put_integer(sink, spec, value, base, prefixed ? prefix : "");
}

static void put_pointer(struct hd_sink *sink, const struct spec *spec, const void *pointer) {
  struct spec own = *spec;
  own.conversion = 'x';
  const char *prefix = spec->flags & FLAG_PLUS ? "+0x" : spec->flags & FLAG_SPACE ? " 0x" : "0x";
  if (pointer)
    put_integer(sink, &own, (uint64_t)pointer, 16, prefix);
  else
    put_field(sink, spec, "(nil)", 5);
}

extern bool __hd_utf8; /* locale.c */

/* The bytes of a wide character; 0 if the locale has none for it. */
static size_t encode(char *to, wchar_t wide) {
  uint32_t c = (uint32_t)wide;
  if (c < 0x80) return to[0] = (char)c, 1;
  if (!__hd_utf8 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return 0;
  size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t i = n; --i; c >>= 6) to[i] = (char)(0x80 | (c & 0x3f));
  to[0] = (char)((0xf00 >> n) | c);
  return n;
}

static bool put_wide(struct hd_sink *sink, const struct spec *spec, const wchar_t *text) {
  size_t limit = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision, length = 0, count = 0;
  char bytes[4];
  for (; length < limit && text[count]; count++) {
    size_t n = encode(bytes, text[count]);
    if (!n) {
      HD_ERRNO = EILSEQ;
      return false;
    }
    if (n > limit - length) break;
    length += n;
  }
  size_t pad = padding(spec, length);
  if (!(spec->flags & FLAG_LEFT)) __hd_sink_pad(sink, ' ', pad);
  for (size_t i = 0; i < count; i++) __hd_sink_put(sink, bytes, encode(bytes, text[i]));
  if (spec->flags & FLAG_LEFT) __hd_sink_pad(sink, ' ', pad);
  return true;
}

static void put_text(struct hd_sink *sink, const struct spec *spec, const char *text) {
  if (!text) text = spec->precision >= 0 && spec->precision < 6 ? "" : "(null)";
  put_field(sink, spec, text, spec->precision < 0 ? hd_strlen(text) : hd_strnlen(text, (size_t)spec->precision));
}

static bool put_character(struct hd_sink *sink, const struct spec *spec, uint64_t value) {
  char bytes[4] = {(char)value};
  size_t n = 1;
  if (spec->length == LENGTH_LONG) n = encode(bytes, (wchar_t)value);
  if (!n)
    HD_ERRNO = EILSEQ;
  else
    put_field(sink, spec, bytes, n);
  return n;
}

/* The spec as text, with width and precision spelt out: what the host formats. */
static void spell(char *to, const struct spec *spec) {
  static const char flags[] = "-+ #0";
  *to++ = '%';
  for (int i = 0; i < 5; i++)
    if (spec->flags >> i & 1) *to++ = flags[i];
  char digits[20], *end = digits + sizeof digits;
  for (char *d = digits_before(end, (uint64_t)spec->width, 10, false); d < end;) *to++ = *d++;
  if (spec->precision >= 0) {
    *to++ = '.';
    for (char *d = digits_before(end, (uint64_t)spec->precision, 10, false); d < end;) *to++ = *d++;
  }
  if (spec->length == LENGTH_LONG_DOUBLE) *to++ = 'L';
  *to++ = spec->conversion;
  *to = 0;
}

static int format_number(char *to, size_t size, const char *text, const struct spec *spec, const union argument *value) {
  if (spec->length != LENGTH_LONG_DOUBLE) return __hd_format_double(to, size, text, value->number);
  long double number = value->long_number;
  return __hd_format_long_double(to, size, text, &number);
}

static bool put_number(struct hd_sink *sink, const struct spec *spec, const union argument *value) {
  char text[48], small[128];
  spell(text, spec);
  int n = format_number(small, sizeof small, text, spec, value);
  if (n < 0) return false;
  char *bytes = small;
  if ((size_t)n >= sizeof small) {
    bytes = __builtin_alloca((size_t)n + 1);
    format_number(bytes, (size_t)n + 1, text, spec, value);
  }
  __hd_sink_put(sink, bytes, (size_t)n);
  return true;
}

static void store_count(const struct spec *spec, const void *target, size_t count) {
  void *to = (void *)target;
  switch (spec->length) {
    case LENGTH_CHAR:
      *(signed char *)to = (signed char)count;
      break;
    case LENGTH_SHORT:
      *(short *)to = (short)count;
      break;
    case LENGTH_INT:
      *(int *)to = (int)count;
      break;
    case LENGTH_LONG:
    case LENGTH_LONG_DOUBLE:
      *(long *)to = (long)count;
      break;
  }
}

static bool put_conversion(struct hd_sink *sink, const struct spec *spec, union argument value, int saved_errno) {
  switch (spec->conversion) {
    case 'd':
    case 'i':
      put_signed(sink, spec, value.integer);
      return true;
    case 'u':
      put_unsigned(sink, spec, value.integer, 10);
      return true;
    case 'o':
      put_unsigned(sink, spec, value.integer, 8);
      return true;
    case 'x':
    case 'X':
      put_unsigned(sink, spec, value.integer, 16);
      return true;
    case 'b':
    case 'B':
      put_unsigned(sink, spec, value.integer, 2);
      return true;
    case 'p':
      put_pointer(sink, spec, value.pointer);
      return true;
    case 'c':
      return put_character(sink, spec, value.integer);
    case 's':
      if (spec->length == LENGTH_LONG && value.pointer) return put_wide(sink, spec, value.pointer);
      put_text(sink, spec, value.pointer);
      return true;
    case 'n':
      store_count(spec, value.pointer, sink->total);
      return true;
    case 'm': {
      extern char *strerror(int);
      put_text(sink, spec, strerror(saved_errno));
      return true;
    }
    case '%':
      __hd_sink_put(sink, "%", 1);
      return true;
    default:
      return put_number(sink, spec, &value);
  }
}

static bool known_conversion(char c) { return c && hd_strchr("diuoxXbBpcsnm%aAeEfFgG", c); }

static void apply_counts(struct spec *spec, struct arguments *arguments) {
  if (spec->width_argument >= 0) {
    int width = (int)take(arguments, spec->width_argument, KIND_INT).integer;
    if (width < 0) spec->flags |= FLAG_LEFT;
    spec->width = width < 0 ? (int)(0u - (unsigned)width) : width;
  }
  if (spec->precision_argument >= 0) {
    int precision = (int)take(arguments, spec->precision_argument, KIND_INT).integer;
    spec->precision = precision < 0 ? -1 : precision;
  }
}

static bool format_all(struct hd_sink *sink, const char *format, struct arguments *arguments, int saved_errno) {
  while (*format) {
    const char *text = format;
    while (*format && *format != '%') format++;
    if (format != text) __hd_sink_put(sink, text, (size_t)(format - text));
    if (!*format) return true;
    struct spec spec;
    format = parse_spec(format + 1, &spec);
    if (!spec.conversion) {
      HD_ERRNO = EINVAL;
      return false;
    }
    apply_counts(&spec, arguments);
    if (spec.width == INT_MAX || spec.precision == INT_MAX) {
      HD_ERRNO = EOVERFLOW;
      return false;
    }
    if (!known_conversion(spec.conversion)) { /* as it stands */
      __hd_sink_put(sink, spec.start, (size_t)(format - spec.start));
      continue;
    }
    enum kind kind = kind_of(&spec);
    union argument value = {0};
    if (kind != KIND_NONE) value = take(arguments, spec.argument, kind);
    if (!put_conversion(sink, &spec, value, saved_errno)) return false;
  }
  return true;
}

int __hd_format(struct hd_sink *sink, const char *format, va_list list) {
  struct arguments arguments = {.numbered = NULL, .count = count_numbered(format)};
  int saved_errno = HD_ERRNO;
  va_copy(arguments.list, list);
  if (arguments.count) {
    union argument *numbered = __builtin_alloca(sizeof *numbered * (size_t)arguments.count);
    unsigned char *kinds = __builtin_alloca((size_t)arguments.count);
    arguments.numbered = numbered;
    read_numbered(&arguments, format, kinds);
  }
  bool good = format_all(sink, format, &arguments, saved_errno);
  va_end(arguments.list);
  if (sink->drain && sink->used && !sink->drain(sink)) sink->failed = true;
  if (good && sink->total > INT_MAX) {
    HD_ERRNO = EOVERFLOW;
    good = false;
  }
  return good && !sink->failed ? (int)sink->total : -1;
}
