/* Floating point as circuits: small formats against exact arithmetic, all operands; those of programs against the host's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../leaks.h"
#include "base/hash.h"
#include "value/real_words.h"

static struct gates g;

static int begin(void **state) {
  (void)state;
  gates_init(&g);
  return 0;
}

static int end(void **state) {
  gates_release(&g);
  return nothing_is_leaked(state);
}

/* Of constants, a circuit is constants. */
static void put(struct lit *out, unsigned width, uint64_t x) {
  for (unsigned i = 0; i < width; i++) out[i] = lit_of(x >> i & 1);
}

static uint64_t number(const struct lit *a, unsigned width) {
  uint64_t x = 0;
  for (unsigned i = 0; i < width; i++) {
    assert_true(lit_is_constant(a[i]));
    x |= (uint64_t)lit_equal(a[i], LIT_TRUE) << i;
  }
  return x;
}

typedef void binary_fn(struct gates *, struct real_format, const struct lit *, const struct lit *, struct lit *);

static uint64_t of_two(binary_fn *f, struct real_format format, uint64_t x, uint64_t y) {
  struct lit a[64] = {0}, b[64] = {0}, out[64];
  put(a, real_width(format), x), put(b, real_width(format), y);
  f(&g, format, a, b, out);
  return number(out, real_width(format));
}

static uint64_t rooted(struct real_format format, uint64_t x) {
  struct lit a[64] = {0}, out[64];
  put(a, real_width(format), x);
  real_word_root(&g, format, a, out);
  return number(out, real_width(format));
}

static uint64_t rounded(struct real_format format, enum real_mode mode, uint64_t x) {
  struct lit a[64] = {0}, out[64];
  put(a, real_width(format), x);
  real_word_round(&g, format, mode, a, out);
  return number(out, real_width(format));
}

static uint64_t converted(struct real_format from, struct real_format to, uint64_t x) {
  struct lit a[64] = {0}, out[64];
  put(a, real_width(from), x);
  real_word_convert(&g, from, to, a, out);
  return number(out, real_width(to));
}

static uint64_t to_signed(struct real_format format, uint64_t x, unsigned width) {
  struct lit a[64] = {0}, out[64];
  put(a, real_width(format), x);
  real_word_to_signed(&g, format, a, width, out);
  return number(out, width);
}

static uint64_t from_integer(struct real_format format, bool is_signed, uint64_t x, unsigned width) {
  struct lit a[64] = {0}, out[64];
  put(a, width, x);
  real_word_from_integer(&g, format, is_signed, width, a, out);
  return number(out, real_width(format));
}

/* --- small formats: a number is a fraction, rounded by looking at all numbers of the format --- */

static const struct real_format formats[] = {{3, 2}, {3, 3}, {3, 4}, {3, 5}, {4, 3}};

static bool is_nan(struct real_format f, uint64_t x) {
  return (x & ((1u << (real_width(f) - 1)) - 1)) > ((1u << f.exponent) - 1) << (f.significand - 1);
}
static bool is_infinite(struct real_format f, uint64_t x) {
  return (x & ((1u << (real_width(f) - 1)) - 1)) == ((1u << f.exponent) - 1) << (f.significand - 1);
}
static bool is_negative(struct real_format f, uint64_t x) { return x >> (real_width(f) - 1) & 1; }

/* What it is worth in a double, which holds it. Infinity counts as the number that would come next. */
static double worth(struct real_format f, uint64_t x) {
  unsigned s = f.significand, field = (unsigned)(x >> (s - 1)) & ((1u << f.exponent) - 1);
  uint64_t fraction = x & ((1u << (s - 1)) - 1);
  double d = ldexp((double)(field ? fraction | 1u << (s - 1) : fraction), (int)(field ? field : 1) - (int)real_bias(f) - (int)s + 1);
  return is_negative(f, x) ? -d : d;
}

static uint64_t nan_of(struct real_format f) {
  return (uint64_t)1 << (real_width(f) - 1) | (uint64_t)((1u << (f.exponent + 1)) - 1) << (f.significand - 2);
}

/* How far x is from the exact result: less than 0, 0, greater. */
typedef int compare_fn(double x, const void *exact);

/* The nearest number to the exact one, which has the sign `negative`. */
static uint64_t nearest(struct real_format f, bool negative, compare_fn *compare, const void *exact) {
  uint64_t sign = (uint64_t)negative << (real_width(f) - 1), x = 0, infinity = ((1u << f.exponent) - 1) << (f.significand - 1);
  while (x < infinity && compare(worth(f, x + 1), exact) <= 0) x++; /* the largest one that is not above */
  if (x == infinity || compare(worth(f, x), exact) == 0) return sign | x;
  int half = compare((worth(f, x) + worth(f, x + 1)) / 2, exact);
  return sign | (half < 0 ? x + 1 : half > 0 ? x : x + (x & 1));
}

