/* Memory that comes and goes: blocks of the heap, mappings, stacks. */
#pragma once
#include "analysis/access.h"

/* A block was allocated: nobody has touched it. */
void heap_allocated(struct thread *t, uintptr_t address, size_t size, uintptr_t pc);
/* It is about to be freed: that touches all of it, and objects in it are gone. */
void heap_freed(struct thread *t, uintptr_t address, size_t size, uintptr_t pc);
/* These addresses mean other memory than before. */
void heap_renewed(uintptr_t address, size_t size);
