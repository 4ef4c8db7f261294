#include "predict/recorded/core.h"

#include <stdlib.h>
#include <string.h>

#include "predict/recorded/memory/reuse.h"
#include "trace/recorded.h"

/* --- elements --- */

static uint32_t add_element(struct core *x, enum core_kind kind, uint32_t first, uint64_t object) {
  uint32_t number = (uint32_t)x->elements.count;
  *vec_push(&x->elements) = (struct core_element){.kind = kind, .first = first, .last = CORE_NONE, .object = object};
  x->of.data[first] = number;
  return number;
}

static uint64_t owner_key(const struct event *e, uint64_t object) { return hash_pair(object, e->thread); }

/* The event opens a section; as the end of a wait, too. */
static void open_section(struct core *x, const struct event *e, uint32_t i, uint64_t lock) {
  uint32_t wait = x->of.data[i], number = add_element(x, CORE_SECTION, i, lock);
  if (e->op == EVENT_WAIT_LEAVE) x->of.data[i] = wait, x->other.data[i] = number;
  *hashmap_at(&x->open, owner_key(e, lock), 0, NULL) = number + 1ull;
}

static void close_section(struct core *x, const struct event *e, uint32_t i, uint64_t lock) {
  uint64_t *open = hashmap_find(&x->open, owner_key(e, lock));
  if (!open || *open == 0) return;
  uint32_t number = (uint32_t)*open - 1;
  x->elements.data[number].last = i;
  if (e->op == EVENT_WAIT_ENTER)
    x->other.data[i] = number;
  else
    x->of.data[i] = number;
  *open = 0;
}

static void enter_wait(struct core *x, const struct event *e, uint32_t i) {
  uint32_t number = add_element(x, CORE_WAIT, i, e->object);
  *hashmap_at(&x->open, hash_pair(1, e->thread), 0, NULL) = number + 1ull;
  if (e->value2) close_section(x, e, i, e->value2);
}

static void leave_wait(struct core *x, const struct event *e, uint32_t i) {
  uint64_t *open = hashmap_find(&x->open, hash_pair(1, e->thread));
  if (open && *open) {
    x->of.data[i] = (uint32_t)*open - 1;
    x->elements.data[*open - 1].last = i;
    *open = 0;
  }
  if (e->value2 && !(e->flags & EVENT_TIMED_OUT)) open_section(x, e, i, e->value2);
}

/* All operations of the object are one. */
static void operate(struct core *x, const struct event *e, uint32_t i, enum core_kind kind) {
  bool is_new = false;
  uint64_t *number = hashmap_at(&x->open, hash_pair(2, e->object), 0, &is_new);
  if (is_new)
    *number = add_element(x, kind, i, e->object);
  else
    x->of.data[i] = (uint32_t)*number;
}

static void take(struct core *x, const struct event *e, uint32_t i) {
  if (e->op == EVENT_READ || e->op == EVENT_RMW) add_element(x, e->object < REUSE_OBJECTS ? CORE_READ : CORE_REUSE, i, e->object);
  if (e->op == EVENT_FREE) add_element(x, CORE_FREE, i, e->object);
  if (e->op == EVENT_TRYFAIL) operate(x, e, i, e->flags & RECORDED_COUNT ? CORE_OBJECT : CORE_TRY);
  if (e->op == EVENT_FORK) add_element(x, CORE_FORK, i, 0);
  if (e->op == EVENT_JOIN) add_element(x, CORE_JOIN, i, 0);
  if (e->op == EVENT_ACQUIRE) open_section(x, e, i, e->object);
  if (e->op == EVENT_RELEASE) close_section(x, e, i, e->object);
  if (e->op == EVENT_WAIT_ENTER) enter_wait(x, e, i);
  if (e->op == EVENT_WAIT_LEAVE) leave_wait(x, e, i);
  if (e->op == EVENT_SEM_POST || e->op == EVENT_SEM_WAIT || e->op == EVENT_BARRIER_ENTER || e->op == EVENT_BARRIER_LEAVE)
    operate(x, e, i, CORE_OBJECT);
}

