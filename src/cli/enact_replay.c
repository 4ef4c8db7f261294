#include "cli/enact_replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/enact.h"

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

static void step_text(const struct witness_file *w, const struct witness_step *s, const char *mark, struct text *out) {
  text_printf(out, "%s thread %s %s at ", mark, witness_file_string(w, w->threads.data[s->thread]), recorded_op_text(s->op));
  enact_place(w, s->site, out);
  text_putc(out, '\n');
}

/* The last steps that were done, and what came next. */
static void steps_text(const struct witness_file *w, const struct enacted *seen, bool all, struct text *out) {
  enum { SHOWN = 12 };
  size_t done = seen->position < w->steps.count ? seen->position : w->steps.count, from = all || done < SHOWN ? 0 : done - SHOWN;
  size_t to = all || done == w->steps.count ? w->steps.count : done + 1;
  if (from) text_printf(out, "  (%zu steps before)\n", from);
  for (size_t i = from; i < to; i++) step_text(w, &w->steps.data[i], i < done ? "  done:  " : "  not:   ", out);
  for (size_t i = 0; i < w->ends.count && to == w->steps.count; i++) step_text(w, &w->ends.data[i], "  before:", out);
}

static void json_text(const struct witness_file *w, const struct enacted *seen, struct text *out) {
  text_puts(out, "{\"kind\":"), text_json_string(out, witness_file_string(w, w->kind));
  text_printf(out, ",\"confirmed\":%s,\"confirmation\":", seen->confirmed ? "true" : "false");
  text_json_string(out, text_str(&seen->what));
  text_printf(out, ",\"steps\":%zu,\"done\":%" PRIu32 "}\n", w->steps.count, seen->position);
}

int enact_replay(const struct options *o) {
  struct witness_file w = {0};
  struct enacted seen = {0};
  struct diag d = {0};
  struct text out = {0};
  bool json = o->json || strcmp(o->format, "json") == 0;
  enum err e = o->programs.count <= 2 ? ERR_NONE : diag_set(&d, ERR_USAGE, "a witness is of one program, with the arguments that it says");
  if (!e && !json && strcmp(o->format, "text") != 0)
    e = diag_set(&d, ERR_USAGE, "there is no report format \"%s\"; text and json are", o->format);
  if (!e) e = read_witness(&w, o->programs.data[0], &d);
  struct enact_options how = {.program = o->programs.count > 1 ? o->programs.data[1] : NULL, .limit = o->limit};
  if (!e) e = enact(&w, &how, &seen, &d);
  int code = EXIT_WRONG;
  if (!e && json) json_text(&w, &seen, &out);
  if (!e && !json) {
    text_printf(&out, "%s, %s: %s\n", witness_file_string(&w, w.kind), seen.confirmed ? "confirmed" : "not confirmed",
                text_str(&seen.what));
    steps_text(&w, &seen, o->full, &out);
  }
  code = e ? console_complain(&d) : console_finish(&out, seen.confirmed ? EXIT_BUG : EXIT_BOUNDED);
  text_release(&out);
  enacted_release(&seen);
  witness_file_release(&w);
  diag_release(&d);
  return code;
}
