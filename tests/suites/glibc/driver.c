/* What a test's last line includes: main(). */
#include "driver.h"
int main(int argc, char **argv) {
  (void)argc, (void)argv;
#ifdef EXPECTED_STATUS
  suite_expected_status = EXPECTED_STATUS;
#endif
#ifdef PREPARE
  PREPARE(argc, argv);
#endif
#ifdef SUITE_SKELETON /* the old driver's way: the macro is the call */
#ifndef TEST_FUNCTION
#define TEST_FUNCTION do_test(argc, argv)
#endif
  int result = TEST_FUNCTION;
#elif defined TEST_FUNCTION_ARGV
  int result = TEST_FUNCTION_ARGV(argc, argv);
#elif defined TEST_FUNCTION
  int result = TEST_FUNCTION();
#else
  int result = do_test();
#endif
#ifdef CLEANUP_HANDLER
  CLEANUP_HANDLER();
#endif
  return suite_status(result, __FILE__, __LINE__);
}
