/* What the C library and the system keep for a program, and what of it a function looks at or changes:
 *
 *   setenv("ready", "1", 1)      in another thread: while (!getenv("ready")) continue;
 *
 * The environment, names of files, what files hold, and so on have a variable each. Who changes one of them reads and writes its variable,
 * before and behind the call; who looks at it reads its variable, twice. As with modules (kept.h), a witness that does not keep that order
 * may be right all the same. */
#pragma once
#include "thread.h"

struct library_function;

/* Before the program: finds out which functions these are. */
void system_start(void);
/* What a function without a row is, by its address: MODULE_SYSTEM and above (module.h); else MODULE_LIBRARY. */
uint32_t system_function(uintptr_t function);
/* It is called, or has returned: with that result of system_function(), if it is MODULE_SYSTEM or above. */
void system_uses(struct thread *t, uint32_t function);
/* The same of a function with a row. */
void system_begins(struct thread *t, const struct library_function *f, const uintptr_t *arguments);
void system_ends(struct thread *t, const struct library_function *f, const uintptr_t *arguments);
/* It is altered by a function that has no row, and is called now, or has been. */
void system_alters(struct thread *t);
/* Nobody knows what is altered: a process is about to begin, or to end. */
void system_alters_all(struct thread *t);
