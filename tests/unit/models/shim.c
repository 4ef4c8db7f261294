/* The machine's primitives, natively: the models under test run on these (see meson.build: their names are prefixed m_). */
#include "shim.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hd_model.h"

struct shim shim;

void shim_reset(void) {
  shim.output_length[1] = shim.output_length[2] = 0;
  shim.output[1][0] = shim.output[2][0] = 0;
  shim.ended = SHIM_RUNNING;
  shim.message[0] = shim.kind[0] = 0;
}

void __hd_output(int fd, const void *bytes, size_t n) {
  size_t room = SHIM_OUTPUT - 1 - shim.output_length[fd];
  if (n > room) n = room;
  memcpy(shim.output[fd] + shim.output_length[fd], bytes, n);
  shim.output_length[fd] += n;
  shim.output[fd][shim.output_length[fd]] = 0;
  shim.output_calls++;
}

static _Noreturn void end(enum shim_end how) {
  shim.ended = how;
  longjmp(shim.out, 1);
}

void __hd_fail(const char *kind, const char *message) {
  snprintf(shim.kind, sizeof shim.kind, "%s", kind);
  snprintf(shim.message, sizeof shim.message, "%s", message);
  end(SHIM_FAILED);
}

void (*shim_destructors[4])(void);
void (*__hd_destructor(unsigned i))(void) { return i < 4 ? shim_destructors[i] : NULL; }

void __hd_exit(int code) {
  shim.code = code;
  end(SHIM_EXITED);
}

void __hd_unsupported(const char *name, const char *why) {
  snprintf(shim.kind, sizeof shim.kind, "%s", name);
  snprintf(shim.message, sizeof shim.message, "%s", why);
  end(SHIM_UNSUPPORTED);
}

void __hd_sampled(void) {}
void __hd_inputs(void) {}
void klee_make_symbolic(void *address, size_t size, const char *name);
void klee_make_symbolic(void *address, size_t size, const char *name) { (void)address, (void)size, (void)name; }
void klee_assume(uintptr_t condition);
void klee_assume(uintptr_t condition) { (void)condition; }
/* As the machine does: the C library's own sequence for a seed. */
long __hd_random(uint32_t seed, uint32_t index) {
  static struct random_data sequence;
  static char state[128];
  static uint32_t of, drawn;
  static bool begun;
  int32_t number = 0;
  if (!begun || of != seed || index < drawn) {
    sequence = (struct random_data){0};
    initstate_r(seed, state, sizeof state, &sequence);
    begun = true, of = seed, drawn = 0;
  }
  for (; drawn <= index; drawn++) random_r(&sequence, &number);
  return number;
}

int __hd_file_open(const char *path) {
  for (int i = 0; i < SHIM_FILES; i++)
    if (shim.files[i].path && !strcmp(shim.files[i].path, path)) return i;
  return -1;
}

long __hd_file_size(int handle) { return (long)shim.files[handle].size; }

long __hd_file_read(int handle, unsigned long offset, void *to, size_t n) {
  const struct shim_file *file = &shim.files[handle];
  if (offset >= file->size) return 0;
  if (n > file->size - offset) n = file->size - offset;
  memcpy(to, file->bytes + offset, n);
  return (long)n;
}

uint64_t __hd_time(void) { return shim.time += 1000; }
void __hd_yield(void) { sched_yield(); }
void __hd_slept(uint64_t nanoseconds, uint64_t until) {
  shim.time += nanoseconds;
  if (shim.time < until) shim.time = until;
}
void __hd_assume(int condition) {
  if (!condition) end(SHIM_EXITED);
}
unsigned __hd_choose(unsigned n) { return n - 1; }

static pthread_mutex_t atomic_lock = PTHREAD_MUTEX_INITIALIZER;
void __hd_atomic_begin(void) { pthread_mutex_lock(&atomic_lock); }
void __hd_atomic_end(void) { pthread_mutex_unlock(&atomic_lock); }

/* The models' unit tests use none of these. */
hd_wide __hd_atomic16_load(void *at, unsigned long order) { return (void)order, *(hd_wide *)at; }
void __hd_atomic16_store(void *at, hd_wide value, unsigned long order) { (void)order, *(hd_wide *)at = value; }
hd_wide __hd_atomic16_rmw(void *at, hd_wide value, unsigned long order, unsigned long operation) {
  hd_wide before = *(hd_wide *)at;
  (void)order, (void)operation;
  *(hd_wide *)at = value;
  return before;
}
hd_wide __hd_atomic16_exchange_if(void *at, hd_wide expected, hd_wide wanted, unsigned long order, unsigned long failure) {
  hd_wide before = *(hd_wide *)at;
  (void)order, (void)failure;
  if (before == expected) *(hd_wide *)at = wanted;
  return before;
}

