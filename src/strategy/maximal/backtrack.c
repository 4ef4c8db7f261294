/* Backtracking points: which threads are to be explored at a node, because of what happens behind it. */
#include "strategy/maximal/maximal.h"

/* Does step j come before what a thread does whose last step is `previous`, and that has the enablers of `h`? */
static bool comes_before(const struct history *h, uint32_t j, uint32_t previous) {
  if (previous != NO_STEP && history_before(h, j, previous)) return true;
  for (size_t k = 0; k < h->enablers.count; k++) {
    if (history_before(h, j, h->enablers.data[k])) return true;
  }
  return false;
}

/* If the thread waits there for its buffer to be empty, that comes first: sees to it that one of the flushes is explored. */
static bool add_awaited(const struct strategy *s, struct node *n, uint32_t thread) {
  uint32_t pick = THREADS_MAX;
  for (uint32_t a = tset_next(&n->awaited, AGENTS_FROM); a < THREADS_MAX; a = tset_next(&n->awaited, a + 1)) {
    if (s->search.parents[a] != thread) continue;
    if (tset_has(&n->backtrack, a)) return true;
    if (pick == THREADS_MAX) pick = a;
  }
  if (pick < THREADS_MAX) tset_add(&n->backtrack, pick);
  return pick < THREADS_MAX;
}

void add_backtrack(struct strategy *s, uint32_t i, uint32_t q, uint32_t previous) {
  const struct history *h = &s->history;
  struct node *n = &s->search.nodes.data[i];
  struct tset seen = {0};
  uint32_t first[THREADS_MAX], pick = THREADS_MAX;
  for (uint32_t j = i + 1; h->since != NO_STEP && j <= h->since; j++) {
    const struct history_step *e = &h->steps.data[j];
    if (tset_has(&seen, e->thread) || !comes_before(h, j, previous)) continue;
    const uint32_t *clock = &h->clocks.data[(size_t)j * h->width];
    bool begins = true;
    for (uint32_t u = tset_next(&seen, 0); begins && u < THREADS_MAX; u = tset_next(&seen, u + 1)) begins = clock[u] < first[u];
    tset_add(&seen, e->thread);
    first[e->thread] = e->index;
    if (!begins) continue;
    if (tset_has(&n->backtrack, e->thread)) return;
    if (pick == THREADS_MAX) pick = e->thread;
  }
  if (pick == THREADS_MAX) pick = q;
  if (tset_has(&n->enabled, pick)) {
    tset_add(&n->backtrack, pick);
  } else if (!add_awaited(s, n, pick)) {
    tset_union(&n->backtrack, &n->enabled);
  }
  publish_node(s, n, s->search.path.steps.data[i].thread);
}

void reverse_found_races(struct strategy *s, uint32_t thread, uint32_t previous, uint32_t from) {
  const struct history *h = &s->history;
  for (size_t k = 0; k < h->races.count; k++) {
    uint32_t i = h->races.data[k], begin = history_section(h, i);
    if (i >= from) add_backtrack(s, i, thread, previous);
    if (begin != i && begin >= from) add_backtrack(s, begin, thread, previous);
  }
}

static bool is_complete(const struct node *n) {
  struct tset left = n->enabled;
  tset_minus(&left, &n->backtrack);
  return tset_empty(&left);
}

void note_open_node(struct strategy *s) {
  open_nodes_put(&s->search.open, (uint32_t)s->search.nodes.count - 1, !is_complete(&vec_last(&s->search.nodes)));
}

uint32_t first_incomplete_node(struct strategy *s, uint32_t from) {
  uint32_t count = (uint32_t)s->search.nodes.count, i = open_nodes_next(&s->search.open, from, count);
  for (; i < count && is_complete(&s->search.nodes.data[i]); i = open_nodes_next(&s->search.open, i + 1, count))
    open_nodes_remove(&s->search.open, i);
  return i;
}

void reverse_operation(struct strategy *s, const struct operation *o, uint32_t from) {
  struct history *h = &s->history;
  const struct event *e = o->ends ? NULL : &o->event;
  if (e && h->buffers && history_untouched(h, e, o->after, from)) return; /* without buffers looking at once is as quick */
  bool flush = e && e->op == EVENT_FLUSH;
  uint32_t issue = flush ? history_unflushed(h, e) : NO_STEP;
  uint32_t root = issue != NO_STEP ? e->thread : root_of(s, flush ? flush_thread(e) : o->event.thread);
  history_find_below(h, &(struct history_below){e, root, o->after, o->waits, issue, from});
  reverse_races(s, root, history_previous(h, root), from);
}

void reverse_summary(struct strategy *s, uint32_t summary) {
  uint32_t from = first_incomplete_node(s, 0);
  for (uint32_t k = summary_next(&s->memory.summaries, summary, 0); k != UINT32_MAX; k = summary_next(&s->memory.summaries, summary, k + 1))
    reverse_operation(s, &s->memory.summaries.operations.data[k], from);
}
