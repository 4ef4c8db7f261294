/* heddle replay: a schedule file's execution, again. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/debugger.h"
#include "cli/exec.h"
#include "cli/native/enact_replay.h"
#include "cli/native/enact_schedule.h"
#include "cli/session.h"
#include "cli/stepper.h"
#include "cli/trust.h"
#include "execution/progress.h"
#include "machine/machine.h"
#include "report/report.h"
#include "report/style.h"

static void words_of(const struct schedule_file *f, const struct schedule_strings *strings, struct words *words) {
  for (size_t i = 0; i < strings->count; i++) *vec_push(words) = schedule_string(f, strings->data[i]);
}

static bool lists_outputs(const struct schedule_file *f) {
  for (size_t i = 0; i < f->steps.count; i++)
    if (f->steps.data[i].op == EVENT_OUTPUT) return true;
  for (size_t i = 0; i < f->stops.count; i++)
    if (f->stops.data[i].op == EVENT_OUTPUT) return true;
  return false;
}

/* What the file says about the program and how it ran; the command line's programs win. The vectors are the caller's. */
static void inputs_of(const struct schedule_file *f, const struct words *programs, struct session_inputs *inputs) {
  *inputs = (struct session_inputs){.input = f->input ? schedule_string(f, f->input) : NULL,
                                    .called = f->called ? schedule_string(f, f->called) : NULL,
                                    .memory = schedule_string(f, f->memory),
                                    .loop_bound = f->loop_bound,
                                    .spurious = f->spurious,
                                    .whole_deadlocks = f->whole_deadlocks,
                                    .no_leaks = f->no_leaks,
                                    .exit_codes = f->exit_codes,
                                    .alone = f->alone,
                                    .model = f->models.count ? schedule_string(f, f->models.data[0]) : NULL,
                                    .linearizable = f->scenarios.count > 0,
                                    .scenario = f->scenarios.count ? schedule_string(f, f->scenarios.data[0]) : NULL,
                                    .progress = progress_of_finding(f->kind),
                                    .nondet = f->nondet,
                                    .recorded = f->recorded,
                                    .how = f->how,
                                    .outputs = lists_outputs(f),
                                    .data = f,
                                    .from_file = true,
                                    .content = f->content};
  if (programs->count == 0)
    words_of(f, &f->programs, &inputs->programs);
  else
    for (size_t i = 0; i < programs->count; i++) *vec_push(&inputs->programs) = programs->data[i];
  words_of(f, &f->flags, &inputs->flags);
  words_of(f, &f->arguments, &inputs->arguments);
  words_of(f, &f->allowed, &inputs->allowed);
  words_of(f, &f->readable, &inputs->readable);
  words_of(f, &f->loads, &inputs->loads);
  words_of(f, &f->environment, &inputs->environment);
  words_of(f, &f->properties, &inputs->properties);
  words_of(f, &f->symbolic_stdin, &inputs->symbolic_stdin);
  words_of(f, &f->symbolic_files, &inputs->symbolic_files);
  words_of(f, &f->symbolic_arguments, &inputs->symbolic_arguments);
  words_of(f, &f->symbolic_variables, &inputs->symbolic_variables);
}

static void inputs_release(struct session_inputs *inputs) {
  vec_release(&inputs->programs);
  vec_release(&inputs->flags);
  vec_release(&inputs->arguments);
  vec_release(&inputs->allowed);
  vec_release(&inputs->readable);
  vec_release(&inputs->loads);
  vec_release(&inputs->environment);
  vec_release(&inputs->properties);
  vec_release(&inputs->symbolic_stdin);
  vec_release(&inputs->symbolic_files);
  vec_release(&inputs->symbolic_arguments);
  vec_release(&inputs->symbolic_variables);
}

static void warn_if_changed(const struct session *s, const struct schedule_file *f) {
  if (s->image.header->content != f->content)
    fprintf(stderr, "heddle: note: the program is not the one that the schedule was made with; steps are matched by place\n");
}

static enum err choose_format(const struct options *o, const struct report_format **format, struct diag *d) {
  const char *name = o->json ? "json" : o->format;
  *format = report_format_find(name);
  return *format ? ERR_NONE : diag_set(d, ERR_USAGE, "there is no report format \"%s\"; text and json are", name);
}

/* A text report is the finding and nothing else, so that it is the one that check printed. */
static enum report_shown write_text(const struct session *s, const struct report_finding *finding, const struct style *style,
                                    struct text *out, struct diag *d) {
  return report_finding_text(s->m, &s->image, finding, style, out, d);
}

/* Other formats get a report with this one finding, as this execution shows it. */
static enum report_shown write_formatted(const struct session *s, struct report_finding *finding, const struct report_format *format,
                                         const struct style *style, struct text *out, struct diag *d) {
  struct report r = {.image = &s->image, .m = s->m, .strategy = "replay", .executions = 1};
  r.memory = schedule_string(&finding->schedule, finding->schedule.memory);
  enum report_shown shown = report_confirm(s->m, &s->image, finding, NULL, d);
  r.verdict = shown == REPORT_SHOWN ? VERDICT_BUG : VERDICT_BOUNDED;
  r.findings.data = finding, r.findings.count = shown == REPORT_SHOWN;
  if (shown != REPORT_DIVERGED) format->write(&r, style, out);
  return shown;
}

