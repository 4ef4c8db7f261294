/* Witnesses are carried out natively: the program is built again so that each event waits for its turn (rebuild.h), and run under a runtime
 * that gives the turns (runtime/enforce). What is called confirmed was there in that run: the threads stood as the finding says. */
#pragma once
#include "base/err.h"
#include "trace/witness_file.h"

struct words;

/* How a run ends that does all steps, where the finding is not one that the runtime looks for (base/enforce.h). */
struct enact_ending {
  enum { ENACT_UNSEEN, ENACT_SIGNAL, ENACT_ANY_SIGNAL, ENACT_EXIT, ENACT_HANGS, ENACT_TURNS } how;
  int signal;             /* ENACT_SIGNAL */
  const uint8_t *goes_on; /* of each thread: 1: it is not held behind its last step */
  const uint8_t *hangs;   /* ENACT_HANGS: of each thread: 1: it waits for ever; if none does, all do */
};

/* Zeroed but for `limit`: as the witness says. */
struct enact_options {
  const char *program;            /* NULL: the one that the witness names */
  double limit;                   /* seconds in which nothing happens, until it is given up */
  bool quiet;                     /* the program reads and prints nothing */
  const struct words *properties; /* files that say what the witness's property is, for the machine; NULL: none */
  /* Of steps that are not a witness's, but made from a schedule (enact_schedule.h): */
  bool by_place;                     /* the witness's sites are numbered from 1 on: a step is where the program has that line and column */
  const uint8_t *loose;              /* of each step: 1: the program may lack it, as it is built now; NULL: none */
  const struct enact_ending *ending; /* NULL: as the finding's kind says */
  const struct words *environment;   /* "NAME=VALUE" */
  const char *input;                 /* file that is its standard input; NULL: ours */
  const struct words *gdb;           /* it runs in gdb, which is given these arguments; NULL: it does not */
};

/* Zeroed is empty. */
struct enacted {
  bool confirmed;
  struct text what;  /* what was seen, or why the finding was not */
  uint32_t position; /* steps that were done */
  int debugged;      /* exit code of gdb */
};

/* Errors are those of building and starting; a program that does something else is none. */
[[nodiscard]] enum err enact(const struct witness_file *w, const struct enact_options *o, struct enacted *out, struct diag *d);
void enacted_release(struct enacted *e);
/* "FILE:LINE:COLUMN" of a step's place, or "an unknown place". */
void enact_place(const struct witness_file *w, uint32_t site, struct text *out);
/* A line: "MARK thread 0.1 acquire at FILE:LINE:COLUMN". */
void enact_step_text(const struct witness_file *w, const struct witness_step *s, const char *mark, struct text *out);
/* The last steps that were done, or all, and what came next. */
void enact_steps_text(const struct witness_file *w, uint32_t position, bool all, struct text *out);
