/* What a fuzz target is: a reader of files of others, given any bytes. It must refuse or accept them, and never crash, run on, or keep
 * memory; what it accepts must hold for those that use it.
 *
 * A target is built twice. With libFuzzer, if Meson is told so (-Dfuzz=true, and clang as the compiler), to look for bytes: see run.sh.
 * And with corpus.c, which gives it the files of its folder in corpus/: what was found to reach code of its own, or to have been wrong. */
#pragma once
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Ends the process: it was wrong of a reader to accept these bytes. */
#define MUST(condition)              \
  do {                               \
    if (!(condition)) __builtin_trap(); \
  } while (0)
