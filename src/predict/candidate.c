#include "predict/candidate.h"

#include <string.h>

#define NONE UINT32_MAX

/* Larger accesses (a copy, a free) are looked for at the granules that others touch. */
#define GRANULES_MOST 16u
/* Accesses of one granule by a thread at one site under the same locks: further ones seldom say more. Of those the last one is kept. */
#define ALIKE_MOST 3u
/* Accesses of one granule; sets of accesses that are alike. */
#define LIST_MOST 64u
#define SETS_MOST 1024u

/* --- threads: what forks and joins order --- */

static uint32_t *clock_of(struct candidates *c, uint32_t thread) {
  if (c->row[thread] == 0) {
    c->row[thread] = (uint32_t)c->rows.count + 1;
    memset(vec_push_n(&c->rows, c->width), 0, c->width * sizeof(uint32_t));
    c->rows.data[c->row[thread] - 1 + thread] = 1;
  }
  return &c->rows.data[c->row[thread] - 1];
}

/* Accesses so far keep the thread's clock: it gets another one. */
static uint32_t *clock_renew(struct candidates *c, uint32_t thread) {
  (void)clock_of(c, thread);
  uint32_t from = c->row[thread] - 1, to = (uint32_t)c->rows.count;
  (void)vec_push_n(&c->rows, c->width);
  memcpy(&c->rows.data[to], &c->rows.data[from], c->width * sizeof(uint32_t));
  c->row[thread] = to + 1;
  return &c->rows.data[to];
}

static void join_clock(struct candidates *c, uint32_t *to, uint32_t thread) {
  const uint32_t *from = &c->rows.data[c->row[thread] - 1];
  for (uint32_t i = 0; i < c->width; i++) to[i] = to[i] > from[i] ? to[i] : from[i];
}

static void fork_thread(struct candidates *c, const struct event *e) {
  uint32_t child = (uint32_t)e->object;
  if (child >= c->width) return;
  (void)clock_of(c, e->thread), (void)clock_of(c, child);
  join_clock(c, clock_renew(c, child), e->thread);
  clock_renew(c, e->thread)[e->thread]++;
}

static void join_thread(struct candidates *c, const struct event *e) {
  uint32_t child = (uint32_t)e->object;
  if ((e->flags & EVENT_TIMED_OUT) || child >= c->width) return;
  (void)clock_of(c, child);
  join_clock(c, clock_renew(c, e->thread), child);
}

/* `a` comes first in the trace. */
static bool ordered(const struct candidates *c, const struct candidate_access *a, const struct candidate_access *b) {
  return c->rows.data[b->row + a->thread] >= c->rows.data[a->row + a->thread];
}

/* --- locks --- */

static uint64_t lock_bit(struct candidates *c, uint64_t lock) {
  uint64_t at = *hashmap_at(&c->locks, lock, c->locks.count, NULL);
  return at < 64 ? 1ull << at : 0;
}

static void acquire(struct candidates *c, const struct event *e, uint64_t lock, bool shared) {
  uint64_t bit = lock_bit(c, lock);
  for (uint64_t rest = c->held[e->thread]; rest; rest &= rest - 1) c->after[__builtin_ctzll(rest)] |= bit;
  c->held[e->thread] |= bit;
  if (!shared) c->exclusive[e->thread] |= bit;
}

static void release(struct candidates *c, const struct event *e, uint64_t lock) {
  uint64_t bit = lock_bit(c, lock);
  c->held[e->thread] &= ~bit, c->exclusive[e->thread] &= ~bit;
}

static void operate(struct candidates *c, const struct event *e) {
  if (e->op == EVENT_ACQUIRE) acquire(c, e, e->object, e->flags & EVENT_SHARED_LOCK);
  if (e->op == EVENT_RELEASE) release(c, e, e->object);
  if (e->op == EVENT_WAIT_ENTER && e->value2) release(c, e, e->value2);
  if (e->op == EVENT_WAIT_LEAVE && e->value2 && !(e->flags & EVENT_TIMED_OUT)) acquire(c, e, e->value2, false);
}

/* Takes away locks that no other one follows or that follow none, as long as there are some: what is left are circles and ways between
 * them. */
static bool has_circle(const struct candidates *c) {
  uint64_t left = UINT64_MAX, before = 0;
  if (c->locks.count > 64) return true; /* not all are known */
  while (left != before) {
    uint64_t followed = 0, follows = 0;
    before = left;
    for (uint64_t rest = left; rest; rest &= rest - 1) {
      uint32_t i = (uint32_t)__builtin_ctzll(rest);
      if (c->after[i] & left) followed |= 1ull << i;
      follows |= c->after[i];
    }
    left &= followed & follows;
  }
  return left != 0;
}

