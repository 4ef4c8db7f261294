/* What reports call threads and locks, in text and in JSON alike. */
#pragma once
#include "report/finding.h"

enum { LOCKS_NUMBERED = 64 };

/* The locks of a report, numbered in the order in which they come. Zeroed is empty. */
struct lock_numbers {
  uintptr_t address[LOCKS_NUMBERED];
  unsigned count;
};

struct rt_text;
/* "main thread", "thread T1 'worker'" */
void thread_words(struct rt_text *out, const struct thread_info *i);
/* "M1", or "a lock that is gone" */
void lock_number(struct rt_text *out, struct lock_numbers *numbers, const struct finding_lock *l);
/* "queue+8": the variable that it is in; nothing if there is none. True if there is one. */
bool lock_variable(struct rt_text *out, const struct finding_lock *l);
/* "M1 'queue+8'" */
void lock_words(struct rt_text *out, struct lock_numbers *numbers, const struct finding_lock *l);
/* Appends the sentence that begins at *piece, which goes to the next one. False if there is none. */
bool note_words(struct rt_text *out, struct lock_numbers *numbers, const struct finding_piece **piece);
