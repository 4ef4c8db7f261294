/* Actions: calls of methods whose commutativity is specified (base/spec.h), and the order violations among them (OVPredict, sections 3.3
 * and 3.4; docs/native.md names the thesis). An action counts as a whole, at its begin:
 *
 *   - two that do not commute (`conflict`) and that are not ordered are a commutativity race; for hb, by happens-before;
 *   - a use and what `ends` it are an order violation, decided as that of memory and free() (violation.h);
 *   - the end of a critical section comes, in the weak order, before an action in a later section of the same lock if an action in the
 *     earlier one does not commute with it (`conflict`, `depends`): the rule of EDC. `ends` orders nothing.
 *   - the end of an action comes before the begin, or if it is not over by then before the end, of a later one that does not commute with
 *     it: what goes through a container that locks itself is ordered. This is what an atomic's reads are to its writes.
 *
 * What a thread does within an action is the method's own business. It is judged by happens-before alone, and what two methods do inside
 * orders no sections. Where one of the two is not inside, sections conflict as ever: a program that looks into the object itself depends
 * on what it sees. An action within another one is no different.
 *
 * What is known of an object is forgotten when its memory is allocated again, or when an action makes a new object there. If there is too
 * much to keep, all sections order: less is found then, and nothing false. */
#pragma once
#include "thread.h"

/* What the runtime comes with, and what the program or its user adds: ends the process with an explanation if it is wrong. The text must
 * last. The same text may come again. */
void actions_specify(const char *text, const char *file);
/* The same, from a file. */
void actions_read(const char *file);
/* NULL if nothing is said of that function. */
const struct spec_action *action_named(const char *name);

/* t begins one; arguments[] are those that it is specified with. `mark`: an address in the frame that it ends with. */
void action_begin(struct thread *t, const struct spec_action *a, const uint64_t *arguments, const void *mark, uintptr_t pc);
/* The one that has the mark ends, and all within it. */
void action_end(struct thread *t, const void *mark);
/* One that has no inside, as far as the runtime sees: it ends as it begins. */
void action_point(struct thread *t, const struct spec_action *a, uintptr_t object, uintptr_t pc);
/* Those that t began when it had more than n under way have been left. */
void actions_left(struct thread *t, uint32_t n);

/* Objects there are gone; `freed`: what ended them may still be compared with uses that come later. */
void actions_forget_slow(uintptr_t address, size_t size, bool freed);
extern uint32_t actions_objects; /* how many there are */
HOT void actions_forget(uintptr_t address, size_t size, bool freed) {
  if (UNLIKELY(__atomic_load_n(&actions_objects, __ATOMIC_RELAXED) > 0)) actions_forget_slow(address, size, freed);
}

void actions_before_fork(void);
void actions_after_fork(void);
