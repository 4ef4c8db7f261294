/* A merged order (merge.h) made to fit the values that were read.
 *
 * Times leave the order of accesses open that came at about the same time. A read that returned what no write before it wrote is in the
 * wrong place, or a write is. Then an order is looked for, among those that program order, synchronisation and times allow, in which fewer
 * reads are unexplained: the read, and what has to follow it, goes behind a later write of its value; or before the write that was in the
 * way, with all that has to come before it. Where a thread has stood still between two times, what it did before and behind that is not
 * known: a write of its that would explain the read comes at once. A read that stays unexplained is RECORDED_UNORDERED. What it returned
 * counts as the contents from then on, unless a later write may explain it: then what comes up to that is RECORDED_DOUBTFUL.
 *
 * Of accesses of more than 8 bytes the values are not known. Nothing says where such a read stood to another thread's write of about the
 * same time, nor any read to such a write: it is RECORDED_UNORDERED, too, and what comes up to the write DOUBTFUL. */
#pragma once
#include "trace/strand.h"

struct repair;
struct merge;

struct repair *repair_new(struct merge *from);
/* The next events: at most `most`, and how many; 0: the end. */
size_t repair_next(struct repair *r, struct event *out, size_t most);
void repair_free(struct repair *r);
