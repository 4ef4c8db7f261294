#include "trace/witness_file.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"

uint32_t witness_file_add(struct witness_file *w, const char *string, size_t length) {
  if (w->strings.count == 0) *vec_push(&w->strings) = 0;
  if (length == 0) return 0;
  uint32_t at = (uint32_t)w->strings.count;
  char *to = vec_push_n(&w->strings, length + 1);
  memcpy(to, string, length);
  to[length] = 0;
  return at;
}

const char *witness_file_string(const struct witness_file *w, uint32_t offset) {
  return offset < w->strings.count ? w->strings.data + offset : "";
}

const struct witness_site *witness_file_site(const struct witness_file *w, uint32_t number) {
  size_t from = 0, to = w->sites.count;
  while (from < to) {
    size_t middle = (from + to) / 2;
    const struct witness_site *s = &w->sites.data[middle];
    if (s->number == number) return s;
    if (s->number < number)
      from = middle + 1;
    else
      to = middle;
  }
  return NULL;
}

void witness_file_release(struct witness_file *w) {
  vec_release(&w->arguments);
  vec_release(&w->threads);
  vec_release(&w->sites);
  vec_release(&w->steps);
  vec_release(&w->ends);
  vec_release(&w->strings);
  *w = (struct witness_file){0};
}

/* --- writing --- */

/* A word in quotes: \ and " have a \ before them, bytes that are no visible ASCII character are \xHH. */
static void quoted(const char *s, struct text *out) {
  text_putc(out, '"');
  for (const unsigned char *p = (const unsigned char *)s; *p; p++) {
    if (*p == '"' || *p == '\\')
      text_printf(out, "\\%c", *p);
    else if (*p < ' ' || *p > '~')
      text_printf(out, "\\x%02x", *p);
    else
      text_putc(out, (char)*p);
  }
  text_putc(out, '"');
}

static void line_of(const struct witness_file *w, const char *key, uint32_t string, struct text *out) {
  text_printf(out, "%s ", key);
  quoted(witness_file_string(w, string), out);
  text_putc(out, '\n');
}

static void step_text(const struct witness_file *w, const struct witness_step *s, struct text *out) {
  text_printf(out, "%s %s %" PRIu32, witness_file_string(w, w->threads.data[s->thread]), recorded_op_text(s->op), s->site);
  if (s->skip) text_printf(out, " skip=%" PRIu32, s->skip);
  if (s->address) text_printf(out, " at=%" PRIx64, s->address);
  if (s->flags & EVENT_SHARED_LOCK) text_puts(out, " shared");
  if (s->flags & EVENT_TIMED_OUT) text_puts(out, " timed-out");
  if (s->note) text_printf(out, " event=%u", s->note);
  text_putc(out, '\n');
}

void witness_file_text(const struct witness_file *w, struct text *out) {
  text_printf(out, "heddle witness %d\n", WITNESS_VERSION);
  line_of(w, "found", w->kind, out);
  line_of(w, "by", w->analysis, out);
  line_of(w, "program", w->program, out);
  for (size_t i = 0; i < w->arguments.count; i++) line_of(w, "argument", w->arguments.data[i], out);
  if (w->build) line_of(w, "build", w->build, out);
  if (w->data_end) text_printf(out, "data %" PRIx64 "\n", w->data_end);
  for (size_t i = 0; i < w->threads.count; i++) text_printf(out, "thread %s\n", witness_file_string(w, w->threads.data[i]));
  for (size_t i = 0; i < w->sites.count; i++) {
    const struct witness_site *s = &w->sites.data[i];
    text_printf(out, "site %" PRIu32 " %" PRIu32 " %" PRIu32 " ", s->number, s->line, s->column);
    quoted(witness_file_string(w, s->file), out);
    text_putc(out, ' ');
    quoted(witness_file_string(w, s->function), out);
    text_putc(out, '\n');
  }
  text_printf(out, "steps %zu\n", w->steps.count);
  for (size_t i = 0; i < w->steps.count; i++) step_text(w, &w->steps.data[i], out);
  text_printf(out, "ends %zu\n", w->ends.count);
  for (size_t i = 0; i < w->ends.count; i++) step_text(w, &w->ends.data[i], out);
  text_puts(out, "end\n");
}

enum err witness_file_write(const struct witness_file *w, const char *path, struct diag *d) {
  struct text text = {0};
  witness_file_text(w, &text);
  enum err e = file_write(path, text.data, text.count, d);
  text_release(&text);
  return e;
}
