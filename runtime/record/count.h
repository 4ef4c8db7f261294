/* Semaphores of recorded runs. s->depth is what their events so far leave of the count: a try in vain is recorded where that is 0, as the
 * count was, so that it is no mystery to who reads the trace. */
#pragma once
#include <semaphore.h>

#include "sync.h"

/* The semaphore was posted, or waited for. */
void count_changes(struct thread *t, struct sync *s, bool down);
/* The C library has refused t: by the semaphore's count, or because a time was up. False if t has got what it wanted after all. */
bool count_refuses(struct thread *t, sem_t *object);
/* t asks for the count: no more is there than what it is told. That is recorded as taking that many, one more in vain, and giving them
 * back. Returns the value. */
int count_asked(struct thread *t, sem_t *object);
/* It is about to begin anew, or to go: what its events leave of it does not stay. */
void count_ends(struct thread *t, sem_t *object);
