/* SHA-256: the examples of FIPS 180-4, and lengths around the block's. */
#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void expect(const void *bytes, size_t n, const char *digest) {
  struct text out = {0};
  sha256_text(bytes, n, &out);
  assert_string_equal(text_str(&out), digest);
  text_release(&out);
}

static void the_standards_examples_have_their_digests(void **state) {
  (void)state;
  static char many[1000000];
  const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  memset(many, 'a', sizeof many);
  expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(two, strlen(two), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  expect(many, sizeof many, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_standards_examples_have_their_digests)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
