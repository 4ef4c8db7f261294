#include "happens/history_chain.h"

#include <string.h>

#include "base/hash.h"

/* What an event touches. Operations on a synchronisation object have a chain of their own, at the granule where the object starts; accesses
 * to the object's bytes are in the chains of those. Each knows of the other: chains of granules name their owners, the objects whose bytes
 * they hold, and chains of objects count the accesses to their bytes. */
struct span {
  uint64_t from, to;
  bool sync, write;
};
#define PAGE_BITS      12
#define WIDE_SPAN      2048u      /* longer ones are entered by page, */
#define UNTOUCHED_SPAN 64u        /* those of longer ones are not looked through twice */
#define BOUNDLESS      (1u << 30) /* and these in a chain of their own */
#define NO_MASK        0u
#define ANYWHERE       3u /* key of that chain */

static inline uint64_t granule_key(uint64_t address) { return (address >> 3) * 4; }
static inline uint64_t sync_key(uint64_t object) { return (object >> 3) * 4 + 1; }
static inline uint64_t page_key(uint64_t page) { return page * 4 + 2; }

static inline struct span access_span(const struct event *e, bool write) {
  return (struct span){e->object, e->size > UINT64_MAX - e->object ? UINT64_MAX : e->object + e->size, false, write};
}

static inline struct span sync_span(uint64_t object, uint64_t size, bool write) {
  return (struct span){object, object + (size ? size : 1), true, write};
}

/* `write`: dependent with all other operations on the object (see commute() in event.c for those that are not). */
static unsigned spans_of(const struct event *e, struct span out[2]) {
  switch ((enum event_op)e->op) {
    case EVENT_READ:
    case EVENT_AWAIT:
      out[0] = access_span(e, false);
      return 1;
    case EVENT_WRITE:
      out[0] = access_span(e, !(e->flags & EVENT_BUFFERED)); /* a buffered one matters to lives alone: its flush writes */
      return 1;
    case EVENT_RMW:
    case EVENT_ALLOC:
    case EVENT_FREE:
    case EVENT_FLUSH:
      out[0] = access_span(e, true);
      return 1;
    case EVENT_ACQUIRE:
    case EVENT_RELEASE:
      out[0] = sync_span(e->object, e->size, !(e->flags & EVENT_SHARED_LOCK));
      return 1;
    case EVENT_TRYFAIL:
    case EVENT_BARRIER_ENTER:
    case EVENT_BARRIER_LEAVE:
    case EVENT_SEM_POST:
      out[0] = sync_span(e->object, e->size, false);
      return 1;
    case EVENT_WAIT_ENTER:
    case EVENT_WAIT_LEAVE:
      out[0] = sync_span(e->object, e->size, true);
      if (e->value2 == 0) return 1; /* left without a signal: the mutex comes later */
      out[1] = sync_span(e->value2, EVENT_MUTEX_SIZE, true);
      return 2;
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
    case EVENT_SEM_WAIT:
    case EVENT_OUTPUT:
      out[0] = sync_span(e->object, e->size, !event_is_invocation(e));
      return 1;
    case EVENT_NONE:
    case EVENT_BEGIN:
    case EVENT_END:
    case EVENT_FORK:
    case EVENT_JOIN:
    case EVENT_FENCE:
    case EVENT_CHOICE:
    case EVENT_ATOMIC: /* an executed section's own events follow it */
    case EVENT_YIELD:
    case EVENT_COUNT:
      return 0;
  }
  return 0;
}

/* The bytes of the granule at `granule` (an address) that are in [from, to). */
static inline uint8_t mask_of(uint64_t from, uint64_t to, uint64_t granule) {
  uint64_t low = from > granule ? from - granule : 0, high = to - granule < 8 ? to - granule : 8;
  return (uint8_t)((0xffu << low) & (0xffu >> (8 - high)));
}

/* --- the table of chains --- */

static void table_grow(struct history *h) {
  uint32_t cap = h->cap ? h->cap * 2 : 256;
  uint64_t *keys = mem_alloc(cap * sizeof *keys);
  uint32_t *ids = mem_alloc(cap * sizeof *ids);
  for (uint32_t i = 0; i < h->cap; i++) {
    if (!h->ids[i]) continue;
    uint32_t j = (uint32_t)hash_mix(h->keys[i]) & (cap - 1);
    while (ids[j]) j = (j + 1) & (cap - 1);
    keys[j] = h->keys[i], ids[j] = h->ids[i];
  }
  mem_free(h->keys, h->cap * sizeof *h->keys);
  mem_free(h->ids, h->cap * sizeof *h->ids);
  h->keys = keys, h->ids = ids, h->cap = cap;
}

