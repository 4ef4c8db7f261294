/* What memory holds before anybody in the program has written to it. */
#pragma once
#include "sync.h"

/* Is the function woven, or the runtime's own? If not: of a library of C, C++ or the compiler, or from MODULE_SYSTEM on, one of them that
 * is known to ask the system (system.h)? Else a number of its module, from MODULE_FIRST on; few modules have the same. */
enum module_function { MODULE_UNKNOWN, MODULE_WOVEN, MODULE_LIBRARY, MODULE_FIRST, MODULE_LAST = MODULE_FIRST + 63, MODULE_SYSTEM };
uint32_t module_of_function(uintptr_t function);
/* Is the code there in a module that is woven, or in a library of C, C++ or the compiler, which does what the program's code asks for? */
bool module_is_known(uintptr_t code);
/* The number of the module that the code is in; MODULE_UNKNOWN if it is known. */
uint32_t module_of_code(uintptr_t code);
/* Is the code in the module of that number, or one of those? */
bool module_has(uintptr_t code, uint32_t module);
/* Other compilers' code is linked into modules that are woven. */
void modules_have_strangers(void);
/* One was loaded, or is about to be unloaded. */
void modules_change(void);
/* From here on [address, address + size) holds a little-endian number, size <= 8; or zeros, of any size. */
void record_initial(struct thread *t, uintptr_t address, size_t size, uint64_t value);
