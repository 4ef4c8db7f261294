/* Attribute objects of the thread library, laid out as glibc lays them out where the machine reads them: a mutex's kind in the low bits of
 * its attribute's first word, a thread's detached state in the flags of its attributes. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "internal.h"

/* The first four fields are glibc's. */
struct thread_attributes {
  int priority, policy, flags;
  int pad;
  size_t guard;
  void *stack;
  size_t stack_size;
  cpu_set_t *processors; /* NULL: all */
  size_t processors_size;
};
_Static_assert(sizeof(struct thread_attributes) <= sizeof(pthread_attr_t), "fits");
_Static_assert(offsetof(struct thread_attributes, flags) == 8, "the machine reads the flags there");

enum { DETACHED = 1, INHERITS_NOT = 2, SCOPE_PROCESS = 4, STACK_DEFAULT = 8 << 20 };

static struct thread_attributes *attributes(const pthread_attr_t *a) { return (struct thread_attributes *)a; }

int pthread_attr_init(pthread_attr_t *a) {
  __builtin_memset(a, 0, sizeof *a);
  attributes(a)->guard = 4096;
  attributes(a)->stack_size = STACK_DEFAULT;
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *a) {
  free(attributes(a)->processors);
  attributes(a)->processors = NULL;
  return 0;
}

/* One flag of the thread attributes: `on` sets it, `off` clears it, anything else is wrong. */
#define FLAG(name, flag, on, off)                                   \
  int pthread_attr_set##name(pthread_attr_t *a, int value) {        \
    if (value != (on) && value != (off)) return EINVAL;             \
    int flags = attributes(a)->flags & ~(flag);                     \
    attributes(a)->flags = flags | (value == (on) ? (flag) : 0);    \
    return 0;                                                       \
  }                                                                 \
  int pthread_attr_get##name(const pthread_attr_t *a, int *value) { \
    *value = attributes(a)->flags & (flag) ? (on) : (off);          \
    return 0;                                                       \
  }

FLAG(detachstate, DETACHED, PTHREAD_CREATE_DETACHED, PTHREAD_CREATE_JOINABLE)
FLAG(inheritsched, INHERITS_NOT, PTHREAD_EXPLICIT_SCHED, PTHREAD_INHERIT_SCHED)
FLAG(scope, SCOPE_PROCESS, PTHREAD_SCOPE_PROCESS, PTHREAD_SCOPE_SYSTEM)

int pthread_attr_setstacksize(pthread_attr_t *a, size_t size) {
  if (size < 16384) return EINVAL;
  attributes(a)->stack_size = size;
  return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *restrict a, size_t *restrict size) { return *size = attributes(a)->stack_size, 0; }

int pthread_attr_setstack(pthread_attr_t *a, void *stack, size_t size) {
  attributes(a)->stack = stack;
  return pthread_attr_setstacksize(a, size);
}

int pthread_attr_getstack(const pthread_attr_t *restrict a, void **restrict stack, size_t *restrict size) {
  *stack = attributes(a)->stack;
  *size = attributes(a)->stack_size;
  return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *a, size_t size) { return attributes(a)->guard = size, 0; }
int pthread_attr_getguardsize(const pthread_attr_t *restrict a, size_t *restrict size) { return *size = attributes(a)->guard, 0; }
int pthread_attr_setschedpolicy(pthread_attr_t *a, int policy) {
  if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR) return EINVAL;
  attributes(a)->policy = policy;
  return 0;
}
int pthread_attr_getschedpolicy(const pthread_attr_t *restrict a, int *restrict policy) { return *policy = attributes(a)->policy, 0; }
int pthread_attr_setschedparam(pthread_attr_t *restrict a, const struct sched_param *restrict p) {
  int policy = attributes(a)->policy, priority = p->sched_priority;
  if (priority < sched_get_priority_min(policy) || priority > sched_get_priority_max(policy)) return EINVAL;
  attributes(a)->priority = priority;
  return 0;
}
int pthread_attr_getschedparam(const pthread_attr_t *restrict a, struct sched_param *restrict p) {
  return p->sched_priority = attributes(a)->priority, 0;
}

/* On which processors a thread runs makes no difference; the set is kept, as the program may ask for it. */
int pthread_attr_setaffinity_np(pthread_attr_t *a, size_t size, const cpu_set_t *set) {
  struct thread_attributes *x = attributes(a);
  cpu_set_t *copy = size ? malloc(size) : NULL;
  if (size && !copy) return ENOMEM;
  if (copy) __builtin_memcpy(copy, set, size);
  free(x->processors);
  x->processors = copy, x->processors_size = copy ? size : 0;
  return 0;
}

