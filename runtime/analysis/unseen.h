/* Accesses that the pass of another compiler leaves out though other threads can reach them, and what follows for predictions.
 *
 *   struct queue q;                           clang -fsanitize=thread asks whether the address of q.tail goes anywhere, not whether
 *   pthread_create(&t, NULL, consumer, &q);   q's does. So it takes q.tail for private, and main()'s accesses to it are not watched.
 *   lock(); q.tail++; unlock();
 *
 * Two sections of a lock are ordered in all schedules if they have accesses that conflict (section.h). If one of these is not seen, they
 * seem free to change places, and what is predicted then may be impossible. But that takes another thread that accesses the stack: from
 * then on nothing is predicted, if clang compiled a part of the program and src/weave did not. What gcc leaves out is private. */
#pragma once
#include "thread.h"

/* Code calls the runtime that src/weave did not make do so, and no thread has accessed another one's stack yet. */
extern bool unseen_watching;

/* Such code was entered. */
COLD void unseen_begins(void);
/* Stacks: who has one, and that nobody has it any more. */
void unseen_stack(uintptr_t from, uintptr_t to, bool is);
/* If `unseen_watching`: before an access. */
COLD void unseen_access(const struct thread *t, uintptr_t address);
/* A thread has accessed another one's stack while code ran that src/weave did not make. */
bool unseen_shared(void);

HOT void unseen_check(const struct thread *t, uintptr_t address) {
  if (UNLIKELY(unseen_watching)) unseen_access(t, address);
}
