#include "analysis/hard.h"

enum { SEGMENTS = 1 << 24, STEPS = 1 << 14 };
/* Instead of a segment before: all that have a lower number. */
#define ALL (HARD_UNKNOWN - 1)

static struct segment {
  uint32_t before[2]; /* 0: none */
  uint32_t seen;      /* by that search */
} * segments;         /* [SEGMENTS]; 0 is none */
static uint32_t used, searches;

static struct segment *table(void) {
  struct segment *all = __atomic_load_n(&segments, __ATOMIC_ACQUIRE), *none = NULL;
  if (LIKELY(all != NULL)) return all;
  all = rt_pages((size_t)SEGMENTS * sizeof *all);
  if (!all) return NULL;
  if (__atomic_compare_exchange_n(&segments, &none, all, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return all;
  return none; /* another thread was faster; so much address space is lost, once */
}

static uint32_t add(uint32_t a, uint32_t b) {
  struct segment *all = table();
  if (!all || __atomic_load_n(&used, __ATOMIC_RELAXED) >= SEGMENTS - 1) return HARD_UNKNOWN;
  uint32_t i = __atomic_add_fetch(&used, 1, __ATOMIC_RELAXED);
  if (i >= SEGMENTS) return HARD_UNKNOWN;
  all[i].before[0] = a, all[i].before[1] = b;
  return i;
}

uint32_t hard_segment(struct hard *h) {
  if (h->open || h->segment == HARD_UNKNOWN) return h->segment;
  h->segment = add(h->segment, 0), h->open = true;
  return h->segment;
}

void hard_fork(struct hard *h, struct hard *child) {
  h->open = false;
  *child = *h;
}

static bool comes_next(uint32_t a, uint32_t b) { return a == 0 || segments[b].before[0] == a || segments[b].before[1] == a; }

/* Mostly one of the two did nothing that was asked for since they parted. */
void hard_join(struct hard *h, const struct hard *other) {
  uint32_t a = h->segment, b = other->segment;
  if (a == b || b == 0 || a == HARD_UNKNOWN) return;
  if (b == HARD_UNKNOWN) {
    *h = *other;
  } else if (comes_next(a, b)) {
    *h = (struct hard){.segment = b};
  } else if (!comes_next(b, a)) {
    *h = (struct hard){.segment = add(a, b), .open = true};
  }
}

void hard_attach(struct hard *h) { *h = (struct hard){.segment = add(ALL, 0), .open = true}; }

/* Backwards from b, as long as the numbers are not below a's. */
bool hard_ordered(uint32_t a, uint32_t b) {
  uint32_t pending[256];
  unsigned n = 0;
  if (a == b || a == HARD_UNKNOWN || b == HARD_UNKNOWN) return true;
  if (a > b) return hard_ordered(b, a);
  searches++;
  pending[n++] = b;
  for (unsigned steps = 0; n > 0; steps++) {
    struct segment *s = &segments[pending[--n]];
    for (int i = 0; i < 2; i++) {
      uint32_t before = s->before[i];
      if (before == a || before == ALL || steps == STEPS) return true;
      if (before < a || segments[before].seen == searches) continue;
      if (n == sizeof pending / sizeof pending[0]) return true;
      segments[before].seen = searches;
      pending[n++] = before;
    }
  }
  return false;
}
