/* Texts in RAPID's STD format: trace/std_read.c. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "recorded_events.h"
#include "trace/format.h"
#include "trace/std.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  char path[64];
  struct recorded_stream *s;
  struct diag d = {0};
  const uint64_t magic = TRACE_MAGIC;
  /* What is no such text is tested as one, too: only its first line decides. A trace file is none, whatever its first line looks like. */
  bool is_trace = n >= sizeof magic && memcmp(data, &magic, sizeof magic) == 0;
  int fd = file_in_memory("std", data, n);
  MUST(fd >= 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (!is_trace && std_begins((const char *)data, n < 256 ? n : 256)) {
    MUST(recorded_open(path, &s, &d) == ERR_NONE);
    close(fd);
  } else {
    MUST(lseek(fd, 0, SEEK_SET) == 0 && std_open(path, fd, &s, &d) == ERR_NONE);
  }
  read_to_the_end(s);
  diag_release(&d);
  MUST(mem_live() == 0);
  return 0;
}
