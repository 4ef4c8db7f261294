/* What programs say themselves: the functions of <sanitizer/tsan_interface.h>, and the older dynamic annotations. */
#include "analysis/race.h"
#include "intercept/annotation.h"

/* Orders by an address that the program chose. */
static void acquire(uintptr_t address) {
  struct thread *t = watched();
  if (t) sync_acquire(t, address);
}
static void release(uintptr_t address) {
  struct thread *t = watched();
  if (t) sync_release(t, address, SYNC_OTHER);
}

PUBLIC void __tsan_acquire(void *address);
PUBLIC void __tsan_release(void *address);
void __tsan_acquire(void *address) { acquire((uintptr_t)address); }
void __tsan_release(void *address) { release((uintptr_t)address); }

/* Fibers: threads that the program itself takes turns between. Switching orders, unless the flag says that it does not. */
enum { NO_SYNC = 1 };
PUBLIC void *__tsan_get_current_fiber(void);
PUBLIC void *__tsan_create_fiber(unsigned flags);
PUBLIC void __tsan_destroy_fiber(void *fiber);
PUBLIC void __tsan_switch_to_fiber(void *fiber, unsigned flags);
PUBLIC void __tsan_set_fiber_name(void *fiber, const char *name);

void *__tsan_get_current_fiber(void) { return thread_self(); }

void *__tsan_create_fiber(unsigned flags) {
  (void)flags;
  struct thread *t = watched(), *fiber;
  if (!t) return NULL;
  thread_enter(t);
  fiber = thread_new(t, thread_site(t, CALLER, SITE_THREAD, 0));
  if (fiber) fiber->top = fiber->frames;
  thread_tick(t);
  thread_leave(t);
  return fiber;
}

void __tsan_destroy_fiber(void *fiber) {
  struct thread *t = thread_self();
  if (!t || !fiber) return;
  thread_enter(t);
  thread_drop(fiber);
  thread_leave(t);
}

void __tsan_switch_to_fiber(void *fiber, unsigned flags) {
  struct thread *t = thread_self(), *to = fiber;
  if (!t || !to || t == to) return;
  thread_enter(t), thread_enter(to);
  if (!(flags & NO_SYNC)) {
    struct vclock *c = NULL;
    thread_release(t, &c);
    thread_acquire(to, c);
    vclock_free(c);
  } else {
    thread_tick(t); /* if it is destroyed, its slot's next thread goes on behind what it did */
  }
  t->top = hd_fast.top;
  fast_set(to, to->top);
  thread_leave(t), thread_leave(to);
}

void __tsan_set_fiber_name(void *fiber, const char *name) {
  struct thread *t = fiber;
  if (t) thread_name(t->info->number, name);
}

#define IGNORES(what, by)                                \
  do {                                                   \
    struct thread *t = runtime_on ? hd_fast.self : NULL; \
    if (t) t->ignore_##what += (by);                     \
  } while (0)

ANNOTATION(AnnotateHappensBefore, (AT, uintptr_t address), release(address))
ANNOTATION(AnnotateHappensAfter, (AT, uintptr_t address), acquire(address))
ANNOTATION(AnnotateIgnoreReadsBegin, (AT), IGNORES(reads, 1))
ANNOTATION(AnnotateIgnoreReadsEnd, (AT), IGNORES(reads, -1))
ANNOTATION(AnnotateIgnoreWritesBegin, (AT), IGNORES(writes, 1))
ANNOTATION(AnnotateIgnoreWritesEnd, (AT), IGNORES(writes, -1))
ANNOTATION(AnnotateIgnoreSyncBegin, (AT), IGNORES(sync, 1))
ANNOTATION(AnnotateIgnoreSyncEnd, (AT), IGNORES(sync, -1))
ANNOTATION(AnnotateNewMemory, (AT, uintptr_t address, uintptr_t size), access_forget(address, size))
ANNOTATION(AnnotateThreadName, (AT, const char *name), if (runtime_on) __tsan_set_fiber_name(thread_self(), name))

