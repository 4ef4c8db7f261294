#include "base/text.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

static void reserve(struct text *t, size_t extra) {
  size_t need = t->count + extra + 1;
  if (need <= t->cap) return;
  size_t cap = t->cap ? t->cap * 2 : 64;
  if (cap < need) cap = need;
  t->data = mem_realloc(t->data, t->cap, cap);
  t->cap = cap;
}

void text_append(struct text *t, const char *bytes, size_t n) {
  reserve(t, n);
  if (n) memcpy(t->data + t->count, bytes, n);
  t->count += n;
  t->data[t->count] = 0;
}

void text_puts(struct text *t, const char *s) { text_append(t, s, strlen(s)); }

void text_putc(struct text *t, char c) { text_append(t, &c, 1); }

void text_vprintf(struct text *t, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  if (n > 0) {
    reserve(t, (size_t)n);
    vsnprintf(t->data + t->count, (size_t)n + 1, format, again);
    t->count += (size_t)n;
  }
  va_end(again);
}

void text_printf(struct text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_vprintf(t, format, args);
  va_end(args);
}

/* Length of the UTF-8 sequence at `s`, or 0 if there is no valid one. */
static size_t utf8_length(const unsigned char *s) {
  if (s[0] < 0x80) return 1;
  size_t n = s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f))) return 0;
  if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))) return 0;
  return n;
}

void text_json_string(struct text *t, const char *s) {
  text_putc(t, '"');
  for (const unsigned char *p = (const unsigned char *)s; *p;) {
    size_t n = utf8_length(p);
    if (n == 0) {
      text_puts(t, "\\ufffd");
      p++;
    } else if (*p == '"' || *p == '\\') {
      text_printf(t, "\\%c", *p++);
    } else if (*p == '\n') {
      text_puts(t, "\\n"), p++;
    } else if (*p == '\t') {
      text_puts(t, "\\t"), p++;
    } else if (*p < 0x20 || *p == 0x7f) {
      text_printf(t, "\\u%04x", *p++);
    } else {
      text_append(t, (const char *)p, n), p += n;
    }
  }
  text_putc(t, '"');
}

const char *text_str(const struct text *t) { return t->data ? t->data : ""; }

void text_clear(struct text *t) {
  t->count = 0;
  if (t->data) t->data[0] = 0;
}

void text_release(struct text *t) {
  mem_free(t->data, t->cap);
  *t = (struct text){0};
}
