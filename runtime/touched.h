/* Which pages of reserved address space have been touched. Large parts of a program's address space never are, and nor is what the runtime
 * keeps of them. */
#pragma once
#include "base.h"

enum { PAGE = 4096 };

/* Calls f for parts of the range, from the lowest on, that contain all its pages that were touched; the range begins and ends with a page.
 * Any thread. */
void touched_each(uintptr_t from, size_t bytes, void (*f)(uintptr_t at, size_t bytes, void *data), void *data);
