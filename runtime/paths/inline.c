/* What is put in place of the calls that src/weave/paths.c makes: this file is translated to LLVM's bitcode and linked into each module. */
#include "paths/paths.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* A branch goes this way: 0 or 1. */
__attribute__((always_inline)) void __heddle_path_bit(uint64_t bit);
__attribute__((always_inline)) void __heddle_path_bit(uint64_t bit) {
  if (UNLIKELY((int64_t)*hd_paths.at < 0)) __heddle_paths_next();
  uint64_t *at = hd_paths.at;
  *at = *at + *at + bit;
}

/* A number of so many bits, at most PATH_NUMBERS. */
__attribute__((always_inline)) void __heddle_path_number(uint64_t number, uint64_t bits);
__attribute__((always_inline)) void __heddle_path_number(uint64_t number, uint64_t bits) {
  if (UNLIKELY(*hd_paths.at >> (64 - bits) != 0)) __heddle_paths_next();
  uint64_t *at = hd_paths.at;
  *at = *at << bits | number;
}
