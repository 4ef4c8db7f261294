/* Names, scheduling and processors of threads: what is set is told. Every schedule is explored anyway. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "settings.h"

enum { NAME_SIZE = 16, STACK_DEFAULT = 8 << 20, PAGE = 4096 };

__attribute__((aligned(16))) static __thread struct hd_settings thread_settings;

/* Those of another thread; NULL if it has ended. */
static struct hd_settings *settings_of(pthread_t thread) { return __hd_local_of(thread, &thread_settings); }

/* --- names --- */

/* The bytes behind its end are 0, so that equal names are equal words. */
static hd_wide pack_name(const char *name, size_t n) {
  hd_wide word = 0;
  __builtin_memcpy(&word, name, n);
  return word;
}

int pthread_setname_np(pthread_t thread, const char *name) {
  size_t n = hd_strnlen(name, NAME_SIZE);
  if (n == NAME_SIZE) return ERANGE;
  struct hd_settings *x = settings_of(thread);
  if (!x) return ESRCH;
  __hd_atomic16_store(&x->name, pack_name(name, n), HD_ORDER_SEQ_CST);
  return 0;
}

int pthread_getname_np(pthread_t thread, char *to, size_t size) {
  if (size < NAME_SIZE) return ERANGE;
  struct hd_settings *x = settings_of(thread);
  if (!x) return ESRCH;
  hd_wide name = __hd_atomic16_load(&x->name, HD_ORDER_SEQ_CST);
  if (!name) name = pack_name("program", 7);
  __builtin_memcpy(to, &name, hd_strlen((const char *)&name) + 1);
  return 0;
}

/* --- scheduling --- */

int sched_get_priority_max(int policy) {
  if (policy < SCHED_OTHER || policy > SCHED_IDLE || policy == 4) return HD_ERRNO = EINVAL, -1;
  return policy == SCHED_FIFO || policy == SCHED_RR ? HD_CEILINGS - 1 : 0;
}
int sched_get_priority_min(int policy) {
  int most = sched_get_priority_max(policy);
  return most > 0 ? 1 : most;
}

static bool scheduling_fits(int policy, int priority) {
  int least = sched_get_priority_min(policy);
  return least >= 0 && priority >= least && priority <= sched_get_priority_max(policy);
}

static uint64_t pack_scheduling(int policy, int priority) { return (uint64_t)priority << 32 | (uint64_t)policy; }
static int policy_of(uint64_t scheduling) { return (int)(scheduling & UINT32_MAX); }
static int priority_of(uint64_t scheduling) { return (int)(scheduling >> 32); }

/* A negative policy: the one that it has. */
static int set_scheduling(struct hd_settings *x, int policy, int priority) {
  if (!x) return ESRCH;
  if (policy < 0) policy = policy_of(__atomic_load_n(&x->scheduling, __ATOMIC_RELAXED));
  if (!scheduling_fits(policy, priority)) return EINVAL;
  __atomic_store_n(&x->scheduling, pack_scheduling(policy, priority), __ATOMIC_RELAXED);
  return 0;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *p) {
  return policy < 0 ? EINVAL : set_scheduling(settings_of(thread), policy, p->sched_priority);
}
int pthread_setschedprio(pthread_t thread, int priority) { return set_scheduling(settings_of(thread), -1, priority); }

int pthread_getschedparam(pthread_t thread, int *restrict policy, struct sched_param *restrict p) {
  struct hd_settings *x = settings_of(thread);
  if (!x) return ESRCH;
  uint64_t scheduling = __atomic_load_n(&x->scheduling, __ATOMIC_RELAXED);
  *policy = policy_of(scheduling);
  p->sched_priority = priority_of(scheduling);
  return 0;
}

/* A thread's number (gettid() in system.c), as a handle. */
static struct hd_settings *settings_of_number(pid_t number) {
  struct hd_settings *x = number == 0 ? &thread_settings : settings_of(__hd_thread_of_number(number));
  if (!x) HD_ERRNO = ESRCH;
  return x;
}

static int in_errno(int error) {
  if (error) HD_ERRNO = error;
  return error ? -1 : 0;
}

