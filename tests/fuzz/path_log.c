/* Logs of control flow: trace/path_log.c. A chunk has 64 KB, so the bytes are those of chunks without most of their zeros: 256 of the header and
 * its texts, then 64 of each chunk. The file ends where they say in their first two bytes. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "target.h"
#include "trace/path_log.h"

enum { HEADER = 256, CHUNK = 64, MOST = 8 };

static void look(const struct path_log *log) {
  struct text name = {0};
  MUST(log->threads.count > 0 && log->program);
  for (uint32_t i = 0; i < log->threads.count; i++) {
    const struct path_thread *t = &log->threads.data[i];
    MUST(t->bits <= 64 * t->words.count);
    for (uint64_t at = 0; at < t->bits; at += 64) (void)path_log_number(log, i, at, t->bits - at < 64 ? (uint32_t)(t->bits - at) : 64);
    if (t->known && i < MOST) path_log_name(log, i, &name);
    if (i < MOST) MUST(path_log_child(log, i, 1) > i);
  }
  for (size_t i = 0; i < log->given.count; i++) {
    const struct path_given *g = &log->given.data[i];
    MUST(g->bytes[g->size] == 0 && path_log_given(log, g->kind, g->name));
  }
  text_release(&name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static uint8_t bytes[(MOST + 1) * PATH_CHUNK];
  char path[64];
  struct path_log log;
  struct diag d = {0};
  if (n < 2) return 0;
  size_t size = (data[0] | (size_t)data[1] << 8) * CHUNK;
  data += 2, n -= 2;
  memset(bytes, 0, sizeof bytes);
  memcpy(bytes, data, n < HEADER ? n : HEADER);
  for (size_t i = 0, at = HEADER; i < MOST && at < n; i++, at += CHUNK)
    memcpy(bytes + (i + 1) * PATH_CHUNK, data + at, n - at < CHUNK ? n - at : CHUNK);
  int fd = file_in_memory("paths", bytes, size < sizeof bytes ? size : sizeof bytes);
  MUST(fd >= 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  enum err e = path_log_read(&log, path, &d);
  close(fd);
  MUST((e == ERR_NONE) == (d.message.count == 0));
  if (!e) {
    look(&log);
    path_log_release(&log);
  }
  diag_release(&d);
  MUST(mem_live() == 0);
  return 0;
}
