/* heddle: finds the command and runs it. */
#include <string.h>

#include "cli/cc/cc.h"
#include "cli/cc/link.h"
#include "cli/command.h"
#include "cli/console.h"

static int command_cc(int argc, char **argv) { return cli_cc(argc + 1, argv - 1, false); }
static int command_cxx(int argc, char **argv) { return cli_cc(argc + 1, argv - 1, true); }
static int command_link(int argc, char **argv) { return cli_link(argc + 1, argv - 1); }

const struct command commands[] = {
    {"check", "[OPTION..] PROGRAM.. [-- ARGUMENT..]", "explore the executions of a program", CHECK, command_check},
    {"replay", "[OPTION..] SCHEDULE [PROGRAM..]", "run a schedule again and show its finding", REPLAY, command_replay},
    {"exec", "[OPTION..] PROGRAM.. [-- ARGUMENT..]", "run a program once in the machine", EXEC, command_exec},
    {"run", "[OPTION..] PROGRAM [ARGUMENT..]", "run a native program and report its data races and deadlocks", RUN, command_run},
    {"trace", "[OPTION..] PROGRAM [ARGUMENT..]", "run a native program and record what its threads do", TRACE, command_trace},
    {"predict", "[OPTION..] TRACE", "say what another order of a recorded run would have shown", PREDICT, command_predict},
    {"record", "[OPTION..] PROGRAM [ARGUMENT..]", "run a native program and record which way its threads go", RECORD, command_record},
    {"reproduce", "[OPTION..] LOG", "find an execution that fails as a recorded run did", REPRODUCE, command_reproduce},
    {"cc", "[FLAG..] FILE..", "compile C: clang, and its bitcode in what it writes", 0, command_cc},
    {"c++", "[FLAG..] FILE..", "compile C++ likewise", 0, command_cxx},
    {"link", "[--with=COMPILER] [FLAG..] FILE..", "link objects of -fsanitize=thread for heddle run", 0, command_link},
    {"show", "FILE", "print a file that Heddle wrote", SHOW, command_show},
    {"help", "[COMMAND]", "print the commands, or the options of one", 0, command_help},
    {NULL, NULL, NULL, 0, NULL},
};

const struct command *command_find(const char *name) {
  for (const struct command *c = commands; c->name; c++)
    if (strcmp(c->name, name) == 0) return c;
  return NULL;
}

static int version(void) {
  struct text out = {0};
  text_puts(&out, "heddle " HEDDLE_VERSION "\n");
  return console_finish(&out, EXIT_SAFE);
}

static int unknown(const char *name) {
  const char *names[sizeof commands / sizeof commands[0]];
  size_t n = 0;
  for (const struct command *c = commands; c->name; c++) names[n++] = c->name;
  names[n] = NULL;
  struct diag d = {0};
  diag_set(&d, ERR_USAGE, "there is no command \"%s\"", name);
  const char *near = nearest_word(name, names);
  if (near)
    diag_hint(&d, "did you mean heddle %s?", near);
  else
    diag_hint(&d, "heddle help lists the commands");
  int code = console_complain(&d);
  diag_release(&d);
  return code;
}

static int refuse(enum err e, const char *what, const char *hint) {
  struct diag d = {0};
  diag_set(&d, e, "%s", what);
  diag_hint(&d, "%s", hint);
  int code = console_complain(&d);
  diag_release(&d);
  return code;
}

/* Programs that look the compiler up as one word are given heddle-cc, a link to heddle. */
static const struct {
  const char *name;
  bool cxx;
} compilers[] = {{"heddle-cc", false}, {"heddle-c++", true}};

int main(int argc, char **argv) {
  if (!__builtin_cpu_supports("popcnt") || !__builtin_cpu_supports("sse4.2"))
    return refuse(ERR_UNSUPPORTED, "this processor lacks instructions that heddle is built with (x86-64-v2)",
                  "build it without -march=x86-64-v2 in meson.build");
  const char *called = argc ? strrchr(argv[0], '/') : NULL;
  called = called ? called + 1 : argc ? argv[0] : "";
  for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
    if (strcmp(called, compilers[i].name) == 0) return cli_cc(argc, argv, compilers[i].cxx);
  if (argc < 2) return refuse(ERR_USAGE, "no command given", "heddle help lists the commands");
  const char *name = argv[1];
  if (strcmp(name, "--version") == 0) return version();
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return command_help(0, NULL);
  const struct command *c = command_find(name);
  return c ? c->run(argc - 2, argv + 2) : unknown(name);
}
