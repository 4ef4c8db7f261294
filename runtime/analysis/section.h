/* The weak order: what must come before what, as opposed to what came before what in this run.
 *
 * Happens-before orders the critical sections of a lock as they came. Another run may take the lock in another order, unless something in
 * the sections says that it cannot. The weak order has
 *
 *   - program order, and all synchronisation that is not a lock's: creation and end of threads, atomics and what they read from,
 *     semaphores, barriers, pthread_once(), notifications and the waits they end (hard synchronisation);
 *   - the end of a section before an access in a later section of the same lock, if the earlier section has a conflicting access: the rule
 *     of conflicting critical sections of WDC (OVPredict, section 2.2) and EDC (section 3.4.1);
 *   - for ovp: the end of a section before the end of a later section of the same lock, if the earlier one's begin is before something in
 *     the later one (rule (b) of DC). WDC leaves that out for speed, and with it reports what cannot be;
 *   - for ovp: what came in a section before an atomic read, before a later atomic write of the same object: with rule (b), it orders the
 *     section of a thread that found a flag not set yet before the section of the one that set it and then takes the lock.
 *
 * Accesses that conflict and that the weak order does not order are predicted races. As with all orders of this kind, nearly all of them
 * are real, but that is not certain: reports say "predicted". Two shared sections of a read-write lock do not exclude each other: no rule
 * applies.
 *
 * For each lock the last sections are kept with their ends' clocks; those that fall out are joined into one clock, `old`, which stands for
 * all of them: more is ordered then than must be, so less is found, and nothing false (OVPredict, section 3.5: bounded tracking). */
#pragma once
#include "sync.h"

enum analysis { ANALYSIS_HB, ANALYSIS_WDC, ANALYSIS_OVP };
extern enum analysis analysis;
/* Nothing falls out, as long as there is memory. */
extern bool keep_all;

struct sections;

/* t just took the lock, at that place; s->lock is held. */
void section_begin(struct thread *t, struct sync *s, bool shared, uint32_t site);
/* t is about to give it back; s->lock is held. `shared`: as it was taken; not mine: t does not hold it, as far as the runtime knows. */
void section_end(struct thread *t, struct sync *s, bool shared, bool mine);
void sections_free(struct sections *all);

/* Things that have a value, such as atomics and semaphores; s->lock is held. What came in t's sections before it reads the value comes
 * before later writes of it. */
void section_reads(struct thread *t, struct sync *s);
void section_writes(struct thread *t, struct sync *s);

/* Sections are numbered for each lock. t, which holds the lock, knows the end of that one from now on, or of all. If it is not
 * kept any more, t knows the ends of all that are older than those kept: their lowest number is returned, otherwise 0. */
enum { ALL_SECTIONS = 0 };
/* Of their numbers, where they are kept for accesses; a test asks for less. */
#ifndef SECTION_BITS
#define SECTION_BITS 29
#endif
uint32_t section_acquire(struct thread *t, const struct held *h, uint32_t number);
/* The same, but for what it knows already; `shared`: that section is. */
void section_learn(struct thread *t, const struct held *h, uint32_t number, bool shared);
/* The same of the section of that lock that a thread was in in that epoch. */
void section_learn_of(struct thread *t, const struct held *h, epoch e);
enum inside { OUTSIDE, INSIDE, NOT_KNOWN };
/* Was that epoch in that section? */
enum inside section_has(struct thread *t, const struct held *h, uint32_t number, epoch e);
/* In the one that its thread was in in the epoch `of`? */
enum inside section_has_both(struct thread *t, const struct held *h, epoch of, epoch e);
/* True if a section of that lock, which excludes t's, ended behind that epoch, which is of another thread, and began before it: t knows its
 * end from now on. `behind` says whether the epoch comes behind the one that it is given. */
bool section_encloses(struct thread *t, const struct held *h, epoch e, bool (*behind)(epoch first, const void *data), const void *data);
/* t knows the ends of those sections of the lock that have ended and have that number or a higher one, and of the one that ended last. */
void sections_since(struct thread *t, struct sync *s, uint32_t number);
