#include "predict/recorded/memory/reuse.h"

#include <stdlib.h>

#include "predict/recorded/memory/lives.h"
#include "predict/recorded/memory/pointers.h"
#include "predict/recorded/owners.h"

#define NONE    RECORDED_NONE
#define GRANULE 16u
#define SMALL   (1u << 14)
#define BEFORE  4u    /* lives of a granule before one */
#define WIDE    4096u /* bytes of a read that are looked through */
#define ADDRESS ((1ull << LIVES_SHIFT) - 1)

static bool is_large(const struct reuse_life *l) { return l->to - l->from > SMALL; }
static uint64_t first_granule(const struct reuse_life *l) { return l->from / GRANULE; }
static uint64_t last_granule(const struct reuse_life *l) { return (l->to - 1) / GRANULE; }

/* --- lives --- */

/* A mapping is over where memory begins that has some of its bytes: who gives one back begins it anew. */
static void end_mapping(struct reuse *r, uint32_t life, const struct reuse_life *next) {
  struct reuse_life *l = &r->lives.data[life];
  if (l->begin != NONE && l->end == NONE && l->over == l->begin && l->from < next->to && next->from < l->to) l->over = next->begin;
}

static void end_mappings(struct reuse *r, const struct reuse_life *next) {
  const uint64_t *node = next->begin == NONE ? NULL : hashmap_find(&r->granules, next->from / GRANULE);
  if (node) end_mapping(r, r->nodes.data[*node].life, next);
  for (size_t i = 0; i < r->large.count && next->begin != NONE; i++) end_mapping(r, r->large.data[i], next);
}

static uint32_t add_life(struct reuse *r, const struct event *e, uint32_t begin, uint32_t end) {
  uint32_t life = (uint32_t)r->lives.count;
  uint64_t from = e->object & ADDRESS;
  end_mappings(r, &(struct reuse_life){from, from + e->size, begin, end, 0});
  struct reuse_life *l = vec_push(&r->lives);
  *l = (struct reuse_life){from, from + e->size, begin, end, end != NONE ? end : begin};
  if (is_large(l)) {
    *vec_push(&r->large) = life;
    return life;
  }
  for (uint64_t granule = first_granule(l); granule <= last_granule(l); granule++) {
    uint64_t *at = hashmap_at(&r->granules, granule, NONE, NULL);
    *vec_push(&r->nodes) = (struct reuse_node){life, (uint32_t)*at};
    *at = r->nodes.count - 1;
  }
  return life;
}

static bool is_there(const struct reuse_life *l, uint64_t address, uint32_t position) {
  return address >= l->from && address < l->to && (l->begin == NONE || l->begin < position);
}

/* The last life that had begun there by then; NONE: it is not known. */
static uint32_t life_at(const struct reuse *r, uint64_t address, uint32_t position) {
  const uint64_t *node = hashmap_find(&r->granules, address / GRANULE);
  uint32_t found = NONE;
  for (uint32_t i = node ? (uint32_t)*node : NONE; i != NONE && found == NONE; i = r->nodes.data[i].before)
    if (is_there(&r->lives.data[r->nodes.data[i].life], address, position)) found = r->nodes.data[i].life;
  for (size_t i = r->large.count; i-- > 0;) {
    uint32_t life = r->large.data[i];
    if (is_there(&r->lives.data[life], address, position) && (found == NONE || life > found)) return life;
  }
  return found;
}

/* Of an access: lives of the window have numbers. */
static uint32_t life_of(const struct reuse *r, const struct event *e) {
  uint64_t number = e->object >> (LIVES_SHIFT + 1);
  if (e->object >= RECORDED_ORDERS) return NONE;
  return number ? r->numbers.data[number - 1] : life_at(r, e->object, 0);
}

static bool begins(const struct event *e) { return e->op == EVENT_ALLOC && e->size; }
static bool ends(const struct event *e) { return e->op == EVENT_FREE && e->size; }

