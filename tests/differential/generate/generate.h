/* Random C programs with threads, many to a source file: program i of a file runs when main's first argument is i.
 *
 * A program's statements are drawn from a few families (generator.h), so that what belongs together meets: a local that is published and
 * somebody who uses it, an object that is initialised here and used there. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* The families of statements; their names are those of --features. */
#define GENERATE_LIST(X)                                                                                                 \
  X(CORE, "core")                   /* plain and atomic accesses, locks and so on: all that the classic programs have */ \
  X(LIFETIMES, "lifetimes")         /* locals and thread-locals that others reach, and their end */                      \
  X(OBJECTS, "objects")             /* initialisation, use and destruction of locks and the like */                      \
  X(SETJMP, "setjmp")               /* jumps back */                                                                     \
  X(UNINITIALISED, "uninitialised") /* reads of what was never written */                                                \
  X(HEAP, "heap")                   /* free and realloc, addresses used again */                                         \
  X(VALUES, "values")               /* sizes, overlaps, arrays, recursion, function pointers */                          \
  X(THREADS, "threads")             /* detached, never joined; exit while others run */                                  \
  X(CANCELLATION, "cancellation")   /* at all points, with what cleans up */                                             \
  X(KEYS, "keys")                   /* with destructors; thread-locals, once */                                          \
  X(WAITS, "waits")                 /* timed waits, barriers, semaphores, clocks */                                      \
  X(SIGNALS, "signals")             /* to oneself and to others */                                                       \
  X(PIPES, "pipes")                 /* bytes between threads */                                                          \
  X(SPINNING, "spinning")           /* loops that wait, with and without visible steps */                                \
  X(INTERRUPTS, "interrupts")       /* handlers in other threads, asynchronous cancellation */                           \
  X(EXCEPTIONS, "exceptions")       /* C++, and nothing else in such a file */

enum generate_family {
#define X(name, text) GENERATE_FAMILY_##name,
  GENERATE_LIST(X)
#undef X
      GENERATE_FAMILIES
};

/* Bits of a set of features: one for each family, and */
enum {
  GENERATE_EVERY = (1 << GENERATE_FAMILIES) - 1,
  GENERATE_CXX = 1 << GENERATE_FAMILY_EXCEPTIONS, /* alone */
  GENERATE_ALL = GENERATE_EVERY & ~GENERATE_CXX,
  GENERATE_STORES = 1 << 29, /* programs that show what store buffers do */
  GENERATE_LOOPS = 1 << 30,  /* with loops that may have no end */
  /* No family: the classic programs alone, which were the only ones once. Tests name some of them by seed. */
};

/* Reads "setjmp,lifetimes", "all" (but for C++), "exceptions" or "classic" into `*features`. False: a name is unknown, or not alone. */
bool generate_features(const char *list, unsigned *features);

/* Appends the C source of `count` programs; the same for the same seed everywhere. */
void generate(uint64_t seed, unsigned count, unsigned features, struct text *out);
/* The families that the program's statements are drawn from. */
unsigned generate_families(uint64_t seed, unsigned index, unsigned features);
/* Appends the source of one of them alone, for people. */
void generate_one(uint64_t seed, unsigned index, unsigned features, struct text *out);
