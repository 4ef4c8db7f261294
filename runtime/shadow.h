/* Where the runtime remembers what was done to memory.
 *
 * Every word of the program (8 bytes, aligned) has a pair of cells at a fixed place:
 *
 *   write   the last write of its bytes
 *   read    the reads since then; if there are none, the same as `write`
 *
 * A cell is one of
 *
 *   0                                                               nothing
 *   atomic:1  slot:11  clock:22  site:21  both:1  mask:8 (mask > 0) one access: how, whose and when, where in the program, which bytes
 *   any:1     REF:11   what:2    at:42            0:8               BUSY: a thread is changing the pair. RECORD (write): all accesses are
 *                                                                   in a record. SET (read): several reads (record.h)
 *   0:1       0:11     1:22      site:21  0:1     0xff:8            (write) FREED: the word belonged to a block that was freed there. No
 *                                                                   thread has the slot, so nothing is ordered behind it; `read` has the
 *                                                                   epoch, and no bytes
 *   0:1       0:11     2:22      site:21  0:1     0xff:8            (write) ALLOCATED: the same of a block that was allocated there and in
 *                                                                   which nobody has touched the word since
 *   atomic:1  slot:11  clock:22  0x1fff:13  wrote:8  0:1  mask:8    (read) DID: beside a record, what one thread did in its epoch, and
 *                                                                   which bytes it wrote
 *
 * BOTH (read, not atomic): an access of the other two kinds. The cell has bytes that one thread wrote after `write`, and bytes that it read
 * in the same epoch. `write` has other bytes, so those that both cells have were read, and all others written. A word that is written byte
 * by byte, in an epoch of its own, has such cells until the last byte comes.
 *
 * OLDER (write, in the place of BOTH): the read cell's thread has read all bytes that the cell does not have in the epoch before, by its
 * site, too. `write` may have nothing else then.
 *
 * Slot and clock are the epoch: a thread (thread.h) and its clock then. FastTrack (Flanagan and Freund, 2009) keeps a variable the
 * same way; here masks tell the bytes of a word apart. Two cells cannot hold the accesses of a word with two `int`s that are written at
 * different times, or of one that several threads read: those are in a record or a set.
 *
 * A thread that changes a pair makes `write` BUSY first and puts it back last, or exchanges both cells at once if neither is a reference.
 * Any thread may look at either cell at any time. If a cell says that this thread itself made the same access in its present epoch, there
 * is nothing to do.
 *
 * Addresses have 47 bits. Those that differ in the two highest alone share cells: programs, heaps, libraries and stacks lie in places where
 * that cannot be, whatever the randomisation, but for the rare case that shadow_check() finds.
 *
 *   0x080000000000  meta: 4 bytes for 16, an index into what is at that address (sync.h)
 *   0x100000000000  pairs: 16 bytes for 8
 *   0x500000000000  end
 */
#pragma once
#include "base.h"

typedef uint64_t cell;

struct pair {
  _Alignas(16) cell write;
  cell read;
};

enum { MASK_BITS = 8, SITE_BITS = 21, CLOCK_BITS = 22, SLOT_BITS = 11, SITE_SHIFT = MASK_BITS + 1 };
#define BOTH        (1ull << MASK_BITS)
#define OLDER       BOTH
#define CLOCK_SHIFT (SITE_SHIFT + SITE_BITS)
#define SLOT_SHIFT  (CLOCK_SHIFT + CLOCK_BITS)
#define ATOMIC      (1ull << 63)
#define MASK_ALL    0xffull
#define SLOTS       (1u << SLOT_BITS)
#define SLOT_REF    (SLOTS - 1) /* no thread's: the cell is a reference */
#ifndef CLOCK_MAX               /* a test asks for less */
#define CLOCK_MAX ((1u << CLOCK_BITS) - 1)
#endif

/* A cell's slot and clock, where they are in the cell; all else is 0. */
typedef uint64_t epoch;
#define EPOCH_STEP (1ull << CLOCK_SHIFT) /* from one epoch of a slot to the next */
#define EPOCH_MASK (((1ull << (SLOT_BITS + CLOCK_BITS)) - 1) << CLOCK_SHIFT)

enum ref { REF_BUSY = 1, REF_RECORD, REF_SET }; /* not 0: so no clock, seen as an epoch, is ever known */
#define CELL_BUSY cell_ref(REF_BUSY, 0)

#define SHADOW_BASE 0x100000000000ull
#define SHADOW_SIZE 0x400000000000ull
#define META_BASE   0x080000000000ull
#define META_SIZE   0x080000000000ull

HOT struct pair *shadow_of(uintptr_t address) { return (struct pair *)(SHADOW_BASE + ((address << 1) & (SHADOW_SIZE - 16))); }
HOT uint32_t *meta_of(uintptr_t address) { return (uint32_t *)(META_BASE + ((address >> 2) & (META_SIZE - 4))); }

enum { RECORD_BYTES = 32, RECORD_SIZES = 2 }; /* of the smallest record; sizes that threads keep some of */

HOT epoch epoch_make(uint32_t slot, uint32_t clock) { return (epoch)slot << SLOT_SHIFT | (epoch)clock << CLOCK_SHIFT; }
HOT uint32_t epoch_slot(epoch e) { return (uint32_t)(e >> SLOT_SHIFT) & (SLOTS - 1); }
HOT uint32_t epoch_clock(epoch e) { return (uint32_t)(e >> CLOCK_SHIFT) & ((1u << CLOCK_BITS) - 1); }

