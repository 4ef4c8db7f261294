/* The commands of `heddle`. A command gets its arguments without its own name and returns the exit code. */
#pragma once
#include "cli/options.h"

struct command {
  const char *name;
  const char *synopsis; /* what follows the name */
  const char *summary;
  enum command_bit bit; /* 0: the command reads its arguments itself */
  int (*run)(int argc, char **argv);
};

/* NULL-named row at the end. */
extern const struct command commands[];
const struct command *command_find(const char *name);

int command_check(int argc, char **argv);
int command_replay(int argc, char **argv);
int command_exec(int argc, char **argv);
int command_run(int argc, char **argv);
int command_predict(int argc, char **argv);
int command_trace(int argc, char **argv);
int command_record(int argc, char **argv);
int command_reproduce(int argc, char **argv);
int command_show(int argc, char **argv);
int command_help(int argc, char **argv);

/* Parses for the command of that name. False: `*code` is the exit code to return, because it was --help or wrong. */
bool command_options(const char *name, int argc, char **argv, struct options *o, int *code);
