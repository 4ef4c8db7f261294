/* What reports of all kinds are made of (report.c). */
#pragma once
#include "thread.h"

/* Stands around the making of a report by t. NULL: it is not to be made. */
struct rt_text *report_begin(struct thread *t);
/* Writes it out. */
void report_end(struct thread *t);

/* The innermost call of a stack that was printed. */
struct place {
  const char *file, *function; /* NULL: not known */
  int line;
};
struct place report_stack(struct rt_text *out, uint32_t site);
void report_thread_name(struct rt_text *out, const struct thread_info *i);
/* Where a thread was created; nothing for the main one. */
void report_thread(struct rt_text *out, const struct thread_info *i);
/* What is at an address: a block of the heap, or a global variable. */
void report_location(struct rt_text *out, uintptr_t address);
