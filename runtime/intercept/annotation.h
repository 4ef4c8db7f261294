/* The dynamic annotations, which begin with the place that they are at. */
#pragma once
#include "intercept/intercept.h"

#define AT const char *file __attribute__((unused)), int line __attribute__((unused))
#define ANNOTATION(name, parameters, effect) \
  PUBLIC void name parameters;               \
  void name parameters { effect; }
