#pragma once
#include "thread.h"

/* What is loaded when the recording begins was not opened by the program. */
void opened_begin(void);
/* Looks what t's program has opened since. Before a library is closed, and before the recording ends. */
void opened_look(struct thread *t);
void opened_after_fork(void);
