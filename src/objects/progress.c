#include "objects/progress.h"

#include <string.h>

#include "base/mem.h"

const char *const progress_names[PROGRESS_COUNT] = {"", "obstruction-free", "lock-free", "wait-free"};

struct search {
  const struct progress_graph *graph;
  enum progress_condition asked;
  uint32_t thread;        /* that does not end its operation; PROGRESS_NOBODY: none does */
  uint32_t *first;        /* of each state: its first step; one more */
  uint32_t *number, *low; /* of each state: when it was entered, from 1 (0: not yet); Tarjan's lowlink */
  uint32_t *component;    /* from 1; 0: not known yet */
  uint32_t *next;         /* the step to be looked at */
  uint32_t count, ncomponents;
  VEC(uint32_t) open, path; /* states: not in a component yet; on the way to the present one */
};

/* Can it be a step of the circle that is looked for? */
static bool is_allowed(const struct search *s, const struct progress_step *step) {
  switch (s->asked) {
    case PROGRESS_OBSTRUCTION_FREE:
      return step->thread == s->thread && !step->ends;
    case PROGRESS_LOCK_FREE:
      return !step->ends;
    case PROGRESS_WAIT_FREE:
      return step->thread != s->thread || !step->ends;
    case PROGRESS_NOT_ASKED:
    case PROGRESS_COUNT:
      break;
  }
  return false;
}

/* Must the circle have such a step? */
static bool is_needed(const struct search *s, const struct progress_step *step) {
  return step->thread != PROGRESS_NOBODY && (s->thread == PROGRESS_NOBODY || step->thread == s->thread) && is_allowed(s, step);
}

static void enter(struct search *s, uint32_t state) {
  s->number[state] = s->low[state] = ++s->count;
  s->next[state] = s->first[state];
  *vec_push(&s->open) = state;
  *vec_push(&s->path) = state;
}

static void lower(struct search *s, uint32_t state, uint32_t to) {
  if (to < s->low[state]) s->low[state] = to;
}

/* All that can be reached from the state was entered. */
static void leave(struct search *s, uint32_t state) {
  s->path.count--;
  if (s->path.count) lower(s, vec_last(&s->path), s->low[state]);
  if (s->low[state] != s->number[state]) return;
  uint32_t member;
  s->ncomponents++;
  do {
    member = s->open.data[--s->open.count];
    s->component[member] = s->ncomponents;
  } while (member != state);
}

/* Strongly connected components of the steps that are allowed (Tarjan, "Depth-first search and linear graph algorithms", 1972). */
static void find_components(struct search *s) {
  const struct progress_step *steps = s->graph->steps.data;
  for (uint32_t root = 0; root < s->graph->states; root++) {
    if (s->number[root]) continue;
    enter(s, root);
    while (s->path.count) {
      uint32_t state = vec_last(&s->path), at = s->next[state];
      if (at == s->first[state + 1]) {
        leave(s, state);
        continue;
      }
      s->next[state]++;
      if (!is_allowed(s, &steps[at])) continue;
      uint32_t to = steps[at].to;
      if (!s->number[to])
        enter(s, to);
      else if (!s->component[to])
        lower(s, state, s->number[to]);
    }
  }
}

/* The shortest way from the end of a step back to its beginning, within a component; `number` and `next` are used for it. */
static void close_circle(struct search *s, uint32_t step, struct progress_circle *to) {
  const struct progress_step *steps = s->graph->steps.data;
  uint32_t from = steps[step].to, end = steps[step].from;
  uint32_t *seen = s->number, *by = s->next;
  memset(seen, 0, s->graph->states * sizeof *seen);
  vec_clear(&s->open);
  *vec_push(&s->open) = from;
  seen[from] = 1;
  for (size_t i = 0; i < s->open.count && !seen[end]; i++) {
    uint32_t state = s->open.data[i];
    for (uint32_t k = s->first[state]; k < s->first[state + 1]; k++) {
      uint32_t next = steps[k].to;
      if (seen[next] || !is_allowed(s, &steps[k]) || s->component[next] != s->component[end]) continue;
      seen[next] = 1, by[next] = k;
      *vec_push(&s->open) = next;
    }
  }
  vec_clear(&s->open);
  for (uint32_t state = end; state != from; state = steps[by[state]].from) *vec_push(&s->open) = by[state];
  *vec_push(&to->steps) = step;
  while (s->open.count) *vec_push(&to->steps) = s->open.data[--s->open.count];
}

static uint32_t *new_numbers(const struct progress_graph *g) { return mem_alloc((g->states + 1) * sizeof(uint32_t)); }
static void free_numbers(const struct progress_graph *g, uint32_t *numbers) { mem_free(numbers, (g->states + 1) * sizeof(uint32_t)); }

/* A circle in which `thread` takes a step, if it begins before the one that is known. */
static void look(const struct progress_graph *g, enum progress_condition asked, uint32_t thread, struct progress_circle *to) {
  struct search s = {.graph = g, .asked = asked, .thread = thread};
  s.first = new_numbers(g), s.number = new_numbers(g), s.low = new_numbers(g), s.component = new_numbers(g), s.next = new_numbers(g);
  for (uint32_t state = 0, i = 0; state <= g->states; state++) {
    while (i < g->steps.count && g->steps.data[i].from < state) i++;
    s.first[state] = i;
  }
  find_components(&s);
  uint32_t least = to->steps.count ? g->steps.data[to->steps.data[0]].from : UINT32_MAX;
  for (uint32_t i = 0; i < g->steps.count && g->steps.data[i].from < least; i++) {
    const struct progress_step *step = &g->steps.data[i];
    if (!is_needed(&s, step) || s.component[step->from] != s.component[step->to]) continue;
    vec_clear(&to->steps);
    close_circle(&s, i, to);
    break;
  }
  free_numbers(g, s.first), free_numbers(g, s.number), free_numbers(g, s.low), free_numbers(g, s.component), free_numbers(g, s.next);
  vec_release(&s.open);
  vec_release(&s.path);
}

void progress_find(const struct progress_graph *g, enum progress_condition asked, uint32_t threads, struct progress_circle *to) {
  if (asked == PROGRESS_LOCK_FREE) look(g, asked, PROGRESS_NOBODY, to);
  if (asked == PROGRESS_LOCK_FREE) return;
  for (uint32_t t = 0; t < threads; t++) look(g, asked, t, to);
}
