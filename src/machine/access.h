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

/* Block operations: a visible read step if the source is shared, then a visible write step if the target is. */
enum run access_copy(struct machine *m, struct thread *t, uint64_t to, uint64_t from, uint64_t size, bool may_overlap);
enum run access_fill(struct machine *m, struct thread *t, uint64_t to, uint8_t byte, uint64_t size);
/* A local variable's lifetime starts or ends: its content becomes uninitialised, or it becomes unaddressable. */
void access_lifetime(struct machine *m, struct thread *t, uint64_t address, uint64_t size, bool start);

/* Values of several leaves (image.h, layouts), between slots and addressable memory. */
void layout_load(const struct image *image, uint32_t layout, uint64_t address, uint64_t *slots);
void layout_store(const struct image *image, uint32_t layout, uint64_t address, const uint64_t *slots);
/* A bit cast: from..'s value in layout `from_layout` read back in layout `to_layout`. */
void layout_convert(const struct image *image, uint32_t from_layout, uint32_t to_layout, uint64_t *to, const uint64_t *from);
