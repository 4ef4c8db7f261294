/* Witnesses are carried out natively: the program is built again so that each event waits for its turn (rebuild.h), and run under a runtime
 * that gives the turns (runtime/enforce). What is called confirmed was there in that run: the threads stood as the finding says. */
#pragma once
#include "base/err.h"
#include "trace/witness_file.h"

struct words;

struct enact_options {
  const char *program;            /* NULL: the one that the witness names */
  double limit;                   /* seconds in which nothing happens, until it is given up */
  bool quiet;                     /* the program reads and prints nothing */
  const struct words *properties; /* files that say what the witness's property is, for the machine; NULL: none */
};

/* Zeroed is empty. */
struct enacted {
  bool confirmed;
  struct text what;  /* what was seen, or why the finding was not */
  uint32_t position; /* steps that were done */
};

/* Errors are those of building and starting; a program that does something else is none. */
[[nodiscard]] enum err enact(const struct witness_file *w, const struct enact_options *o, struct enacted *out, struct diag *d);
void enacted_release(struct enacted *e);
/* "FILE:LINE:COLUMN" of a step's place, or "an unknown place". */
void enact_place(const struct witness_file *w, uint32_t site, struct text *out);
