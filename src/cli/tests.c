#include "cli/tests.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/console.h"
#include "report/schedule_file.h"

static void path_of(const struct tests *t, const char *kind, struct text *path) {
  text_clear(path);
  text_printf(path, "%s/test-%06" PRIu64 ".%s", t->folder, t->there + t->written, kind);
}

static void count_there(struct tests *t) {
  struct text path = {0};
  do {
    t->written = 1;
    path_of(t, "input", &path);
    t->written = 0;
  } while (access(text_str(&path), F_OK) == 0 && ++t->there);
  text_release(&path);
}

enum err tests_begin(struct tests *t, struct diag *d) {
  struct stat there;
  if (!t->folder || mkdir(t->folder, 0777) == 0) return ERR_NONE;
  if (errno != EEXIST || stat(t->folder, &there)) return diag_set(d, ERR_FILE, "%s: %s", t->folder, strerror(errno));
  if (S_ISDIR(there.st_mode)) {
    if (t->goes_on) count_there(t);
    return ERR_NONE;
  }
  diag_set(d, ERR_USAGE, "--tests=%s: that is a file", t->folder);
  diag_hint(d, "name a folder; it is made if it is not there");
  return ERR_USAGE;
}

static enum err write_input(const struct tests *t, const struct machine_input *inputs, size_t n, const char *path, struct diag *d) {
  struct schedule_file f = {.is_input = true, .content = t->session->image.header->content};
  session_describe(t->inputs, &f);
  f.nondet = machine_gives_nondet(t->session->m);
  for (size_t i = 0; i < n; i++) {
    struct text digits = {0};
    for (size_t k = 0; k < inputs[i].size; k++) text_printf(&digits, "%02x", inputs[i].bytes[k]);
    struct schedule_data data = {.thread = schedule_intern(&f, inputs[i].thread), .number = inputs[i].number};
    data.name = schedule_intern(&f, inputs[i].name);
    data.bytes = schedule_intern(&f, text_str(&digits));
    *vec_push(&f.data) = data;
    text_release(&digits);
  }
  enum err e = schedule_file_write(&f, path, d);
  schedule_file_release(&f);
  return e;
}

/* What standard input has, and arguments, with a zero behind each. */
static void raw_bytes(const struct tests *t, const struct machine_input *inputs, size_t n, enum machine_source_kind kind,
                      struct text *out) {
  const struct machine_source *sources = t->session->unfixed.list.data;
  for (size_t i = 0; i < n; i++) {
    const struct machine_input *input = &inputs[i];
    if (strcmp(input->thread, "0") != 0 || input->number >= t->session->unfixed.list.count || sources[input->number].kind != kind) continue;
    bool is_string = kind == SOURCE_ARGUMENT;
    text_append(out, (const char *)input->bytes, is_string ? strnlen((const char *)input->bytes, input->size) : input->size);
    if (is_string) text_append(out, "", 1);
  }
}

static enum err write_raw(const struct tests *t, const struct machine_input *inputs, size_t n, enum machine_source_kind kind,
                          const char *ending, struct diag *d) {
  struct text bytes = {0}, path = {0};
  raw_bytes(t, inputs, n, kind, &bytes);
  path_of(t, ending, &path);
  enum err e = bytes.count ? file_write(text_str(&path), bytes.data, bytes.count, d) : ERR_NONE;
  text_release(&bytes);
  text_release(&path);
  return e;
}

void tests_write(struct tests *t, const struct machine_input *inputs, size_t n) {
  if (t->failed) return;
  struct text path = {0};
  struct diag d = {0};
  t->written++;
  path_of(t, "input", &path);
  enum err e = write_input(t, inputs, n, text_str(&path), &d);
  if (!e) e = write_raw(t, inputs, n, SOURCE_STDIN, "stdin", &d);
  if (!e) e = write_raw(t, inputs, n, SOURCE_ARGUMENT, "args", &d);
  if (e) {
    console_complain(&d);
    t->failed = true;
    t->written--;
  }
  text_release(&path);
  diag_release(&d);
}
