/* Attribute objects of the thread library, laid out as glibc lays them out where the machine reads them: a mutex's kind in the low bits of
 * its attribute's first word, and those of threads (settings.h). */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "settings.h"

_Static_assert(sizeof(struct hd_attributes) <= sizeof(pthread_attr_t), "fits");

enum { STACK_DEFAULT = 8 << 20, GUARD_DEFAULT = 4096, STACK_LEAST = 16384 };

static struct hd_attributes *attributes(const pthread_attr_t *a) { return (struct hd_attributes *)a; }

int pthread_attr_init(pthread_attr_t *a) {
  __builtin_memset(a, 0, sizeof *a);
  attributes(a)->guard = GUARD_DEFAULT;
  return 0;
}

static void more_free(struct hd_attributes_more *more) {
  if (more) free(more->processors);
  free(more);
}

int pthread_attr_destroy(pthread_attr_t *a) {
  more_free(attributes(a)->more);
  attributes(a)->more = NULL;
  return 0;
}

static struct hd_attributes_more *more_of(struct hd_attributes *x) {
  if (!x->more) x->more = calloc(1, sizeof *x->more);
  return x->more;
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

FLAG(detachstate, HD_ATTRIBUTE_DETACHED, PTHREAD_CREATE_DETACHED, PTHREAD_CREATE_JOINABLE)
FLAG(inheritsched, HD_ATTRIBUTE_EXPLICIT, PTHREAD_EXPLICIT_SCHED, PTHREAD_INHERIT_SCHED)
FLAG(scope, HD_ATTRIBUTE_SCOPE_PROCESS, PTHREAD_SCOPE_PROCESS, PTHREAD_SCOPE_SYSTEM)

int pthread_attr_setstacksize(pthread_attr_t *a, size_t size) {
  if (size < STACK_LEAST) return EINVAL;
  attributes(a)->stack_size = size;
  return 0;
}

static size_t default_stack_size(void) {
  __hd_atomic_begin();
  size_t size = __hd_default_attributes ? __hd_default_attributes->stack_size : 0;
  __hd_atomic_end();
  return size ? size : STACK_DEFAULT;
}

int pthread_attr_getstacksize(const pthread_attr_t *restrict a, size_t *restrict size) {
  size_t own = attributes(a)->stack_size;
  return *size = own ? own : default_stack_size(), 0;
}

int pthread_attr_setstack(pthread_attr_t *a, void *stack, size_t size) {
  attributes(a)->stack = stack;
  return pthread_attr_setstacksize(a, size);
}

int pthread_attr_getstack(const pthread_attr_t *restrict a, void **restrict stack, size_t *restrict size) {
  *stack = attributes(a)->stack;
  return pthread_attr_getstacksize(a, size);
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

/* --- what is on the heap --- */

int pthread_attr_setaffinity_np(pthread_attr_t *a, size_t size, const cpu_set_t *set) {
  if (!size && !attributes(a)->more) return 0;
  struct hd_attributes_more *more = more_of(attributes(a));
  cpu_set_t *copy = size ? malloc(size) : NULL;
  if (!more || (size && !copy)) return free(copy), ENOMEM;
  if (copy) __builtin_memcpy(copy, set, size);
  free(more->processors);
  *more = (struct hd_attributes_more){more->signals, more->has_signals, copy ? __hd_usable_processors(size, set) : 0, copy ? size : 0, copy};
  return 0;
}

int pthread_attr_getaffinity_np(const pthread_attr_t *a, size_t size, cpu_set_t *set) {
  const struct hd_attributes_more *more = attributes(a)->more;
  const unsigned char *from = more ? (const unsigned char *)more->processors : NULL;
  for (size_t i = size; from && i < more->processors_size; i++)
    if (from[i]) return EINVAL;
  unsigned known = attributes(a)->processors;
  __builtin_memset(set, from || known ? 0 : 0xff, size);
  if (known && !from) set->__bits[0] = known;
  if (from) __builtin_memcpy(set, from, size < more->processors_size ? size : more->processors_size);
  return 0;
}

int pthread_attr_setsigmask_np(pthread_attr_t *a, const sigset_t *set) {
  if (!set && !attributes(a)->more) return 0;
  struct hd_attributes_more *more = more_of(attributes(a));
  if (!more) return ENOMEM;
  more->has_signals = set != NULL;
  more->signals = set ? set->__val[0] : 0;
  return 0;
}

int pthread_attr_getsigmask_np(const pthread_attr_t *a, sigset_t *set) {
  const struct hd_attributes_more *more = attributes(a)->more;
  sigemptyset(set);
  if (!more || !more->has_signals) return PTHREAD_ATTR_NO_SIGMASK_NP;
  set->__val[0] = more->signals;
  return 0;
}

/* Everything of `from`, whose memory is its own. */
static int copy_attributes(struct hd_attributes *to, const struct hd_attributes *from) {
  *to = *from;
  to->more = NULL;
  if (!from->more) return 0;
  struct hd_attributes_more *more = more_of(to);
  cpu_set_t *copy = from->more->processors ? malloc(from->more->processors_size) : NULL;
  if (!more || (from->more->processors && !copy)) {
    free(copy);
    more_free(more);
    to->more = NULL;
    return ENOMEM;
  }
  if (copy) __builtin_memcpy(copy, from->more->processors, from->more->processors_size);
  *more = *from->more;
  more->processors = copy;
  return 0;
}

/* --- those that are used where none are given --- */

struct hd_attributes *__hd_default_attributes;

static bool priority_fits(int policy, int priority) {
  return priority >= sched_get_priority_min(policy) && priority <= sched_get_priority_max(policy);
}

int pthread_setattr_default_np(const pthread_attr_t *a) {
  const struct hd_attributes *x = attributes(a);
  bool known = x->policy == SCHED_OTHER || x->policy == SCHED_FIFO || x->policy == SCHED_RR;
  if (x->stack || !known || !priority_fits(x->policy, x->priority)) return EINVAL;
  struct hd_attributes *copy = malloc(sizeof *copy);
  if (!copy || copy_attributes(copy, x)) return free(copy), ENOMEM;
  __hd_atomic_begin();
  struct hd_attributes *before = __hd_default_attributes;
  if (before && !copy->stack_size) copy->stack_size = before->stack_size;
  __atomic_store_n(&__hd_default_attributes, copy, __ATOMIC_RELEASE);
  if (before) more_free(before->more);
  free(before);
  __hd_atomic_end();
  return 0;
}

int pthread_getattr_default_np(pthread_attr_t *a) {
  pthread_attr_init(a);
  __hd_atomic_begin();
  const struct hd_attributes *x = __atomic_load_n(&__hd_default_attributes, __ATOMIC_ACQUIRE);
  int error = x ? copy_attributes(attributes(a), x) : 0;
  __hd_atomic_end();
  if (!attributes(a)->stack_size) attributes(a)->stack_size = STACK_DEFAULT;
  return error;
}

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
  return priority_fits(SCHED_FIFO, ceiling) ? set_bits(mutex_word(a), CEILING_SHIFT, CEILING_MASK, ceiling, HD_CEILINGS - 1) : EINVAL;
}
/* The lowest one if none was set. */
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *restrict a, int *restrict ceiling) {
  int set = (int)(*mutex_word(a) >> CEILING_SHIFT & CEILING_MASK);
  return *ceiling = set ? set : sched_get_priority_min(SCHED_FIFO), 0;
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
