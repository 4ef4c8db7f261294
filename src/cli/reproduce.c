/* heddle reproduce: from the log of a run that failed, an execution that fails in the same way. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "cli/check.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/ends.h"
#include "cli/interrupt.h"
#include "cli/plan.h"
#include "strategy/planned.h"
#include "strategy/strategy.h"
#include "trace/path_log.h"

static enum err check_log(const struct path_log *log, const char *path, struct diag *d) {
  const struct path_header *h = &log->header;
  if (h->end == PATH_END_UNKNOWN)
    return diag_set(d, ERR_UNSUPPORTED, "%s does not say how the run ended: heddle record was stopped before", path);
  if (h->end == PATH_END_EXIT && h->code == 0) {
    diag_hint(d, "heddle record --until-failure runs a program until it fails");
    return diag_set(d, ERR_UNSUPPORTED, "the run of %s did not fail: it ended with exit code 0", path);
  }
  if (!ends_kinds(h))
    return diag_set(d, ERR_UNSUPPORTED, "the run of %s was ended from outside, by signal %u (%s)", path, h->code, strsignal((int)h->code));
  if (h->lost)
    return diag_set(d, ERR_UNSUPPORTED, "%s lacks %u thread%s of the run: there was no room", path, h->lost, h->lost == 1 ? "" : "s");
  return ERR_NONE;
}

/* Those of the run, unless the user says what they are. */
static void set_variables(struct options *o, const struct path_log *log) {
  size_t said = o->environment.count;
  for (size_t i = 0; i < log->given.count; i++) {
    const struct path_given *g = &log->given.data[i];
    const char *equals = g->kind == PIECE_VARIABLE ? strchr(g->name, '=') : NULL;
    bool counts = equals && equals > g->name;
    for (size_t k = 0; counts && k < said; k++) counts = strncmp(o->environment.data[k], g->name, (size_t)(equals - g->name) + 1) != 0;
    if (counts) *vec_push(&o->environment) = g->name;
  }
}

/* So long, at most, executions are tried before orders are solved for: most runs are reproduced by then. */
#define FIRST_SECONDS 5.0
#define FIRST_PART    0.25 /* of --time */
#define SOLVE_PART    0.5  /* of what is left */
#define SOLVE_SECONDS 60.0 /* without --time: executions may be tried for as long as one likes */

static int explore_part(const struct options *o, const struct path_log *log, double seconds, const char *note, bool unless_late) {
  struct options part = *o;
  part.time = seconds;
  return check_program(&part, &(struct check_request){.paths = log, .note = note, .unless_late = unless_late});
}

/* With numbers of paths nobody knows at a branch which way the thread went. */
static enum err check_branches(const struct path_log *log, struct diag *d) {
  if (log->header.how != PATH_HOW_NUMBERS) return ERR_NONE;
  diag_hint(d, "heddle record --paths=bits");
  return diag_set(d, ERR_UNSUPPORTED, "constraints need a log of branches, and this one has numbers of paths");
}

/* An execution in the order that a solver finds. CHECK_NOTHING: there is none, and `d` says why. */
static int solve(const struct options *o, const struct path_log *log, double seconds, struct diag *d) {
  struct plan plan = {0};
  struct options alone = *o;
  int code = CHECK_NOTHING;
  alone.jobs = 1;
  interrupt_catch();
  deadline_set(seconds > 0 ? deadline_now() + seconds : 0);
  if (check_branches(log, d) == ERR_NONE && plan_find(o, log, &plan, d) == ERR_NONE) {
    code = check_program(&alone, &(struct check_request){.paths = log, .plan = &plan, .only_findings = true});
    if (code == CHECK_NOTHING) diag_set(d, ERR_DIVERGED, "the program does something else in the order that was found");
  }
  vec_release(&plan.steps);
  if (code == CHECK_NOTHING && deadline_passed == DEADLINE_INTERRUPTED) diag_set(d, ERR_INTERRUPTED, "it was interrupted");
  return code;
}

/* Executions are tried, for a while; then an order is solved for; then executions are tried until the time is over. */
static int find(const struct options *o, const struct path_log *log, struct diag *d) {
  double begun = deadline_now(), first = o->time && o->time * FIRST_PART < FIRST_SECONDS ? o->time * FIRST_PART : FIRST_SECONDS;
  int code = explore_part(o, log, first, NULL, true);
  if (code != CHECK_NOTHING || deadline_passed == DEADLINE_INTERRUPTED)
    return code == CHECK_NOTHING ? explore_part(o, log, o->time, NULL, false) : code;
  double tried = deadline_now() - begun, left = o->time - tried;
  code = solve(o, log, o->time ? left * SOLVE_PART : SOLVE_SECONDS, d);
  if (code != CHECK_NOTHING) return code;
  struct text note = {0};
  double spent = deadline_now() - begun;
  text_printf(&note, "no order was found by constraints, in %.1f s, after %.1f s of executions that are not counted here: %s",
              spent - tried, tried, text_str(&d->message));
  left = o->time - spent;
  code = explore_part(o, log, o->time ? (left > 0.1 ? left : 0.1) : 0, text_str(&note), false);
  text_release(&note);
  return code;
}

static enum err start(struct options *o, int *code, struct diag *d) {
  struct path_log log = {0};
  if (o->programs.count != 1) return diag_set(d, ERR_USAGE, "heddle reproduce takes the log of one run");
  const char *path = o->programs.data[0];
  enum err e = plan_check(o, d);
  if (!e) e = path_log_read(&log, path, d);
  if (!e) e = check_log(&log, path, d);
  if (!e && access(log.program, R_OK) != 0) e = diag_set(d, ERR_FILE, "the program of the run, %s, is not there any more", log.program);
  if (!e) {
    const char *kinds = ends_kinds(&log.header);
    words_set(&o->programs, 1, &log.program);
    words_set(&o->arguments, log.arguments.count, log.arguments.data);
    words_set(&o->only, 1, &kinds);
    set_variables(o, &log);
    o->stop_at_first = o->no_leaks = o->exit_codes = true;
    o->step_limit = 0; /* an execution has as many steps as the run had */
    if (o->smt) {
      *code = 0;
      e = check_branches(&log, d);
      interrupt_catch();
      deadline_set(o->time > 0 ? deadline_now() + o->time : 0);
      if (!e) e = plan_script(o, &log, o->smt, d);
    } else if (o->strategy && strcmp(o->strategy, strategy_constraints.name) == 0) {
      *code = solve(o, &log, o->time, d);
      if (*code == CHECK_NOTHING) e = ERR_UNSUPPORTED;
      if (e && deadline_passed != DEADLINE_INTERRUPTED) diag_hint(d, "without --strategy, executions are tried as well");
    } else if (o->strategy) {
      *code = check_program(o, &(struct check_request){.paths = &log});
    } else {
      *code = find(o, &log, d);
    }
  }
  path_log_release(&log);
  return e;
}

int command_reproduce(int argc, char **argv) {
  struct options o;
  struct diag d = {0};
  int code;
  if (!command_options("reproduce", argc, argv, &o, &code)) return code;
  if (start(&o, &code, &d)) code = console_complain(&d);
  diag_release(&d);
  options_release(&o);
  return code;
}