/* A thread's first block is its stack: `last` has the event before, `made` the stack's life plus 1. */
static void note_stack(struct reuse *r, const struct event *window, uint32_t i) {
  const struct event *e = &window[i];
  uint64_t *last = hashmap_at(&r->last, e->thread, NONE, NULL), *stack = hashmap_at(&r->made, e->thread, 0, NULL);
  if (begins(e) && *last != NONE && window[*last].op == EVENT_BEGIN) *stack = r->lives.count;
  if (e->op == EVENT_END && *stack && *last != NONE) r->lives.data[*stack - 1].over = (uint32_t)*last;
  *last = i;
}

static void find_lives(struct reuse *r, const struct event *window, uint32_t n) {
  vec_clear(&r->lives), vec_clear(&r->nodes), vec_clear(&r->large), vec_clear(&r->numbers);
  hashmap_clear(&r->granules), hashmap_clear(&r->last), hashmap_clear(&r->made);
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &window[i];
    if (begins(e)) *vec_push(&r->numbers) = add_life(r, e, i, NONE);
    note_stack(r, window, i);
    if (!ends(e)) continue;
    uint32_t life = life_of(r, e);
    if (life == NONE)
      (void)add_life(r, e, NONE, i);
    else if (r->lives.data[life].end == NONE && r->lives.data[life].from == (e->object & ADDRESS))
      r->lives.data[life].end = r->lives.data[life].over = i;
  }
  hashmap_clear(&r->made);
}

/* Does a thread allocate behind another one's free (`all`: or end, or allocation: a mapping has no other end)? Else each block has ended
 * before the next one begins in all orders. */
static bool may_matter(const struct event *window, uint32_t n, bool all) {
  uint32_t by = NONE; /* whose these were */
  bool several = false;
  for (uint32_t i = 0; i < n; i++) {
    if (begins(&window[i]) && by != NONE && (several || window[i].thread != by)) return true;
    if (!ends(&window[i]) && !(all && (begins(&window[i]) || window[i].op == EVENT_END))) continue;
    several |= by != NONE && by != window[i].thread;
    by = window[i].thread;
  }
  return false;
}

/* --- who has pointers to them --- */

/* From that position on, or an earlier one. `kept`: it is known to have the pointer somewhere; else it had it at some time. */
static void see_kept(struct reuse *r, uint32_t thread, uint32_t life, uint32_t position, bool kept) {
  bool is_new = false;
  if (life == NONE) return;
  uint64_t *at = hashmap_at(&r->seen, (uint64_t)thread << 32 | life, r->sights.count, &is_new);
  if (is_new) *vec_push(&r->sights) = (struct reuse_sight){thread, life, position, kept};
  struct reuse_sight *s = &r->sights.data[*at];
  if (position < s->position) s->position = position;
  s->kept |= kept;
}
static void see(struct reuse *r, uint32_t thread, uint32_t life, uint32_t position) { see_kept(r, thread, life, position, true); }

/* Nobody knows from where it has the pointer: its creator, or a read whose value is not known, of which the first one counts; if there is
 * none, the pointer is new. */
static void use(struct reuse *r, uint32_t thread, uint32_t life, uint32_t position) {
  if (life == NONE || hashmap_find(&r->seen, (uint64_t)thread << 32 | life)) return;
  uint32_t begin = r->lives.data[life].begin;
  for (size_t i = 0; i < r->told.count && begin != NONE; i++)
    if (r->told.data[i].thread == thread && r->told.data[i].position > begin && r->told.data[i].position < position)
      position = r->told.data[i].position;
  see(r, thread, life, begin == NONE ? 0 : position);
}

/* The address that a value may be, whatever its highest bits hold besides; 0: it is none. */
static uint64_t address_of(const struct event *e, uint64_t value) {
  return e->size == 8 && pointers_may_be(value & ADDRESS) ? value & ADDRESS : 0;
}

