/* What memory holds before anybody in the program has written to it. */
#pragma once
#include "sync.h"

/* From here on [address, address + size) holds a little-endian number, size <= 8; or zeros, of any size. */
/* Is the function woven, or the runtime's own? */
bool module_is_woven(uintptr_t function);
void record_initial(struct thread *t, uintptr_t address, size_t size, uint64_t value);
