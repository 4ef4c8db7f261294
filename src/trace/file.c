#include "trace/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "trace/names.h"

/* Part of the file that is in memory, while it is looked at. */
struct window {
  char *bytes;
  uint64_t from, to;
  uint64_t refused; /* bytes that were summed up in vain */
};
enum { WINDOW = 4 << 20 };
/* Numbers of places that a file has for each of its bytes, at the most: of each a record of at least 4 bytes, packed. */
enum { NAMES_A_BYTE = 8 };
_Static_assert(WINDOW > sizeof(struct trace_block) + TRACE_PACKED_MOST && WINDOW > sizeof(struct trace_header) + TRACE_TEXTS_MOST,
               "a block is looked at as a whole");

/* Reads `n` bytes at `offset`, or fewer if the file ends before; how many. */
static size_t read_at(int fd, char *to, size_t n, uint64_t offset) {
  size_t done = 0;
  while (done < n) {
    ssize_t k = pread(fd, to + done, n - done, (off_t)(offset + done));
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) break;
    done += (size_t)k;
  }
  return done;
}

/* The bytes at `offset`, at least `n` of them; NULL if there are not so many. */
static const char *look(const struct trace_file *f, struct window *w, uint64_t offset, size_t n) {
  if (offset < w->from || offset + n > w->to) {
    w->from = offset;
    w->to = offset + read_at(f->fd, w->bytes, WINDOW, offset);
  }
  return offset + n <= w->to ? w->bytes + (offset - w->from) : NULL;
}

static bool plausible(const struct trace_block *b) {
  if (b->magic != TRACE_BLOCK_MAGIC || b->raw > TRACE_RAW_MOST || b->packed > TRACE_PACKED_MOST) return false;
  if (b->packing == TRACE_PLAIN ? b->raw != b->packed : b->packing != TRACE_ZSTD) return false;
  switch (b->kind) {
    case TRACE_EVENTS:
      return b->thread < TRACE_THREADS_MOST && b->raw > 0 && b->first <= UINT32_MAX && b->count <= UINT32_MAX;
    case TRACE_NAMES:
      return b->raw >= sizeof(struct trace_names_head);
    case TRACE_END:
      return b->raw == 0;
    default:
      return false;
  }
}

/* Is there a block at `offset`? Then its head is `*b`. */
static bool block_at(const struct trace_file *f, struct window *w, uint64_t offset, struct trace_block *b) {
  const char *at = look(f, w, offset, sizeof *b);
  if (!at) return false;
  memcpy(b, at, sizeof *b);
  if (!plausible(b)) return false;
  at = look(f, w, offset, sizeof *b + b->packed);
  if (at && trace_block_check(b, at + sizeof *b) == b->check) return true;
  w->refused += b->packed;
  return false;
}

static bool unpack(uint8_t packing, const char *from, size_t packed, char *to, size_t raw) {
  if (packing == TRACE_PLAIN) return memcpy(to, from, raw), true;
  return ZSTD_decompress(to, raw, from, packed) == raw;
}

bool trace_file_payload(const struct trace_file *f, const struct trace_place *p, char *packed, char *to) {
  memset(to + p->raw, 0, TRACE_EVENT_MOST);
  if (p->live) return memcpy(to, f->live.data + p->offset, p->raw), true;
  return read_at(f->fd, packed, p->packed, p->offset) == p->packed && unpack(p->packing, packed, p->packed, to, p->raw);
}

static void take_names(struct trace_file *f, const struct trace_block *b, const char *payload) {
  char *raw = mem_alloc(b->raw);
  bool ok = unpack(b->packing, payload, b->packed, raw, b->raw);
  /* Each place has some bytes in its file, if it is in another block that is lost: so a forged number cannot ask for much memory. */
  if (!ok || !trace_names_read(&f->names, raw, b->raw, b->first, b->count, NAMES_A_BYTE * f->size)) f->torn += b->packed;
  mem_free(raw, b->raw);
}

