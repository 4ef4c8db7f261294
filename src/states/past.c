#include "states/past.h"

#include <string.h>

#include "happens/sync_edge.h"

enum { SEEN_WRITE = 1, SEEN_PLAIN = 2, SEEN_MANY = 4, SEEN_ALL = 7, SEEN_SUSPECT = 8 };
#define SECTION_BIT (1ull << 63) /* atomic sections exclude each other as the sections of a lock do */
#define LOCKS_MOST  63u

/* --- facts --- */

static void set_fact(struct past *p, uint64_t key, uint64_t value) {
  uint64_t *at = hashmap_at(&p->facts, key, 0, NULL);
  if (*at == value) return;
  *vec_push(&p->changes) = (struct past_fact){key, *at};
  if (*at) fingerprint_xor(&p->now, fingerprint_of(key, *at));
  if (value) fingerprint_xor(&p->now, fingerprint_of(key, value));
  *at = value;
}

static inline uint64_t place_and_thread(const struct event *e) { return (uint64_t)e->site + 1 + ((uint64_t)e->thread << 32); }
static inline uint64_t lock_key(uint64_t lock, uint32_t thread) { return hash_pair(lock, thread); }
static inline uint64_t signal_key(uint64_t cond) { return hash_pair(cond, 1u << 20); }

static uint64_t lock_bit(struct past *p, uint64_t lock) {
  if (p->nlocks == LOCKS_MOST) {
    const uint64_t *known = hashmap_find(&p->lock_bits, lock);
    return known ? *known : 0;
  }
  bool is_new;
  uint64_t *bit = hashmap_at(&p->lock_bits, lock, 1ull << p->nlocks, &is_new);
  p->nlocks += is_new;
  return *bit;
}

static void take_lock(struct past *p, const struct event *e, uint64_t lock, bool shared) {
  set_fact(p, lock_key(lock, e->thread), place_and_thread(e));
  if (!shared) p->held[e->thread] |= lock_bit(p, lock);
}

static void leave_lock(struct past *p, const struct event *e, uint64_t lock) {
  set_fact(p, lock_key(lock, e->thread), 0);
  p->held[e->thread] &= ~lock_bit(p, lock);
}

/* --- suspects --- */

static void see(struct past *p, uint64_t granule, uint32_t thread, uint64_t locks, uint8_t seen) {
  bool is_new;
  size_t i = *hashmap_at(&p->granules, granule, p->known.count, &is_new);
  if (is_new) *vec_push(&p->known) = (struct past_granule){UINT64_MAX, (uint16_t)thread, 0};
  struct past_granule *g = &p->known.data[i];
  seen |= (uint8_t)(g->seen | (g->thread != thread ? SEEN_MANY : 0));
  p->news |= is_new || seen != g->seen || (g->locks & ~locks);
  g->locks &= locks, g->seen = seen;
  if (g->seen != SEEN_ALL || g->locks != 0) return;
  g->seen |= SEEN_SUSPECT;
  hashmap_at(&p->suspects, granule, 1, NULL);
  p->grown = true;
}

static void see_access(struct past *p, const struct event *e, bool section) {
  bool plain = e->order == ORDER_PLAIN || e->op == EVENT_FREE;
  uint8_t seen = (uint8_t)((e->op != EVENT_READ ? SEEN_WRITE : 0) | (plain ? SEEN_PLAIN : 0));
  uint64_t locks = p->held[e->thread] | (section ? SECTION_BIT : 0);
  for (uint64_t g = e->object / 8; e->size && g <= (e->object + e->size - 1) / 8; g++) see(p, g, e->thread, locks, seen);
}

static void see_uses(struct past *p, const struct event *e, bool section) {
  struct sync_use use = sync_use(e);
  uint64_t locks = p->held[e->thread] | (section ? SECTION_BIT : 0);
  for (unsigned i = 0; i < use.count; i++) see(p, use.objects[i] / 8, e->thread, locks, 0);
}

/* --- steps --- */

/* Is the number of the new thread that of one before it, which was joined? Then those of others that have ended may come again, too, and
 * know of less than everything: what was explored as if they did not has to be explored again. */
static void see_fork(struct past *p, const struct event *trace, uint32_t fork) {
  uint32_t i = 0;
  if (p->knowledge.again) return;
  while (i < fork && (trace[i].op != EVENT_FORK || trace[i].object != trace[fork].object)) i++;
  if (i < fork) p->knowledge.again = p->news = p->grown = true;
}

void past_push(struct past *p, uint32_t thread, const struct event *trace, uint32_t from, uint32_t to) {
  const struct event *events = trace + from;
  uint32_t n = to - from;
  *vec_push(&p->steps) = (struct past_step){p->now, p->changes.count, p->held[thread], thread};
  if (p->suspects.count) knowledge_push(&p->knowledge, trace, from, to, &p->suspects);
  for (const struct event *e = events; e < events + n; e++) {
    uint64_t op = 1ull << e->op;
    bool timed_out = e->flags & EVENT_TIMED_OUT;
    if (!p->no_races) see_uses(p, e, events->op == EVENT_ATOMIC);
    if (op & (OP(READ) | OP(WRITE) | OP(RMW) | OP(FREE))) {
      if (!p->no_races) see_access(p, e, events->op == EVENT_ATOMIC);
    } else if (op & OP(FORK)) {
      see_fork(p, trace, (uint32_t)(e - trace));
    } else if (op & OP(ACQUIRE)) {
      take_lock(p, e, e->object, e->flags & EVENT_SHARED_LOCK);
    } else if (op & OP(RELEASE)) {
      leave_lock(p, e, e->object);
    } else if (op & OP(WAIT_ENTER)) {
      leave_lock(p, e, e->value2);
    } else if ((op & OP(WAIT_LEAVE)) && !timed_out) {
      take_lock(p, e, e->value2, false);
    } else if ((op & (OP(SIGNAL) | OP(BROADCAST))) && e->value == 0) {
      set_fact(p, signal_key(e->object), place_and_thread(e));
    }
  }
}

void past_stop(struct past *p, uint32_t thread) {
  if (p->suspects.count) knowledge_stop(&p->knowledge, thread);
}

void past_pop(struct past *p, uint32_t n) {
  knowledge_pop(&p->knowledge, n);
  while (p->steps.count > n) {
    struct past_step s = vec_pop(&p->steps);
    while (p->changes.count > s.changes) {
      struct past_fact old = vec_pop(&p->changes);
      *hashmap_find(&p->facts, old.key) = old.value;
    }
    p->now = s.facts;
    p->held[s.thread] = s.held;
  }
}

struct fingerprint past_fingerprint(struct past *p, const struct tset *alive) {
  struct fingerprint f = p->now;
  if (p->suspects.count && !knowledge_fingerprint(&p->knowledge, alive, &f)) f = fingerprint_of(++p->unlike, 1);
  return f;
}

void past_clear(struct past *p) {
  past_pop(p, 0);
  racers_forget_pairs(&p->knowledge.racers);
}

void past_release(struct past *p) {
  vec_release(&p->steps);
  vec_release(&p->changes);
  vec_release(&p->known);
  hashmap_release(&p->facts);
  hashmap_release(&p->lock_bits);
  hashmap_release(&p->granules);
  hashmap_release(&p->suspects);
  knowledge_release(&p->knowledge);
}