void core_begin(struct core *x, const struct causal_trace *trace, uint32_t a, uint32_t b) {
  vec_clear(&x->elements);
  vec_clear(&x->of);
  vec_clear(&x->other);
  vec_clear(&x->left);
  hashmap_clear(&x->open);
  x->questions = 0;
  memset(vec_push_n(&x->of, trace->n), 0xff, trace->n * sizeof(uint32_t));
  memset(vec_push_n(&x->other, trace->n), 0xff, trace->n * sizeof(uint32_t));
  for (uint32_t i = 0; i < trace->n; i++)
    if (i != a && i != b) take(x, &trace->events[i], i);
}

/* --- the trace without some of them --- */

/* As long as a lock was tried in vain, its sections are there: somebody has to hold it then. */
static bool has(const struct core *x, uint32_t element, const bool *kept) {
  if (element == CORE_NONE || kept[element]) return true;
  if (x->elements.data[element].kind != CORE_SECTION) return false;
  const uint64_t *tries = hashmap_find(&x->open, hash_pair(2, x->elements.data[element].object));
  return tries && kept[*tries];
}

/* What is left of a wait's end: of the wait, and of the section at that side. */
static bool put_wait(const struct core *x, struct event *e, uint32_t i, const bool *kept) {
  bool wait = has(x, x->of.data[i], kept), section = has(x, x->other.data[i], kept), enters = e->op == EVENT_WAIT_ENTER;
  if (!section) e->value2 = 0;
  if (wait) return true;
  if (!e->value2 || (e->flags & EVENT_TIMED_OUT)) return false;
  *e = (struct event){.op = enters ? EVENT_RELEASE : EVENT_ACQUIRE, .thread = e->thread, .object = e->value2, .size = e->size};
  return true;
}

/* False: the event is left out. */
static bool put(const struct core *x, struct event *e, uint32_t i, const bool *kept) {
  if (e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE) return put_wait(x, e, i, kept);
  if (has(x, x->of.data[i], kept)) return true;
  if (e->op != EVENT_RMW) return false;
  e->op = EVENT_WRITE, e->value = e->value2, e->value2 = 0, e->flags = 0;
  return true;
}

/* What an event needs those behind it in its thread need, too: so the next one that is there takes over what one that is not needs. */
static void carry_needs(struct core *x, const struct causal_trace *trace, uint32_t i) {
  for (uint32_t k = trace->needs->starts[i]; k < trace->needs->starts[i + 1]; k++) {
    uint32_t read = x->places.data[trace->needs->reads[k]];
    bool reads = read != CORE_NONE && (x->events.data[read].op == EVENT_READ || x->events.data[read].op == EVENT_RMW);
    if (reads) *vec_push(&x->carried[trace->events[i].thread]) = read;
  }
}

static struct causal_trace reduced(struct core *x, const struct causal_trace *trace, const bool *kept) {
  uint32_t prefix = 0;
  vec_clear(&x->events), vec_clear(&x->starts), vec_clear(&x->reads), vec_clear(&x->places);
  for (uint32_t i = 0; i < THREADS_MAX; i++) vec_clear(&x->carried[i]);
  for (uint32_t i = 0; i < trace->n; i++) {
    struct event e = trace->events[i];
    bool there = put(x, &e, i, kept);
    uint32_t place = there ? (uint32_t)x->events.count : CORE_NONE;
    *vec_push(&x->places) = place;
    if (there) *vec_push(&x->events) = e; /* a read may be needed by itself */
    carry_needs(x, trace, i);
    if (!there) continue;
    *vec_push(&x->starts) = (uint32_t)x->reads.count;
    for (size_t k = 0; k < x->carried[e.thread].count; k++) *vec_push(&x->reads) = x->carried[e.thread].data[k];
    vec_clear(&x->carried[e.thread]);
    prefix += i < trace->prefix;
  }
  *vec_push(&x->starts) = (uint32_t)x->reads.count;
  x->needs = (struct causal_needs){.starts = x->starts.data, .reads = x->reads.data};
  return (struct causal_trace){.events = x->events.data, .n = (uint32_t)x->events.count, .prefix = prefix, .needs = &x->needs};
}

