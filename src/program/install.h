/* Where Heddle's other parts are: installed (PREFIX/bin/heddle, PREFIX/libexec/heddle/heddle-load, PREFIX/share/heddle/libc.bc,
 * PREFIX/include/heddle.h) or in a build tree (src/program/heddle-load, models/libc/libc.bc, include/heddle.h), found from the folder of
 * the running program upwards. The environment decides first: HEDDLE_ROOT names a prefix or a build tree, HEDDLE_CLANG and
 * HEDDLE_CLANGXX the compilers. */
#pragma once
#include "base/err.h"

struct install {
  struct text loader;               /* heddle-load */
  struct text libc, libcxx;         /* models; all but libc are empty if they were not built */
  struct text openmp, openmp_tasks; /* the second one for programs with explicit tasks */
  struct text objects;              /* of programs that are an object's operations */
  struct text include;              /* folder of heddle.h */
  struct text openmp_include;       /* folder of omp.h, for compilers that come without it */
  struct text clang, clangxx;       /* compilers */
};

/* ERR_TOOL, naming the part that is missing. `install` must be zeroed or released; release it in either case. */
[[nodiscard]] enum err install_find(struct install *install, struct diag *d);
/* The folder of the library that native programs are watched by. ERR_TOOL if it is missing. */
[[nodiscard]] enum err install_find_runtime(struct text *folder, struct diag *d);
/* Only omp.h, if it is there. */
void install_find_openmp_header(struct install *install);
/* Only the compilers: cannot fail. */
void install_find_compilers(struct install *install);
/* ERR_TOOL if the environment names a compiler that is not clang. One that cannot be run is no matter of this. */
[[nodiscard]] enum err install_check_compiler(const char *compiler, struct diag *d);
void install_release(struct install *install);