static int show(const struct session *s, struct report_finding *finding, const struct options *o) {
  struct style style = style_for(STDOUT_FILENO, o->no_color);
  style.full = o->full;
  struct text out = {0};
  struct diag d = {0};
  const struct report_format *format;
  if (choose_format(o, &format, &d)) {
    int code = console_complain(&d);
    diag_release(&d);
    return code;
  }
  enum report_shown shown =
      format->write == report_as_text ? write_text(s, finding, &style, &out, &d) : write_formatted(s, finding, format, &style, &out, &d);
  static const int codes[] = {[REPORT_SHOWN] = EXIT_BUG, [REPORT_GONE] = EXIT_BOUNDED, [REPORT_DIVERGED] = EXIT_WRONG};
  if (shown != REPORT_SHOWN && deadline_passed) diag_set(&d, ERR_INTERRUPTED, "%s", SESSION_OUT_OF_TIME);
  int code = console_finish(&out, codes[shown != REPORT_SHOWN && deadline_passed ? REPORT_DIVERGED : shown]);
  if (shown != REPORT_SHOWN) console_complain(&d);
  diag_release(&d);
  return code;
}

static int replay(const struct options *o, struct report_finding *finding, struct diag *d) {
  struct session_inputs inputs;
  inputs_of(&finding->schedule, &(struct words){o->programs.data + 1, o->programs.count - 1, 0}, &inputs);
  inputs.echo = finding->schedule.is_input;
  inputs.debug = o->gdb || o->gdb_server;
  struct session s;
  int code;
  if (inputs.debug && (o->stepwise || o->json || o->full)) {
    diag_set(d, ERR_USAGE, "--gdb and --gdb-server go with none of --step, --json and --full");
    code = console_complain(d);
  } else if (inputs.echo && (o->stepwise || o->json || o->full || inputs.debug)) {
    diag_set(d, ERR_USAGE, "%s is an input, with which the program is run: there is no report", o->programs.data[0]);
    code = console_complain(d);
  } else if (o->natively && (o->stepwise || o->gdb_server || inputs.echo || (o->gdb && o->json))) {
    diag_set(d, ERR_USAGE, "--native is for findings, and goes with neither --step nor --gdb-server");
    code = console_complain(d);
  } else if (o->natively) {
    code = enact_schedule(o, finding, &inputs);
  } else if (session_open(&s, &inputs, d)) {
    code = console_complain(d);
  } else if (inputs.echo) {
    code = exec_session(&s);
    session_close(&s);
  } else {
    warn_if_changed(&s, &finding->schedule);
    if (inputs.debug)
      code = debugger_run(&s, finding, o);
    else
      code = o->stepwise ? stepper_run(s.m, &s.image, finding, o->no_color) : show(&s, finding, o);
    session_close(&s);
  }
  inputs_release(&inputs);
  return code;
}

/* ERR_USAGE if the file asks for what it may not have unasked. */
static enum err check_trust(const struct options *o, const struct schedule_file *f, struct diag *d) {
  const char *path = o->programs.data[0];
  struct text demands = {0};
  enum err e = ERR_NONE;
  if (!o->trust) trust_demands(f, path, &demands);
  if (demands.count) {
    e = diag_set(d, ERR_USAGE, "%s asks for what needs trust: %s", path, text_str(&demands));
    diag_hint(d, "these can run code or write files: if you know who wrote the schedule, pass --trust");
  }
  text_release(&demands);
  return e;
}

int command_replay(int argc, char **argv) {
  struct options o;
  int code;
  if (!command_options("replay", argc, argv, &o, &code)) return code;
  struct diag d = {0};
  struct report_finding finding = {0};
  deadline_set(o.time > 0 ? deadline_now() + o.time : 0);
  if (o.programs.count == 0) {
    diag_set(&d, ERR_USAGE, "no schedule given");
    diag_hint(&d, "heddle check writes one for each finding: heddle-KIND-1.schedule");
    code = console_complain(&d);
  } else if (enact_replay_is(o.programs.data[0]) && (o.gdb || o.gdb_server)) {
    diag_set(&d, ERR_USAGE, "%s is a witness of a native run; gdb debugs schedules", o.programs.data[0]);
    diag_hint(&d, "heddle replay --machine %s leaves a schedule, where the program can run in the machine", o.programs.data[0]);
    code = console_complain(&d);
  } else if (enact_replay_is(o.programs.data[0])) {
    code = enact_replay(&o);
  } else if (o.properties.count) {
    diag_set(&d, ERR_USAGE, "--property is for witnesses; a schedule says itself which properties were watched");
    code = console_complain(&d);
  } else if (schedule_file_read(&finding.schedule, o.programs.data[0], &d) || check_trust(&o, &finding.schedule, &d)) {
    code = console_complain(&d);
  } else {
    text_puts(&finding.path, o.programs.data[0]);
    finding.needs_trust = trust_is_needed(&finding.schedule, o.programs.data[0]);
    code = replay(&o, &finding, &d);
  }
  schedule_file_release(&finding.schedule);
  text_release(&finding.path);
  diag_release(&d);
  options_release(&o);
  return code;
}
