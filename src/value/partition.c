#include "value/partition.h"

#include <string.h>

#include "value/eval.h"

static struct part_symbol *symbol_at(struct partition *t, uint32_t s) {
  while (t->symbols.count <= s) {
    uint32_t id = (uint32_t)t->symbols.count;
    *vec_push(&t->symbols) = (struct part_symbol){.parent = id, .size = 1, .ring = PART_NONE, .fixed = PART_NONE};
  }
  return &t->symbols.data[s];
}

static uint32_t group_of(struct partition *t, uint32_t s) {
  (void)symbol_at(t, s);
  while (t->symbols.data[s].parent != s) s = t->symbols.data[s].parent;
  return s;
}

static void exchange_next(struct partition *t, uint32_t a, uint32_t b) {
  uint32_t next = t->conditions.data[a].next;
  t->conditions.data[a].next = t->conditions.data[b].next;
  t->conditions.data[b].next = next;
}

static uint32_t unite(struct partition *t, uint32_t a, uint32_t b) {
  if (a == b) return a;
  if (t->symbols.data[a].size < t->symbols.data[b].size) {
    uint32_t swap = a;
    a = b, b = swap;
  }
  struct part_symbol *large = &t->symbols.data[a], *small = &t->symbols.data[b];
  *vec_push(&t->changes) = (struct part_change){CHANGE_UNION, b, large->ring};
  small->parent = a;
  large->size += small->size;
  if (large->ring == PART_NONE)
    large->ring = small->ring;
  else if (small->ring != PART_NONE)
    exchange_next(t, large->ring, small->ring);
  return a;
}

static void take_back(struct partition *t, struct part_change c) {
  struct part_symbol *s = &t->symbols.data[c.at];
  if (c.kind == CHANGE_FIXED) {
    s->fixed = PART_NONE;
    t->changed = true;
  }
  if (c.kind == CHANGE_RING) {
    if (c.ring != PART_NONE) exchange_next(t, s->ring, c.ring);
    s->ring = c.ring;
  }
  if (c.kind != CHANGE_UNION) return;
  struct part_symbol *large = &t->symbols.data[s->parent];
  if (c.ring != PART_NONE && s->ring != PART_NONE) exchange_next(t, c.ring, s->ring);
  large->ring = c.ring;
  large->size -= s->size;
  s->parent = c.at;
}

/* The condition with the path's constants; what it fixes itself. */
static void reduce(struct partition *t, struct path *path) {
  path->reduced = partition_reduce(t, path->condition);
  struct expr e = path->reduced;
  enum expr_op op = expr_op(t->pool, e);
  if (op == EXPR_SYMBOL) path->fixed = e;
  if (op != EXPR_NOT && op != EXPR_EQ) return;
  const struct node *n = node_at(t->pool, e.id);
  struct expr of = {n->args[0]};
  if (expr_op(t->pool, of) != EXPR_SYMBOL) return;
  if (op == EXPR_NOT || node_at(t->pool, n->args[1])->op == EXPR_CONSTANT) path->fixed = of;
}

static void fix(struct partition *t, const struct path *path) {
  uint32_t s = expr_the_symbol(t->pool, path->fixed).id;
  const struct node *n = node_at(t->pool, path->reduced.id);
  struct expr constant = n->op == EXPR_EQ ? (struct expr){n->args[1]} : expr_constant(t->pool, 1, n->op == EXPR_SYMBOL);
  *vec_push(&t->changes) = (struct part_change){CHANGE_FIXED, s, PART_NONE};
  symbol_at(t, s)->fixed = constant.id;
  t->changed = true;
}

static void push(struct partition *t, struct path *path) {
  uint32_t depth = (uint32_t)t->conditions.count;
  *vec_push(&t->conditions) = (struct part_condition){path, depth, t->changes.count};
  if (path->reduced.id == PATH_NOT_REDUCED.id) reduce(t, path);
  size_t count;
  const struct symbol *of = symbol_set_list(t->pool, expr_symbols(t->pool, path->reduced), &count);
  if (count == 0) return; /* a constant: true, or the path is impossible */
  uint32_t group = group_of(t, of[0].id);
  for (size_t i = 1; i < count; i++) group = unite(t, group, group_of(t, of[i].id));
  struct part_symbol *s = &t->symbols.data[group];
  *vec_push(&t->changes) = (struct part_change){CHANGE_RING, group, s->ring};
  if (s->ring != PART_NONE) exchange_next(t, depth, s->ring);
  s->ring = depth;
  if (path->fixed.id != PATH_NOT_REDUCED.id) fix(t, path);
}

static void pop(struct partition *t) {
  struct part_condition *c = &vec_last(&t->conditions);
  while (t->changes.count > c->changes) take_back(t, vec_pop(&t->changes));
  t->conditions.count--;
}

void partition_move(struct partition *t, struct path *path) {
  struct path *before = t->conditions.count ? vec_last(&t->conditions).path : NULL;
  if (before == path) return;
  struct path *kept = path_keep(path);
  vec_clear(&t->way);
  while (path && (path->length > t->conditions.count || t->conditions.data[path->length - 1].path != path)) {
    *vec_push(&t->way) = path;
    path = path->before;
  }
  while (t->conditions.count > path_length(path)) pop(t);
  while (t->way.count) push(t, vec_pop(&t->way));
  (void)kept; /* held from here on as the last */
  path_release(before);
}

struct expr partition_reduce(struct partition *t, struct expr e) {
  bool any = false;
  size_t count;
  const struct symbol *of = symbol_set_list(t->pool, expr_symbols(t->pool, e), &count);
  for (size_t i = 0; i < count; i++) {
    uint32_t fixed = of[i].id < t->symbols.count ? t->symbols.data[of[i].id].fixed : PART_NONE;
    if (fixed == PART_NONE) continue;
    if (t->changed || !t->with_constants.pool) substituter_begin(&t->with_constants, t->pool);
    t->changed = false;
    substituter_replace(&t->with_constants, (struct substitution){of[i], fixed});
    any = true;
  }
  return any ? substituter_result(&t->with_constants, e) : e;
}

void partition_search(struct partition *t) { t->round++; }

void partition_collect(struct partition *t, struct symbol_set set, struct conjuncts *out) {
  size_t count;
  const struct symbol *of = symbol_set_list(t->pool, set, &count);
  for (size_t i = 0; i < count; i++) {
    uint32_t group = group_of(t, of[i].id);
    struct part_symbol *s = &t->symbols.data[group];
    if (s->round == t->round) continue;
    s->round = t->round;
    uint32_t at = s->ring;
    if (at == PART_NONE) continue;
    do {
      *vec_push(&out->ids) = t->conditions.data[at].path->reduced.id;
      at = t->conditions.data[at].next;
    } while (at != s->ring);
  }
}

void partition_release(struct partition *t) {
  partition_move(t, NULL);
  vec_release(&t->conditions);
  vec_release(&t->symbols);
  vec_release(&t->changes);
  vec_release(&t->way);
  substituter_release(&t->with_constants);
}
