/* What Heddle's library models (this folder) may call beyond plain C: primitives that the machine implements natively.
 * The models are compiled to bitcode and linked under the program under test; they run in the machine like any other code. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Appends to the output of descriptor 1 or 2. Not a scheduling point. */
void __hd_output(int fd, const void *bytes, size_t n);
/* Read-only host files: standard input (handle 0) and files named on the command line. Offsets are the caller's business. */
int __hd_file_open(const char *path);                                      /* handle >= 0, or -1: no such file */
long __hd_file_read(int handle, unsigned long offset, void *to, size_t n); /* bytes read, 0 at the end */
long __hd_file_size(int handle);
/* Ends the execution with a finding of the named kind (finding.h: "assertion", "abort", "thread-misuse", ...). */
_Noreturn void __hd_fail(const char *kind, const char *message);
/* The program's destructor functions (llvm.global_dtors), in the order to run: number i, or NULL behind the last. */
void (*__hd_destructor(unsigned i))(void);
/* Ends the process: no handlers run. */
_Noreturn void __hd_exit(int code);
/* Stops with exit code 2: "NAME is not supported: WHY". */
_Noreturn void __hd_unsupported(const char *name, const char *why);
/* One of 0..n-1, explored. */
unsigned __hd_choose(unsigned n);
/* False: the execution does not count. */
void __hd_assume(int condition);
/* Nothing else runs between begin and end (unless the section blocks). */
void __hd_atomic_begin(void);
void __hd_atomic_end(void);
/* The same for what is guarded alone: sections of other guards, and other steps, do not depend on it. All that it reads and writes, besides
 * what is the thread's own, has this guard, or is waited for by __hd_await_masked(). */
void __hd_guarded_begin(int *guard);
void __hd_guarded_end(int *guard);
/* A scheduling point without effect. */
void __hd_yield(void);
/* Blocks until *word == value (visible, an acquire); then atomically sets it to `next`. */
void __hd_await(int *word, int value, int next);
/* Blocks until (*word & mask) == value (visible, an acquire), and leaves it. */
void __hd_await_masked(const int *word, int mask, int value);
/* A thread's signals. */
struct hd_signals {
  uint64_t blocked, pending;
};
/* Waits until a bit of `set` is in one of the words, and takes the lowest one; its number from 1 on, or 0 if it is timed and its time was up,
 * or -1 if it is interruptible and a signal's handler has run. An acquire. */
enum { HD_TIMED = 1, HD_INTERRUPTIBLE = 2 };
int __hd_signal_wait(uint64_t *own, uint64_t *shared, uint64_t set, int how);
/* The variable `signal_state` of another thread; NULL if it has ended. */
void *__hd_signal_state(unsigned long thread);
/* What is done when a signal comes: changes it, and tells what it was. */
struct hd_signal_action {
  uint64_t handler, mask, flags;
};
void __hd_signal_action(struct hd_signal_action *action, const struct hd_signal_action *set, struct hd_signal_action *old);
/* Leaves a signal for that thread; 1: not if it is fatal and not blocked there. */
int __hd_signal_send(void *state, int number, int fatal);
/* Leaves it for any thread; 1: not if it is fatal and one does not block it; 2: not if the caller alone can take it. */
int __hd_signal_post(int number, int fatal);
/* Sets the calling thread's mask. The number of a signal that this lets in, which it takes: its handler's mask is in force. 0: there is none. */
unsigned __hd_signal_mask(struct hd_signals *own, uint64_t mask);
/* The same; if there is none, waits until a handler has run. */
unsigned __hd_signal_suspend(uint64_t mask);
/* The mask of this signal's handler comes into force; the one before it. */
uint64_t __hd_signal_enter(struct hd_signals *own, int number);
/* Does the program call functions of timers (models/libc/timer.c)? */
int __hd_has_timers(void);
/* A scheduling point that a signal's handler ends before its time: 0. */
int __hd_sleep(void);
/* The caller's thread-local variable `mine` in another thread; NULL if that has ended, or is none. */
void *__hd_local_of(unsigned long thread, void *mine);
/* As pthread_create(). The new thread's instance of the caller's thread-local variable `local` has the same `size` bytes (a multiple of 8):
 * it need not read them from memory that the two share. */
int __hd_thread_create_with(unsigned long *thread, const void *attributes, void *(*run)(void *), void *argument, const void *local,
                            size_t size);
