/* What glibc's tests expect of the library that they share, as far as one process can have it: each support/NAME.h is this file.
 * A check that fails is a failed assertion at its place. */
#pragma once
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "prelude.h"

enum { EXIT_UNSUPPORTED = SUITE_UNSUPPORTED, DEFAULT_TIMEOUT = 20, TIMESPEC_HZ = 1000000000 };

static __attribute__((unused)) const char *test_dir = "/tmp";
static __attribute__((unused)) unsigned test_verbose;
#define verbose_printf(...) ((void)0)

/* --- checks --- */

static inline __attribute__((unused)) void suite_fail(const char *what, const char *file, int line, const char *function) {
  __assert_fail(what, file, (unsigned)line, function);
}
#define SUITE_FAIL(what)      suite_fail(what, __FILE__, __LINE__, __func__)
#define FAIL(...)             (printf(__VA_ARGS__), SUITE_FAIL("FAIL"))
#define FAIL_EXIT(code, ...)  (printf(__VA_ARGS__), SUITE_FAIL("FAIL_EXIT"), exit(code))
#define FAIL_EXIT1(...)       FAIL_EXIT(1, __VA_ARGS__)
#define FAIL_RET(...)         return (printf(__VA_ARGS__), SUITE_FAIL("FAIL_RET"), 1)
#define FAIL_UNSUPPORTED(...) (printf(__VA_ARGS__), exit(EXIT_UNSUPPORTED))
#define FAIL_SUPPORT(...)     FAIL(__VA_ARGS__)
#define TEST_VERIFY(condition) \
  do {                         \
    if (!(condition)) SUITE_FAIL(#condition); \
  } while (0)
#define TEST_VERIFY_EXIT(condition) TEST_VERIFY(condition)
#define TEST_COMPARE(left, right)    TEST_VERIFY((left) == (right))
#define TEST_COMPARE_STRING(l, r)    TEST_VERIFY(strcmp(l, r) == 0)
#define TEST_COMPARE_BLOB(l, n, r, m) TEST_VERIFY((size_t)(n) == (size_t)(m) && memcmp(l, r, n) == 0)
static inline __attribute__((unused)) void support_record_failure(void) { SUITE_FAIL("support_record_failure"); }
static inline __attribute__((unused)) void write_message(const char *text) { (void)!write(2, text, strlen(text)); }

/* Functions whose names begin with x: their counterparts, which must succeed. */
#define SUITE_ZERO(name, parameters, arguments)                                     \
  static inline __attribute__((unused)) void x##name parameters {                   \
    int result = name arguments;                                                    \
    if (result) suite_fail("x" #name " succeeds", __FILE__, __LINE__, "x" #name);   \
  }

/* --- threads --- */

SUITE_ZERO(pthread_attr_init, (pthread_attr_t * a), (a))
SUITE_ZERO(pthread_attr_destroy, (pthread_attr_t * a), (a))
SUITE_ZERO(pthread_attr_setdetachstate, (pthread_attr_t * a, int state), (a, state))
SUITE_ZERO(pthread_attr_setstacksize, (pthread_attr_t * a, size_t size), (a, size))
SUITE_ZERO(pthread_attr_setguardsize, (pthread_attr_t * a, size_t size), (a, size))
SUITE_ZERO(pthread_attr_setstack, (pthread_attr_t * a, void *stack, size_t size), (a, stack, size))
#ifdef __USE_GNU
SUITE_ZERO(pthread_setaffinity_np, (pthread_t t, size_t size, const cpu_set_t *set), (t, size, set))
SUITE_ZERO(pthread_attr_setaffinity_np, (pthread_attr_t * a, size_t size, const cpu_set_t *set), (a, size, set))
#endif
SUITE_ZERO(pthread_barrier_init, (pthread_barrier_t * b, pthread_barrierattr_t *a, unsigned n), (b, a, n))
SUITE_ZERO(pthread_barrier_destroy, (pthread_barrier_t * b), (b))
SUITE_ZERO(pthread_barrierattr_init, (pthread_barrierattr_t * a), (a))
SUITE_ZERO(pthread_barrierattr_destroy, (pthread_barrierattr_t * a), (a))
SUITE_ZERO(pthread_barrierattr_setpshared, (pthread_barrierattr_t * a, int shared), (a, shared))
SUITE_ZERO(pthread_mutexattr_init, (pthread_mutexattr_t * a), (a))
SUITE_ZERO(pthread_mutexattr_destroy, (pthread_mutexattr_t * a), (a))
SUITE_ZERO(pthread_mutexattr_setprotocol, (pthread_mutexattr_t * a, int protocol), (a, protocol))
SUITE_ZERO(pthread_mutexattr_setpshared, (pthread_mutexattr_t * a, int shared), (a, shared))
SUITE_ZERO(pthread_mutexattr_setrobust, (pthread_mutexattr_t * a, int robust), (a, robust))
SUITE_ZERO(pthread_mutexattr_settype, (pthread_mutexattr_t * a, int type), (a, type))
SUITE_ZERO(pthread_mutex_init, (pthread_mutex_t * m, const pthread_mutexattr_t *a), (m, a))
SUITE_ZERO(pthread_mutex_destroy, (pthread_mutex_t * m), (m))
SUITE_ZERO(pthread_mutex_lock, (pthread_mutex_t * m), (m))
SUITE_ZERO(pthread_mutex_unlock, (pthread_mutex_t * m), (m))
SUITE_ZERO(pthread_mutex_consistent, (pthread_mutex_t * m), (m))
SUITE_ZERO(pthread_spin_lock, (pthread_spinlock_t * l), (l))
SUITE_ZERO(pthread_spin_unlock, (pthread_spinlock_t * l), (l))
SUITE_ZERO(pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m))
SUITE_ZERO(pthread_cond_signal, (pthread_cond_t * c), (c))
SUITE_ZERO(pthread_detach, (pthread_t t), (t))
SUITE_ZERO(pthread_cancel, (pthread_t t), (t))
SUITE_ZERO(pthread_once, (pthread_once_t * once, void (*run)(void)), (once, run))
SUITE_ZERO(pthread_kill, (pthread_t t, int signal), (t, signal))
SUITE_ZERO(pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old))
SUITE_ZERO(pthread_rwlock_init, (pthread_rwlock_t * l, const pthread_rwlockattr_t *a), (l, a))
SUITE_ZERO(pthread_rwlockattr_init, (pthread_rwlockattr_t * a), (a))
SUITE_ZERO(pthread_rwlockattr_setkind_np, (pthread_rwlockattr_t * a, int kind), (a, kind))
SUITE_ZERO(pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l))
SUITE_ZERO(pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l))
SUITE_ZERO(pthread_rwlock_unlock, (pthread_rwlock_t * l), (l))
SUITE_ZERO(pthread_rwlock_destroy, (pthread_rwlock_t * l), (l))
SUITE_ZERO(pthread_key_delete, (pthread_key_t key), (key))

