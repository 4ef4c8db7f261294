#include "record/outside.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "intercept/intercept.h"
#include "record/kept.h"
#include "record/module.h"
#include "record/record.h"
#include "record/system.h"

/* Bytes of one argument, and of one call; of memory whose size is not known; calls that are under way within each other. */
enum { BYTES_MOST = 256, CALL_MOST = 512, GUESSED = 64 /* WEAVE_GUESSED */, ARGUMENTS = 6 /* WEAVE_OUTSIDE_MOST */, CALLS = 4 };

struct looked {
  uintptr_t address;
  uint32_t size, at; /* bytes; where they are in `bytes` */
  bool stays;
};
struct under_way {
  const struct outside_memory *list; /* NULL: it is over */
  uint32_t site, n, used, module;
  struct looked looked[ARGUMENTS];
  unsigned char bytes[CALL_MOST];
};
/* Of a thread that has called such a function: CALLS. A library that is loaded late has little room for variables of threads. */
#define calls ((struct under_way *)hd_recorder.under_way)
static __thread unsigned latest;
_Static_assert(CALLS * sizeof(struct under_way) <= RECORD_UNDER_WAY, "of record.h");

/* Memory that may not be there. How many bytes of it there are. */
static size_t peek(uintptr_t address, void *to, size_t size) {
  enum { FIRST_PAGE = 4096 }; /* nobody has it */
  struct iovec here = {to, size}, there = {(void *)address, size};
  if (address < FIRST_PAGE) return 0;
  long n = syscall(SYS_process_vm_readv, (long)getpid(), &here, 1ul, &there, 1ul, 0ul);
  return n > 0 ? (size_t)n : 0;
}

/* What is there now, as far as it is. */
static size_t fetch(const struct looked *x, void *to) {
  if (!x->stays) return peek(x->address, to, x->size);
  rt_copy(to, (const void *)x->address, x->size);
  return x->size;
}

/* Up to the end of the page: what lies behind it may not be there. */
static size_t guess(uintptr_t address) {
  enum { PAGE_BYTES = 4096 };
  size_t left = PAGE_BYTES - address % PAGE_BYTES;
  return left < GUESSED ? left : GUESSED;
}

static void look(struct under_way *c, const struct outside_memory *m) {
  size_t left = CALL_MOST - c->used, size = m->size & ~OUTSIDE_VARIABLE;
  if (size == 0) size = guess(m->address);
  struct looked *x = &c->looked[c->n];
  if (size > BYTES_MOST) size = BYTES_MOST;
  if (size > left) size = left;
  *x = (struct looked){m->address, (uint32_t)size, c->used, (m->size & OUTSIDE_VARIABLE) != 0};
  x->size = (uint32_t)fetch(x, c->bytes + c->used);
  if (x->size == 0) return;
  record_looked(hd_fast.self, x->address, c->bytes + x->at, x->size);
  c->used += x->size, c->n++;
}

/* What is begun may wait for what others do there. */
static void begins(struct thread *t, const struct looked *x) {
  for (uintptr_t at = x->address & ~(uintptr_t)(KEPT_BYTES - 1); at < x->address + x->size; at += KEPT_BYTES)
    kept_happens(t, at, KEPT_IF_BEFORE);
}

static struct under_way *free_call(const struct outside_memory *list) {
  for (unsigned i = 0; i < CALLS; i++)
    if (calls[i].list == list) return &calls[i];
  for (unsigned i = 0; i < CALLS; i++)
    if (!calls[i].list) return &calls[i];
  return &calls[latest++ % CALLS]; /* it was left by a jump, or will not be looked at again */
}

static void count(void) {
  hd_recorder.outside = 0;
  for (unsigned i = 0; i < CALLS; i++)
    if (calls[i].list) hd_recorder.outside++;
}

static bool has_room(struct thread *t) {
  if (calls) return true;
  thread_enter(t);
  hd_recorder.under_way = rt_alloc(RECORD_UNDER_WAY);
  if (calls) rt_zero(calls, RECORD_UNDER_WAY);
  thread_leave(t);
  return calls;
}

/* Into the module, or out of it; or the function is known to ask the system. */
static void passes_through(struct thread *t, uint32_t module) {
  if (module >= MODULE_SYSTEM)
    system_uses(t, module);
  else
    kept_passes(t, module, true);
}

