/* How a report looks: colours and width. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define INK_LIST(X)         \
  X(PLAIN, "")              \
  X(HEADLINE, "\033[1;31m") \
  X(GOOD, "\033[1;32m")     \
  X(WARNING, "\033[1;33m")  \
  X(STRONG, "\033[1m")      \
  X(FAINT, "\033[2m")       \
  X(CODE, "\033[36m")

#define INK_END "\033[0m"

enum ink {
#define X(name, escape) INK_##name,
  INK_LIST(X)
#undef X
};

struct style {
  bool colour;
  uint32_t width; /* columns of the terminal */
  bool full;      /* show every step of an interleaving */
};

#define STYLE_PIPE_WIDTH 120

/* What fits descriptor `fd`: colours on a terminal unless NO_COLOR is set or `no_color`; the terminal's width; in a pipe
 * what COLUMNS says, or STYLE_PIPE_WIDTH. */
struct style style_for(int fd, bool no_color);
/* Appends `s` in the ink. */
void style_put(const struct style *style, enum ink ink, const char *s, struct text *out);
[[gnu::format(printf, 4, 5)]] void style_printf(const struct style *style, enum ink ink, struct text *out, const char *format, ...);
/* Columns that `s` takes: characters, not bytes. */
size_t style_columns(const char *s);
/* Bytes of the longest prefix of `s` that takes at most `columns`. */
size_t style_prefix(const char *s, size_t columns);
