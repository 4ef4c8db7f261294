/* What a debugger reads of a program that the machine runs: an object file whose code does nothing, with the program's own debugging
 * information, where each word of the image's code has an address.
 *
 * Why: gdb knows C's and C++'s types, scopes and inlined calls from DWARF, which LLVM writes from the module's metadata. So that it need
 * not be written here, LLVM compiles a module in which the body of each function is one byte for each word of its code, with the word's
 * place in the source. Variables are where the machine's debugger shows the thread's frames to be (src/debug/frames.h):
 *
 *     frame base - size ..   the function's slots, 8 bytes each
 *     frame base             the caller's frame base, and behind it where the caller goes on: what a compiled function has there
 *
 * Global variables have the addresses that they have in the machine. Thread-local ones have none. Functions of library models are there
 * without places. */
#pragma once
#include <stdint.h>

#include "base/err.h"

struct lower;

/* Name of the section with, for each function of the image, the address of its first word of code, and then where the first function of a
 * thread returns to: 8 bytes each. */
#define DEBUG_FILE_CODE ".heddle.code"
/* The section with a byte for each function: where gdb looks for what it returns. */
#define DEBUG_FILE_RESULTS ".heddle.results"
enum debug_result {
  RESULT_NONE = 0,     /* nowhere, or in more places than these */
  RESULT_NUMBER = 1,   /* one slot: a general register */
  RESULT_REAL = 2,     /* one slot: a floating one */
  RESULT_EXTENDED = 3, /* long double, in two slots */
  RESULT_SECOND = 2    /* bits to the left: the same of the second slot */
};

/* The section with the global variables; whoever links the file has to put it to GLOBALS_BASE (program/layout.h). */
#define DEBUG_FILE_GLOBALS ".heddle.globals"
#define DEBUG_FILE_START   "heddle.thread_start" /* no name in C */

/* Bytes of the slots of a frame, as they lie below its base. */
static inline uint64_t debug_file_frame(uint32_t slots) { return ((uint64_t)slots * 8 + 15) / 16 * 16; }

/* Writes the object file of a module that was lowered. */
[[nodiscard]] enum err debug_file_write(struct lower *l, const char *path);
