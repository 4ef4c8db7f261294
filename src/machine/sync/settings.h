/* What attributes say of a thread that is to be created, and what it has of its creator: the layouts are those of models/libc/settings.h.
 */
#pragma once
#include "machine/internal.h"

enum { PRIORITY_MOST = 99 };

/* As attributes say it, with a default for what they leave open. */
struct thread_wish {
  bool possible; /* false: the values do not go together, or there is no such processor */
  bool detached, explicit_scheduling, has_signals, by_default;
  uint64_t flags, scheduling, guard, stack, stack_size, processors, signals;
};

/* Finds the models' variables: once, before the program runs. */
void settings_bind(struct machine *m);
/* The steps in which a thread looks at these attributes (0: at none), where others may write them: plain reads. The builtin is called again
 * after each, until t->phase is PHASE_TOLD_MORE. */
enum run settings_look(struct machine *m, struct thread *t, uint64_t address);
/* Reads the attributes at `address`; 0: those that the program has made the default, if it has. */
enum run settings_read(struct machine *m, struct thread *t, uint64_t address, struct thread_wish *wish);
/* At the step that creates `child`: gives it its settings and its mask of signals. */
void settings_give(struct machine *m, struct thread *t, const struct thread *child, const struct thread_wish *wish);
/* The present priority of `t`, as far as ceilings of mutexes are concerned. */
uint32_t settings_priority(const struct machine *m, const struct thread *t);
/* Thread `tid` holds one mutex with this ceiling more, or less. */
void settings_hold_ceiling(struct machine *m, uint32_t tid, uint32_t ceiling, bool holds);
/* The present step detaches `other`: the program can ask for that. */
void settings_detach(struct machine *m, struct thread *t, const struct thread *other);
