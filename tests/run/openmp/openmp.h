/* What the programs of this folder have in common. Built with -DRACY they have races, on lines that say so; otherwise they have none. */
#pragma once
#include <omp.h>
#include <unistd.h>

enum { N = 200 };

/* Long enough that another thread, if there is one, does the next task. */
static inline void pause_a_moment(void) {
#ifdef RACY
  usleep(20000);
#else
  usleep(1000);
#endif
}
