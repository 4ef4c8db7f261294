#include <string.h>

#include "base/file.h"
#include "trace/path_log.h"

struct writer {
  struct text out;
  uint32_t chunks, items;
  size_t room; /* of the last chunk, which has pieces; 0: it has not */
};

static void put_zeros(struct text *out, size_t n) {
  while (n-- > 0) text_putc(out, 0);
}

/* --- the header --- */

static void put_string(struct text *out, const char *s) { text_append(out, s, strlen(s) + 1); }

enum err path_log_head(struct path_log *log, struct text *out, struct diag *d) {
  struct path_header *h = &log->header;
  size_t at = out->count;
  memcpy(h->magic, PATH_MAGIC, sizeof h->magic);
  h->version = PATH_VERSION, h->size = sizeof *h;
  put_zeros(out, sizeof *h);
  put_string(out, log->program);
  put_string(out, log->called);
  for (size_t i = 0; i < log->arguments.count; i++) put_string(out, log->arguments.data[i]);
  size_t size = out->count - at;
  if (size > PATH_CHUNK) return diag_set(d, ERR_UNSUPPORTED, "the program's arguments are too long to be kept in the log");
  put_zeros(out, PATH_CHUNK - size);
  h->texts = (uint32_t)(size - sizeof *h);
  memcpy(out->data + at, h, sizeof *h);
  return ERR_NONE;
}

/* --- threads --- */

/* Words that are not full have fewer bits, below the one that says where they begin. */
static void put_word(struct writer *w, const struct path_log *log, uint32_t thread, uint64_t at) {
  uint64_t left = log->threads.data[thread].bits - at;
  uint32_t n = left < PATH_BITS ? (uint32_t)left : PATH_BITS;
  uint64_t word = 1ull << n | path_log_number(log, thread, at, n);
  text_append(&w->out, (const char *)&word, sizeof word);
}

/* One without a bit has a chunk, too, with an empty word. */
static void put_thread(struct writer *w, const struct path_log *log, uint32_t thread) {
  const struct path_thread *t = &log->threads.data[thread];
  uint64_t at = 0;
  for (uint32_t sequence = 0; sequence == 0 || at < t->bits; sequence++) {
    struct path_chunk head = {thread, t->parent, t->nth, sequence};
    size_t end = w->out.count + PATH_CHUNK;
    text_append(&w->out, (const char *)&head, sizeof head);
    do {
      put_word(w, log, thread, at);
      at += PATH_BITS;
    } while (at < t->bits && w->out.count < end);
    put_zeros(&w->out, end - w->out.count);
    w->chunks++;
  }
}

/* --- what the run was given --- */

static void end_pieces(struct writer *w) {
  put_zeros(&w->out, w->room);
  w->room = 0;
}

static void put_piece(struct writer *w, struct path_piece piece, const char *bytes) {
  piece.room = (piece.bytes + 7) / 8 * 8;
  if (w->room < sizeof piece + piece.room) {
    end_pieces(w);
    text_append(&w->out, (const char *)&(struct path_chunk){.thread = PATH_GIVEN}, sizeof(struct path_chunk));
    w->room = PATH_CHUNK - sizeof(struct path_chunk);
    w->chunks++;
  }
  text_append(&w->out, (const char *)&piece, sizeof piece);
  text_append(&w->out, bytes, piece.bytes);
  put_zeros(&w->out, piece.room - piece.bytes);
  w->room -= sizeof piece + piece.room;
}

static void put_given(struct writer *w, const struct path_given *g) {
  struct path_piece what = {.kind = (uint16_t)g->kind, .kept = (uint16_t)g->kept, .bytes = (uint32_t)strlen(g->name), .item = w->items++};
  for (size_t at = 0; at < g->size;) {
    size_t n = g->size - at < PATH_PIECE_MOST ? g->size - at : PATH_PIECE_MOST;
    put_piece(w, (struct path_piece){.kind = PIECE_BYTES, .bytes = (uint32_t)n, .item = what.item, .at = at}, g->bytes + at);
    at += n;
  }
  what.at = g->size;
  put_piece(w, what, g->name);
}

enum err path_log_write(struct path_log *log, const char *path, struct diag *d) {
  struct writer w = {0};
  enum err e = path_log_head(log, &w.out, d);
  if (!e) {
    for (uint32_t i = 0; i < log->threads.count; i++) put_thread(&w, log, i);
    for (size_t i = 0; i < log->given.count; i++) put_given(&w, &log->given.data[i]);
    end_pieces(&w);
    log->header.chunks = w.chunks, log->header.items = w.items, log->header.threads = (uint32_t)log->threads.count;
    memcpy(w.out.data, &log->header, sizeof log->header);
    e = file_write(path, w.out.data, w.out.count, d);
  }
  text_release(&w.out);
  return e;
}
