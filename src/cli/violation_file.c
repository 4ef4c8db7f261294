#include "cli/violation_file.h"

#include <string.h>

#include "base/file.h"
#include "cli/competition.h"
#include "cli/console.h"
#include "cli/options.h"
#include "report/report.h"
#include "report/violation.h"

static bool is_c_source(const char *path) {
  const char *dot = strrchr(file_last_part(path), '.');
  return dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".i") == 0);
}

enum err violation_file_check(const struct options *o, const struct competition *c, struct diag *d) {
  if (!o->witness) return ERR_NONE;
  if (!c->path) {
    diag_set(d, ERR_USAGE, "--witness needs a property of SV-COMP, which the witness is to violate");
    diag_hint(d, "--property=FILE names it; a line of the file reads: CHECK( init(main()), LTL(G ! call(reach_error())) )");
    return ERR_USAGE;
  }
  if (strcmp(o->memory, "sc") != 0)
    return diag_set(d, ERR_USAGE, "--witness and --memory=%s exclude each other: witnesses know no buffers", o->memory);
  for (size_t i = 0; i < o->programs.count; i++)
    if (!is_c_source(o->programs.data[i]))
      return diag_set(d, ERR_USAGE, "--witness needs C sources, whose lines it names (.c or .i); %s is none", o->programs.data[i]);
  return ERR_NONE;
}

static void note(struct report *r, const char *why) {
  struct text *t = vec_push(&r->notes);
  *t = (struct text){0};
  text_printf(t, "no witness was written: %s", why);
}

bool violation_file_write(const struct options *o, const struct competition *c, struct report *r) {
  if (!o->witness) return true;
  const struct report_finding *f = competition_finding(c, r);
  if (!f) {
    bool violated = strncmp(text_str(&r->result), "false", 5) == 0;
    note(r, violated ? "the execution was not run again" : "there are witnesses of violations alone");
    return true;
  }
  struct violation_task task = {
      .files = o->programs.data, .nfiles = o->programs.count, .specification = text_str(&c->specification), .version = HEDDLE_VERSION};
  struct text out = {0};
  struct diag d = {0};
  enum err e = violation_text(r->m, r->image, &f->schedule, &task, &out, &d);
  if (!e) e = file_write(o->witness, out.data, out.count, &d);
  if (e == ERR_FILE)
    (void)console_complain(&d);
  else if (e)
    note(r, text_str(&d.message));
  diag_release(&d);
  text_release(&out);
  return e != ERR_FILE;
}
