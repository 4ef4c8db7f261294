/* Whether what threads have come to is what the finding says. */
#pragma once
#include "enforce/enforce.h"

/* Locks that a thread holds now. */
enum { ENFORCE_HELD = 32 };
struct enforce_held {
  struct {
    uintptr_t lock;
    uint32_t serial; /* of its taking */
    bool shared;
  } at[ENFORCE_HELD];
  uint32_t n;
};

/* Before the first thread. */
void judge_start(void);
/* The event of a thread of the witness: which locks it holds now, which memory is in use again. */
void judge_event(uint32_t thread, const struct trace_event *e);
/* The step that the finding is about, the so manieth such. */
void judge_note(uint32_t note, const struct enforce_seen *seen);
/* The thread stands before that end. */
void judge_stands(uint32_t end, const struct enforce_seen *seen);
/* If all steps are done and all threads stand: says what there is, and ends the process, or lets go of all threads (a lost wake-up). */
void judge(void);
/* That is the result, if there is none yet, and the process ends. */
_Noreturn void judge_ends(enum enforce_result result, const char *why, uint32_t step, uint32_t other);
