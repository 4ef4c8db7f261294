#include "trace/path_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "trace/path_given.h"

enum err path_log_wrong(const char *path, const char *what, struct diag *d) {
  diag_hint(d, "heddle record writes such files");
  return diag_set(d, ERR_FORMAT, "%s is no whole log of control flow: %s", path, what);
}

static enum err read_header(struct path_log *log, const char *path, const struct text *bytes, struct diag *d) {
  struct path_header *h = &log->header;
  if (bytes->count < sizeof *h || memcmp(bytes->data, PATH_MAGIC, sizeof h->magic) != 0)
    return path_log_wrong(path, "it begins otherwise", d);
  memcpy(h, bytes->data, sizeof *h);
  uint32_t size = h->version == 1 ? PATH_HEADER_1 : sizeof *h;
  if (h->version == 0 || h->version > PATH_VERSION || h->size != size) return path_log_wrong(path, "it is of another version of Heddle", d);
  memset((char *)h + size, 0, sizeof *h - size);
  if (h->chunks > PATH_CHUNKS || h->threads > PATH_THREADS || h->texts > PATH_CHUNK - size || h->texts == 0 ||
      h->input >= PATH_KEPT_COUNT || h->how >= PATH_HOWS)
    return path_log_wrong(path, "its header is damaged", d);
  if (bytes->count < PATH_CHUNK) return path_log_wrong(path, "it was cut", d);
  text_append(&log->texts, bytes->data + size, h->texts);
  if (log->texts.data[h->texts - 1] != 0) return path_log_wrong(path, "its header is damaged", d);
  return ERR_NONE;
}

static void read_texts(struct path_log *log) {
  const char *at = log->texts.data, *end = at + log->header.texts;
  log->program = at;
  at += strlen(at) + 1;
  if (log->header.version > 1 && at < end) log->called = at, at += strlen(at) + 1;
  for (; at < end; at += strlen(at) + 1) *vec_push(&log->arguments) = at;
}

static void append_bit(struct path_thread *t, bool bit) {
  if (t->bits % 64 == 0) *vec_push(&t->words) = 0;
  vec_last(&t->words) |= (uint64_t)bit << (63 - t->bits % 64);
  t->bits++;
}

void path_log_append(struct path_thread *t, uint64_t number, uint32_t n) {
  while (n-- > 0) append_bit(t, number >> n & 1);
}

void path_log_cut(struct path_thread *t, uint64_t bits) {
  t->words.count = (bits + 63) / 64;
  if (bits % 64) vec_last(&t->words) &= ~(UINT64_MAX >> bits % 64);
  t->bits = bits;
}

static void append_word(struct path_thread *t, uint64_t word) { path_log_append(t, word, 63 - (uint32_t)__builtin_clzll(word)); }

/* Where a chunk is in the file. */
struct placed {
  struct path_chunk head;
  size_t at;
};

