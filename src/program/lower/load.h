/* The loader as a function: bitcode files in, an image file out. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* A library that the program may load: its bitcode files are those inputs. */
struct load_library {
  const char *name;
  size_t first, count;
};

struct load_options {
  const char *output;
  const char *debug_file;    /* an object file for debuggers is written there, too (data/debug_file.h); NULL: none */
  const char *const *inputs; /* bitcode or textual IR of the program */
  const char *const *models; /* bitcode of library models, linked where the program needs them; a model may need those before it */
  size_t ninputs, nmodels;
  const struct load_library *libraries; /* their inputs come behind the program's */
  size_t nlibraries;
  const char *calls; /* functions whose calls the machine is told, one a line; NULL: none (program/named_calls.h) */
  bool locks;        /* and of those that take and give back locks, in the models, too */
  bool operations;   /* the program is an object's operations (program/object.h): its main() is a model's */
  bool coverage;     /* where the program comes to a line, it says so (OP_COVER) */
  bool ends;         /* the process ends behind it: memory is left to the system, which is quicker */
};

/* Writes the image, whole or not at all. ERR_FILE, ERR_FORMAT or ERR_UNSUPPORTED with a message that names the file or the construct. */
[[nodiscard]] enum err load_program(const struct load_options *options, struct diag *d);
