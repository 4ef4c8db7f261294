/* Thread-specific data. A thread ends, for the runtime, behind the last destructor of a key that the program has: the C library tells it by
 * a key of the runtime's. So that the program has all 1,024 of a process nevertheless, that one is lent to it when there is no other left:
 * its values are kept here then. */
#pragma once
#include <stdbool.h>

/* From now on over(data) is called at the end of each thread that says so. False if there is no key left. */
bool keys_start(void (*over)(void *));
/* The calling thread says so. */
void keys_end_with(void *data);
