#include "record/outside.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "intercept/intercept.h"
#include "record/module.h"
#include "record/record.h"

/* Bytes of one argument, and of one call; of memory whose size is not known; calls that are under way within each other. */
enum { BYTES_MOST = 256, CALL_MOST = 512, GUESSED = 64, ARGUMENTS = 6 /* WEAVE_OUTSIDE_MOST */, CALLS = 4 };

struct looked {
  uintptr_t address;
  uint32_t size, at; /* bytes; where they are in `bytes` */
  bool stays;
};
struct under_way {
  const struct outside_memory *list; /* NULL: it is over */
  uint32_t site, n, used;
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

void outside_calls(uintptr_t function, uint32_t *known, const struct outside_memory *list, uint64_t n) {
  struct thread *t = recording && !enforcing ? watched() : NULL;
  if (!t) return;
  int saved = errno;
  if (*known == OUTSIDE_UNKNOWN) *known = module_is_woven(function) ? OUTSIDE_WOVEN : OUTSIDE_OTHER;
  if (*known == OUTSIDE_OTHER && has_room(t)) {
    struct under_way *c = free_call(list);
    c->list = list, c->site = hd_recorder.site, c->n = c->used = 0;
    for (uint64_t i = 0; i < n && i < ARGUMENTS; i++)
      if (c->used < CALL_MOST) look(c, &list[i]);
    count();
  }
  errno = saved;
}

/* Words, as they are aligned, of which a byte is another one now. */
static void compare(struct thread *t, const struct looked *x, const unsigned char *was) {
  unsigned char now[BYTES_MOST];
  size_t n = fetch(x, now);
  for (size_t i = 0; i < n;) {
    size_t size = 8 - (x->address + i) % 8;
    bool same = true;
    if (size > n - i) size = n - i;
    for (size_t k = i; k < i + size; k++) same &= was[k] == now[k];
    if (!same) record_left(t, x->address + i, now + i, size);
    i += size;
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
  errno = saved;
}