int pthread_attr_getaffinity_np(const pthread_attr_t *a, size_t size, cpu_set_t *set) {
  const struct thread_attributes *x = attributes(a);
  const unsigned char *from = (const unsigned char *)x->processors;
  for (size_t i = size; i < x->processors_size; i++)
    if (from[i]) return EINVAL;
  __builtin_memset(set, from ? 0 : 0xff, size);
  if (from) __builtin_memcpy(set, from, size < x->processors_size ? size : x->processors_size);
  return 0;
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t *a) { return (void)thread, pthread_attr_init(a); }
int pthread_getattr_default_np(pthread_attr_t *a) { return pthread_attr_init(a); }

/* Mutexes: kind in bits 0 and 1, prio-ceiling 12 to 23, protocol 28 and 29, robust 30, process-shared 31. */
enum { KIND_MASK = 3, CEILING_SHIFT = 12, CEILING_MASK = 0xfff, PROTOCOL_SHIFT = 28, ROBUST = 1 << 30 };
static const unsigned shared_bit = 1u << 31;

static unsigned *mutex_word(const pthread_mutexattr_t *a) { return (unsigned *)a; }

int pthread_mutexattr_init(pthread_mutexattr_t *a) { return *mutex_word(a) = 0, 0; }
int pthread_mutexattr_destroy(pthread_mutexattr_t *a) { return (void)a, 0; }

/* `width` bits at `shift` of the word. */
static int set_bits(unsigned *word, unsigned shift, unsigned mask, int value, int highest) {
  if (value < 0 || value > highest) return EINVAL;
  *word = (*word & ~(mask << shift)) | (unsigned)value << shift;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *a, int kind) {
  return set_bits(mutex_word(a), 0, KIND_MASK, kind, PTHREAD_MUTEX_ADAPTIVE_NP);
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict a, int *restrict kind) {
  return *kind = (int)(*mutex_word(a) & KIND_MASK), 0;
}
int pthread_mutexattr_setrobust(pthread_mutexattr_t *a, int robust) { return set_bits(mutex_word(a), 30, 1, robust, 1); }
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *a, int *robust) { return *robust = (*mutex_word(a) & ROBUST) != 0, 0; }
int pthread_mutexattr_setpshared(pthread_mutexattr_t *a, int shared) { return set_bits(mutex_word(a), 31, 1, shared, 1); }
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *restrict a, int *restrict shared) {
  return *shared = (*mutex_word(a) & shared_bit) != 0, 0;
}
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *a, int protocol) { return set_bits(mutex_word(a), PROTOCOL_SHIFT, 3, protocol, 2); }
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict a, int *restrict protocol) {
  return *protocol = (int)(*mutex_word(a) >> PROTOCOL_SHIFT & 3), 0;
}
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *a, int ceiling) {
  return set_bits(mutex_word(a), CEILING_SHIFT, CEILING_MASK, ceiling, 99);
}
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *restrict a, int *restrict ceiling) {
  return *ceiling = (int)(*mutex_word(a) >> CEILING_SHIFT & CEILING_MASK), 0;
}

/* Condition variables: process-shared in bit 0, the clock from bit 1 on. */
int pthread_condattr_init(pthread_condattr_t *a) { return *(unsigned *)a = 0, 0; }
int pthread_condattr_destroy(pthread_condattr_t *a) { return (void)a, 0; }
int pthread_condattr_setpshared(pthread_condattr_t *a, int shared) { return set_bits((unsigned *)a, 0, 1, shared, 1); }
int pthread_condattr_getpshared(const pthread_condattr_t *restrict a, int *restrict shared) { return *shared = *(const int *)a & 1, 0; }
int pthread_condattr_setclock(pthread_condattr_t *a, clockid_t clock) { return set_bits((unsigned *)a, 1, 1, clock, CLOCK_MONOTONIC); }
int pthread_condattr_getclock(const pthread_condattr_t *restrict a, clockid_t *restrict clock) {
  return *clock = *(const int *)a >> 1 & 1, 0;
}

/* Read-write locks: what is preferred, then process-shared. Barriers: process-shared. */
int pthread_rwlockattr_init(pthread_rwlockattr_t *a) { return ((int *)a)[0] = ((int *)a)[1] = 0; }
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *a) { return (void)a, 0; }
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *a, int shared) { return set_bits((unsigned *)a + 1, 0, 1, shared, 1); }
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *restrict a, int *restrict shared) { return *shared = ((const int *)a)[1], 0; }
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *a, int kind) { return set_bits((unsigned *)a, 0, 3, kind, 2); }
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *restrict a, int *restrict kind) { return *kind = ((const int *)a)[0], 0; }
int pthread_barrierattr_init(pthread_barrierattr_t *a) { return *(int *)a = 0; }
int pthread_barrierattr_destroy(pthread_barrierattr_t *a) { return (void)a, 0; }
int pthread_barrierattr_setpshared(pthread_barrierattr_t *a, int shared) { return set_bits((unsigned *)a, 0, 1, shared, 1); }
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *restrict a, int *restrict shared) { return *shared = *(const int *)a, 0; }
