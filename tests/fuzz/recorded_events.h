/* Recorded runs as fuzz targets read them: all that trace/recorded.h promises of any stream, whatever its file is. */
#pragma once
#include "base/mem.h"
#include "target.h"
#include "trace/recorded.h"

static inline void must_be_names(const struct recorded_names *names) {
  MUST(names->sites.count > 0 && names->strings.count > 0);
  MUST(names->strings.data[0] == 0 && vec_last(&names->strings) == 0);
  for (size_t i = 0; i < names->sites.count; i++)
    MUST(names->sites.data[i].file < names->strings.count && names->sites.data[i].function < names->strings.count);
  for (size_t i = 0; i < names->threads.count; i++) MUST(names->threads.data[i] < names->strings.count);
  for (size_t i = 0; i < names->methods.count; i++) MUST(names->methods.data[i] < names->strings.count);
}

static inline void must_be_event(const struct event *e, const struct recorded_names *names) {
  bool access = e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW;
  MUST(e->op > EVENT_NONE && e->op < RECORDED_OPS && e->op != RECORDED_POINT && *recorded_op_text(e->op));
  MUST(e->order <= ORDER_SEQ_CST && e->object < RECORDED_ADDRESSES);
  MUST(e->thread < names->threads.count && e->site < names->sites.count);
  if (e->op == EVENT_FORK || e->op == EVENT_JOIN) MUST(e->object < names->threads.count && e->object != e->thread);
  if (e->op == RECORDED_CALL || e->op == RECORDED_RETURN) MUST(e->object < names->methods.count);
  if (access && (e->flags & RECORDED_NO_VALUE)) MUST(e->size > 0 && e->value == 0 && e->value2 == 0);
  if (access && !(e->flags & RECORDED_NO_VALUE)) MUST(e->size > 0 && e->size <= 8 && (e->size == 8 || e->value >> 8 * e->size == 0));
}

/* Reads a stream to its end, and closes it. */
static inline void read_to_the_end(struct recorded_stream *s) {
  enum { CHUNK = 61 };
  VEC(uint32_t) counts = {0}; /* events so far by thread */
  struct event events[CHUNK];
  uint64_t unordered = 0;
  for (size_t n; (n = s->next(s, events, CHUNK)) > 0;) {
    MUST(n <= CHUNK);
    for (size_t i = 0; i < n; i++) {
      must_be_event(&events[i], s->names);
      while (counts.count <= events[i].thread) *vec_push(&counts) = 0;
      MUST(events[i].index == counts.data[events[i].thread]++);
      unordered += (events[i].flags & RECORDED_UNORDERED) && !event_outside(&events[i]);
    }
  }
  must_be_names(s->names);
  MUST(unordered == s->unordered);
  MUST(s->next(s, events, CHUNK) == 0); /* the end stays the end */
  MUST(s->e == ERR_NONE || s->d->message.count > 0);
  vec_release(&counts);
  recorded_close(s);
}