static inline const struct history_chain *chain_find(const struct history *h, uint64_t key) {
  if (h->cap == 0) return NULL;
  for (uint32_t j = (uint32_t)hash_mix(key) & (h->cap - 1); h->ids[j]; j = (j + 1) & (h->cap - 1)) {
    if (h->keys[j] == key) return &h->chains.data[h->ids[j] - 1];
  }
  return NULL;
}

static uint32_t chain_at(struct history *h, uint64_t key) {
  if ((h->chains.count + 1) * 2 > h->cap) table_grow(h);
  uint32_t j = (uint32_t)hash_mix(key) & (h->cap - 1);
  for (; h->ids[j]; j = (j + 1) & (h->cap - 1)) {
    if (h->keys[j] == key) return h->ids[j] - 1;
  }
  *vec_push(&h->chains) = (struct history_chain){.head = NO_STEP, .owners = NO_STEP};
  h->keys[j] = key, h->ids[j] = (uint32_t)h->chains.count;
  return h->ids[j] - 1;
}

uint32_t history_head(const struct history *h, uint64_t object) {
  const struct history_chain *c = chain_find(h, sync_key(object));
  return c ? c->head : NO_STEP;
}

bool history_remade(const struct history *h, uint64_t object) {
  const struct history_chain *c = chain_find(h, sync_key(object));
  return c && c->remade;
}

/* --- entering records --- */

static void enter(struct history *h, uint64_t key, uint32_t step, uint32_t event, uint8_t mask, bool write) {
  uint32_t chain = chain_at(h, key), id = (uint32_t)h->records.count, head = h->chains.data[chain].head, older = head;
  if (head != NO_STEP && !write && mask && h->events.data[event].op == EVENT_READ) {
    /* A thread's earlier read of the same bytes is ordered before this one: nobody needs to see both. */
    const struct history_record *r = &h->records.data[head];
    bool same = h->events.data[r->event].op == EVENT_READ && h->steps.data[r->step].thread == h->steps.data[step].thread;
    if (same && (r->mask & ~mask) == 0) older = r->older;
  }
  uint32_t older_write = older == NO_STEP || h->records.data[older].write ? older : h->records.data[older].older_write;
  *vec_push(&h->records) = (struct history_record){step, event, chain, older, older_write, head, mask, write};
  h->chains.data[chain].head = id;
  for (uint32_t o = h->chains.data[chain].owners; o != NO_STEP; o = h->owners.data[o].next) {
    struct history_chain *object = &h->chains.data[h->owners.data[o].chain];
    object->touched++;
    object->remade += write && object->head != NO_STEP;
  }
}

void history_forget(struct history *h, const struct history_record *r) {
  h->chains.data[r->chain].head = r->head_before;
  h->wide -= r->mask == NO_MASK;
  for (uint32_t o = h->chains.data[r->chain].owners; o != NO_STEP; o = h->owners.data[o].next) {
    struct history_chain *object = &h->chains.data[h->owners.data[o].chain];
    object->touched--;
    object->remade -= r->write && object->head != NO_STEP; /* what came behind it is forgotten already */
  }
}

/* Makes `object` an owner of the granules of its bytes. Once for an object; stays for the whole exploration. */
static void own(struct history *h, uint32_t object, uint64_t from, uint64_t to) {
  uint32_t first = h->chains.data[object].head; /* of its operations in this execution */
  while (h->records.data[first].head_before != NO_STEP) first = h->records.data[first].head_before;
  h->chains.data[object].owned = to;
  for (uint64_t g = from & ~7ull; g < to; g += 8) {
    uint32_t chain = chain_at(h, granule_key(g)), o = h->chains.data[chain].owners;
    while (o != NO_STEP && h->owners.data[o].chain != object) o = h->owners.data[o].next;
    if (o != NO_STEP) continue;
    struct history_owner owner = {.chain = object, .next = h->chains.data[chain].owners};
    h->chains.data[chain].owners = (uint32_t)h->owners.count;
    *vec_push(&h->owners) = owner;
    for (uint32_t r = h->chains.data[chain].head; r != NO_STEP; r = h->records.data[r].head_before) {
      h->chains.data[object].touched++;
      h->chains.data[object].remade += r > first && h->records.data[r].write;
    }
  }
}

