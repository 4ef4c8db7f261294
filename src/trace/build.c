#include "trace/build.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "trace/file.h"

bool trace_build_of(const char *path, struct text *out) {
  static char chunk[1 << 16];
  uint64_t sum = 0;
  ssize_t n;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  do {
    n = read(fd, chunk, sizeof chunk);
    if (n > 0) sum = trace_check(sum, chunk, (size_t)n);
  } while (n > 0 || (n < 0 && errno == EINTR));
  close(fd);
  if (n == 0) text_printf(out, "%016" PRIx64, sum);
  return n == 0;
}

bool trace_build_differs(const char *path, const char *build) {
  struct text now = {0};
  bool other = *build && trace_build_of(path, &now) && strcmp(text_str(&now), build) != 0;
  text_release(&now);
  return other;
}

bool trace_build_is_other(const struct trace_file *f) {
  const char *path = trace_file_text(f, 0), *build = trace_file_text(f, 1);
  return path && build && trace_build_differs(path, build);
}
