/* A program, opened and in the machine: what check, exec and replay start with. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cli/native/rebuild.h"
#include "cli/options.h"
#include "cli/property_files.h"
#include "cli/spec_files.h"
#include "cli/unfixed.h"
#include "machine/machine.h"
#include "objects/progress.h"
#include "objects/sequential.h"
#include "program/image.h"

struct path_log;
struct schedule_file;

/* How to open and run a program. The words belong to someone else. */
struct session_inputs {
  struct words programs, flags, arguments, allowed, readable, loads, environment, properties, specs;
  struct words symbolic_stdin, symbolic_files, symbolic_arguments, symbolic_variables; /* unfixed.h */
  const char *input;
  const char *called; /* argv[0], where no log says it; NULL: the program's name */
  const char *memory;
  uint64_t loop_bound; /* of the exploration: the machine has none */
  uint64_t insn_limit;
  uint64_t content; /* of another image than this one all accesses are visible; 0: of none */
  bool spurious, whole_deadlocks, no_leaks, exit_codes, echo;
  bool from_file;  /* a file says all this: what it names must be files, since a pipe of its choice could keep us waiting */
  bool outputs;    /* writing to standard output is a step */
  bool accesses;   /* every access is visible, as of another image */
  bool all_inputs; /* of programs with symbolic data; else they are given those of `data` */
  bool nondet;     /* __VERIFIER_nondet_*() give inputs, not choices */
  const struct schedule_file *data; /* NULL: zeros */
  bool recorded;                    /* the program is built as heddle record does (native/rebuild.h); */
  enum path_how how;                /* and what its log would have. With `paths`: what it has */
  const struct path_log *paths;     /* of the run that is repeated, with what it was given; NULL: none */
  bool debug;                       /* session.debug is asked for */
  bool coverage;                    /* lines that executions come to are remarked (REMARK_COVERED) */
  bool records;                     /* machine_recorded() is asked for */
  bool few_threads;                 /* as of struct machine_options */
  bool apart;                       /* threads are executed apart (machine/apart.h) */
  bool one_step;                    /* as of struct machine_options */
  bool linearizable;                /* the program is an object's operations (objects/scenario.h); */
  const char *scenario;             /* and this is what is done with it; NULL: session_play() will say */
  const char *model;                /* its results are compared with those of this one's operations; NULL: with its own */
  enum progress_condition progress; /* of the scenario it is asked whether its operations end, and nothing else */
  bool alone;                       /* what a thread does after all others were joined is visible, too */
};

/* What commands say that stop at --time without a verdict. */
#define SESSION_OUT_OF_TIME "the execution was stopped: the time limit was reached"

struct session {
  struct image image;
  struct text debug; /* the image's file for debuggers (program/source.h) */
  struct machine *m;
  struct words argv, allowed, readable, environment; /* NULL-terminated; they live as long as the machine, as do */
  struct property_files properties;
  struct spec_files *specs; /* NULL: there are none */
  VEC(struct machine_input) inputs;
  VEC(struct machine_file) files;
  VEC(uint8_t) bytes; /* theirs */
  struct unfixed unfixed;
  struct rebuild rebuilt; /* inputs->recorded */
  struct machine_options options;
  struct object object; /* inputs->linearizable */
  struct image model;   /* inputs->model; else empty */
  struct scenario scenario;
  struct hashmap crash_states; /* of executions in which a thread of the scenario crashes: options.crash_states */
  bool narrows_not;            /* options.no_narrowing, whichever scenario it is */
  struct sequential sequential;
};

/* The inputs that the options say. Nothing of it is owned. */
struct session_inputs session_inputs_of(const struct options *o);
/* The memory model of that name. */
enum err session_memory(const char *name, enum machine_memory *memory, struct diag *d);
/* On error nothing is left. With inputs->linearizable and no scenario there is no machine yet. */
[[nodiscard]] enum err session_open(struct session *s, const struct session_inputs *inputs, struct diag *d);
/* Of a program that is an object's operations: the machine is made (again) for that scenario. On error there is none, and the session is
 * still to be closed. */
[[nodiscard]] enum err session_play(struct session *s, const struct scenario *scenario, struct diag *d);
/* The machine is made again: for execution/progress.h. The same on errors. */
[[nodiscard]] enum err session_play_on(struct session *s, const struct scenario *scenario, enum progress_condition asked, struct diag *d);
void session_close(struct session *s);
/* Writes the inputs into a schedule file. */
void session_describe(const struct session_inputs *inputs, struct schedule_file *f);