enum causal_answer core_ask(struct core *x, struct causal *c, const struct causal_trace *trace, uint32_t a, uint32_t b, const bool *kept) {
  struct causal_trace t = reduced(x, trace, kept);
  x->questions++;
  causal_build(c, &t);
  return causal_race(c, x->places.data[a], x->places.data[b]);
}

/* --- deletion --- */

struct deletion {
  struct core *x;
  struct causal *c;
  const struct causal_trace *trace;
  uint32_t a, b;
  uint64_t most;
};

/* Takes `n` of those that are left away, from the `from`-th on, if the pair is none without them either. */
static bool delete (const struct deletion *d, size_t from, size_t n) {
  struct core *x = d->x;
  if (d->most && x->questions >= d->most) return false;
  for (size_t i = from; i < from + n; i++) x->kept.data[x->left.data[i]] = false;
  if (core_ask(x, d->c, d->trace, d->a, d->b, x->kept.data) == CAUSAL_NO) {
    memmove(&x->left.data[from], &x->left.data[from + n], (x->left.count - from - n) * sizeof x->left.data[0]);
    x->left.count -= n;
    return true;
  }
  for (size_t i = from; i < from + n; i++) x->kept.data[x->left.data[i]] = true;
  return false;
}

/* Once through all that is left, by parts of so many. True: something went. */
static bool delete_parts(const struct deletion *d, size_t part) {
  bool any = false;
  for (size_t at = 0; at < d->x->left.count;) {
    size_t n = d->x->left.count - at < part ? d->x->left.count - at : part;
    if (delete (d, at, n))
      any = true;
    else
      at += n;
  }
  return any;
}

/* In the order of kinds, and later ones first: what is near the pair stays. */
static void order_elements(struct core *x) {
  for (enum core_kind kind = CORE_READ; kind <= CORE_FORK; kind++)
    for (size_t i = x->elements.count; i-- > 0;)
      if (x->elements.data[i].kind == kind) *vec_push(&x->left) = (uint32_t)i;
}

static int by_position(const void *a, const void *b, void *data) {
  const struct core *x = data;
  uint32_t p = x->elements.data[*(const uint32_t *)a].first, q = x->elements.data[*(const uint32_t *)b].first;
  return p < q ? -1 : p > q;
}

enum causal_answer core_find(struct core *x, struct causal *c, const struct causal_trace *trace, uint32_t a, uint32_t b, uint64_t most) {
  struct deletion d = {x, c, trace, a, b, most};
  core_begin(x, trace, a, b);
  order_elements(x);
  vec_clear(&x->kept);
  for (size_t i = 0; i < x->elements.count; i++) *vec_push(&x->kept) = true;
  *vec_push(&x->kept) = true; /* never empty */
  enum causal_answer answer = core_ask(x, c, trace, a, b, x->kept.data);
  if (answer != CAUSAL_NO) return answer;
  for (size_t part = x->left.count / 2; part > 1; part /= 2) (void)delete_parts(&d, part);
  while (delete_parts(&d, 1)) continue;
  if (x->left.count) qsort_r(x->left.data, x->left.count, sizeof x->left.data[0], by_position, x);
  return CAUSAL_NO;
}

void core_release(struct core *x) {
  vec_release(&x->elements);
  vec_release(&x->left);
  vec_release(&x->of);
  vec_release(&x->other);
  vec_release(&x->kept);
  vec_release(&x->events);
  vec_release(&x->starts);
  vec_release(&x->reads);
  vec_release(&x->places);
  for (uint32_t i = 0; i < THREADS_MAX; i++) vec_release(&x->carried[i]);
  hashmap_release(&x->open);
}
