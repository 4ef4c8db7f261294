/* Trace files and what is beside them after a crash, FILE.live: trace/file.c, strand.c, names.c, merge.c, border.c, repair.c.
 *
 * The sums over header and blocks are made to fit: they are not what is tested. From TRACE_LIVE_MAGIC on, at a multiple of 8, the bytes
 * are FILE.live, whose slots follow at once. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "recorded_events.h"
#include "trace/format.h"

static void sign_blocks(char *bytes, size_t at, size_t n) {
  struct trace_block b;
  while (at + sizeof b <= n) {
    memcpy(&b, bytes + at, sizeof b);
    if (b.magic != TRACE_BLOCK_MAGIC || b.packed > n - at - sizeof b) {
      at += 8;
      continue;
    }
    if (b.packing == TRACE_PLAIN) b.raw = b.packed;
    b.check = trace_block_check(&b, bytes + at + sizeof b);
    memcpy(bytes + at, &b, sizeof b);
    at += trace_padded(sizeof b + b.packed);
  }
}

static void sign(char *bytes, size_t n) {
  struct trace_header h;
  if (n < sizeof h) return;
  memcpy(&h, bytes, sizeof h);
  h.magic = TRACE_MAGIC, h.version = TRACE_VERSION;
  if (h.texts <= n - sizeof h) h.check = trace_header_check(&h, bytes + sizeof h);
  memcpy(bytes, &h, sizeof h);
  sign_blocks(bytes, trace_padded(sizeof h + (h.texts <= n ? h.texts : 0)), n);
}

static size_t find_live(const char *bytes, size_t n) {
  uint64_t magic;
  for (size_t at = 0; at + sizeof magic <= n; at += 8) {
    memcpy(&magic, bytes + at, sizeof magic);
    if (magic == TRACE_LIVE_MAGIC) return at;
  }
  return n;
}

static void write_file(const char *path, const struct text *content) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  MUST(fd >= 0 && write(fd, text_str(content), content->count) == (ssize_t)content->count);
  close(fd);
}

/* FILE.live with its slots where they belong. */
static void write_live(const char *path, const char *bytes, size_t n, const struct text *trace) {
  static const char zeros[TRACE_LIVE_FIRST];
  struct text content = {0};
  struct trace_header h;
  struct trace_live live = {0};
  memcpy(&live, bytes, n < sizeof live ? n : sizeof live);
  if (trace->count >= sizeof h) {
    memcpy(&h, text_str(trace), sizeof h);
    live.start = h.start;
  }
  text_append(&content, (const char *)&live, sizeof live);
  text_append(&content, zeros, sizeof zeros - sizeof live);
  if (n > sizeof live) text_append(&content, bytes + sizeof live, n - sizeof live);
  write_file(path, &content);
  text_release(&content);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  char folder[] = "/tmp/fuzz-trace-XXXXXX", path[64], live[64];
  struct recorded_stream *s;
  struct diag d = {0};
  struct text bytes = {0};
  MUST(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/t", folder);
  snprintf(live, sizeof live, "%s/t.live", folder);
  size_t size = find_live((const char *)data, n);
  text_append(&bytes, (const char *)data, size);
  if (size) sign(bytes.data, size);
  write_file(path, &bytes);
  if (size < n) write_live(live, (const char *)data + size, n - size, &bytes);
  text_release(&bytes);
  if (recorded_open(path, &s, &d) == ERR_NONE)
    read_to_the_end(s);
  else
    MUST(d.message.count > 0);
  if (size < n) unlink(live);
  unlink(path);
  rmdir(folder);
  diag_release(&d);
  MUST(mem_live() == 0);
  return 0;
}
