/* What programs may have asked for by <sanitizer/common_interface_defs.h> and <sanitizer/allocator_interface.h>. */
#pragma once
#include "base.h"

/* The runtime is about to end the process. */
void sanitizer_ends(void);
/* The program looks for hooks of its own, before it has allocated anything. */
void sanitizer_start(void);

/* The program is called for each block. */
extern bool hooks_installed;
void hooks_allocated(const void *block, size_t size);
/* True if it is not to be freed. */
bool hooks_freed(const void *block);
