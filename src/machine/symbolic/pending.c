#include "machine/symbolic/pending.h"

#include <time.h>

#include "base/deadline.h"

#define VERY_MANY        (1u << 20)
#define PATIENT_WORK     1000000u /* of a question, the second time */
#define EXPLORATION_WORK 16u      /* of any, in conditions */

static unsigned share_of(const struct path *before) {
  uint32_t conditions = path_length(before);
  unsigned i = 0;
  while (conditions >> i) i++;
  return i;
}

/* Of those that have any, the one that has taken the least work; NULL: none has any. */
static struct pending_share *least_share(struct pending_inputs *t) {
  struct pending_share *least = NULL;
  for (struct pending_share *s = t->shares; s < t->shares + PENDING_SHARES; s++)
    if (s->all.count && (!least || s->work < least->work)) least = s;
  return least;
}

static void push_share(struct pending_inputs *t, struct pending one) {
  struct pending_share *to = &t->shares[share_of(one.before)];
  const struct pending_share *least = to->all.count ? NULL : least_share(t);
  if (least && to->work < least->work) to->work = least->work;
  *vec_push(&to->all) = one;
  t->count++;
}

static bool is_fresh(const struct pending_inputs *t, uint64_t way) { return way && !hashmap_find(&t->seen, way); }

void pending_add(struct pending_inputs *t, struct pending one) {
  if (is_fresh(t, one.way))
    *vec_push(&t->fresh) = one;
  else
    push_share(t, one);
}

/* The conjuncts of the condition are all among those of a path. */
static bool is_among(struct value_pool *p, struct expr condition, const struct hashmap *those) {
  struct path *alone = path_extend(p, NULL, condition);
  bool all = true;
  for (const struct path *at = alone; at && all; at = at->before) all = hashmap_find(those, at->condition.id);
  path_release(alone);
  return all;
}

bool pending_decided(struct pending_inputs *t, struct value_pool *p, const struct decision *decisions, size_t from, size_t count,
                     uint64_t tag) {
  struct hashmap own = {0};
  bool any = false;
  if (from == count) return false;
  for (const struct path *at = t->within; at; at = at->before) hashmap_at(&own, at->condition.id, 1, NULL);
  for (size_t i = from; i < count; i++)
    if (decisions[i].way) hashmap_at(&t->seen, decisions[i].way, 1, NULL);
  struct path *path = path_keep(t->within);
  for (size_t i = 0; i < count; i++) {
    struct expr c = decisions[i].condition;
    if (is_among(p, c, &own)) continue;
    if (i >= from) pending_add(t, (struct pending){path_keep(path), expr_not(p, c), decisions[i].other, tag}), any = true;
    struct path *longer = path_extend(p, path, c);
    path_release(path);
    path = longer;
  }
  path_release(path);
  hashmap_release(&own);
  return any;
}

void pending_explored(struct pending_inputs *t, struct value_pool *p, const struct decision *decisions, size_t count) {
  t->shares[share_of(t->within)].work += EXPLORATION_WORK + count;
  pending_decided(t, p, decisions, 0, count, 0);
}

static bool take(struct pending_inputs *t, struct pending *one) {
  while (t->first < t->fresh.count) {
    *one = t->fresh.data[t->first++];
    if (is_fresh(t, one->way)) return true;
    push_share(t, *one);
  }
  t->first = t->fresh.count = 0;
  if (!t->count && t->hard.count && !t->puts_off) {
    t->patient = true;
    while (t->hard.count) push_share(t, vec_pop(&t->hard));
  }
  if (!t->count) return false;
  struct pending_share *from = t->count < VERY_MANY ? least_share(t) : &t->shares[PENDING_SHARES - 1];
  while (!from->all.count) from--;
  size_t last = from->all.count - 1;
  struct pending *it = &from->all.data[++t->turn % 2 ? hash_mix(t->turn) % (last + 1) : last];
  *one = *it;
  *it = from->all.data[last];
  from->all.count--, t->count--;
  return true;
}

/* Has it an input? Then it is `within`, and the model has it. */
static enum value_answer find_input(struct pending_inputs *t, struct pending one, struct value_pool *p, struct value_solver *s,
                                    struct value_model *model) {
  enum value_answer answer = value_may(s, one.before, one.condition, NULL);
  if (answer != VALUE_YES) return answer;
  path_release(t->within);
  t->within = path_extend(p, one.before, one.condition);
  t->tag = one.tag;
  return value_model(s, t->within, model);
}

enum value_answer pending_next(struct pending_inputs *t, struct value_pool *p, struct value_solver *s, struct value_model *model) {
  struct pending one;
  while (!deadline_passed && take(t, &one)) {
    value_solver_set_work(s, t->patient ? PATIENT_WORK : 0);
    clock_t began = clock();
    enum value_answer answer = find_input(t, one, p, s, model);
    t->nanoseconds += (uint64_t)(clock() - began) * (1000000000u / CLOCKS_PER_SEC);
    if (answer == VALUE_UNKNOWN && !t->patient) {
      t->late = value_solver_reason(s) == VALUE_REASON_TIME;
      *vec_push(&t->hard) = one;
      continue;
    }
    path_release(one.before);
    if (answer == VALUE_YES) return t->found++, VALUE_YES;
    t->unknown |= answer == VALUE_UNKNOWN;
  }
  return t->unknown || deadline_passed ? VALUE_UNKNOWN : VALUE_NO;
}

bool pending_unsolved(const struct pending_inputs *t) { return t->unknown || t->hard.count > t->late; }

size_t pending_count(const struct pending_inputs *t) { return t->fresh.count - t->first + t->count + t->hard.count; }

void pending_drop(struct pending_inputs *t) {
  struct pending one;
  while (t->hard.count) push_share(t, vec_pop(&t->hard));
  while (take(t, &one)) path_release(one.before);
  path_release(t->within);
  t->within = NULL;
  t->unknown = t->patient = t->puts_off = t->late = false;
}

void pending_clear(struct pending_inputs *t) {
  pending_drop(t);
  t->turn = 0;
  for (size_t i = 0; i < PENDING_SHARES; i++) t->shares[i].work = 0;
  hashmap_clear(&t->seen);
}

void pending_release(struct pending_inputs *t) {
  pending_clear(t);
  vec_release(&t->fresh);
  vec_release(&t->hard);
  for (size_t i = 0; i < PENDING_SHARES; i++) vec_release(&t->shares[i].all);
  hashmap_release(&t->seen);
}
