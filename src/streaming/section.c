#include "streaming/section.h"

#include <string.h>

#include "streaming/sync.h"

static void release_lock(struct lock *l, struct clocks *clocks) {
  for (size_t i = 0; i < l->by.count; i++) {
    struct past *p = &l->by.data[i];
    for (size_t k = 0; k < p->sections.count; k++) clock_drop(clocks, p->sections.data[k].clock);
    vec_release(&p->sections);
  }
  vec_release(&l->by);
  for (unsigned k = 0; k < LAYERS; k++)
    clock_drop(clocks, l->told[k].clock), clock_drop(clocks, l->readers[k]), clock_drop(clocks, l->taken[k].clock);
}

void locks_release(struct locks *l, struct clocks *clocks) {
  for (size_t i = 0; i < l->all.count; i++) release_lock(&l->all.data[i], clocks);
  vec_release(&l->all);
  vec_release(&l->members);
  vec_release(&l->sorted);
  hashmap_release(&l->places), hashmap_release(&l->sets);
}

uint32_t lock_at(struct locks *l, uint64_t address) {
  bool is_new;
  uint64_t *place = hashmap_at(&l->places, address, l->all.count, &is_new);
  if (is_new) *vec_push(&l->all) = (struct lock){0};
  return (uint32_t)*place;
}

static uint32_t past_at(struct lock *l, uint32_t thread) {
  for (size_t i = 0; i < l->by.count; i++)
    if (l->by.data[i].thread == thread) return (uint32_t)i;
  *vec_push(&l->by) = (struct past){.thread = thread};
  return (uint32_t)l->by.count - 1;
}

const struct past *past_of(const struct lock *l, uint32_t thread) {
  for (size_t i = 0; i < l->by.count; i++)
    if (l->by.data[i].thread == thread) return &l->by.data[i];
  return NULL;
}

void section_begin(struct sync *s, uint32_t t, uint32_t lock, bool shared) {
  struct lock *l = &s->locks.all.data[lock];
  struct thread *thread = &s->threads.data[t];
  if (held_find(thread, lock)) return; /* what a trace does not have */
  uint32_t by = past_at(l, t);
  uint32_t number = l->by.data[by].begun++;
  *vec_push(&thread->held) =
      (struct held){.lock = lock, .section = number, .begin = thread->time, .by = by, .at = s->locks.begun++, .shared = shared};
  thread->lockset = LOCKSET_UNKNOWN;
}

static void join_pairs(struct locks *all, struct past *p, struct clocks *clocks) {
  size_t half = p->sections.count / 4 * 2;
  struct section *at = p->sections.data;
  for (size_t i = 0; i < half; i += 2) {
    struct section first = at[i], both = at[i + 1];
    clock_drop(clocks, first.clock);
    both.begin = first.begin, both.at = first.at, both.shared &= first.shared;
    at[i / 2] = both;
    all->coarse++;
  }
  memmove(at + half / 2, at + half, (p->sections.count - half) * sizeof *at);
  p->sections.count -= half / 2;
}

bool section_end(struct sync *s, uint32_t t, uint32_t lock, unsigned layer) {
  struct thread *thread = &s->threads.data[t];
  size_t i = thread->held.count;
  while (i > 0 && thread->held.data[i - 1].lock != lock) i--;
  if (i == 0) return false;
  struct held h = thread->held.data[i - 1];
  memmove(thread->held.data + i - 1, thread->held.data + i, (thread->held.count - i) * sizeof h);
  thread->held.count--;
  thread->lockset = LOCKSET_UNKNOWN;
  struct past *p = &s->locks.all.data[lock].by.data[h.by];
  if (p->sections.count == SECTIONS_MAX) join_pairs(&s->locks, p, &s->clocks);
  *vec_push(&p->sections) = (struct section){.clock = clock_share(thread->knows[layer]),
                                             .begin = h.begin,
                                             .end = thread->time,
                                             .number = h.section,
                                             .shared = h.shared,
                                             .at = h.at};
  return true;
}

const struct section *section_of(const struct past *p, uint32_t number) {
  size_t low = 0, high = p->sections.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (p->sections.data[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low < p->sections.count ? &p->sections.data[low] : NULL;
}

const struct section *section_begun(const struct past *p, uint32_t time) {
  size_t low = 0, high = p->sections.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (p->sections.data[middle].begin <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? &p->sections.data[low - 1] : NULL;
}

const struct held *held_find(const struct thread *t, uint32_t lock) {
  for (size_t i = t->held.count; i > 0; i--)
    if (t->held.data[i - 1].lock == lock) return &t->held.data[i - 1];
  return NULL;
}

static bool same_members(const uint64_t *set, const uint64_t *sorted, size_t n) {
  return set[0] == n && memcmp(set + 1, sorted, n * sizeof *sorted) == 0;
}

uint32_t lockset_of(struct sync *s, uint32_t t) {
  struct thread *thread = &s->threads.data[t];
  struct locks *l = &s->locks;
  if (thread->lockset != LOCKSET_UNKNOWN) return thread->lockset;
  size_t n = thread->held.count;
  vec_clear(&l->sorted);
  uint64_t *sorted = vec_push_n(&l->sorted, n + 1);
  for (size_t i = 0; i < n; i++) {
    uint64_t member = (uint64_t)thread->held.data[i].lock * 2 + thread->held.data[i].shared;
    size_t k = i;
    for (; k > 0 && sorted[k - 1] > member; k--) sorted[k] = sorted[k - 1];
    sorted[k] = member;
  }
  for (uint64_t key = hash_bytes(sorted, n * sizeof *sorted, n);; key++) {
    bool is_new;
    uint64_t place = *hashmap_at(&l->sets, key, l->members.count, &is_new);
    if (is_new) {
      *vec_push(&l->members) = n;
      for (size_t i = 0; i < n; i++) *vec_push(&l->members) = sorted[i];
    }
    if (same_members(&l->members.data[place], sorted, n)) return thread->lockset = (uint32_t)place;
  }
}

bool lockset_within(const struct locks *l, uint32_t small, uint32_t large) {
  const uint64_t *a = &l->members.data[small], *b = &l->members.data[large];
  uint64_t k = 1;
  for (uint64_t i = 1; i <= a[0]; i++) {
    while (k <= b[0] && b[k] < a[i]) k++;
    if (k > b[0] || b[k] != a[i]) return false;
  }
  return true;
}

uint32_t lockset_common(const struct locks *l, uint32_t set, const struct thread *t, uint32_t *from) {
  const uint64_t *members = &l->members.data[set];
  for (; *from < t->held.count; ++*from) {
    const struct held *h = &t->held.data[*from];
    for (uint64_t i = 1; i <= members[0]; i++)
      if (members[i] / 2 == h->lock && !(members[i] & 1 && h->shared)) return h->lock;
  }
  return UINT32_MAX;
}
