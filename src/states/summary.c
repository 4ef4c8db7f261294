#include "states/summary.h"

#include <string.h>

#include "happens/history.h"

/* Does it depend on anything another thread does (event_dependent())? A plain join comes behind the end that it waits for in any case. */
static bool matters(const struct event *e) {
  const uint64_t alone = 1ull << EVENT_NONE | 1ull << EVENT_BEGIN | 1ull << EVENT_FORK | 1ull << EVENT_FENCE | 1ull << EVENT_BARRIER_LEAVE |
                         1ull << EVENT_CHOICE | 1ull << EVENT_ATOMIC | 1ull << EVENT_YIELD;
  if (e->op == EVENT_JOIN) return e->flags & (EVENT_TRY | EVENT_TIMED | EVENT_TIMED_OUT);
  return !(alone >> e->op & 1);
}

/* Did it join a thread that operations can name as joined? */
static bool joins(const struct event *e) { return e->op == EVENT_JOIN && !(e->flags & EVENT_TIMED_OUT) && e->object < 64; }

static void bits_add(struct operation_bits *b, uint32_t i) {
  while (b->words.count <= i / 64) *vec_push(&b->words) = 0;
  b->words.data[i / 64] |= 1ull << i % 64;
}

static void bits_union(struct operation_bits *to, const struct operation_bits *from) {
  while (to->words.count < from->words.count) *vec_push(&to->words) = 0;
  for (size_t i = 0; i < from->words.count; i++) to->words.data[i] |= from->words.data[i];
}

static void file_operation(struct summaries *s, uint32_t id) {
  const struct operation *o = &s->operations.data[id];
  uint32_t thread = operation_thread(o);
  while (s->by_thread.count <= thread) *vec_push(&s->by_thread) = (struct operation_bits){0};
  bits_add(&s->by_thread.data[thread], id);
  if (o->ends) bits_add(&s->ends, id);
  if (o->event.op == EVENT_FLUSH) bits_add(&s->flushes, id);
  *vec_push(&s->related) = (struct operation_relations){0};
}

uint64_t operation_key(const struct operation *o) {
  const struct event *e = &o->event;
  uint64_t what = e->op | (uint64_t)e->flags << 8 | (uint64_t)o->waits << 16 | (uint64_t)o->ends << 17 | (uint64_t)e->thread << 32;
  uint64_t key = hash_pair(what, hash_pair(e->object, e->size));
  if (e->value | e->value2) key = hash_pair(key, hash_pair(e->value, e->value2));
  return o->after ? hash_pair(key, o->after) : key;
}

uint32_t summary_operation(struct summaries *s, const struct operation *o) {
  bool is_new;
  uint32_t id = (uint32_t)*hashmap_at(&s->operation_ids, operation_key(o), s->operations.count, &is_new);
  if (is_new) {
    *vec_push(&s->operations) = *o;
    file_operation(s, id);
  }
  return id;
}

static struct operation operation_of(const struct event *e, bool waits) {
  bool mutex = e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE, round = e->op == EVENT_BARRIER_ENTER;
  bool flush = e->op == EVENT_FLUSH; /* which of its thread's stores to these bytes does not matter */
  struct operation o = {.waits = waits, .event.thread = e->thread};
  o.event.op = e->op, o.event.flags = e->flags & (uint8_t)~EVENT_INTERNAL;
  o.event.object = e->object, o.event.size = e->size;
  bool second = mutex || event_is_invocation(e);
  o.event.value = round ? e->value : 0, o.event.value2 = second ? e->value2 : flush ? flush_value2(flush_thread(e), 0) : 0;
  return o;
}

/* The interned set of the words in scratch. */
static uint32_t intern(struct summaries *s) {
  size_t n = s->scratch.count;
  if (s->sets.count == 0) *vec_push(&s->sets) = (struct summary_set){0, 0};
  while (n > 0 && s->scratch.data[n - 1] == 0) n--;
  if (n == 0) return 0;
  for (uint64_t key = hash_bytes(s->scratch.data, n * sizeof(uint64_t), n);; key = hash_mix(key)) {
    bool is_new;
    uint32_t id = (uint32_t)*hashmap_at(&s->sets_by_hash, key, s->sets.count, &is_new);
    if (is_new) {
      *vec_push(&s->sets) = (struct summary_set){s->words.count, (uint32_t)n};
      memcpy(vec_push_n(&s->words, n), s->scratch.data, n * sizeof(uint64_t));
      return id;
    }
    const struct summary_set *set = &s->sets.data[id];
    if (set->words == n && memcmp(s->words.data + set->first, s->scratch.data, n * sizeof(uint64_t)) == 0) return id;
  }
}