/* One thread sends signals to itself here, and is not interrupted. */
int __hd_signal_wait(uint64_t *own, uint64_t *shared, uint64_t set, int how) {
  for (;;) {
    uint64_t *from = *own & set ? own : shared, there = *from & set;
    if (there) *from &= ~(there & -there);
    if (there || (how & HD_TIMED)) return there ? __builtin_ctzll(there) + 1 : 0;
    sched_yield();
  }
}
void *__hd_signal_state(unsigned long thread) { return (void)thread, NULL; }
void __hd_signal_action(struct hd_signal_action *action, const struct hd_signal_action *set, struct hd_signal_action *old) {
  struct hd_signal_action before = *action;
  if (set) *action = *set;
  if (old) *old = before;
}
int __hd_signal_send(void *state, int number, int fatal) { return (void)state, (void)number, fatal; }
int __hd_signal_post(int number, int fatal) { return (void)number, fatal ? 1 : 2; }
unsigned __hd_signal_mask(struct hd_signals *own, uint64_t mask) {
  uint64_t in = own->pending & ~mask;
  own->blocked = mask, own->pending &= ~(in & -in);
  return in ? (unsigned)__builtin_ctzll(in) + 1 : 0;
}
unsigned __hd_signal_suspend(uint64_t mask) { return (void)mask, 0; }
uint64_t __hd_signal_enter(struct hd_signals *own, int number) { return (void)number, own->blocked; }
int __hd_sleep(void) { return 1; }
const uint64_t __hd_dynamic[8] = {0};
int __hd_is_bound(const void *address) { return address != NULL; }
void __hd_restore(void *variable) { (void)variable; }
void __hd_library_missing(void) {}
void *__hd_local_of(unsigned long thread, void *mine) { return (void)thread, mine; }
long __hd_futex(const int *word, int operation, int value, va_list rest) {
  return (void)word, (void)operation, (void)value, (void)rest, -1;
}

void __hd_await(int *word, int value, int next) {
  int expected = value;
  while (!__atomic_compare_exchange_n(word, &expected, next, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    expected = value;
    sched_yield();
  }
}

void __hd_await_masked(const int *word, int mask, int value) {
  while ((__atomic_load_n(word, __ATOMIC_ACQUIRE) & mask) != value) sched_yield();
}

int __hd_has_timers(void) { return 0; }

/* No thread waits under test: what is asked for is had at once. */
#define NO_WAIT(name, ...) \
  int name(__VA_ARGS__);   \
  int name(__VA_ARGS__) { return 0; }
NO_WAIT(__hd_mutex_timedlock, pthread_mutex_t *, uint64_t)
NO_WAIT(__hd_cond_timedwait, pthread_cond_t *, pthread_mutex_t *, uint64_t)
NO_WAIT(__hd_rwlock_timedrdlock, pthread_rwlock_t *, uint64_t)
NO_WAIT(__hd_rwlock_timedwrlock, pthread_rwlock_t *, uint64_t)
NO_WAIT(__hd_sem_timedwait, sem_t *, uint64_t)
NO_WAIT(__hd_timedjoin, pthread_t, void **, uint64_t)

const char *__hd_getenv(const char *name) { return !strcmp(name, "SHIM") ? "shim value" : NULL; }

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
int __hd_format_double(char *to, size_t n, const char *spec, double value) { return snprintf(to, n, spec, value); }
int __hd_format_long_double(char *to, size_t n, const char *spec, const long double *value) { return snprintf(to, n, spec, *value); }

#define PARSE(name, type, call)               \
  type name(const char *text, size_t *used) { \
    char *stop;                               \
    type value = call(text, &stop);           \
    *used = (size_t)(stop - text);            \
    return value;                             \
  }
PARSE(__hd_parse_double, double, strtod)
PARSE(__hd_parse_float, float, strtof)

void __hd_parse_long_double(const char *text, size_t *used, long double *out) {
  char *stop;
  *out = strtold(text, &stop);
  *used = (size_t)(stop - text);
}
