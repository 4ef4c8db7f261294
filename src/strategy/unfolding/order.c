/* Which alternative comes next. Depth-first nothing but the present path is kept: what lies below a node is done when the node goes on. In
 * the other orders it need not be; then it is cut off the path and hangs at the node as a branch, with all that belongs to it:
 *
 *     path  n0 -a- n1 -b- n2 -c-        n0's alternative d comes next
 *     path  n0 -d- ...                  branch at n0: a, n1, b, n2, c
 *
 * a is excluded at n0 from then on, as if all behind it had been explored: it will be. What d leads to leaves out what could be given a,
 * whenever that comes. So in any order the same configurations are explored, each once. When an alternative of a branch is chosen, the
 * branch is put back at the end of the path, and what was there in its place becomes a branch.
 *
 * Nodes of a branch have excluded their present steps as well, as the events of these are not known any more when it comes back. */
#include <string.h>

#include "strategy/unfolding/unfolding.h"

static void release_branch(struct branch *b) {
  vec_release(&b->nodes);
  vec_release(&b->steps);
  vec_release(&b->disabled);
  vec_release(&b->events);
}

void unfolding_release_node(struct node *n) {
  for (size_t i = 0; i < n->todo.count; i++) sequence_release(&n->todo.data[i]);
  vec_release(&n->todo);
  sequence_release(&n->rest);
  for (size_t i = 0; i < n->branches.count; i++) {
    struct branch *b = &n->branches.data[i];
    for (size_t k = 0; k < b->nodes.count; k++) unfolding_release_node(&b->nodes.data[k]);
    release_branch(b);
  }
  vec_release(&n->branches);
}

void unfolding_drop_node(struct strategy *s) {
  if (vec_last(&s->nodes).branches.count)
    vec_last(&s->nodes).excluded = true; /* there is no step any more that it would have to exclude */
  else
    unfolding_pop_node(s);
}

/* What a step excludes depends on whether it ended the execution. If alternatives to it were begun before that was known, they may have
 * left out too much: the exploration begins again, depth-first. */
void unfolding_ended(struct strategy *s, uint32_t node) {
  struct node *n = &s->nodes.data[node];
  n->ended = true;
  if (!n->excluded) return;
  s->order = UNFOLDING_DEPTH;
  s->learnt = true;
}

static void forget_steps(struct strategy *s, uint32_t depth) {
  if (s->history.steps.count > depth) history_pop(&s->history, depth);
  if (s->names.count > depth) s->names.count = depth;
}

/* --- branches --- */

/* Where an event that is excluded at path node `i`, too, was put for the node before it, which is the branch's last; UINT32_MAX: nowhere.
 */
static uint32_t shared_events(const struct strategy *s, const struct branch *b, uint32_t i, uint32_t event) {
  const struct node *n = &s->nodes.data[i - 1], *copy = &vec_last(&b->nodes);
  for (uint32_t k = 0; k < n->disabled; k++)
    if (s->disabled.data[n->first_disabled + k].event == event) return b->disabled.data[copy->first_disabled + k].event;
  return UINT32_MAX;
}

static void add_events(struct branch *b, const struct event *events, uint32_t count) {
  memcpy(vec_push_n(&b->events, count), events, count * sizeof *events);
}

/* Path node `i` goes to the end of the branch. */
static void cut_node(struct strategy *s, struct branch *b, uint32_t i) {
  struct node n = s->nodes.data[i];
  n.first_disabled = (uint32_t)b->disabled.count, n.first_event = (uint32_t)b->events.count;
  for (uint32_t k = 0; k < n.disabled; k++) {
    struct disabled d = s->disabled.data[s->nodes.data[i].first_disabled + k];
    uint32_t at = b->nodes.count ? shared_events(s, b, i, d.event) : UINT32_MAX;
    const struct event *events = unfolding_excluded_events(s, &d);
    d.event = at;
    if (at == UINT32_MAX) d.event = (uint32_t)b->events.count, add_events(b, events, d.events);
    *vec_push(&b->disabled) = d;
  }
  if (!n.excluded) {
    struct disabled d = unfolding_excluded(s, i, (uint32_t)b->events.count, false);
    add_events(b, &s->history.events.data[s->history.steps.data[i].first_event], d.events);
    *vec_push(&b->disabled) = d;
    n.disabled++;
    n.excluded = n.explored = true;
  }
  if (n.todo.count && b->shallowest > i) b->shallowest = i;
  b->pending += n.todo.count;
  for (size_t k = 0; k < n.branches.count; k++) {
    b->pending += n.branches.data[k].pending;
    if (b->shallowest > n.branches.data[k].shallowest) b->shallowest = n.branches.data[k].shallowest;
  }
  *vec_push(&b->nodes) = n;
  *vec_push(&b->steps) = s->path.steps.data[i];
}

