#include "streaming/conflict.h"

static bool learn(struct sync *s, const struct conflict_rule *r, uint32_t t, uint32_t other, const struct section *x) {
  return clock_learn(&s->clocks, &s->threads.data[t].knows[r->to], &(struct known){x->clock, other, x->end});
}

/* Is what r stands for ordered before all that conflicts with it and comes later, if that takes the lock behind t's section h? Readers'
 * sections do not order each other. */
static bool stands_for(const struct held *h, const struct record *r, uint32_t t, uint8_t writes) {
  if (r->thread == t) return r->section != h->section && (r->shared || !h->shared);
  return writes && !h->shared;
}

/* What a record says of bytes that t touches in a later section of the lock is not needed any more. */
static void cut(struct record *r, uint32_t t, uint8_t reads, uint8_t writes) {
  r->writes &= (uint8_t)~writes;
  r->reads &= (uint8_t) ~(r->thread == t ? reads | writes : writes);
}

static void add(struct memory *m, struct granule *g, uint32_t t, const struct held *h, uint8_t reads, uint8_t writes) {
  uint32_t place = pool_take(&m->records);
  *pool_at(&m->records, place) = (struct record){
      .next = g->records, .lock = h->lock, .thread = t, .section = h->section, .reads = reads, .writes = writes, .shared = h->shared};
  g->records = place;
}

/* One record that belongs to a lock that t holds. True: it is t's present section. */
static bool meet(struct sync *s, const struct conflict_rule *r, struct record *x, uint32_t t, const struct held *h, uint8_t reads,
                 uint8_t writes) {
  if (x->thread == t && x->section == h->section) {
    x->reads |= reads, x->writes |= writes;
    return true;
  }
  bool conflicts = (x->writes & (reads | writes)) || (x->reads & writes);
  if (x->thread != t && conflicts && !(x->shared && h->shared)) {
    const struct past *p = past_of(&s->locks.all.data[h->lock], x->thread);
    const struct section *ended = p ? section_of(p, x->section) : NULL;
    if (ended) learn(s, r, t, x->thread, ended);
  }
  if (stands_for(h, x, t, writes)) cut(x, t, reads, writes);
  return false;
}

void conflict_access(struct sync *s, struct memory *m, const struct conflict_rule *r, struct granule *g, uint32_t t, uint8_t reads,
                     uint8_t writes) {
  const struct thread *thread = &s->threads.data[t];
  size_t noted = 0;
  for (uint32_t *link = &g->records; *link;) {
    uint32_t place = *link;
    struct record *x = pool_at(&m->records, place);
    const struct held *h = held_find(thread, x->lock);
    if (h && meet(s, r, x, t, h, reads, writes)) noted++;
    if (x->reads | x->writes) {
      link = &x->next;
      continue;
    }
    *link = x->next;
    pool_give(&m->records, place);
  }
  for (size_t i = 0; noted < thread->held.count && i < thread->held.count; i++) {
    const struct held *h = &thread->held.data[i];
    bool there = false;
    for (uint32_t k = g->records; k && !there; k = pool_at(&m->records, k)->next) {
      const struct record *x = pool_at(&m->records, k);
      there = x->thread == t && x->lock == h->lock && x->section == h->section;
    }
    if (!there) add(m, g, t, h, reads, writes);
  }
}

void conflict_complete(struct sync *s, const struct conflict_rule *r, uint32_t t, uint32_t lock, bool shared) {
  const struct lock *l = &s->locks.all.data[lock];
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < l->by.count; i++) {
      const struct past *p = &l->by.data[i];
      if (p->thread == t || p->sections.count == 0) continue;
      const struct thread *thread = &s->threads.data[t];
      uint32_t a = clock_at(thread->knows[r->known[0]], p->thread), b = clock_at(thread->knows[r->known[1]], p->thread);
      const struct section *x = section_begun(p, a > b ? a : b);
      while (x && shared && x->shared) x = x > p->sections.data ? x - 1 : NULL; /* readers do not exclude each other */
      if (x) again |= learn(s, r, t, p->thread, x);
    }
  }
}