static void begin(struct thread *t, uint32_t module, const struct outside_memory *list, uint64_t n) {
  struct under_way *c = free_call(list);
  c->list = list, c->site = hd_recorder.site, c->module = module, c->n = c->used = 0;
  for (uint64_t i = 0; i < n && i < ARGUMENTS; i++)
    if (c->used < CALL_MOST) look(c, &list[i]);
  for (uint32_t i = 0; i < c->n; i++) begins(t, &c->looked[i]);
  passes_through(t, module);
  record_decided_outside(t); /* it may call the program's functions, or not */
  count();
}

uint64_t outside_functions[OUTSIDE_FUNCTIONS];

static uint32_t what_is(uintptr_t function) {
  uint32_t what = function ? outside_known(function) : MODULE_LIBRARY;
  if (what != MODULE_UNKNOWN) return what;
  what = module_of_function(function);
  __atomic_store_n(outside_place(function), (uint64_t)function << OUTSIDE_BITS | what, __ATOMIC_RELAXED);
  return what;
}

void outside_calls(uintptr_t function, const struct outside_memory *list, uint64_t n) {
  struct thread *t = recording && !enforcing ? watched() : NULL;
  if (!t) return;
  int saved = errno;
  uint32_t what = what_is(function);
  bool passes = what != MODULE_WOVEN && (what != MODULE_LIBRARY || n > 0);
  if (passes && has_room(t)) begin(t, what, list, n);
  errno = saved;
}

/* Calls that were left by a jump are below, on the stack. */
bool outside_is_at(uintptr_t code) {
  for (unsigned i = 0; calls && i < CALLS; i++) {
    bool lasts = calls[i].list && (uintptr_t)calls[i].list > (uintptr_t)__builtin_frame_address(0);
    if (lasts && calls[i].module >= MODULE_FIRST && calls[i].module <= MODULE_LAST && module_has(code, calls[i].module)) return true;
  }
  return false;
}

uint32_t outside_entered(uintptr_t caller) {
  uint32_t module = module_of_code(caller);
  struct thread *t = module && recording && !enforcing ? watched() : NULL;
  if (!t) return 0;
  int saved = errno;
  passes_through(t, module);
  record_decided_outside(t);
  errno = saved;
  return module;
}

void outside_left(uint32_t module) {
  struct thread *t = recording && !enforcing ? watched() : NULL;
  int saved = errno;
  if (t) passes_through(t, module);
  errno = saved;
}

/* A thread's stack is used again by others, and seldom holds what several threads call such functions with. */
static enum kept_how kept_if_changed(const struct thread *t, uintptr_t address) {
  return address >= t->info->memory.from && address < t->info->memory.to ? KEPT_IF_BEFORE : KEPT_FROM_NOW_ON;
}

/* Words, as they are aligned, of which a byte is another one now. Where others have done something, it may be the same again. */
static void compare(struct thread *t, const struct looked *x, const unsigned char *was) {
  unsigned char now[BYTES_MOST];
  size_t n = fetch(x, now);
  bool changed = false;
  for (size_t i = 0; i < n;) {
    uintptr_t at = x->address + i;
    size_t size = 8 - at % 8;
    if (size > n - i) size = n - i;
    bool same = true;
    for (size_t k = i; k < i + size; k++) same &= was[k] == now[k];
    if (!same || kept_has(at)) record_left(t, at, now + i, size);
    changed |= !same;
    i += size;
    if ((at + size) % KEPT_BYTES != 0 && i < n) continue;
    kept_happens(t, at, changed ? kept_if_changed(t, at) : KEPT_IF_BEFORE);
    changed = false;
  }
}

void outside_returns(const struct outside_memory *list) {
  struct thread *t = recording && !enforcing ? watched() : NULL;
  struct under_way *c = NULL;
  for (unsigned i = 0; calls && i < CALLS; i++)
    if (calls[i].list == list) c = &calls[i];
  if (!c) return;
  int saved = errno;
  c->list = NULL, count();
  hd_recorder.site = c->site;
  for (uint32_t i = 0; t && i < c->n; i++) compare(t, &c->looked[i], c->bytes + c->looked[i].at);
  if (t) passes_through(t, c->module), record_decided_outside(t);
  errno = saved;
}