/* The life of the pointer that memory holds, which is read as `value`, or as it was before the window. */
static uint32_t life_read(const struct reuse *r, uint64_t object, uint64_t value, uint32_t position) {
  const uint64_t *there = hashmap_find(&r->written, object);
  uint32_t life = there ? (uint32_t)*there : life_at(r, value, 0);
  bool same = life != NONE && value >= r->lives.data[life].from && value < r->lives.data[life].to;
  return same ? life : life_at(r, value, position);
}

/* Reads of more than eight bytes have no values: all pointers that are there may be what is compared. */
static void read_words(struct reuse *r, struct recorded_state *state, const struct event *e, uint32_t i) {
  for (uint64_t at = (e->object + 7) & ~7ull, end = e->object + e->size; at + 8 <= end && at - e->object < WIDE; at += 8) {
    const uint64_t *there = hashmap_find(&r->written, at);
    struct contents_word w = there ? (struct contents_word){0} : contents_read(&state->memory, at, 8);
    see(r, e->thread, there ? (uint32_t)*there : w.known == 0xff ? life_at(r, w.value, 0) : NONE, i + 1);
  }
}

static void access(struct reuse *r, const struct event *e, uint32_t i) {
  bool reads = e->op == EVENT_READ || e->op == EVENT_RMW, writes = e->op == EVENT_WRITE || e->op == EVENT_RMW;
  uint64_t read = address_of(e, e->value), written = address_of(e, e->op == EVENT_RMW ? e->value2 : e->value);
  use(r, e->thread, life_of(r, e), i);
  if (reads && read) see(r, e->thread, life_read(r, e->object, read, i), i + 1);
  if (!writes || e->size != 8) return;
  uint32_t life = written ? life_at(r, written, i) : NONE;
  *hashmap_at(&r->written, e->object, 0, NULL) = life;
  use(r, e->thread, life, i);
}

/* Who waits for a thread's end may be told what that one has. */
static void hand_over(struct reuse *r, const struct event *join, uint32_t i) {
  for (size_t k = 0, n = r->sights.count; k < n; k++) {
    struct reuse_sight s = r->sights.data[k];
    if (s.thread == join->object) see_kept(r, join->thread, s.life, i + 1, false);
  }
}

/* Each thread may have pointers to all that was there before the window. */
static void see_all(struct reuse *r, const struct event *window, uint32_t n, bool kept) {
  hashmap_clear(&r->last);
  for (uint32_t i = 0; i < n; i++) {
    bool is_new = false;
    hashmap_at(&r->last, window[i].thread, 0, &is_new);
    for (uint32_t life = 0; life < r->lives.count && is_new; life++)
      if (r->lives.data[life].begin == NONE) see_kept(r, window[i].thread, life, 0, kept);
  }
}

static void find_sights(struct reuse *r, struct recorded_state *state, const struct event *window, uint32_t n) {
  vec_clear(&r->sights), vec_clear(&r->told);
  hashmap_clear(&r->seen), hashmap_clear(&r->written);
  if (state->events) see_all(r, window, n, false);
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &window[i];
    if (begins(e)) see_kept(r, e->thread, life_at(r, e->object, i + 1), i + 1, false);
    if (e->op == EVENT_FORK) see(r, (uint32_t)e->object, life_at(r, e->value, i), 0);
    if (recorded_is_access(e) && e->object < RECORDED_ORDERS) access(r, e, i);
    bool unknown = (e->op == EVENT_READ || e->op == EVENT_RMW) && (e->size > 8 || (e->flags & RECORDED_NO_VALUE));
    if (unknown && e->size > 8) read_words(r, state, e, i);
    if (unknown) *vec_push(&r->told) = (struct reuse_sight){e->thread, NONE, i + 1, true};
    if (e->op == EVENT_FORK) *vec_push(&r->told) = (struct reuse_sight){(uint32_t)e->object, NONE, i + 1, true};
    if (e->op >= EVENT_ACQUIRE && e->op <= EVENT_SEM_WAIT) use(r, e->thread, life_of(r, e), i);
  }
  for (uint32_t i = 0; i < n; i++) { /* last: what a thread is told says nothing of when it had that before */
    const struct event *e = &window[i];
    if (e->op == EVENT_JOIN && !(e->flags & EVENT_TIMED_OUT)) hand_over(r, e, i);
  }
}

