#include "cli/native/enact_schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/native/enact_steps.h"
#include "cli/session.h"
#include "program/compile.h"
#include "program/install.h"
#include "program/process.h"
#include "report/report.h"
#include "report/witness.h"

/* What is made for the run, and removed behind it. */
struct made {
  struct text folder, program, input;
};

/* --- what the machine did --- */

static enum err find_steps_so(const struct schedule_file *f, struct session_inputs *inputs, bool accesses, struct enact_steps *steps,
                              struct diag *d) {
  struct session s;
  struct witness w;
  inputs->accesses = accesses;
  enum err e = session_open(&s, inputs, d);
  inputs->accesses = false;
  if (e) return e;
  e = witness_make(&w, s.m, &s.image, f, NULL, d);
  if (!e && !w.shown) e = diag_set(d, ERR_DIVERGED, "the machine's execution does not show the finding: the program may have changed");
  if (!e) e = enact_steps_make(s.m, &s.image, &w, steps, d);
  witness_release(&w);
  session_close(&s);
  return e;
}

/* Best with all accesses, so that it is known how many come at a place before one that is a step. Where that takes a schedule of fewer
 * another way, as it was made. */
static enum err find_steps(const struct schedule_file *f, struct session_inputs *inputs, struct enact_steps *steps, struct diag *d) {
  enum err e = find_steps_so(f, inputs, true, steps, d);
  if (e != ERR_DIVERGED) return e;
  diag_release(d);
  *d = (struct diag){0};
  enact_steps_release(steps);
  *steps = (struct enact_steps){0};
  return find_steps_so(f, inputs, false, steps, d);
}

/* --- the program --- */

static bool is_c(const char *path) {
  size_t n = strlen(path);
  return n > 2 && strcmp(path + n - 2, ".c") == 0;
}

