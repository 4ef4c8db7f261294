/* <stdio.h> without formatting. The unlocked variants lock, too, so that nothing races inside the model; that the program calls two at a time
 * is a race of `unlocked`. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio_ext.h>
#include <stdlib.h>

#include "stream.h"

#define LOCKED(type, f, expression) \
  __hd_stream_lock(f);              \
  type result = expression;         \
  __hd_stream_unlock(f);            \
  return result

static void expect_locked(FILE *f) { *(volatile char *)&hd_file(f)->unlocked = 1; }

#define UNLOCKED(type, f, expression) \
  expect_locked(f);                   \
  LOCKED(type, f, expression)

static int put_byte(FILE *f, int c) {
  char byte = (char)c;
  return __hd_stream_put(f, &byte, 1) ? (unsigned char)c : EOF;
}

static int put_string(FILE *f, const char *s) {
  size_t n = hd_strlen(s);
  return __hd_stream_write(f, s, n) == n ? 1 : EOF;
}

int fputc(int c, FILE *f) { LOCKED(int, f, put_byte(f, c)); }
int(putc)(int c, FILE *f) { LOCKED(int, f, put_byte(f, c)); }
int putchar(int c) { LOCKED(int, stdout, put_byte(stdout, c)); }
int fputc_unlocked(int c, FILE *f) { UNLOCKED(int, f, put_byte(f, c)); }
int putc_unlocked(int c, FILE *f) { UNLOCKED(int, f, put_byte(f, c)); }
int putchar_unlocked(int c) { UNLOCKED(int, stdout, put_byte(stdout, c)); }
int _IO_putc(int c, FILE *f);
int _IO_putc(int c, FILE *f) { LOCKED(int, f, put_byte(f, c)); }
int fputs(const char *restrict s, FILE *restrict f) { LOCKED(int, f, put_string(f, s)); }
int fputs_unlocked(const char *restrict s, FILE *restrict f) { UNLOCKED(int, f, put_string(f, s)); }
/* What the headers' inline functions call. */
int __overflow(FILE *f, int c) { UNLOCKED(int, f, put_byte(f, c)); }
int __uflow(FILE *f) { UNLOCKED(int, f, __hd_stream_get(f)); }

static bool drain(struct hd_sink *sink) {
  size_t n = sink->used;
  sink->used = 0;
  return __hd_stream_put(sink->target, sink->buffer, n);
}

int puts(const char *s) {
  char buffer[SINK_BUFFER];
  struct hd_sink sink = {.buffer = buffer, .size = sizeof buffer, .drain = drain, .target = stdout};
  size_t n = hd_strlen(s);
  __hd_stream_lock(stdout);
  __hd_sink_put(&sink, s, n);
  __hd_sink_put(&sink, "\n", 1);
  bool good = drain(&sink) && !sink.failed;
  __hd_stream_unlock(stdout);
  return good ? (int)n + 1 : EOF;
}

int putw(int word, FILE *f) { LOCKED(int, f, __hd_stream_write(f, &word, sizeof word) == sizeof word ? 0 : EOF); }

static size_t write_items(const void *from, size_t size, size_t count, FILE *f) {
  size_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes) || !bytes) return 0;
  LOCKED(size_t, f, __hd_stream_write(f, from, bytes) / size);
}

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict f) { return write_items(from, size, count, f); }
size_t fwrite_unlocked(const void *restrict from, size_t size, size_t count, FILE *restrict f) {
  expect_locked(f);
  return write_items(from, size, count, f);
}

int fgetc(FILE *f) { LOCKED(int, f, __hd_stream_get(f)); }
int(getc)(FILE *f) { LOCKED(int, f, __hd_stream_get(f)); }
int getchar(void) { LOCKED(int, stdin, __hd_stream_get(stdin)); }
int fgetc_unlocked(FILE *f) { UNLOCKED(int, f, __hd_stream_get(f)); }
int getc_unlocked(FILE *f) { UNLOCKED(int, f, __hd_stream_get(f)); }
int getchar_unlocked(void) { UNLOCKED(int, stdin, __hd_stream_get(stdin)); }
int _IO_getc(FILE *f);
int _IO_getc(FILE *f) { LOCKED(int, f, __hd_stream_get(f)); }
int ungetc(int c, FILE *f) { LOCKED(int, f, __hd_stream_unget(f, c)); }

