/* The scanf family. The system's headers rename it to the __isoc99_ names; programs built otherwise call the plain ones. */
#include <stdio.h>

#include "scan.h"
#include "stream.h"

static int get_stream(struct hd_source *s) { return __hd_stream_get(s->from); }
static void unget_stream(struct hd_source *s, int c) { __hd_stream_unget(s->from, c); }

static int get_string(struct hd_source *s) {
  const unsigned char *at = s->from;
  if (!*at) return EOF;
  s->from = (void *)(at + 1);
  return *at;
}

static void unget_string(struct hd_source *s, int c) {
  (void)c;
  s->from = (char *)s->from - 1;
}

static int scan_stream(FILE *f, const char *format, va_list list) {
  struct hd_source source = {get_stream, unget_stream, f, 0};
  __hd_stream_lock(f);
  int n = __hd_scan(&source, format, list);
  __hd_stream_unlock(f);
  return n;
}

static int scan_string(const char *s, const char *format, va_list list) {
  struct hd_source source = {get_string, unget_string, (void *)s, 0};
  return __hd_scan(&source, format, list);
}

#define V(name, parameters, call)                                 \
  int model_v##name parameters __asm__("v" #name);                \
  int model_v##name parameters { return call; }                   \
  int model_iso_v##name parameters __asm__("__isoc99_v" #name);   \
  int model_iso_v##name parameters { return call; }               \
  int model_iso23_v##name parameters __asm__("__isoc23_v" #name); \
  int model_iso23_v##name parameters { return call; }

V(scanf, (const char *format, va_list list), scan_stream(stdin, format, list))
V(fscanf, (FILE * f, const char *format, va_list list), scan_stream(f, format, list))
V(sscanf, (const char *s, const char *format, va_list list), scan_string(s, format, list))

#define BODY(call)          \
  {                         \
    va_list list;           \
    va_start(list, format); \
    int result = call;      \
    va_end(list);           \
    return result;          \
  }

#define VARIADIC(name, parameters, call)                        \
  int model_##name parameters __asm__(#name);                   \
  int model_##name parameters BODY(call)                        \
  int model_iso_##name parameters __asm__("__isoc99_" #name);   \
  int model_iso_##name parameters BODY(call)                    \
  int model_iso23_##name parameters __asm__("__isoc23_" #name); \
  int model_iso23_##name parameters BODY(call)

VARIADIC(scanf, (const char *format, ...), scan_stream(stdin, format, list))
VARIADIC(fscanf, (FILE * f, const char *format, ...), scan_stream(f, format, list))
VARIADIC(sscanf, (const char *s, const char *format, ...), scan_string(s, format, list))
