#include "predict/recorded/marks.h"

#include "base/hash.h"

enum { AT_ONCE = 4096, READERS = 4, GRANULE = 8, GRANULES_MOST = 1 << 16, BITS = 64 };

struct use {
  uint64_t position;
  uint32_t thread, is; /* is: 0: none */
};

/* Of a granule: its last write, and reads since by so many threads. */
struct granule {
  struct use write, reads[READERS];
};

struct marks {
  VEC(uint64_t) bits;
  struct hashmap numbers; /* of granules */
  VEC(struct granule) granules;
  VEC(struct { VEC(uint64_t) at; }) steps; /* of each thread: positions of its steps, ascending; some that became steps later are missing */
};

struct marks *marks_new(void) {
  struct marks *m = mem_alloc(sizeof *m);
  *m = (struct marks){0};
  return m;
}

void marks_free(struct marks *m) {
  if (!m) return;
  for (size_t i = 0; i < m->steps.count; i++) vec_release(&m->steps.data[i].at);
  vec_release(&m->steps);
  vec_release(&m->bits);
  vec_release(&m->granules);
  hashmap_release(&m->numbers);
  mem_free(m, sizeof *m);
}

bool marks_has(const struct marks *m, uint64_t position) {
  return position / BITS < m->bits.count && m->bits.data[position / BITS] >> position % BITS & 1;
}

static void mark(struct marks *m, uint64_t position) {
  while (m->bits.count <= position / BITS) *vec_push(&m->bits) = 0;
  m->bits.data[position / BITS] |= 1ull << position % BITS;
}

static void add_step(struct marks *m, uint32_t thread, uint64_t position) {
  mark(m, position);
  while (m->steps.count <= thread) *vec_push(&m->steps) = (__typeof__(m->steps.data[0])){0};
  if (m->steps.data[thread].at.count == 0 || vec_last(&m->steps.data[thread].at) < position)
    *vec_push(&m->steps.data[thread].at) = position;
}

/* The first step of the thread from that position on; UINT64_MAX: none. */
static uint64_t step_from(const struct marks *m, uint32_t thread, uint64_t position) {
  if (thread >= m->steps.count) return UINT64_MAX;
  const uint64_t *at = m->steps.data[thread].at.data;
  size_t from = 0, to = m->steps.data[thread].at.count;
  while (from < to) {
    size_t middle = (from + to) / 2;
    if (at[middle] < position)
      from = middle + 1;
    else
      to = middle;
  }
  return from < m->steps.data[thread].at.count ? at[from] : UINT64_MAX;
}

static uint64_t last_step(const struct marks *m, uint32_t thread) {
  bool some = thread < m->steps.count && m->steps.data[thread].at.count;
  return some ? vec_last(&m->steps.data[thread].at) : 0;
}

/* `earlier` conflicts with what `thread` does at `now`. */
static void order(struct marks *m, const struct use *earlier, uint32_t thread, uint64_t now) {
  if (!earlier->is || earlier->thread == thread) return;
  if (step_from(m, earlier->thread, earlier->position) < last_step(m, thread)) return;
  mark(m, earlier->position);
  add_step(m, thread, now);
}

static void add_read(struct marks *m, struct granule *g, const struct use *u) {
  struct use *to = NULL;
  for (unsigned i = 0; i < READERS; i++) {
    struct use *r = &g->reads[i];
    if (r->is && r->thread != u->thread) continue;
    if (!to || r->is) to = r;
  }
  if (!to) { /* one of too many: it is a step, and ordered as such */
    add_step(m, u->thread, u->position);
    return;
  }
  *to = *u;
}

static void touch(struct marks *m, uint64_t granule, const struct use *u, bool writes) {
  bool is_new;
  uint64_t number = *hashmap_at(&m->numbers, granule, m->granules.count, &is_new);
  if (is_new) *vec_push(&m->granules) = (struct granule){0};
  struct granule *g = &m->granules.data[number];
  order(m, &g->write, u->thread, u->position);
  if (!writes) {
    add_read(m, g, u);
    return;
  }
  for (unsigned i = 0; i < READERS; i++) order(m, &g->reads[i], u->thread, u->position);
  *g = (struct granule){.write = *u};
}

static bool is_plain(const struct event *e) {
  return e->op == EVENT_ALLOC || e->op == EVENT_FREE || ((e->op == EVENT_READ || e->op == EVENT_WRITE) && e->order == ORDER_PLAIN);
}

static void take(struct marks *m, const struct event *e, uint64_t position) {
  struct use u = {position, e->thread, 1};
  if (e->op >= EVENT_COUNT) return;
  if (!is_plain(e)) add_step(m, e->thread, position);
  bool access = e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE;
  if (!access || e->size == 0) return;
  uint64_t first = e->object / GRANULE, last = (e->object + e->size - 1) / GRANULE;
  if (last - first >= GRANULES_MOST) last = first + GRANULES_MOST - 1;
  for (uint64_t g = first; g <= last; g++) touch(m, g, &u, e->op != EVENT_READ);
}

enum err marks_find(struct marks *m, struct recorded_stream *s, uint64_t n) {
  struct event *events = mem_alloc(AT_ONCE * sizeof *events);
  uint64_t position = 0;
  for (size_t got; position < n && (got = s->next(s, events, AT_ONCE)) > 0;)
    for (size_t i = 0; i < got && position < n; i++) take(m, &events[i], position++);
  mem_free(events, AT_ONCE * sizeof *events);
  return s->e;
}
