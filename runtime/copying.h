/* memcpy(), memmove() and memset() of a program that is watched, as the compiler's calls and the C library's functions have them. A record
 * has what went through the copy: whoever looks at the memory once more may find what others have written there meanwhile. Longer ones than
 * RECORD_VALUES have no values in a record. */
#pragma once
#include "record/record.h"
#include "runtime.h"

/* Tells of an access of n bytes. */
typedef void copying_touch(const void *p, size_t n, enum site_kind kind, uintptr_t pc);

HOT void *copying_copy(void *to, const void *from, size_t n, bool moves, uintptr_t pc, copying_touch *touch) {
  char values[RECORD_VALUES];
  bool records = records_behind(), kept = records && runtime_on && n <= RECORD_VALUES;
  if (UNLIKELY(kept)) {
    memory_move(values, from, n);
    memory_move(to, values, n);
    record_copies(from, values);
  }
  touch(from, n, SITE_READ, pc);
  if (LIKELY(!records)) touch(to, n, SITE_WRITE, pc);
  if (LIKELY(!kept)) moves ? memory_move(to, from, n) : memory_copy(to, from, n);
  if (LIKELY(!records)) return to;
  if (kept) record_copies(to, values);
  touch(to, n, SITE_WRITE, pc);
  record_copies(NULL, NULL);
  return to;
}

HOT void *copying_fill(void *p, int c, size_t n, uintptr_t pc, copying_touch *touch) {
  char values[RECORD_VALUES];
  bool records = records_behind(), kept = records && runtime_on && n <= RECORD_VALUES;
  if (LIKELY(!records)) touch(p, n, SITE_WRITE, pc);
  memory_fill(p, c, n);
  if (LIKELY(!records)) return p;
  if (kept) memory_fill(values, c, n), record_copies(p, values);
  touch(p, n, SITE_WRITE, pc);
  record_copies(NULL, NULL);
  return p;
}
