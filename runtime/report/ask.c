#include "report/ask.h"

#include <string.h>

#include "intercept/intercept.h"
#include "report/call.h"
#include "report/location.h"
#include "report/report.h"
#include "report/stack.h"

enum { MOST = 64 };

static const struct finding *current; /* under the reports' lock */
static struct thread *asks;           /* whose function is called */

/* The program may have it. */
extern void __tsan_on_report(void *report) __attribute__((weak, visibility("default")));

void ask_report(const struct finding *f) {
  if (!__tsan_on_report) return;
  current = f;
  __atomic_store_n(&asks, hd_fast.self, __ATOMIC_RELAXED);
  __tsan_on_report((void *)(uintptr_t)f);
  __atomic_store_n(&asks, NULL, __ATOMIC_RELAXED);
  current = NULL;
}

void ask_names(void (*f)(void *), void *data) {
  struct thread *t = runtime_on ? thread_self() : NULL;
  if (!t) return;
  if (__atomic_load_n(&asks, __ATOMIC_RELAXED) == t)
    f(data);
  else
    reports_alone(t, f, data);
}

unsigned ask_stack(uint32_t site, void **at, size_t n) {
  unsigned count = 0;
  struct frame_name name;
  if (site != SITE_UNKNOWN && n > 0 && call_of(site, &name)) at[count++] = (void *)call_target(site);
  for (bool first = true; site != SITE_UNKNOWN && count < n; site = context_at(site)->parent) {
    uintptr_t pc = context_at(site)->pc;
    if (context_at(site)->kind >= SITE_HELD) continue;
    if (!first && stack_ends(pc)) break;
    at[count++] = (void *)pc, first = false;
  }
  return count;
}

/* As callers expect it: with zeros behind. */
static void give_stack(uint32_t site, void **at, size_t n) {
  if (!at) return;
  for (size_t i = ask_stack(site, at, n); i < n; i++) at[i] = NULL;
}

/* The one that is asked about; NULL if it is not that of the present. */
static const struct finding *asked(const void *report) {
  return __atomic_load_n(&asks, __ATOMIC_RELAXED) == hd_fast.self && report == current ? current : NULL;
}

/* Accesses to memory; other parts of findings have stacks alone. */
static bool has_accesses(const struct finding *f) { return f->parts[0].address && !f->parts[0].wanted; }

static const char *name_of(enum finding_kind kind) {
  static const char *const theirs[FINDING_KIND_COUNT] = {[FINDING_RACE] = "data-race",
                                                         [FINDING_FREED] = "heap-use-after-free",
                                                         [FINDING_LATE] = "heap-use-after-free",
                                                         [FINDING_CYCLE] = "lock-order-inversion",
                                                         [FINDING_SIGNAL] = "signal-unsafe-call",
                                                         [FINDING_ERRNO] = "errno-in-signal-handler",
                                                         [FINDING_LEAKED] = "thread-leak",
                                                         [FINDING_UNHELD] = "mutex-bad-unlock",
                                                         [FINDING_LOCKED] = "locked-mutex-destroy",
                                                         [FINDING_DESTROYED] = "mutex-invalid-access",
                                                         [FINDING_HELD] = "mutex-double-lock"};
  return theirs[kind] ? theirs[kind] : finding_json_kind(kind);
}

static unsigned add_lock(const struct finding_lock *l, const struct finding_lock **at, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (at[i]->address == l->address) return count;
  if (count < MOST) at[count++] = l;
  return count;
}
static unsigned locks_of(const struct finding *f, const struct finding_lock **at) {
  unsigned count = 0;
  for (unsigned i = 0; i < f->count; i++) {
    if (f->parts[i].wanted) count = add_lock(f->parts[i].wanted, at, count);
    for (unsigned k = 0; k < f->parts[i].held.count; k++) count = add_lock(&f->parts[i].held.at[k], at, count);
  }
  return count;
}

static unsigned add_thread(const struct thread_info *t, const struct thread_info **at, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (at[i] == t) return count;
  if (t && count < MOST) at[count++] = t;
  return count;
}
static unsigned threads_of(const struct finding *f, const struct thread_info **at) {
  unsigned count = 0;
  for (unsigned i = 0; i < f->count; i++) count = add_thread(f->parts[i].thread, at, count);
  return add_thread(location_of(f->location, f->origin).thread, at, count);
}

