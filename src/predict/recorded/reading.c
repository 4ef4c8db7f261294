#include "predict/recorded/reading.h"

#include <string.h>

/* Of a window, each window has one part in common with the next one. */
#define OVERLAP 4u

struct recorded_step recorded_step_of(const struct event *e, uint64_t position) {
  return (struct recorded_step){.thread = e->thread,
                                .index = e->index,
                                .site = e->site,
                                .op = e->op,
                                .flags = e->flags,
                                .object = e->object,
                                .size = e->size,
                                .position = position};
}

bool recorded_reading_fill(struct recorded_reading *r, struct recorded_stream *s, uint32_t window) {
  while (!r->ended && r->buffer.count < window) {
    size_t room = window - r->buffer.count;
    struct event *to = vec_push_n(&r->buffer, room);
    size_t n = s->next(s, to, room);
    r->buffer.count -= room - n;
    r->ended = n == 0;
  }
  return s->e == ERR_NONE && r->buffer.count > 0;
}

uint32_t recorded_reading_passes(const struct recorded_reading *r, uint32_t n) {
  bool last = r->ended && n == r->buffer.count;
  return last || n < OVERLAP ? n : n - n / OVERLAP;
}

void recorded_reading_pass(struct recorded_reading *r, uint32_t n) {
  memmove(r->buffer.data, r->buffer.data + n, (r->buffer.count - n) * sizeof r->buffer.data[0]);
  r->buffer.count -= n;
}

uint32_t recorded_reading_doubtful(const struct recorded_reading *r) {
  uint32_t n = 0;
  while (n < r->buffer.count && (r->buffer.data[n].flags & RECORDED_DOUBTFUL)) n++;
  return n;
}
