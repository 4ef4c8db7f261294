#include "machine/interpret/undefined.h"

#include <string.h>

#include "machine/memory/access.h"

/* --- the list --- */

static size_t place_of(const struct thread *t, uint32_t slot) {
  size_t i = 0;
  while (i < t->undefined.count && t->undefined.data[i].slot < slot) i++;
  return i;
}

uint64_t undefined_mask(const struct thread *t, uint32_t slot) {
  size_t i = place_of(t, slot);
  return i < t->undefined.count && t->undefined.data[i].slot == slot ? t->undefined.data[i].mask : 0;
}

void undefined_set(struct thread *t, uint32_t slot, uint64_t mask) {
  size_t i = place_of(t, slot);
  struct undefined_slot *at = t->undefined.data + i;
  bool known = i < t->undefined.count && at->slot == slot;
  if (known && mask) {
    at->mask = mask;
  } else if (known) {
    memmove(at, at + 1, (--t->undefined.count - i) * sizeof *at);
  } else if (mask) {
    (void)vec_push(&t->undefined);
    at = t->undefined.data + i;
    memmove(at + 1, at, (t->undefined.count - 1 - i) * sizeof *at);
    *at = (struct undefined_slot){slot, mask};
  }
}

void undefined_cut(struct thread *t, uint32_t slot) { t->undefined.count = place_of(t, slot); }

static bool is_live(struct machine *m, const struct thread *t, uint32_t slot) {
  size_t i = t->frames.count;
  while (i > 0 && t->frames.data[i - 1].base > slot) i--;
  if (i == 0) return false;
  const struct frame *frame = &t->frames.data[i - 1];
  uint32_t n;
  const uint16_t *live = liveness_at(&m->liveness, frame->function, frame->pc, frame_calls(t, i - 1), &n);
  for (uint32_t k = 0; k < n; k++)
    if (frame->base + live[k] == slot) return true;
  return false;
}

void undefined_settle(struct machine *m, struct thread *t) {
  size_t kept = 0;
  for (size_t i = 0; i < t->undefined.count; i++)
    if (is_live(m, t, (uint32_t)t->undefined.data[i].slot)) t->undefined.data[kept++] = t->undefined.data[i];
  t->undefined.count = kept;
}

/* --- memory --- */

void undefined_loaded(struct thread *t, uint32_t slot, uint64_t address, uint64_t size) {
  undefined_set(t, slot, uninitialised_bits(address, size));
}

void undefined_put(uint64_t mask, uint64_t address, uint64_t size) {
  for (uint64_t i = 0; mask && i < size; i++)
    if ((mask >> 8 * i & 0xff) == 0xff) *shadow_at(address + i) |= SHADOW_UNINIT;
}

void undefined_stored(const struct thread *t, uint32_t slot, uint64_t address, uint64_t size) {
  undefined_put(undefined_mask(t, slot), address, size);
}

void undefined_filled(const struct thread *t, uint32_t slot, uint64_t address, uint64_t size) {
  bool all = (undefined_mask(t, slot) & 0xff) == 0xff;
  for (uint64_t i = 0; all && i < size; i++) *shadow_at(address + i) |= SHADOW_UNINIT;
}

/* Calls for each leaf of the layout, with the slot that holds it: the first of two for wide ones. */
typedef void leaf_fn(struct thread *t, uint32_t slot, uint64_t address, uint64_t size);

static void each_leaf(const struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint32_t layout, leaf_fn *each) {
  const struct image_layout *x = &m->image->layouts[layout];
  for (uint32_t i = 0; i < x->count; i++) {
    const struct image_leaf *leaf = &m->image->leaves[x->first + i];
    uint32_t first = leaf->bytes < 8 ? leaf->bytes : 8;
    if (leaf->kind != LEAF_BIT) each(t, slot, address + leaf->offset, first);
    if (leaf->kind == LEAF_WIDE && leaf->bytes > 8) each(t, slot + 1, address + leaf->offset + 8, leaf->bytes - 8u);
    slot += leaf->kind == LEAF_WIDE ? 2 : 1;
  }
}

static void store_leaf(struct thread *t, uint32_t slot, uint64_t address, uint64_t size) { undefined_stored(t, slot, address, size); }

void undefined_loaded_layout(const struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint32_t layout) {
  each_leaf(m, t, slot, address, layout, undefined_loaded);
}

void undefined_stored_layout(const struct machine *m, const struct thread *t, uint32_t slot, uint64_t address, uint32_t layout) {
  each_leaf(m, (struct thread *)(uintptr_t)t, slot, address, layout, store_leaf);
}