void history_note(struct history *h, uint32_t step, uint32_t event) {
  struct span spans[2];
  unsigned n = spans_of(&h->events.data[event], spans);
  for (unsigned i = 0; i < n; i++) {
    const struct span *s = &spans[i];
    if (s->from >= s->to) continue;
    if (s->sync) {
      enter(h, sync_key(s->from), step, event, mask_of(s->from, s->from + 1, s->from & ~7ull), s->write);
      uint32_t object = vec_last(&h->records).chain;
      if (h->chains.data[object].owned < s->to) own(h, object, s->from, s->to);
    } else if (s->to - s->from > BOUNDLESS) {
      enter(h, ANYWHERE, step, event, NO_MASK, false);
      h->wide++;
    } else if (s->to - s->from > WIDE_SPAN) {
      for (uint64_t p = s->from >> PAGE_BITS; p <= (s->to - 1) >> PAGE_BITS; p++, h->wide++) {
        enter(h, page_key(p), step, event, NO_MASK, false);
      }
    } else {
      for (uint64_t g = s->from & ~7ull; g < s->to; g += 8) enter(h, granule_key(g), step, event, mask_of(s->from, s->to, g), s->write);
    }
  }
}

/* --- looking for what a step depends on --- */

bool history_may_wait(const struct event *x) {
  switch ((enum event_op)x->op) {
    case EVENT_ACQUIRE:
    case EVENT_SEM_WAIT:
    case EVENT_JOIN:
      return !(x->flags & (EVENT_TRY | EVENT_TIMED));
    case EVENT_WAIT_LEAVE:
    case EVENT_BARRIER_LEAVE:
      return true;
    case EVENT_AWAIT:
    case EVENT_READ:
    case EVENT_RMW:
      return x->flags & EVENT_WAITS;
    case EVENT_NONE:
    case EVENT_BEGIN:
    case EVENT_END:
    case EVENT_FORK:
    case EVENT_WRITE:
    case EVENT_FENCE:
    case EVENT_RELEASE:
    case EVENT_TRYFAIL:
    case EVENT_WAIT_ENTER:
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
    case EVENT_BARRIER_ENTER:
    case EVENT_SEM_POST:
    case EVENT_OUTPUT:
    case EVENT_ALLOC:
    case EVENT_FREE:
    case EVENT_CHOICE:
    case EVENT_ATOMIC:
    case EVENT_YIELD:
    case EVENT_FLUSH:
    case EVENT_COUNT:
      return false;
  }
  return false;
}

/* One search: what is looked for, and what is known of the searching thread. */
struct search {
  const struct event *x;
  const struct event *first; /* of the step: what it may have to wait for */
  const uint32_t *clock;
  uint32_t previous;
  bool waits, blocked;
  bool below;     /* what comes before x is not known */
  uint32_t from;  /* steps before this one are of no interest */
  uint64_t after; /* nor are those of these threads */
  uint32_t owner; /* below: x's thread, or the one whose store it flushes */
};

/* A thread that leaves a lock has it; where one could take a lock for itself, others could. */
enum reversal history_reversal_below(const struct event *earlier, const struct event *x) {
  if (history_remakes(earlier, x)) return REVERSAL_MAYBE;
  if (x->op == EVENT_BARRIER_LEAVE) return REVERSAL_NO;
  if (x->op != EVENT_ACQUIRE || (x->flags & (EVENT_TRY | EVENT_TIMED))) return REVERSAL_MAYBE;
  bool here = earlier->object == x->object, with_it = earlier->value2 == x->object;
  if ((earlier->op == EVENT_RELEASE && here) || (earlier->op == EVENT_WAIT_ENTER && with_it)) return REVERSAL_NO;
  bool took = (earlier->op == EVENT_ACQUIRE && here) || (earlier->op == EVENT_WAIT_LEAVE && with_it);
  return took && !(earlier->flags & (EVENT_SHARED_LOCK | EVENT_TIMED_OUT)) ? REVERSAL_YES : REVERSAL_MAYBE;
}

static enum reversal reversal_of(struct history *h, const struct search *q, uint32_t step, const struct event *e) {
  if (!q->waits) return REVERSAL_YES;
  if (q->x != q->first && (q->x->flags & EVENT_WAITS)) return REVERSAL_MAYBE; /* it could have been interrupted, whatever it waits for */
  if (!q->below) return history_reversal(h, step, e, q->first, q->previous, q->blocked);
  return history_reversal_below(e, q->x);
}

/* Behind a join of its thread; or of one thread and its store buffer: such steps wait for each other, or do not care. */
static bool ordered_below(const struct search *q, const struct event *e) {
  uint32_t owner = e->op == EVENT_FLUSH ? flush_thread(e) : e->thread;
  return owner == q->owner || (owner < AGENTS_FROM && (q->after >> owner & 1));
}

