/* Tasks as threads of their own, in the weak order (section.h).
 *
 * Which thread does a task is up to the library. If one thread does two tasks, one comes after the other in this run, and happens-before
 * orders them; in another run two threads may do them at the same time. So in the weak order a thread that begins a task knows only what
 * the task knows: what its maker did before, and those that it depends on. What the thread knew itself waits until the task is over, or
 * pauses. What two tasks of one thread do to the same memory is a predicted race, unless something else orders them.
 *
 *   1. An *actor* is a task that may be done by another thread than its maker, with what belongs to it: tasks that have to be done at once,
 *      and its part in teams that it makes. All else that a thread does is its *home*'s.
 *   2. An actor that a thread has under way has a *seat*: a slot of the thread's own (clock.h), so that what it did is told apart from what
 *      others did. A thread has SEATS seats. Who gets one knows in the weak order what the last one did who had it: fewer races are seen of
 *      tasks that are so far apart, and none is invented.
 *   3. Memory of a stack is another variable each time. What was done to it before a task began or ended, below where it began, does not
 *      race with what comes later. Only who would be told of a race looks there (frames_end()).
 *   4. What a task does with what is its thread's (thread-local variables, and what it finds by the thread's number) no other thread would
 *      do. From when it asks for that, it knows what others did in this thread who asked. Home always asks.
 *
 * Happens-before is as it was: a race of the run is one whatever the actors. */
#pragma once
#include "openmp/order.h"

struct task;

/* Actors are told apart. */
bool actors_differ(void);
/* What the present thread does from now on is that task's; NULL: home's. Nothing happens while the thread holds locks. */
void actor_switch(struct task *to);
/* Who it is now. */
struct task *actor_now(void);
/* The present thread asks for what is the thread's. */
void actor_asks(void);
/* Calls in progress of the present thread lie above that address of its stack: what is below was another's. */
void frames_end(uintptr_t limit);
