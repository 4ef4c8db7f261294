/* Places in the source, as reports show them.
 *
 * A site may lie in Heddle's own library models or in a system header; what a reader wants is the line of their program that led
 * there. place_of_stack() finds it: the innermost frame of a call stack that is the program's own. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct image;

/* The strings belong to the image. */
struct place {
  const char *file; /* as the compiler wrote it; "" without debug information */
  const char *function;
  uint32_t line, column; /* 0: unknown */
  bool model;            /* in a function of the library models */
};

/* `site` may be UINT32_MAX: an empty place. */
struct place place_of_site(const struct image *image, uint32_t site);
/* Is it in a function of the library models? */
bool place_is_model(const struct image *image, uint32_t site);
/* The program's own frame among `n` sites, innermost first; the innermost one if none is. n == 0: an empty place. */
struct place place_of_stack(const struct image *image, const uint32_t *sites, uint32_t n);
/* Is it in the main() that Heddle gives to the operations of an object (models/objects/main.c)? No reader has that source. */
bool place_is_driver(const struct place *p);
bool place_same_line(const struct place *a, const struct place *b);

/* The folder that the process was in when this was first asked, and the length of its name; "" if it cannot be known. */
const char *place_here(size_t *n);
/* Appends the file's name relative to the current folder if it lies below that, else as it is. */
void place_file_text(const char *file, struct text *out);
/* Appends "bank.c:12:3", or the function's name if there is no debug information. */
void place_text(const struct place *place, struct text *out);
/* Appends "bank.c:12": the last part of the file's name and the line. For columns, where room is short. */
void place_short_text(const struct place *place, struct text *out);
