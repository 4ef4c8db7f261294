/* Sleeping steps: explored from an earlier state, and independent of all that was taken since. */
#include "strategy/maximal/maximal.h"

#include <string.h>

void inherit_sleepers(struct strategy *s, struct node *n, const struct execution *x) {
  n->first_sleeper = (uint32_t)s->sleeping.sleepers.count, n->first_sleep_event = (uint32_t)s->sleeping.events.count;
  if (s->search.nodes.count == 1) return;
  const struct node *parent = n - 1;
  if (parent->sleepers == 0) return;
  uint32_t from = x->depth > 1 ? x->ends[x->depth - 2] : 0, count = x->ends[x->depth - 1] - from;
  const struct event *last = &x->trace[x->ends[x->depth - 1] - 1];
  bool ended = count && last->op == EVENT_END && !s->past.knowledge.again; /* what it did since is below the sleepers, but not any more */
  const struct event *events = sections_complete(&s->sections, x->trace, from, &count);
  for (uint32_t i = 0; i < parent->sleepers; i++) {
    struct sleeper z = s->sleeping.sleepers.data[parent->first_sleeper + i];
    if (history_wakes(&s->sleeping.events.data[z.event], z.events, events, count)) continue;
    if (ended) z.below = summary_without(&s->memory.summaries, z.below, last->thread);
    *vec_push(&s->sleeping.sleepers) = z;
    n->sleepers++;
  }
}

void put_to_sleep(struct strategy *s, uint32_t below) {
  const struct history *h = &s->history;
  const struct history_step *e = &vec_last(&h->steps);
  struct node *n = &vec_last(&s->search.nodes);
  uint32_t count = (uint32_t)h->events.count - e->first_event;
  uint32_t event = (uint32_t)s->sleeping.events.count, here = (uint32_t)s->search.nodes.count - 1;
  *vec_push(&s->sleeping.sleepers) =
      (struct sleeper){e->thread, e->choice, n->alternatives, event, count, here, here, vec_last(&s->search.made), below};
  memcpy(vec_push_n(&s->sleeping.events, count), &h->events.data[e->first_event], count * sizeof(struct event));
  n->sleepers++;
}

bool is_asleep(const struct strategy *s, const struct node *n, uint32_t thread) {
  uint32_t found = 0, all = 1;
  for (uint32_t i = 0; i < n->sleepers; i++) {
    const struct sleeper *z = &s->sleeping.sleepers.data[n->first_sleeper + i];
    if (z->thread == thread) found++, all = z->alternatives;
  }
  return found >= all;
}

uint32_t awake_choice(const struct strategy *s, const struct node *n, uint32_t thread, uint32_t choice) {
  for (uint32_t i = 0; i < n->sleepers; i++) {
    const struct sleeper *z = &s->sleeping.sleepers.data[n->first_sleeper + i];
    if (z->thread == thread && z->choice == choice) choice++, i = UINT32_MAX;
  }
  return choice;
}

/* The thread of a step with this first event, or the one whose store it flushes. */
static uint32_t family_of(const struct event *e) { return e->op == EVENT_FLUSH ? flush_thread(e) : e->thread; }

/* Has what happens before thread `t` goes on behind the present end changed with the steps from `from` on, which are by `moved`? */
static bool has_moved(const struct strategy *s, uint32_t t, uint32_t from, const struct tset *moved) {
  uint32_t root = root_of(s, t), forked = s->history.forked[t];
  return tset_has(moved, root) || (root == t && forked != NO_STEP && forked >= from);
}

/* Of the operations below a sleeping step, but for flushes, those that depend on step i, with that first event and own summary, by threads
 * not in `changed`: nothing that their threads do comes before them and behind it. Reverses these races. */
