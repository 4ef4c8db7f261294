/* Threads' frames as a debugger of compiled programs expects them: each has a base, below which lie the function's slots, and at which lie
 * the caller's base and where the caller goes on, as after `push %rbp; mov %rsp, %rbp` (program/lower/data/debug_file.h). No such memory
 * exists; it is made up from the machine's frames as it is read.
 *
 * The innermost frame has the lowest addresses. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "debug/code_map.h"

struct machine;

struct frames {
  const struct machine *m;
  const struct code_map *map;
};

/* What a thread's registers have. One that has no frame, not yet or not any more, is where its first function returns to. */
struct frame_registers {
  uint64_t pc, base, top;
  uint64_t result[2]; /* slots of what the function has given that the thread has just come back from, */
  unsigned results;   /* enum debug_result; who asks for the registers says so */
};
struct frame_registers frames_registers(const struct frames *f, uint32_t thread);
/* Where execution goes on in frame `depth` (0: the innermost): its instruction; in a caller, the one behind the call. */
uint64_t frames_pc(const struct frames *f, uint32_t thread, uint32_t depth);
uint32_t frames_count(const struct machine *m, uint32_t thread);

/* One byte of the program's memory, of a frame, or of code. */
bool frames_read(const struct frames *f, uint64_t address, uint8_t *byte);
