#include "trace/path_given.h"

#include <stdlib.h>
#include <string.h>

/* A piece in the log's bytes. */
struct found {
  struct path_piece head;
  const char *bytes;
};
struct pieces {
  struct found *data;
  size_t count, cap;
};

static bool is_sound(const struct path_piece *p, const char *bytes, size_t left) {
  if (p->kind >= PIECE_KINDS || p->kept >= PATH_KEPT_COUNT || p->room % 8 != 0 || p->room > left) return false;
  if (p->kind == PIECE_PENDING) return true;
  if (p->bytes > p->room || p->at > PATH_KEPT_MOST_ALL) return false;
  return p->kind == PIECE_BYTES || !memchr(bytes, 0, p->bytes);
}

static bool find_in_chunk(const char *chunk, struct pieces *to) {
  const char *at = chunk + sizeof(struct path_chunk), *end = chunk + PATH_CHUNK;
  while ((size_t)(end - at) >= sizeof(struct path_piece)) {
    struct found f = {.bytes = at + sizeof f.head};
    memcpy(&f.head, at, sizeof f.head);
    if (f.head.kind == PIECE_NONE) break;
    if (!is_sound(&f.head, f.bytes, (size_t)(end - f.bytes))) return false;
    if (f.head.kind != PIECE_PENDING) *vec_push(to) = f;
    at = f.bytes + f.head.room;
  }
  return true;
}

static bool find_all(const struct path_log *log, const struct text *bytes, struct pieces *to) {
  for (uint32_t i = 0; i < log->header.chunks; i++) {
    const char *chunk = bytes->data + ((size_t)i + 1) * PATH_CHUNK;
    struct path_chunk head;
    memcpy(&head, chunk, sizeof head);
    if (head.thread == PATH_GIVEN && !find_in_chunk(chunk, to)) return false;
  }
  return true;
}

/* By items; in each its bytes in their order, and then what it is. */
static int by_item(const void *a, const void *b) {
  const struct path_piece *x = &((const struct found *)a)->head, *y = &((const struct found *)b)->head;
  if (x->item != y->item) return x->item < y->item ? -1 : 1;
  bool last = x->kind != PIECE_BYTES, last_too = y->kind != PIECE_BYTES;
  if (last != last_too) return last - last_too;
  return x->at < y->at ? -1 : x->at > y->at;
}

/* Appends the item's bytes: pieces [from, to), that follow each other without a gap. */
static bool join(struct path_log *log, const struct found *from, const struct found *to, size_t size) {
  size_t at = 0;
  for (const struct found *f = from; f < to; at += f++->head.bytes) {
    if (f->head.kind != PIECE_BYTES || f->head.at != at) return false;
    text_append(&log->contents, f->bytes, f->head.bytes);
  }
  text_putc(&log->contents, 0);
  return at == size;
}

/* The strings' places in `contents` take the place of pointers as long as it grows. */
struct placed {
  size_t name, bytes;
};

static bool add_item(struct path_log *log, const struct found *from, const struct found *to, struct placed *placed) {
  const struct path_piece *what = &to->head;
  bool has_bytes = what->kind != PIECE_VARIABLE && what->kept == PATH_KEPT; /* else they were given up on the way */
  size_t size = has_bytes ? what->at : 0;
  placed->bytes = log->contents.count;
  if (!join(log, has_bytes ? from : to, to, size)) return false;
  placed->name = log->contents.count;
  text_append(&log->contents, to->bytes, what->bytes);
  text_putc(&log->contents, 0);
  *vec_push(&log->given) = (struct path_given){.kind = (enum path_piece_kind)what->kind, .kept = (enum path_kept)what->kept, .size = size};
  return true;
}

enum err path_given_read(struct path_log *log, const char *path, const struct text *bytes, struct diag *d) {
  struct pieces pieces = {0};
  VEC(struct placed) places = {0};
  bool good = find_all(log, bytes, &pieces);
  if (pieces.count) qsort(pieces.data, pieces.count, sizeof *pieces.data, by_item);
  for (size_t from = 0, i = 0; good && i < pieces.count; i++) {
    const struct path_piece *p = &pieces.data[i].head;
    bool is_first = i == 0 || pieces.data[i - 1].head.item != p->item;
    if (is_first) from = i;
    if (p->kind != PIECE_BYTES) good = add_item(log, pieces.data + from, pieces.data + i, vec_push(&places));
  }
  for (size_t i = 0; good && i < log->given.count; i++) {
    log->given.data[i].name = log->contents.data + places.data[i].name;
    log->given.data[i].bytes = log->contents.data + places.data[i].bytes;
  }
  vec_release(&places);
  vec_release(&pieces);
  return good ? ERR_NONE : path_log_wrong(path, "what it says of the run's input is damaged", d);
}
