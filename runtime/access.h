/* Accesses of the program to its memory: what each of them leaves in the shadow, and which earlier ones it races with. */
#pragma once
#include "record.h"
#include "thread.h"

/* What an access is beside its place. */
struct access {
  uintptr_t address;
  uint32_t size;
  enum site_kind kind;
};

HOT bool kind_writes(enum site_kind k) { return k == SITE_WRITE || k == SITE_ATOMIC_WRITE || k == SITE_FREE; }
HOT bool kind_atomic(enum site_kind k) { return k == SITE_ATOMIC_READ || k == SITE_ATOMIC_WRITE || k == SITE_USE; }

/* Any bytes. */
void access_range(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, uintptr_t pc);
/* Nobody has touched these bytes yet: they are new. */
void access_forget(uintptr_t address, size_t size);

/* As the compiler's calls come: an access of that size (1, 2, 4, 8, 16), which may go beyond a word. */
void access_slow(uintptr_t address, unsigned size, enum site_kind kind, uintptr_t pc);

HOT void access_read(uintptr_t address, unsigned size, uintptr_t pc) {
  const struct pair *p = shadow_of(address);
  if (LIKELY(size <= 8 && (address & 7) + size <= 8)) {
    cell read = cell_load(&p->read);
    if (LIKELY(cell_covers(read, hd_fast.epoch, mask_of(address, size)))) return;
    if (read && read == *known_set(&hd_fast, read)) return;
  }
  access_slow(address, size, SITE_READ, pc);
}

HOT void access_write(uintptr_t address, unsigned size, uintptr_t pc) {
  const struct pair *p = shadow_of(address);
  if (LIKELY(size <= 8 && (address & 7) + size <= 8)) {
    if (LIKELY(cell_covers(cell_load(&p->write), hd_fast.epoch, mask_of(address, size)))) return;
  }
  access_slow(address, size, SITE_WRITE, pc);
}
