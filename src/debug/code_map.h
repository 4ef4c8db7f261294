/* Addresses of code: what a debugger calls the words of an image's code (program/lower/data/debug_file.h). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"

struct image;

struct code_map {
  const struct image *image;
  struct text results; /* by function: enum debug_result */
  struct text bytes;   /* the code, as the file has it: a debugger looks at how functions begin, */
  uint64_t address;    /* which lies there */
  uint64_t *first;     /* by function: the address of its first word; then where a thread's first function returns to */
};

/* Reads the file for debuggers of this image. ERR_FILE, ERR_FORMAT. Release it in any case. */
[[nodiscard]] enum err code_map_open(struct code_map *map, const struct image *image, const char *path, struct diag *d);
void code_map_close(struct code_map *map);

uint64_t code_address(const struct code_map *map, uint32_t function, uint32_t code);
/* A byte of the code; false: none is there. */
bool code_byte(const struct code_map *map, uint64_t address, uint8_t *byte);
/* The word at an address, or behind it where a function begins; UINT32_MAX: that is no code. */
uint32_t code_at(const struct code_map *map, uint64_t address);
