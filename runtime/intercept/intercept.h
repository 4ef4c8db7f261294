/* What functions that stand before the system's have in common. */
#pragma once
#include <dlfcn.h>

#include "analysis/access.h"
#include "runtime.h"
#include "sync.h"
#include "understood.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* The function that would be called without the runtime, of that version or else the newest. All are looked up when the runtime starts:
 * later, a thread might have to wait for the dynamic linker. The process ends at the call of one that does not exist. */
struct next_function {
  void **function;
  const char *name, *version;
};
void *next_function(const char *name, const char *version);
/* The C++ library's function. If a C program has loaded it later, it is not where symbols are looked for. NULL if there is none. */
void *of_cxx_library(const char *name);
void next_functions_start(void);
#define NEXT_VERSION(f, which)                                                                                   \
  ({                                                                                                             \
    static void *next_;                                                                                          \
    static const struct next_function entry_ = {&next_, #f, which};                                              \
    static const struct next_function *const listed_ __attribute__((section("next_functions"), used)) = &entry_; \
    if (UNLIKELY(!next_)) next_ = next_function(entry_.name, entry_.version);                                    \
    (__typeof__(&f))next_;                                                                                       \
  })
#define NEXT(f) NEXT_VERSION(f, NULL)

/* The calling thread if its doings count; NULL in the runtime's own, and before it has started. */
HOT struct thread *watched(void) {
  struct thread *t = LIKELY(runtime_on) ? thread_self() : NULL;
  return t && !t->busy ? t : NULL;
}

/* Signals are read from a descriptor (signalfd()): who reads comes behind who sent them. */
extern bool signals_are_read;
void signals_received(void);
/* The thread has left what it called: it may have been cancelled. */
void cancelled_resumes(void);

/* A descriptor, or a negative number, that a function is about to return to t. */
void opened(struct thread *t, int fd, uintptr_t pc);

/* The calling thread calls a function of that name, which no handler of a signal may call that came within such a function (handler.h). */
void unsafe_call(const char *name, uintptr_t pc);
extern bool signals_handled; /* the program has, or had, a handler */
HOT void not_in_handler(const char *name, uintptr_t pc) {
  if (UNLIKELY(signals_handled)) unsafe_call(name, pc);
}

/* Does this system call, its number and arguments, make a process with memory of its own, which goes on where this one does? */
bool call_forks(const uintptr_t *call);

/* Memory that a library function reads or writes for the program. */
HOT void touches(struct thread *t, const void *p, size_t size, enum site_kind kind, uintptr_t pc) {
  if (!t || !size || is_understood(pc) || access_ignored(t, (uintptr_t)p, size, kind, pc)) return;
  thread_enter(t);
  access_range(t, (uintptr_t)p, size, kind, pc);
  thread_leave(t);
}

/* A lock, condition, semaphore or barrier is used: if another thread destroys it, or has not initialised it, that is a race of its own,
 * told by its first byte. It was initialised; it was destroyed. */
void object_used(struct thread *t, const void *object, uintptr_t pc);
void object_initialised(void *object, uintptr_t pc);
void object_destroyed(void *object, uintptr_t pc);

/* Mutexes: of another kind than the C library's, or its own that a wait for a condition gives back. One was made; it is about to be waited
 * for, and the wait is over, with or without it; it was taken, waited for or not; it is about to be given back; it is gone. */
void mutex_made(void *lock, uintptr_t pc);
bool mutex_wanted(struct thread *t, void *lock, bool again, uintptr_t pc); /* true if deadlock_over() ends the wait */
void mutex_taken(void *lock, bool waited, uintptr_t pc);
void mutex_refused(void *lock, uintptr_t pc); /* tried in vain */
void mutex_given(void *lock, uintptr_t pc);
void mutex_gone(void *lock, uintptr_t pc);
