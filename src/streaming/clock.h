/* Vector clocks: for each thread, how many of its events are known.
 *
 * A clock is shared by all who know the same, and copied when one of them learns more. The component of the thread itself grows with each
 * of its events, so it is kept beside (struct known): handing over what a thread knows copies nothing. A missing component is 0. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct clock {
  uint32_t refs, n; /* n: a multiple of 4 */
  struct clock *next;
  uint32_t at[];
};
_Static_assert(offsetof(struct clock, at) % 16 == 0, "joined four at a time");

/* Clocks that are not in use, to be used again. */
struct clocks {
  uint32_t width; /* of new ones */
  struct clock *unused;
};

/* What a thread knew at one of its events. */
struct known {
  struct clock *clock; /* without what the thread did since it was made; NULL: nothing */
  uint32_t thread, time;
};

static inline uint32_t clock_at(const struct clock *c, uint32_t thread) { return c && thread < c->n ? c->at[thread] : 0; }

/* One more user of the clock. */
static inline struct clock *clock_share(struct clock *c) {
  if (c) c->refs++;
  return c;
}
void clock_last(struct clocks *all, struct clock *c);
/* One user less. */
static inline void clock_drop(struct clocks *all, struct clock *c) {
  if (c && --c->refs == 0) clock_last(all, c);
}
/* *c becomes what `from` is. */
static inline void clock_assign(struct clocks *all, struct clock **c, struct clock *from) {
  clock_share(from);
  clock_drop(all, *c);
  *c = from;
}

/* At least `time` in the component of `thread`. True if that is new. */
bool clock_raise(struct clocks *all, struct clock **c, uint32_t thread, uint32_t time);
/* The maximum of both. True if *c changed. */
bool clock_join(struct clocks *all, struct clock **c, struct clock *from);

static inline bool clock_learn(struct clocks *all, struct clock **c, const struct known *from) {
  bool joined = clock_join(all, c, from->clock), raised = clock_raise(all, c, from->thread, from->time);
  return joined || raised;
}

/* What one knew takes the place of what was there, or is added to it. */
static inline void known_set(struct clocks *all, struct known *to, struct clock *clock, uint32_t thread, uint32_t time) {
  clock_assign(all, &to->clock, clock);
  to->thread = thread, to->time = time;
}
void known_add(struct clocks *all, struct known *to, struct clock *clock, uint32_t thread, uint32_t time);

void clocks_release(struct clocks *all);
