/* Where things are in the address space of the program under test. The same in every execution.
 *
 *     ARENA_BASE                      unused guard
 *     GLOBALS_BASE ..                 globals and constants, laid out by the loader
 *     region_base(t) ..               thread t: [TLS block | stack, growing upwards | heap]
 *
 * Every arena byte has a shadow byte at address + SHADOW_OFFSET (machine/memory/memory.h). Function and label addresses lie outside
 * the arena, so that no access to them is ever valid. */
#pragma once
#include <stdint.h>

#define ARENA_BASE        0x200000000000u
#define ARENA_SIZE        (1ull << 42)
#define REGION_SIZE       (1ull << 32)
#define GLOBALS_BASE      (ARENA_BASE + 0x10000u)
#define GLOBALS_SIZE      (REGION_SIZE - 0x10000u)
#define SHADOW_OFFSET     ARENA_SIZE
#define REGION_STACK_SIZE (1ull << 28) /* including the TLS block; the heap takes the rest */

static inline uint64_t region_base(uint32_t tid) { return ARENA_BASE + (uint64_t)(tid + 1) * REGION_SIZE; }

/* Address of function `i` of the image (functions first, then externs: see image.h). */
#define TEXT_BASE 0x100000000000u
static inline uint64_t text_address(uint32_t function) { return TEXT_BASE + 16u * (uint64_t)function; }
/* Address of a label (blockaddress): code index of the block. */
#define LABEL_BASE 0x180000000000u