/* Considers one record; true if it is a candidate whose reversal is certain, or is ordered before anyway. */
static bool consider(struct history *h, const struct search *q, uint32_t step, uint32_t event) {
  const struct history_step *s = &h->steps.data[step];
  if (s->thread == q->x->thread || q->clock[s->thread] >= s->index) return true;
  const struct event *e = &h->events.data[event];
  if (q->below && ordered_below(q, e)) return true;
  if (!event_dependent(e, q->x)) return false;
  enum reversal r = reversal_of(h, q, step, e);
  *vec_push(&h->dependent) = (struct history_candidate){step, r};
  return r == REVERSAL_YES;
}

static bool is_life(const struct event *e) { return e->op == EVENT_FREE || e->op == EVENT_ALLOC; }

/* Is all that x depends on before the write `e`, or ordered before it? With store buffers not where e is a flush, which does not depend on
 * what its own thread read; nor where x is the end of the memory's life, on which stores depend that wait in a buffer, and e is not. */
static bool ends_search(const struct history *h, const struct event *x, const struct event *e) {
  return !h->buffers || (e->op != EVENT_FLUSH && (!is_life(x) || is_life(e)));
}

/* `mask`: the bytes of the granule that matter; a later write to all of them ends the search. NO_MASK: nothing does. */
static void walk(struct history *h, const struct search *q, uint32_t head, uint8_t mask, bool writes_only) {
  uint32_t id = head;
  if (writes_only && id != NO_STEP && !h->records.data[id].write) id = h->records.data[id].older_write;
  while (id != NO_STEP) {
    const struct history_record *r = &h->records.data[id];
    if (r->step < q->from) return;
    bool settled = consider(h, q, r->step, r->event);
    if (settled && r->write && mask && (mask & ~r->mask) == 0 && ends_search(h, q->x, &h->events.data[r->event])) return;
    id = writes_only ? r->older_write : r->older;
  }
}

/* A span too long to look up granule by granule, and ends of threads while a join may have found them running: all steps there are. */
static void walk_all(struct history *h, const struct search *q) {
  for (uint32_t i = q->from; i < h->steps.count; i++) {
    uint32_t end = i + 1 < h->steps.count ? h->steps.data[i + 1].first_event : (uint32_t)h->events.count;
    for (uint32_t k = h->steps.data[i].first_event; k < end; k++) {
      if (h->events.data[k].op != EVENT_ATOMIC) consider(h, q, i, k);
    }
  }
}

static void walk_wide(struct history *h, const struct search *q, const struct span *s) {
  const struct history_chain *c = chain_find(h, ANYWHERE);
  if (c) walk(h, q, c->head, NO_MASK, false);
  for (uint64_t p = s->from >> PAGE_BITS; p <= (s->to - 1) >> PAGE_BITS; p++) {
    if ((c = chain_find(h, page_key(p)))) walk(h, q, c->head, NO_MASK, false);
  }
}

static void walk_access(struct history *h, const struct search *q, const struct span *s) {
  for (uint64_t g = s->from & ~7ull; g < s->to; g += 8) {
    const struct history_chain *c = chain_find(h, granule_key(g));
    if (!c) continue;
    walk(h, q, c->head, mask_of(s->from, s->to, g), !s->write);
    for (uint32_t o = c->owners; o != NO_STEP; o = h->owners.data[o].next) {
      walk(h, q, h->chains.data[h->owners.data[o].chain].head, NO_MASK, false);
    }
  }
}

static void walk_sync(struct history *h, const struct search *q, const struct span *s) {
  const struct history_chain *c = chain_find(h, sync_key(s->from));
  bool known = c && c->owned >= s->to; /* else accesses to its bytes were not counted */
  if (c) walk(h, q, c->head, mask_of(s->from, s->from + 1, s->from & ~7ull), false);
  if (known && c->touched == 0) return;
  for (uint64_t g = s->from & ~7ull; g < s->to; g += 8) {
    if ((c = chain_find(h, granule_key(g)))) walk(h, q, c->head, NO_MASK, false);
  }
}

static void collect_join(struct history *h, const struct search *q) {
  /* It found the thread running. One that is cancelled may find it ended, and so may who asks for its state: `value`. */
  bool timed = q->x->flags & EVENT_TIMED_OUT && q->x == q->first && !q->x->value;
  if (timed || q->x->object >= THREADS_MAX) return;
  uint32_t end = history_previous(h, (uint32_t)q->x->object);
  if (end == NO_STEP || h->steps.data[end].thread == q->x->thread) return;
  uint32_t after = end + 1 < h->steps.count ? h->steps.data[end + 1].first_event : (uint32_t)h->events.count;
  enum reversal r = q->waits ? history_reversal(h, end, &h->events.data[after - 1], q->first, q->previous, q->blocked) : REVERSAL_YES;
  *vec_push(&h->dependent) = (struct history_candidate){end, r};
}

