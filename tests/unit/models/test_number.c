/* Numbers from text, sorting, random numbers. */
#include "models.h"

MODEL(strtol);
MODEL(strtoul);
MODEL(strtoll);
MODEL(strtoull);
MODEL(atoi);
MODEL(strtod);
MODEL(strtof);
MODEL(strtold);
MODEL(qsort);
MODEL(qsort_r);
MODEL(bsearch);
MODEL(rand);
MODEL(srand);
MODEL(rand_r);
MODEL(drand48);
MODEL(lrand48);
MODEL(mrand48);
MODEL(srand48);
MODEL(ffs);
MODEL(a64l);
MODEL(l64a);

enum { ROUNDS = 40000 };

static void random_text(char *to, const char *alphabet, unsigned longest) {
  static const char *const starts[] = {"",
                                       "  ",
                                       "-",
                                       "+",
                                       " -",
                                       "0x",
                                       "0X",
                                       "-0x",
                                       "0",
                                       "00",
                                       "-0",
                                       "99999999999999999999",
                                       "-9223372036854775809",
                                       "9223372036854775807",
                                       "18446744073709551615",
                                       "-18446744073709551616",
                                       "\t\n\v\f\r 1"};
  strcpy(to, starts[below(sizeof starts / sizeof *starts)]);
  size_t n = strlen(to);
  for (unsigned k = below(longest); k; k--) to[n++] = alphabet[below((unsigned)strlen(alphabet))];
  to[n] = 0;
}

#define SAME(name)                                                                                                                 \
  do {                                                                                                                             \
    char *mine, *theirs;                                                                                                           \
    errno = m_errno = 0;                                                                                                           \
    __typeof__(name("", NULL, 0)) x = m_##name(text, &mine, base), y = name(text, &theirs, base);                                  \
    if (x != y || mine != theirs || m_errno != errno)                                                                              \
      fail_msg(#name "(\"%s\", %d): %lld at %td, errno %d; expected %lld at %td, errno %d", text, base, (long long)x, mine - text, \
               m_errno, (long long)y, theirs - text, errno);                                                                       \
  } while (0)

static void integers_parse_alike(void **state) {
  (void)state;
  for (int i = 0; i < ROUNDS; i++) {
    char text[64];
    static const int bases[] = {0, 0, 10, 10, 16, 8, 2, 36, 7};
    int base = bases[below(9)];
    random_text(text, "0123456789abxXfzZ -+.", 12);
    SAME(strtol);
    SAME(strtoul);
    SAME(strtoll);
    SAME(strtoull);
    assert_int_equal(m_atoi(text), atoi(text));
  }
}

static void bad_bases_are_refused(void **state) {
  (void)state;
  for (int base = -1; base < 40; base++) {
    errno = m_errno = 0;
    assert_int_equal(m_strtol("11", NULL, base), strtol("11", NULL, base));
    assert_int_equal(m_errno, errno);
  }
}

#define SAME_FLOAT(type, name)                                                                                                    \
  do {                                                                                                                            \
    char *mine, *theirs;                                                                                                          \
    errno = m_errno = 0;                                                                                                          \
    type x = m_##name(text, &mine), y = name(text, &theirs);                                                                      \
    if ((x != y && !(isnan(x) && isnan(y))) || mine != theirs || m_errno != errno)                                                \
      fail_msg(#name "(\"%s\"): %Lg at %td, errno %d; expected %Lg at %td, errno %d", text, (long double)x, mine - text, m_errno, \
               (long double)y, theirs - text, errno);                                                                             \
  } while (0)

static void floating_point_parses_alike(void **state) {
  (void)state;
  static const char *const fixed[] = {"1e400",  "-1e400",  "1e-400", "1e-310",  "0e9999", "inf",    "-INFINITY", "nan",    "nan(12)",
                                      "nan(",   "infin",   "0x1p-9", "0x1.8p3", "0x",     "0x.p1",  ".",         ".5",     "5.",
                                      "e5",     "1e",      "1e+",    "1e-x",    "0x1p",   "1.5e5x", "--1",       "+.5e+1", "0.0e",
                                      "1e4999", "1e-4970", "1,5",    "3.4e39",  "1e-40",  "0x0e5"};
  for (int i = 0; i < ROUNDS; i++) {
    char text[64];
    if (i < (int)(sizeof fixed / sizeof *fixed))
      strcpy(text, fixed[i]);
    else
      random_text(text, "0123456789.e-+", 10);
    SAME_FLOAT(double, strtod);
    SAME_FLOAT(float, strtof);
    SAME_FLOAT(long double, strtold);
  }
}

struct element {
  int key, serial;
  char weight[8];
};

static int by_key(const void *a, const void *b) {
  const struct element *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

static int by_key_counting(const void *a, const void *b, void *count) {
  ++*(int *)count;
  return by_key(a, b);
}

static void sorting_is_stable_and_calls_little(void **state) {
  (void)state;
  static struct element mine[3000], theirs[3000];
  for (int round = 0; round < 300; round++) {
    unsigned n = round < 100 ? (unsigned)round : below(3000), range = 1 + below(round % 2 ? 10 : 100000);
    for (unsigned i = 0; i < n; i++) mine[i] = theirs[i] = (struct element){.key = (int)below(range), .serial = (int)i};
    int compares = 0;
    if (round % 3)
      m_qsort(mine, n, sizeof *mine, by_key);
    else
      m_qsort_r(mine, n, sizeof *mine, by_key_counting, &compares);
    qsort(theirs, n, sizeof *theirs, by_key);
    assert_memory_equal(mine, theirs, n * sizeof *mine);
    assert_true(compares <= 3000 * 15);
    for (int i = 0; n && i < 20; i++) {
      struct element key = {.key = (int)below(range)};
      const struct element *found = m_bsearch(&key, mine, n, sizeof *mine, by_key), *other = bsearch(&key, mine, n, sizeof *mine, by_key);
      assert_int_equal(found != NULL, other != NULL);
      if (found) assert_int_equal(found->key, key.key);
    }
  }
}

static void random_numbers_are_the_same(void **state) {
  (void)state;
  for (int i = 0; i < 1000; i++) assert_int_equal(m_rand(), rand());
  for (unsigned seed = 0; seed < 50; seed++) {
    unsigned s = seed * 977, t = s;
    m_srand(seed), srand(seed);
    m_srand48(seed), srand48(seed);
    for (int i = 0; i < 100; i++) {
      assert_int_equal(m_rand(), rand());
      assert_int_equal(m_rand_r(&s), rand_r(&t));
      assert_int_equal(m_lrand48(), lrand48());
      assert_int_equal(m_mrand48(), mrand48());
      assert_true(m_drand48() == drand48());
    }
  }
}

static void small_ones_agree(void **state) {
  (void)state;
  for (int i = 0; i < 1000; i++) {
    int x = (int)(draw() >> below(64));
    assert_int_equal(m_ffs(x), ffs(x));
    assert_string_equal(m_l64a(x), l64a(x));
    assert_int_equal(m_a64l(l64a(x)), a64l(l64a(x)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_parse_alike),        cmocka_unit_test(bad_bases_are_refused),
      cmocka_unit_test(floating_point_parses_alike), cmocka_unit_test(sorting_is_stable_and_calls_little),
      cmocka_unit_test(random_numbers_are_the_same), cmocka_unit_test(small_ones_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
