/* Memory of stacks, where tasks come one after the other. */
#pragma once
#include "thread.h"

/* Was what was done to that address, of some thread's stack, in that epoch, done to a variable that is gone? */
bool frames_ended(const struct thread *t, uintptr_t address, epoch e);
