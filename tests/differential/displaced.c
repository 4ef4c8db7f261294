#include "displaced.h"

#include <string.h>

static bool reads(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_RMW; }
static bool writes(const struct event *e) { return e->op == EVENT_WRITE || e->op == EVENT_RMW; }
static bool overlap(const struct event *a, const struct event *b) {
  return a->object < b->object + b->size && b->object < a->object + a->size;
}
static unsigned byte_of(const struct event *e, uint64_t at, bool written) {
  uint64_t value = written && e->op == EVENT_RMW ? e->value2 : e->value;
  return (unsigned)(value >> 8 * (at - e->object)) & 0xff;
}

static bool may_move(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == RECORDED_BRANCH; }

/* The write that the read at `i` may be taken before; SIZE_MAX: there is none. */
static size_t write_of(const struct recorded *r, size_t i) {
  const struct event *all = r->events.data, *read = &all[i];
  if (read->op != EVENT_READ) return SIZE_MAX;
  for (size_t j = i; j-- > 0;) {
    if (all[j].thread == read->thread && !may_move(&all[j])) return SIZE_MAX;
    if ((writes(&all[j]) || all[j].op == EVENT_FREE || all[j].op == EVENT_ALLOC) && overlap(&all[j], read))
      return writes(&all[j]) && all[j].thread != read->thread ? j : SIZE_MAX;
    bool starts = all[j].op == EVENT_FORK && all[j].object == read->thread;
    if (starts) return SIZE_MAX;
  }
  return SIZE_MAX;
}

static void move(struct recorded *r, size_t i, size_t j) {
  struct event *all = r->events.data;
  uint32_t thread = all[i].thread;
  for (size_t k = j; k <= i; k++) {
    struct event e = all[k];
    if (e.thread != thread) continue;
    memmove(&all[j + 1], &all[j], (k - j) * sizeof *all);
    all[j++] = e;
  }
}

/* Does the byte at `at` differ from what the read returned? `*known`: something tells what it is. */
static bool differs_at(const struct recorded *r, size_t i, uint64_t at, bool *known) {
  for (size_t j = i; j-- > 0;) {
    const struct event *e = &r->events.data[j];
    bool there = at >= e->object && at < e->object + e->size;
    if (there && (e->op == EVENT_FREE || e->op == EVENT_ALLOC)) break;
    if (!there || (!writes(e) && e->op != EVENT_READ)) continue;
    return byte_of(e, at, true) != byte_of(&r->events.data[i], at, false);
  }
  *known = false;
  return false;
}

/* Does the write explain the read, in the bytes that no earlier one explains? */
static bool explains(const struct recorded *r, size_t j, size_t i) {
  const struct event *w = &r->events.data[j], *read = &r->events.data[i];
  bool any = false;
  if (!writes(w) || w->thread == read->thread || !overlap(w, read)) return false;
  for (uint64_t at = read->object; at < read->object + read->size; at++) {
    bool known = true, there = at >= w->object && at < w->object + w->size;
    if (!there || (!differs_at(r, i, at, &known) && known)) continue;
    if (byte_of(w, at, true) != byte_of(read, at, false)) return false;
    any = true;
  }
  return any;
}

/* The last one behind it; 0: none does. */
static size_t last_explaining(const struct recorded *r, size_t i) {
  for (size_t j = r->events.count; j-- > i + 1;)
    if (explains(r, j, i)) return j;
  return 0;
}

static bool is_odd(const struct recorded *r, size_t i) {
  const struct event *read = &r->events.data[i];
  bool differs = false, known = true;
  if (!reads(read)) return false;
  for (uint64_t at = read->object; at < read->object + read->size; at++) differs |= differs_at(r, i, at, &known);
  return differs || (!known && last_explaining(r, i));
}

/* Has another thread written there, and of one of the two nobody knows the value? The last such write behind the read, or the read; SIZE_MAX:
 * none has. */
static size_t hidden_until(const struct recorded *r, size_t i) {
  const struct event *all = r->events.data, *read = &all[i];
  size_t until = SIZE_MAX;
  for (size_t j = 0; j < r->events.count && reads(read); j++) {
    bool other = all[j].thread != read->thread && writes(&all[j]) && overlap(&all[j], read);
    if (other && ((read->flags | all[j].flags) & RECORDED_NO_VALUE)) until = j > i ? j : i;
  }
  return until;
}

static uint64_t mark(struct recorded *r) {
  uint64_t count = 0;
  for (size_t i = 0; i < r->events.count; i++) {
    size_t until = hidden_until(r, i);
    if (!is_odd(r, i) && until == SIZE_MAX) continue;
    r->events.data[i].flags |= RECORDED_UNORDERED, count++;
    size_t last = last_explaining(r, i);
    if (until != SIZE_MAX && until > last) last = until;
    for (size_t j = i; last && j <= last; j++) r->events.data[j].flags |= RECORDED_DOUBTFUL;
  }
  return count;
}

uint64_t displaced(struct recorded *r, uint64_t random) {
  size_t n = 0, chosen = 0;
  for (size_t i = 0; i < r->events.count; i++)
    if (write_of(r, i) != SIZE_MAX && random % ++n == 0) chosen = i;
  if (n == 0) return 0;
  move(r, chosen, write_of(r, chosen));
  return mark(r);
}
