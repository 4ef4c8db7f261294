/* The chains of history.h: which earlier steps a step depends on directly. For history.c alone. */
#pragma once
#include "happens/history.h"

/* Adds to `dependent` the steps of other threads that `x` depends on, as far as no later one of them is dependent with them all. `clock`
 * is that of the thread's step before, `previous`. `first`: the step's first event, the one that may have to wait. */
void history_collect(struct history *h, const struct event *x, const struct event *first, const uint32_t *clock, uint32_t previous,
                     bool blocked);
/* The same for an event somewhere behind the present end: see history_below(). */
void history_collect_below(struct history *h, const struct history_below *b, const uint32_t *clock);
/* Has `earlier` changed the memory that the object is in which `later` waits for: by its initialisation, its destruction, by an access to
 * its bytes? Then what was to be waited for may have been there before, or the wait may have failed. */
bool history_remakes(const struct event *earlier, const struct event *later);
/* Enters event `event` of step `step` into its chains. */
void history_note(struct history *h, uint32_t step, uint32_t event);
/* Takes the newest record out of its chain. */
void history_forget(struct history *h, const struct history_record *r);
/* The newest record on a synchronisation object, or NO_STEP. */
uint32_t history_head(const struct history *h, uint64_t object);
/* Was it written to (destroyed, initialised again) since its first operation? Its records do not tell its state then. */
bool history_remade(const struct history *h, uint64_t object);