static uint32_t single(struct summaries *s, uint32_t operation) {
  while (s->single.count <= operation) {
    uint32_t i = (uint32_t)s->single.count;
    vec_clear(&s->scratch);
    memset(vec_push_n(&s->scratch, i / 64 + 1), 0, (i / 64 + 1) * sizeof(uint64_t));
    s->scratch.data[i / 64] = 1ull << i % 64;
    *vec_push(&s->single) = intern(s);
  }
  return s->single.data[operation];
}

uint32_t summary_of_operations(struct summaries *s, const uint64_t *words, size_t n) {
  vec_clear(&s->scratch);
  if (n) memcpy(vec_push_n(&s->scratch, n), words, n * sizeof *words);
  return intern(s);
}

uint32_t summary_union(struct summaries *s, uint32_t a, uint32_t b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  if (a > b) {
    uint32_t swap = a;
    a = b, b = swap;
  }
  uint64_t key = (uint64_t)a << 32 | b, *known = hashmap_find(&s->unions, key);
  if (known) return (uint32_t)*known;
  struct summary_set x = s->sets.data[a], y = s->sets.data[b];
  uint32_t n = x.words > y.words ? x.words : y.words;
  vec_clear(&s->scratch);
  uint64_t *to = vec_push_n(&s->scratch, n);
  for (uint32_t i = 0; i < n; i++) {
    to[i] = (i < x.words ? s->words.data[x.first + i] : 0) | (i < y.words ? s->words.data[y.first + i] : 0);
  }
  uint32_t both = intern(s);
  hashmap_at(&s->unions, key, both, NULL);
  return both;
}

uint32_t summary_of_step(struct summaries *s, const struct event *events, uint32_t n, bool ends) {
  uint32_t set = 0;
  if (s->sets.count == 0) *vec_push(&s->sets) = (struct summary_set){0, 0};
  for (uint32_t i = 0; i < n; i++) {
    if (!matters(&events[i])) continue;
    struct operation o = operation_of(&events[i], history_may_wait(&events[0]));
    set = summary_union(s, set, single(s, summary_operation(s, &o)));
  }
  if (!ends) return set;
  struct operation end = {.ends = true, .event.thread = events->thread};
  for (uint32_t i = 0; i < n; i++) {
    if (joins(&events[i])) end.after |= 1ull << events[i].object; /* and then it ended */
  }
  return summary_union(s, set, single(s, summary_operation(s, &end)));
}

/* `thread` joins `other` before all that. */
static uint32_t behind_join(struct summaries *s, uint32_t set, uint32_t thread, uint32_t other) {
  uint64_t key = (uint64_t)set << 32 | thread << 8 | other, *known = hashmap_find(&s->moves, key);
  if (known) return (uint32_t)*known;
  VEC(uint64_t) words = {0};
  for (uint32_t i = summary_next(s, set, 0); i != UINT32_MAX; i = summary_next(s, set, i + 1)) {
    struct operation o = s->operations.data[i];
    if (operation_thread(&o) == thread)
      o.after |= 1ull << other; /* a join waits for the buffer to be empty: stores flushed later come later */
    uint32_t id = summary_operation(s, &o);
    while (words.count <= id / 64) *vec_push(&words) = 0;
    words.data[id / 64] |= 1ull << id % 64;
  }
  vec_clear(&s->scratch);
  if (words.count) memcpy(vec_push_n(&s->scratch, words.count), words.data, words.count * sizeof(uint64_t));
  uint32_t moved = intern(s);
  vec_release(&words);
  hashmap_at(&s->moves, key, moved, NULL);
  return moved;
}

