#include "cli/pack.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/mem.h"
#include "trace/format.h"

enum { LEVEL = 1, ALIGNED = 8 };

struct packing {
  FILE *in, *out;
  ZSTD_CCtx *context;
  char *raw, *packed; /* of TRACE_RAW_MOST bytes and their bound */
};

static bool copy(struct packing *p, size_t n) {
  return n <= TRACE_RAW_MOST && fread(p->raw, 1, n, p->in) == n && fwrite(p->raw, 1, n, p->out) == n;
}

static bool copy_header(struct packing *p) {
  struct trace_header h;
  return fread(&h, sizeof h, 1, p->in) == 1 && h.magic == TRACE_MAGIC && fwrite(&h, sizeof h, 1, p->out) == 1 &&
         copy(p, trace_padded(sizeof h + h.texts) - sizeof h);
}

/* One that does not become smaller, or is damaged, stays as it is. */
static bool pack_block(struct packing *p, struct trace_block *b) {
  static const char zeros[ALIGNED];
  size_t n = trace_padded(b->packed), bound = ZSTD_compressBound(TRACE_RAW_MOST);
  if (b->packed > TRACE_RAW_MOST || fread(p->raw, 1, n, p->in) != n) return false;
  const char *payload = p->raw;
  if (b->kind == TRACE_EVENTS && b->packing == TRACE_PLAIN && b->check == trace_block_check(b, p->raw)) {
    size_t small = ZSTD_compressCCtx(p->context, p->packed, bound, p->raw, b->raw, LEVEL);
    if (!ZSTD_isError(small) && small < b->raw) {
      b->packing = TRACE_ZSTD, b->packed = (uint32_t)small, payload = p->packed;
      b->check = trace_block_check(b, payload);
    }
  }
  return fwrite(b, sizeof *b, 1, p->out) == 1 && fwrite(payload, 1, b->packed, p->out) == b->packed &&
         fwrite(zeros, 1, trace_padded(b->packed) - b->packed, p->out) == trace_padded(b->packed) - b->packed;
}

/* To the next block behind a hole. False at the end. */
static bool find_block(struct packing *p, struct trace_block *b) {
  for (;;) {
    if (fread(b, sizeof b->magic, 1, p->in) != 1) return false;
    if (b->magic == TRACE_BLOCK_MAGIC) return fread((char *)b + sizeof b->magic, sizeof *b - sizeof b->magic, 1, p->in) == 1;
    long hole = b->magic ? -1 : lseek(fileno(p->in), ftell(p->in), SEEK_DATA);
    if (fseek(p->in, hole > ftell(p->in) ? hole & ~(long)(ALIGNED - 1) : ftell(p->in) + ALIGNED - (long)sizeof b->magic, SEEK_SET) != 0)
      return false;
  }
}

static bool pack_all(struct packing *p) {
  struct trace_block b;
  bool good = copy_header(p);
  while (good && find_block(p, &b)) good = pack_block(p, &b);
  return good && !ferror(p->in) && fflush(p->out) == 0;
}

enum err pack_trace(const char *path, struct diag *d) {
  struct text other = {0};
  struct stat s;
  text_printf(&other, "%s.packed", path);
  struct packing p = {.in = fopen(path, "rbe"), .out = fopen(text_str(&other), "wbe"), .context = ZSTD_createCCtx()};
  size_t bound = ZSTD_compressBound(TRACE_RAW_MOST);
  p.raw = mem_alloc(TRACE_RAW_MOST), p.packed = mem_alloc(bound);
  bool good = p.in && p.out && p.context && fstat(fileno(p.in), &s) == 0 && fchmod(fileno(p.out), s.st_mode & 07777) == 0 && pack_all(&p);
  int failure = errno;
  if (p.in) fclose(p.in);
  if (p.out && fclose(p.out) != 0) good = false, failure = errno;
  if (good && rename(text_str(&other), path) != 0) good = false, failure = errno;
  enum err e = good ? ERR_NONE : diag_set(d, ERR_FILE, "cannot pack %s: %s", path, strerror(failure));
  if (!good) unlink(text_str(&other));
  ZSTD_freeCCtx(p.context);
  mem_free(p.raw, TRACE_RAW_MOST);
  mem_free(p.packed, bound);
  text_release(&other);
  return e;
}
