#include "report/sources.h"

#include <string.h>

#include "base/file.h"

static void split(struct source_file *f) {
  const char *data = text_str(&f->content);
  for (size_t at = 0; at < f->content.count;) {
    *vec_push(&f->starts) = (uint32_t)at;
    const char *end = memchr(data + at, '\n', f->content.count - at);
    at = end ? (size_t)(end - data) + 1 : f->content.count;
  }
}

static struct source_file *find(struct sources *s, const char *path) {
  for (size_t i = 0; i < s->files.count; i++)
    if (strcmp(text_str(&s->files.data[i].path), path) == 0) return &s->files.data[i];
  struct source_file *f = vec_push(&s->files);
  *f = (struct source_file){0};
  text_puts(&f->path, path);
  struct diag ignored = {0};
  if (path[0] && file_read(path, FILE_TEXT, &f->content, &ignored) == ERR_NONE) split(f);
  diag_release(&ignored);
  return f;
}

static void append(struct source_file *f, uint32_t line, bool indented, struct text *out) {
  if (line == 0 || line > f->starts.count) return;
  const char *data = text_str(&f->content);
  size_t at = f->starts.data[line - 1];
  size_t end = line < f->starts.count ? f->starts.data[line] : f->content.count;
  while (end > at && (data[end - 1] == '\n' || data[end - 1] == '\r' || data[end - 1] == ' ' || data[end - 1] == '\t')) end--;
  if (!indented)
    while (at < end && (data[at] == ' ' || data[at] == '\t')) at++;
  for (; at < end; at++) {
    unsigned char c = (unsigned char)data[at];
    if (c == '\t')
      text_puts(out, indented ? "    " : " ");
    else
      text_putc(out, c < 0x20 || c == 0x7f ? '?' : data[at]);
  }
}

void sources_line(struct sources *s, const char *path, uint32_t line, struct text *out) { append(find(s, path), line, false, out); }

void sources_line_indented(struct sources *s, const char *path, uint32_t line, struct text *out) { append(find(s, path), line, true, out); }

uint32_t sources_count(struct sources *s, const char *path) { return (uint32_t)find(s, path)->starts.count; }

void sources_release(struct sources *s) {
  for (size_t i = 0; i < s->files.count; i++) {
    text_release(&s->files.data[i].path);
    text_release(&s->files.data[i].content);
    vec_release(&s->files.data[i].starts);
  }
  vec_release(&s->files);
}
