/* The runtime's start and end. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "analysis/action.h"
#include "analysis/confirm.h"
#include "analysis/deadlock.h"
#include "analysis/leaks.h"
#include "analysis/lockorder.h"
#include "analysis/lockset.h"
#include "analysis/nested.h"
#include "analysis/record.h"
#include "analysis/violation.h"
#include "intercept/intercept.h"
#include "intercept/sanitizer.h"
#include "joining.h"
#include "record/opened.h"
#include "record/record.h"
#include "record/system.h"
#include "report/report.h"
#include "report/suppression.h"

bool runtime_on;

static void *look_up(const char *name, const char *version) { return version ? dlvsym(RTLD_NEXT, name, version) : dlsym(RTLD_NEXT, name); }

void *of_cxx_library(const char *name) {
  void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
  return library ? dlsym(library, name) : NULL;
}

void *next_function(const char *name, const char *version) {
  struct thread *t = hd_fast.self;
  if (t) thread_enter(t);
  void *f = look_up(name, version);
  if (!f) f = of_cxx_library(name);
  if (t) thread_leave(t);
  if (!f && name[0] == '_' && name[1] == 'Z') /* operator new has no memory left, and the program is to hear of it */
    rt_die("heddle: the C++ library's %s is needed, and is not to be found: was it linked with -static-libstdc++?\n", name);
  if (!f) rt_die("heddle: the C library has no %s: it is older than the runtime can work with\n", name);
  return f;
}

__attribute__((visibility("hidden"))) extern const struct next_function *const __start_next_functions[], *const __stop_next_functions[];
void next_functions_start(void) {
  for (const struct next_function *const *n = __start_next_functions; n < __stop_next_functions; n++)
    *(*n)->function = look_up((*n)->name, (*n)->version);
}

/* The child has one thread, and no lock of the runtime may be held by one that is not there. */
void runtime_before_fork(void) {
  struct thread *t = thread_self();
  if (UNLIKELY(recording) && t && !t->busy && !enforcing) system_alters_all(t);
  if (t) thread_enter(t), t->unsafe.epoch = 0; /* signals that the child sends come later */
  lockorder_before_fork();
  deadlock_before_fork();
  reports_before_fork();
  actions_before_fork();
  threads_before_fork();
  sync_before_fork();
  violations_before_fork();
  nested_before_fork();
  endings_before_fork();
  records_before_fork();
  if (recording) record_before_fork();
  locksets_before_fork();
  context_before_fork();
  alloc_before_fork();
}

void runtime_after_fork(bool child) {
  alloc_after_fork();
  context_after_fork();
  locksets_after_fork();
  records_after_fork();
  endings_after_fork(child);
  nested_after_fork(child);
  violations_after_fork();
  sync_after_fork(child);
  threads_after_fork(child);
  actions_after_fork();
  reports_after_fork(child);
  deadlock_after_fork(child);
  lockorder_after_fork(child);
  if (recording) record_after_fork(child);
  if (recording && child) opened_after_fork(), modules_after_fork();
  if (child && confirming) confirm_after_fork();
  if (hd_fast.self) thread_leave(hd_fast.self);
}
static void after_fork_in_parent(void) { runtime_after_fork(false); }
static void after_fork_in_child(void) { runtime_after_fork(true); }

PUBLIC void __tsan_init(void);
/* The one of this file, whoever else has that name. */
extern void own_init(void) __attribute__((alias("__tsan_init"), visibility("hidden")));

/* A library may need the runtime as a file although the program has it as a part (-static-libsan). All names are the program's then, in
 * that library and here, and so is all that is to do. */
static bool is_second(void) {
  void (*volatile init)(void) = __tsan_init;
  return init != own_init;
}

/* A library that was built to be watched brought the runtime into a program that was not: the C library's functions come first then, for
 * the library, too. Locks and threads would go unseen, and everything look like a race. They may come before the runtime, too, and be no
 * next ones: so if the program was linked to that library. */
static bool is_late(void) {
  const void *next = dlsym(RTLD_NEXT, "pthread_mutex_lock");
  return !next || next == dlsym(RTLD_DEFAULT, "pthread_mutex_lock");
}

void runtime_start(void) {
  static bool late;
  if (runtime_on || late || is_second()) return;
  shadow_start();
  if (is_late()) {
    late = true; /* no thread is known to the runtime, ever */
    next_functions_start();
    rt_say("heddle: nothing is watched: a library was built for it, but not the program that loads it: see heddle run --preload\n");
    return;
  }
  context_start();
  sync_start();
  threads_start();
  thread_enter(hd_fast.self);
  next_functions_start();
  streams_start();
  intercept_threads_start();
  pthread_atfork(runtime_before_fork, after_fork_in_parent, after_fork_in_child); /* the first of all: the others run outside of it */
  shadow_check();
  runtime_on = true;
  thread_leave(hd_fast.self);
}

void __tsan_init(void) { runtime_start(); }
/* The program may have it. */
extern const char *__tsan_default_suppressions(void) __attribute__((weak, visibility("default")));
extern const char *__tsan_default_options(void) __attribute__((weak, visibility("default")));

extern void __tsan_on_initialize(void) __attribute__((weak, visibility("default")));
/* With whether something was found; what it returns counts instead. */
extern int __tsan_on_finalize(int found) __attribute__((weak, visibility("default")));

/* NULL if it is not there. */
static const char *variable(char **environment, const char *name) {
  size_t n = rt_length(name);
  for (; *environment; environment++)
    if (strncmp(*environment, name, n) == 0 && (*environment)[n] == '=') return *environment + n + 1;
  return NULL;
}

/* As a library (-z initfirst, meson.build), this comes before everything else, the C library's start included: getenv() has nothing yet. As
 * a part of the program it comes before the program's own constructors, and preinit.c before those of libraries. */
__attribute__((constructor(101))) static void first(int argc, char **argv, char **environment) {
  (void)argc, (void)argv;
  if (is_second()) return;
  runtime_start();
  if (!runtime_on) return;
  const char *program = __tsan_default_options ? __tsan_default_options() : NULL;
  thread_enter(hd_fast.self);
  char *own = (char *)(uintptr_t)variable(environment, "HEDDLE_OPTIONS");
  options_read(own, variable(environment, "TSAN_OPTIONS"), program);
  if (recording && own) *own = 0; /* programs that it starts must not write to the same trace */
  thread_leave(hd_fast.self);
  if (__tsan_default_suppressions) suppressions_add(__tsan_default_suppressions(), "__tsan_default_suppressions()");
  sanitizer_start();
  if (__tsan_on_initialize) __tsan_on_initialize();
}

/* They are given time, as long as there are any: what they do now may race with what the end of the process does. */
static void wait_for_threads(void) {
  enum { STEP = 5 };
  for (int left = options.atexit_sleep; left > 0 && threads_run(); left -= STEP)
    syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = STEP * 1000000L}, NULL);
}

/* Processes that end by _exit() or a signal have printed what they found by then. */
__attribute__((destructor)) static void finish(void) {
  if (!runtime_on) return;
  wait_for_threads();
  struct thread *t = watched();
  if (recording && t) opened_look(t), record_finish();
  if (t) thread_enter(t); /* a signal's handler may want the locks of what follows */
  if (t) violations_finish(t);
  if (t && options.thread_leaks) leaks_report(t);
  reports_finish();
  if (t) thread_leave(t);
  int found = reports_count() > 0;
  if (__tsan_on_finalize) found = __tsan_on_finalize(found);
  if (!options.exit_code || !found) return;
  fflush(NULL);
  sanitizer_ends();
  _exit(options.exit_code);
}