uint32_t summary_without(struct summaries *s, uint32_t set, uint32_t thread) {
  uint64_t key = (uint64_t)set << 32 | 1u << 16 | thread, *known = hashmap_find(&s->moves, key);
  if (known) return (uint32_t)*known;
  const struct summary_set x = s->sets.data[set];
  vec_clear(&s->scratch);
  uint64_t *to = vec_push_n(&s->scratch, x.words);
  for (uint32_t i = 0; i < x.words; i++) to[i] = s->words.data[x.first + i];
  if (thread < s->by_thread.count) {
    const struct operation_bits *own = &s->by_thread.data[thread];
    for (uint32_t i = 0; i < x.words && i < own->words.count; i++) to[i] &= ~own->words.data[i];
  }
  uint32_t rest = intern(s);
  hashmap_at(&s->moves, key, rest, NULL);
  return rest;
}

uint32_t summary_before(struct summaries *s, uint32_t set, const struct event *events, uint32_t n) {
  for (uint32_t i = n; i-- > 0;) {
    if (joins(&events[i])) set = behind_join(s, set, events[i].thread, (uint32_t)events[i].object);
  }
  return set;
}

uint32_t summary_next(const struct summaries *s, uint32_t set, uint32_t from) {
  const struct summary_set *x = &s->sets.data[set];
  for (uint32_t w = from / 64; w < x->words; w++) {
    uint64_t word = s->words.data[x->first + w];
    if (w == from / 64) word &= ~0ull << from % 64;
    if (word) return w * 64 + (uint32_t)__builtin_ctzll(word);
  }
  return UINT32_MAX;
}

uint32_t summary_next_of(const struct summaries *s, uint32_t set, uint32_t from, const struct operation_bits *filter) {
  const struct summary_set *x = &s->sets.data[set];
  for (uint32_t w = from / 64; w < x->words && w < filter->words.count; w++) {
    uint64_t word = s->words.data[x->first + w] & filter->words.data[w];
    if (w == from / 64) word &= ~0ull << from % 64;
    if (word) return w * 64 + (uint32_t)__builtin_ctzll(word);
  }
  return UINT32_MAX;
}

/* --- what matters to whom --- */

static const struct operation_bits *dependent_on(struct summaries *s, uint32_t operation) {
  struct operation_relations *r = &s->related.data[operation];
  const struct operation *o = &s->operations.data[operation];
  for (; r->known < s->operations.count; r->known++) {
    const struct operation *p = &s->operations.data[r->known];
    if (!o->ends && !p->ends && p->event.thread != o->event.thread && event_dependent(&o->event, &p->event))
      bits_add(&r->dependent, r->known);
  }
  return &r->dependent;
}

void operation_bits_and(struct operation_bits *to, const struct operation_bits *with) {
  for (size_t i = 0; i < to->words.count; i++) to->words.data[i] &= i < with->words.count ? with->words.data[i] : 0;
}

void summary_add_dependent(struct summaries *s, uint32_t set, struct operation_bits *to) {
  for (uint32_t i = summary_next(s, set, 0); i != UINT32_MAX; i = summary_next(s, set, i + 1)) bits_union(to, dependent_on(s, i));
}

void summary_add_thread(const struct summaries *s, uint32_t thread, struct operation_bits *to) {
  if (thread < s->by_thread.count) bits_union(to, &s->by_thread.data[thread]);
}

static bool comes_after(const struct operation *o, uint32_t thread) { return thread < 64 && (o->after >> thread & 1); }

static struct tset meet(struct summaries *s, uint32_t set, uint32_t made, uint32_t thread) {
  struct tset threads = {0};
  for (uint32_t k = summary_next_of(s, set, 0, &s->ends); k != UINT32_MAX; k = summary_next_of(s, set, k + 1, &s->ends)) {
    const struct operation *o = &s->operations.data[k];
    if (o->event.thread != thread && !comes_after(o, thread)) tset_add(&threads, o->event.thread);
  }
  for (uint32_t i = summary_next(s, made, 0); i != UINT32_MAX; i = summary_next(s, made, i + 1)) {
    const struct operation_bits *dependent = dependent_on(s, i);
    const struct event *e = &s->operations.data[i].event;
    for (uint32_t k = summary_next_of(s, set, 0, dependent); k != UINT32_MAX; k = summary_next_of(s, set, k + 1, dependent)) {
      const struct operation *o = &s->operations.data[k];
      bool never = o->waits && history_reversal_below(e, &o->event) == REVERSAL_NO;
      if (o->event.op != EVENT_FLUSH && !never && !comes_after(o, thread)) tset_add(&threads, o->event.thread);
    }
  }
  return threads;
}