static void reverse_at(struct strategy *s, const struct sleeper *z, uint32_t i, const struct event *first, uint32_t made,
                       const struct tset *changed) {
  struct history *h = &s->history;
  struct tset threads = *summary_meets(&s->memory.summaries, z->below, made, family_of(first));
  uint32_t begin = i < h->steps.count ? history_section(h, i) : i;
  tset_minus(&threads, changed);
  vec_clear(&h->enablers);
  for (uint32_t t = tset_next(&threads, 0); t < THREADS_MAX; t = tset_next(&threads, t + 1)) {
    uint32_t root = root_of(s, t), previous = history_previous(h, root);
    h->since = previous;
    add_backtrack(s, i, root, previous);
    if (begin != i && begin >= z->origin) add_backtrack(s, begin, root, previous);
  }
}

/* The operations below the sleeping step that depend on it, or on a step from `from` on, as far as they are among `which` (NULL: all):
 * reverses these races. All races of the threads in `changed` are to be found anew. */
static void reverse_all(struct strategy *s, const struct sleeper *z, uint32_t from, const struct tset *changed,
                        const struct operation_bits *which) {
  struct history *h = &s->history;
  struct operation_bits *affected = &s->sleeping.affected;
  uint32_t depth = (uint32_t)h->steps.count;
  vec_clear(&affected->words);
  if (!which || which->words.count) {
    summary_add_ends(&s->memory.summaries, affected);
    summary_add_dependent(&s->memory.summaries, z->own, affected);
    for (uint32_t i = from; i < depth; i++) summary_add_dependent(&s->memory.summaries, s->search.made.data[i], affected);
  }
  if (which) operation_bits_and(affected, which);
  for (uint32_t t = tset_next(changed, 0); t < THREADS_MAX; t = tset_next(changed, t + 1))
    summary_add_thread(&s->memory.summaries, t, affected);
  uint32_t k = summary_next_of(&s->memory.summaries, z->below, 0, affected);
  if (k == UINT32_MAX) return;
  uint32_t anew = first_incomplete_node(s, z->origin);
  from = from > anew ? from : anew;
  history_push(h, z->thread, z->choice, &s->sleeping.events.data[z->event], z->events, &vec_last(&s->search.nodes).enabled, false);
  for (; k != UINT32_MAX; k = summary_next_of(&s->memory.summaries, z->below, k + 1, affected)) {
    const struct operation *o = &s->memory.summaries.operations.data[k];
    reverse_operation(s, o, tset_has(changed, operation_thread(o)) ? anew : from);
  }
  history_pop(h, depth);
}

/* Explores a sleeping step without taking it. That was last done at node z->looked: since then there are new steps, which it comes behind.
 * Races with all these are to be found for the operations that depend on them; all races anew for those of threads that have moved. The
 * others are known. Mostly there is one new step. */
static void explore_sleeper(struct strategy *s, struct sleeper *z) {
  struct history *h = &s->history;
  uint32_t depth = (uint32_t)h->steps.count, from = z->looked;
  const struct event *own = &s->sleeping.events.data[z->event];
  struct tset moved = {0}, changed = {0};
  z->looked = depth;
  for (uint32_t i = from; i < depth; i++) tset_add(&moved, family_of(&h->events.data[h->steps.data[i].first_event]));
  if (s->memory.summaries.flushes.words.count) tset_add(&moved, family_of(own)); /* it may be what its thread's next step waits for */
  for (uint32_t t = 0; t < s->memory.summaries.by_thread.count; t++) {
    if (tset_has(&moved, t) || has_moved(s, t, from, &moved)) tset_add(&changed, t);
  }
  if (depth - from != 1) {
    reverse_all(s, z, from, &changed, NULL);
    return;
  }
  reverse_at(s, z, from, &h->events.data[h->steps.data[from].first_event], s->search.made.data[from], &changed);
  reverse_at(s, z, depth, own, z->own, &changed);
  reverse_all(s, z, from, &changed, &s->memory.summaries.flushes);
}

void explore_asleep(struct strategy *s, uint32_t thread) {
  struct node *n = &vec_last(&s->search.nodes);
  for (uint32_t i = 0; i < n->sleepers; i++) {
    struct sleeper *z = &s->sleeping.sleepers.data[n->first_sleeper + i];
    if (z->thread != thread) continue;
    explore_sleeper(s, z);
    n->summary = summary_union(&s->memory.summaries, n->summary, z->below);
  }
}
