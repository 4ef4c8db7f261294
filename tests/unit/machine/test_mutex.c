/* Mutexes of every kind, through programs explored under every schedule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "rig.h"

#define HEAD "#define _GNU_SOURCE\n#include <pthread.h>\n#include <errno.h>\n#include <time.h>\nint x, r;\n"
/* main starts two threads f and g, and joins them. */
#define TWO_THREADS(end)                                                                                            \
  "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); " \
  "pthread_join(b, 0); " end " }\n"

static void sections_exclude_each_other(void **state) {
  (void)state;
  expect_codes(HEAD
               "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
               "void *f(void *_) { pthread_mutex_lock(&m); int v = x; x = v + 1; pthread_mutex_unlock(&m); return 0; }\n"
               "void *g(void *_) { return f(_); }\n" TWO_THREADS("return x;"),
               1 << 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sections_exclude_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
