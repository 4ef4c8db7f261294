/* Text under construction: a growable, always NUL-terminated string. */
#pragma once
#include <stdarg.h>
#include <stddef.h>

struct text {
  char *data; /* never NULL after the first append; use text_str() */
  size_t count, cap;
};

void text_append(struct text *t, const char *bytes, size_t n);
void text_puts(struct text *t, const char *s);
void text_putc(struct text *t, char c);
[[gnu::format(printf, 2, 3)]] void text_printf(struct text *t, const char *format, ...);
[[gnu::format(printf, 2, 0)]] void text_vprintf(struct text *t, const char *format, va_list args);
/* Appends `s` as a JSON string literal with its quotes; bytes that are not UTF-8 become U+FFFD. */
void text_json_string(struct text *t, const char *s);
/* The content as a C string ("" when empty), owned by `t`, valid until the next append. */
const char *text_str(const struct text *t);
void text_clear(struct text *t);
void text_release(struct text *t);