int sched_getscheduler(pid_t number) {
  struct hd_settings *x = settings_of_number(number);
  return x ? policy_of(__atomic_load_n(&x->scheduling, __ATOMIC_RELAXED)) : -1;
}
int sched_setscheduler(pid_t number, int policy, const struct sched_param *p) {
  return policy < 0 ? in_errno(EINVAL) : in_errno(set_scheduling(settings_of_number(number), policy, p->sched_priority));
}
int sched_setparam(pid_t number, const struct sched_param *p) {
  return in_errno(set_scheduling(settings_of_number(number), -1, p->sched_priority));
}

/* The priority that it has now: while a thread holds mutexes with a ceiling, it is at least the highest of those. */
int sched_getparam(pid_t number, struct sched_param *p) {
  struct hd_settings *x = settings_of_number(number);
  if (!x) return -1;
  int priority = priority_of(__atomic_load_n(&x->scheduling, __ATOMIC_RELAXED));
  for (int i = HD_CEILINGS - 1; i > priority; i--)
    if (__atomic_load_n(&x->ceilings[i], __ATOMIC_RELAXED)) priority = i;
  return p->sched_priority = priority, 0;
}

/* --- processors --- */

static const uint64_t every_processor = (1u << HD_PROCESSORS) - 1;

uint64_t __hd_usable_processors(size_t size, const cpu_set_t *set) {
  uint64_t usable = 0;
  for (size_t i = 0; i < HD_PROCESSORS; i++)
    if (CPU_ISSET_S(i, size, set)) usable |= 1ull << i;
  return usable;
}

static int set_processors(struct hd_settings *x, size_t size, const cpu_set_t *set) {
  uint64_t usable = __hd_usable_processors(size, set);
  if (!x) return ESRCH;
  if (!usable) return EINVAL;
  __atomic_store_n(&x->processors, usable, __ATOMIC_RELAXED);
  return 0;
}

static uint64_t processors_of(struct hd_settings *x) {
  uint64_t processors = __atomic_load_n(&x->processors, __ATOMIC_RELAXED);
  return processors ? processors : every_processor;
}

static int get_processors(struct hd_settings *x, size_t size, cpu_set_t *set) {
  if (!x) return ESRCH;
  if (size < sizeof(uint64_t)) return EINVAL;
  __builtin_memset(set, 0, size);
  set->__bits[0] = processors_of(x);
  return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) { return set_processors(settings_of(thread), size, set); }
int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) { return get_processors(settings_of(thread), size, set); }
int sched_setaffinity(pid_t number, size_t size, const cpu_set_t *set) {
  return in_errno(set_processors(settings_of_number(number), size, set));
}
int sched_getaffinity(pid_t number, size_t size, cpu_set_t *set) {
  return in_errno(get_processors(settings_of_number(number), size, set));
}

/* The first that it may run on. */
int sched_getcpu(void) { return __builtin_ctzll(processors_of(&thread_settings)); }
int getcpu(unsigned *processor, unsigned *node) {
  if (processor) *processor = (unsigned)sched_getcpu();
  if (node) *node = 0;
  return 0;
}

/* --- attributes --- */

/* A thread-local variable lies below its thread's stack. */
static void *own_stack(const struct hd_settings *x) { return (void *)((uintptr_t)x & ~(uintptr_t)(PAGE - 1)); }

int pthread_getattr_np(pthread_t thread, pthread_attr_t *a) {
  pthread_attr_init(a);
  struct hd_attributes *attributes = (struct hd_attributes *)a;
  struct hd_settings *x = settings_of(thread);
  if (!x) return ESRCH;
  uint64_t scheduling = __atomic_load_n(&x->scheduling, __ATOMIC_RELAXED);
  attributes->policy = policy_of(scheduling);
  attributes->priority = priority_of(scheduling);
  attributes->flags = (int)__atomic_load_n(&x->flags, __ATOMIC_RELAXED);
  attributes->guard = x->guard ? x->guard - 1 : 0;
  attributes->stack = x->stack ? (void *)x->stack : own_stack(x);
  attributes->stack_size = x->stack_size ? x->stack_size : STACK_DEFAULT;
  attributes->processors = (unsigned)processors_of(x);
  return 0;
}
