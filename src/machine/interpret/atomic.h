/* Atomic instructions (opcode.h, ATOMIC_*). RUN_GO: done; RUN_SWITCH: done, and bytes that it read were
 * uninitialised; of an update, machine->unset are their bits. */
#pragma once
#include "machine/internal.h"

enum run atomic_load(struct machine *m, struct thread *t, const union insn *ip, uint64_t *r);
enum run atomic_store(struct machine *m, struct thread *t, const union insn *ip, uint64_t *r);
enum run atomic_rmw(struct machine *m, struct thread *t, const union insn *ip, uint64_t *r);
enum run atomic_cas(struct machine *m, struct thread *t, const union insn *ip, uint64_t *r);
