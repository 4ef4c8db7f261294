/* Locks: two sections, not both shared, exclude each other as far as both are part of the witness; a failed try-lock needs a section
 * around it. */
#include "causal/internal.h"

static struct section *section_of(struct causal *c, const struct object *x, uint32_t i) { return &c->sections.data[x->part + i]; }

/* The thread's section of the lock that is open, or NULL. */
static struct section *open_section(struct causal *c, const struct object *x, uint16_t slot) {
  for (uint32_t i = x->parts; i-- > 0;) {
    struct section *s = section_of(c, x, i);
    if (s->slot == slot) return s->depth ? s : NULL;
  }
  return NULL;
}

static bool takes(const struct object *x, const struct event *e) {
  return e->object == x->address ? e->op == EVENT_ACQUIRE : e->op == EVENT_WAIT_LEAVE;
}

static void add_acquire(struct causal *c, struct object *x, uint32_t event) {
  uint16_t slot = c->info.data[event].slot;
  bool shared = c->trace[event].op == EVENT_ACQUIRE && (c->trace[event].flags & EVENT_SHARED_LOCK);
  struct section *own = open_section(c, x, slot);
  for (uint32_t i = 0; i < x->parts; i++)
    if (section_of(c, x, i)->depth && section_blocks(section_of(c, x, i), slot, shared))
      object_freeze(c, x, "a lock that is taken while another thread holds it");
  if (own && !(shared && own->shared)) object_freeze(c, x, "a lock that is taken twice");
  if (own) {
    own->depth++;
    return;
  }
  *vec_push(&c->sections) = (struct section){.acquire = event, .release = NONE, .depth = 1, .slot = slot, .shared = shared};
  x->parts++;
}

static void add_release(struct causal *c, struct object *x, uint32_t event) {
  struct section *s = open_section(c, x, c->info.data[event].slot);
  if (!s) {
    object_freeze(c, x, "a lock that is released by a thread that did not acquire it");
    return;
  }
  if (--s->depth > 0) return;
  s->release = event;
  if (event >= c->prefix) return;
  for (struct section *end = &vec_last(&c->sections); s < end; s++) *s = s[1]; /* it is history */
  c->sections.count--, x->parts--;
}

static void find_sections(struct causal *c, struct object *x) {
  x->part = (uint32_t)c->sections.count;
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t event = c->operations.data[i].event;
    const struct event *e = &c->trace[event];
    if (e->op == EVENT_TRYFAIL) continue;
    if (takes(x, e))
      add_acquire(c, x, event);
    else
      add_release(c, x, event);
  }
}

/* Section `a` ends before section `b` begins. */
static struct order_lit ends_before(struct causal *c, const struct section *a, const struct section *b) {
  if (a->release == NONE || before(c, place_of(c, b->acquire), place_of(c, a->release))) return ORDER_FALSE;
  return less(c, place_of(c, a->release), place_of(c, b->acquire));
}

/* `b` began before `a` in the trace. Where `a` is not part of the witness it can stay behind `b`; where `b` alone is not, it needs not. */
static void exclude(struct causal *c, const struct section *a, const struct section *b) {
  uint32_t from = place_of(c, a->acquire), to = place_of(c, b->acquire);
  if (a->slot == b->slot || (a->shared && b->shared)) return;
  if (a->release != NONE && before(c, place_of(c, a->release), to)) return;
  if (b->release != NONE && before(c, place_of(c, b->release), from)) return;
  struct order_lit guard = before(c, to, from) ? ORDER_FALSE : outside(c, to);
  clause3(c, ends_before(c, b, a), ends_before(c, a, b), guard);
}

/* One of the sections is open at `place`, unless `guard` holds. */
static bool held_at(struct causal *c, const struct object *x, uint32_t place, uint16_t slot, bool shared, struct order_lit guard) {
  vec_clear(&c->alternatives);
  for (uint32_t i = 0; i < x->parts; i++) {
    const struct section *s = section_of(c, x, i);
    uint32_t from = place_of(c, s->acquire), to = s->release == NONE ? NONE : place_of(c, s->release);
    if (!section_blocks(s, slot, shared) || before(c, place, from) || (to != NONE && before(c, to, place))) continue;
    struct order_lit open = order_var(c->order);
    clause2(c, order_not(open), less(c, from, place));
    if (to != NONE) clause2(c, order_not(open), less(c, place, to));
    *vec_push(&c->alternatives) = open;
  }
  bool possible = c->alternatives.count > 0;
  *vec_push(&c->alternatives) = guard;
  order_clause(c->order, c->alternatives.data, c->alternatives.count);
  return possible;
}

void lock_build(struct causal *c, struct object *x) {
  find_sections(c, x);
  bool failures = false;
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    uint32_t event = c->operations.data[i].event;
    const struct event *e = &c->trace[event];
    if (e->op != EVENT_TRYFAIL || x->frozen || event < c->prefix) continue;
    failures = true;
    uint16_t slot = c->info.data[event].slot;
    bool held = false;
    for (uint32_t k = 0; k < x->parts; k++) {
      const struct section *s = section_of(c, x, k);
      held |= section_blocks(s, slot, e->flags & EVENT_SHARED_LOCK) && s->acquire < event && (s->release == NONE || s->release > event);
    }
    if (!held) object_freeze(c, x, "a lock that was held without having been acquired");
  }
  if (x->frozen) return;
  for (uint32_t i = 0; i < x->parts; i++)
    for (uint32_t k = 0; k < i; k++) exclude(c, section_of(c, x, i), section_of(c, x, k));
  for (uint32_t i = x->first; failures && i != NONE; i = c->operations.data[i].next) {
    uint32_t event = c->operations.data[i].event, place = place_of(c, event);
    if (c->trace[event].op == EVENT_TRYFAIL && event >= c->prefix)
      (void)held_at(c, x, place, c->info.data[event].slot, c->trace[event].flags & EVENT_SHARED_LOCK, outside(c, place));
  }
}

void lock_free_at_end(struct causal *c, const struct object *x, uint16_t slot, bool shared) {
  for (uint32_t i = 0; i < x->parts; i++) {
    const struct section *s = section_of(c, x, i);
    if (!section_blocks(s, slot, shared)) continue;
    clause2(c, outside(c, place_of(c, s->acquire)), s->release == NONE ? ORDER_FALSE : inside(c, place_of(c, s->release)));
  }
}

bool lock_held_at_end(struct causal *c, const struct object *x, uint16_t slot, bool shared) {
  return held_at(c, x, c->here, slot, shared, ORDER_FALSE);
}