/* --- accesses --- */

static bool is_access(const struct event *e) {
  return (e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE) && e->size && !event_outside(e);
}

static bool same_kind(const struct candidate_access *a, const struct candidate_access *b) {
  return a->thread == b->thread && a->site == b->site && a->exclusive == b->exclusive && a->held == b->held && a->row == b->row &&
         a->low == b->low && a->high == b->high && a->writes == b->writes && a->atomic == b->atomic && a->frees == b->frees;
}

/* The access is one of a set. */
static void add_alike(struct candidates *c, struct candidate_access *set, uint32_t event) {
  uint32_t at = (uint32_t)c->alikes.count;
  *vec_push(&c->alikes) = (struct candidate_alike){event, NONE};
  if (set->alike == NONE)
    set->alike = at;
  else
    c->alikes.data[set->last].next = at;
  set->last = at;
}

static void add_to_sets(struct candidates *c, uint64_t *head, struct candidate_access x) {
  uint32_t length = 0;
  for (uint32_t i = (uint32_t)*head; i != NONE; i = c->accesses.data[i].next, length++) {
    if (!same_kind(&c->accesses.data[i], &x)) continue;
    add_alike(c, &c->accesses.data[i], x.event);
    return;
  }
  if (length >= SETS_MOST) {
    c->left_out++;
    return;
  }
  x.next = (uint32_t)*head, x.alike = x.last = NONE;
  *head = c->accesses.count;
  struct candidate_access *set = vec_push(&c->accesses);
  *set = x;
  add_alike(c, set, x.event);
}

static void add_at(struct candidates *c, uint64_t granule, struct candidate_access x) {
  bool is_new = false;
  uint64_t *head = hashmap_at(&c->granules, granule, NONE, &is_new);
  if (is_new) *vec_push(&c->touched) = granule;
  if (c->all) {
    add_to_sets(c, head, x);
    return;
  }
  uint32_t alike = 0, length = 0, last = NONE;
  for (uint32_t i = (uint32_t)*head; i != NONE; i = c->accesses.data[i].next, length++) {
    if (!same_kind(&c->accesses.data[i], &x)) continue;
    if (last == NONE) last = i;
    alike++;
  }
  if (alike >= ALIKE_MOST || length >= LIST_MOST) {
    c->left_out++;
    if (last != NONE) c->accesses.data[last].event = x.event;
    return;
  }
  x.next = (uint32_t)*head;
  *head = c->accesses.count;
  *vec_push(&c->accesses) = x;
}

static struct candidate_access access_of(struct candidates *c, const struct event *e, uint32_t i) {
  (void)clock_of(c, e->thread);
  return (struct candidate_access){.event = i,
                                   .thread = e->thread,
                                   .site = e->site,
                                   .row = c->row[e->thread] - 1,
                                   .exclusive = c->exclusive[e->thread],
                                   .held = c->held[e->thread],
                                   .low = e->object,
                                   .high = e->object + e->size,
                                   .writes = e->op != EVENT_READ,
                                   .atomic = e->order != ORDER_PLAIN && e->op != EVENT_FREE,
                                   .frees = e->op == EVENT_FREE};
}

static bool is_large(const struct candidate_access *x) { return x->high / 8 - x->low / 8 >= GRANULES_MOST; }

static void add(struct candidates *c, const struct event *e, uint32_t i) {
  struct candidate_access x = access_of(c, e, i);
  if (is_large(&x)) {
    *vec_push(&c->large) = x;
    return;
  }
  for (uint64_t granule = x.low / 8; granule <= (x.high - 1) / 8; granule++) add_at(c, granule, x);
}

/* Puts the large ones where others are, and where one of them begins: not before all of these are known. */
static void add_large(struct candidates *c) {
  for (size_t k = 0; k < c->large.count; k++) {
    bool is_new = false;
    uint64_t granule = c->large.data[k].low / 8;
    hashmap_at(&c->granules, granule, NONE, &is_new);
    if (is_new) *vec_push(&c->touched) = granule;
  }
  size_t touched = c->touched.count;
  for (size_t k = 0; k < c->large.count; k++) {
    struct candidate_access x = c->large.data[k];
    for (size_t i = 0; i < touched; i++)
      if (c->touched.data[i] >= x.low / 8 && c->touched.data[i] <= (x.high - 1) / 8) add_at(c, c->touched.data[i], x);
  }
}