const struct tset *summary_meets(struct summaries *s, uint32_t set, uint32_t made, uint32_t thread) {
  bool is_new;
  uint64_t key = hash_pair((uint64_t)set << 32 | made, thread);
  size_t i = *hashmap_at(&s->meetings, key, s->met.count, &is_new);
  if (is_new) {
    struct tset threads = meet(s, set, made, thread);
    *vec_push(&s->met) = threads;
  }
  return &s->met.data[i];
}

void summary_add_ends(const struct summaries *s, struct operation_bits *to) { bits_union(to, &s->ends); }

/* --- sweeps --- */

static size_t map_size(const struct hashmap *m) { return m->cap * (2 * sizeof(uint64_t) + 1); }

size_t summaries_size(const struct summaries *s) {
  return s->words.cap * sizeof *s->words.data + s->sets.cap * sizeof *s->sets.data + map_size(&s->sets_by_hash) + map_size(&s->unions) +
         map_size(&s->moves) + map_size(&s->meetings) + s->met.cap * sizeof *s->met.data;
}

#define NOT_NEEDED UINT32_MAX

static void mark(struct summaries *s, uint32_t *set) { s->moved.data[*set] = 0; }

static void rename_set(struct summaries *s, uint32_t *set) { *set = s->moved.data[*set]; }

void summaries_sweep(struct summaries *s, void (*each)(void *owner, summaries_visit *visit), void *owner) {
  struct summaries old = *s;
  if (old.sets.count == 0) return;
  vec_clear(&s->moved);
  for (size_t i = 0; i < old.sets.count; i++) *vec_push(&s->moved) = i ? NOT_NEEDED : 0;
  each(owner, mark);
  s->sets.data = NULL, s->sets.count = s->sets.cap = 0;
  s->words.data = NULL, s->words.count = s->words.cap = 0;
  vec_clear(&s->single);
  hashmap_release(&s->sets_by_hash);
  hashmap_release(&s->unions);
  hashmap_release(&s->moves);
  hashmap_release(&s->meetings);
  vec_release(&s->met);
  for (size_t i = 0; i < old.sets.count; i++) {
    if (s->moved.data[i] == NOT_NEEDED) continue;
    const struct summary_set *set = &old.sets.data[i];
    vec_clear(&s->scratch);
    if (set->words) memcpy(vec_push_n(&s->scratch, set->words), old.words.data + set->first, set->words * sizeof(uint64_t));
    s->moved.data[i] = intern(s);
  }
  vec_release(&old.sets);
  vec_release(&old.words);
  each(owner, rename_set);
}

static void forget_relations(struct summaries *s) {
  for (size_t i = 0; i < s->related.count; i++) vec_release(&s->related.data[i].dependent.words);
  for (size_t i = 0; i < s->by_thread.count; i++) vec_release(&s->by_thread.data[i].words);
  vec_clear(&s->related);
  vec_clear(&s->by_thread);
  vec_clear(&s->ends.words);
  vec_clear(&s->flushes.words);
}

void summaries_clear(struct summaries *s) {
  forget_relations(s);
  vec_clear(&s->operations);
  vec_clear(&s->sets);
  vec_clear(&s->words);
  vec_clear(&s->single);
  hashmap_clear(&s->operation_ids);
  hashmap_clear(&s->sets_by_hash);
  hashmap_clear(&s->unions);
  hashmap_clear(&s->moves);
  hashmap_clear(&s->meetings);
  vec_clear(&s->met);
}

void summaries_release(struct summaries *s) {
  forget_relations(s);
  vec_release(&s->related);
  vec_release(&s->by_thread);
  vec_release(&s->ends.words);
  vec_release(&s->flushes.words);
  vec_release(&s->operations);
  vec_release(&s->sets);
  vec_release(&s->words);
  vec_release(&s->single);
  vec_release(&s->scratch);
  vec_release(&s->moved);
  hashmap_release(&s->operation_ids);
  hashmap_release(&s->sets_by_hash);
  hashmap_release(&s->unions);
  hashmap_release(&s->moves);
  hashmap_release(&s->meetings);
  vec_release(&s->met);
}