static void knows(void *data, uint32_t thread, uint32_t block, uint32_t position) { see(data, thread, block, position); }

/* All that may know of them. */
static void find_knowers(struct reuse *r, const struct event *window, uint32_t n) {
  vec_clear(&r->sights), vec_clear(&r->blocks);
  hashmap_clear(&r->seen);
  see_all(r, window, n, true);
  for (uint32_t life = 0; life < r->lives.count; life++)
    if (r->lives.data[life].begin != NONE) *vec_push(&r->blocks) = (struct flow_block){life, r->lives.data[life].begin};
  flow_find(&r->flow, window, n, r->blocks.data, (uint32_t)r->blocks.count, knows, r);
}

/* --- what they tell --- */

static void add_event(struct reuse *r, uint32_t position, uint32_t pair, enum reuse_kind kind) {
  *vec_push(&r->events) = (struct reuse_event){position, pair, kind};
}

static uint32_t pair_of(struct reuse *r, uint32_t earlier, uint32_t later) {
  bool is_new = false;
  uint32_t pair = (uint32_t)*hashmap_at(&r->made, (uint64_t)earlier << 32 | later, r->pairs.count, &is_new);
  if (!is_new) return pair;
  *vec_push(&r->pairs) = (struct reuse_pair){earlier, later};
  add_event(r, r->cautious ? r->lives.data[earlier].over : r->lives.data[earlier].end, pair, REUSE_END);
  add_event(r, r->lives.data[later].begin, pair, REUSE_BEGIN);
  return pair;
}

/* The thread has had pointers to both from then on. */
static void tell_apart(struct reuse *r, const struct event *window, const struct reuse_sight *a, const struct reuse_sight *b) {
  const struct reuse_life *earlier = &r->lives.data[a->life], *later = &r->lives.data[b->life];
  uint32_t end = r->cautious ? earlier->over : earlier->end;
  if (later->begin == NONE || end == NONE || end > later->begin) return;
  if (window[end].thread == window[later->begin].thread) return;
  if (!a->kept && window[later->begin].thread == b->thread) return; /* it has given the one away, and gets another one */
  uint32_t from = a->position > b->position ? a->position : b->position;
  const uint64_t *next = hashmap_find(&r->next, (uint64_t)a->thread << 32 | from);
  if (next) add_event(r, (uint32_t)*next, pair_of(r, a->life, b->life), REUSE_READ);
}

static bool overlap(const struct reuse_life *a, const struct reuse_life *b) { return a->from < b->to && b->from < a->to; }

/* The lives of one thread's sights [from, to), in their order: each is told apart from the last one before it at each of its granules. Of
 * those before that one is known what the pairs between say. */
static void find_pairs(struct reuse *r, const struct event *window, size_t from, size_t to) {
  hashmap_clear(&r->last);
  for (size_t i = from; i < to; i++) {
    const struct reuse_sight *s = &r->sights.data[i];
    const struct reuse_life *l = &r->lives.data[s->life];
    for (size_t k = from; k < i && r->large.count; k++) {
      const struct reuse_life *before = &r->lives.data[r->sights.data[k].life];
      if ((is_large(l) || is_large(before)) && overlap(before, l)) tell_apart(r, window, &r->sights.data[k], s);
    }
    for (uint64_t granule = first_granule(l), told = to; !is_large(l) && granule <= last_granule(l); granule++) {
      uint64_t *last = hashmap_at(&r->last, granule, to, NULL);
      if (*last != to && *last != told) tell_apart(r, window, &r->sights.data[*last], s);
      told = *last;
      if (l->end != NONE || r->cautious) *last = i;
    }
  }
}

