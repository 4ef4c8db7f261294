/* heddle show: any file that Heddle writes, in words. */
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/native/enact_replay.h"
#include "program/image.h"
#include "program/show.h"
#include "report/recorded_text.h"
#include "report/schedule_file.h"
#include "trace/event.h"
#include "trace/recorded.h"
#include "trace/std.h"

static enum err show_schedule(const char *path, struct text *out, struct diag *d) {
  struct schedule_file f;
  enum err e = schedule_file_read(&f, path, d);
  if (!e) {
    text_printf(out, "schedule of %" PRIu64 " steps for", schedule_steps(&f));
    for (size_t i = 0; i < f.programs.count; i++) text_printf(out, " %s", schedule_string(&f, f.programs.data[i]));
    text_printf(out, "\nshows %s: %s\n\n", finding_kind_text(f.kind), schedule_string(&f, f.message));
    schedule_file_text(&f, out);
  }
  schedule_file_release(&f);
  return e;
}

static enum err show_image(const char *path, struct text *out, struct diag *d) {
  struct image image;
  enum err e = image_open(&image, path, d);
  if (e) return e;
  text_printf(out, "image of %u functions, %u code words, %u globals, %" PRIu64 " bytes\n\n", image.nfunctions, image.ncode, image.nglobals,
              image.header->bytes);
  image_disassemble(&image, out);
  image_close(&image);
  return ERR_NONE;
}

static const struct {
  const char *start; /* of the file */
  size_t n;
  enum err (*show)(const char *path, struct text *out, struct diag *d);
} kinds[] = {
    {"heddle schedule ", 16, show_schedule},
    {"heddle witness ", 15, enact_replay_show},
    {"HEEDIMG1", 8, show_image},
    {"\177ELF", 4, program_show},
    {"HEDTRACE", 8, show_trace},
};

/* Events that have no word there are counted, and told on standard error. */
static void warn_std(const struct std_losses *lost) {
  struct diag d = {0};
  if (lost->events) {
    diag_set(&d, ERR_NONE, "%" PRIu64 " events have no word in the STD format, and are left out", lost->events);
    diag_hint(&d, "it has no locks held for reading, notifications, barriers, semaphores, fences and allocation");
    console_warn(&d);
  }
  if (lost->atomics) {
    diag_set(&d, ERR_NONE, "%" PRIu64 " atomic accesses became plain ones: other tools may call them races", lost->atomics);
    console_warn(&d);
  }
  if (lost->values) {
    diag_set(&d, ERR_NONE, "%" PRIu64 " accesses without a recorded value have 0 there", lost->values);
    console_warn(&d);
  }
  diag_release(&d);
}

static enum err show_std(const char *path, struct diag *d) {
  enum { AT_ONCE = 4096 };
  static struct event events[AT_ONCE];
  struct recorded_stream *s;
  struct std_losses lost = {0};
  struct text out = {0};
  enum err e = recorded_open(path, &s, d);
  if (e) return e;
  std_begin(&out);
  for (size_t n; !e && (n = s->next(s, events, AT_ONCE)) > 0; text_clear(&out)) {
    for (size_t i = 0; i < n; i++) std_append_counted(&out, s->names, &events[i], &lost);
    e = console_write(&out, d);
  }
  if (!e) e = s->e;
  if (!e) warn_std(&lost);
  text_release(&out);
  recorded_close(s);
  return e;
}

static enum err show(const char *path, struct text *out, struct diag *d) {
  char head[256];
  size_t n, kind = 0;
  enum err e = file_start(path, FILE_PROGRAM, head, sizeof head, &n, d);
  if (e) return e;
  while (kind < sizeof kinds / sizeof kinds[0] && (n < kinds[kind].n || memcmp(head, kinds[kind].start, kinds[kind].n) != 0)) kind++;
  if (kind < sizeof kinds / sizeof kinds[0]) return kinds[kind].show(path, out, d);
  if (std_begins(head, n)) return show_trace(path, out, d);
  diag_set(d, ERR_FORMAT, "%s is no file that Heddle writes", path);
  diag_hint(d, "heddle show reads schedules, traces, witnesses, programs built with heddle cc, and program images");
  return ERR_FORMAT;
}

int command_show(int argc, char **argv) {
  struct options o;
  int code;
  if (!command_options("show", argc, argv, &o, &code)) return code;
  struct diag d = {0};
  struct text out = {0};
  enum err e = o.programs.count == 1 ? ERR_NONE : diag_set(&d, ERR_USAGE, "heddle show takes one file");
  bool broken = false;
  if (!e && o.check)
    e = check_trace(o.programs.data[0], &out, &broken, &d);
  else if (!e)
    e = o.std ? show_std(o.programs.data[0], &d) : show(o.programs.data[0], &out, &d);
  code = e ? console_complain(&d) : console_finish(&out, broken ? EXIT_BUG : EXIT_SAFE);
  text_release(&out);
  diag_release(&d);
  options_release(&o);
  return code;
}
