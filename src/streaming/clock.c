#include "streaming/clock.h"

#include <string.h>

#include "base/mem.h"

enum { WIDTH_MIN = 8 };

static size_t bytes_of(uint32_t n) { return sizeof(struct clock) + n * sizeof(uint32_t); }

void clock_last(struct clocks *all, struct clock *c) {
  if (c->n != all->width) {
    mem_free(c, bytes_of(c->n));
    return;
  }
  c->next = all->unused;
  all->unused = c;
}

static void widen(struct clocks *all, uint32_t n) {
  clocks_release(all);
  all->width = all->width ? all->width : WIDTH_MIN;
  while (all->width < n) all->width *= 2;
}

/* One of its own, with the components of `from` (may be NULL). */
static struct clock *copy(struct clocks *all, const struct clock *from, uint32_t n) {
  if (from && from->n > n) n = from->n;
  if (n > all->width) widen(all, n);
  struct clock *c = all->unused;
  if (c)
    all->unused = c->next;
  else
    c = mem_alloc(bytes_of(all->width));
  uint32_t kept = from ? from->n : 0;
  c->refs = 1, c->n = all->width, c->next = NULL;
  if (kept) memcpy(c->at, from->at, kept * sizeof c->at[0]);
  memset(c->at + kept, 0, (c->n - kept) * sizeof c->at[0]);
  return c;
}

/* Nobody else uses it, and it has n components. */
static void own(struct clocks *all, struct clock **c, uint32_t n) {
  if (*c && (*c)->refs == 1 && (*c)->n >= n) return;
  struct clock *mine = copy(all, *c, n);
  clock_drop(all, *c);
  *c = mine;
}

bool clock_raise(struct clocks *all, struct clock **c, uint32_t thread, uint32_t time) {
  if (clock_at(*c, thread) >= time) return false;
  own(all, c, thread + 1);
  (*c)->at[thread] = time;
  return true;
}

bool clock_join(struct clocks *all, struct clock **c, struct clock *from) {
  if (!from || from == *c) return false;
  if (!*c) {
    *c = clock_share(from);
    return true;
  }
  const struct clock *mine = *c;
  uint32_t common = mine->n < from->n ? mine->n : from->n, i = 0;
  while (i < common && mine->at[i] >= from->at[i]) i++;
  while (i >= common && i < from->n && from->at[i] == 0) i++;
  if (i >= from->n) return false;
  own(all, c, from->n);
  struct clock *to = *c;
  for (i &= ~3u; i < from->n; i += 4)
    for (uint32_t k = i; k < i + 4; k++) to->at[k] = to->at[k] > from->at[k] ? to->at[k] : from->at[k];
  return true;
}

void known_add(struct clocks *all, struct known *to, struct clock *clock, uint32_t thread, uint32_t time) {
  clock_raise(all, &to->clock, to->thread, to->time);
  clock_join(all, &to->clock, clock);
  to->thread = thread, to->time = time;
}

void clocks_release(struct clocks *all) {
  while (all->unused) {
    struct clock *c = all->unused;
    all->unused = c->next;
    mem_free(c, bytes_of(c->n));
  }
}