static size_t read_bytes(FILE *f, char *to, size_t n) {
  struct hd_file *file = hd_file(f);
  size_t done = 0;
  while (done < n) {
    size_t ready = file->pushed_count ? 0 : file->end - file->at, part = n - done < ready ? n - done : ready;
    if (part) {
      __builtin_memcpy(to + done, file->buffer + file->at, part);
      file->at += part;
      done += part;
      continue;
    }
    int c = __hd_stream_get(f);
    if (c == EOF) break;
    to[done++] = (char)c;
  }
  return done;
}

static size_t read_items(void *to, size_t size, size_t count, FILE *f) {
  size_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes)) bytes = SIZE_MAX - SIZE_MAX % size;
  if (!bytes) return 0;
  LOCKED(size_t, f, read_bytes(f, to, bytes) / size);
}

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict f) { return read_items(to, size, count, f); }
size_t fread_unlocked(void *restrict to, size_t size, size_t count, FILE *restrict f) {
  expect_locked(f);
  return read_items(to, size, count, f);
}

size_t __fread_chk(void *restrict to, size_t object, size_t size, size_t count, FILE *restrict f);
size_t __fread_chk(void *restrict to, size_t object, size_t size, size_t count, FILE *restrict f) {
  size_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes) || bytes > object)
    __hd_fail("out-of-bounds", "fread is given a size that is larger than its buffer");
  return read_items(to, size, count, f);
}

static char *read_line(char *to, int size, FILE *f) {
  int n = 0, c = 0;
  if (size <= 0) return NULL;
  while (n < size - 1 && c != '\n' && (c = __hd_stream_get(f)) != EOF) to[n++] = (char)c;
  if ((!n && size > 1) || (c == EOF && f->_flags & STREAM_ERROR)) return NULL;
  to[n] = 0;
  return to;
}

char *fgets(char *restrict to, int size, FILE *restrict f) { LOCKED(char *, f, read_line(to, size, f)); }
char *fgets_unlocked(char *restrict to, int size, FILE *restrict f) { UNLOCKED(char *, f, read_line(to, size, f)); }

char *__fgets_chk(char *restrict to, size_t object, int size, FILE *restrict f);
char *__fgets_chk(char *restrict to, size_t object, int size, FILE *restrict f) {
  if (size > 0 && (size_t)size > object) __hd_fail("out-of-bounds", "fgets is given a size that is larger than its buffer");
  LOCKED(char *, f, read_line(to, size, f));
}

char *gets(char *to);
char *gets(char *to) {
  __hd_stream_lock(stdin);
  int n = 0, c;
  while ((c = __hd_stream_get(stdin)) != EOF && c != '\n') to[n++] = (char)c;
  __hd_stream_unlock(stdin);
  if (c == EOF && !n) return NULL;
  to[n] = 0;
  return to;
}

static ssize_t read_delimited(char **line, size_t *size, int delimiter, FILE *f) {
  size_t n = 0;
  if (!line || !size) return HD_ERRNO = EINVAL, -1;
  if (!*line) *size = 0;
  for (int c = 0; c != delimiter && (c = __hd_stream_get(f)) != EOF;) {
    if (n + 2 > *size) {
      size_t larger = *size < 60 ? 120 : *size * 2;
      char *bytes = realloc(*line, larger);
      if (!bytes) return -1;
      *line = bytes;
      *size = larger;
    }
    (*line)[n++] = (char)c;
  }
  if (!n) return -1;
  (*line)[n] = 0;
  return (ssize_t)n;
}

ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict f) {
  LOCKED(ssize_t, f, read_delimited(line, size, delimiter, f));
}

ssize_t __getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict f) {
  LOCKED(ssize_t, f, read_delimited(line, size, delimiter, f));
}

ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict f) { LOCKED(ssize_t, f, read_delimited(line, size, '\n', f)); }

int getw(FILE *f) {
  int word;
  LOCKED(int, f, read_bytes(f, (char *)&word, sizeof word) == sizeof word ? word : EOF);
}

int fseek(FILE *f, long offset, int whence) { LOCKED(int, f, __hd_stream_seek(f, offset, whence)); }
int fseeko(FILE *f, off_t offset, int whence) { LOCKED(int, f, __hd_stream_seek(f, offset, whence)); }
int fseeko64(FILE *f, off64_t offset, int whence) { LOCKED(int, f, __hd_stream_seek(f, offset, whence)); }
long ftell(FILE *f) { LOCKED(long, f, __hd_stream_tell(f)); }
off_t ftello(FILE *f) { LOCKED(off_t, f, __hd_stream_tell(f)); }
off64_t ftello64(FILE *f) { LOCKED(off64_t, f, __hd_stream_tell(f)); }

