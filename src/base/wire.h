/* Values as bytes, for another process of the same build or a file that says which build wrote it: plain memory, one value after the
 * other. What is read is checked for its length alone. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"

struct wire {
  const char *at, *end;
  bool bad; /* it ended early; all that is read from then on is zero */
};

static inline void wire_get(struct wire *w, void *to, size_t n) {
  w->bad |= (size_t)(w->end - w->at) < n;
  if (w->bad) {
    memset(to, 0, n);
    return;
  }
  if (n) memcpy(to, w->at, n);
  w->at += n;
}

/* Numbers that are small as a rule: seven bits a byte, the lowest first. */
static inline void wire_put_number(struct text *out, uint64_t n) {
  for (; n >= 128; n >>= 7) text_putc(out, (char)(n | 128));
  text_putc(out, (char)n);
}

static inline uint64_t wire_get_number(struct wire *w) {
  uint64_t n = 0;
  uint8_t byte = 128;
  for (unsigned shift = 0; byte & 128 && !w->bad; shift += 7) {
    wire_get(w, &byte, 1);
    w->bad |= shift > 63;
    if (!w->bad) n |= (uint64_t)(byte & 127) << shift;
  }
  return w->bad ? 0 : n;
}

/* Is there room for `count` elements? */
static inline bool wire_has(struct wire *w, uint64_t count, size_t size) {
  w->bad |= count > (size_t)(w->end - w->at) / size;
  return !w->bad;
}

#define WIRE_PUT(t, value) text_append(t, (const char *)&(value), sizeof(value))
#define WIRE_GET(w, value) wire_get(w, &(value), sizeof(value))

/* Vectors (vec.h): the number of elements, then these. Reading appends. */
#define WIRE_PUT_VEC(t, v)                                                           \
  do {                                                                               \
    uint64_t count_ = (v)->count;                                                    \
    WIRE_PUT(t, count_);                                                             \
    if (count_) text_append(t, (const char *)(v)->data, count_ * sizeof *(v)->data); \
  } while (0)
#define WIRE_GET_VEC(w, v)                                                                                                \
  do {                                                                                                                    \
    uint64_t count_;                                                                                                      \
    WIRE_GET(w, count_);                                                                                                  \
    if (count_ && wire_has(w, count_, sizeof *(v)->data)) wire_get(w, vec_push_n(v, count_), count_ * sizeof *(v)->data); \
  } while (0)
