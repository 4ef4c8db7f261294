#include "program/embed.h"

#include <string.h>
#include <zstd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "program/columns.h"

enum { LEVEL = 9, ALIGN = 8, VERSION = 2 };
enum form { PLAIN, COLUMNS };             /* of what is packed */
#define MAGIC       0x4342454c44444548ull /* "HEDDLEBC" */
#define MAX_RAW     (256ull << 20)        /* of one source: some KB of a hostile file unpack to a thousand times as many */
#define MAX_COLUMNS (2 * MAX_RAW)

struct header {
  uint64_t magic;
  uint64_t check; /* hash of all that follows this field */
  uint16_t version;
  uint8_t kind, form;
  uint32_t position;
  uint64_t bytes;                     /* of header and body, a multiple of ALIGN */
  uint32_t name, folder, flags, note; /* bytes of each, terminators included; they follow in this order, then the packed bytes */
  uint64_t packed, raw;
};
_Static_assert(sizeof(struct header) == 64 && sizeof(struct header) % ALIGN == 0, "layout on disk");
_Static_assert(offsetof(struct header, name) == 32 && offsetof(struct header, packed) == 48, "layout on disk");

static uint64_t check_of(const char *record, size_t n) {
  size_t start = offsetof(struct header, check) + sizeof(uint64_t);
  return hash_bytes(record + start, n - start, MAGIC);
}

void embed_write(const struct embed_record *r, const void *raw, size_t nraw, struct text *out) {
  struct header h = {
      .magic = MAGIC, .version = VERSION, .kind = (uint8_t)r->kind, .position = r->position, .flags = (uint32_t)r->nflags, .raw = nraw};
  h.name = (uint32_t)strlen(r->name) + 1, h.folder = (uint32_t)strlen(r->folder) + 1, h.note = (uint32_t)strlen(r->note) + 1;
  struct text columns = {0};
  if (columns_split(raw, nraw, &columns)) h.form = COLUMNS, raw = columns.data, nraw = columns.count;
  size_t bound = ZSTD_compressBound(nraw);
  char *packed = mem_alloc(bound);
  h.packed = nraw ? ZSTD_compress(packed, bound, raw, nraw, LEVEL) : 0;
  size_t start = out->count;
  text_append(out, (const char *)&h, sizeof h);
  text_append(out, r->name, h.name);
  text_append(out, r->folder, h.folder);
  if (h.flags) text_append(out, r->flags, h.flags);
  text_append(out, r->note, h.note);
  text_append(out, packed, h.packed);
  mem_free(packed, bound);
  text_release(&columns);
  while ((out->count - start) % ALIGN) text_putc(out, 0);
  h.bytes = out->count - start;
  memcpy(out->data + start, &h, sizeof h);
  h.check = check_of(out->data + start, h.bytes);
  memcpy(out->data + start, &h, sizeof h);
}

static enum err damaged(const char *path, const char *what, struct diag *d) {
  diag_hint(d, "build it again");
  return diag_set(d, ERR_FORMAT, "%s: its bitcode section is damaged: %s", path, what);
}

/* Sets `*s` to the string of `n` bytes at `*p`, and moves on; false if it is not terminated. */
static bool take_string(const char **p, size_t n, const char **s) {
  *s = *p, *p += n;
  return n > 0 && (*p)[-1] == 0 && memchr(*s, 0, n) == *p - 1;
}

static enum err take_body(const char *path, const struct header *h, const char *p, struct embed_record *r, struct diag *d) {
  uint64_t body = (uint64_t)h->name + h->folder + h->flags + h->note;
  if (h->packed > h->bytes || body + h->packed > h->bytes - sizeof *h) return damaged(path, "lengths do not fit", d);
  *r = (struct embed_record){.kind = (enum embed_kind)h->kind,
                             .nflags = h->flags,
                             .position = h->position,
                             .npacked = h->packed,
                             .nraw = h->raw,
                             .by_columns = h->form == COLUMNS};
  bool ok = take_string(&p, h->name, &r->name) && take_string(&p, h->folder, &r->folder);
  r->flags = p, p += h->flags;
  if (!ok || (h->flags && p[-1] != 0) || !take_string(&p, h->note, &r->note)) return damaged(path, "unterminated text", d);
  r->packed = (const uint8_t *)p;
  return ERR_NONE;
}

enum err embed_next(const char *path, const uint8_t *bytes, size_t n, size_t *at, struct embed_record *r, bool *found, struct diag *d) {
  struct header h;
  while (*at < n && bytes[*at] == 0) (*at)++;
  *found = *at < n;
  if (!*found) return ERR_NONE;
  if (n - *at < sizeof h) return damaged(path, "it is cut off", d);
  const char *record = (const char *)bytes + *at;
  memcpy(&h, record, sizeof h);
  if (h.magic != MAGIC) return damaged(path, "something else is in it", d);
  if (h.version != VERSION) {
    diag_hint(d, "build it with this version's heddle cc");
    return diag_set(d, ERR_UNSUPPORTED, "%s was built with another version of heddle cc (format %u, not %d)", path, h.version, VERSION);
  }
  if (h.bytes < sizeof h || h.bytes > n - *at) return damaged(path, "it is cut off", d);
  if (h.check != check_of(record, h.bytes)) return damaged(path, "a hash does not match", d);
  if (h.kind == 0 || h.kind >= EMBED_KINDS || h.form > COLUMNS) return damaged(path, "unknown record", d);
  *at += h.bytes;
  return take_body(path, &h, record + sizeof h, r, d);
}

enum err embed_unpack(const char *path, const struct embed_record *r, struct text *out, struct diag *d) {
  unsigned long long size = ZSTD_getFrameContentSize(r->packed, r->npacked);
  if (r->nraw > MAX_RAW || (r->by_columns ? size > MAX_COLUMNS : size != r->nraw)) return damaged(path, "wrong size of bitcode", d);
  uint8_t *raw = mem_alloc(size);
  size_t n = ZSTD_decompress(raw, size, r->packed, r->npacked);
  enum err e = ERR_NONE;
  if (ZSTD_isError(n) || n != size)
    e = damaged(path, "its bitcode does not decompress", d);
  else if (!r->by_columns)
    text_append(out, (const char *)raw, n);
  else if (!columns_join(raw, n, r->nraw, out))
    e = damaged(path, "the columns of its bitcode do not fit together", d);
  mem_free(raw, size);
  return e;
}
