#include "cli/console.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum err console_write(const struct text *t, struct diag *d) {
  const char *p = text_str(t);
  for (size_t left = t->count; left > 0;) {
    ssize_t n = write(STDOUT_FILENO, p, left);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return diag_set(d, ERR_FILE, "cannot write the report to standard output: %s", strerror(errno));
    p += n, left -= (size_t)n;
  }
  return ERR_NONE;
}

static void print(const char *kind, const struct diag *d) {
  fprintf(stderr, "heddle: %s%s\n", kind, text_str(&d->message));
  if (d->hint.count) fprintf(stderr, "heddle: hint: %s\n", text_str(&d->hint));
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
