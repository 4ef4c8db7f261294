/* The printf family against the C library's: formats made at random, arguments of the right types. */
#include "models.h"

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat"

MODEL(snprintf);
MODEL(sprintf);
MODEL(asprintf);
MODEL(printf);
MODEL(dprintf);
MODEL(puts);
MODEL(setlocale);

enum { ROUNDS = 60000, SIZE = 4096 };

static char format[256];
static size_t format_length;

static void add(const char *text) {
  strcpy(format + format_length, text);
  format_length += strlen(text);
}

static void add_one_of(const char *letters) {
  char c[2] = {letters[below((unsigned)strlen(letters))], 0};
  add(c);
}

static void add_number(unsigned limit) {
  char digits[16];
  sprintf(digits, "%u", below(limit));
  add(digits);
}

/* "%[flags][width][.precision]"; `star`: '*' where a count may be. */
static unsigned start_conversion(const char *flags, unsigned width, unsigned precision) {
  format_length = 0;
  format[0] = 0;
  add_one_of("<|=");
  add("%");
  unsigned stars = 0;
  while (below(3) == 0) add_one_of(flags);
  if (below(2)) {
    if (below(8) == 0)
      add("*"), stars++;
    else if (below(8)) {
      char digits[16];
      sprintf(digits, "%u", 1 + below(width));
      add(digits);
    }
  }
  if (below(3) == 0) {
    add(".");
    if (below(8) == 0)
      add("*"), stars++;
    else if (below(5))
      add_number(precision);
  }
  return stars;
}

static char mine[SIZE], theirs[SIZE];

static void compare(int m, int n) {
  if (m != n || (n >= 0 && strcmp(mine, theirs))) fail_msg("format \"%s\": %d \"%s\", expected %d \"%s\"", format, m, mine, n, theirs);
}

/* With as many counts before the value as the format has stars. */
#define CHECK(stars, value)                                                                                                                \
  do {                                                                                                                                     \
    int first = (int)below(30) - 10, second = (int)below(20) - 3;                                                                          \
    if ((stars) == 0) compare(m_snprintf(mine, SIZE, format, value), snprintf(theirs, SIZE, format, value));                               \
    if ((stars) == 1) compare(m_snprintf(mine, SIZE, format, first, value), snprintf(theirs, SIZE, format, first, value));                 \
    if ((stars) == 2) compare(m_snprintf(mine, SIZE, format, first, second, value), snprintf(theirs, SIZE, format, first, second, value)); \
  } while (0)

static uint64_t interesting(void) {
  static const uint64_t values[] = {0, 1, 7, 8, 9, 10, 127, 128, 255, 256, 32767, 32768, 65535, INT_MAX, UINT_MAX, INT64_MAX, UINT64_MAX};
  uint64_t v = below(2) ? values[below(sizeof values / sizeof *values)] : draw() >> below(64);
  return below(2) ? v : 0 - v;
}

static void integers_print_alike(void **state) {
  (void)state;
  static const char *const lengths[] = {"", "hh", "h", "l", "ll", "j", "z", "t", "q"};
  for (int i = 0; i < ROUNDS; i++) {
    unsigned stars = start_conversion("-+ #0'", 40, 30), length = below(9);
    add(lengths[length]);
    add_one_of("diuoxXbB");
    add_one_of(">|=");
    uint64_t v = interesting();
    if (length < 3)
      CHECK(stars, (int)v);
    else
      CHECK(stars, v);
  }
}

static double random_double(void) {
  static const double values[] = {0, 1, 0.5, 1.5, 2.5, 10, 0.1, 123456789, 1e15, 1e16, 1e100, 1e-5, 1e-300, 5e-324, 1.7976931348623157e308};
  double v = values[below(sizeof values / sizeof *values)];
  if (below(3) == 0) {
    uint64_t bits = draw();
    memcpy(&v, &bits, sizeof v);
  }
  if (below(20) == 0) v = INFINITY;
  return below(2) ? v : -v;
}

static void floating_point_prints_alike(void **state) {
  (void)state;
  for (int i = 0; i < ROUNDS; i++) {
    unsigned stars = start_conversion("-+ #0", 40, 20);
    bool wide = below(3) == 0;
    if (wide) add("L");
    add_one_of("fFeEgGaA");
    double v = random_double();
    if (wide)
      CHECK(stars, (long double)v * 1.25L);
    else
      CHECK(stars, v);
  }
}

static void text_prints_alike(void **state) {
  (void)state;
  static const char *const texts[] = {"", "a", "text", "a longer piece of text", NULL};
  for (int i = 0; i < ROUNDS; i++) {
    unsigned stars = start_conversion("-", 30, 30);
    if (below(4)) {
      const char *text = texts[below(5)];
      add("s");
      CHECK(stars, text);
    } else if (below(2)) {
      void *pointer = (void *)(uintptr_t)(below(2) ? draw() : 0);
      add("p");
      CHECK(stars, pointer);
    } else {
      int c = (int)(1 + below(255));
      add("c");
      CHECK(stars, c);
    }
  }
}

