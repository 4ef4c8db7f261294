#include "trace/recorded.h"

#include <string.h>

const char *recorded_op_text(unsigned op) {
  static const char *const texts[] = {"branch", "call", "return", "argument", "initial", "point"};
  if (op >= RECORDED_OPS) return "?";
  return op < EVENT_COUNT ? event_op_text((enum event_op)op) : texts[op - EVENT_COUNT];
}

void recorded_names_init(struct recorded_names *n) {
  if (n->strings.count == 0) *vec_push(&n->strings) = 0;
  if (n->sites.count == 0) *vec_push(&n->sites) = (struct recorded_site){0};
}

void recorded_names_release(struct recorded_names *n) {
  vec_release(&n->sites);
  vec_release(&n->threads);
  vec_release(&n->methods);
  vec_release(&n->strings);
}

uint32_t recorded_add_string(struct recorded_names *n, const char *s, size_t length) {
  if (length == 0) return 0;
  uint32_t at = (uint32_t)n->strings.count;
  char *to = vec_push_n(&n->strings, length + 1);
  memcpy(to, s, length);
  to[length] = 0;
  return at;
}

const char *recorded_text(const struct recorded_names *n, uint32_t offset) {
  return offset < n->strings.count ? &n->strings.data[offset] : "";
}

void recorded_release(struct recorded *r) {
  vec_release(&r->events);
  recorded_names_release(&r->names);
}

void recorded_close(struct recorded_stream *s) {
  if (s) s->close(s);
}

struct memory_stream {
  struct recorded_stream s; /* first: they are one */
  const struct recorded *of;
  size_t at;
};

static size_t memory_next(struct recorded_stream *s, struct event *out, size_t most) {
  struct memory_stream *m = (struct memory_stream *)s;
  size_t left = m->of->events.count - m->at, n = left < most ? left : most;
  if (n) memcpy(out, m->of->events.data + m->at, n * sizeof *out);
  for (size_t i = 0; i < n; i++) s->unordered += (out[i].flags & RECORDED_UNORDERED) && !event_outside(&out[i]);
  m->at += n;
  return n;
}

static void memory_close(struct recorded_stream *s) { mem_free(s, sizeof(struct memory_stream)); }

struct recorded_stream *recorded_stream_of(const struct recorded *r) {
  struct memory_stream *m = mem_alloc(sizeof *m);
  m->s = (struct recorded_stream){.next = memory_next, .names = &r->names, .close = memory_close};
  m->of = r;
  return &m->s;
}

#define COPY_VEC(to, from)                                                                                        \
  do {                                                                                                            \
    vec_clear(to);                                                                                                \
    if ((from)->count) memcpy(vec_push_n(to, (from)->count), (from)->data, (from)->count * sizeof *(from)->data); \
  } while (0)

enum err recorded_collect(struct recorded_stream *s, struct recorded *out) {
  enum { CHUNK = 1024 };
  for (size_t n = CHUNK; n > 0;) {
    vec_reserve(&out->events, CHUNK);
    n = s->next(s, out->events.data + out->events.count, CHUNK);
    out->events.count += n;
  }
  COPY_VEC(&out->names.sites, &s->names->sites);
  COPY_VEC(&out->names.threads, &s->names->threads);
  COPY_VEC(&out->names.methods, &s->names->methods);
  COPY_VEC(&out->names.strings, &s->names->strings);
  return s->e;
}
