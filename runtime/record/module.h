/* What memory holds before anybody in the program has written to it. */
#pragma once
#include "sync.h"

/* Is the function woven, or the runtime's own? */
bool module_is_woven(uintptr_t function);
/* Is the code there in a module that is woven, or in a library of C, C++ or the compiler, which does what the program's code asks for? */
bool module_is_known(uintptr_t code);
/* One was loaded, or is about to be unloaded. */
void modules_change(void);
/* From here on [address, address + size) holds a little-endian number, size <= 8; or zeros, of any size. */
void record_initial(struct thread *t, uintptr_t address, size_t size, uint64_t value);
