/* Comes before everything else in a test. Tests say that they failed by ending the process with a code that is not 0 (or not the one they
 * expect), from whatever thread: that is made a failed assertion here, so that it is found wherever an execution ends. In native runs
 * (SUITE_NATIVE), whose processes may have children, codes are left as they are. */
#pragma once
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SUITE_UNSUPPORTED = 77 };

/* The code that the test wants to end with: main() of driver.c sets it. */
static int suite_expected_status;

static inline __attribute__((unused)) int suite_status(int status, const char *file, int line) {
#ifdef SUITE_NATIVE
  (void)file, (void)line;
  return status;
#endif
  if (status != suite_expected_status && status != SUITE_UNSUPPORTED) __assert_fail("the test ends with the status it expects", file, (unsigned)line, "exit");
  return status;
}

#ifdef __cplusplus
}
#endif

#ifndef SUITE_NATIVE
#define exit(status)       exit(suite_status(status, __FILE__, __LINE__))
#define _exit(status)      _exit(suite_status(status, __FILE__, __LINE__))
#define _Exit(status)      _Exit(suite_status(status, __FILE__, __LINE__))
#define quick_exit(status) quick_exit(suite_status(status, __FILE__, __LINE__))
#endif
