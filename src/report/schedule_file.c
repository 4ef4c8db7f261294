#include "report/schedule_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "report/place.h"

uint32_t schedule_intern(struct schedule_file *f, const char *s) {
  if (f->pool.count == 0) text_append(&f->pool, "", 1);
  if (!*s) return 0;
  uint64_t key = hash_bytes(s, strlen(s), 0);
  for (;; key = hash_mix(key)) { /* another string may have this key: try the next one */
    bool is_new;
    uint64_t *at = hashmap_at(&f->interned, key, f->pool.count, &is_new);
    if (is_new) {
      text_append(&f->pool, s, strlen(s) + 1);
      return (uint32_t)*at;
    }
    if (strcmp(f->pool.data + *at, s) == 0) return (uint32_t)*at;
  }
}

const char *schedule_string(const struct schedule_file *f, uint32_t offset) { return f->pool.count ? f->pool.data + offset : ""; }

static bool step_equal(const struct schedule_step *a, const struct schedule_step *b) {
  return a->thread == b->thread && a->choice == b->choice && a->op == b->op && a->file == b->file && a->function == b->function &&
         a->line == b->line && a->column == b->column && a->object == b->object && a->size == b->size;
}

void schedule_append(struct schedule_file *f, const struct schedule_step *step) {
  struct schedule_step *last = f->steps.count ? &vec_last(&f->steps) : NULL;
  if (last && step_equal(last, step) && last->repeat <= UINT32_MAX - step->repeat)
    last->repeat += step->repeat;
  else
    *vec_push(&f->steps) = *step;
}

uint64_t schedule_steps(const struct schedule_file *f) {
  uint64_t n = 0;
  for (size_t i = 0; i < f->steps.count; i++) n += f->steps.data[i].repeat;
  return n;
}

void schedule_place_text(const struct schedule_file *f, const struct schedule_step *s, struct text *out) {
  struct place place = {
      .file = schedule_string(f, s->file), .function = schedule_string(f, s->function), .line = s->line, .column = s->column};
  place_text(&place, out);
}

void schedule_file_release(struct schedule_file *f) {
  text_release(&f->pool);
  hashmap_release(&f->interned);
#define X(member, key) vec_release(&f->member);
  SCHEDULE_LISTS(X)
#undef X
  vec_release(&f->sites);
  vec_release(&f->data);
  for (size_t i = 0; i < f->files.count; i++) text_release(&f->files.data[i].bytes);
  vec_release(&f->files);
  vec_release(&f->shared);
  vec_release(&f->steps);
  vec_release(&f->stops);
  *f = (struct schedule_file){0};
}

void schedule_append_bytes(struct schedule_file *f, uint32_t name, const char *bytes, size_t n) {
  bool goes_on = f->files.count && vec_last(&f->files).name == name;
  if (!goes_on) *vec_push(&f->files) = (struct schedule_bytes){.name = name};
  text_append(&vec_last(&f->files).bytes, bytes, n);
}

/* One word: as it is if a reader cannot mistake it, else a JSON string. */
static void word_text(const char *s, struct text *out) {
  bool plain = *s != 0;
  for (const char *p = s; *p; p++)
    if ((unsigned char)*p <= ' ' || *p == '"' || *p == '#' || *p == '\\' || *p == 0x7f) plain = false;
  if (plain)
    text_puts(out, s);
  else
    text_json_string(out, s);
}

static void key_text(const struct schedule_file *f, const char *key, uint32_t string, struct text *out) {
  text_printf(out, "%s ", key);
  word_text(schedule_string(f, string), out);
  text_putc(out, '\n');
}

/* What the process is given when it begins is the first data of thread 0. */
static uint64_t process_inputs(const struct schedule_file *f) {
  uint64_t n = f->symbolic_stdin.count + f->symbolic_files.count + f->symbolic_variables.count;
  for (size_t i = 0; i < f->symbolic_arguments.count; i++) n += strtoul(schedule_string(f, f->symbolic_arguments.data[i]), NULL, 10);
  return n;
}

static unsigned hex_value(char digit) { return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10); }

static unsigned byte_at(const char *digits, size_t i) { return hex_value(digits[2 * i]) * 16 + hex_value(digits[2 * i + 1]); }
static bool is_printed(unsigned c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; }

static void escaped(unsigned c, struct text *out) {
  static const char plain[] = "\n\t\r\"\\", letters[] = "ntr\"\\";
  const char *at = c ? strchr(plain, (int)c) : NULL;
  if (at)
    text_printf(out, "\\%c", letters[at - plain]);
  else if (c >= 0x20 && c < 0x7f)
    text_putc(out, (char)c);
  else
    text_printf(out, "\\%03o", c);
}