static inline __attribute__((unused)) void xpthread_check_return(const char *function, int result) {
  if (result) suite_fail(function, __FILE__, __LINE__, function);
}
static inline __attribute__((unused)) int xpthread_barrier_wait(pthread_barrier_t *b) {
  int result = pthread_barrier_wait(b);
  if (result != 0 && result != PTHREAD_BARRIER_SERIAL_THREAD) SUITE_FAIL("xpthread_barrier_wait succeeds");
  return result == PTHREAD_BARRIER_SERIAL_THREAD;
}
static inline __attribute__((unused)) pthread_t xpthread_create(pthread_attr_t *a, void *(*run)(void *), void *argument) {
  pthread_t thread = 0;
  if (pthread_create(&thread, a, run, argument)) SUITE_FAIL("xpthread_create succeeds");
  return thread;
}
static inline __attribute__((unused)) void *xpthread_join(pthread_t thread) {
  void *result = NULL;
  if (pthread_join(thread, &result)) SUITE_FAIL("xpthread_join succeeds");
  return result;
}
static inline __attribute__((unused)) pthread_key_t xpthread_key_create(void (*destroy)(void *)) {
  pthread_key_t key;
  if (pthread_key_create(&key, destroy)) SUITE_FAIL("xpthread_key_create succeeds");
  return key;
}
static __attribute__((unused)) void *suite_exit_later(void *seconds) {
  sleep((unsigned)(intptr_t)seconds);
  exit(0);
}
/* The process ends with 0 at some time from now on. */
static inline __attribute__((unused)) void delayed_exit(int seconds) {
  pthread_t thread = xpthread_create(NULL, suite_exit_later, (void *)(intptr_t)seconds);
  xpthread_detach(thread);
}
static inline __attribute__((unused)) bool support_mutex_pi_monotonic(void) { return true; }
static inline __attribute__((unused)) size_t support_small_thread_stack_size(void) { return 1 << 16; }
static inline __attribute__((unused)) void support_set_small_thread_stack_size(pthread_attr_t *a) {
  xpthread_attr_setstacksize(a, support_small_thread_stack_size());
}
static inline __attribute__((unused)) pthread_attr_t *support_small_stack_thread_attribute(void) {
  static pthread_attr_t attribute;
  xpthread_attr_init(&attribute);
  support_set_small_thread_stack_size(&attribute);
  return &attribute;
}
/* Some time for other threads to end. */
static inline __attribute__((unused)) void support_wait_for_thread_exit(void) { sleep(1); }

