/* Synchronisation objects: their operations, by what kind of object they are. */
#include "causal/internal.h"

uint64_t wait_mutex(const struct event *e) {
  if (e->op == EVENT_WAIT_ENTER) return e->value2;
  return e->op == EVENT_WAIT_LEAVE && !(e->flags & EVENT_TIMED_OUT) ? e->value2 : 0;
}

struct object *object_at(struct causal *c, uint64_t address) {
  uint64_t *at = hashmap_find(&c->index, address);
  return at ? &c->objects.data[*at] : NULL;
}

static enum object_kind kind_of(const struct event *e) {
  switch (e->op) {
    case EVENT_ACQUIRE:
    case EVENT_RELEASE:
      return OBJECT_LOCK;
    case EVENT_WAIT_ENTER:
    case EVENT_WAIT_LEAVE:
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
      return OBJECT_CONDITION;
    case EVENT_SEM_POST:
    case EVENT_SEM_WAIT:
      return OBJECT_SEMAPHORE;
    case EVENT_BARRIER_ENTER:
    case EVENT_BARRIER_LEAVE:
      return OBJECT_BARRIER;
    default:
      return OBJECT_UNKNOWN;
  }
}

static void add(struct causal *c, uint64_t address, enum object_kind kind, uint32_t event) {
  bool is_new = false;
  uint64_t *at = hashmap_at(&c->index, address, c->objects.count, &is_new);
  if (is_new) *vec_push(&c->objects) = (struct object){.address = address, .first = NONE, .last = NONE};
  struct object *x = &c->objects.data[*at];
  if (kind != OBJECT_UNKNOWN && x->kind != OBJECT_UNKNOWN && x->kind != kind) x->frozen = true;
  if (kind != OBJECT_UNKNOWN) x->kind = (uint8_t)kind;
  uint32_t operation = (uint32_t)c->operations.count;
  *vec_push(&c->operations) = (struct operation){event, NONE};
  if (x->last != NONE)
    c->operations.data[x->last].next = operation;
  else
    x->first = operation;
  x->last = operation;
}

/* Its operations keep the trace's order, as far as they matter to each other. */
static void keep_operations(struct causal *c, const struct object *x) {
  for (uint32_t i = x->first; i != NONE; i = c->operations.data[i].next) {
    if (c->operations.data[i].next == NONE) return;
    keep_order(c, c->operations.data[i].event, c->operations.data[c->operations.data[i].next].event);
  }
}

void object_freeze(struct causal *c, struct object *x, const char *why) {
  x->frozen = true;
  limited(c, why);
}

static void build(struct causal *c, struct object *x) {
  if (x->frozen) limited(c, "memory that is two kinds of synchronisation objects, one after the other");
  switch (x->frozen ? OBJECT_UNKNOWN : (enum object_kind)x->kind) {
    case OBJECT_LOCK:
      lock_build(c, x);
      break;
    case OBJECT_CONDITION:
      condition_build(c, x);
      break;
    case OBJECT_SEMAPHORE:
      semaphore_build(c, x);
      break;
    case OBJECT_BARRIER:
      barrier_build(c, x);
      break;
    case OBJECT_UNKNOWN: /* nothing but failures: nobody changes it */
      break;
  }
  if (x->frozen) keep_operations(c, x);
}

void objects_build(struct causal *c) {
  bool any = false;
  for (uint32_t i = 0; i < c->n && !any; i++) any = c->trace[i].op >= EVENT_ACQUIRE && c->trace[i].op <= EVENT_SEM_WAIT;
  hashmap_clear(&c->index);
  if (!any) return;
  for (uint32_t i = 0; i < c->n; i++) {
    const struct event *e = &c->trace[i];
    if (e->op < EVENT_ACQUIRE || e->op > EVENT_SEM_WAIT) continue;
    add(c, e->object, kind_of(e), i);
    if (wait_mutex(e)) add(c, wait_mutex(e), OBJECT_LOCK, i);
  }
  for (size_t i = 0; i < c->objects.count; i++) build(c, &c->objects.data[i]);
}