static void take_block(struct trace_file *f, const struct trace_block *b, const char *payload, uint64_t offset) {
  if (b->kind == TRACE_NAMES) take_names(f, b, payload);
  if (b->kind == TRACE_END) f->ended = true, f->dropped = b->first, f->left_out = b->count;
  if (b->kind != TRACE_EVENTS) return;
  *vec_push(&f->blocks) = (struct trace_place){.offset = offset + sizeof *b,
                                               .first = b->first,
                                               .time = b->time,
                                               .thread = b->thread,
                                               .sequence = b->sequence,
                                               .raw = b->raw,
                                               .packed = b->packed,
                                               .packing = b->packing};
}

/* The next offset at which there are bytes that are not zero. */
static uint64_t behind_zeros(const struct trace_file *f, struct window *w, uint64_t offset) {
  for (uint64_t word = 0; offset < f->size; offset += 8) {
    if (offset % 4096 == 0) {
      off_t data = lseek(f->fd, (off_t)offset, SEEK_DATA);
      if (data < 0 && errno == ENXIO) return f->size;
      if (data > (off_t)offset) offset = (uint64_t)data & ~7ull;
    }
    const char *at = look(f, w, offset, 8);
    if (!at) return offset;
    memcpy(&word, at, 8);
    if (word) return offset;
  }
  return f->size;
}

static enum err scan(struct trace_file *f, struct window *w, uint64_t offset, struct diag *d) {
  struct trace_block b;
  while (offset < f->size) {
    if (block_at(f, w, offset, &b)) {
      take_block(f, &b, look(f, w, offset, sizeof b + b.packed) + sizeof b, offset);
      offset = trace_padded(offset + sizeof b + b.packed);
      continue;
    }
    uint64_t next = behind_zeros(f, w, offset);
    if (next == offset) f->torn += f->size - offset < 8 ? f->size - offset : 8, next += 8;
    offset = next;
    if (w->refused > 16 * f->size + (64 << 20)) return diag_set(d, ERR_FORMAT, "%s is damaged in too many places", text_str(&f->path));
  }
  return ERR_NONE;
}

static int by_number(const void *a, const void *b) {
  const struct trace_place *x = a, *y = b;
  if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
  if (x->sequence != y->sequence) return x->sequence < y->sequence ? -1 : 1;
  return x->live - y->live;
}

/* Sorts blocks, forgets those that are there twice, and counts what is missing. */
static void sort_blocks(struct trace_file *f) {
  size_t n = 0;
  if (f->blocks.count) qsort(f->blocks.data, f->blocks.count, sizeof f->blocks.data[0], by_number);
  for (size_t i = 0; i < f->blocks.count; i++) {
    struct trace_place p = f->blocks.data[i], *last = n ? &f->blocks.data[n - 1] : NULL;
    bool same = last && last->thread == p.thread;
    if (same && last->sequence == p.sequence) continue;
    if (same)
      f->missing += p.sequence - last->sequence - 1;
    else
      f->headless += p.sequence > 0;
    f->blocks.data[n++] = p;
  }
  f->blocks.count = n;
}

/* The buffer of a thread; its writer may go on meanwhile, and begin the next one. */
static void take_slot(struct trace_file *f, int fd, uint64_t offset, uint32_t size, char *bytes) {
  struct trace_slot s, later;
  if (read_at(fd, (char *)&s, sizeof s, offset) != sizeof s || s.magic != TRACE_SLOT_MAGIC) return;
  if (s.used == 0 || s.used > size - sizeof s || s.used > TRACE_RAW_MOST || s.thread >= TRACE_THREADS_MOST || s.first > UINT32_MAX) return;
  if (read_at(fd, bytes, s.used, offset + sizeof s) != s.used || read_at(fd, (char *)&later, sizeof later, offset) != sizeof later) return;
  if (later.thread != s.thread || later.sequence != s.sequence || later.used < s.used) return;
  *vec_push(&f->blocks) = (struct trace_place){.offset = f->live.count,
                                               .first = s.first,
                                               .time = s.time,
                                               .thread = s.thread,
                                               .sequence = s.sequence,
                                               .raw = (uint32_t)s.used,
                                               .live = true};
  text_append(&f->live, bytes, s.used);
}