static int sign_of(double d) { return (d > 0) - (d < 0); }
static int compare_number(double x, const void *exact) { return sign_of(x - *(const double *)exact); }
static int compare_quotient(double x, const void *exact) { return sign_of(x * ((const double *)exact)[1] - ((const double *)exact)[0]); }
static int compare_root(double x, const void *exact) { return sign_of(x * x - *(const double *)exact); }

static uint64_t expected_sum(struct real_format f, uint64_t x, uint64_t y) {
  bool p = is_infinite(f, x), q = is_infinite(f, y);
  if (is_nan(f, x) || is_nan(f, y) || (p && q && x != y)) return nan_of(f);
  if (p || q) return p ? x : y;
  double sum = worth(f, x) + worth(f, y), size = fabs(sum);
  return nearest(f, sum < 0 || (sum == 0 && is_negative(f, x) && is_negative(f, y)), compare_number, &size);
}

static uint64_t expected_product(struct real_format f, uint64_t x, uint64_t y) {
  bool negative = is_negative(f, x) != is_negative(f, y), infinite = is_infinite(f, x) || is_infinite(f, y);
  double size = fabs(worth(f, x) * worth(f, y)), huge = 1e30;
  if (is_nan(f, x) || is_nan(f, y) || (infinite && size == 0)) return nan_of(f);
  return nearest(f, negative, compare_number, infinite ? &huge : &size);
}

static uint64_t expected_quotient(struct real_format f, uint64_t x, uint64_t y) {
  bool negative = is_negative(f, x) != is_negative(f, y), p = is_infinite(f, x), q = is_infinite(f, y);
  double both[2] = {fabs(worth(f, x)), fabs(worth(f, y))};
  if (is_nan(f, x) || is_nan(f, y) || (p && q) || (both[0] == 0 && both[1] == 0)) return nan_of(f);
  if (p || both[1] == 0) both[0] = 1e30, both[1] = 1;
  if (q) both[0] = 0, both[1] = 1;
  return nearest(f, negative, compare_quotient, both);
}

static uint64_t expected_root(struct real_format f, uint64_t x) {
  double d = worth(f, x);
  if (is_nan(f, x) || d < 0) return nan_of(f);
  return d == 0 || is_infinite(f, x) ? x : nearest(f, false, compare_root, &d);
}

static double by_mode(double d, enum real_mode mode) {
  double (*const functions[])(double) = {roundeven, round, ceil, floor, trunc};
  return functions[mode](d);
}

static void each_format(void (*check)(struct real_format f, uint64_t x, uint64_t y), bool pairs) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    uint64_t count = (uint64_t)1 << real_width(formats[i]);
    for (uint64_t x = 0; x < count; x++)
      for (uint64_t y = 0; y < (pairs ? count : 1); y++) check(formats[i], x, y);
  }
}

static void check_pair(struct real_format f, uint64_t x, uint64_t y) {
  assert_int_equal(of_two(real_word_add, f, x, y), expected_sum(f, x, y));
  assert_int_equal(of_two(real_word_multiply, f, x, y), expected_product(f, x, y));
  assert_int_equal(of_two(real_word_divide, f, x, y), expected_quotient(f, x, y));
}

static void small_formats_compute(void **state) {
  (void)state;
  each_format(check_pair, true);
}

static void check_one(struct real_format f, uint64_t x, uint64_t y) {
  (void)y;
  bool finite = !is_nan(f, x) && !is_infinite(f, x);
  assert_int_equal(rooted(f, x), expected_root(f, x));
  for (enum real_mode mode = REAL_EVEN; mode <= REAL_ZERO; mode++) {
    double d = fabs(by_mode(worth(f, x), mode));
    uint64_t integer = finite ? nearest(f, is_negative(f, x), compare_number, &d) : is_nan(f, x) ? nan_of(f) : x;
    assert_int_equal(rounded(f, mode, x), integer);
  }
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    struct real_format to = formats[i];
    double d = is_infinite(f, x) ? 1e30 : fabs(worth(f, x));
    assert_int_equal(converted(f, to, x), is_nan(f, x) ? nan_of(to) : nearest(to, is_negative(f, x), compare_number, &d));
  }
  for (unsigned width = f.significand; width <= 9; width++) { /* which are not fewer than the significand's */
    double d = trunc(worth(f, x)), limit = ldexp(1, (int)width - 1);
    int64_t fits = finite && d >= -limit && d < limit ? (int64_t)d : -(int64_t)limit;
    assert_int_equal(to_signed(f, x, width), (uint64_t)fits & ((1u << width) - 1));
  }
}

static void small_formats_convert(void **state) {
  (void)state;
  each_format(check_one, false);
}

static void small_formats_of_integers(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    for (unsigned width = 1; width <= 9; width++)
      for (int64_t x = 0; x < 1 << width; x++) {
        int64_t as_signed = x >> (width - 1) ? x - (1 << width) : x;
        double d = (double)x, e = fabs((double)as_signed);
        assert_int_equal(from_integer(formats[i], false, (uint64_t)x, width), nearest(formats[i], false, compare_number, &d));
        assert_int_equal(from_integer(formats[i], true, (uint64_t)x, width), nearest(formats[i], as_signed < 0, compare_number, &e));
      }
}

