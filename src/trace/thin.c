#include "trace/thin.h"

#include <string.h>

#include "base/mem.h"
#include "trace/encoding.h"
#include "trace/recorded.h"
#include "trace/touched.h"

/* A block that has so many bytes is put out when a time comes, which is soon; one that is full, at once. */
enum { USUAL = TRACE_RAW_USUAL, ROOM = 4 * TRACE_RAW_USUAL, FULL = ROOM - 4 * TRACE_EVENT_MOST };

/* A thread, while its blocks are taken. */
struct thinned {
  struct trace_block block;  /* that is being made */
  struct trace_coder *coder; /* NULL: no block was begun */
  unsigned char *bytes, *at; /* ROOM bytes */
  uint32_t looked_at, taken; /* blocks */
  uint64_t kept;             /* events */
  uint64_t time;             /* the last one that was read */
  bool open;                 /* events were put behind the last time that was put */
  bool fresh;                /* something was put, since its last branch, that tells it something */
};

struct thin {
  struct touched touched;
  struct stretches stretches;
  bool settled;
  struct hashmap numbers; /* of threads */
  VEC(struct thinned) threads;
  struct trace_coder coder; /* of the block that is read */
  uint64_t left_out;
};

struct thin *thin_new(void) {
  return mem_alloc(sizeof(struct thin));
}

static void drop_block(struct thinned *s) {
  mem_free(s->coder, sizeof *s->coder);
  mem_free(s->bytes, ROOM);
  s->coder = NULL, s->bytes = s->at = NULL;
}

void thin_free(struct thin *t) {
  for (size_t i = 0; i < t->threads.count; i++) drop_block(&t->threads.data[i]);
  vec_release(&t->threads);
  hashmap_release(&t->numbers);
  touched_release(&t->touched);
  stretches_release(&t->stretches);
  mem_free(t, sizeof *t);
}

uint64_t thin_left_out(const struct thin *t) { return t->left_out; }

static struct thinned *thread_of(struct thin *t, uint32_t thread) {
  bool is_new = false;
  uint64_t *number = hashmap_at(&t->numbers, thread, t->threads.count, &is_new);
  if (is_new) *vec_push(&t->threads) = (struct thinned){.block = {.kind = TRACE_EVENTS, .thread = thread}, .fresh = true};
  return &t->threads.data[*number];
}

/* --- what is read --- */

static bool is_access(const struct trace_event *e) {
  return e->op == TRACE_EVENT_READ || e->op == TRACE_EVENT_WRITE || e->op == TRACE_EVENT_RMW;
}
/* What says nothing where one thread alone does it: plain accesses, and what keeps the order of what functions that are not recorded do
 * with an object. */
static bool is_plain(const struct trace_event *e) {
  return is_access(e) && ((e->flags & EVENT_OUTSIDE) || (e->op != TRACE_EVENT_RMW && !e->order && !e->sequence));
}

/* The name and the first record. */
static const unsigned char *begin_block(struct thin *t, const struct trace_block *b, const unsigned char *payload) {
  const unsigned char *end = memchr(payload, 0, b->raw < TRACE_NAME_MOST ? b->raw : TRACE_NAME_MOST);
  memset(&t->coder, 0, sizeof t->coder);
  t->coder.time = b->time;
  return end ? end + 1 : NULL;
}

static unsigned how_of(const struct trace_event *e) {
  switch (e->op) {
    case TRACE_EVENT_READ:
      return TOUCHED_READ;
    case TRACE_EVENT_WRITE:
      return TOUCHED_WRITTEN;
    case TRACE_EVENT_FREE:
      return TOUCHED_FREED;
    default:
      return TOUCHED_READ | TOUCHED_WRITTEN;
  }
}

/* Of an access to two granules both stay, and of an atomic one all that is plain there, so that values fit. */
static bool look_at_event(struct thin *t, const struct trace_event *e, uint32_t thread) {
  bool joins = e->op == TRACE_EVENT_JOIN && !(e->flags & EVENT_TIMED_OUT);
  if (e->op == TRACE_EVENT_FORK || joins) stretch_ends(&t->stretches, thread, (uint32_t)e->object, joins);
  bool frees = e->op == TRACE_EVENT_FREE;
  if ((!is_access(e) && !frees) || e->size == 0) return true;
  if (e->object >= RECORDED_ADDRESSES || e->size > RECORDED_ADDRESSES - e->object) return false;
  bool parted = e->size <= 8 && e->object / 8 != (e->object + e->size - 1) / 8, stays = !frees && (parted || !is_plain(e));
  return touched_add(&t->touched, e->object, e->size, stays ? TOUCHED_ANYBODY : thread, stretch_now(&t->stretches, thread),
                     stays ? TOUCHED_READ | TOUCHED_WRITTEN : how_of(e));
}

