#include "cli/native/enact_replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/native/enact.h"
#include "cli/native/enact_machine.h"
#include "report/follow.h"
#include "report/style.h"
#include "trace/build.h"

bool enact_replay_is(const char *path) {
  struct diag ignored = {0};
  char start[16];
  size_t n = 0;
  bool is = file_start(path, FILE_TEXT, start, sizeof start, &n, &ignored) == ERR_NONE && witness_file_is(start, n);
  diag_release(&ignored);
  return is;
}

static enum err read_witness(struct witness_file *w, const char *path, struct diag *d) {
  struct text text = {0};
  enum err e = file_read(path, FILE_TEXT, &text, d);
  if (!e) e = witness_file_parse(w, path, text_str(&text), text.count, d);
  text_release(&text);
  return e;
}

/* The places that it names are those of one build. */
static bool is_stale(const struct witness_file *w, const char *program) {
  return trace_build_differs(program ? program : witness_file_string(w, w->program), witness_file_string(w, w->build));
}

enum err enact_replay_show(const char *path, struct text *out, struct diag *d) {
  struct witness_file w = {0};
  enum err e = read_witness(&w, path, d);
  if (e) return e;
  text_printf(out, "witness of %s, found by %s, in %s", witness_file_string(&w, w.kind), witness_file_string(&w, w.analysis),
              witness_file_string(&w, w.program));
  for (size_t i = 1; i < w.arguments.count; i++) text_printf(out, " %s", witness_file_string(&w, w.arguments.data[i]));
  text_printf(out, "\n%s%zu steps of %zu threads\n\n",
              is_stale(&w, NULL) ? "the program has been built again since: this is of another build\n" : "", w.steps.count,
              w.threads.count);
  for (size_t i = 0; i < w.steps.count; i++) enact_step_text(&w, &w.steps.data[i], "  step:  ", out);
  for (size_t i = 0; i < w.ends.count; i++) enact_step_text(&w, &w.ends.data[i], "  before:", out);
  witness_file_release(&w);
  return ERR_NONE;
}

/* What came of it, in the machine or natively. */
struct replayed {
  struct machine_enacted machine;
  struct enacted native;
  bool by_machine;
};

static void json_text(const struct witness_file *w, const struct replayed *r, struct text *out) {
  const struct machine_enacted *m = &r->machine;
  bool confirmed = r->by_machine ? m->confirmed : r->native.confirmed;
  text_puts(out, "{\"kind\":"), text_json_string(out, witness_file_string(w, w->kind));
  text_printf(out, ",\"by\":\"%s\",\"confirmed\":%s,\"confirmation\":", r->by_machine ? "machine" : "native", confirmed ? "true" : "false");
  text_json_string(out, r->by_machine ? confirmed ? "the machine shows it" : text_str(&m->what) : text_str(&r->native.what));
  if (r->by_machine && confirmed) text_puts(out, ",\"schedule\":"), text_json_string(out, text_str(&m->finding.path));
  text_printf(out, ",\"steps\":%zu,\"done\":%" PRIu32 "}\n", w->steps.count, r->by_machine ? m->position : r->native.position);
}

static void plain_text(const struct witness_file *w, const struct replayed *r, bool all, struct text *out) {
  const struct machine_enacted *m = &r->machine;
  if (!r->by_machine) {
    text_printf(out, "%s, %s: %s\n", witness_file_string(w, w->kind), r->native.confirmed ? "confirmed" : "not confirmed",
                text_str(&r->native.what));
    enact_steps_text(w, r->native.position, all, out);
  } else if (m->confirmed) {
    text_printf(out, "%s, confirmed: the machine shows it, by the schedule %s\n\n%s", witness_file_string(w, w->kind),
                text_str(&m->finding.path), text_str(&m->report));
  } else {
    text_printf(out, "%s, not confirmed: in the machine, %s\n", witness_file_string(w, w->kind), text_str(&m->what));
    enact_steps_text(w, m->position, all, out);
  }
}

/* In the machine if it comes to the finding there, else natively. */
static enum err carry_out(const struct witness_file *w, const struct options *o, struct replayed *r, struct diag *d) {
  struct enact_options how = {
      .program = o->programs.count > 1 ? o->programs.data[1] : NULL, .limit = o->limit, .properties = &o->properties};
  struct style style = style_for(STDOUT_FILENO, o->no_color);
  struct text schedule = {0};
  enum err e = ERR_NONE;
  style.full = o->full;
  text_printf(&schedule, "%s.schedule", o->programs.data[0]);
  if (!o->natively) e = enact_in_machine(w, &how, text_str(&schedule), &style, &r->machine, d);
  text_release(&schedule);
  r->by_machine = o->in_machine || r->machine.confirmed;
  if (e || r->by_machine) return e;
  e = enact(w, &how, &r->native, d);
  if (!e && !o->natively) fprintf(stderr, "heddle: note: carried out natively; in the machine, %s\n", text_str(&r->machine.what));
  return e;
}

static enum err check_options(const struct options *o, const struct witness_file *w, bool json, struct diag *d) {
  if (o->programs.count > 2) return diag_set(d, ERR_USAGE, "a witness is of one program, with the arguments that it says");
  if (o->properties.count && !follow_is_property(w))
    return diag_set(d, ERR_USAGE, "--property is for witnesses of properties; this one is of: %s", witness_file_string(w, w->kind));
  if (o->in_machine && o->natively) return diag_set(d, ERR_USAGE, "--machine and --native exclude each other");
  if (json || strcmp(o->format, "text") == 0) return ERR_NONE;
  return diag_set(d, ERR_USAGE, "there is no report format \"%s\"; text and json are", o->format);
}

int enact_replay(const struct options *o) {
  struct witness_file w = {0};
  struct replayed r = {0};
  struct diag d = {0};
  struct text out = {0};
  bool json = o->json || strcmp(o->format, "json") == 0;
  enum err e = read_witness(&w, o->programs.data[0], &d);
  if (!e) e = check_options(o, &w, json, &d);
  if (!e && is_stale(&w, o->programs.count > 1 ? o->programs.data[1] : NULL))
    fprintf(stderr, "heddle: note: the witness is of another build of the program: places may be others now\n");
  if (!e) e = carry_out(&w, o, &r, &d);
  if (!e && json) json_text(&w, &r, &out);
  if (!e && !json) plain_text(&w, &r, o->full, &out);
  bool confirmed = r.by_machine ? r.machine.confirmed : r.native.confirmed;
  int code = e ? console_complain(&d) : console_finish(&out, confirmed ? EXIT_BUG : EXIT_BOUNDED);
  text_release(&out);
  machine_enacted_release(&r.machine);
  enacted_release(&r.native);
  witness_file_release(&w);
  diag_release(&d);
  return code;
}