/* --- time --- */

static inline __attribute__((unused)) struct timespec make_timespec(time_t seconds, long nanoseconds) {
  return (struct timespec){.tv_sec = seconds, .tv_nsec = nanoseconds};
}
static inline __attribute__((unused)) void xclock_gettime(clockid_t clock, struct timespec *now) {
  if (clock_gettime(clock, now)) SUITE_FAIL("xclock_gettime succeeds");
}
static inline __attribute__((unused)) struct timespec xclock_now(clockid_t clock) {
  struct timespec now;
  xclock_gettime(clock, &now);
  return now;
}
static inline __attribute__((unused)) struct timespec timespec_add(struct timespec a, struct timespec b) {
  a.tv_sec += b.tv_sec + (a.tv_nsec + b.tv_nsec) / TIMESPEC_HZ;
  a.tv_nsec = (a.tv_nsec + b.tv_nsec) % TIMESPEC_HZ;
  return a;
}
static inline __attribute__((unused)) struct timespec timespec_sub(struct timespec a, struct timespec b) {
  long nanoseconds = a.tv_nsec - b.tv_nsec;
  a.tv_sec -= b.tv_sec + (nanoseconds < 0);
  a.tv_nsec = nanoseconds < 0 ? nanoseconds + TIMESPEC_HZ : nanoseconds;
  return a;
}
static inline __attribute__((unused)) bool suite_before(struct timespec a, struct timespec b) {
  return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}
#define TEST_TIMESPEC_BEFORE(left, right)          TEST_VERIFY(suite_before(left, right))
#define TEST_TIMESPEC_EQUAL_OR_AFTER(left, right)  TEST_VERIFY(!suite_before(left, right))
#define TEST_TIMESPEC_BEFORE_NOW(left, clock)      TEST_VERIFY(suite_before(left, xclock_now(clock)))
#define TEST_TIMESPEC_NOW_OR_AFTER(clock, right)   TEST_VERIFY(!suite_before(xclock_now(clock), right))

/* --- memory, files, signals, processes --- */

#define SUITE_NOT_NULL(name, parameters, arguments)                     \
  static inline __attribute__((unused)) void *x##name parameters {      \
    void *result = (void *)name arguments;                              \
    if (!result) suite_fail("x" #name " succeeds", __FILE__, __LINE__, "x" #name); \
    return result;                                                      \
  }
#define SUITE_NOT_NEGATIVE(type, name, parameters, arguments)           \
  static inline __attribute__((unused)) type x##name parameters {       \
    type result = name arguments;                                       \
    if (result < 0) suite_fail("x" #name " succeeds", __FILE__, __LINE__, "x" #name); \
    return result;                                                      \
  }
SUITE_NOT_NULL(malloc, (size_t size), (size))
SUITE_NOT_NULL(calloc, (size_t n, size_t size), (n, size))
SUITE_NOT_NULL(realloc, (void *old, size_t size), (old, size))
SUITE_NOT_NULL(strdup, (const char *text), (text))
SUITE_NOT_NULL(fopen, (const char *path, const char *mode), (path, mode))
SUITE_ZERO(fclose, (FILE * file), (file))
SUITE_ZERO(close, (int fd), (fd))
SUITE_ZERO(pipe, (int fds[2]), (fds))
SUITE_ZERO(munmap, (void *address, size_t size), (address, size))
SUITE_ZERO(mprotect, (void *address, size_t size, int access), (address, size, access))
SUITE_ZERO(ftruncate, (int fd, off_t size), (fd, size))
SUITE_ZERO(unlink, (const char *path), (path))
SUITE_ZERO(raise, (int number), (number))
SUITE_ZERO(sigaction, (int number, const struct sigaction *new_action, struct sigaction *old), (number, new_action, old))
SUITE_NOT_NEGATIVE(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode))
SUITE_NOT_NEGATIVE(int, dup2, (int from, int to), (from, to))
SUITE_NOT_NEGATIVE(long, sysconf, (int name), (name))
SUITE_NOT_NEGATIVE(pid_t, fork, (void), ())
SUITE_NOT_NEGATIVE(pid_t, waitpid, (pid_t pid, int *status, int flags), (pid, status, flags))

