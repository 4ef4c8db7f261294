/* The OpenMP library: libomp or libgomp, or none. */
#pragma once
#include "intercept/intercept.h"
#include "openmp/team.h"

/* Its function of that name. Ends the process if there is none: the program was linked without the library. */
void *openmp_function(const char *name);
#define NEXT_OPENMP(f)                                                                                           \
  ({                                                                                                             \
    static void *next_;                                                                                          \
    static const struct next_function entry_ = {&next_, #f, NULL};                                               \
    static const struct next_function *const listed_ __attribute__((section("next_functions"), used)) = &entry_; \
    if (UNLIKELY(!next_)) next_ = openmp_function(entry_.name);                                                  \
    (__typeof__(&f))next_;                                                                                       \
  })

/* Where its code is: what it does inside does not count from then on (intercept.h). */
void openmp_understands(const void *code);
/* True if it tells of teams and tasks itself (tool.c). */
extern bool openmp_tells;
/* The present thread, if it counts and gomp.c has to look at what it calls. */
HOT struct thread *openmp_calls(void) { return openmp_tells ? NULL : watched(); }