static int by_sequence(const void *a, const void *b) {
  const struct path_chunk *x = &((const struct placed *)a)->head, *y = &((const struct placed *)b)->head;
  if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
  return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

static void append_chunk(struct path_thread *t, const char *bytes) {
  uint64_t word = 1;
  for (const char *at = bytes + sizeof(struct path_chunk); word && at < bytes + PATH_CHUNK; at += sizeof word) {
    memcpy(&word, at, sizeof word);
    if (word) append_word(t, word);
  }
}

/* One that was never written to has no word. */
static bool is_used(const char *bytes) {
  uint64_t word;
  memcpy(&word, bytes + sizeof(struct path_chunk), sizeof word);
  return word != 0;
}

static enum err read_chunks(struct path_log *log, const char *path, const struct text *bytes, struct diag *d) {
  VEC(struct placed) chunks = {0};
  enum err e = ERR_NONE;
  for (uint32_t i = 0; !e && i < log->header.chunks; i++) {
    struct placed c = {.at = ((size_t)i + 1) * PATH_CHUNK};
    if (c.at + PATH_CHUNK > bytes->count) {
      e = path_log_wrong(path, "it was cut", d);
    } else if (is_used(bytes->data + c.at)) {
      memcpy(&c.head, bytes->data + c.at, sizeof c.head);
      if (c.head.thread == PATH_GIVEN) continue;
      bool known = c.head.thread < log->threads.count && c.head.parent < log->threads.count;
      if (known) *vec_push(&chunks) = c;
      if (!known) e = path_log_wrong(path, "a chunk is of no thread", d);
    }
  }
  if (chunks.count) qsort(chunks.data, chunks.count, sizeof *chunks.data, by_sequence);
  uint32_t expected = 0;
  for (size_t i = 0; !e && i < chunks.count; i++) {
    const struct path_chunk *head = &chunks.data[i].head, *before = i ? &chunks.data[i - 1].head : NULL;
    if (!before || before->thread != head->thread) expected = 0;
    if (expected && head->sequence == expected - 1) continue; /* it is there twice */
    if (head->sequence != expected++) e = path_log_wrong(path, "a chunk is missing", d);
    struct path_thread *t = &log->threads.data[head->thread];
    t->parent = head->parent, t->nth = head->nth, t->known = true;
    if (!e) append_chunk(t, bytes->data + chunks.data[i].at);
  }
  vec_release(&chunks);
  return e;
}

static bool is_tree(const struct path_log *log) {
  for (uint32_t i = 1; i < log->threads.count; i++)
    if (log->threads.data[i].known && log->threads.data[i].parent >= i) return false;
  return true;
}

enum err path_log_read(struct path_log *log, const char *path, struct diag *d) {
  struct text bytes = {0};
  *log = (struct path_log){0};
  enum err e = file_read(path, FILE_TRACE, &bytes, d);
  if (!e) e = read_header(log, path, &bytes, d);
  if (!e) {
    read_texts(log);
    for (uint32_t i = 0; i < log->header.threads; i++) *vec_push(&log->threads) = (struct path_thread){0};
  }
  if (!e) e = read_chunks(log, path, &bytes, d);
  if (!e) e = path_given_read(log, path, &bytes, d);
  if (!e && log->threads.count == 0) e = path_log_wrong(path, "no thread has written to it", d);
  if (!e && !is_tree(log)) e = path_log_wrong(path, "a thread is its own parent", d);
  text_release(&bytes);
  if (e) path_log_release(log);
  return e;
}

void path_log_release(struct path_log *log) {
  for (size_t i = 0; i < log->threads.count; i++) vec_release(&log->threads.data[i].words);
  vec_release(&log->threads);
  vec_release(&log->arguments);
  vec_release(&log->given);
  text_release(&log->contents);
  text_release(&log->texts);
  *log = (struct path_log){0};
}

uint32_t path_log_child(const struct path_log *log, uint32_t thread, uint32_t nth) {
  for (uint32_t i = thread + 1; i < log->threads.count; i++)
    if (log->threads.data[i].known && log->threads.data[i].parent == thread && log->threads.data[i].nth == nth) return i;
  return PATH_THREADS;
}

uint64_t path_log_number(const struct path_log *log, uint32_t thread, uint64_t at, uint32_t n) {
  const struct path_thread *t = &log->threads.data[thread];
  uint64_t number = 0;
  for (uint64_t i = at; i < at + n; i++) number = number << 1 | (t->words.data[i / 64] >> (63 - i % 64) & 1);
  return number;
}

const struct path_given *path_log_given(const struct path_log *log, enum path_piece_kind kind, const char *name) {
  for (size_t i = 0; i < log->given.count; i++)
    if (log->given.data[i].kind == kind && strcmp(log->given.data[i].name, name) == 0) return &log->given.data[i];
  return NULL;
}

static const char *const hows[] = {[PATH_HOW_BITS] = "bits", [PATH_HOW_ALL] = "all", [PATH_HOW_NUMBERS] = "numbers"};

const char *path_how_text(enum path_how how) { return hows[how]; }

enum path_how path_how_find(const char *text) {
  unsigned how = 0;
  while (how < PATH_HOWS && strcmp(hows[how], text) != 0) how++;
  return (enum path_how)how;
}

void path_log_name(const struct path_log *log, uint32_t thread, struct text *out) {
  if (thread == 0) {
    text_puts(out, "0");
    return;
  }
  path_log_name(log, log->threads.data[thread].parent, out);
  text_printf(out, ".%u", log->threads.data[thread].nth);
}
