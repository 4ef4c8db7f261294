/* A teardown for each test: all that our own code allocated was released. */
#pragma once
#include "base/mem.h"

static int nothing_is_leaked(void **state) {
  (void)state;
  return mem_live() != 0;
}

#define TEST(f) cmocka_unit_test_teardown(f, nothing_is_leaked)
