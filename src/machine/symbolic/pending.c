#include "machine/symbolic/pending.h"

#include "base/deadline.h"

#define VERY_MANY    (1u << 20)
#define PATIENT_WORK 1000000u /* of a question, the second time */

static void push_deep(struct pending_inputs *t, struct pending one) {
  uint32_t depth = path_length(one.before);
  *vec_push(&t->deep[depth < PENDING_DEPTHS ? depth : PENDING_DEPTHS - 1]) = one;
  t->count++;
}

static bool is_fresh(const struct pending_inputs *t, uint64_t way) { return way && !hashmap_find(&t->seen, way); }

static void push(struct pending_inputs *t, struct pending one) {
  if (is_fresh(t, one.way))
    *vec_push(&t->fresh) = one;
  else
    push_deep(t, one);
}

/* The conjuncts of the condition are all among those of a path. */
static bool is_among(struct value_pool *p, struct expr condition, const struct hashmap *those) {
  struct path *alone = path_extend(p, NULL, condition);
  bool all = true;
  for (const struct path *at = alone; at && all; at = at->before) all = hashmap_find(those, at->condition.id);
  path_release(alone);
  return all;
}

void pending_explored(struct pending_inputs *t, struct value_pool *p, const struct decision *decisions, size_t count) {
  struct hashmap own = {0};
  for (const struct path *at = t->within; at; at = at->before) hashmap_at(&own, at->condition.id, 1, NULL);
  for (size_t i = 0; i < count; i++)
    if (decisions[i].way) hashmap_at(&t->seen, decisions[i].way, 1, NULL);
  struct path *path = path_keep(t->within);
  for (size_t i = 0; i < count; i++) {
    struct expr c = decisions[i].condition;
    if (is_among(p, c, &own)) continue;
    push(t, (struct pending){path_keep(path), expr_not(p, c), decisions[i].other});
    struct path *longer = path_extend(p, path, c);
    path_release(path);
    path = longer;
  }
  path_release(path);
  hashmap_release(&own);
}

/* The last one of those that have so many conditions before, or fewer where there is none; and then of those with the most. */
static struct pending take_deep(struct pending_inputs *t, size_t depth) {
  while (!t->deep[depth].count) depth = depth ? depth - 1 : PENDING_DEPTHS - 1;
  t->count--;
  return vec_pop(&t->deep[depth]);
}

static size_t most_conditions(const struct pending_inputs *t) {
  size_t depth = PENDING_DEPTHS - 1;
  while (!t->deep[depth].count) depth--;
  return depth;
}

static bool take(struct pending_inputs *t, struct pending *one) {
  while (t->first < t->fresh.count) {
    *one = t->fresh.data[t->first++];
    if (is_fresh(t, one->way)) return true;
    push_deep(t, *one);
  }
  t->first = t->fresh.count = 0;
  if (!t->count && t->hard.count) {
    t->patient = true;
    while (t->hard.count) push_deep(t, vec_pop(&t->hard));
  }
  if (!t->count) return false;
  size_t depth = most_conditions(t);
  if (t->turn++ % 2 && t->count < VERY_MANY) depth = hash_mix(t->turn) % (depth + 1);
  *one = take_deep(t, depth);
  return true;
}

/* Has it an input? Then it is `within`, and the model has it. */
static enum value_answer find_input(struct pending_inputs *t, struct pending one, struct value_pool *p, struct value_solver *s,
                                    struct value_model *model) {
  enum value_answer answer = value_may(s, one.before, one.condition, NULL);
  if (answer != VALUE_YES) return answer;
  path_release(t->within);
  t->within = path_extend(p, one.before, one.condition);
  return value_model(s, t->within, model);
}

enum value_answer pending_next(struct pending_inputs *t, struct value_pool *p, struct value_solver *s, struct value_model *model) {
  struct pending one;
  while (!deadline_passed && take(t, &one)) {
    value_solver_set_work(s, t->patient ? PATIENT_WORK : 0);
    enum value_answer answer = find_input(t, one, p, s, model);
    if (answer == VALUE_UNKNOWN && !t->patient) {
      *vec_push(&t->hard) = one;
      continue;
    }
    path_release(one.before);
    if (answer == VALUE_YES) return VALUE_YES;
    t->unknown |= answer == VALUE_UNKNOWN;
  }
  return t->unknown || deadline_passed ? VALUE_UNKNOWN : VALUE_NO;
}

void pending_clear(struct pending_inputs *t) {
  struct pending one;
  while (take(t, &one)) path_release(one.before);
  path_release(t->within);
  t->within = NULL;
  t->unknown = t->patient = false;
  t->turn = 0;
  hashmap_clear(&t->seen);
}

void pending_release(struct pending_inputs *t) {
  pending_clear(t);
  vec_release(&t->fresh);
  vec_release(&t->hard);
  for (size_t i = 0; i < PENDING_DEPTHS; i++) vec_release(&t->deep[i]);
  hashmap_release(&t->seen);
}
