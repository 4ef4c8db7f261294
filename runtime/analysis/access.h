/* Accesses of the program to its memory: what each of them leaves in the shadow, and which earlier ones it races with. */
#pragma once
#include "analysis/record.h"
#include "thread.h"

/* What an access is beside its place. */
struct access {
  uintptr_t address;
  uint32_t size;
  enum site_kind kind;
};

HOT bool kind_atomic(enum site_kind k) { return k == SITE_ATOMIC_READ || k == SITE_ATOMIC_WRITE || k == SITE_USE; }

/* What a site tells of an access of that size; 0: too large to tell. */
HOT unsigned access_size(size_t size) { return size <= 255 ? (unsigned)size : 0; }

/* Any bytes. */
void access_range(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, uintptr_t pc);
/* The same by several accesses of `each` bytes. */
void access_run(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, unsigned each, uintptr_t pc);
/* The same of 1, 2, 4, 8 or 16 bytes, by an atomic operation. */
void access_atomic(struct thread *t, uintptr_t address, unsigned size, bool writes, uintptr_t pc);
/* A lock, by its functions. What it excludes itself, as the only one that t holds, is not kept: no section of its own ends it. */
void access_lock(struct thread *t, uintptr_t address, uintptr_t pc);
/* A block is freed, whole words. Whoever comes later uses what is gone, even if it knows of that. */
void access_freed(struct thread *t, uintptr_t address, size_t size, uintptr_t pc);
/* A block is allocated at that place by this thread, whole words: who touches them without knowing of that races with it. */
void access_allocated(uintptr_t address, size_t size, uint32_t site);
/* True if it is no race, for reasons of its own, that the address was touched in that epoch, and now by t; NULL: there are none. It may
 * teach t something. */
extern bool (*access_excused)(struct thread *t, uintptr_t address, epoch e, bool predicted);
/* Nobody has touched these bytes yet: they are new. */
void access_forget(uintptr_t address, size_t size);

/* Called with the accesses of all threads if all ignore theirs (ignored_accesses); NULL: nobody asks. It may take long. */
extern void (*access_instead)(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, uintptr_t pc);
/* True if the thread ignores such accesses. */
HOT bool access_ignored(struct thread *t, uintptr_t address, size_t size, enum site_kind kind, uintptr_t pc) {
  int ignored = kind_writes(kind) ? t->ignore_writes : t->ignore_reads;
  if (LIKELY(!ignored)) return false;
  if (access_instead && !t->busy && ignored == ignored_accesses) access_instead(t, address, size, kind, pc);
  return true;
}

/* As the compiler's calls come: a plain read or write of that size (1, 2, 4, 8, 16), which may go beyond a word. */
void access_slow(uintptr_t address, unsigned size, enum site_kind kind, uintptr_t pc);

/* 16 bytes are two words, or parts of three. */
HOT bool access_covered(uintptr_t address, unsigned size, bool writes) {
  const struct pair *p = shadow_of(address);
  unsigned at = address & 7;
  const cell *c = writes ? &p->write : &p->read;
  if (LIKELY(size <= 8)) {
    cell was = cell_load(c);
    if (LIKELY(at + size <= 8) && LIKELY(cell_covers(was, hd_fast.epoch, MASK_ALL))) return true;
    return at + size <= 8 && cell_covers(was, hd_fast.epoch, mask_of(address, size));
  }
  if (!cell_covers(cell_load(c), hd_fast.epoch, MASK_ALL << at & MASK_ALL) || !cell_covers(cell_load(c + 2), hd_fast.epoch, MASK_ALL))
    return false;
  return at == 0 || cell_covers(cell_load(c + 4), hd_fast.epoch, MASK_ALL >> (8 - at));
}
/* True if the thread did so with all of these words, two or three, in its present epoch. */
HOT bool words_covered(uintptr_t address, unsigned size, bool writes) {
  const struct pair *p = shadow_of(address);
  unsigned from = address & 7, to = from + size, last = (to - 1) >> 3;
  epoch all = hd_fast.epoch | MASK_ALL;
  cell first = cell_load(writes ? &p->write : &p->read) ^ all, final = cell_load(writes ? &p[last].write : &p[last].read) ^ all;
  cell differs = (first & (ATOMIC | EPOCH_MASK | (MASK_ALL << from & MASK_ALL))) | (final & (ATOMIC | EPOCH_MASK | MASK_ALL >> (-to & 7)));
  if (last == 2) differs |= (cell_load(writes ? &p[1].write : &p[1].read) ^ all) & (ATOMIC | EPOCH_MASK | MASK_ALL);
  return differs == 0;
}
/* True if the access says nothing new: the thread did the same in its present epoch. */
HOT bool access_read_known(uintptr_t address, unsigned size) {
  if (LIKELY(access_covered(address, size, false))) return true;
  cell read = cell_load(&shadow_of(address)->read);
  return size <= 8 && (address & 7) + size <= 8 && read && read == *known_set(&hd_fast, read);
}
HOT bool access_write_known(uintptr_t address, unsigned size) { return access_covered(address, size, true); }

/* Of an access that lies in a word, as its address is a multiple of its size (up to 8): true if it says nothing new about the whole word,
 * which is quick to say; about its own bytes. */
HOT bool word_covered(uintptr_t address, bool writes) {
  const struct pair *p = shadow_of(address);
  return cell_covers(cell_load(writes ? &p->write : &p->read), hd_fast.epoch, MASK_ALL);
}
HOT bool part_covered(uintptr_t address, unsigned size, bool writes) {
  const struct pair *p = shadow_of(address);
  unsigned mask = ((1u << size) - 1) << (address & (8u - size));
  cell was = cell_load(writes ? &p->write : &p->read);
  if (cell_covers(was, hd_fast.epoch, mask)) return true;
  if (!writes) return was && was == *known_set(&hd_fast, was);
  cell read = cell_load(&p->read);
  return cell_covers(read, hd_fast.epoch, mask) && wrote_besides(was, read, mask);
}

HOT void access_read(uintptr_t address, unsigned size, uintptr_t pc) {
  if (UNLIKELY(!access_read_known(address, size))) access_slow(address, size, SITE_READ, pc);
}
HOT void access_write(uintptr_t address, unsigned size, uintptr_t pc) {
  if (UNLIKELY(!access_write_known(address, size))) access_slow(address, size, SITE_WRITE, pc);
}
