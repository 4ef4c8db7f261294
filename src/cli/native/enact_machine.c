#include "cli/native/enact_machine.h"

#include <errno.h>
#include <string.h>

#include "cli/session.h"
#include "cli/trust.h"
#include "machine/machine.h"
#include "program/process.h"
#include "report/follow.h"
#include "report/replayer.h"

/* Jumps and calls of one step. */
enum { INSN_LIMIT = 100000000 };

/* Runs the witness, and writes down its schedule. */
static enum err follow(const struct witness_file *w, struct session_inputs *inputs, struct machine_enacted *out, struct finding *wanted,
                       struct diag *d) {
  struct session s;
  struct followed seen = {0};
  struct schedule_file *f = &out->finding.schedule;
  inputs->accesses = true;
  enum err e = session_open(&s, inputs, d);
  inputs->accesses = false;
  if (e) return e;
  if (follow_is_property(w) && !properties_find(&s.properties.all, witness_file_string(w, w->kind)))
    text_puts(&seen.why, "no file of --property has such a property");
  else
    follow_witness(s.m, w, &seen);
  out->position = seen.done;
  text_puts(&out->what, text_str(&seen.why));
  if (seen.shown) {
    f->kind = seen.finding.kind;
    session_describe(inputs, f);
    f->message = schedule_intern(f, text_str(&seen.finding.message));
    e = replayer_record(s.m, &s.image, &seen.schedule, f, d);
    *wanted = seen.finding, seen.finding = (struct finding){0};
  }
  out->confirmed = seen.shown && !e;
  followed_release(&seen);
  session_close(&s);
  return e;
}

/* Another machine, which knows the schedule alone, has to show the finding. */
static enum err show(const struct session_inputs *inputs, const char *path, const struct finding *wanted, const struct style *style,
                     struct machine_enacted *out, struct diag *d) {
  struct session s;
  enum err e = session_open(&s, inputs, d);
  if (e) return e;
  out->confirmed = report_confirm(s.m, &s.image, &out->finding, wanted, d) == REPORT_SHOWN;
  if (out->confirmed) {
    text_puts(&out->finding.path, path);
    out->finding.needs_trust = trust_is_needed(&out->finding.schedule, path);
    out->confirmed = report_finding_text(s.m, &s.image, &out->finding, style, &out->report, d) == REPORT_SHOWN;
  }
  session_close(&s);
  return out->confirmed ? ERR_NONE : ERR_DIVERGED;
}

/* What the machine lacks is told, and no error; so is a program that it sees do something else. */
static enum err tell(enum err e, struct machine_enacted *out, struct diag *d) {
  if (!e || e == ERR_FILE) return e;
  out->confirmed = false;
  text_clear(&out->what);
  text_puts(&out->what, text_str(&d->message));
  diag_release(d);
  *d = (struct diag){0};
  return ERR_NONE;
}

enum err enact_in_machine(const struct witness_file *w, const struct enact_options *o, const char *schedule, const struct style *style,
                          struct machine_enacted *out, struct diag *d) {
  const char *program = o->program ? o->program : witness_file_string(w, w->program), *lacks = follow_lacks(w);
  struct text path = {0};
  struct finding wanted = {0};
  if (!lacks && follow_is_property(w) && (!o->properties || o->properties->count == 0))
    lacks = "it is not known what the property is, which --property=FILE says";
  if (lacks) {
    text_puts(&out->what, lacks);
    return ERR_NONE;
  }
  if (!process_find(program, &path)) {
    enum err e = diag_set(d, ERR_FILE, "cannot run %s: %s", program, strerror(errno));
    text_release(&path);
    return e;
  }
  struct session_inputs inputs = {.memory = "sc", .insn_limit = INSN_LIMIT, .no_leaks = true, .from_file = true};
  *vec_push(&inputs.programs) = text_str(&path);
  for (size_t i = 0; o->properties && i < o->properties->count; i++) *vec_push(&inputs.properties) = o->properties->data[i];
  for (size_t i = 1; i < w->arguments.count; i++) *vec_push(&inputs.arguments) = witness_file_string(w, w->arguments.data[i]);
  enum err e = follow(w, &inputs, out, &wanted, d);
  if (!e && out->confirmed) e = show(&inputs, schedule, &wanted, style, out, d);
  e = tell(e, out, d);
  if (!e && out->confirmed) e = schedule_file_write(&out->finding.schedule, schedule, d);
  finding_release(&wanted);
  vec_release(&inputs.programs);
  vec_release(&inputs.arguments);
  vec_release(&inputs.properties);
  text_release(&path);
  return e;
}

void machine_enacted_release(struct machine_enacted *e) {
  text_release(&e->what);
  text_release(&e->report);
  text_release(&e->finding.path);
  schedule_file_release(&e->finding.schedule);
}
