/* The places of the program that a repeated run watches (confirm.h): those of its plans, as they lie in this process. */
#pragma once
#include "report/plan.h"

enum { PLACES_FILTER = 1 << 16 };
extern uint8_t places_filter[PLACES_FILTER]; /* by addresses: false if none has that one */
HOT bool is_place(uintptr_t pc) { return places_filter[(pc ^ pc >> 16) & (PLACES_FILTER - 1)]; }

/* Looks for them in the files that are loaded now. */
void places_find(void);
/* Some were in none, the last time. */
bool places_missing(void);
/* Only the calling thread is left in a child. */
void places_after_fork(void);

/* The calls of a context, and those that t has under way: as in the plans. */
uint64_t place_stack(uint32_t node);
uint64_t place_stack_now(struct thread *t);
/* Which of a plan's places an event is at: a bit for each. Accesses are the program's instructions, and fit whatever calls led there; those
 * with the plan's calls are in *exact. */
uint32_t places_at(unsigned plan, uintptr_t pc, enum site_kind kind, uint64_t stack, uint32_t *exact);
