/* From what the user names to an image.
 *
 * A program is one or more of: C and C++ sources, LLVM bitcode (.bc), textual IR (.ll), and ELF files built with `heddle cc`
 * (executables, shared libraries, objects), which bring the modules of the shared libraries they need. All of it is linked with the
 * library models by heddle-load, a process of its own, into an image in the cache; where nothing changed, the image is there already.
 *
 * Libraries that the program may open while it runs are given as "NAME=FILE" or "FILE": NAME, by default FILE's last part with ".so" in
 * place of a source's or bitcode's ending, is what dlopen() calls it.
 *
 * One thread opens programs. */
#pragma once
#include <stddef.h>

#include "base/err.h"
#include "program/image.h"

struct program_inputs {
  const char *const *paths;
  size_t npaths;
  const char *const *flags; /* for compiling sources: -I, -D, -std, -O1 ... */
  size_t nflags;
  const char *const *loads; /* libraries that the program may open */
  size_t nloads;
  const char *calls;  /* functions whose calls the machine is told, one a line; NULL: nobody looks (program/named_calls.h) */
  bool locks;         /* and calls of those that take and give back locks */
  bool operations;    /* the program is an object's operations (program/object.h) */
  bool coverage;      /* the machine is told of lines that the program comes to */
  struct text *debug; /* the path of a file for debuggers (lower/data/debug_file.h), linked, is appended here; NULL: nobody asks for it */
};

/* Maps the program's image; image_close() ends that. ERR_FILE, ERR_FORMAT, ERR_TOOL (the compiler's own messages are then already on
 * standard error) or ERR_UNSUPPORTED, with a message that names the input and a hint. On success `d` may hold a warning: parts of the
 * program lack bitcode. */
[[nodiscard]] enum err program_open(const struct program_inputs *inputs, struct image *image, struct diag *d);
