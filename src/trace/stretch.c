#include "trace/stretch.h"

#include <string.h>

uint32_t stretch_thread(struct stretches *s, uint32_t number) {
  bool is_new = false;
  uint64_t index = *hashmap_at(&s->numbers, number, s->threads.count, &is_new);
  if (is_new) *vec_push(&s->threads) = (struct stretch_thread){0};
  return (uint32_t)index;
}

void stretch_ends(struct stretches *s, uint32_t thread, uint32_t other, bool joins) {
  uint32_t index = stretch_thread(s, other);
  *vec_push(&s->threads.data[thread].ends) = (struct stretch_end){index, joins};
}

static uint32_t *clock_of(struct stretches *s, uint32_t thread, uint32_t stretch) {
  return &s->clocks.data[(size_t)(s->threads.data[thread].first + stretch) * s->threads.count];
}

static void join(uint32_t *to, const uint32_t *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (from[i] > to[i]) to[i] = from[i];
}

/* The clock of the thread's next stretch; false if it has to wait for others. */
static bool next(struct stretches *s, uint32_t thread) {
  struct stretch_thread *t = &s->threads.data[thread];
  size_t n = s->threads.count;
  if (t->done == 0) return !t->forked && (t->done = 1); /* it is told by who forks it, or has begun by itself */
  if (t->done > t->ends.count) return false;
  struct stretch_end end = t->ends.data[t->done - 1];
  const struct stretch_thread *other = &s->threads.data[end.other];
  if (end.joins && other->done <= other->ends.count) return false;
  uint32_t *clock = clock_of(s, thread, t->done);
  memcpy(clock, clock_of(s, thread, t->done - 1), n * sizeof *clock);
  clock[thread] = t->done;
  if (end.joins) {
    join(clock, clock_of(s, end.other, other->done - 1), n);
    clock[end.other] = other->done;
  } else {
    memcpy(clock_of(s, end.other, 0), clock, n * sizeof *clock);
    s->threads.data[end.other].done = 1;
  }
  t->done++;
  return true;
}

/* Who was forked has to wait for that; nobody is forked twice. */
static bool begin(struct stretches *s, uint64_t most) {
  uint64_t total = 0;
  for (size_t i = 0; i < s->threads.count; i++) {
    struct stretch_thread *t = &s->threads.data[i];
    t->first = (uint32_t)total, total += t->ends.count + 1;
    for (size_t k = 0; k < t->ends.count; k++) {
      struct stretch_end end = t->ends.data[k];
      if (end.joins) continue;
      if (s->threads.data[end.other].forked) return false;
      s->threads.data[end.other].forked = true;
    }
  }
  if (total * s->threads.count > most) return false;
  vec_reserve(&s->clocks, total * s->threads.count);
  s->clocks.count = total * s->threads.count;
  if (s->clocks.count) memset(s->clocks.data, 0, s->clocks.count * sizeof *s->clocks.data);
  return true;
}

void stretches_settle(struct stretches *s) {
  enum { MOST = 1 << 24 };
  bool goes_on = begin(s, MOST);
  if (!goes_on) return;
  while (goes_on) {
    goes_on = false;
    for (uint32_t i = 0; i < s->threads.count; i++)
      while (next(s, i)) goes_on = true;
  }
  s->known = true;
  for (size_t i = 0; i < s->threads.count; i++) s->known &= s->threads.data[i].done > s->threads.data[i].ends.count;
}

bool stretch_before(const struct stretches *s, uint32_t thread, uint32_t stretch, uint32_t later_thread, uint32_t later_stretch) {
  if (thread == later_thread) return stretch <= later_stretch;
  return s->known && s->clocks.data[(size_t)(s->threads.data[later_thread].first + later_stretch) * s->threads.count + thread] > stretch;
}

bool stretch_is_first(const struct stretches *s, uint32_t thread) {
  bool first = s->known && !s->threads.data[thread].forked;
  for (size_t i = 0; i < s->threads.count; i++) first &= i == thread || s->threads.data[i].forked;
  return first;
}

void stretches_release(struct stretches *s) {
  for (size_t i = 0; i < s->threads.count; i++) vec_release(&s->threads.data[i].ends);
  vec_release(&s->threads);
  vec_release(&s->clocks);
  hashmap_release(&s->numbers);
}
