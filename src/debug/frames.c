#include "debug/frames.h"

#include "machine/machine.h"
#include "program/insn.h"
#include "program/lower/data/debug_file.h"

/* Where they are made up: away from all that the machine has (program/layout.h). */
#define FRAMES_BASE  0x300000000000u
#define THREAD_SHIFT 38 /* bytes of one thread's, as a power of 2 */
#define FRAME_SHIFT  20 /* of one frame's: a function has at most 65,536 slots */

static uint64_t end_of(uint32_t thread) { return FRAMES_BASE + ((uint64_t)(thread + 1) << THREAD_SHIFT); }

/* `level`: 0 is the outermost frame. */
static uint64_t base_of(uint32_t thread, uint32_t level) { return end_of(thread) - ((uint64_t)level << FRAME_SHIFT) - 16; }

uint32_t frames_count(const struct machine *m, uint32_t thread) {
  uint32_t n = 0, function, code;
  while (machine_frame(m, thread, n, &function, &code)) n++;
  return n;
}

uint64_t frames_pc(const struct frames *f, uint32_t thread, uint32_t depth) {
  uint32_t function, code;
  if (!machine_frame(f->m, thread, depth, &function, &code)) return f->map->first[machine_image(f->m)->nfunctions];
  return code_address(f->map, function, code) + (depth ? insn_words(&machine_image(f->m)->code[code]) : 0);
}

struct frame_registers frames_registers(const struct frames *f, uint32_t thread) {
  struct frame_registers r = {.pc = f->map->first[machine_image(f->m)->nfunctions], .base = end_of(thread), .top = end_of(thread)};
  uint32_t function, code;
  if (!machine_frame(f->m, thread, 0, &function, &code)) return r;
  r.pc = code_address(f->map, function, code);
  r.base = base_of(thread, frames_count(f->m, thread) - 1);
  r.top = r.base - debug_file_frame(machine_image(f->m)->functions[function].slots);
  return r;
}

/* Byte `at` of the 8 bytes of a number. */
static uint8_t byte_of(uint64_t number, uint64_t at) { return (uint8_t)(number >> 8 * at); }

static bool read_frame(const struct frames *f, uint64_t address, uint8_t *byte) {
  uint32_t thread = (uint32_t)((address - FRAMES_BASE) >> THREAD_SHIFT);
  uint32_t level = (uint32_t)((end_of(thread) - 1 - address) >> FRAME_SHIFT), n = frames_count(f->m, thread);
  if (level >= n) return false;
  uint32_t depth = n - 1 - level, function, code;
  uint64_t base = base_of(thread, level), value = 0;
  if (address >= base + 8) {
    *byte = byte_of(frames_pc(f, thread, depth + 1), address - base - 8);
  } else if (address >= base) {
    *byte = byte_of(level ? base_of(thread, level - 1) : 0, address - base);
  } else {
    if (!machine_frame(f->m, thread, depth, &function, &code)) return false;
    uint64_t size = debug_file_frame(machine_image(f->m)->functions[function].slots);
    if (address + size < base) return false;
    uint64_t offset = address - (base - size);
    (void)machine_slot(f->m, thread, depth, (uint32_t)(offset / 8), &value);
    *byte = byte_of(value, offset % 8);
  }
  return true;
}

bool frames_read(const struct frames *f, uint64_t address, uint8_t *byte) {
  if (address >= FRAMES_BASE && (address - FRAMES_BASE) >> THREAD_SHIFT < THREADS_MAX) return read_frame(f, address, byte);
  return code_byte(f->map, address, byte) || machine_read(f->m, address, 1, byte);
}
