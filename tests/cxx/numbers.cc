// <charconv> with floating-point numbers, in every format.
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <initializer_list>

using std::chars_format;

static char buffer[8192];
static void show(std::to_chars_result r) {
  if (r.ec != std::errc()) {
    std::printf("error ");
    return;
  }
  std::printf("%.*s ", static_cast<int>(r.ptr - buffer), buffer);
}

template <class T>
static void print_all(T value) {
  char *end = buffer + sizeof buffer;
  show(std::to_chars(buffer, end, value));
  show(std::to_chars(buffer, buffer + 4, value));
  for (chars_format format : {chars_format::general, chars_format::fixed, chars_format::scientific, chars_format::hex}) {
    if (format == chars_format::hex && sizeof(T) > 8) continue; /* libstdc++ 12 scales the leading digit its own way */
    show(std::to_chars(buffer, end, value, format));
    show(std::to_chars(buffer, end, value, format, 4));
  }
  std::printf("\n");
}

template <class T>
static void parse_all(const char *text) {
  for (chars_format format : {chars_format::general, chars_format::fixed, chars_format::scientific, chars_format::hex}) {
    T value = -7;
    auto r = std::from_chars(text, text + std::strlen(text), value, format);
    std::printf("%Lg %d %ld; ", static_cast<long double>(value), static_cast<int>(r.ec), static_cast<long>(r.ptr - text));
  }
  std::printf("\n");
}

int main() {
  for (double d : {0.0, -0.0, 1.0, 0.1, -2.5, 100000.0, 1000000.0, 123456789.0, 1e15, 1e16, 1e17, 1e21, 1e22, 12345678901234567890.0, 1.0 / 3, 1e-4,
                   1e-5, 123e-7, 5e-324, 1.7976931348623157e308, 9007199254740993.0, 299792458.0, 6.02214076e23, 0.3, 4.35, -1e100}) {
    print_all(d);
    print_all(static_cast<float>(d));
    print_all(static_cast<long double>(d));
  }
  print_all(INFINITY);
  print_all(-NAN);
  for (const char *text : {"1", "-1.5", "+1", " 1", "1.", ".5", ".", "-", "", "1e5", "1e", "1e+", "1e-3x", "1e999", "-1e-999", "inf", "-INFINITY", "infin", "nan", "nan(12)x",
                           "nan(", "0x10", "1p3", "ff.8p-1", "fp", "e5", "123456789012345678901234567890", "3.4028236e38", "1.5e3.2"}) {
    std::printf("%s: ", text);
    parse_all<double>(text);
    parse_all<float>(text);
    parse_all<long double>(text);
  }
}
