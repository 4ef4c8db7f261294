/* What racing accesses say of the order of everything else. What a thread reads decides what it does next, also if the read races: a block
 * that it knows only from a pointer that it has just read was there before, and so was all that came before the write of that pointer. So
 * in the weak order (section.h)
 *
 *   - a write comes before what follows a read of its value, though the two race: `q = p` by one thread, then `r = q; free(r)`;
 *   - ovp: what came in a section before a read comes before a later write that races with it, as with atomics: with rule (b) of DC, the
 *     section of a thread that found `stop` not set yet comes before the section of the one that set it and then takes the lock.
 *
 * Nothing of this counts for happens-before: races of the run stay races. The pair itself is judged before it orders anything.
 *
 * Clocks of the past are not kept, so the other thread is taken to have known at its access what it knows now: more is ordered than must
 * be. As it goes on, it has to begin a new epoch before it learns more, or whoever knows the present one would seem to know that, too: it
 * is `asked` to.
 *
 * Accesses are noted before they are made. So a read may see the value of a write that is noted after it: the writer tells the reader, as
 * long as that is in the epoch of its read. What a thread was told counts before it hands anything on, or predicts. */
#pragma once
#include "thread.h"

/* t's access races with that one, a write or a read, also if it is only predicted. */
void seen_note(struct thread *t, cell c, bool wrote);
/* t has made its access: what it knows now of those that were noted. */
void seen_settle(struct thread *t, bool writes);

/* Nothing that the thread knows in its present epoch changes from now on. Under the registry's lock. */
void seen_ask(struct thread *o);

/* t has tried to take the lock in vain: what comes now comes behind the begin of the section that was in the way. Of readers any would have
 * been enough, so it comes behind the begins of more sections than it must. The C library gives a lock before that is noted here, and has
 * it back after: who had it may have only just taken it, so it is waited for a moment, or be about to give it back, so that its section is
 * over. seen_tries(): t is about to try. */
struct sync;
void seen_tries(struct thread *t, const struct sync *s);
void seen_refused(struct thread *t, struct sync *s);

void seen_hear_slow(struct thread *t);
/* t takes what others have told it. */
HOT void seen_hear(struct thread *t) {
  if (UNLIKELY(__atomic_load_n(&t->seen.any_told, __ATOMIC_ACQUIRE))) seen_hear_slow(t);
}
void seen_free(struct thread *t);
/* t knows of that epoch only as of the rest of a section: what came there before a read that raced with a write of t's must come before
 * that write. What came behind the read need not, as long as no lock has it. */
bool seen_supposed(const struct thread *t, epoch e);
