#include "thinned.h"

#include <stdlib.h>
#include <string.h>

#include "trace/encoding.h"
#include "trace/thin.h"

enum { THREADS = 8, BYTES = 1 << 16, BLOCKS = 64, EACH = 5 /* events of a block */ };

static const uint8_t numbers[] = {
#define X(name, number) [name] = number,
    TRACE_OP_LIST(X)
#undef X
};

struct block {
  struct trace_block head;
  unsigned char bytes[BYTES];
};
static struct block blocks[BLOCKS];
static size_t nblocks;
static struct block *open[THREADS]; /* a thread's last one */
static struct trace_coder coders[THREADS];

/* What came out: events by their positions, which are their times. */
static struct recorded *run;
static VEC(struct event) kept;
static uint64_t last[THREADS];
static bool wrong;

static void begin(uint32_t thread, uint64_t time) {
  static uint32_t sequences[THREADS];
  struct block *before = open[thread], *b = &blocks[nblocks++];
  sequences[thread] = before ? sequences[thread] + 1 : 0;
  b->head = (struct trace_block){.kind = TRACE_EVENTS, .thread = thread, .sequence = sequences[thread], .raw = 2, .time = time};
  memcpy(b->bytes, "0", 2);
  memset(&coders[thread], 0, sizeof coders[thread]);
  coders[thread].time = time;
  open[thread] = b;
}

/* A time is before each event, and one behind it. */
static void write_event(const struct event *e, uint64_t position) {
  struct trace_event t = {.op = numbers[e->op],
                          .order = e->order,
                          .flags = e->flags,
                          .site = e->site,
                          .object = e->object,
                          .size = e->size,
                          .value = e->value,
                          .value2 = e->value2};
  if (!open[e->thread] || open[e->thread]->head.count == EACH) begin(e->thread, 2 * position + 1);
  struct block *b = open[e->thread];
  unsigned char *at = b->bytes + b->head.raw;
  at = trace_put_time(&coders[e->thread], at, 2 * position + 1);
  at = trace_put_event(&coders[e->thread], at, &t);
  at = trace_put_time(&coders[e->thread], at, 2 * position + 2);
  b->head.raw = b->head.packed = (uint32_t)(at - b->bytes);
  b->head.count++;
}

static void keep(uint64_t time, const struct trace_event *t) {
  if (time % 2 == 0 || time / 2 >= run->events.count) {
    wrong = true;
    return;
  }
  const struct event *e = &run->events.data[time / 2];
  wrong |= numbers[e->op] != t->op || e->value != t->value || e->object != t->object;
  *vec_push(&kept) = *e;
}

/* The first time behind an event is the one that was there. */
static void pass(uint32_t thread, uint64_t time) {
  if (last[thread] % 2 == 0 || time <= last[thread]) return;
  wrong |= time != last[thread] + 1;
  last[thread] = time;
}

static bool take_block(void *data, struct trace_block *b, const unsigned char *payload) {
  static struct trace_coder c;
  const unsigned char *at = payload + strlen((const char *)payload) + 1, *stop = payload + b->raw;
  uint64_t count = 0;
  (void)data;
  memset(&c, 0, sizeof c);
  c.time = b->time;
  pass(b->thread, b->time);
  for (struct trace_event e = {0}; at < stop;) {
    bool event = trace_get(&c, &at, &e) == TRACE_RECORD_EVENT;
    pass(b->thread, c.time);
    if (!event) continue;
    wrong |= c.time <= last[b->thread]; /* each has a time of its own */
    keep(c.time, &e);
    last[b->thread] = c.time, count++;
  }
  wrong |= count != b->count;
  return true;
}

static int by_position(const void *a, const void *b) {
  const struct event *x = a, *y = b;
  return (x->site > y->site) - (x->site < y->site);
}

/* How many reads return something else than what was written last. */
static unsigned unexplained(const struct event *e, size_t n) {
  enum { FROM = 0x1000, TO = 0x1100 };
  static unsigned char bytes[TO - FROM], known[TO - FROM];
  unsigned count = 0;
  memset(known, 0, sizeof known);
  for (size_t i = 0; i < n; i++) {
    bool reads = e[i].op == EVENT_READ || e[i].op == EVENT_RMW, writes = e[i].op == EVENT_WRITE || e[i].op == EVENT_RMW, good = true;
    for (uint64_t k = 0; (reads || writes) && k < e[i].size; k++) {
      uint64_t at = e[i].object + k - FROM;
      if (at >= sizeof bytes) continue;
      good &= !reads || !known[at] || bytes[at] == (unsigned char)(e[i].value >> 8 * k);
      bytes[at] = (unsigned char)((e[i].op == EVENT_RMW ? e[i].value2 : e[i].value) >> 8 * k), known[at] = 1;
    }
    count += !good;
  }
  return count;
}

uint64_t thinned(struct recorded *r) {
  struct thin *t = thin_new();
  struct thin_output to = {take_block, NULL};
  size_t all = r->events.count;
  run = r, wrong = false, nblocks = 0;
  memset(open, 0, sizeof open), memset(last, 0, sizeof last);
  vec_clear(&kept);
  for (size_t i = 0; i < all; i++) write_event(&r->events.data[i], i);
  for (size_t i = 0; i < nblocks; i++) wrong |= !thin_look(t, &blocks[i].head, blocks[i].bytes);
  for (size_t i = 0; i < nblocks && !wrong; i++) wrong |= !thin_take(t, &blocks[i].head, blocks[i].bytes, &to);
  wrong |= !thin_finish(t, &to);
  uint64_t left_out = thin_left_out(t);
  thin_free(t);
  if (kept.count) qsort(kept.data, kept.count, sizeof kept.data[0], by_position);
  wrong |= unexplained(kept.data, kept.count) > unexplained(r->events.data, all);
  if (wrong || kept.count + left_out != all) return UINT64_MAX;
  for (size_t i = 0; i < kept.count; i++) r->events.data[i] = kept.data[i];
  r->events.count = kept.count;
  return left_out;
}
