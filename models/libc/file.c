/* Streams that are opened: on files, in memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <wchar.h>

#include "stream.h"

extern int __open(const char *path, int flags, ...);
extern int __close(int fd);

static FILE *open_stream(const char *path, const char *mode) {
  int flags = __hd_stream_mode(mode);
  int fd = flags < 0 ? -1 : __open(path, flags, 0644);
  if (fd < 0) return NULL;
  FILE *f = __hd_stream_new(mode, (void *)(intptr_t)fd, __hd_descriptor_operations, fd);
  if (!f)
    __close(fd);
  else if (flags & O_APPEND && flags & O_RDWR)
    hd_file(f)->operations.seek(hd_file(f)->cookie, &(off64_t){0}, SEEK_SET);
  return f;
}

FILE *fopen(const char *restrict path, const char *restrict mode) { return open_stream(path, mode); }
FILE *fopen64(const char *restrict path, const char *restrict mode) { return open_stream(path, mode); }

FILE *fdopen(int fd, const char *mode) {
  extern int fcntl(int fd, int command, ...);
  if (fcntl(fd, F_GETFL, 0l) < 0) return NULL;
  return __hd_stream_new(mode, (void *)(intptr_t)fd, __hd_descriptor_operations, fd);
}

static FILE *open_temporary(void) {
  extern int mkstemp(char *name);
  extern int unlink(const char *path);
  char name[] = "/tmp/tmpfileXXXXXX";
  int fd = mkstemp(name);
  if (fd < 0) return NULL;
  unlink(name);
  FILE *f = __hd_stream_new("w+", (void *)(intptr_t)fd, __hd_descriptor_operations, fd);
  if (!f) __close(fd);
  return f;
}

FILE *tmpfile(void) { return open_temporary(); }
FILE *tmpfile64(void) { return open_temporary(); }

/* A stream over memory: the program's block of a fixed size (fmemopen), or one that grows and is the program's after each write
 * (open_memstream). */
struct memory {
  char *bytes;
  size_t at, end, size;
  bool grows, owned, append;
  char **bytes_out;
  size_t *size_out;
};

static ssize_t memory_read(void *cookie, char *to, size_t n) {
  struct memory *m = cookie;
  if (m->at >= m->end) return 0;
  if (n > m->end - m->at) n = m->end - m->at;
  __builtin_memcpy(to, m->bytes + m->at, n);
  m->at += n;
  return (ssize_t)n;
}

static bool memory_grow(struct memory *m, size_t size) {
  if (size < m->size) return true;
  size_t larger = m->size * 2 > size + 1 ? m->size * 2 : size + 1;
  char *bytes = realloc(m->bytes, larger);
  if (!bytes) return false;
  m->bytes = bytes;
  m->size = larger;
  return true;
}

static ssize_t memory_write(void *cookie, const char *from, size_t n) {
  struct memory *m = cookie;
  if (m->append) m->at = m->end;
  if (m->grows && !memory_grow(m, m->at + n)) return -1;
  if (!m->grows && n > m->size - m->at) n = m->size - m->at;
  if (!n) return HD_ERRNO = ENOSPC, 0;
  if (m->at > m->end) __builtin_memset(m->bytes + m->end, 0, m->at - m->end);
  __builtin_memcpy(m->bytes + m->at, from, n);
  m->at += n;
  if (m->at > m->end) m->end = m->at;
  if (m->grows || m->end < m->size) m->bytes[m->end] = 0;
  if (m->grows) {
    *m->bytes_out = m->bytes;
    *m->size_out = m->at;
  }
  return (ssize_t)n;
}

static int memory_seek(void *cookie, off64_t *offset, int whence) {
  struct memory *m = cookie;
  off64_t at = *offset + (off64_t)(whence == SEEK_SET ? 0 : whence == SEEK_CUR ? m->at : m->end);
  if (at < 0 || (!m->grows && (size_t)at > m->size)) return HD_ERRNO = EINVAL, -1;
  m->at = (size_t)at;
  if (m->grows) *m->size_out = m->at < m->end ? m->at : m->end;
  *offset = at;
  return 0;
}

static int memory_close(void *cookie) {
  struct memory *m = cookie;
  if (m->owned) free(m->bytes);
  free(m);
  return 0;
}

static const cookie_io_functions_t memory_operations = {memory_read, memory_write, memory_seek, memory_close};

static FILE *memory_stream(struct memory *m, const char *mode) {
  FILE *f = __hd_stream_new(mode, m, memory_operations, -1);
  if (!f) memory_close(m);
  return f;
}

FILE *fmemopen(void *bytes, size_t size, const char *mode) {
  struct memory *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  *m = (struct memory){.bytes = bytes, .size = size, .owned = !bytes, .append = *mode == 'a'};
  if (!bytes) m->bytes = calloc(1, size ? size : 1);
  if (!m->bytes) {
    free(m);
    return NULL;
  }
  if (*mode == 'w' && size) m->bytes[0] = 0;
  m->end = *mode == 'r' && bytes ? size : hd_strnlen(m->bytes, size);
  if (*mode == 'a') m->at = m->end;
  return memory_stream(m, mode);
}

FILE *open_memstream(char **bytes, size_t *size) {
  struct memory *m = calloc(1, sizeof *m);
  char *first = m ? calloc(1, 1) : NULL;
  if (!first) {
    free(m);
    return NULL;
  }
  *m = (struct memory){.bytes = first, .size = 1, .grows = true, .bytes_out = bytes, .size_out = size};
  *bytes = first;
  *size = 0;
  return memory_stream(m, "w+");
}
