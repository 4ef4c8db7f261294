/* Leaks: blocks that are live when the program ends and that no pointer in globals, stacks, thread-locals, registers or other
 * reachable blocks leads to. A word counts as a pointer if it is an address inside a block or one past it. */
#include "machine/internal.h"
#include "machine/memory/buffer.h"
#include "machine/symbolic/symbolic.h"

struct marking {
  struct machine *m;
  VEC(uint64_t) work; /* reachable blocks whose content is to be scanned */
  struct hashmap reached;
};

/* Does it point to a block? */
static bool mark_word(struct marking *k, uint64_t word) {
  struct heap_block block;
  if (!in_arena(word, 1) || region_of(word) >= THREADS_MAX || word < region_base(region_of(word)) + REGION_STACK_SIZE) return false;
  if (!heap_find(k->m, word, &block) || !block.live || word > block.address + block.size) return false;
  bool is_new = false;
  hashmap_at(&k->reached, block.address, 1, &is_new);
  if (is_new) *vec_push(&k->work) = block.address;
  return true;
}

static void mark_range(struct marking *k, uint64_t from, uint64_t to) {
  for (uint64_t a = (from + 7) & ~7ull; a + 8 <= to; a += 8)
    if (mark_word(k, memory_get(a)) && k->m->symbolic) symbolic_fix_memory(k->m, a, 8);
}

static void mark_thread(struct marking *k, struct thread *t) {
  struct machine *m = k->m;
  mark_range(k, region_tls(t->tid), m->memory.regions[t->tid].sp);
  for (size_t i = 0; i < t->frames.count; i++) {
    const struct frame *frame = &t->frames.data[i];
    uint32_t n;
    const uint16_t *live = liveness_at(&m->liveness, frame->function, frame->pc, frame_calls(t, i), &n);
    for (uint32_t s = 0; s < n; s++)
      if (mark_word(k, t->slots.data[frame->base + live[s]]) && m->symbolic) symbolic_fix(m, t, frame->base + live[s]);
  }
}

static bool any_live_block(const struct machine *m) {
  for (uint32_t i = 0; i < m->memory.nactive; i++) {
    const struct region *r = &m->memory.regions[m->memory.active[i]];
    for (size_t b = 0; b < r->blocks.count; b++)
      if (memory_get(r->blocks.data[b] - 8) >> 32 & 1) return true;
  }
  return false;
}

bool heap_check_leaks(struct machine *m) {
  if (!m->options.leaks || !any_live_block(m)) return false;
  struct marking k = {.m = m};
  if (m->buffers) buffers_in(m, m->running); /* what points there soon will */
  for (uint32_t i = 0; i < m->image->nglobals; i++) {
    const struct image_global *g = &m->image->globals[i];
    if (!(g->flags & (GLOBAL_CONST | GLOBAL_TLS))) mark_range(&k, g->address, g->address + g->size);
  }
  for (uint32_t i = 0; i < m->ncreated; i++) mark_thread(&k, m->threads[m->created[i]]);
  while (k.work.count) {
    struct heap_block block;
    uint64_t address = vec_pop(&k.work);
    if (heap_find(m, address, &block)) mark_range(&k, block.address, block.address + block.size);
  }
  bool found = false;
  for (uint32_t i = 0; i < m->memory.nactive && !found; i++) {
    const struct region *r = &m->memory.regions[m->memory.active[i]];
    for (size_t b = 0; b < r->blocks.count && !found; b++) {
      struct heap_block block;
      if (!heap_find(m, r->blocks.data[b], &block) || !block.live || hashmap_find(&k.reached, block.address)) continue;
      found = true;
      machine_fail(m, NULL, FINDING_LEAK, "", "heap block of %llu byte%s is never freed and nothing points to it at the end",
                   (unsigned long long)block.size, block.size == 1 ? "" : "s");
      machine_fail_site(m, block.alloc_thread, block.alloc_site, "allocated");
    }
  }
  if (m->buffers) buffers_out(m, m->running);
  vec_release(&k.work);
  hashmap_release(&k.reached);
  return found;
}