/* Compiled without optimisation, as the machine's was, unless its flags say otherwise. */
static enum err compile(const struct session_inputs *inputs, struct made *made, struct diag *d) {
  char self[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  struct install install = {0};
  struct args command = {0};
  bool c = true;
  int status = 0;
  self[n > 0 ? n : 0] = 0;
  for (size_t i = 0; i < inputs->programs.count; i++) c &= is_c(inputs->programs.data[i]);
  enum err e = install_find(&install, d);
  text_printf(&made->program, "%s/program", text_str(&made->folder));
  args_add(&command, self), args_add(&command, c ? "cc" : "c++");
  args_add(&command, "-g"), args_add(&command, "-O0"), args_add(&command, "-DHEDDLE_NATIVE");
  for (size_t i = 0; i < inputs->flags.count; i++) args_add(&command, inputs->flags.data[i]);
  if (install.include.count) args_add(&command, "-idirafter"), args_add(&command, text_str(&install.include));
  for (size_t i = 0; i < inputs->programs.count; i++) args_add(&command, inputs->programs.data[i]);
  args_add(&command, "-pthread"), args_add(&command, "-o"), args_add(&command, text_str(&made->program));
  if (!e) e = process_run(&command, PROCESS_ERRORS_INHERIT, NULL, &status, d);
  if (!e && status != 0) {
    diag_hint(d, "its message stands above; build the program with heddle cc, and check that");
    e = diag_set(d, ERR_TOOL, "the program cannot be compiled to run natively");
  }
  args_release(&command);
  install_release(&install);
  return e;
}

static bool are_sources(const struct session_inputs *inputs) {
  for (size_t i = 0; i < inputs->programs.count; i++)
    if (!compile_is_source(inputs->programs.data[i])) return false;
  return inputs->programs.count > 0;
}

static enum err find_program(const struct session_inputs *inputs, struct made *made, struct diag *d) {
  if (inputs->linearizable) {
    diag_hint(d, "heddle replay, without --native, shows it");
    return diag_set(d, ERR_UNSUPPORTED, "the schedule is of an object's operations, which have no main() that could run natively");
  }
  if (are_sources(inputs)) return compile(inputs, made, d);
  if (inputs->programs.count == 1 && process_find(inputs->programs.data[0], &made->program)) return ERR_NONE;
  diag_hint(d, "build it with heddle cc, and check or record that program");
  return diag_set(d, ERR_UNSUPPORTED, "the schedule is of %s, which cannot be run: no program, and not sources alone",
                  inputs->programs.count ? inputs->programs.data[0] : "nothing");
}

/* --- what it is given --- */

static enum err write_input(const struct schedule_bytes *bytes, struct made *made, struct diag *d) {
  text_printf(&made->input, "%s/input", text_str(&made->folder));
  FILE *f = fopen(text_str(&made->input), "we");
  bool well = f && fwrite(bytes->bytes.data, 1, bytes->bytes.count, f) == bytes->bytes.count;
  if (f && fclose(f) != 0) well = false;
  return well ? ERR_NONE : diag_set(d, ERR_FILE, "cannot write %s: %s", text_str(&made->input), strerror(errno));
}

/* Is the file there, as it was? */
static bool is_same(const char *path, const struct text *bytes) {
  struct text now = {0};
  struct diag ignored = {0};
  bool same = file_read(path, FILE_INPUT, &now, &ignored) == ERR_NONE && now.count == bytes->count &&
              (now.count == 0 || memcmp(now.data, bytes->data, now.count) == 0);
  text_release(&now);
  diag_release(&ignored);
  return same;
}

static enum err give(const struct schedule_file *f, struct made *made, struct diag *d) {
  enum err e = ERR_NONE;
  for (size_t i = 0; !e && i < f->files.count; i++) {
    const char *name = schedule_string(f, f->files.data[i].name);
    if (!f->files.data[i].name)
      e = write_input(&f->files.data[i], made, d);
    else if (!is_same(name, &f->files.data[i].bytes))
      fprintf(stderr, "heddle: note: the program reads %s as it is now, which is not what the schedule has\n", name);
  }
  return e;
}

/* --- what came of it --- */

static void plain_text(const char *kind, const struct enact_steps *steps, const struct enacted *seen, bool all, struct text *out) {
  text_printf(out, "%s, %s: %s\n", kind, seen->confirmed ? "confirmed natively" : "not confirmed", text_str(&seen->what));
  enact_steps_text(&steps->w, seen->position, all, out);
}

static void json_text(const char *kind, const struct enact_steps *steps, const struct enacted *seen, struct text *out) {
  text_puts(out, "{\"kind\":"), text_json_string(out, kind);
  text_printf(out, ",\"by\":\"native\",\"confirmed\":%s,\"confirmation\":", seen->confirmed ? "true" : "false");
  text_json_string(out, text_str(&seen->what));
  text_printf(out, ",\"steps\":%zu,\"done\":%" PRIu32 "}\n", steps->w.steps.count, seen->position);
}

static enum err run(const struct options *o, const struct schedule_file *f, struct session_inputs *inputs, struct made *made,
                    struct enact_steps *steps, struct enacted *seen, struct diag *d) {
  struct witness_file *w = &steps->w;
  enum err e = find_steps(f, inputs, steps, d);
  if (!e) e = file_make_folder("native", &made->folder, d);
  if (!e) e = find_program(inputs, made, d);
  if (!e) e = give(f, made, d);
  if (e) return e;
  const char *called = inputs->called ? inputs->called : inputs->programs.data[0], *kind = finding_kind_text(f->kind);
  *vec_push(&w->arguments) = witness_file_add(w, called, strlen(called));
  for (size_t i = 0; i < inputs->arguments.count; i++)
    *vec_push(&w->arguments) = witness_file_add(w, inputs->arguments.data[i], strlen(inputs->arguments.data[i]));
  w->kind = witness_file_add(w, kind, strlen(kind));
  struct enact_options how = {.program = text_str(&made->program),
                              .limit = o->limit,
                              .by_place = true,
                              .loose = steps->loose.data,
                              .ending = steps->by_kind ? NULL : &steps->ending,
                              .environment = &inputs->environment,
                              .gdb = o->gdb ? &o->arguments : NULL,
                              .input = made->input.count ? text_str(&made->input) : inputs->input};
  return enact(w, &how, seen, d);
}

static void clean(struct made *made) {
  if (made->input.count) unlink(text_str(&made->input));
  if (made->folder.count) {
    struct text program = {0};
    text_printf(&program, "%s/program", text_str(&made->folder));
    unlink(text_str(&program));
    rmdir(text_str(&made->folder));
    text_release(&program);
  }
  text_release(&made->folder), text_release(&made->program), text_release(&made->input);
}

int enact_schedule(const struct options *o, const struct report_finding *finding, struct session_inputs *inputs) {
  const struct schedule_file *f = &finding->schedule;
  struct enact_steps steps = {0};
  struct enacted seen = {0};
  struct made made = {0};
  struct diag d = {0};
  struct text out = {0};
  enum err e = run(o, f, inputs, &made, &steps, &seen, &d);
  if (!e && !o->gdb && (o->json || strcmp(o->format, "json") == 0))
    json_text(finding_kind_text(f->kind), &steps, &seen, &out);
  else if (!e && !o->gdb)
    plain_text(finding_kind_text(f->kind), &steps, &seen, o->full, &out);
  int code = e ? console_complain(&d) : o->gdb ? seen.debugged : console_finish(&out, seen.confirmed ? EXIT_BUG : EXIT_BOUNDED);
  clean(&made);
  text_release(&out);
  enact_steps_release(&steps);
  enacted_release(&seen);
  diag_release(&d);
  return code;
}