void rewind(FILE *f) {
  __hd_stream_lock(f);
  __hd_stream_seek(f, 0, SEEK_SET);
  f->_flags &= ~(STREAM_ERROR | STREAM_EOF);
  __hd_stream_unlock(f);
}

static int position_get(FILE *f, fpos_t *position) {
  int64_t at = __hd_stream_tell(f);
  position->__pos = at;
  return at < 0 ? -1 : 0;
}

int fgetpos(FILE *restrict f, fpos_t *restrict position) { LOCKED(int, f, position_get(f, position)); }
int fsetpos(FILE *f, const fpos_t *position) { LOCKED(int, f, __hd_stream_seek(f, position->__pos, SEEK_SET)); }
int fgetpos64(FILE *restrict f, fpos64_t *restrict position) { LOCKED(int, f, position_get(f, (fpos_t *)position)); }
int fsetpos64(FILE *f, const fpos64_t *position) { LOCKED(int, f, __hd_stream_seek(f, position->__pos, SEEK_SET)); }

#define FLAG(name, flag) \
  int(name)(FILE * f) { LOCKED(int, f, (f->_flags & flag) != 0); }

FLAG(feof, STREAM_EOF)
FLAG(ferror, STREAM_ERROR)
FLAG(feof_unlocked, STREAM_EOF)
FLAG(ferror_unlocked, STREAM_ERROR)

static void clear_flags(FILE *f) {
  if (hd_file(f)->direct) return; /* never set there */
  __hd_stream_lock(f);
  f->_flags &= ~(STREAM_ERROR | STREAM_EOF);
  __hd_stream_unlock(f);
}

void clearerr(FILE *f) { clear_flags(f); }
void clearerr_unlocked(FILE *f) {
  expect_locked(f);
  clear_flags(f);
}

static int descriptor_of(FILE *f) {
  if (f->_fileno < 0) HD_ERRNO = EBADF;
  return f->_fileno;
}

int fileno(FILE *f) { return descriptor_of(f); }
int fileno_unlocked(FILE *f) { return descriptor_of(f); }

/* Writes go through at once, so there is nothing to flush; a stream of the program's own gets none of this either. */
int fflush(FILE *f) { return (void)f, 0; }
int fflush_unlocked(FILE *f) { return (void)f, 0; }
int setvbuf(FILE *restrict f, char *restrict buffer, int mode, size_t size) {
  return (void)f, (void)buffer, (void)size, mode >= 0 && mode <= 2 ? 0 : -1;
}
void setbuf(FILE *restrict f, char *restrict buffer) { (void)f, (void)buffer; }
void setbuffer(FILE *restrict f, char *restrict buffer, size_t size) { (void)f, (void)buffer, (void)size; }
void setlinebuf(FILE *f) { (void)f; }

size_t __fbufsize(FILE *f) { return (void)f, (size_t)STREAM_BUFFER; }
size_t __fpending(FILE *f) { return (void)f, (size_t)0; }
int __flbf(FILE *f) { return (void)f, 0; }
int __freadable(FILE *f) { return hd_file(f)->readable; }
int __fwritable(FILE *f) { return hd_file(f)->writable; }
int __freading(FILE *f) { return hd_file(f)->readable && !hd_file(f)->writable; }
int __fwriting(FILE *f) { return hd_file(f)->writable && !hd_file(f)->readable; }
int __fsetlocking(FILE *f, int type) { return (void)f, (void)type, FSETLOCKING_INTERNAL; }
void __fpurge(FILE *f) { hd_file(f)->at = hd_file(f)->end = 0; }
void _flushlbf(void) {}

void perror(const char *s) {
  const char *text = __hd_error_text(HD_ERRNO);
  char buffer[SINK_BUFFER];
  struct hd_sink sink = {.buffer = buffer, .size = sizeof buffer, .drain = drain, .target = stderr};
  __hd_stream_lock(stderr);
  if (s && *s) {
    __hd_sink_put(&sink, s, hd_strlen(s));
    __hd_sink_put(&sink, ": ", 2);
  }
  if (!text) text = "Unknown error";
  __hd_sink_put(&sink, text, hd_strlen(text));
  __hd_sink_put(&sink, "\n", 1);
  drain(&sink);
  __hd_stream_unlock(stderr);
}