static void collect(struct history *h, const struct search *q) {
  const struct event *x = q->x;
  if (x->op == EVENT_END && h->failed_joins) walk_all(h, q);
  struct span spans[2];
  unsigned n = spans_of(x, spans);
  for (unsigned i = 0; i < n; i++) {
    const struct span *s = &spans[i];
    if (s->from >= s->to) continue;
    if ((s->to - s->from) / 8 > h->events.count + 8) {
      walk_all(h, q);
      continue;
    }
    if (s->sync) {
      walk_sync(h, q, s);
    } else {
      walk_access(h, q, s);
    }
    if (h->wide) walk_wide(h, q, s);
  }
}

void history_collect(struct history *h, const struct event *x, const struct event *first, const uint32_t *clock, uint32_t previous,
                     bool blocked) {
  struct search q = {.x = x, .first = first, .clock = clock, .previous = previous, .waits = history_may_wait(first), .blocked = blocked};
  if (x->op == EVENT_JOIN) collect_join(h, &q);
  collect(h, &q);
}

/* A join that gives up may have come before the end that it did not wait for; one that does not, never. */
static void collect_join_below(struct history *h, const struct search *q) {
  uint32_t end = q->x->object < THREADS_MAX ? h->last[q->x->object] : NO_STEP;
  if (end == NO_STEP || end < q->from || !(q->x->flags & (EVENT_TRY | EVENT_TIMED))) return;
  uint32_t after = end + 1 < h->steps.count ? h->steps.data[end + 1].first_event : (uint32_t)h->events.count;
  if (h->events.data[after - 1].op == EVENT_END) *vec_push(&h->dependent) = (struct history_candidate){end, REVERSAL_MAYBE};
}

/* Has the chain a record since q->from that the search would consider, if clocks are left aside? */
static bool chain_meets(const struct history *h, const struct search *q, uint32_t head) {
  for (uint32_t id = head; id != NO_STEP && h->records.data[id].step >= q->from; id = h->records.data[id].older) {
    const struct history_record *r = &h->records.data[id];
    const struct event *e = &h->events.data[r->event];
    if (h->steps.data[r->step].thread != q->x->thread && !ordered_below(q, e) && event_dependent(e, q->x)) return true;
  }
  return false;
}

static bool granule_meets(const struct history *h, const struct search *q, uint64_t granule) {
  const struct history_chain *c = chain_find(h, granule_key(granule));
  if (!c) return false;
  bool meets = chain_meets(h, q, c->head);
  for (uint32_t o = c->owners; o != NO_STEP && !meets; o = h->owners.data[o].next)
    meets = chain_meets(h, q, h->chains.data[h->owners.data[o].chain].head);
  return meets;
}

static struct search search_below(const struct event *x, uint64_t after, uint32_t from) {
  struct search q = {.x = x, .first = x, .below = true, .from = from, .after = after};
  q.owner = x->op == EVENT_FLUSH ? flush_thread(x) : x->thread;
  return q;
}

bool history_untouched(const struct history *h, const struct event *x, uint64_t after, uint32_t from) {
  struct search q = search_below(x, after, from);
  struct span spans[2];
  if (h->wide || x->op == EVENT_JOIN || (x->op == EVENT_END && h->failed_joins)) return false;
  unsigned n = spans_of(x, spans);
  for (unsigned i = 0; i < n; i++) {
    const struct span *s = &spans[i];
    if (s->from >= s->to) continue;
    if (s->to - s->from > UNTOUCHED_SPAN) return false;
    const struct history_chain *c = s->sync ? chain_find(h, sync_key(s->from)) : NULL;
    if (c && chain_meets(h, &q, c->head)) return false;
    if (c && c->owned >= s->to && c->touched == 0) continue;
    for (uint64_t g = s->from & ~7ull; g < s->to; g += 8) {
      if (granule_meets(h, &q, g)) return false;
    }
  }
  return true;
}

void history_collect_below(struct history *h, const struct history_below *b, const uint32_t *clock) {
  const struct event *x = b->event;
  struct search q = search_below(x, b->after, b->from);
  q.clock = clock, q.waits = b->waits;
  if (b->event->op == EVENT_JOIN) collect_join_below(h, &q);
  collect(h, &q);
}
