/* The threads of a trace file as one order: program order, FORK before BEGIN, END before JOIN, the numbers that synchronisation has
 * among that of its object; and otherwise the time, as far as it is known.
 *
 * What is missing. If a thread's beginning is missing (a ring), the order begins when all threads are there, with the locks that they hold
 * then as ACQUIREs. Behind a gap nothing of its thread is used, and nothing of others that had to come behind what is missing: what is left
 * is still a run, which ends earlier. */
#pragma once
#include "trace/file.h"
#include "trace/strand.h"

struct merge;

/* `f` stays the caller's; its names get those of threads. */
struct merge *merge_new(struct trace_file *f);
/* The next events: at most `most`, and how many; 0: the end. Threads have their numbers in the order. */
size_t merge_next(struct merge *m, struct placed *out, size_t most);
/* Does the write explain the read? Both are of some threads. */
typedef bool merge_explains(const struct event *write, const struct event *read);
/* A thread's events that came while the read may have come, up to the first one that explains it, before it is their turn by their time: at
 * most `most`, and how many; 0: no thread has any. Threads before `*from` are not looked at; behind it is where to go on. */
size_t merge_hurry(struct merge *m, const struct placed *read, merge_explains *explains, uint32_t *from, struct placed *out, size_t most);
/* May another thread's event that is still to come have come before that one, as far as times say? */
bool merge_comes_before(const struct merge *m, const struct placed *p);
void merge_free(struct merge *m);

struct merge_faults {
  uint32_t cut;     /* threads whose last part is not in the order */
  uint64_t skipped; /* events before the order's begin */
  uint64_t forced;  /* numbers of synchronisation that were missing, though no block was */
};
struct merge_faults merge_faults(const struct merge *m);
