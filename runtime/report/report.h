/* Whether a finding is shown, and counts of all. The present thread holds none of the registry's locks, nor base's; the order is: objects'
 * locks (sync.h), the reports', the registry's, base's. */
#pragma once
#include "report/finding.h"

/* False if a finding of that kind of these places was shown before: report_finding() would not do it again, and this one is counted. So
 * nothing need be described. Any thread, no lock. */
bool report_is_new(enum finding_kind kind, const uint32_t *sites, unsigned n);
/* Shows it, unless it was shown before (also if its parts come in another order), or one of the same lines and the same memory was. */
void report_finding(struct thread *t, const struct finding *f);

/* How many were shown. */
unsigned reports_count(void);
/* The end of the process: the last words about them all. */
void reports_finish(void);
/* Waits for a report that is under way. */
void reports_await(void);
/* Calls f as reports are made: one thread at a time, on a stack that is large enough. */
void reports_alone(struct thread *t, void (*f)(void *), void *data);
/* Reports to come can read their files, whatever the program does now. Once for all. */
void reports_keep_files(struct thread *t);
void reports_before_fork(void);
void reports_after_fork(bool child);

/* For those who show findings. Appends to `out`. */
struct rt_text;
void report_as_text(struct rt_text *out, const struct finding *f);
void report_as_json(struct rt_text *out, const struct finding *f);

/* The stack of a place. */
void stack_as_text(struct rt_text *out, uint32_t site);

/* What there is to say at the end. */
struct report_summary {
  unsigned count, suppressed; /* findings */
  unsigned by_kind[FINDING_KIND_COUNT];
  uint64_t again;    /* findings that were like one of those */
  unsigned left_out; /* predictions that may be wrong: unseen.h */
  uint64_t dropped;  /* findings, repeated ones among them, that there was no memory for */
};
void summary_as_text(struct rt_text *out, const struct report_summary *s);
void summary_as_json(struct rt_text *out, const struct report_summary *s);

/* The threads that a finding is about, and its memory's, but for the main thread: each once. Returns their number, at most n. */
unsigned finding_threads(const struct finding *f, const struct thread_info **threads, unsigned n);
