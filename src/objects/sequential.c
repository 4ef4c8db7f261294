#include "objects/sequential.h"

#include <string.h>

static uint64_t hash_node(const struct sequential_node *n) {
  uint64_t h = hash_pair(n->has_state, n->has_state ? n->state : 0);
  for (uint32_t t = 0; t < SCENARIO_THREADS; t++) {
    h = hash_pair(h, hash_pair(n->done[t], n->next[t]));
    h = hash_pair(h, n->next[t] == SEQUENTIAL_NONE ? 0 : n->result[t]);
  }
  return h;
}

uint32_t sequential_add(struct sequential *s, const struct sequential_node *node) {
  bool is_new;
  uint64_t *number = hashmap_at(&s->known, hash_node(node), s->nodes.count, &is_new);
  if (is_new) *vec_push(&s->nodes) = *node;
  return (uint32_t)*number;
}

void sequential_release(struct sequential *s) {
  vec_release(&s->nodes);
  hashmap_release(&s->known);
  *s = (struct sequential){0};
}
