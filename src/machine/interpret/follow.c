#include "machine/interpret/follow.h"

#include <string.h>

struct follow *follow_new(void) {
  return mem_alloc(sizeof(struct follow));
}

void follow_free(struct follow *f) {
  if (!f) return;
  for (uint32_t i = 0; i < THREADS_MAX; i++) {
    struct follow_thread *t = f->threads[i];
    if (!t) continue;
    vec_release(&t->slots);
    vec_release(&t->tags);
    vec_release(&t->control);
    vec_release(&t->reads);
    mem_free(t, sizeof *t);
  }
  vec_release(&f->nodes);
  vec_release(&f->work);
  hashmap_release(&f->pairs);
  hashmap_release(&f->memory);
  mem_free(f, sizeof *f);
}

void follow_begin(struct follow *f) {
  vec_clear(&f->nodes);
  *vec_push(&f->nodes) = (struct reads_node){0};
  hashmap_clear(&f->pairs);
  hashmap_clear(&f->memory);
  f->stamp = f->noted = 0;
  for (uint32_t i = 0; i < THREADS_MAX; i++) {
    struct follow_thread *t = f->threads[i];
    if (!t) continue;
    vec_clear(&t->slots);
    vec_clear(&t->tags);
    vec_clear(&t->control);
    vec_clear(&t->reads);
    t->given = 0, t->stored = READS_NONE, t->now = (struct follow_insn){0};
  }
}

struct follow_thread *follow_thread(struct follow *f, uint32_t tid) {
  if (!f->threads[tid]) {
    f->threads[tid] = mem_alloc(sizeof *f->threads[tid]);
    f->threads[tid]->tid = tid;
  }
  return f->threads[tid];
}

/* --- sets --- */

static uint32_t add_node(struct follow *f, uint32_t left, uint32_t right) {
  *vec_push(&f->nodes) = (struct reads_node){.left = left, .right = right};
  return (uint32_t)f->nodes.count - 1;
}

uint32_t reads_one(struct follow *f, uint32_t event) { return add_node(f, UINT32_MAX, event); }

uint32_t reads_union(struct follow *f, uint32_t a, uint32_t b) {
  if (a == b || b == READS_NONE) return a;
  if (a == READS_NONE) return b;
  uint32_t left = a < b ? a : b, right = a < b ? b : a;
  const struct reads_node *larger = &f->nodes.data[right];
  if (larger->left != UINT32_MAX && (larger->left == left || larger->right == left)) return right;
  bool is_new = false;
  uint32_t fresh = (uint32_t)f->nodes.count;
  uint64_t *at = hashmap_at(&f->pairs, (uint64_t)left << 32 | right, fresh, &is_new);
  return is_new ? add_node(f, left, right) : (uint32_t)*at;
}

const uint32_t *reads_list(struct follow *f, uint32_t set, uint32_t *n) {
  /* The list grows from the front of `work`, what is still to be looked at lies behind it. */
  uint32_t count = 0;
  vec_clear(&f->work);
  f->stamp++;
  if (set != READS_NONE) *vec_push(&f->work) = set;
  for (size_t i = 0; i < f->work.count; i++) {
    struct reads_node *x = &f->nodes.data[f->work.data[i]];
    if (x->stamp == f->stamp) continue;
    x->stamp = f->stamp;
    if (x->left == UINT32_MAX) {
      f->work.data[count++] = f->work.data[i];
      continue;
    }
    uint32_t *both = vec_push_n(&f->work, 2);
    both[0] = x->left, both[1] = x->right;
  }
  *n = count;
  return f->work.data;
}

/* --- memory --- */

uint32_t memory_reads(struct follow *f, uint64_t address, uint64_t size) {
  uint32_t set = READS_NONE;
  if (f->memory.count == 0 || size == 0) return set;
  for (uint64_t granule = address >> 2; granule <= (address + size - 1) >> 2; granule++) {
    const uint64_t *at = hashmap_find(&f->memory, granule);
    if (at) set = reads_union(f, set, (uint32_t)*at);
  }
  return set;
}

void memory_reads_set(struct follow *f, struct follow_thread *t, uint64_t address, uint64_t size, uint32_t set) {
  t->stored = reads_union(f, t->stored, set);
  if (size == 0 || (set == READS_NONE && f->memory.count == 0)) return;
  for (uint64_t granule = address >> 2; granule <= (address + size - 1) >> 2; granule++) {
    bool whole = granule << 2 >= address && (granule << 2) + 4 <= address + size;
    uint64_t *at = hashmap_at(&f->memory, granule, READS_NONE, NULL);
    *at = whole ? set : reads_union(f, (uint32_t)*at, set);
  }
}

/* --- control --- */

void follow_control(struct follow *f, struct follow_thread *t, uint32_t set) {
  if (set == READS_NONE || f->nodes.data[set].controls == t->tid + 1) return;
  uint32_t n;
  const uint32_t *reads = reads_list(f, set, &n);
  for (uint32_t i = 0; i < n; i++) {
    struct reads_node *x = &f->nodes.data[reads[i]];
    if (x->controls == t->tid + 1) continue;
    x->controls = t->tid + 1;
    *vec_push(&t->control) = x->right;
  }
  f->nodes.data[set].controls = t->tid + 1;
}

void follow_control_all(struct follow *f, struct follow_thread *t) {
  for (size_t i = 0; i < t->reads.count; i++) follow_control(f, t, t->reads.data[i]);
}
