#include "order/search.h"

#include <assert.h>
#include <string.h>

#include "base/deadline.h"

/* Conflicts of a query after which it is decided by activity. */
#define CANDIDATE_CONFLICTS 20u
#define RESTART_UNIT        128u

void search_release(struct search *s) {
  porder_release(&s->porder);
  for (uint32_t i = 0; i < s->watches_cap; i++) vec_release(&s->watches[i]);
  mem_free(s->watches, s->watches_cap * sizeof *s->watches);
  mem_free(s->slots, s->slots_cap * sizeof *s->slots);
  vec_release(&s->vars);
  vec_release(&s->ranks);
  vec_release(&s->values);
  vec_release(&s->spans);
  vec_release(&s->supported);
  vec_release(&s->booleans);
  vec_release(&s->heads);
  vec_release(&s->listed);
  vec_release(&s->problem);
  vec_release(&s->learnt);
  vec_release(&s->learnts);
  vec_release(&s->units);
  vec_release(&s->trail);
  vec_release(&s->marks);
  vec_release(&s->porder_marks);
  vec_release(&s->levels);
  vec_release(&s->heap);
  vec_release(&s->conflict);
  vec_release(&s->clause);
  vec_release(&s->scratch);
  vec_release(&s->stack);
  vec_release(&s->clear);
  vec_release(&s->stamps);
  vec_release(&s->place);
  vec_release(&s->deferred);
  vec_release(&s->broken);
  vec_release(&s->frontier);
  vec_release(&s->waits);
  vec_release(&s->core);
}

/* Variable 0 is the constant true; word 0 of the stores is no clause. */
static void constants(struct search *s) {
  (void)search_boolean(s);
  vec_clear(&s->booleans);
  s->ranks.data[0].phase = true;
  s->values.data[0] = 1;
  s->values.data[1] = -1;
  *vec_push(&s->problem) = 0;
  *vec_push(&s->learnt) = 0;
}

void search_clear(struct search *s, uint32_t chains) {
  porder_clear(&s->porder, chains);
  vec_clear(&s->vars);
  vec_clear(&s->ranks);
  vec_clear(&s->values);
  vec_clear(&s->spans);
  vec_clear(&s->supported);
  vec_clear(&s->booleans);
  vec_clear(&s->heads);
  vec_clear(&s->listed);
  vec_clear(&s->problem);
  vec_clear(&s->learnt);
  vec_clear(&s->learnts);
  vec_clear(&s->units);
  vec_clear(&s->trail);
  vec_clear(&s->marks);
  vec_clear(&s->porder_marks);
  vec_clear(&s->levels);
  vec_clear(&s->heap);
  vec_clear(&s->core);
  if (++s->stamp == 0) {
    if (s->slots) memset(s->slots, 0, s->slots_cap * sizeof *s->slots);
    s->stamp = 1;
  }
  s->slots_used = s->unsupported = s->learnt_waste = s->queue = s->theory = s->bad = s->too_long = 0;
  s->bump = 1;
  s->reduce_at = 2000;
  s->answer = ORDER_UNKNOWN;
  s->laid_out = false;
  constants(s);
}

uint32_t search_event(struct search *s, uint32_t chain) {
  uint32_t chains = s->porder.chains;
  memset(vec_push_n(&s->heads, chains), 0, chains * sizeof *s->heads.data);
  *vec_push(&s->listed) = 0;
  if (s->porder.members[chain].count == ORDER_CHAIN_MOST && !s->too_long) s->too_long = search_depth(s) + 1;
  return porder_event(&s->porder, chain);
}

void search_set_bad(struct search *s, uint32_t depth) {
  if (!s->bad || depth + 1 < s->bad) s->bad = depth + 1;
}

void search_open(struct search *s) {
  *vec_push(&s->marks) = (uint32_t)s->trail.count;
  *vec_push(&s->porder_marks) = porder_mark(&s->porder);
}

/* Shortens the trail. When deciding by activity, variables remember what they were. */
static void shorten(struct search *s, uint32_t length) {
  while (s->trail.count > length) {
    uint32_t code = vec_pop(&s->trail), var = code >> 1;
    s->values.data[code] = s->values.data[code ^ 1] = 0;
    if (!s->heap_full) continue;
    s->ranks.data[var].saved = !(code & 1);
    search_heap_insert(s, var);
  }
  if (s->queue > length) s->queue = length;
  if (s->theory > length) s->theory = length;
}

void search_cancel(struct search *s, uint32_t level) {
  if (search_level_now(s) <= level) return;
  shorten(s, s->marks.data[level]);
  porder_undo(&s->porder, s->porder_marks.data[level]);
  s->marks.count = s->porder_marks.count = level;
}

