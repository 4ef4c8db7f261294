/* Inline assembler, as woven code tells of it (src/weave/assembler.h): each operand in memory is an atomic access, which is made and
 * counted under one lock, as others are. Whether an update has written nobody knows: it is like a compare-exchange. Code that may have to
 * wait for another thread keeps no lock; then which value was there is not known. */
#include "enforce/enforce.h"
#include "intercept/intercept.h"
#include "record/record.h"

enum how { READS = 1, WRITES = 2, WAITS = 4, SEVERAL = 8 }; /* enum weave_how (src/weave/weave.h) */
enum { MOST = 8, VALUED = 8 /* bytes */ };

/* The calling thread's operands whose objects are locked, from the first one that is told of to the last one whose end is. No handler of a
 * signal comes meanwhile. */
static __thread struct {
  struct thread *thread;
  struct {
    struct sync *object; /* NULL: its end was told of */
    uint64_t was;
  } all[MOST];
  uint8_t count, left;
} now;
/* Who has more than one object locked has this as well, so that nobody who has one waits for one of another's. */
static struct rt_lock several;

PUBLIC void __heddle_recorder_assembler_begins(uintptr_t address, size_t size, uint32_t how, uint32_t site);
PUBLIC void __heddle_recorder_assembler_ends(uintptr_t address, size_t size, uint32_t how, uint32_t site);

static uint64_t value_at(uintptr_t address, size_t size) {
  uint64_t value = 0;
  if (size <= VALUED) __builtin_memcpy(&value, (const void *)address, size);
  return value;
}

static unsigned op_of(uint32_t how) { return how & WRITES ? TRACE_EVENT_RMW : TRACE_EVENT_READ; }

/* The operand's number, or `count`: it has none. */
static unsigned find(const struct sync *s) {
  unsigned i = 0;
  while (i < now.count && now.all[i].object != s) i++;
  return i;
}

/* Two operands at one address are one. */
void __heddle_recorder_assembler_begins(uintptr_t address, size_t size, uint32_t how, uint32_t site) {
  struct thread *t = now.count ? now.thread : recording ? watched() : NULL;
  hd_recorder.site = site;
  if (!t) return;
  if (now.count == 0) enforce_before(t, 1u << op_of(how), address, size, 0);
  struct sync *s = how & WAITS ? NULL : sync_at(address, SYNC_ATOMIC);
  if (!s || now.count == MOST || find(s) < now.count) return;
  if (now.count == 0 && how & SEVERAL) {
    thread_enter(t);
    rt_lock(&several);
  }
  sync_lock(t, s);
  now.thread = t;
  now.all[now.count].object = s, now.all[now.count].was = value_at(address, size);
  now.count++, now.left++;
}

static void end_waiting(uintptr_t address, size_t size, uint32_t how) {
  struct thread *t = recording ? watched() : NULL;
  struct sync *s = t ? sync_at(address, SYNC_ATOMIC) : NULL;
  if (!s) return;
  sync_lock(t, s);
  record_atomic(t, (enum trace_op)op_of(how), s, TRACE_NO_VALUE, (unsigned)size, __ATOMIC_SEQ_CST, 0, 0);
  sync_unlock(t, s);
}

void __heddle_recorder_assembler_ends(uintptr_t address, size_t size, uint32_t how, uint32_t site) {
  struct thread *t = now.thread;
  hd_recorder.site = site;
  if (how & WAITS) end_waiting(address, size, how);
  struct sync *s = now.count ? sync_find(address) : NULL;
  unsigned i = s ? find(s) : now.count;
  if (i == now.count) return;
  record_atomic(t, (enum trace_op)op_of(how), s, 0, (unsigned)size, __ATOMIC_SEQ_CST, now.all[i].was,
                how & WRITES ? value_at(address, size) : 0);
  now.all[i].object = NULL;
  if (--now.left == 0) now.count = 0;
  sync_unlock(t, s);
  if (now.left > 0 || !(how & SEVERAL)) return;
  rt_unlock(&several);
  thread_leave(t);
}