static int by_thread(const void *a, const void *b) {
  const struct reuse_sight *p = a, *q = b;
  if (p->thread != q->thread) return p->thread < q->thread ? -1 : 1;
  return p->life < q->life ? -1 : p->life > q->life;
}
static int by_position(const void *a, const void *b) {
  const struct reuse_event *p = a, *q = b;
  if (p->position != q->position) return p->position < q->position ? -1 : 1;
  if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
  return p->pair < q->pair ? -1 : p->pair > q->pair;
}
static int by_last_position(const void *a, const void *b) {
  const struct reuse_sight *p = a, *q = b;
  return p->position > q->position ? -1 : p->position < q->position;
}

/* The thread's first event at each sight's position, or behind it. */
static void find_next(struct reuse *r, const struct event *window, uint32_t n) {
  hashmap_clear(&r->next), hashmap_clear(&r->last);
  qsort(r->sights.data, r->sights.count, sizeof r->sights.data[0], by_last_position);
  uint32_t i = n;
  for (size_t k = 0; k < r->sights.count; k++) {
    const struct reuse_sight *s = &r->sights.data[k];
    while (i > s->position) i--, *hashmap_at(&r->last, window[i].thread, 0, NULL) = i;
    const uint64_t *next = hashmap_find(&r->last, s->thread);
    if (next) *hashmap_at(&r->next, (uint64_t)s->thread << 32 | s->position, 0, NULL) = *next;
  }
}

void reuse_find(struct reuse *r, struct recorded_state *state, const struct event *window, uint32_t n, bool cautious) {
  vec_clear(&r->events), vec_clear(&r->pairs), vec_clear(&r->lives);
  r->cautious = cautious;
  if (!may_matter(window, n, true)) return;
  hashmap_clear(&r->made);
  find_lives(r, window, n);
  if (!cautious && !may_matter(window, n, false)) return;
  if (cautious)
    find_knowers(r, window, n);
  else
    find_sights(r, state, window, n);
  if (r->sights.count == 0) return;
  find_next(r, window, n);
  qsort(r->sights.data, r->sights.count, sizeof r->sights.data[0], by_thread);
  for (size_t from = 0, to; from < r->sights.count; from = to) {
    for (to = from; to < r->sights.count && r->sights.data[to].thread == r->sights.data[from].thread;) to++;
    find_pairs(r, window, from, to);
  }
  if (r->events.count) qsort(r->events.data, r->events.count, sizeof r->events.data[0], by_position);
}

static bool is_reversed(const struct reuse *r, uint32_t earlier, uint32_t later, const uint32_t *order) {
  uint32_t end = r->lives.data[earlier].over, begin = r->lives.data[later].begin;
  if (end == NONE || begin == NONE || end > begin || order[begin] == NONE) return false;
  return order[end] == NONE || order[end] > order[begin];
}

bool reuse_is_reversed(const struct reuse *r, const uint32_t *order) {
  if (r->lives.count == 0) return false; /* none that matter: the others stay */
  for (size_t i = 0; i < r->nodes.count; i++) {
    const struct reuse_node *node = &r->nodes.data[i];
    for (uint32_t k = 0, b = node->before; k < BEFORE && b != NONE; k++, b = r->nodes.data[b].before)
      if (is_reversed(r, r->nodes.data[b].life, node->life, order)) return true;
  }
  for (size_t i = 0; i < r->large.count; i++) {
    uint32_t large = r->large.data[i];
    for (uint32_t life = 0; life < r->lives.count; life++) {
      if (!overlap(&r->lives.data[large], &r->lives.data[life])) continue;
      if (is_reversed(r, life, large, order) || is_reversed(r, large, life, order)) return true;
    }
  }
  return false;
}

void reuse_release(struct reuse *r) {
  flow_release(&r->flow);
  vec_release(&r->blocks);
  vec_release(&r->events);
  vec_release(&r->pairs);
  vec_release(&r->lives);
  vec_release(&r->nodes);
  vec_release(&r->large);
  vec_release(&r->numbers);
  vec_release(&r->sights);
  vec_release(&r->told);
  hashmap_release(&r->granules);
  hashmap_release(&r->last);
  hashmap_release(&r->written);
  hashmap_release(&r->seen);
  hashmap_release(&r->made);
  hashmap_release(&r->next);
}
