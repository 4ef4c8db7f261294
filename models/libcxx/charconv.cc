/* Floating-point std::to_chars and std::from_chars, over printf's and strtod's conversions. */
#include <charconv>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>

namespace {

using std::chars_format;
using std::errc;
using std::from_chars_result;
using std::to_chars_result;

float parse(const char *text, char **end, float) { return strtof(text, end); }
double parse(const char *text, char **end, double) { return strtod(text, end); }
long double parse(const char *text, char **end, long double) { return strtold(text, end); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
bool is_hex(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

/* Skips "word" in any case. */
bool skip_word(const char *&at, const char *last, const char *word) {
  size_t n = strlen(word);
  if (static_cast<size_t>(last - at) < n || strncasecmp(at, word, n) != 0) return false;
  at += n;
  return true;
}

/* Skips what follows a mantissa: [marker][sign]digits. False: there is no exponent. */
bool skip_exponent(const char *&at, const char *last, char marker) {
  const char *p = at;
  if (p == last || (*p | 0x20) != marker) return false;
  p++;
  if (p != last && (*p == '+' || *p == '-')) p++;
  if (p == last || !is_digit(*p)) return false;
  while (p != last && is_digit(*p)) p++;
  at = p;
  return true;
}

/* The end of the number that starts at `at` behind its sign; `at` itself if there is none. */
const char *end_of_number(const char *at, const char *last, chars_format format) {
  const char *const start = at;
  if (skip_word(at, last, "inf")) {
    skip_word(at, last, "inity");
    return at;
  }
  if (skip_word(at, last, "nan")) {
    const char *p = at;
    if (p == last || *p != '(') return at;
    for (p++; p != last && (is_digit(*p) || is_letter(*p) || *p == '_'); p++) {
    }
    return p != last && *p == ')' ? p + 1 : at;
  }
  const bool hex = format == chars_format::hex;
  auto digits = [&] {
    const char *from = at;
    while (at != last && (hex ? is_hex(*at) : is_digit(*at))) at++;
    return at != from;
  };
  bool some = digits();
  if (at != last && *at == '.') {
    const char *point = at++;
    if (!digits() && !some) return start;
    some = true;
    if (at == point + 1 && !some) at = point;
  }
  if (!some) return start;
  if (format == chars_format::fixed) return at;
  bool has_exponent = skip_exponent(at, last, hex ? 'p' : 'e');
  return format == chars_format::scientific && !has_exponent ? start : at;
}

template <class T>
from_chars_result read(const char *first, const char *last, T &value, chars_format format) {
  const char *at = first;
  bool negative = at != last && *at == '-';
  if (negative) at++;
  const char *end = end_of_number(at, last, format);
  if (end == at) return {first, errc::invalid_argument};
  std::string text = negative ? "-" : "";
  if (format == chars_format::hex && (is_hex(*at) || *at == '.')) text += "0x";
  text.append(at, end);
  int before = errno;
  errno = 0;
  T parsed = parse(text.c_str(), nullptr, T());
  bool out_of_range = errno == ERANGE && (parsed == 0 || isinf(parsed));
  errno = before;
  if (out_of_range) return {end, errc::result_out_of_range};
  value = parsed;
  return {end, errc()};
}

/* printf's conversion of one number. */
template <class T>
std::string print(char conversion, int precision, T value) {
  char format[8];
  char *f = format;
  *f++ = '%';
  if (precision >= 0) *f++ = '.', *f++ = '*';
  if (sizeof(T) == sizeof(long double)) *f++ = 'L';
  *f++ = conversion;
  *f = '\0';
  auto into = [&](char *to, size_t n) {
    if constexpr (sizeof(T) == sizeof(long double))
      return precision >= 0 ? snprintf(to, n, format, precision, value) : snprintf(to, n, format, value);
    else
      return precision >= 0 ? snprintf(to, n, format, precision, static_cast<double>(value))
                            : snprintf(to, n, format, static_cast<double>(value));
  };
  std::string text(static_cast<size_t>(into(nullptr, 0)), '\0');
  into(text.data(), text.size() + 1);
  return text;
}

to_chars_result put(char *first, char *last, const std::string &text) {
  if (static_cast<size_t>(last - first) < text.size()) return {last, errc::value_too_large};
  memcpy(first, text.data(), text.size());
  return {first + text.size(), errc()};
}

/* Hexadecimal numbers go without their prefix. */
std::string without_prefix(std::string text) {
  size_t at = text.find("0x");
  if (at != std::string::npos) text.erase(at, 2);
  return text;
}

/* The fewest digits in scientific notation that read back as the value. */
template <class T>
std::string shortest_scientific(T value, int *decimals) {
  for (int precision = 0;; precision++) {
    std::string text = print('e', precision, value);
    *decimals = precision;
    if (precision > 40 || parse(text.c_str(), nullptr, T()) == value) return text;
  }
}

template <class T>
std::string shortest(T value, chars_format format) {
  if (format == chars_format::hex) return without_prefix(print('a', -1, value));
  int decimals;
  std::string scientific = shortest_scientific(value, &decimals);
  if (format == chars_format::scientific) return scientific;
  int exponent = atoi(scientific.c_str() + scientific.find('e') + 1);
  std::string fixed = print('f', decimals > exponent ? decimals - exponent : 0, value);
  if (format == chars_format::fixed) return fixed;
  if (format == chars_format::general) return exponent >= -4 && exponent < 6 ? fixed : scientific;
  return fixed.size() <= scientific.size() ? fixed : scientific;
}

template <class T>
to_chars_result write(char *first, char *last, T value, chars_format format) {
  if (!isfinite(value)) return put(first, last, print('g', -1, value));
  return put(first, last, shortest(value, format));
}

template <class T>
to_chars_result write(char *first, char *last, T value, chars_format format, int precision) {
  if (precision < 0) return write(first, last, value, format);
  const char conversion = format == chars_format::hex          ? 'a'
                          : format == chars_format::fixed      ? 'f'
                          : format == chars_format::scientific ? 'e'
                                                               : 'g';
  std::string text = print(conversion, precision, value);
  return put(first, last, format == chars_format::hex ? without_prefix(text) : text);
}

}  // namespace

namespace std {

#define CONVERSIONS(T)                                                                                                                   \
  to_chars_result to_chars(char *first, char *last, T value) noexcept { return write(first, last, value, chars_format{}); }              \
  to_chars_result to_chars(char *first, char *last, T value, chars_format format) noexcept { return write(first, last, value, format); } \
  to_chars_result to_chars(char *first, char *last, T value, chars_format format, int precision) noexcept {                              \
    return write(first, last, value, format, precision);                                                                                 \
  }                                                                                                                                      \
  from_chars_result from_chars(const char *first, const char *last, T &value, chars_format format) noexcept {                            \
    return read(first, last, value, format);                                                                                             \
  }
CONVERSIONS(float)
CONVERSIONS(double)
CONVERSIONS(long double)

}  // namespace std
