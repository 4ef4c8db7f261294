#include "order/search.h"

static bool above(const struct search *s, uint32_t a, uint32_t b) { return s->ranks.data[a].activity > s->ranks.data[b].activity; }

static void put(struct search *s, uint32_t at, uint32_t var) {
  s->heap.data[at] = var;
  s->ranks.data[var].heap = at + 1;
}

static void sift_up(struct search *s, uint32_t at) {
  uint32_t var = s->heap.data[at];
  for (; at > 0 && above(s, var, s->heap.data[(at - 1) / 2]); at = (at - 1) / 2) put(s, at, s->heap.data[(at - 1) / 2]);
  put(s, at, var);
}

static void sift_down(struct search *s, uint32_t at) {
  uint32_t var = s->heap.data[at], count = (uint32_t)s->heap.count;
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && above(s, s->heap.data[child + 1], s->heap.data[child])) child++;
    if (!above(s, s->heap.data[child], var)) break;
    put(s, at, s->heap.data[child]);
  }
  put(s, at, var);
}

void search_heap_insert(struct search *s, uint32_t var) {
  if (s->ranks.data[var].heap) return;
  *vec_push(&s->heap) = var;
  sift_up(s, (uint32_t)s->heap.count - 1);
}

void search_heap_remove(struct search *s, uint32_t var) {
  uint32_t at = s->ranks.data[var].heap - 1, last = vec_pop(&s->heap);
  s->ranks.data[var].heap = 0;
  if (last == var) return;
  put(s, at, last);
  sift_up(s, at);
  sift_down(s, s->ranks.data[last].heap - 1);
}

static void rescale(struct search *s) {
  for (size_t v = 0; v < s->vars.count; v++) s->ranks.data[v].activity *= 1e-30f;
  s->bump *= 1e-30;
}

void search_bump(struct search *s, uint32_t var) {
  struct search_rank *v = &s->ranks.data[var];
  v->activity += (float)s->bump;
  if (v->activity > 1e30f) rescale(s);
  if (v->heap) sift_up(s, v->heap - 1);
}

void search_decay(struct search *s) { s->bump *= 1 / 0.95; }

/* Variables enter the heap when it is used for the first time, which is never for small problems. */
static void fill(struct search *s) {
  for (uint32_t v = 1; v < s->vars.count; v++) {
    if (!s->values.data[2 * v]) search_heap_insert(s, v);
  }
  s->heap_full = true;
}

bool search_decide(struct search *s) {
  if (!s->heap_full) fill(s);
  while (s->heap.count) {
    uint32_t var = s->heap.data[0];
    search_heap_remove(s, var);
    if (s->values.data[2 * var]) continue;
    search_open(s);
    search_assign(s, 2 * var + !s->ranks.data[var].saved, REASON_NONE);
    s->stats.decisions++;
    return true;
  }
  return false;
}
