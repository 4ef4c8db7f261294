/* The trace's file, and the file of buffers beside it. */
#pragma once
#include "record/record.h"

enum { FILE_SLOT = 1 << 16, FILE_SLOTS = 1 << 14 };

/* A buffer, all zeros but for what was left of an earlier one behind `used`. NULL if there are too many threads, or no place on the disk.
 */
struct trace_slot *file_take_slot(uint32_t *index);
void file_give_slot(uint32_t index);
/* Who ends the process looks at all of them: around writing a block and beginning the next one. */
void file_lock_slot(uint32_t index);
void file_unlock_slot(uint32_t index);
/* Adds the block that the slot has, of the events up to `count`. */
void file_write_events(const struct trace_slot *s, uint64_t count);
/* Numbers for so many places: the first one. */
uint32_t file_take_sites(uint32_t sites);
/* Adds a block of names: of places and of methods, from these numbers on; 0: there are none. */
void file_write_names(const void *names, size_t size, uint32_t first_site, uint32_t first_method);
/* Makes the method PREFIX NAME known (call.c). True if it is new. Between thread_enter() and thread_leave(). */
bool calls_add(const char *prefix, const char *name);