/* Most of the time goes into decoding: it is done in place. */
#define IN_PLACE __attribute__((flatten))

IN_PLACE bool thin_look(struct thin *t, const struct trace_block *b, const unsigned char *payload) {
  struct thinned *s = thread_of(t, b->thread);
  const unsigned char *at = begin_block(t, b, payload), *stop = payload + b->raw;
  uint32_t thread = stretch_thread(&t->stretches, b->thread);
  if (!at || b->sequence != s->looked_at++) return false;
  while (at < stop) {
    struct trace_event e;
    enum trace_record r = trace_get(&t->coder, &at, &e);
    if (r == TRACE_RECORD_BAD || at > stop || (r == TRACE_RECORD_EVENT && !look_at_event(t, &e, thread))) return false;
  }
  return true;
}

/* --- what is put --- */

static void begin(struct thinned *s, const unsigned char *name, uint64_t time) {
  size_t n = strlen((const char *)name) + 1;
  if (!s->coder) s->coder = mem_alloc(sizeof *s->coder), s->bytes = mem_alloc(ROOM);
  memmove(s->bytes, name, n);
  memset(s->coder, 0, sizeof *s->coder);
  s->at = s->bytes + n;
  s->block.first = s->kept, s->block.time = s->coder->time = time;
  s->open = false;
}

static bool put_block(struct thinned *s, const struct thin_output *to) {
  struct trace_block b = s->block;
  b.raw = b.packed = (uint32_t)(s->at - s->bytes);
  b.count = s->kept - b.first;
  s->block.sequence++;
  return b.count == 0 || to->put(to->data, &b, s->bytes);
}

static void put_time(struct thinned *s, uint64_t time) {
  s->at = trace_put_time(s->coder, s->at, time);
  s->open = false;
}

static bool put(struct thinned *s, const struct trace_event *e, const struct thin_output *to) {
  bool good = true;
  if (s->at - s->bytes >= FULL) {
    good = put_block(s, to);
    begin(s, s->bytes, s->time);
  }
  if (s->coder->time < s->time) put_time(s, s->time);
  s->at = trace_put_event(s->coder, s->at, e);
  s->kept++;
  s->open = true;
  return good;
}

/* The last block ends at a time that the next one begins with. */
static bool take_time(struct thinned *s, uint64_t time, const struct thin_output *to) {
  s->time = time;
  if (!s->open) return true;
  if (s->at - s->bytes < USUAL) return put_time(s, time), true;
  bool good = put_block(s, to);
  begin(s, s->bytes, time);
  return good;
}

static bool stays(struct thin *t, const struct thinned *s, const struct trace_event *e) {
  if (e->op == TRACE_RECORDED_BRANCH) return s->fresh;
  return !is_plain(e) || e->size == 0 || touched_matters(&t->touched, e->object, e->size);
}

static bool take_event(struct thin *t, struct thinned *s, const struct trace_event *e, const struct thin_output *to) {
  bool keep = stays(t, s, e);
  t->left_out += !keep;
  if (!keep) return true;
  bool decides = e->op == TRACE_RECORDED_BRANCH && !(e->flags & EVENT_OUTSIDE);
  s->fresh = !decides && (s->fresh || e->op != TRACE_EVENT_WRITE);
  return put(s, e, to);
}

static void settle(struct thin *t) {
  if (t->settled) return;
  t->settled = true;
  stretches_settle(&t->stretches);
  touched_settle(&t->touched, &t->stretches);
}

IN_PLACE bool thin_take(struct thin *t, const struct trace_block *b, const unsigned char *payload, const struct thin_output *to) {
  struct thinned *s = thread_of(t, b->thread);
  const unsigned char *at = begin_block(t, b, payload), *stop = payload + b->raw;
  settle(t);
  if (!s->coder) begin(s, payload, b->time);
  bool good = take_time(s, b->time, to), ends = false;
  s->taken++;
  while (good && at < stop) {
    struct trace_event e = {0};
    if (trace_get(&t->coder, &at, &e) == TRACE_RECORD_TIME) {
      good = take_time(s, t->coder.time, to);
    } else {
      good = take_event(t, s, &e, to);
      ends |= e.op == TRACE_EVENT_END;
    }
  }
  if (!good || !ends || s->taken != s->looked_at) return good;
  good = put_block(s, to);
  drop_block(s);
  return good;
}

bool thin_finish(struct thin *t, const struct thin_output *to) {
  bool good = true;
  for (size_t i = 0; i < t->threads.count && good; i++) {
    struct thinned *s = &t->threads.data[i];
    if (s->coder) good = put_block(s, to);
  }
  return good;
}
