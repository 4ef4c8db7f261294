#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/console.h"
#include "report/report.h"
#include "strategy/strategy.h"

static void overview(struct text *out) {
  text_puts(out,
            "Heddle finds the thread schedules that break a C or C++ program, shows them, and proves their absence.\n\n"
            "usage: heddle COMMAND [OPTION..] ARGUMENT..\n\n");
  for (const struct command *c = commands; c->name; c++) text_printf(out, "  %-8s %s\n", c->name, c->summary);
  text_puts(out,
            "\nheddle COMMAND --help and the manual page heddle-COMMAND(1) tell more. First steps:\n\n"
            "  heddle check program.c       explore all executions\n"
            "  heddle replay FILE.schedule  see a finding again\n");
}

static void command_text(const struct command *c, struct text *out) {
  text_printf(out, "usage: heddle %s %s\n\n%s\n", c->name, c->synopsis, c->summary);
  if (!c->bit) return;
  text_puts(out, "\noptions:\n");
  options_help(c->bit, out);
  if (c->bit & (CHECK | EXEC))
    text_puts(out, "  -I -D -U -O -std= -f.. -W.. -m.. -g -include -isystem\n                             passed to the compiler\n");
  if (!(c->bit & (CHECK | REPRODUCE))) return;
  text_puts(out, "\nstrategies:\n");
  if (c->bit == REPRODUCE) text_printf(out, "  %-10s %s\n", strategy_constraints.name, strategy_constraints.summary);
  for (const struct strategy_type *const *s = strategies; *s; s++)
    text_printf(out, "  %-10s %s%s\n", (*s)->name, (*s)->summary, (*s)->exhaustive ? "" : " (never ends with SAFE)");
  if (c->bit != CHECK) return;
  text_puts(out, "\nexit codes: 0 SAFE, 1 BUG, 2 wrong use or a program that cannot be run, 3 BOUNDED\n");
}

int command_help(int argc, char **argv) {
  struct text out = {0};
  /* for scripts/check-man: the names of commands, or of a command's options */
  bool names = argc > 0 && strcmp(argv[argc - 1], "--names") == 0;
  argc -= names;
  const struct command *c = argc > 0 ? command_find(argv[0]) : NULL;
  if (argc > 0 && !c) {
    struct diag d = {0};
    diag_set(&d, ERR_USAGE, "there is no command \"%s\"", argv[0]);
    int code = console_complain(&d);
    diag_release(&d);
    return code;
  }
  if (!c && names)
    for (c = commands; c->name; c++) text_printf(&out, "%s\n", c->name);
  else if (!c)
    overview(&out);
  else if (names)
    options_names(c->bit, &out);
  else
    command_text(c, &out);
  return console_finish(&out, EXIT_SAFE);
}

bool command_options(const char *name, int argc, char **argv, struct options *o, int *code) {
  const struct command *c = command_find(name);
  struct diag d = {0};
  bool good = !options_parse(o, c->bit, argc, argv, &d);
  if (!good) {
    if (!d.hint.count) diag_hint(&d, "heddle %s --help lists the options", name);
    *code = console_complain(&d);
  } else if (o->help) {
    struct text out = {0};
    command_text(c, &out);
    *code = console_finish(&out, EXIT_SAFE);
    good = false;
  }
  if (!good) options_release(o);
  diag_release(&d);
  return good;
}
