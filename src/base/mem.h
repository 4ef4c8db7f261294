/* Memory: the one place that calls malloc.
 *
 * Running out of memory ends the tool through one hook (mem_set_oom_hook), so no caller checks for NULL.
 * Frees are sized: mem_live() counts bytes, and a test that ends with mem_live() != 0 has leaked. */
#pragma once
#include <stddef.h>

/* Zero-filled block of `size` bytes; size 0 gives NULL. The caller owns it and frees it with the same size. */
[[nodiscard]] void *mem_alloc(size_t size);
/* Resizes; new bytes are zero. `old_size` is what the block was allocated with. */
[[nodiscard]] void *mem_realloc(void *block, size_t old_size, size_t new_size);
void mem_free(void *block, size_t size);
/* Bytes allocated and not freed by this process so far. Thread safe. */
size_t mem_live(void);
/* Called once with the size that could not be had; must not return. Default: prints one line and exits with 2. */
void mem_set_oom_hook(void (*hook)(size_t size));