/* Path node `at` becomes the deepest, and excludes its present step; what lies below becomes a branch. */
static void leave(struct strategy *s, uint32_t at) {
  if (at + 1 < s->nodes.count) {
    struct node *n = &s->nodes.data[at];
    struct branch b = {.step = s->path.steps.data[at], .alternatives = n->alternatives, .shallowest = UINT32_MAX};
    for (uint32_t i = at + 1; i < s->nodes.count; i++) cut_node(s, &b, i);
    s->disabled.count = s->nodes.data[at + 1].first_disabled;
    s->disabled_events.count = s->nodes.data[at + 1].first_event;
    s->nodes.count = s->path.steps.count = at + 1;
    *vec_push(&n->branches) = b;
  }
  if (!vec_last(&s->nodes).excluded) {
    unfolding_exclude_present(s, false);
    vec_last(&s->nodes).excluded = true;
  }
  forget_steps(s, at);
}

/* The deepest node, which has been left, goes on with a branch of its. */
static void put_back(struct strategy *s, size_t branch) {
  struct node *n = &vec_last(&s->nodes);
  struct branch b = n->branches.data[branch];
  n->branches.data[branch] = vec_pop(&n->branches);
  vec_last(&s->path.steps) = b.step;
  n->alternatives = b.alternatives;
  n->ended = false; /* else it would not have gone on */
  uint32_t first_disabled = (uint32_t)s->disabled.count, first_event = (uint32_t)s->disabled_events.count;
  for (size_t i = 0; i < b.nodes.count; i++) {
    struct node below = b.nodes.data[i];
    below.first_disabled += first_disabled, below.first_event += first_event;
    *vec_push(&s->nodes) = below;
    *vec_push(&s->path.steps) = b.steps.data[i];
  }
  for (size_t i = 0; i < b.disabled.count; i++) {
    struct disabled d = b.disabled.data[i];
    d.event += first_event;
    *vec_push(&s->disabled) = d;
  }
  memcpy(vec_push_n(&s->disabled_events, b.events.count), b.events.data, b.events.count * sizeof *b.events.data);
  release_branch(&b);
}

/* --- the choice --- */

/* An alternative of a node of the path, or one of a branch there. */
struct choice {
  uint32_t node;
  bool in_branch;
  size_t index;
};

/* Number `k` of all alternatives at and below path node `from`; false: there are not so many, and k is less by those that there are. */
static bool numbered(const struct strategy *s, uint32_t from, uint64_t *k, struct choice *c) {
  for (uint32_t i = from; i < s->nodes.count; i++) {
    const struct node *n = &s->nodes.data[i];
    *c = (struct choice){.node = i, .index = *k};
    if (*k < n->todo.count) return true;
    *k -= n->todo.count;
    for (size_t b = 0; b < n->branches.count; b++) {
      *c = (struct choice){.node = i, .in_branch = true, .index = b};
      if (*k < n->branches.data[b].pending) return true;
      *k -= n->branches.data[b].pending;
    }
  }
  return false;
}

static uint64_t all_pending(const struct strategy *s) {
  struct choice none;
  uint64_t k = UINT64_MAX;
  (void)numbered(s, 0, &k, &none);
  return UINT64_MAX - k;
}

/* The first of those that lie nearest to the top. */
static struct choice shallowest(const struct strategy *s, uint32_t from) {
  struct choice c = {0};
  uint32_t least = UINT32_MAX;
  for (uint32_t i = from; i < s->nodes.count && i < least; i++) {
    const struct node *n = &s->nodes.data[i];
    if (n->todo.count) least = i, c = (struct choice){.node = i};
    for (size_t b = 0; b < n->branches.count; b++)
      if (n->branches.data[b].shallowest < least) least = n->branches.data[b].shallowest, c = (struct choice){i, true, b};
  }
  return c;
}

/* Nodes at which nothing is left go, from the deepest one up. */
static void close_nodes(struct strategy *s) {
  while (s->nodes.count) {
    uint32_t at = (uint32_t)s->nodes.count - 1;
    leave(s, at);
    if (s->nodes.data[at].todo.count || s->nodes.data[at].branches.count) return;
    unfolding_pop_node(s);
  }
}

bool unfolding_choose(struct strategy *s) {
  for (;;) {
    close_nodes(s);
    if (s->nodes.count == 0) return false;
    uint64_t k = s->order == UNFOLDING_RANDOM ? (s->random = hash_mix(s->random)) % all_pending(s) : 0;
    for (uint32_t from = 0;;) {
      struct choice c = {.node = (uint32_t)s->nodes.count - 1}; /* depth-first; then there are no branches */
      if (s->order == UNFOLDING_RANDOM)
        (void)numbered(s, from, &k, &c);
      else if (s->order == UNFOLDING_BREADTH)
        c = shallowest(s, from);
      leave(s, c.node);
      if (!c.in_branch) {
        if (unfolding_take(s, c.index)) return true;
        break;
      }
      put_back(s, c.index);
      from = c.node + 1;
    }
  }
}
