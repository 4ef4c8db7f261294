/* Exceptions that several threads share (std::exception_ptr, futures): the C++ library counts who has one, in code that is not compiled to
 * be watched. Whoever gives one back comes before its end, which the last one sees to. While others have it, it is given back here instead
 * of by the library, so that what is known comes in the order of the counts. */
#include "intercept/intercept.h"

/* As the C++ ABI has it for x86-64, in front of the exception's own bytes; see unwind-cxx.h of gcc. */
struct exception {
  int count;
  int unused[3];
  void *type;
  void (*destructor)(void *object);
  void *functions[2], *next;
  int handlers[2];
  void *state[4];
  uint64_t class, unwinding[3];
};
struct dependent {
  int unused[4];
  void *object; /* of the exception that it stands for */
};
_Static_assert(sizeof(struct exception) == 128 && offsetof(struct exception, class) == 96, "the layout");

#define PRIMARY   0x474e5543432b2b00ull /* GNUCC++ */
#define DEPENDENT 0x474e5543432b2b01ull
enum { HEADER = offsetof(struct exception, type) };

struct globals {
  char *caught; /* the type of what is being handled */
};
PUBLIC void __cxa_end_catch(void);
PUBLIC void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **p);
extern struct globals *__cxa_get_globals(void);
extern void __cxa_free_exception(void *object);

static struct exception *of_object(void *object) { return (struct exception *)object - 1; }
static bool is_shared(struct exception *e) { return __atomic_load_n(&e->count, __ATOMIC_ACQUIRE) > 1; }

/* Nobody else has it, and it may end now. */
static void is_last(struct thread *t, struct exception *e) {
  if (!t->ignore_sync) sync_acquire(t, (uintptr_t)&e->count);
}

/* True if that was the last. */
static bool given_back(struct thread *t, struct exception *e) {
  if (!t->ignore_sync) sync_release(t, (uintptr_t)&e->count, SYNC_ATOMIC);
  if (__atomic_sub_fetch(&e->count, 1, __ATOMIC_ACQ_REL) > 0) return false;
  is_last(t, e);
  if (e->destructor) e->destructor(e + 1);
  NEXT(__cxa_free_exception)(e + 1);
  return true;
}

/* What the thread handles; NULL if that is no exception of the C++ library that we know. */
static struct exception *handled(void) {
  const struct globals *g = NEXT(__cxa_get_globals)();
  if (!g->caught) return NULL;
  struct exception *e = (struct exception *)(void *)(g->caught - HEADER);
  if (e->class == PRIMARY) return e;
  return e->class == DEPENDENT ? of_object(((struct dependent *)e)->object) : NULL;
}

__attribute__((weak)) void __cxa_end_catch(void) {
  struct thread *t = watched();
  struct exception *e = t ? handled() : NULL;
  bool shared = e && is_shared(e);
  if (shared) __atomic_add_fetch(&e->count, 1, __ATOMIC_RELAXED); /* so it does not end in the library */
  if (e && !shared) is_last(t, e);
  NEXT(__cxa_end_catch)();
  if (shared) given_back(t, e);
}

__attribute__((weak)) void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **p) {
  struct thread *t = *p ? watched() : NULL;
  struct exception *e = t ? of_object(*p) : NULL;
  if (e && is_shared(e)) {
    if (given_back(t, e)) *p = NULL;
    return;
  }
  if (e) is_last(t, e);
  NEXT(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv)(p);
}
