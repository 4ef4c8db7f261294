/* What code calls that is woven to be recorded. All registers are kept but r11 and the vector registers (the calling convention
 * preserve_most): this file is clang's. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* Encoding is in each of them, for its size alone. */
#define inline inline __attribute__((always_inline))
#include "record/buffer.h"
#include "record/outside.h"

#define KEEPS  __attribute__((preserve_most, visibility("default")))
#define SLOWLY __attribute__((preserve_most, noinline, cold))

/* It may be a thread that nobody knows yet. */
SLOWLY static bool begins(struct recorder *r) {
  if (!recording || enforcing || r->slot || r->ended || hd_fast.unknown) return false;
  struct thread *t = thread_self();
  if (t && !r->slot) record_begin(t);
  return r->ready;
}

SLOWLY static void time_comes(struct recorder *r) {
  if (r->until_time == 0) buffer_time(r);
  if (buffer_is_full(r)) buffer_flush(r);
}

SLOWLY static void undefer(struct thread *t) { thread_undefer(t); }

HOT bool enter(struct recorder *r) {
  if (UNLIKELY(!r->ready) && !begins(r)) return false;
  return buffer_enter(r);
}
HOT void leave(struct recorder *r) {
  struct thread *t = r->thread;
  r->count++;
  if (UNLIKELY(r->until_time == 0 || buffer_is_full(r))) time_comes(r);
  buffer_leave(r);
  if (UNLIKELY(t->deferred) && t->busy == 0) undefer(t);
}

HOT void access(uintptr_t p, uint64_t value, uint32_t site, unsigned size, bool writes) {
  struct recorder *r = &hd_recorder;
  if (!enter(r)) return;
  buffer_add(r, trace_put_access(r->coder, r->at, writes, site, p, value, size));
  if (!writes) r->fresh = true;
  r->until_time--;
  leave(r);
}

#define ACCESS(size)                                                                                                 \
  KEEPS void __heddle_record_read##size(uintptr_t p, uint64_t v, uint32_t site);                                     \
  KEEPS void __heddle_record_write##size(uintptr_t p, uint64_t v, uint32_t site);                                    \
  KEEPS void __heddle_record_if_read##size(uintptr_t p, uint64_t v, int is, uint32_t site);                          \
  KEEPS void __heddle_record_if_write##size(uintptr_t p, uint64_t v, int is, uint32_t site);                         \
  KEEPS void __heddle_record_read##size(uintptr_t p, uint64_t v, uint32_t site) { access(p, v, site, size, false); } \
  KEEPS void __heddle_record_write##size(uintptr_t p, uint64_t v, uint32_t site) { access(p, v, site, size, true); } \
  KEEPS void __heddle_record_if_read##size(uintptr_t p, uint64_t v, int is, uint32_t site) {                         \
    if (is) access(p, v, site, size, false);                                                                         \
  }                                                                                                                  \
  KEEPS void __heddle_record_if_write##size(uintptr_t p, uint64_t v, int is, uint32_t site) {                        \
    if (is) access(p, v, site, size, true);                                                                          \
  }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)

/* Without a read since the last one it says nothing new. */
KEEPS void __heddle_record_branch(uint64_t value, uint32_t site);
KEEPS void __heddle_record_branch(uint64_t value, uint32_t site) {
  struct recorder *r = &hd_recorder;
  if (!r->fresh || !enter(r)) return;
  r->fresh = false;
  buffer_add(r, trace_put_branch(r->coder, r->at, site, value));
  leave(r);
}

/* A branch, too. Far from the pointer nothing says that NULL in its place would lead nowhere. */
KEEPS void __heddle_record_use(uint64_t pointer, uint64_t address, uint32_t read, uint32_t site);
KEEPS void __heddle_record_use(uint64_t pointer, uint64_t address, uint32_t read, uint32_t site) {
  struct recorder *r = &hd_recorder;
  if (!r->fresh || !enter(r)) return;
  bool near = address - pointer < TRACE_NULL_MOST;
  r->fresh = false;
  buffer_add(r, near ? trace_put_use(r->coder, r->at, site, pointer, read) : trace_put_branch(r->coder, r->at, site, address));
  leave(r);
}

/* Functions that may not be woven (outside.h): most are. */
SLOWLY static void calls(uintptr_t function, const struct outside_memory *list, uint64_t n) { outside_calls(function, list, n); }
SLOWLY static void entered(uintptr_t caller, uint32_t *module) { *module = outside_entered(caller); }
SLOWLY static void left(uint32_t module) { outside_left(module); }
SLOWLY static void returns(const struct outside_memory *list) { outside_returns(list); }

KEEPS void __heddle_record_calls(uintptr_t function, const struct outside_memory *list, uint64_t n);
KEEPS void __heddle_record_calls(uintptr_t function, const struct outside_memory *list, uint64_t n) {
  if (UNLIKELY(outside_known(function) != MODULE_WOVEN)) calls(function, list, n);
}
KEEPS void __heddle_record_returns(const struct outside_memory *list);
KEEPS void __heddle_record_returns(const struct outside_memory *list) {
  if (UNLIKELY(hd_recorder.outside)) returns(list);
}

/* A function that others may call through a pointer, and its end. (Functions that keep registers have no results.) */
KEEPS void __heddle_record_entered(uintptr_t caller, uint32_t *module);
KEEPS void __heddle_record_entered(uintptr_t caller, uint32_t *module) { entered(caller, module); }
KEEPS void __heddle_record_left(const uint32_t *module);
KEEPS void __heddle_record_left(const uint32_t *module) {
  if (UNLIKELY(*module)) left(*module);
}

KEEPS void __heddle_record_leaves(uint32_t site);
KEEPS void __heddle_record_leaves(uint32_t site) { hd_recorder.site = site; }
