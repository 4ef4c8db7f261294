/* Programs of two threads: writes() has functions of the C library write to memory that reads() reads, which comes behind it in time, and only
 * if the program is FIXED in order, too. */
#pragma once
#include <pthread.h>

#include "moment.h"

static void *writes(void *argument);
static void *reads(void *argument);

static void *first(void *argument) {
  writes(argument);
  moment_reach(1);
  return argument;
}
static void *second(void *argument) {
  moment_await(1);
  return reads(argument);
}

static int run_both(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, first, NULL);
#ifdef FIXED
  pthread_join(t, NULL);
#endif
  pthread_create(&u, NULL, second, NULL);
#ifndef FIXED
  pthread_join(t, NULL);
#endif
  return pthread_join(u, NULL);
}
