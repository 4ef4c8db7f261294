#include "cli/console.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/style.h"

/* Bytes of an escape sequence that is one of the report's own; 0: there is none. */
static size_t ink_length(const char *s) {
  static const char *const inks[] = {
#define X(name, escape) escape,
      INK_LIST(X)
#undef X
          INK_END};
  for (size_t i = 0; i < sizeof inks / sizeof *inks; i++)
    if (*inks[i] && strncmp(s, inks[i], strlen(inks[i])) == 0) return strlen(inks[i]);
  return 0;
}

/* Bytes of a control character that is not printed; 0: there is none. Those from U+0080 on have two in UTF-8. */
static size_t control_length(const char *s) {
  unsigned char c = (unsigned char)s[0], next = c ? (unsigned char)s[1] : 0;
  if (c == 0xc2 && next >= 0x80 && next < 0xa0) return 2;
  return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

/* Names, messages and output of programs are whatever somebody wanted them to be: without what hides text, moves a terminal's cursor,
 * renames its window or makes it answer. `inked`: the report's own colours stay. */
static void append_harmless(const struct text *t, bool inked, struct text *out) {
  const char *s = text_str(t), *end = s + t->count;
  while (s < end) {
    size_t ink = inked ? ink_length(s) : 0, control = ink ? 0 : control_length(s);
    if (control)
      text_putc(out, '?'), s += control;
    else
      text_append(out, s, ink ? ink : 1), s += ink ? ink : 1;
  }
}

static enum err write_all(const struct text *t, struct diag *d) {
  const char *p = text_str(t);
  for (size_t left = t->count; left > 0;) {
    ssize_t n = write(STDOUT_FILENO, p, left);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return diag_set(d, ERR_FILE, "cannot write the report to standard output: %s", strerror(errno));
    p += n, left -= (size_t)n;
  }
  return ERR_NONE;
}

enum err console_write(const struct text *t, struct diag *d) {
  struct text harmless = {0};
  append_harmless(t, true, &harmless);
  enum err e = write_all(&harmless, d);
  text_release(&harmless);
  return e;
}

static void print(const char *kind, const struct diag *d) {
  struct text harmless = {0};
  append_harmless(&d->message, false, &harmless);
  fprintf(stderr, "heddle: %s%s\n", kind, text_str(&harmless));
  text_clear(&harmless);
  append_harmless(&d->hint, false, &harmless);
  if (harmless.count) fprintf(stderr, "heddle: hint: %s\n", text_str(&harmless));
  text_release(&harmless);
}

int console_complain(const struct diag *d) {
  print("", d);
  return EXIT_WRONG;
}

void console_warn(const struct diag *d) { print("warning: ", d); }

int console_finish(struct text *t, int code) {
  struct diag d = {0};
  if (console_write(t, &d)) code = console_complain(&d);
  diag_release(&d);
  text_release(t);
  return code;
}
