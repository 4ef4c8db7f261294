/* What is excluded at a node: events that were explored, and cutoffs. */
#include <string.h>

#include "strategy/unfolding/unfolding.h"

const struct event *unfolding_excluded_events(const struct strategy *s, const struct disabled *d) {
  return &s->disabled_events.data[d->event];
}

bool unfolding_is_excluded(const struct strategy *s, const struct node *n, uint32_t thread, uint32_t choice) {
  for (uint32_t i = 0; i < n->disabled; i++) {
    const struct disabled *d = &s->disabled.data[n->first_disabled + i];
    if (d->thread == thread && d->choice == choice) return true;
  }
  return false;
}

/* All alternatives of the thread's step. `explored`: not counting cutoffs. */
static bool has_all(const struct strategy *s, const struct node *n, uint32_t thread, bool explored) {
  uint32_t found = 0, all = 1;
  for (uint32_t i = 0; i < n->disabled; i++) {
    const struct disabled *d = &s->disabled.data[n->first_disabled + i];
    if (d->thread == thread) found += !(explored && d->cutoff), all = d->alternatives;
  }
  return found >= all;
}

bool unfolding_fully_excluded(const struct strategy *s, const struct node *n, uint32_t thread) { return has_all(s, n, thread, false); }

void unfolding_inherit_excluded(struct strategy *s, struct node *n, const struct event *events, uint32_t count) {
  const struct node *parent = &vec_last(&s->nodes);
  for (uint32_t i = 0; i < parent->disabled; i++) {
    struct disabled d = s->disabled.data[parent->first_disabled + i];
    if (d.ends || history_wakes(unfolding_excluded_events(s, &d), d.events, events, count)) continue;
    *vec_push(&s->disabled) = d;
    n->disabled++;
  }
}

struct disabled unfolding_excluded(const struct strategy *s, uint32_t node, uint32_t first, bool cutoff) {
  const struct history *h = &s->history;
  const struct history_step *e = &h->steps.data[node];
  const struct node *n = &s->nodes.data[node];
  return (struct disabled){e->thread, e->choice, n->alternatives, first, history_events(h, node), n->ended, cutoff};
}

void unfolding_exclude_present(struct strategy *s, bool cutoff) {
  const struct history *h = &s->history;
  struct node *n = &vec_last(&s->nodes);
  uint32_t i = (uint32_t)s->nodes.count - 1;
  struct disabled d = unfolding_excluded(s, i, (uint32_t)s->disabled_events.count, cutoff);
  *vec_push(&s->disabled) = d;
  memcpy(vec_push_n(&s->disabled_events, d.events), &h->events.data[h->steps.data[i].first_event], d.events * sizeof(struct event));
  n->disabled++;
  n->explored |= !cutoff;
}

/* Nothing in an alternative is in conflict with an excluded event: then its configurations can be given the event, but for those that go on
 * with a step that is. These were found as alternatives to the event, if all behind it has been explored; so depth-first alone. */
static bool is_known_whole(const struct strategy *s, const struct sequence *q) {
  return q->whole && !s->careful && s->order == UNFOLDING_DEPTH;
}

bool unfolding_is_repeated(const struct strategy *s, const struct node *n, const struct sequence *q) {
  for (uint32_t i = 0; i < n->disabled; i++) {
    const struct disabled *d = &s->disabled.data[n->first_disabled + i];
    uint32_t at = sequence_find(q, d->thread);
    if (d->cutoff && q->steps.count > 1) continue;
    if (at < q->steps.count) {
      uint32_t choice = q->steps.data[at].choice;
      if (choice == ANY_CHOICE ? !has_all(s, n, d->thread, !d->cutoff) : choice != d->choice) continue;
    }
    if (d->cutoff) {
      if (at == 0) return true;
      continue;
    }
    if (d->ends) {
      if (at == 0) return true;
    } else if ((at < q->steps.count || is_known_whole(s, q)) && sequence_commutes(q, at, unfolding_excluded_events(s, d), d->events)) {
      return true;
    }
  }
  return false;
}

bool unfolding_only_cutoffs(const struct strategy *s) {
  const struct node *n = &vec_last(&s->nodes);
  for (uint32_t i = 0; i < n->disabled; i++) {
    const struct disabled *d = &s->disabled.data[n->first_disabled + i];
    if (!d->cutoff && tset_has(&n->enabled, d->thread)) return false;
  }
  return true;
}

bool unfolding_has_cutoffs(const struct strategy *s) {
  const struct node *n = &vec_last(&s->nodes);
  for (uint32_t i = 0; i < n->disabled; i++)
    if (s->disabled.data[n->first_disabled + i].cutoff) return true;
  return false;
}

void unfolding_be_careful(struct strategy *s) {
  s->learnt |= !s->careful;
  s->careful = true;
}
