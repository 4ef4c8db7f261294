/* The models under test, by the types of the C library's functions. */
#pragma once
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
/* last: it defines a macro of the name assert_... */
#include <cmocka.h>

#include "shim.h"

#define MODEL(name) extern __typeof__(name) m_##name
#define m_errno     (*m___errno_location())
int *m___errno_location(void);

/* xorshift64: the same numbers in every run. */
static inline uint64_t draw(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}
static inline unsigned below(unsigned n) { return (unsigned)(draw() >> 33) % n; }

static inline int sign(int x) { return (x > 0) - (x < 0); }
