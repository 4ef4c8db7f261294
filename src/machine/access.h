/* Accesses that are not simply done: the interpreter's slow path. An access comes here when its shadow says that it is out of bounds,
 * uninitialised, logged, shared, or when the address belongs to globals or another thread while several threads exist. */
#pragma once
#include "machine/internal.h"

/* Plain read of [address, +size): checks, sharing, visibility. RUN_GO: the caller may copy the bytes. */
enum run access_plain_read(struct machine *m, struct thread *t, uint64_t address, uint64_t size);
/* Plain write; `value` is what will be written as far as it fits in 8 bytes. RUN_GO: logged and marked initialised; the caller writes. */
enum run access_plain_write(struct machine *m, struct thread *t, uint64_t address, uint64_t size, uint64_t value);
/* Atomic access, always visible unless single; op is READ, WRITE or RMW. RUN_GO: the caller performs it. */
enum run access_atomic(struct machine *m, struct thread *t, enum event_op op, uint64_t address, uint64_t size, enum event_order order);
/* To be called when a visible read has its value: completes the event and the spin detector's memory. */
void access_read_done(struct machine *m, struct thread *t, uint64_t address, uint64_t size, uint64_t value);