/* It is read first: a buffer that is full meanwhile is in the file when that is read. */
static void take_live(struct trace_file *f) {
  struct text path = {0};
  struct diag d = {0};
  struct trace_live h;
  int fd;
  size_t size;
  text_printf(&path, "%s.live", text_str(&f->path));
  enum err e = access(text_str(&path), F_OK) == 0 ? file_open(text_str(&path), FILE_TRACE, &fd, &size, &d) : ERR_FILE;
  text_release(&path);
  diag_release(&d);
  if (e) return;
  bool ok = read_at(fd, (char *)&h, sizeof h, 0) == sizeof h && h.magic == TRACE_LIVE_MAGIC && h.start == f->header.start &&
            h.slot > sizeof(struct trace_slot) && h.slot <= 2 * TRACE_RAW_MOST;
  if (ok) {
    char *bytes = mem_alloc(h.slot);
    f->dropped = h.dropped;
    for (uint64_t i = 0; i < h.slots && TRACE_LIVE_FIRST + i * h.slot < size; i++)
      take_slot(f, fd, TRACE_LIVE_FIRST + i * h.slot, h.slot, bytes);
    mem_free(bytes, h.slot);
  }
  close(fd);
}

static enum err refuse(struct trace_file *f, const char *what, struct diag *d) {
  diag_set(d, ERR_FORMAT, "%s: %s", text_str(&f->path), what);
  diag_hint(d, "record the run again with heddle trace");
  return ERR_FORMAT;
}

static enum err take_header(struct trace_file *f, struct window *w, struct diag *d) {
  struct trace_header *h = &f->header;
  const char *at = look(f, w, 0, sizeof *h);
  if (!at) return refuse(f, "the trace ends in its header", d);
  memcpy(h, at, sizeof *h);
  if (h->magic != TRACE_MAGIC) return refuse(f, "this is no trace", d);
  if (h->version != TRACE_VERSION) return refuse(f, "the trace is of another version of Heddle", d);
  if (h->texts > TRACE_TEXTS_MOST || !(at = look(f, w, 0, sizeof *h + h->texts))) return refuse(f, "the trace ends in its header", d);
  if (trace_header_check(h, at + sizeof *h) != h->check) return refuse(f, "the header of the trace is damaged", d);
  text_append(&f->texts, at + sizeof *h, h->texts);
  text_putc(&f->texts, 0);
  return ERR_NONE;
}

enum err trace_file_open(struct trace_file *f, const char *path, int fd, uint64_t size, struct diag *d) {
  *f = (struct trace_file){.fd = fd, .size = size};
  struct window w = {.bytes = mem_alloc(WINDOW)};
  text_puts(&f->path, path);
  recorded_names_init(&f->names);
  enum err e = take_header(f, &w, d);
  if (!e) take_live(f);
  if (!e) e = scan(f, &w, trace_padded(sizeof f->header + f->header.texts), d);
  sort_blocks(f);
  mem_free(w.bytes, WINDOW);
  if (e) trace_file_release(f);
  return e;
}

void trace_file_release(struct trace_file *f) {
  close(f->fd);
  text_release(&f->path);
  text_release(&f->texts);
  text_release(&f->live);
  vec_release(&f->blocks);
  recorded_names_release(&f->names);
}

const char *trace_file_text(const struct trace_file *f, unsigned n) {
  size_t at = 0;
  for (; n > 0 && at < f->header.texts; n--) at += strlen(f->texts.data + at) + 1;
  return at < f->header.texts ? f->texts.data + at : NULL;
}
