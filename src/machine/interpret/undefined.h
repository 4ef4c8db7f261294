/* Values that nobody has defined, as valgrind's memcheck follows them: copying and computing with them is allowed, deciding by them is a
 * finding (a branch, an address, a divisor, an argument of a function that the machine implements).
 *
 *     int y;            the loader gives y's slot OP_UNDEF: all of its bits are undefined
 *     s.flags |= 4;     a load of uninitialised bytes: the bit that was set is defined, the others are not
 *     int z = y + 1;    undefined again, with nothing to be said against it
 *     if (z == 1)       the finding
 *
 * Memory knows by the byte (SHADOW_UNINIT). Slots are known by the bit, and only while there are undefined ones: thread->undefined lists
 * them. Nearly always there are none, and then nothing is looked at: interpret() hands over to interpret_checked() where an undefined value
 * comes into a slot (RUN_SWITCH), and gets the thread back when the last of them is gone or dead.
 *
 * Invariants: the list is sorted by slot, no mask is 0, and where a thread stops for a visible step all of its slots are live, so that the
 * list belongs to the thread's state as it is. */
#pragma once
#include "machine/internal.h"
#include "machine/interpret/undefined_bits.h"
#include "program/insn.h"

/* The undefined bits of slot `slot` of thread->slots. */
uint64_t undefined_mask(const struct thread *t, uint32_t slot);
void undefined_set(struct thread *t, uint32_t slot, uint64_t mask);
/* All slots from `slot` on become defined. */
void undefined_cut(struct thread *t, uint32_t slot);
/* Drops slots that are dead where the thread stands; the frames' pc is set. */
void undefined_settle(struct machine *m, struct thread *t);

/* --- the interpreter's side --- */

/* undefined_insn.c. Before the instruction at `ip`: makes the finding if it decides by an undefined value (RUN_STOP); else what it computes
 * is known, but for loads, whose slots are set by those below when they are done. */
enum run undefined_insn(struct machine *m, struct thread *t, struct frame *frame, const union insn *ip, const uint64_t *r);
/* A value of `size` bytes, or of a layout, was loaded from `address` to slots from `slot` on. */
void undefined_loaded(struct thread *t, uint32_t slot, uint64_t address, uint64_t size);
void undefined_loaded_layout(const struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint32_t layout);
/* The same of a store: bytes none of whose bits is defined are uninitialised memory again. */
void undefined_put(uint64_t mask, uint64_t address, uint64_t size);
void undefined_stored(const struct thread *t, uint32_t slot, uint64_t address, uint64_t size);
void undefined_stored_layout(const struct machine *m, const struct thread *t, uint32_t slot, uint64_t address, uint32_t layout);
void undefined_filled(const struct thread *t, uint32_t slot, uint64_t address, uint64_t size);

/* An atomic update is done, its result is in `slot`. p.x was there and p.mx of it was undefined; p.y is the operand. */
void undefined_updated(struct thread *t, uint32_t slot, const union insn *ip, struct undefined_pair p, uint64_t address);
/* A compare-and-exchange: p.y was expected, `desired` are the undefined bits of what was to be there. */
void undefined_exchanged(struct thread *t, uint32_t slot, const union insn *ip, struct undefined_pair p, uint64_t desired,
                         uint64_t address);

/* interpret() while the thread has undefined slots. */
enum run interpret_checked(struct machine *m, struct thread *t);