/* As a string of C; many zeros at its end are counted, those behind a string are not there. */
static void bytes_text(const char *digits, bool is_string, struct text *out) {
  size_t n = strlen(digits) / 2, zeros = 0;
  while (zeros < n && byte_at(digits, n - zeros - 1) == 0) zeros++;
  if (zeros < 4 && !is_string) zeros = 0;
  text_putc(out, '"');
  for (size_t i = 0; i < n - zeros; i++) escaped(byte_at(digits, i), out);
  text_putc(out, '"');
  if (zeros && !is_string) text_printf(out, " and %zu bytes 0", zeros);
}

/* The number, if it has the size of one, and what it is as text, if it looks like one. */
static void number_text(const char *digits, size_t size, struct text *out) {
  size_t printed = 0, n = size;
  if (size > 16 || (size & (size - 1)) != 0) {
    bytes_text(digits, false, out);
    return;
  }
  while (printed < size && is_printed(byte_at(digits, printed))) printed++;
  while (n > 1 && byte_at(digits, n - 1) == 0) n--; /* the last is the highest */
  bool is_text = size > 2 && 2 * printed > size && printed >= n;
  text_puts(out, "0x");
  for (; n > 0; n--) text_append(out, digits + 2 * n - 2, 2);
  if (!is_text) return;
  text_puts(out, " (");
  bytes_text(digits, true, out);
  text_putc(out, ')');
}

void schedule_data_text(const struct schedule_file *f, const struct schedule_data *data, struct text *out) {
  const char *bytes = schedule_string(f, data->bytes);
  size_t n = strlen(bytes);
  if (data->number < process_inputs(f) && strcmp(schedule_string(f, data->thread), "0") == 0) {
    text_printf(out, "%s = ", schedule_string(f, data->name));
    bytes_text(bytes, data->number >= f->symbolic_stdin.count + f->symbolic_files.count, out);
    return;
  }
  if (strcmp(schedule_string(f, data->thread), "0") != 0) text_printf(out, "thread %s: ", schedule_string(f, data->thread));
  text_printf(out, "%s = ", data->name ? schedule_string(f, data->name) : "?");
  number_text(bytes, n / 2, out);
}

static void data_text(const struct schedule_file *f, const struct schedule_data *data, struct text *out) {
  text_printf(out, "data %s %u %s ", schedule_string(f, data->thread), data->number, schedule_string(f, data->bytes));
  word_text(schedule_string(f, data->name), out);
  text_putc(out, '\n');
}

/* In lines of so many bytes. */
enum { LINE_BYTES = 64 };
static void files_text(const struct schedule_file *f, const struct schedule_bytes *file, struct text *out) {
  struct text begin = {0};
  text_puts(&begin, file->name ? "file-bytes " : "input-bytes ");
  if (file->name) word_text(schedule_string(f, file->name), &begin);
  if (file->name) text_putc(&begin, ' ');
  for (size_t at = 0; at == 0 || at < file->bytes.count; at += LINE_BYTES) {
    text_append(out, text_str(&begin), begin.count);
    if (file->bytes.count == 0) text_puts(out, "\"\"");
    for (size_t i = at; i < file->bytes.count && i < at + LINE_BYTES; i++) {
      static const char digits[] = "0123456789abcdef";
      unsigned char byte = (unsigned char)file->bytes.data[i];
      text_putc(out, digits[byte >> 4]), text_putc(out, digits[byte & 15]);
    }
    text_putc(out, '\n');
  }
  text_release(&begin);
}

/* "FILE:LINE:COLUMN FUNCTION"; "-" is a file or function that is not known. */
static void where_text(const struct schedule_file *f, uint32_t file, uint32_t line, uint32_t column, uint32_t function, struct text *out) {
  struct text t = {0};
  place_file_text(file ? schedule_string(f, file) : "-", &t);
  text_printf(&t, ":%u:%u", line, column);
  word_text(text_str(&t), out);
  text_release(&t);
  text_putc(out, ' ');
  word_text(function ? schedule_string(f, function) : "-", out);
}

static void step_text(const struct schedule_file *f, const char *key, const struct schedule_step *s, struct text *out) {
  const char *thread = schedule_string(f, s->thread);
  bool flush = s->op == EVENT_FLUSH;
  int n = (int)(strlen(thread) - (flush ? strlen(SCHEDULE_AGENT) : 0));
  text_printf(out, "%s %.*s ", flush ? "flush" : key, n, thread);
  if (s->repeat > 1) text_printf(out, "x%u ", s->repeat);
  if (s->choice) text_printf(out, "choice=%u ", s->choice);
  if (!flush) text_printf(out, "%s ", event_op_text(s->op));
  where_text(f, s->file, s->line, s->column, s->function, out);
  if (s->object) text_printf(out, " @%" PRIx64 "+%" PRIu64, s->object, s->size);
  if (s->comment) text_printf(out, "  # %s", schedule_string(f, s->comment));
  text_putc(out, '\n');
}