static const char *type_of(const struct location *l) {
  static const char *const types[] = {[LOCATION_UNKNOWN] = "",      [LOCATION_HEAP] = "heap",   [LOCATION_GLOBAL] = "global",
                                      [LOCATION_DESCRIPTOR] = "fd", [LOCATION_STACK] = "stack", [LOCATION_THREAD_LOCAL] = "tls"};
  return types[l->kind];
}

/* --- ThreadSanitizer's functions: 1 if there is an answer --- */

PUBLIC void *__tsan_get_current_report(void);
PUBLIC int __tsan_get_report_data(void *report, const char **description, int *count, int *stacks, int *accesses, int *locations,
                                  int *locks, int *threads, int *numbers, void **sleep, size_t n);
PUBLIC int __tsan_get_report_tag(void *report, uintptr_t *tag);
PUBLIC int __tsan_get_report_stack(void *report, size_t i, void **trace, size_t n);
PUBLIC int __tsan_get_report_mop(void *report, size_t i, int *thread, void **address, int *size, int *write, int *atomic, void **trace,
                                 size_t n);
PUBLIC int __tsan_get_report_loc(void *report, size_t i, const char **type, void **address, void **start, size_t *size, int *thread,
                                 int *fd, int *suppressable, void **trace, size_t n);
PUBLIC int __tsan_get_report_loc_object_type(void *report, size_t i, const char **type);
PUBLIC int __tsan_get_report_mutex(void *report, size_t i, uint64_t *id, void **address, int *destroyed, void **trace, size_t n);
PUBLIC int __tsan_get_report_thread(void *report, size_t i, int *thread, uint64_t *id, int *running, const char **name, int *parent,
                                    void **trace, size_t n);
PUBLIC int __tsan_get_report_unique_tid(void *report, size_t i, int *thread);
PUBLIC const char *__tsan_locate_address(void *address, char *name, size_t n, void **start, size_t *size);
PUBLIC int __tsan_get_alloc_stack(void *address, void **trace, size_t n, int *thread, int *id);

void *__tsan_get_current_report(void) { return (void *)(uintptr_t)asked(current); }

int __tsan_get_report_data(void *report, const char **description, int *count, int *stacks, int *accesses, int *locations, int *locks,
                           int *threads, int *numbers, void **sleep, size_t n) {
  const struct finding *f = asked(report);
  const struct finding_lock *some_locks[MOST];
  const struct thread_info *some_threads[MOST];
  if (!f) return 0;
  *description = name_of(f->kind), *count = 0;
  *stacks = has_accesses(f) ? 0 : (int)f->count, *accesses = (int)f->count - *stacks;
  *locations = location_of(f->location, f->origin).kind != LOCATION_UNKNOWN;
  *locks = (int)locks_of(f, some_locks);
  *threads = *numbers = (int)threads_of(f, some_threads);
  give_stack(f->sleep, sleep, n);
  return 1;
}

int __tsan_get_report_tag(void *report, uintptr_t *tag) { return *tag = 0, asked(report) != NULL; }

int __tsan_get_report_stack(void *report, size_t i, void **trace, size_t n) {
  const struct finding *f = asked(report);
  if (!f || i >= f->count || has_accesses(f)) return 0;
  return give_stack(f->parts[i].site, trace, n), 1;
}

int __tsan_get_report_mop(void *report, size_t i, int *thread, void **address, int *size, int *write, int *atomic, void **trace, size_t n) {
  const struct finding *f = asked(report);
  if (!f || i >= f->count || !has_accesses(f)) return 0;
  const struct finding_part *p = &f->parts[i];
  enum site_kind kind = (enum site_kind)context_at(p->site)->kind;
  *thread = p->thread ? (int)p->thread->number : -1, *address = (void *)p->address, *size = (int)p->size;
  *write = kind != SITE_READ && kind != SITE_ATOMIC_READ && kind != SITE_USE;
  *atomic = kind == SITE_ATOMIC_READ || kind == SITE_ATOMIC_WRITE;
  return give_stack(p->site, trace, n), 1;
}

