#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/file_stream.h"
#include "trace/recorded.h"
#include "trace/std.h"

enum err recorded_open(const char *path, struct recorded_stream **s, struct diag *d) {
  char head[256];
  int fd;
  size_t size;
  *s = NULL;
  enum err e = file_open(path, FILE_TRACE, &fd, &size, d);
  if (e) return e;
  ssize_t n = pread(fd, head, sizeof head, 0);
  uint64_t magic = 0;
  if (n >= (ssize_t)sizeof magic) memcpy(&magic, head, sizeof magic);
  if (magic == TRACE_MAGIC) return file_stream_open(path, fd, size, s, d);
  if (n >= 0 && std_begins(head, (size_t)n)) return std_open(path, fd, s, d);
  if (n >= 0 && std_begins(head, (size_t)n)) return std_open(path, fd, s, d);
  close(fd);
  diag_set(d, ERR_FORMAT, "%s is no trace", path);
  diag_hint(d, "heddle trace writes traces; texts in RAPID's STD format have lines like T0|acq(L1)|12");
  return ERR_FORMAT;
}