static void list_text(const struct schedule_file *f, const char *key, const struct schedule_strings *list, struct text *out) {
  for (size_t i = 0; i < list->count; i++) key_text(f, key, list->data[i], out);
}

static void header_text(const struct schedule_file *f, struct text *out) {
#define X(member, key) list_text(f, key, &f->member, out);
  SCHEDULE_LISTS(X)
#undef X
  if (f->input) key_text(f, "input", f->input, out);
  if (f->called) key_text(f, "called", f->called, out);
  key_text(f, "memory", f->memory, out);
  text_printf(out, "content %016" PRIx64 "\n", f->content);
  if (f->spurious) text_puts(out, "spurious\n");
  if (f->whole_deadlocks) text_puts(out, "whole-deadlocks\n");
  if (f->no_leaks) text_puts(out, "no-leaks\n");
  if (f->exit_codes) text_puts(out, "exit-codes\n");
  if (f->alone) text_puts(out, "alone\n");
  if (f->nondet) text_puts(out, "nondet\n");
  if (f->recorded)
    text_printf(out, "recorded%s%s\n", f->how == PATH_HOW_BITS ? "" : " ", f->how == PATH_HOW_BITS ? "" : path_how_text(f->how));
  if (f->loop_bound) text_printf(out, "loop-bound %" PRIu64 "\n", f->loop_bound);
  for (size_t i = 0; i < f->files.count; i++) files_text(f, &f->files.data[i], out);
}

void schedule_file_text(const struct schedule_file *f, struct text *out) {
  if (f->is_input) {
    text_printf(out, "heddle input %d\n", SCHEDULE_VERSION);
    text_puts(
        out,
        "# An input that heddle check explored. `heddle replay THIS-FILE` runs the program with it; heddle-schedule(5) has the format.\n");
    header_text(f, out);
    for (size_t i = 0; i < f->data.count; i++) data_text(f, &f->data.data[i], out);
    text_puts(out, "end\n");
    return;
  }
  text_printf(out, "heddle schedule %d\n", SCHEDULE_VERSION);
  text_puts(
      out, "# An execution found by heddle check. `heddle replay THIS-FILE` runs and shows it; heddle-schedule(5) describes the format.\n");
  header_text(f, out);
  text_printf(out, "\nfound %s\n", finding_kind_text(f->kind));
  text_puts(out, "message ");
  text_json_string(out, schedule_string(f, f->message));
  text_putc(out, '\n');
  for (size_t i = 0; i < f->sites.count; i++) {
    const struct schedule_site *s = &f->sites.data[i];
    text_printf(out, "site %s ", schedule_string(f, s->thread));
    word_text(schedule_string(f, s->role), out);
    text_putc(out, ' ');
    where_text(f, s->file, s->line, s->column, s->function, out);
    text_putc(out, '\n');
  }
  if (f->data.count) text_putc(out, '\n');
  for (size_t i = 0; i < f->data.count; i++) data_text(f, &f->data.data[i], out);
  if (f->shared.count) text_putc(out, '\n');
  for (size_t i = 0; i < f->shared.count; i++)
    text_printf(out, "shared @%" PRIx64 "+%" PRIu64 "\n", f->shared.data[i].object, f->shared.data[i].size);
  text_printf(out, "\nsteps %" PRIu64 "\n", schedule_steps(f));
  for (size_t i = 0; i < f->steps.count; i++) step_text(f, "step", &f->steps.data[i], out);
  if (f->stops.count) text_puts(out, "\n# Where the threads stand at the end.\n");
  for (size_t i = 0; i < f->stops.count; i++) step_text(f, "stop", &f->stops.data[i], out);
  text_puts(out, "end\n");
}

enum err schedule_file_write(const struct schedule_file *f, const char *path, struct diag *d) {
  struct text t = {0};
  schedule_file_text(f, &t);
  enum err e = file_write(path, t.data, t.count, d);
  text_release(&t);
  return e;
}

enum err schedule_file_read(struct schedule_file *f, const char *path, struct diag *d) {
  *f = (struct schedule_file){0};
  struct text t = {0};
  enum err e = file_read(path, FILE_TEXT, &t, d);
  if (!e) e = schedule_file_parse(f, path, text_str(&t), t.count, d);
  text_release(&t);
  return e;
}
