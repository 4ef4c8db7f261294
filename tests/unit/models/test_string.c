#include "models.h"

MODEL(strlen);
MODEL(strnlen);
MODEL(strcmp);
MODEL(strncmp);
MODEL(strcasecmp);
MODEL(strncasecmp);
MODEL(memcmp);
MODEL(memchr);
MODEL(memrchr);
MODEL(rawmemchr);
MODEL(strchr);
MODEL(strrchr);
MODEL(strchrnul);
MODEL(strspn);
MODEL(strcspn);
MODEL(strpbrk);
MODEL(strstr);
MODEL(strcasestr);
MODEL(memmem);
MODEL(strcpy);
MODEL(stpcpy);
MODEL(strncpy);
MODEL(stpncpy);
MODEL(strcat);
MODEL(strncat);
MODEL(memccpy);
MODEL(strtok_r);
MODEL(strsep);
MODEL(strverscmp);
MODEL(strdup);
MODEL(strndup);
MODEL(strxfrm);
MODEL(strerror);
MODEL(strsignal);
MODEL(basename);
MODEL(strerror_r);
MODEL(strtok);
int __xpg_strerror_r(int number, char *to, size_t size);
int m___xpg_strerror_r(int number, char *to, size_t size);
size_t m_strlcpy(char *to, const char *from, size_t size);
size_t m_strlcat(char *to, const char *from, size_t size);
char *m_dirname(char *path);
char *dirname(char *path);

enum { ROUNDS = 20000, LENGTH = 24 };

/* A short string over a small alphabet: searches hit, comparisons tie. */
static void random_string(char *to, unsigned longest, const char *alphabet) {
  unsigned n = below(longest + 1), letters = (unsigned)strlen(alphabet);
  for (unsigned i = 0; i < n; i++) to[i] = alphabet[below(letters)];
  to[n] = 0;
}

static void comparisons_agree(void **state) {
  (void)state;
  for (int i = 0; i < ROUNDS; i++) {
    char a[LENGTH + 1], b[LENGTH + 1];
    random_string(a, 6, "aAbB\xff\x01");
    random_string(b, 6, "aAbB\xff\x01");
    size_t n = below(8), least = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    assert_int_equal(m_strlen(a), strlen(a));
    assert_int_equal(m_strnlen(a, n), strnlen(a, n));
    assert_int_equal(sign(m_strcmp(a, b)), sign(strcmp(a, b)));
    assert_int_equal(sign(m_strncmp(a, b, n)), sign(strncmp(a, b, n)));
    assert_int_equal(sign(m_strcasecmp(a, b)), sign(strcasecmp(a, b)));
    assert_int_equal(sign(m_strncasecmp(a, b, n)), sign(strncasecmp(a, b, n)));
    assert_int_equal(sign(m_memcmp(a, b, least)), sign(memcmp(a, b, least)));
  }
}

static void searches_agree(void **state) {
  (void)state;
  for (int i = 0; i < ROUNDS; i++) {
    char s[LENGTH + 1], part[4], set[4];
    random_string(s, LENGTH, "abcAB");
    random_string(part, 3, "abcAB");
    random_string(set, 3, "abcAB");
    int c = "abcABx"[below(7)];
    size_t n = strlen(s);
    assert_ptr_equal(m_strchr(s, c), strchr(s, c));
    assert_ptr_equal(m_strrchr(s, c), strrchr(s, c));
    assert_ptr_equal(m_strchrnul(s, c), strchrnul(s, c));
    assert_ptr_equal(m_memchr(s, c, n), memchr(s, c, n));
    assert_ptr_equal(m_memrchr(s, c, n), memrchr(s, c, n));
    assert_ptr_equal(m_rawmemchr(s, 0), s + n);
    assert_int_equal(m_strspn(s, set), strspn(s, set));
    assert_int_equal(m_strcspn(s, set), strcspn(s, set));
    assert_ptr_equal(m_strpbrk(s, set), strpbrk(s, set));
    assert_ptr_equal(m_strstr(s, part), strstr(s, part));
    assert_ptr_equal(m_strcasestr(s, part), strcasestr(s, part));
    assert_ptr_equal(m_memmem(s, n, part, strlen(part)), memmem(s, n, part, strlen(part)));
  }
}

/* Runs the same copy with the model and the library on two buffers and compares all of their bytes. */
#define SAME_BYTES(model, library)                                         \
  do {                                                                     \
    memset(x, '#', sizeof x), memset(y, '#', sizeof y);                    \
    strcpy(x, prefix), strcpy(y, prefix);                                  \
    char *const mine = (char *)(model), *const theirs = (char *)(library); \
    assert_memory_equal(x, y, sizeof x);                                   \
    if (theirs)                                                            \
      assert_int_equal(mine - x, theirs - y);                              \
    else                                                                   \
      assert_null(mine);                                                   \
  } while (0)