/* --- those of programs --- */

static uint64_t random_state = 1;

static uint64_t any(void) { return random_state = hash_mix(random_state); }

/* Near zero, infinity, one, the border of normal numbers, halfway between two integers; and any. */
static uint64_t some(unsigned width) {
  struct real_format f = real_format(width);
  static const double places[] = {0, 1, 2, 3, 0.5, 1.5, 2.5, 0.1, 16777216, 9007199254740992, 0x1p31, 0x1p32, 0x1p63, 0x1p64};
  uint64_t special[] = {0, (uint64_t)real_infinity(width), (uint64_t)1 << (f.significand - 1), (uint64_t)real_infinity(width) / 2};
  uint64_t x = any() % 4 == 0 ? any() : any() % 3 ? (uint64_t)real_bits(places[any() % 14], width) : special[any() % 4];
  if (any() % 2) x += any() % 5 - 2;
  if (any() % 8 == 0) x ^= any() >> any() % 64;
  return (x ^ (any() % 2) << (width - 1)) & (uint64_t)bits_ones(width);
}

/* Exponents that are near each other. */
static uint64_t some_near(unsigned width, uint64_t x) {
  unsigned s = real_format(width).significand;
  return any() % 2 ? some(width)
                   : ((any() % 60 << (s - 1)) + (x ^ any() >> (66 - s)) - ((uint64_t)30 << (s - 1))) & (uint64_t)bits_ones(width);
}

#define SAME_AS_HOST(type, integer)                                                                                 \
  static uint64_t bits_of_##type(type x) {                                                                          \
    integer i;                                                                                                      \
    memcpy(&i, &x, sizeof i);                                                                                       \
    return x != x ? (uint64_t)real_nan(8 * sizeof x) : i;                                                           \
  }                                                                                                                 \
  static type type##_of(uint64_t x) {                                                                               \
    integer i = (integer)x;                                                                                         \
    type f;                                                                                                         \
    memcpy(&f, &i, sizeof f);                                                                                       \
    return f;                                                                                                       \
  }                                                                                                                 \
  static void same_as_##type(void **state) {                                                                        \
    (void)state;                                                                                                    \
    unsigned w = 8 * sizeof(type);                                                                                  \
    struct real_format f = real_format(w);                                                                          \
    for (int i = 0; i < 6000; i++) {                                                                                \
      uint64_t x = some(w), y = some_near(w, x), n = any() >> any() % 64;                                           \
      type a = type##_of(x), b = type##_of(y);                                                                      \
      uint64_t sum = bits_of_##type(a + b), product = bits_of_##type(a * b), quotient = bits_of_##type(a / b);      \
      assert_int_equal(of_two(real_word_add, f, x, y), sum);                                                        \
      assert_int_equal(of_two(real_word_multiply, f, x, y), product);                                               \
      assert_int_equal(of_two(real_word_divide, f, x, y), quotient);                                                \
      assert_int_equal(rooted(f, x), bits_of_##type((type)sqrt(a)));                                                \
      assert_int_equal(real_add(x, y, w), sum);                                                                     \
      assert_int_equal(real_multiply(x, y, w), product);                                                            \
      assert_int_equal(real_divide(x, y, w), quotient);                                                             \
      for (enum real_mode mode = REAL_EVEN; mode <= REAL_ZERO; mode++)                                              \
        assert_int_equal(rounded(f, mode, x), bits_of_##type((type)by_mode(a, mode)));                              \
      assert_int_equal(to_signed(f, x, 64), a >= -0x1p63 && a < 0x1p63 ? (uint64_t)(int64_t)a : (uint64_t)1 << 63); \
      assert_int_equal(from_integer(f, true, n, 64), bits_of_##type((type)(int64_t)n));                             \
      assert_int_equal(from_integer(f, false, n, 64), bits_of_##type((type)n));                                     \
      assert_int_equal(from_integer(f, true, n & 0xffffffff, 32), bits_of_##type((type)(int32_t)n));                \
    }                                                                                                               \
  }
SAME_AS_HOST(float, uint32_t)
SAME_AS_HOST(double, uint64_t)

static void the_widths_convert_as_the_host_does(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    uint64_t x = some(32), y = any() % 2 ? some(64) : bits_of_double((double)float_of(some(32))) + any() % 3 - 1;
    assert_int_equal(converted(real_format(32), real_format(64), x), bits_of_double((double)float_of(x)));
    assert_int_equal(converted(real_format(64), real_format(32), y), bits_of_float((float)double_of(y)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(small_formats_compute, begin, end),
      cmocka_unit_test_setup_teardown(small_formats_convert, begin, end),
      cmocka_unit_test_setup_teardown(small_formats_of_integers, begin, end),
      cmocka_unit_test_setup_teardown(same_as_float, begin, end),
      cmocka_unit_test_setup_teardown(same_as_double, begin, end),
      cmocka_unit_test_setup_teardown(the_widths_convert_as_the_host_does, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