ANNOTATION(AnnotateBenignRaceSized, (AT, uintptr_t address, uintptr_t size, const char *why), (void)why; races_expected(address, size))
ANNOTATION(WTFAnnotateBenignRaceSized, (AT, uintptr_t address, uintptr_t size, const char *why), (void)why; races_expected(address, size))
ANNOTATION(AnnotateBenignRace, (AT, uintptr_t address, const char *why), (void)why; races_expected(address, 1))

/* What says nothing that the analyses would ask for, and is here for programs to be linked. */
ANNOTATION(WTFAnnotateHappensBefore, (AT, uintptr_t address), (void)address)
ANNOTATION(WTFAnnotateHappensAfter, (AT, uintptr_t address), (void)address)
ANNOTATION(AnnotateCondVarWait, (AT, uintptr_t c, uintptr_t m), (void)c; (void)m)
ANNOTATION(AnnotateCondVarSignal, (AT, uintptr_t c), (void)c)
ANNOTATION(AnnotateCondVarSignalAll, (AT, uintptr_t c), (void)c)
ANNOTATION(AnnotateEnableRaceDetection, (AT, int on), (void)on)
ANNOTATION(AnnotateExpectRace, (AT, uintptr_t address, const char *why), (void)address; (void)why)
ANNOTATION(AnnotateFlushExpectedRaces, (AT), )
ANNOTATION(AnnotateFlushState, (AT), )
ANNOTATION(AnnotateMutexIsNotPHB, (AT, uintptr_t m), (void)m)
ANNOTATION(AnnotateMutexIsUsedAsCondVar, (AT, uintptr_t m), (void)m)
ANNOTATION(AnnotateNoOp, (AT, uintptr_t m), (void)m)
ANNOTATION(AnnotateTraceMemory, (AT, uintptr_t address), (void)address)
ANNOTATION(AnnotatePCQCreate, (AT, uintptr_t queue), (void)queue)
ANNOTATION(AnnotatePCQDestroy, (AT, uintptr_t queue), (void)queue)
ANNOTATION(AnnotatePCQPut, (AT, uintptr_t queue), release(queue))
ANNOTATION(AnnotatePCQGet, (AT, uintptr_t queue), acquire(queue))
ANNOTATION(AnnotatePublishMemoryRange, (AT, uintptr_t address, uintptr_t size), (void)size; release(address))
ANNOTATION(AnnotateUnpublishMemoryRange, (AT, uintptr_t address, uintptr_t size), (void)address; (void)size)
ANNOTATION(AnnotateMemoryIsInitialized, (AT, uintptr_t address, uintptr_t size), (void)address; (void)size)
ANNOTATION(AnnotateMemoryIsUninitialized, (AT, uintptr_t address, uintptr_t size), (void)address; (void)size)
PUBLIC int RunningOnValgrind(void);
PUBLIC double ValgrindSlowdown(void);
PUBLIC const char *ThreadSanitizerQuery(const char *query);
int RunningOnValgrind(void) { return 0; }
double ValgrindSlowdown(void) { return 10; }
const char *ThreadSanitizerQuery(const char *query) { return rt_equal(query, "pure_happens_before") ? "1" : "0"; }

/* Objects of libraries that are used by one thread at a time: their first byte stands for them. */
PUBLIC void *__tsan_external_register_tag(const char *type);
PUBLIC void __tsan_external_register_header(void *tag, const char *header);
PUBLIC void __tsan_external_assign_tag(void *object, void *tag);
PUBLIC void __tsan_external_read(void *object, void *caller, void *tag);
PUBLIC void __tsan_external_write(void *object, void *caller, void *tag);
void *__tsan_external_register_tag(const char *type) { return (void *)(uintptr_t)type; }
void __tsan_external_register_header(void *tag, const char *header) { (void)tag, (void)header; }
void __tsan_external_assign_tag(void *object, void *tag) { (void)object, (void)tag; }
void __tsan_external_read(void *object, void *caller, void *tag) {
  (void)tag;
  touches(watched(), object, 1, SITE_READ, (uintptr_t)caller);
}
void __tsan_external_write(void *object, void *caller, void *tag) {
  (void)tag;
  touches(watched(), object, 1, SITE_WRITE, (uintptr_t)caller);
}
PUBLIC void __tsan_flush_memory(void);
void __tsan_flush_memory(void) {}