/* --- pairs --- */

/* Both are at several granules: the pair is made at the first that is common to them, or, if one is large, each time. */
static void add_pair(struct candidates *c, const struct candidate_access *a, const struct candidate_access *b, uint64_t granule) {
  uint64_t low = a->low > b->low ? a->low : b->low;
  bool apart = ((a->exclusive & b->held) | (a->held & b->exclusive)) != 0;
  struct candidate_pair pair = {.first = a->event, .second = b->event, .races = !apart && !(a->atomic && b->atomic), .frees = b->frees};
  pair.one = (uint32_t)(a - c->accesses.data), pair.two = (uint32_t)(b - c->accesses.data);
  if (!is_large(a) && !is_large(b) && low / 8 != granule) return;
  if (pair.races || pair.frees) *vec_push(&c->pairs) = pair;
}

static void look_at(struct candidates *c, uint64_t granule) {
  uint32_t head = (uint32_t)*hashmap_find(&c->granules, granule);
  for (uint32_t i = head; i != NONE; i = c->accesses.data[i].next) {
    for (uint32_t k = c->accesses.data[i].next; k != NONE; k = c->accesses.data[k].next) {
      const struct candidate_access *a = &c->accesses.data[k], *b = &c->accesses.data[i];
      if (a->event > b->event) a = &c->accesses.data[i], b = &c->accesses.data[k];
      if (a->thread == b->thread || !(a->writes || b->writes) || a->frees) continue;
      if (a->low >= b->high || b->low >= a->high || ordered(c, a, b)) continue;
      add_pair(c, a, b, granule);
    }
  }
}

void candidates_begin(struct candidates *c, const struct event *trace, uint32_t n) {
  vec_clear(&c->rows);
  hashmap_clear(&c->locks);
  memset(c->row, 0, sizeof c->row);
  memset(c->held, 0, sizeof c->held);
  memset(c->exclusive, 0, sizeof c->exclusive);
  c->width = 1, c->left_out = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (trace[i].thread >= c->width) c->width = trace[i].thread + 1;
    if (trace[i].op == EVENT_FORK && trace[i].object < THREADS_MAX && trace[i].object >= c->width) c->width = (uint32_t)trace[i].object + 1;
  }
}

void candidates_find(struct candidates *c, const struct event *trace, uint32_t from, uint32_t to, const struct event *pending,
                     uint32_t waiting) {
  vec_clear(&c->pairs);
  vec_clear(&c->accesses);
  vec_clear(&c->touched);
  vec_clear(&c->large);
  vec_clear(&c->alikes);
  hashmap_clear(&c->granules);
  memset(c->after, 0, sizeof c->after);
  for (uint32_t i = from; i < to; i++) {
    const struct event *e = &trace[i];
    if (is_access(e)) add(c, e, i);
    if (e->op == EVENT_FORK) fork_thread(c, e);
    if (e->op == EVENT_JOIN) join_thread(c, e);
    if (e->op >= EVENT_ACQUIRE && e->op <= EVENT_WAIT_LEAVE) operate(c, e);
  }
  for (uint32_t i = 0; i < waiting; i++)
    if (pending[i].op == EVENT_ACQUIRE) acquire(c, &pending[i], pending[i].object, pending[i].flags & EVENT_SHARED_LOCK);
  c->circle = has_circle(c);
  add_large(c);
  for (size_t i = 0; i < c->touched.count; i++) look_at(c, c->touched.data[i]);
}

bool candidates_conflict(const struct candidates *c, const struct event *access) {
  uint64_t first = access->object / 8, last = (access->object + access->size - 1) / 8;
  if (access->size == 0 || last - first >= GRANULES_MOST) return true;
  for (uint64_t granule = first; granule <= last; granule++) {
    const uint64_t *head = hashmap_find(&c->granules, granule);
    uint32_t length = 0;
    for (uint32_t i = head ? (uint32_t)*head : NONE; i != NONE; i = c->accesses.data[i].next, length++)
      if (c->accesses.data[i].writes && c->accesses.data[i].thread != access->thread) return true;
    if (length >= LIST_MOST) return true; /* there may be others */
  }
  return false;
}

void candidates_release(struct candidates *c) {
  vec_release(&c->pairs);
  vec_release(&c->rows);
  vec_release(&c->accesses);
  vec_release(&c->touched);
  vec_release(&c->large);
  vec_release(&c->alikes);
  hashmap_release(&c->granules);
  hashmap_release(&c->locks);
}