static inline __attribute__((unused)) void *xposix_memalign(size_t alignment, size_t size) {
  void *memory = NULL;
  if (posix_memalign(&memory, alignment, size)) SUITE_FAIL("xposix_memalign succeeds");
  return memory;
}
static inline __attribute__((unused)) void *xmmap(void *address, size_t size, int access, int flags, int fd) {
  void *memory = mmap(address, size, access, flags, fd, 0);
  if (memory == MAP_FAILED) SUITE_FAIL("xmmap succeeds");
  return memory;
}
static inline __attribute__((unused)) void xwrite(int fd, const void *buffer, size_t size) {
  if (write(fd, buffer, size) != (ssize_t)size) SUITE_FAIL("xwrite succeeds");
}
static inline __attribute__((unused, format(printf, 1, 2))) char *xasprintf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = (char *)xmalloc(4096);
  vsnprintf(text, 4096, format, arguments);
  va_end(arguments);
  return text;
}
static inline __attribute__((unused)) void (*xsignal(int number, void (*handler)(int)))(int) {
  void (*old)(int) = signal(number, handler);
  if (old == SIG_ERR) SUITE_FAIL("xsignal succeeds");
  return old;
}
static inline __attribute__((unused)) void xsystem(const char *command) {
  if (system(command)) SUITE_FAIL("xsystem succeeds");
}
static inline __attribute__((unused)) void *support_shared_allocate(size_t size) {
  return xmmap(NULL, size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_SHARED, -1);
}
static inline __attribute__((unused)) void add_temp_file(const char *name) { (void)name; }
static inline __attribute__((unused)) int create_temp_file(const char *base, char **name) {
  char *path = xasprintf("/tmp/%sXXXXXX", base);
  int fd = mkstemp(path);
  if (name) *name = path;
  return fd;
}
static inline __attribute__((unused)) void support_need_proc(const char *why) { FAIL_UNSUPPORTED("%s", why); }
static inline __attribute__((unused)) void ignore_stderr(void) {}

struct support_stack {
  void *stack;
  size_t size, guardsize;
};
static inline __attribute__((unused)) struct support_stack support_stack_alloc(size_t size) {
  return (struct support_stack){xmmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1), size, 0};
}
static inline __attribute__((unused)) void support_stack_free(struct support_stack *s) { xmunmap(s->stack, s->size); }

/* --- libraries --- */

static inline __attribute__((unused)) void *xdlopen(const char *path, int mode) {
  void *handle = dlopen(path, mode);
  if (!handle) SUITE_FAIL("xdlopen succeeds");
  return handle;
}
static inline __attribute__((unused)) void *xdlsym(void *handle, const char *name) {
  void *address = dlsym(handle, name);
  if (!address) SUITE_FAIL("xdlsym succeeds");
  return address;
}
static inline __attribute__((unused)) void xdlclose(void *handle) {
  if (dlclose(handle)) SUITE_FAIL("xdlclose succeeds");
}

/* --- what tests take of the rest of glibc's sources --- */

#define array_length(array)                (sizeof(array) / sizeof((array)[0]))
#define array_end(array)                   ((array) + array_length(array))
#define DIAG_PUSH_NEEDS_COMMENT
#define DIAG_POP_NEEDS_COMMENT
#define DIAG_IGNORE_NEEDS_COMMENT(version, option)
#define DIAG_IGNORE_Os_NEEDS_COMMENT(version, option)
#define atomic_load_relaxed(p)             __atomic_load_n(p, __ATOMIC_RELAXED)
#define atomic_load_acquire(p)             __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define atomic_store_relaxed(p, value)     __atomic_store_n(p, value, __ATOMIC_RELAXED)
#define atomic_store_release(p, value)     __atomic_store_n(p, value, __ATOMIC_RELEASE)
#define atomic_exchange_relaxed(p, value)  __atomic_exchange_n(p, value, __ATOMIC_RELAXED)
#define atomic_fetch_add_relaxed(p, value) __atomic_fetch_add(p, value, __ATOMIC_RELAXED)
#define atomic_fetch_add_acquire(p, value) __atomic_fetch_add(p, value, __ATOMIC_ACQUIRE)
#define atomic_compare_exchange_weak_acquire(p, expected, desired) \
  __atomic_compare_exchange_n(p, expected, desired, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)
#define __sysconf sysconf
#define attribute_hidden __attribute__((visibility("hidden")))
#define compat_symbol_reference(library, symbol, name, version) _Static_assert(1, "")
#define __libc_enable_asynccancel() ((void)0)

/* Signals that the C library keeps for itself. */
#define SIGCANCEL 32
#define SIGSETXID 33

/* What tests look at of the C library's structures, where that can be said of ours: nobody waits for a semaphore that is not used. */
struct new_sem {
  uint64_t data;
};
#define __HAVE_64B_ATOMICS 1
#define SEM_NWAITERS_SHIFT 32
#define TCB_ALIGNMENT      64
#define TEST_COMPAT(library, introduced, obsoleted) 0
