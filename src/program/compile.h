/* A C or C++ source to bitcode, through clang, remembered in the cache.
 *
 * What is remembered: under a key of source path, flags, folder and compiler, the files that the compiler read and a hash of each
 * (a manifest). While none of them changed, the compiler is not run again. A compilation with warnings is not remembered, so that they
 * are shown each time. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "program/cache.h"

struct install;

struct compile_request {
  const struct install *install;
  const struct cache *cache;
  const char *source;
  const char *const *flags; /* the user's; those of the linker (-l, -L, -Wl,) are left out */
  size_t nflags;
};

/* True if clang compiles files of this name as C or C++. */
bool compile_is_source(const char *path);
/* Do these flags say that the directives of OpenMP mean something? */
bool compile_has_openmp(const char *const *flags, size_t n);
/* What clang is told then: threadprivate variables are a matter of the runtime. */
#define COMPILE_OPENMP_PRIVATE "-fnoopenmp-use-tls"
/* Leaves the path of the bitcode in `bitcode` (a cache entry). The compiler's messages go to standard error as they are; if it fails,
 * ERR_TOOL with one sentence. */
[[nodiscard]] enum err compile_source(const struct compile_request *request, struct text *bitcode, struct diag *d);
