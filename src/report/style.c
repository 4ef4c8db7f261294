#include "report/style.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NARROWEST 40
#define WIDEST    1000

/* The environment's COLUMNS, or 0. */
static uint32_t columns_wanted(void) {
  const char *columns = getenv("COLUMNS");
  unsigned long n = columns ? strtoul(columns, NULL, 10) : 0;
  return n >= NARROWEST && n <= WIDEST ? (uint32_t)n : 0;
}

struct style style_for(int fd, bool no_color) {
  uint32_t wanted = columns_wanted();
  struct style style = {.width = wanted ? wanted : STYLE_PIPE_WIDTH};
  if (!isatty(fd)) return style;
  const char *unwanted = getenv("NO_COLOR"), *term = getenv("TERM");
  style.colour = !no_color && !(unwanted && *unwanted) && !(term && strcmp(term, "dumb") == 0);
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) style.width = size.ws_col;
  if (style.width < NARROWEST) style.width = NARROWEST;
  return style;
}

void style_put(const struct style *style, enum ink ink, const char *s, struct text *out) {
  static const char *const escapes[] = {
#define X(name, escape) escape,
      INK_LIST(X)
#undef X
  };
  bool painted = style->colour && ink != INK_PLAIN && *s;
  if (painted) text_puts(out, escapes[ink]);
  text_puts(out, s);
  if (painted) text_puts(out, INK_END);
}

void style_printf(const struct style *style, enum ink ink, struct text *out, const char *format, ...) {
  struct text t = {0};
  va_list args;
  va_start(args, format);
  text_vprintf(&t, format, args);
  va_end(args);
  style_put(style, ink, text_str(&t), out);
  text_release(&t);
}

static bool continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

size_t style_columns(const char *s) {
  size_t n = 0;
  for (; *s; s++) n += !continues(*s);
  return n;
}

size_t style_prefix(const char *s, size_t columns) {
  size_t i = 0;
  for (size_t n = 0; s[i]; i++) {
    if (continues(s[i])) continue;
    if (n++ == columns) break;
  }
  return i;
}