int __tsan_get_report_loc(void *report, size_t i, const char **type, void **address, void **start, size_t *size, int *thread, int *fd,
                          int *suppressable, void **trace, size_t n) {
  const struct finding *f = asked(report);
  if (!f || i > 0) return 0;
  struct location l = location_of(f->location, f->origin);
  *type = type_of(&l), *address = (void *)f->location, *start = (void *)l.start, *size = l.size;
  *thread = l.thread ? (int)l.thread->number : 0, *fd = l.kind == LOCATION_DESCRIPTOR ? l.descriptor : 0, *suppressable = 0;
  give_stack(l.site, trace, n);
  return l.kind != LOCATION_UNKNOWN;
}

int __tsan_get_report_loc_object_type(void *report, size_t i, const char **type) { return *type = "", asked(report) && i == 0; }

int __tsan_get_report_mutex(void *report, size_t i, uint64_t *id, void **address, int *destroyed, void **trace, size_t n) {
  const struct finding *f = asked(report);
  const struct finding_lock *locks[MOST];
  if (!f || i >= locks_of(f, locks)) return 0;
  *id = i, *address = (void *)locks[i]->address, *destroyed = !locks[i]->address;
  uint32_t first = locks[i]->made ? locks[i]->made : locks[i]->site; /* a lock that was never made, nor taken, was seen there alone */
  return give_stack(first || has_accesses(f) ? first : f->parts[0].site, trace, n), 1;
}

int __tsan_get_report_thread(void *report, size_t i, int *thread, uint64_t *id, int *running, const char **name, int *parent, void **trace,
                             size_t n) {
  const struct finding *f = asked(report);
  const struct thread_info *threads[MOST];
  if (!f || i >= threads_of(f, threads)) return 0;
  const struct thread_info *t = threads[i];
  *thread = (int)t->number, *id = (uint64_t)t->id, *running = !t->over, *name = t->name[0] ? t->name : NULL, *parent = (int)t->creator;
  return give_stack(t->site, trace, n), 1;
}

int __tsan_get_report_unique_tid(void *report, size_t i, int *thread) {
  const struct finding *f = asked(report);
  const struct thread_info *threads[MOST];
  if (!f || i >= threads_of(f, threads)) return 0;
  return *thread = (int)threads[i]->number, 1;
}

struct locating {
  uintptr_t address;
  struct location found;
  char *name;
  size_t n;
};
static void locate(void *data) {
  struct locating *l = data;
  symbols_renew();
  l->found = location_of(l->address, NULL);
  const char *name = l->found.kind == LOCATION_GLOBAL ? l->found.name : "";
  size_t length = rt_length(name);
  if (!l->n) return;
  if (length >= l->n) length = l->n - 1;
  rt_copy(l->name, name, length);
  l->name[length] = 0;
}

/* "stack", "tls", "heap", "global", or "" if it is not known. */
const char *__tsan_locate_address(void *address, char *name, size_t n, void **start, size_t *size) {
  struct locating l = {.address = (uintptr_t)address, .name = name, .n = name ? n : 0};
  ask_names(locate, &l);
  const struct thread_info *t = l.found.thread;
  bool stack = l.found.kind == LOCATION_STACK && t;
  if (start) *start = (void *)(stack ? t->memory.from : l.found.start);
  if (size) *size = stack ? t->memory.to - t->memory.from : l.found.size;
  return type_of(&l.found);
}

struct allocating {
  uintptr_t address;
  void **trace;
  size_t n;
  unsigned count;
  const struct thread_info *maker;
};
static void find_allocation(void *data) {
  struct allocating *a = data;
  struct origin o = descriptor_of(a->address) < 0 ? origin_of(a->address, ORIGIN_FAR) : (struct origin){0};
  symbols_renew(); /* for what was called */
  a->count = o.start ? ask_stack(o.site, a->trace, a->n) : 0;
  a->maker = o.start && o.maker ? thread_by_number(o.maker - 1) : NULL;
}

/* How many calls there are; 0 if it is no block. */
int __tsan_get_alloc_stack(void *address, void **trace, size_t n, int *thread, int *id) {
  struct allocating a = {.address = (uintptr_t)address, .trace = trace, .n = n};
  ask_names(find_allocation, &a);
  if (thread) *thread = a.maker ? (int)a.maker->number : -1;
  if (id) *id = a.maker ? a.maker->id : -1;
  return (int)a.count;
}