void search_push(struct search *s) {
  search_cancel(s, 0);
  *vec_push(&s->levels) = (struct search_level){
      .events = (uint32_t)s->porder.events.count,
      .vars = (uint32_t)s->vars.count,
      .trail = (uint32_t)s->trail.count,
      .queue = s->queue,
      .theory = s->theory,
      .problem = (uint32_t)s->problem.count,
      .learnts = (uint32_t)s->learnts.count,
      .units = (uint32_t)s->units.count,
      .porder = porder_mark(&s->porder),
  };
}

/* Learnt facts that do not rest on what went are facts still. */
static void keep_units(struct search *s, uint32_t from) {
  uint32_t depth = search_depth(s), kept = from;
  for (uint32_t i = from; i < s->units.count; i++) {
    struct search_unit u = s->units.data[i];
    if (u.tag > depth) continue;
    s->units.data[kept++] = u;
    if (s->values.data[u.code] < 0)
      search_set_bad(s, depth);
    else if (s->values.data[u.code] == 0)
      search_assign(s, u.code, REASON_NONE);
  }
  s->units.count = kept;
}

void search_pop(struct search *s) {
  assert(s->levels.count);
  search_cancel(s, 0);
  struct search_level l = vec_pop(&s->levels);
  search_forget_learnt(s, l.learnts, search_depth(s));
  search_forget_problem(s, l.problem);
  shorten(s, l.trail);
  if (s->queue > l.queue) s->queue = l.queue;
  if (s->theory > l.theory) s->theory = l.theory;
  porder_undo(&s->porder, l.porder);
  search_forget_vars(s, l.vars);
  porder_forget(&s->porder, l.events);
  s->heads.count = (size_t)l.events * s->porder.chains;
  s->listed.count = l.events;
  if (s->bad > search_depth(s) + 1) s->bad = 0;
  if (s->too_long > search_depth(s) + 1) s->too_long = 0;
  keep_units(s, l.units);
}

/* 1, 1, 2, 1, 1, 2, 4, ... (Luby, Sinclair, Zuckerman: Optimal speedup of Las Vegas algorithms) */
static uint64_t luby(uint64_t i) {
  uint64_t size = 1, power = 1;
  while (size < i + 1) size = 2 * size + 1, power *= 2;
  while (size - 1 != i) {
    size = (size - 1) / 2, power /= 2;
    i %= size;
  }
  return power;
}

enum step { STEP_AGAIN, STEP_NO, STEP_DONE };

/* Decides the next assumption. STEP_DONE: all are decided. */
static enum step assume(struct search *s) {
  uint32_t level = search_level_now(s);
  if (level >= s->nassumed) return STEP_DONE;
  uint32_t code = s->assumed[level].code;
  if (s->values.data[code] < 0) {
    search_core(s, code);
    return STEP_NO;
  }
  search_open(s);
  if (s->values.data[code] == 0) search_assign(s, code, REASON_NONE);
  return STEP_AGAIN;
}

static void restart(struct search *s) {
  s->stats.restarts++;
  search_cancel(s, 0);
  if (s->stats.conflicts < s->reduce_at) return;
  search_reduce(s);
  s->reduce_at = s->stats.conflicts + 2000 + 300 * (s->stats.restarts / 16);
}

static enum order_answer run(struct search *s, uint64_t budget) {
  uint64_t conflicts = 0, restarts = 0, restart_at = CANDIDATE_CONFLICTS + RESTART_UNIT, begun = search_effort(s);
  vec_clear(&s->broken);
  for (;;) {
    if (deadline_passed) return ORDER_UNKNOWN;
    if (!search_propagate(s)) {
      if (!search_analyze(s)) return ORDER_NO;
      conflicts++;
      if (search_effort(s) - begun > budget) return ORDER_UNKNOWN;
      vec_clear(&s->broken);
      continue;
    }
    if (conflicts >= restart_at) {
      restart_at = conflicts + RESTART_UNIT * luby(restarts++);
      restart(s);
      continue;
    }
    enum step step = assume(s);
    if (step == STEP_NO) return ORDER_NO;
    if (step == STEP_AGAIN) continue;
    if (conflicts < CANDIDATE_CONFLICTS) {
      if (search_repair(s)) continue;
      if (search_candidate(s)) return ORDER_YES;
      bool more = search_repair(s);
      assert(more);
      (void)more;
    } else if (!search_decide(s)) {
      return ORDER_YES;
    }
  }
}

enum order_answer search_solve(struct search *s, const struct order_lit *assumptions, size_t n, uint64_t budget) {
  search_cancel(s, 0);
  vec_clear(&s->core);
  s->stats.solves++;
  s->laid_out = false;
  s->assumed = assumptions, s->nassumed = n;
  if (s->too_long) return s->answer = ORDER_UNKNOWN;
  return s->answer = s->bad ? ORDER_NO : run(s, budget);
}
