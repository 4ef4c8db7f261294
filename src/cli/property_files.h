/* The properties of the files that --property names (heddle-property(5)). */
#pragma once
#include "base/text.h"
#include "cli/options.h"
#include "property/property.h"

struct property_file {
  const char *path;
  struct text text;
  size_t first, count; /* of `all` */
  bool competition;    /* SV-COMP's (competition.h): the program need not have what is watched for it */
};

struct property_files {
  struct properties all;
  VEC(struct property_file) files;
  bool overflow; /* one is about overflows (competition_asks_overflow()) */
};

/* ERR_FILE, or ERR_FORMAT with a message that begins with file, line and column. Release it in any case. */
[[nodiscard]] enum err property_files_read(struct property_files *f, const struct words *paths, struct diag *d);
/* Does an event of theirs begin or end with a plain access? */
bool property_files_name_accesses(const struct property_files *f);
void property_files_release(struct property_files *f);
