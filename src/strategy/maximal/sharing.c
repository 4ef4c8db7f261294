/* What workers tell each other: closed states, accesses that were seen, and hints about what is left to explore at a state
 * (states/commons.h). Without others, closed states are in `visited`. */
#include "strategy/maximal/maximal.h"

/* Executions below a state before others are told of it: a hint is written at every step to another thread, and its line of the cache goes
 * from one processor to the other. States that are closed sooner than that are not worth it. */
#define SHARE_AFTER 8u

uint32_t closed_summary(struct strategy *s, struct fingerprint key) {
  return s->sharing.view.commons ? commons_find(&s->sharing.view, &s->memory.summaries, key) : visited_find(&s->memory.visited, key);
}

bool exchange_with_others(struct strategy *s) {
  struct racers *r = &s->past.knowledge.racers;
  uint32_t version = r->version;
  for (size_t i = 0; i < r->fresh.count && !s->sharing.mute; i++)
    s->sharing.mute = !commons_say(s->sharing.view.commons, &r->fresh.data[i]);
  commons_hear(&s->sharing.view, r);
  vec_clear(&r->fresh);
  return r->version != version;
}

void close_state(struct strategy *s, const struct node *n) {
  if (!s->sharing.view.commons) {
    visited_add(&s->memory.visited, n->key, n->summary);
    return;
  }
  if (!s->sharing.mute) commons_add(&s->sharing.view, &s->memory.summaries, n->key, n->summary);
  if (n->common) commons_hush(s->sharing.view.commons, n->key);
}

void publish_to_others(const struct strategy *s, struct node *n, uint32_t present) {
  n->common = n->common || (s->sharing.executions - n->since >= SHARE_AFTER && tset_count(&n->backtrack) > 1);
  if (n->common) commons_tell(s->sharing.view.commons, n->key, &n->backtrack, &n->done, s->sharing.worker, present);
}

void withdraw_from_node(const struct strategy *s, const struct node *n) {
  if (n->common) commons_leave(s->sharing.view.commons, n->key, s->sharing.worker);
}

void take_hints(struct strategy *s, struct node *n) {
  struct commons_hint hint;
  if (!s->sharing.view.commons || !commons_ask(s->sharing.view.commons, n->key, &hint)) return;
  n->common = true;
  tset_intersect(&hint.explore, &n->enabled);
  if (!tset_empty(&hint.explore)) n->backtrack = hint.explore;
}

/* Takes those that other workers explore out of `threads`. Returns whether one of them explores `mine`, with a smaller number than ours. */
static bool leave_threads_to_others(const struct strategy *s, const struct commons_hint *hint, struct tset *threads, uint32_t mine) {
  uint32_t own = s->sharing.worker % COMMONS_WORKERS;
  bool together = false;
  for (uint32_t w = 0; w < COMMONS_WORKERS; w++) {
    if (w == own || hint->present[w] == 0 || hint->present[w] > THREADS_MAX) continue;
    tset_remove(threads, hint->present[w] - 1u);
    together |= w < own && hint->present[w] - 1u == mine;
  }
  return together;
}

uint32_t choose_thread_left(const struct strategy *s, const struct node *n, const struct tset *left) {
  uint32_t t = tset_next(left, 0);
  struct commons_hint hint;
  if (t == THREADS_MAX || !n->common || !commons_ask(s->sharing.view.commons, n->key, &hint)) return t;
  struct tset fresh = *left;
  tset_intersect(&hint.done, left);
  if (!tset_empty(&hint.done)) return tset_next(&hint.done, 0);
  (void)leave_threads_to_others(s, &hint, &fresh, THREADS_MAX);
  return tset_empty(&fresh) ? t : tset_next(&fresh, 0);
}

uint32_t choose_other_thread(const struct strategy *s, struct node *n, uint32_t present) {
  struct commons_hint hint;
  if (!n->common || !commons_ask(s->sharing.view.commons, n->key, &hint)) return THREADS_MAX;
  tset_intersect(&hint.explore, &n->enabled);
  tset_union(&n->backtrack, &hint.explore);
  struct tset fresh = n->backtrack;
  tset_minus(&fresh, &n->done);
  tset_minus(&fresh, &hint.done);
  tset_remove(&fresh, present);
  return leave_threads_to_others(s, &hint, &fresh, present) ? tset_next(&fresh, 0) : THREADS_MAX;
}

uint32_t closed_since(struct strategy *s, const struct node *n) {
  const struct racers *r = &s->past.knowledge.racers;
  if (!s->sharing.view.commons || n->version != r->version) return NOT_VISITED;
  uint32_t summary = commons_find(&s->sharing.view, &s->memory.summaries, n->key);
  return summary == NOT_VISITED || exchange_accesses(s) ? NOT_VISITED : summary;
}
