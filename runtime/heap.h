/* Memory that comes and goes: blocks of the heap, mappings, stacks. */
#pragma once
#include "analysis/access.h"

/* A block was allocated, of which the program asked for the first bytes: nobody has touched it. */
void heap_allocated(struct thread *t, uintptr_t address, size_t size, size_t asked, uintptr_t pc);
/* It was asked for more or less of it. */
void heap_resized(uintptr_t address, size_t size, size_t asked);
/* It is about to be freed: that touches all of it, and objects in it are gone. `stays`: the memory remains the heap's. */
void heap_freed(struct thread *t, uintptr_t address, size_t size, bool stays, uintptr_t pc);
/* The thread has mapped memory there. */
void heap_mapped(struct thread *t, uintptr_t address, size_t size, uintptr_t pc);
/* These addresses mean other memory than before. */
void heap_renewed(uintptr_t address, size_t size);
