#include "program/lower/analysis/control_flow.h"

#include <string.h>

#define NONE UINT32_MAX

void control_graph_release(struct control_graph *g) {
  vec_release(&g->first);
  vec_release(&g->succs);
}

void control_flow_release(struct control_flow *c) {
  vec_release(&c->preds_first);
  vec_release(&c->preds);
  vec_release(&c->order);
  vec_release(&c->number);
  vec_release(&c->dominator);
  vec_release(&c->part);
  vec_release(&c->loops);
  vec_release(&c->stack);
  vec_release(&c->next);
  vec_release(&c->pairs);
}

static void find_predecessors(struct control_flow *c, const struct control_graph *g) {
  vec_clear(&c->preds_first);
  vec_clear(&c->preds);
  uint32_t *first = vec_push_n(&c->preds_first, g->n + 1), *preds = vec_push_n(&c->preds, g->succs.count);
  memset(first, 0, (g->n + 1) * sizeof *first);
  for (size_t i = 0; i < g->succs.count; i++) first[g->succs.data[i]]++;
  for (uint32_t b = 0, sum = 0; b <= g->n; b++) {
    uint32_t count = b < g->n ? first[b] : 0;
    first[b] = sum += count; /* its end; filled from there downwards */
  }
  for (uint32_t b = g->n; b-- > 0;)
    for (uint32_t k = g->first.data[b + 1]; k-- > g->first.data[b];) preds[--first[g->succs.data[k]]] = b;
}

/* Appends to `order`, in postorder, what reaches `from` and has no number yet. */
static void visit(struct control_flow *c, uint32_t from) {
  c->number.data[from] = 0;
  *vec_push(&c->stack) = from;
  while (c->stack.count) {
    uint32_t b = vec_last(&c->stack), *next = &c->next.data[b];
    if (*next == c->preds_first.data[b + 1]) {
      *vec_push(&c->order) = b;
      c->stack.count--;
      continue;
    }
    uint32_t p = c->preds.data[(*next)++];
    if (c->number.data[p] != NONE) continue;
    c->number.data[p] = 0;
    *vec_push(&c->stack) = p;
  }
}

/* The end, `n`, is behind every exit. What reaches no exit is a loop without end: its last block counts as one. */
static void number_blocks(struct control_flow *c, const struct control_graph *g) {
  uint32_t n = g->n;
  vec_clear(&c->order);
  vec_clear(&c->number);
  vec_clear(&c->next);
  vec_clear(&c->dominator);
  memset(vec_push_n(&c->number, n + 1), 0xff, (n + 1) * sizeof(uint32_t));
  memset(vec_push_n(&c->dominator, n + 1), 0xff, (n + 1) * sizeof(uint32_t));
  memcpy(vec_push_n(&c->next, n), c->preds_first.data, n * sizeof(uint32_t));
  for (uint32_t b = 0; b < n; b++)
    if (g->first.data[b] == g->first.data[b + 1]) visit(c, b), c->dominator.data[b] = n;
  for (uint32_t b = n; b-- > 0;)
    if (c->number.data[b] == NONE) visit(c, b), c->dominator.data[b] = n;
  *vec_push(&c->order) = n;
  for (uint32_t i = 0; i <= n; i++) c->number.data[c->order.data[i]] = n - i;
  c->dominator.data[n] = n;
}

static uint32_t common(const struct control_flow *c, uint32_t a, uint32_t b) {
  while (a != b) {
    while (c->number.data[a] > c->number.data[b]) a = c->dominator.data[a];
    while (c->number.data[b] > c->number.data[a]) b = c->dominator.data[b];
  }
  return a;
}

static void find_dominators(struct control_flow *c, const struct control_graph *g) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = g->n; i-- > 0;) { /* from the end on */
      uint32_t b = c->order.data[i], best = c->dominator.data[b] == g->n ? g->n : NONE;
      for (uint32_t k = g->first.data[b]; k < g->first.data[b + 1]; k++) {
        uint32_t s = g->succs.data[k];
        if (c->dominator.data[s] == NONE) continue;
        best = best == NONE ? s : common(c, best, s);
      }
      if (best == NONE || best == c->dominator.data[b]) continue;
      c->dominator.data[b] = best;
      changed = true;
    }
  }
}

/* Kosaraju's algorithm: what is reached forwards, begun at what was left last on the way backwards. */
static void find_parts(struct control_flow *c, const struct control_graph *g) {
  vec_clear(&c->part);
  vec_clear(&c->loops);
  memset(vec_push_n(&c->part, g->n), 0xff, g->n * sizeof(uint32_t));
  memset(vec_push_n(&c->loops, g->n), 0, g->n * sizeof(bool));
  for (uint32_t i = g->n; i-- > 0;) {
    uint32_t root = c->order.data[i];
    if (c->part.data[root] != NONE) continue;
    *vec_push(&c->stack) = root;
    c->part.data[root] = root;
    while (c->stack.count) {
      uint32_t b = vec_pop(&c->stack);
      for (uint32_t k = g->first.data[b]; k < g->first.data[b + 1]; k++) {
        uint32_t s = g->succs.data[k];
        if (c->part.data[s] == root && s == b) c->loops.data[b] = true;
        if (c->part.data[s] != NONE) continue;
        c->part.data[s] = root;
        c->loops.data[root] = c->loops.data[s] = true;
        *vec_push(&c->stack) = s;
      }
    }
  }
}

void control_flow_find(struct control_flow *c, const struct control_graph *g) {
  find_predecessors(c, g);
  number_blocks(c, g);
  find_dominators(c, g);
  find_parts(c, g);
  vec_clear(&c->pairs);
  for (uint32_t b = 0; b < g->n; b++) {
    if (g->first.data[b + 1] - g->first.data[b] < 2 && c->dominator.data[b] != g->n) continue;
    for (uint32_t k = g->first.data[b]; k < g->first.data[b + 1]; k++)
      for (uint32_t i = g->succs.data[k]; i != c->dominator.data[b] && i != g->n; i = c->dominator.data[i])
        *vec_push(&c->pairs) = (struct control_pair){i, b};
  }
}
