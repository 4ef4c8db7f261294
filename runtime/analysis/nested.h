/* Sections in which other threads work: who holds a lock may create a thread and join it, or hand it something and wait for an answer. What
 * that thread does in between excludes other sections of the lock as if it were done in the section, though it holds nothing. So what
 * another thread did in a section of that lock cannot come at the same time, nor between the two.
 *
 *   1. The earlier access of a predicted race: t holds a lock, of which a section has ended whose begin came before that access, and which
 *      came to its end behind it. (What a thread that lives knew then is not kept: it is taken to have known what it knows now, so fewer
 *      races are predicted. Of who created it, and when, all is known.)
 *   2. The later one: t knows of the begin of a section that goes on, of a lock that the earlier access was made under. Whether the section
 *      waits for t is known at its end, by its own thread. */
#pragma once
#include "analysis/race.h"

/* True if that race of t's, which is predicted, cannot be, or if it is told later should it be possible. */
bool nested_excludes(struct thread *t, const struct race *r);

/* There are races that are told later, or not. */
extern unsigned nested_waiting;
/* t's section of that lock ends. */
void nested_decide_slow(struct thread *t, uint64_t lock);
HOT void nested_decide(struct thread *t, uint64_t lock) {
  if (UNLIKELY(__atomic_load_n(&nested_waiting, __ATOMIC_ACQUIRE) > 0)) nested_decide_slow(t, lock);
}
void nested_before_fork(void);
void nested_after_fork(bool child);
