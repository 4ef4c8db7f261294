/* The printf family. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "stream.h"

static bool drain_stream(struct hd_sink *sink) {
  size_t n = sink->used;
  sink->used = 0;
  return __hd_stream_put(sink->target, sink->buffer, n);
}

int __hd_stream_format(FILE *f, const char *format, va_list arguments) {
  char buffer[SINK_BUFFER];
  struct hd_sink sink = {.buffer = buffer, .size = sizeof buffer, .drain = drain_stream, .target = f};
  __hd_stream_lock(f);
  int n = __hd_format(&sink, format, arguments);
  __hd_stream_unlock(f);
  return n;
}

static int format_to(char *to, size_t size, const char *format, va_list arguments) {
  struct hd_sink sink = {.buffer = to, .size = size ? size - 1 : 0};
  int n = __hd_format(&sink, format, arguments);
  if (size) to[sink.used] = 0;
  return n;
}

/* A fortified call names the size of its object. */
static int format_checked(char *to, size_t size, size_t object, const char *format, va_list arguments) {
  if (object == SIZE_MAX) return format_to(to, size, format, arguments);
  if (size != SIZE_MAX && size > object) __hd_fail("out-of-bounds", "snprintf is given a size that is larger than its buffer");
  int n = format_to(to, size < object ? size : object, format, arguments);
  if (size == SIZE_MAX && n >= 0 && (size_t)n >= object) __hd_fail("out-of-bounds", "sprintf writes past the end of its buffer");
  return n;
}

static bool drain_descriptor(struct hd_sink *sink) {
  extern ssize_t __write(int fd, const void *bytes, size_t n);
  int fd = *(int *)sink->target;
  for (size_t done = 0; done < sink->used;) {
    ssize_t n = __write(fd, sink->buffer + done, sink->used - done);
    if (n <= 0) return false;
    done += (size_t)n;
  }
  sink->used = 0;
  return true;
}

static int format_descriptor(int fd, const char *format, va_list arguments) {
  char buffer[SINK_BUFFER];
  struct hd_sink sink = {.buffer = buffer, .size = sizeof buffer, .drain = drain_descriptor, .target = &fd};
  return __hd_format(&sink, format, arguments);
}

static bool grow(struct hd_sink *sink) {
  char *larger = __builtin_realloc(sink->target, sink->size * 2 + 1);
  if (!larger) return false;
  sink->target = sink->buffer = larger;
  sink->size *= 2;
  return true;
}

static bool grow_if_full(struct hd_sink *sink) { return sink->used < sink->size || grow(sink); }

static int format_allocated(char **to, const char *format, va_list arguments) {
  enum { FIRST = 100 };
  char *bytes = __builtin_malloc(FIRST + 1);
  if (!bytes) return -1;
  struct hd_sink sink = {.buffer = bytes, .size = FIRST, .drain = grow_if_full, .target = bytes};
  int n = __hd_format(&sink, format, arguments);
  if (n < 0) {
    __builtin_free(sink.target);
    return -1;
  }
  sink.buffer[n] = 0;
  *to = sink.buffer;
  return n;
}

int vprintf(const char *format, va_list list) { return __hd_stream_format(stdout, format, list); }
int vfprintf(FILE *f, const char *format, va_list list) { return __hd_stream_format(f, format, list); }
int vdprintf(int fd, const char *format, va_list list) { return format_descriptor(fd, format, list); }
int vsprintf(char *to, const char *format, va_list list) { return format_to(to, SIZE_MAX, format, list); }
int vsnprintf(char *to, size_t size, const char *format, va_list list) { return format_to(to, size, format, list); }
int vasprintf(char **to, const char *format, va_list list) { return format_allocated(to, format, list); }

/* A variadic function's body: RESULT = what the call on `list` gives. */
#define VARIADIC(call)    \
  va_list list;           \
  va_start(list, format); \
  int result = call;      \
  va_end(list);           \
  return result

int printf(const char *format, ...) { VARIADIC(__hd_stream_format(stdout, format, list)); }
int fprintf(FILE *f, const char *format, ...) { VARIADIC(__hd_stream_format(f, format, list)); }
int dprintf(int fd, const char *format, ...) { VARIADIC(format_descriptor(fd, format, list)); }
int sprintf(char *to, const char *format, ...) { VARIADIC(format_to(to, SIZE_MAX, format, list)); }
int snprintf(char *to, size_t size, const char *format, ...) { VARIADIC(format_to(to, size, format, list)); }
int asprintf(char **to, const char *format, ...) { VARIADIC(format_allocated(to, format, list)); }
int __asprintf(char **to, const char *format, ...) { VARIADIC(format_allocated(to, format, list)); }

/* What -D_FORTIFY_SOURCE makes of them. */
#define CHECKED(name, parameters, body) \
  int name parameters;                  \
  int name parameters { body; }

CHECKED(__vprintf_chk, (int flag, const char *format, va_list list), (void)flag; return __hd_stream_format(stdout, format, list))
CHECKED(__vfprintf_chk, (FILE * f, int flag, const char *format, va_list list), (void)flag; return __hd_stream_format(f, format, list))
CHECKED(__vdprintf_chk, (int fd, int flag, const char *format, va_list list), (void)flag; return format_descriptor(fd, format, list))
CHECKED(__vasprintf_chk, (char **to, int flag, const char *format, va_list list), (void)flag; return format_allocated(to, format, list))
CHECKED(__vsprintf_chk, (char *to, int flag, size_t object, const char *format, va_list list), (void)flag;
        return format_checked(to, SIZE_MAX, object, format, list))
CHECKED(__vsnprintf_chk, (char *to, size_t size, int flag, size_t object, const char *format, va_list list), (void)flag;
        return format_checked(to, size, object, format, list))
CHECKED(__printf_chk, (int flag, const char *format, ...), (void)flag; VARIADIC(__hd_stream_format(stdout, format, list)))
CHECKED(__fprintf_chk, (FILE * f, int flag, const char *format, ...), (void)flag; VARIADIC(__hd_stream_format(f, format, list)))
CHECKED(__dprintf_chk, (int fd, int flag, const char *format, ...), (void)flag; VARIADIC(format_descriptor(fd, format, list)))
CHECKED(__asprintf_chk, (char **to, int flag, const char *format, ...), (void)flag; VARIADIC(format_allocated(to, format, list)))
CHECKED(__sprintf_chk, (char *to, int flag, size_t object, const char *format, ...), (void)flag;
        VARIADIC(format_checked(to, SIZE_MAX, object, format, list)))
CHECKED(__snprintf_chk, (char *to, size_t size, int flag, size_t object, const char *format, ...), (void)flag;
        VARIADIC(format_checked(to, size, object, format, list)))
