#include "objects/history.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"
#include "objects/internal.h"

/* One way to explain the results. */
struct explanation {
  uint32_t node;
  uint64_t results[SCENARIO_THREADS]; /* of pending operations that are done in it; else 0 */
};

struct state {
  uint8_t ended[SCENARIO_THREADS];
  uint8_t pending;       /* bit set of threads */
  uint32_t first, count; /* explanations */
};

struct history {
  const struct scenario *scenario;
  const struct sequential *sequential;
  VEC(struct explanation) explanations; /* of all states */
  VEC(struct state) states;             /* number 0: HISTORY_BEGIN */
  struct hashmap known;                 /* a state's number for others -> index */
  struct hashmap after;                 /* state and what happens -> the number of the next one */
  VEC(struct explanation) next;         /* of the state that is being made */
};

static const struct sequential_node *node_of(const struct history *h, uint32_t node) { return &h->sequential->nodes.data[node]; }

struct history *history_new(const struct scenario *scenario, const struct sequential *sequential) {
  struct history *h = mem_alloc(sizeof *h);
  *h = (struct history){.scenario = scenario, .sequential = sequential};
  *vec_push(&h->explanations) = (struct explanation){.node = sequential->root};
  *vec_push(&h->states) = (struct state){.count = 1};
  hashmap_at(&h->known, HISTORY_BEGIN, 0, NULL);
  return h;
}

void history_free(struct history *h) {
  if (!h) return;
  vec_release(&h->explanations);
  vec_release(&h->states);
  vec_release(&h->next);
  hashmap_release(&h->known);
  hashmap_release(&h->after);
  mem_free(h, sizeof *h);
}

const struct scenario *history_scenario(const struct history *h) { return h->scenario; }
const struct sequential *history_sequential(const struct history *h) { return h->sequential; }

/* --- states --- */

static uint64_t hash_explanation(const struct explanation *e) {
  uint64_t x = e->node;
  for (uint32_t t = 0; t < SCENARIO_THREADS; t++) x = hash_pair(x, e->results[t]);
  return x;
}

static bool is_same(const struct explanation *a, const struct explanation *b) {
  return a->node == b->node && memcmp(a->results, b->results, sizeof a->results) == 0;
}

static void add(struct history *h, const struct explanation *e) {
  for (size_t i = 0; i < h->next.count; i++)
    if (is_same(&h->next.data[i], e)) return;
  *vec_push(&h->next) = *e;
}

/* The number of the state with what is in `next`. Sets of explanations have no order. */
static uint64_t settle(struct history *h, struct state *s) {
  uint64_t sum = 0, hash = s->pending;
  if (h->next.count == 0) return HISTORY_WRONG;
  for (size_t i = 0; i < h->next.count; i++) sum += hash_explanation(&h->next.data[i]);
  for (uint32_t t = 0; t < SCENARIO_THREADS; t++) hash = hash_pair(hash, s->ended[t]);
  hash = hash_pair(hash, sum) | 2;
  bool is_new;
  hashmap_at(&h->known, hash, h->states.count, &is_new);
  if (!is_new) return hash;
  s->first = (uint32_t)h->explanations.count, s->count = (uint32_t)h->next.count;
  for (size_t i = 0; i < h->next.count; i++) *vec_push(&h->explanations) = h->next.data[i];
  *vec_push(&h->states) = *s;
  return hash;
}

static bool find(const struct history *h, uint64_t number, struct state *to) {
  const uint64_t *at = number == HISTORY_WRONG ? NULL : hashmap_find(&h->known, number);
  if (at) *to = h->states.data[*at];
  return at != NULL;
}

static bool is_done(const struct history *h, const struct state *s, const struct explanation *e, uint32_t thread) {
  return node_of(h, e->node)->done[thread] > s->ended[thread];
}

/* --- what happens --- */

uint64_t history_begins(struct history *h, uint64_t number, uint32_t thread) {
  struct state s;
  if (!find(h, number, &s)) return HISTORY_WRONG;
  vec_clear(&h->next);
  for (uint32_t i = 0; i < s.count; i++) add(h, &h->explanations.data[s.first + i]);
  s.pending |= (uint8_t)(1u << thread);
  return settle(h, &s);
}

/* The thread's pending operation takes effect. False: it blocks there. */
static bool takes_effect(const struct history *h, struct explanation *e, uint32_t thread) {
  const struct sequential_node *n = node_of(h, e->node);
  if (n->next[thread] == SEQUENTIAL_NONE) return false;
  e->results[thread] = n->result[thread];
  e->node = n->next[thread];
  return true;
}

/* Pending operations take effect, in all orders, until that of `thread` does. */
static void explain(struct history *h, const struct state *s, const struct explanation *from, uint32_t thread, uint64_t result) {
  if (is_done(h, s, from, thread)) {
    struct explanation e = *from;
    if (e.results[thread] != result) return;
    e.results[thread] = 0;
    add(h, &e);
    return;
  }
  for (uint32_t t = 0; t < h->scenario->threads; t++) {
    struct explanation e = *from;
    if (s->pending >> t & 1 && !is_done(h, s, &e, t) && takes_effect(h, &e, t)) explain(h, s, &e, thread, result);
  }
}

uint64_t history_ends(struct history *h, uint64_t number, uint32_t thread, uint64_t result) {
  struct state s;
  bool is_new;
  if (!find(h, number, &s)) return HISTORY_WRONG;
  uint64_t what = hash_pair(number, hash_pair(thread, result)), *known = hashmap_at(&h->after, what, HISTORY_WRONG, &is_new);
  if (!is_new) return *known;
  vec_clear(&h->next);
  for (uint32_t i = 0; i < s.count; i++) {
    struct explanation from = h->explanations.data[s.first + i];
    explain(h, &s, &from, thread, result);
  }
  s.ended[thread]++;
  s.pending &= (uint8_t) ~(1u << thread);
  uint64_t next = settle(h, &s);
  *hashmap_find(&h->after, what) = next;
  return next;
}

uint64_t history_closes(struct history *h, uint64_t number, uint64_t value) {
  struct state s;
  if (!find(h, number, &s)) return HISTORY_WRONG;
  vec_clear(&h->next);
  for (uint32_t i = 0; i < s.count; i++) {
    const struct explanation *e = &h->explanations.data[s.first + i];
    const struct sequential_node *n = node_of(h, e->node);
    if (!n->has_state || n->state == value) add(h, &(struct explanation){.node = e->node});
  }
  return settle(h, &s);
}

/* Does every pending operation block there, but that of `crashed`? */
static bool all_block(const struct history *h, const struct state *s, const struct explanation *e, uint32_t crashed) {
  for (uint32_t t = 0; t < h->scenario->threads; t++) {
    if (t == crashed || !(s->pending >> t & 1)) continue;
    if (is_done(h, s, e, t) || node_of(h, e->node)->next[t] != SEQUENTIAL_NONE) return false;
  }
  return true;
}

bool history_may_block(const struct history *h, uint64_t number, uint32_t crashed) {
  struct state s;
  if (!find(h, number, &s)) return false;
  for (uint32_t i = 0; i < s.count; i++) {
    struct explanation e = h->explanations.data[s.first + i];
    if (all_block(h, &s, &e, crashed)) return true;
    bool pending = crashed != HISTORY_NOBODY && s.pending >> crashed & 1 && !is_done(h, &s, &e, crashed);
    if (pending && takes_effect(h, &e, crashed) && all_block(h, &s, &e, crashed)) return true;
  }
  return false;
}
