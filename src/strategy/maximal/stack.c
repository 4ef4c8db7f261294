/* The stack of the search: the next step at the deepest node, closing nodes, going back to one. */
#include "strategy/maximal/maximal.h"

#include "base/deadline.h"

/* Executions from one look at the whole stack to the next: for states that others have closed, and to tell others what is left. A look
 * costs about as much as an execution of some dozen steps, so it adds a hundredth or two. */
#define LOOK_EVERY 64u

bool next_thread(struct strategy *s) {
  struct node *n = &vec_last(&s->search.nodes);
  for (;;) {
    struct tset left = n->backtrack;
    tset_minus(&left, &n->done);
    uint32_t t = choose_thread_left(s, n, &left);
    if (t == THREADS_MAX) return false;
    explore_asleep(s, t);
    if (!is_asleep(s, n, t)) {
      vec_last(&s->search.path.steps) = (struct step){.thread = t, .choice = awake_choice(s, n, t, 0)};
      n->alternatives = 0; /* known when the state is reached again */
      publish_node(s, n, t);
      return true;
    }
    tset_add(&n->done, t);
  }
}

static bool advance_node(struct strategy *s) {
  struct node *n = &vec_last(&s->search.nodes);
  struct step *step = &vec_last(&s->search.path.steps);
  step->choice = awake_choice(s, n, step->thread, step->choice + 1);
  if (step->choice < n->alternatives) return true;
  tset_add(&n->done, step->thread);
  return next_thread(s);
}

static void pop_node(struct strategy *s, uint32_t summary, bool open) {
  const struct node *n = &vec_last(&s->search.nodes);
  s->search.below = summary, s->search.below_open = open;
  s->sleeping.sleepers.count = n->first_sleeper;
  s->sleeping.events.count = n->first_sleep_event;
  s->search.nodes.count--, s->search.path.steps.count--;
}

void close_node(struct strategy *s) {
  const struct node *n = &vec_last(&s->search.nodes);
  if (!n->open) close_state(s, n);
  pop_node(s, n->summary, n->open);
}

/* Has somebody else closed the deepest node's state? Then it is as if the execution had been given up there. */
static bool closed_by_others(struct strategy *s) {
  uint32_t summary = closed_since(s, &vec_last(&s->search.nodes));
  if (summary == NOT_VISITED) return false;
  reverse_summary(s, summary);
  pop_node(s, summary, false);
  return true;
}

/* Summary of step i, the last one, and what follows it. */
static uint32_t summary_behind_step(struct strategy *s, uint32_t i) {
  const struct history *h = &s->history;
  uint32_t from = h->steps.data[i].first_event, count = (uint32_t)h->events.count - from;
  return summary_union(&s->memory.summaries, s->search.made.data[i],
                       summary_before(&s->memory.summaries, s->search.below, h->events.data + from, count));
}

/* Makes node i the deepest: the execution stands before its present step. */
static void go_back_to_node(struct strategy *s, uint32_t i) {
  const struct node *above = &s->search.nodes.data[i + 1];
  for (size_t k = i + 1; k < s->search.nodes.count; k++) withdraw_from_node(s, &s->search.nodes.data[k]);
  s->sleeping.sleepers.count = above->first_sleeper, s->sleeping.events.count = above->first_sleep_event;
  s->search.nodes.count = s->search.path.steps.count = i + 1;
  history_pop(&s->history, i);
  past_pop(&s->past, i);
  s->search.made.count = i;
}

/* Looks at the whole stack now and then. Others may have closed a state far down: then all that is above it need not be explored. And
 * where another worker explores the same thread, and there are others left, it is better to explore one of those: the further down that
 * is, the longer until the two meet again. True if there is a new step to take. */
static bool look_at_whole_stack(struct strategy *s) {
  if (!s->sharing.view.commons || s->sharing.executions % LOOK_EVERY) return false;
  for (uint32_t i = 0; i + 1 < s->search.nodes.count; i++) {
    struct node *n = &s->search.nodes.data[i];
    struct step *present = &s->search.path.steps.data[i];
    uint32_t summary = closed_since(s, n);
    if (summary != NOT_VISITED) {
      go_back_to_node(s, i);
      reverse_summary(s, summary);
      pop_node(s, summary, false);
      return false;
    }
    uint32_t other = choose_other_thread(s, n, present->thread);
    if (other < THREADS_MAX && !is_asleep(s, n, other)) {
      go_back_to_node(s, i);
      *present = (struct step){.thread = other, .choice = awake_choice(s, n, other, 0)};
      n->alternatives = 0;
      n->ended = false;
      publish_node(s, n, other);
      return true;
    }
    publish_node(s, n, present->thread);
  }
  return false;
}

/* Will anything else be explored at the deepest node? */
static bool has_more_to_explore(const struct strategy *s, const struct node *n) {
  const struct step *present = &vec_last(&s->search.path.steps);
  struct tset left = n->backtrack;
  tset_minus(&left, &n->done);
  tset_remove(&left, present->thread);
  return !tset_empty(&left) || present->choice + 1 < n->alternatives;
}

bool advance_search(struct strategy *s) {
  if (look_at_whole_stack(s)) return true;
  while (s->search.nodes.count > 0 && !deadline_passed) {
    uint32_t i = (uint32_t)s->search.nodes.count - 1;
    struct node *n = &s->search.nodes.data[i];
    uint32_t below = summary_behind_step(s, i);
    n->summary = summary_union(&s->memory.summaries, n->summary, below);
    if (!n->ended && !s->search.below_open) put_to_sleep(s, below);
    n->ended = false;
    history_pop(&s->history, i);
    past_pop(&s->past, i);
    s->search.made.count = i;
    if (has_more_to_explore(s, n) && closed_by_others(s)) continue;
    if (advance_node(s)) return true;
    close_node(s);
  }
  return false;
}