/* Atomic accesses of 16 bytes (src/machine/interpret/atomic_wide.c). Those that change give what was there. Numbers of orders and operations are the
 * machine's: enum event_order, enum rmw_op. */
typedef unsigned __int128 hd_wide;
enum { HD_ORDER_SEQ_CST = 5, HD_RMW_XCHG = 0 };
hd_wide __hd_atomic16_load(void *at, unsigned long order);
void __hd_atomic16_store(void *at, hd_wide value, unsigned long order);
hd_wide __hd_atomic16_rmw(void *at, hd_wide value, unsigned long order, unsigned long operation);
hd_wide __hd_atomic16_exchange_if(void *at, hd_wide expected, hd_wide wanted, unsigned long order, unsigned long failure);
/* Number `index` of the sequence that random(3) of the C library gives for a seed. */
long __hd_random(uint32_t seed, uint32_t index);
/* What the program is given now has other values in other runs, which are not tried: the verdict says so. */
void __hd_sampled(void);
/* The clock, in nanoseconds: the threads' looks at it are steps, and each one moves it. */
uint64_t __hd_time(void);
/* The thread has slept for so many nanoseconds, and until __hd_time() is `until`. */
void __hd_slept(uint64_t nanoseconds, uint64_t until);
/* Is this the address of something that can be called or used: no function that nobody defines? */
int __hd_is_bound(const void *address);
/* Gives the global variable at this address the bytes that it began with; a thread-local one in all threads. */
void __hd_restore(void *variable);
/* Writes to `to` the `n` bytes that the global variable at this address, no thread-local one, began with. */
void __hd_initial(void *to, const void *variable, size_t n);
/* The program asks for a library that it was not given: the verdict says so. */
void __hd_library_missing(void);
/* Locks of OpenMP: an omp_lock_t, in its first word, and what a critical section is locked by. */
void __hd_omp_lock_init(void *lock);
void __hd_omp_lock_destroy(void *lock);
void __hd_omp_lock_set(void *lock);
int __hd_omp_lock_test(void *lock); /* 0: it is set now */
void __hd_omp_lock_unset(void *lock);
int __hd_omp_lock_is_own(const void *lock); /* has the calling thread set it? */
void __hd_critical_enter(void *name);
void __hd_critical_leave(void *name);
/* A team of OpenMP has so many threads because nobody said how many: the verdict says so. */
void __hd_omp_default_team(void);
/* The process is given the bytes that nobody fixes: of its standard input, files, arguments, environment. */
void __hd_inputs(void);
/* Environment and arguments. */
const char *__hd_getenv(const char *name);
/* Format one number natively: `spec` is a complete printf conversion ("%-8.3f"), returns as snprintf. */
int __hd_format_double(char *to, size_t n, const char *spec, double value);
int __hd_format_long_double(char *to, size_t n, const char *spec, const long double *value);
/* Parse natively from a NUL-terminated private copy; *used is the number of bytes consumed. */
double __hd_parse_double(const char *text, size_t *used);
float __hd_parse_float(const char *text, size_t *used);
void __hd_parse_long_double(const char *text, size_t *used, long double *out);
/* C++: raise the exception object (an _Unwind_Exception *) of the thrown type `type_info`: unwinds the calling thread; returns only
 * if no handler exists. `object` is the thrown object; on entering a handler the machine stores the adjusted pointer to
 * *adjusted_slot. */
void __hd_unwind_raise(void *exception, const void *type_info, void *object, void **adjusted_slot);
/* The scenario that a program of an object's operations is run with (objects/main.c). The operations run one after the other if there are 0
 * threads. `thread` counts from 0, `i` is the number of its operation. */
unsigned __hd_scenario_threads(void);
unsigned __hd_scenario_length(unsigned thread);
int __hd_scenario_repeats(void);
unsigned __hd_scenario_operation(unsigned thread, unsigned i);
long __hd_scenario_argument(unsigned thread, unsigned i, unsigned argument);
/* The thread's next operation begins, ends: steps that others can order (src/machine/library/operation.c). */
void __hd_operation_begin(unsigned thread);
void __hd_operation_end(unsigned thread, long result);
/* Around the look at the object's abstract state, which must change nothing. */
void __hd_state_begin(void);
void __hd_state_end(unsigned long state);
/* errno's location is a model thread-local: see models/libc/error.c. */

#ifdef __cplusplus
}
#endif
