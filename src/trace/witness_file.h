/* Witnesses of findings in recorded runs: the order of events that shows the finding, so that the program can be made to do it again
 * (heddle-witness(5)). Written by `heddle predict`, carried out by `heddle replay`.
 *
 * Of each thread there are *steps*: some of its recorded events, in program order, up to the finding; all of them that matter to another
 * thread are among them. All steps have one order, that in which they are here. Behind them are the *ends*: events that are not done,
 * before which threads stand when all steps are.
 *
 * An event has no number that would be the same in another run: it is named by what it does, where (a site), and how many events of the
 * same kind and place its thread does between its last step and it. */
#pragma once
#include "base/err.h"
#include "base/vec.h"
#include "trace/recorded.h"

enum { WITNESS_VERSION = 1 };
/* A witness with more steps is none that anybody can carry out: nothing is written. */
enum { WITNESS_STEPS_MOST = 1 << 21, WITNESS_THREADS_MOST = 1 << 12, WITNESS_ENDS_MOST = 16, WITNESS_NAME_MOST = 64 };

struct witness_step {
  uint32_t thread; /* index into `threads` */
  uint32_t site;   /* number of the place in the recorder, and in a run of the same program */
  uint32_t skip;
  uint8_t op;       /* enum event_op */
  uint8_t flags;    /* EVENT_SHARED_LOCK, EVENT_TIMED_OUT */
  uint8_t note;     /* 1 and up: the finding's so manieth event; 0: none of them */
  uint64_t address; /* of an access, in the recorded run, if the trace lacks accesses at the same place: events at other addresses are
                       others, and do not count; 0: any */
};

struct witness_site {
  uint32_t number, line, column;
  uint32_t file, function; /* offsets */
};

/* Zeroed is empty. Texts are offsets into `strings`; 0 is the empty string. */
struct witness_file {
  uint32_t kind;                  /* of the finding: "data-race", or a property's name */
  uint32_t analysis;              /* "maximal"; "property" if `kind` is one's name */
  uint32_t program;               /* path of the file that was recorded, as heddle trace was given it */
  uint32_t build;                 /* of that file (build.h); "" if it is not known */
  uint64_t data_end;              /* address where the recorded program's variables ended; 0: not known */
  VEC(uint32_t) arguments;        /* from argv[0] on */
  VEC(uint32_t) threads;          /* "0.2.1" */
  VEC(struct witness_site) sites; /* by number; those of the steps and ends */
  VEC(struct witness_step) steps, ends;
  VEC(char) strings;
};

uint32_t witness_file_add(struct witness_file *w, const char *string, size_t length);
const char *witness_file_string(const struct witness_file *w, uint32_t offset);
/* NULL if it is not known. */
const struct witness_site *witness_file_site(const struct witness_file *w, uint32_t number);
void witness_file_release(struct witness_file *w);

void witness_file_text(const struct witness_file *w, struct text *out);
/* Whole, or not at all. */
[[nodiscard]] enum err witness_file_write(const struct witness_file *w, const char *path, struct diag *d);
/* ERR_FORMAT, with the line, if the text is not what witness_file_text() makes. `path`: for messages. */
[[nodiscard]] enum err witness_file_parse(struct witness_file *w, const char *path, const char *text, size_t n, struct diag *d);
/* Does the text begin like one? */
bool witness_file_is(const char *text, size_t n);
