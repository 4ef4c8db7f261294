/* Programs of `heddle cc`, built again from the bitcode in them so that they record what they do (src/weave/recording.h): woven, and linked
 * by the link line that they remember. What comes of it is in the cache, by the content of all that goes into it. */
#pragma once
#include <stdint.h>

#include "program/args.h"
#include "program/bundle.h"
#include "program/cache.h"
#include "trace/path_format.h"

struct rebuild {
  enum path_how how; /* REBUILD_PATHS, REBUILD_MODULES: to be said before */
  struct bundle bundle;
  struct text program;   /* the file to run in its place; REBUILD_MODULES: there is none */
  struct args modules;   /* REBUILD_PATHS, REBUILD_MODULES: the woven bitcode of all files, which the machine can run */
  struct args libraries; /* of the libraries that it needs, those that were built again, too: "NAME=FILE" */
  struct args missing;   /* a sentence for each part that is not recorded */
};

/* What the program is built for: its events are recorded, or wait for their turns as a witness says; or the ways of its branches are
 * recorded (weave/paths.h), which needs the program, or its modules alone, which are the same. */
enum rebuild_for { REBUILD_RECORDING, REBUILD_ENFORCING, REBUILD_PATHS, REBUILD_MODULES };
/* `calls`: names of functions whose calls are recorded, one a line. ERR_UNSUPPORTED for a program without bitcode, or one that cannot be
 * watched; ERR_TOOL if clang fails. Release it in any case. */
[[nodiscard]] enum err rebuild_woven(struct rebuild *r, const char *path, enum rebuild_for what, const char *calls, struct diag *d);
/* Which build of the modules it is: a hash of them. */
[[nodiscard]] enum err rebuild_hash(const struct rebuild *r, uint64_t *hash, struct diag *d);
void rebuild_release(struct rebuild *r);
/* Libraries that were built again are found by their names in a folder of links, for LD_LIBRARY_PATH, whose path is appended if there is
 * any; it is removed again. */
[[nodiscard]] enum err rebuild_link(const struct args *libraries, struct text *folder, struct diag *d);
/* Puts the folder in front of LD_LIBRARY_PATH, for programs that are started. */
void rebuild_search(const struct text *folder);
void rebuild_unlink(const struct args *libraries, const struct text *folder);
/* The value of HEDDLE_OPTIONS gets a length that does not depend on what it says, so that the stack begins at the same address. */
void rebuild_pad(struct text *value);