HOT cell cell_make(epoch e, uint32_t site, unsigned mask, bool atomic) {
  return (atomic ? ATOMIC : 0) | e | (cell)site << SITE_SHIFT | mask;
}
HOT epoch cell_epoch(cell c) { return c & EPOCH_MASK; }
HOT uint32_t cell_site(cell c) { return (uint32_t)(c >> SITE_SHIFT) & ((1u << SITE_BITS) - 1); }
HOT unsigned cell_mask(cell c) { return (unsigned)(c & MASK_ALL); }
HOT bool cell_atomic(cell c) { return c >> 63; }
HOT cell cell_with_mask(cell c, unsigned mask) { return (c & ~MASK_ALL) | mask; }

HOT cell cell_ref(enum ref what, uintptr_t at) {
  return (cell)SLOT_REF << SLOT_SHIFT | (cell)what << (SLOT_SHIFT - 2) | (at >> 5) << MASK_BITS;
}
HOT bool cell_is_ref(cell c) { return epoch_slot(c) == SLOT_REF; }
HOT enum ref cell_what(cell c) { return (enum ref)(c >> (SLOT_SHIFT - 2) & 3); }
HOT void *cell_at(cell c) { return (void *)((uintptr_t)(c >> MASK_BITS & ((1ull << 42) - 1)) << 5); }

/* FREED and ALLOCATED, and the read cell beside them. */
HOT cell cell_freed(uint32_t site) { return cell_make(epoch_make(0, 1), site, MASK_ALL, false); }
HOT cell cell_allocated(uint32_t site) { return cell_make(epoch_make(0, 2), site, MASK_ALL, false); }
HOT cell cell_when(epoch e, uint32_t site) { return cell_make(e, site, 0, false); }
HOT bool cell_is_freed(cell c) { return cell_epoch(c) == epoch_make(0, 1); }
HOT bool cell_is_allocated(cell c) { return cell_epoch(c) == epoch_make(0, 2); }

#define SITE_DID (((1u << SITE_BITS) - 1) & ~0xffu) /* no place has such a number, or a higher one */
/* DID of an access that is as plain or atomic as `c`, in its epoch. */
HOT cell cell_did(cell c, unsigned touched, unsigned wrote) { return cell_make(cell_epoch(c), SITE_DID | wrote, touched, cell_atomic(c)); }
HOT bool cell_is_did(cell c) { return !cell_is_ref(c) && cell_site(c) >= SITE_DID; }
HOT unsigned did_write(cell did) { return cell_site(did) & 0xff; }

/* Of a read cell; the bytes that were written, and those that were read, if it is BOTH. */
HOT bool cell_is_both(cell r) { return (r & BOTH) && !cell_is_ref(r); }
HOT unsigned both_wrote(cell w, cell r) { return cell_mask(r) & ~cell_mask(w); }
HOT unsigned both_read(cell w, cell r) { return cell_mask(r) & cell_mask(w); }
/* True if the pair says that the thread of `r` wrote all these bytes in its epoch, though `w` does not. */
HOT bool wrote_besides(cell w, cell r, unsigned mask) { return cell_is_both(r) && !cell_is_ref(w) && !(mask & ~both_wrote(w, r)); }

/* Of a write cell; and what the read cell beside it has besides. */
HOT bool cell_is_older(cell w) { return (w & OLDER) && !cell_is_ref(w); }
HOT cell cell_before(cell r) { return (r ^ MASK_ALL) - EPOCH_STEP; }

/* The bytes of a word that an access of `size` bytes at `address` touches; it must not go beyond the word. */
HOT unsigned mask_of(uintptr_t address, unsigned size) { return ((1u << size) - 1) << (address & 7); }

/* True if the cell says that the thread touched all these bytes in that epoch, not atomically: nothing new can come of doing so again. */
HOT bool cell_covers(cell c, epoch e, unsigned mask) { return ((c ^ (e | MASK_ALL)) & (ATOMIC | EPOCH_MASK | mask)) == 0; }
/* The same for atomic accesses. */
HOT bool cell_covers_atomic(cell c, epoch e, unsigned mask) { return cell_covers(c ^ ATOMIC, e, mask); }

HOT cell cell_load(const cell *c) { return __atomic_load_n(c, __ATOMIC_RELAXED); }
HOT void cell_store(cell *c, cell value) { __atomic_store_n(c, value, __ATOMIC_RELAXED); }

/* True in a process that was forked while other threads ran: they may have left pairs BUSY. */
extern bool pairs_orphaned;
/* And still has one thread: nobody else is at a pair. */
extern bool pairs_alone;
/* Called then for the words of such pairs, where it is set: what else is known of them is of no use. */
extern void (*word_lost)(uintptr_t address);
/* Called again and again while the pair is BUSY; *times counts. */
void pair_wait(struct pair *p, unsigned *times);

/* Makes the pair BUSY and returns what `write` was. */
HOT cell pair_take(struct pair *p) {
  for (unsigned times = 0;;) {
    cell w = cell_load(&p->write);
    if (LIKELY(w != CELL_BUSY) && __atomic_compare_exchange_n(&p->write, &w, CELL_BUSY, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return w;
    pair_wait(p, &times);
  }
}
/* Puts it back. */
HOT void pair_give(struct pair *p, cell write) { __atomic_store_n(&p->write, write, __ATOMIC_RELEASE); }

/* Exchanges both cells, if they are those. The pair was not BUSY then; as no cell was a reference, that they are the same means that
 * nothing has changed, whatever came between. */
HOT bool pair_swap(struct pair *p, cell write, cell read, cell new_write, cell new_read) {
  bool done;
  __asm__ volatile("lock cmpxchg16b %1" : "=@ccz"(done), "+m"(*p), "+a"(write), "+d"(read) : "b"(new_write), "c"(new_read) : "memory");
  return done;
}

/* Takes the address space, or ends the process with an explanation. */
void shadow_start(void);
/* Ends the process with an explanation if two mapped parts of memory share cells. */
void shadow_check(void);
