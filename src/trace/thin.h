/* Leaves out of a recorded run what no analysis looks at: plain accesses to memory that one thread alone touches from the beginning to the
 * end, or several in an order that forks and joins see to and without telling each other anything, or that nobody writes; and branches that
 * depend on no other reads.
 *
 * All blocks of EVENTS are looked at first; then they are taken again, and others come out.
 *
 * 1. A granule of eight bytes counts as a whole. It is touched by accesses, atomic ones too, and by the FREE of a block that it lies in.
 * One that is used again by another thread is touched by both. Two threads are in an order if all that one of them does there comes
 *    before a fork, or behind a join, behind or before which is all that the other one does (touched.h).
 * 2. Of a granule all accesses stay, or none: all, if one of them is atomic, or touches the next granule, too. So each read that stays
 * returns what the write before it wrote, if it did so before.
 * 3. What is no plain access and no branch stays. A branch stays if its thread has a read, or anything else that tells it something, that
 *    stays, since its last branch that stays; and so does its first one, since a thread may be told something when it is created.
 * 4. Times stay that are the last ones before an event, or the first ones behind it. */
#pragma once
#include <stdbool.h>

#include "trace/format.h"

struct thin;

struct thin *thin_new(void);
void thin_free(struct thin *t);

/* A block of EVENTS as it is in the file, in the order of its thread; `payload`: TRACE_EVENT_MOST bytes more can be read. False if nothing
 * can be left out of this run: something is missing or damaged, or it touches too much memory. */
[[nodiscard]] bool thin_look(struct thin *t, const struct trace_block *b, const unsigned char *payload);

/* Where blocks go: all but magic and sum are set. False: the end. */
struct thin_output {
  bool (*put)(void *data, struct trace_block *b, const unsigned char *payload);
  void *data;
};
/* The same blocks again. */
[[nodiscard]] bool thin_take(struct thin *t, const struct trace_block *b, const unsigned char *payload, const struct thin_output *to);
/* What is left behind the last one. */
[[nodiscard]] bool thin_finish(struct thin *t, const struct thin_output *to);
/* How many events were left out. */
uint64_t thin_left_out(const struct thin *t);