static void short_buffers_hold_the_beginning(void **state) {
  (void)state;
  for (int i = 0; i < ROUNDS / 10; i++) {
    size_t size = below(30);
    memset(mine, '#', 64), memset(theirs, '#', 64);
    int n = snprintf(theirs, size, "%d:%s:%8.3f", (int)draw() & 0, "some text", 3.25);
    assert_int_equal(m_snprintf(mine, size, "%d:%s:%8.3f", 0, "some text", 3.25), n);
    assert_memory_equal(mine, theirs, 64);
  }
}

#define SAME(...)                                                                                                        \
  do {                                                                                                                   \
    int n = snprintf(theirs, SIZE, __VA_ARGS__), m;                                                                      \
    errno = m_errno = EINVAL;                                                                                            \
    m = m_snprintf(mine, SIZE, __VA_ARGS__);                                                                             \
    if (m != n || strcmp(mine, theirs)) fail_msg("%s: %d \"%s\", expected %d \"%s\"", #__VA_ARGS__, m, mine, n, theirs); \
  } while (0)

static void special_forms_print_alike(void **state) {
  (void)state;
  errno = m_errno = EINVAL;
  SAME("%%|%5%|%-5%|");
  SAME("%m");
  SAME("%2$s %1$d %2$s", 7, "seven");
  SAME("%3$*1$d|%3$-*1$d|%3$.*2$d|", 8, 4, 42);
  SAME("%1$d %3$f %2$s", 1, "two", 3.0);
  SAME("%2$Lf %1$hhd %3$lld", 300, 2.5L, 1ll << 40);
  SAME("%d%d%d%d%d%d%d%d%d%d%d%d %f%f%f%f%f%f%f%f%f%f", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.);
  SAME("%ls|%5lc|%-8ls|%.2ls", L"wide", (wint_t)'c', L"ab", L"abcd");
  SAME("%5000d", 3);
  SAME("%.4000f", 1.5);
  SAME("%s", "");
  SAME("no conversion at all");
  int n = 0;
  signed char c = 0;
  long l = 0;
  assert_int_equal(m_snprintf(mine, SIZE, "abc%n de%hhn f%ln", &n, &c, &l), 8);
  assert_int_equal(n, 3);
  assert_int_equal(c, 6);
  assert_int_equal(l, 8);
}

static void wide_text_follows_the_locale(void **state) {
  (void)state;
  assert_int_equal(m_snprintf(mine, SIZE, "%ls", L"\u00e9"), -1);
  assert_int_equal(m_errno, EILSEQ);
  assert_non_null(setlocale(LC_ALL, "C.UTF-8"));
  assert_non_null(m_setlocale(LC_ALL, "C.UTF-8"));
  SAME("%ls|%8ls|%.3ls|%lc", L"\u00e9\u20ac\U0001f600", L"\u00e9", L"a\u20ac", (wint_t)0x20ac);
  setlocale(LC_ALL, "C");
  m_setlocale(LC_ALL, "C");
}

static void too_long_output_is_an_error(void **state) {
  (void)state;
  m_errno = 0;
  assert_int_equal(m_snprintf(mine, SIZE, "%2147483647d%d", 1, 1), -1);
  assert_int_equal(m_errno, EOVERFLOW);
}

static void output_comes_in_one_piece(void **state) {
  (void)state;
  shim_reset();
  shim.output_calls = 0;
  assert_int_equal(m_printf("%s %d %5.2f\n", "hello", 42, 1.5), 15);
  assert_int_equal(shim.output_calls, 1);
  assert_int_equal(m_puts("line"), 5);
  assert_int_equal(shim.output_calls, 2);
  assert_int_equal(m_dprintf(2, "%d", 17), 2);
  assert_string_equal(shim.output[1], "hello 42  1.50\nline\n");
  assert_string_equal(shim.output[2], "17");
}

static void allocated_output_grows(void **state) {
  (void)state;
  char *text;
  for (int width = 1; width < 2000; width = width * 3 / 2 + 1) {
    assert_int_equal(m_asprintf(&text, "%*d", width, 7), width);
    assert_int_equal(strlen(text), width);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_print_alike),        cmocka_unit_test(floating_point_prints_alike),
      cmocka_unit_test(text_prints_alike),           cmocka_unit_test(short_buffers_hold_the_beginning),
      cmocka_unit_test(special_forms_print_alike),   cmocka_unit_test(wide_text_follows_the_locale),
      cmocka_unit_test(too_long_output_is_an_error), cmocka_unit_test(output_comes_in_one_piece),
      cmocka_unit_test(allocated_output_grows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