static void copies_agree(void **state) {
  (void)state;
  for (int i = 0; i < ROUNDS; i++) {
    char s[LENGTH + 1], prefix[LENGTH + 1], x[4 * LENGTH], y[4 * LENGTH];
    random_string(s, LENGTH, "abc");
    random_string(prefix, LENGTH, "xyz");
    size_t n = below(LENGTH + 4);
    SAME_BYTES(m_strcpy(x, s), strcpy(y, s));
    SAME_BYTES(m_stpcpy(x, s), stpcpy(y, s));
    SAME_BYTES(m_strncpy(x, s, n), strncpy(y, s, n));
    SAME_BYTES(m_stpncpy(x, s, n), stpncpy(y, s, n));
    SAME_BYTES(m_strcat(x, s), strcat(y, s));
    SAME_BYTES(m_strncat(x, s, n), strncat(y, s, n));
    SAME_BYTES(m_memccpy(x, s, 'b', strlen(s)), memccpy(y, s, 'b', strlen(s)));
    SAME_BYTES(x + m_strxfrm(x, s, n), y + strxfrm(y, s, n));
  }
}

static void bounded_copies_end_in_time(void **state) {
  (void)state;
  char to[8] = "1234567";
  assert_int_equal(m_strlcpy(to, "abcdef", 4), 6);
  assert_string_equal(to, "abc");
  assert_int_equal(m_strlcat(to, "xyz", 5), 6);
  assert_string_equal(to, "abcx");
  assert_int_equal(m_strlcpy(to, "q", 0), 1);
  assert_string_equal(to, "abcx");
  assert_int_equal(m_strlcat(to, "xyz", 2), 5);
}

static void splitting_agrees(void **state) {
  (void)state;
  for (int i = 0; i < ROUNDS; i++) {
    char x[LENGTH + 1] = "", y[LENGTH + 1] = "", set[4], *p = NULL, *q = NULL;
    random_string(x, LENGTH, "ab,;");
    memcpy(y, x, sizeof x);
    random_string(set, 3, ",;");
    for (char *a = m_strtok_r(x, set, &p), *b = strtok_r(y, set, &q);; a = m_strtok_r(NULL, set, &p), b = strtok_r(NULL, set, &q)) {
      assert_int_equal(a != NULL, b != NULL);
      if (!a) break;
      assert_int_equal(a - x, b - y);
      assert_string_equal(a, b);
    }
    assert_memory_equal(x, y, sizeof x);
    random_string(x, LENGTH, "ab,;");
    strcpy(y, x);
    p = x, q = y;
    while (p) {
      char *a = m_strsep(&p, set), *b = strsep(&q, set);
      assert_string_equal(a, b);
      assert_int_equal(p != NULL, q != NULL);
    }
  }
}

static void versions_compare_alike(void **state) {
  (void)state;
  for (int i = 0; i < 10 * ROUNDS; i++) {
    char a[LENGTH + 1], b[LENGTH + 1];
    random_string(a, 7, "001129ab.");
    random_string(b, 7, "001129ab.");
    if (sign(m_strverscmp(a, b)) != sign(strverscmp(a, b))) fail_msg("strverscmp(\"%s\", \"%s\") = %d", a, b, m_strverscmp(a, b));
  }
}

static void duplicates_are_new(void **state) {
  (void)state;
  char *a = m_strdup("heddle"), *b = m_strndup("heddle", 3), *c = m_strndup("heddle", 30);
  assert_string_equal(a, "heddle");
  assert_string_equal(b, "hed");
  assert_string_equal(c, "heddle");
  free(a), free(b), free(c);
}

static void error_texts_agree(void **state) {
  (void)state;
  for (int i = -3; i < 200; i++) {
    char x[16] = "", y[16] = "";
    assert_string_equal(m_strerror(i), strerror(i));
    assert_int_equal(m___xpg_strerror_r(i, x, sizeof x), __xpg_strerror_r(i, y, sizeof y));
    assert_string_equal(x, y);
    assert_string_equal(m_strerror_r(i, x, sizeof x), strerror_r(i, y, sizeof y));
  }
  for (int i = -1; i < 70; i++) assert_string_equal(m_strsignal(i), strsignal(i));
}

static void paths_split_alike(void **state) {
  (void)state;
  for (int i = 0; i < ROUNDS; i++) {
    char x[LENGTH + 1], y[LENGTH + 1];
    random_string(x, 8, "//ab.");
    strcpy(y, x);
    assert_string_equal(m_basename(x), basename(y));
    const char *a = m_dirname(x), *b = dirname(y);
    assert_string_equal(a, b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comparisons_agree),  cmocka_unit_test(searches_agree),         cmocka_unit_test(copies_agree),
      cmocka_unit_test(splitting_agrees),   cmocka_unit_test(versions_compare_alike), cmocka_unit_test(bounded_copies_end_in_time),
      cmocka_unit_test(duplicates_are_new), cmocka_unit_test(error_texts_agree),      cmocka_unit_test(paths_split_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
