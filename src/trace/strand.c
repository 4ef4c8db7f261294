#include "trace/strand.h"

#include <string.h>

#include "trace/names.h"

enum { SEGMENT_MOST = 1024, ORDER_MOST = ORDER_SEQ_CST };

void strand_init(struct strand *s, const struct trace_file *f, size_t from, size_t to) {
  *s = (struct strand){.thread = f->blocks.data[from].thread, .block = from, .end = to};
}

static void drop_block(struct strand *s) {
  mem_free(s->bytes, s->room);
  mem_free(s->coder, sizeof *s->coder);
  s->bytes = NULL, s->coder = NULL, s->at = s->stop = NULL, s->name = NULL, s->room = 0;
}

/* Nothing behind this can be read. */
static bool give_up(struct strand *s) {
  s->torn = true;
  s->block = s->end;
  return false;
}

/* Reads the next block: one that follows the last. */
static bool next_block(struct strand *s, const struct trace_file *f, char *packed) {
  if (s->block == s->end) return false;
  const struct trace_place *p = &f->blocks.data[s->block], *last = s->bytes ? p - 1 : NULL;
  if (last && last->sequence + 1 != p->sequence) return give_up(s);
  if (!s->coder) s->coder = mem_alloc(sizeof *s->coder);
  if (s->room < p->raw + (size_t)TRACE_EVENT_MOST) {
    mem_free(s->bytes, s->room);
    s->room = p->raw + (size_t)TRACE_EVENT_MOST;
    s->bytes = mem_alloc(s->room);
  }
  if (!trace_file_payload(f, p, packed, s->bytes)) return give_up(s);
  size_t name = strnlen(s->bytes, p->raw < TRACE_NAME_MOST ? p->raw : TRACE_NAME_MOST);
  if (name == p->raw || name == TRACE_NAME_MOST) return give_up(s);
  memset(s->coder, 0, sizeof *s->coder);
  s->coder->time = p->time;
  s->name = s->bytes;
  s->at = (const unsigned char *)s->bytes + name + 1;
  s->stop = (const unsigned char *)s->bytes + p->raw;
  s->block++;
  return true;
}

/* Each address is one that a program can have, and each access has bytes. */
static bool fits(const struct event *e) {
  bool access = e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW;
  if (access && (e->size == 0 || (e->size > 8 && e->op == EVENT_RMW && e->size > 16))) return false;
  if ((e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE) && e->value2 >= RECORDED_ADDRESSES) return false;
  return e->object < RECORDED_ADDRESSES && e->size < 1ull << 47 && e->object + e->size < RECORDED_ADDRESSES;
}

static const uint8_t operations[TRACE_OPS] = {
#define X(name, number) [number] = name,
    TRACE_OP_LIST(X)
#undef X
};

static bool add(struct strand *s, const struct trace_file *f, const struct trace_event *t) {
  struct event e = {.op = operations[t->op],
                    .order = t->order,
                    .flags = t->flags & (uint8_t) ~(RECORDED_UNORDERED | RECORDED_DOUBTFUL),
                    .thread = s->thread,
                    .index = s->events,
                    .site = t->site < f->names.sites.count ? t->site : 0,
                    .object = t->object,
                    .size = t->size,
                    .value = t->value,
                    .value2 = t->value2};
  bool other = e.op == EVENT_FORK || e.op == EVENT_JOIN, method = e.op == RECORDED_CALL || e.op == RECORDED_RETURN;
  if (e.order > ORDER_MOST || !fits(&e) || s->events == UINT32_MAX) return false;
  if (e.op == RECORDED_INITIAL && (e.size == 0 || (e.value && e.size > 8))) return false;
  if (other && (e.object >= TRACE_THREADS_MOST || e.object == s->thread)) return false;
  if (method && e.object >= f->names.methods.count) return false;
  if (e.op == RECORDED_BRANCH && e.value2 >= f->names.sites.count) e.value2 = 0;
  bool access = e.op == EVENT_READ || e.op == EVENT_WRITE || e.op == EVENT_RMW;
  if (access && e.size > 8) e.flags |= RECORDED_NO_VALUE;
  if (access && (e.flags & RECORDED_NO_VALUE))
    e.value = e.value2 = 0;
  else if (access)
    e.value = trace_masked(e.value, (unsigned)e.size), e.value2 = trace_masked(e.value2, (unsigned)e.size);
  *vec_push(&s->segment) = (struct placed){e, s->coder->time, 0, t->sequence, t->sequence2};
  s->events++;
  return true;
}

/* Decodes up to the next time stamp, which is the end of the segment, or the end of the block; the next block's begin is such a stamp, too.
 */
static void decode(struct strand *s, const struct trace_file *f) {
  struct trace_event t;
  while (s->at < s->stop && s->segment.count < SEGMENT_MOST) {
    enum trace_record r = trace_get(s->coder, &s->at, &t);
    bool whole = r != TRACE_RECORD_BAD && s->at <= s->stop;
    if (whole && r == TRACE_RECORD_TIME && s->segment.count > 0) return;
    if (whole && r == TRACE_RECORD_TIME) continue;
    if (!whole || !add(s, f, &t)) {
      s->at = s->stop;
      give_up(s);
      return;
    }
  }
}

/* When the segment ended at the latest. */
static uint64_t end_time(const struct strand *s, const struct trace_file *f) {
  if (s->at < s->stop) return s->coder->time;
  if (s->block < s->end && f->blocks.data[s->block].time > s->coder->time) return f->blocks.data[s->block].time;
  return s->block < s->end ? s->coder->time : UINT64_MAX;
}

static bool next_segment(struct strand *s, const struct trace_file *f, char *packed) {
  vec_clear(&s->segment);
  s->taken = 0;
  while (s->segment.count == 0) {
    if (s->at == s->stop && !next_block(s, f, packed)) return false;
    decode(s, f);
  }
  uint64_t high = end_time(s, f);
  for (size_t i = 0; i < s->segment.count; i++) s->segment.data[i].high = high;
  return true;
}

const struct placed *strand_head(struct strand *s, const struct trace_file *f, char *packed) {
  if (s->taken < s->segment.count || next_segment(s, f, packed)) return &s->segment.data[s->taken];
  drop_block(s);
  vec_release(&s->segment);
  s->taken = 0;
  return NULL;
}

uint64_t strand_time(const struct strand *s, const struct trace_file *f) {
  if (s->taken == s->segment.count) return s->bytes || s->block == s->end ? 0 : f->blocks.data[s->block].time;
  const struct placed *p = &s->segment.data[s->taken];
  if (p->high == UINT64_MAX || p->high < p->low) return p->low;
  return p->low + (uint64_t)((unsigned __int128)(p->high - p->low) * s->taken / s->segment.count);
}

uint64_t strand_low(const struct strand *s, const struct trace_file *f) {
  if (s->taken < s->segment.count) return s->segment.data[s->taken].low;
  if (s->bytes && s->at < s->stop) return s->coder->time;
  return s->block < s->end ? f->blocks.data[s->block].time : UINT64_MAX;
}

void strand_release(struct strand *s) {
  drop_block(s);
  vec_release(&s->segment);
}
