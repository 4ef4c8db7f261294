#include "report/report.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "analysis/unseen.h"
#include "intercept/sanitizer.h"
#include "report/ask.h"
#include "report/call.h"
#include "report/file.h"
#include "report/location.h"
#include "report/module.h"
#include "report/plan.h"
#include "report/stack.h"
#include "report/suppression.h"
#include "report/symbol.h"
#include "report/told.h"
#include "runtime.h"

static struct {
  struct rt_lock lock; /* one report at a time */
  struct report_summary sum;
} reports;

struct words {
  const char *title, *json, *type;
};
static const struct words words[] = {
#define X(name, title, json, type) [FINDING_##name] = {title, json, type},
    FINDING_KINDS(X)
#undef X
};
const char *finding_title(enum finding_kind kind) { return words[kind].title; }
const char *finding_json_kind(enum finding_kind kind) { return words[kind].json; }
const char *finding_suppression(enum finding_kind kind) { return words[kind].type; }

/* Two findings of the same instructions are the same, whatever calls led there. */
static uint64_t key_of(enum finding_kind kind, const uint32_t *sites, unsigned n) {
  uint64_t key = kind == FINDING_FREED || kind == FINDING_LATE ? FINDING_RACE : kind;
  for (unsigned i = 0; i < n; i++) {
    uint64_t h = context_at(sites[i])->pc * 0x9e3779b97f4a7c15ull;
    key += (h ^ h >> 32) * 0xbf58476d1ce4e5b9ull;
  }
  return (key & ~(uint64_t)TOLD_FLAGS) | TOLD;
}

/* Which call a handler's call came within is luck. */
static uint64_t key_of_finding(const struct finding *f) {
  enum { MOST = 32 };
  uint32_t sites[MOST];
  unsigned n = f->kind == FINDING_SIGNAL ? 1 : f->count < MOST ? f->count : MOST;
  for (unsigned i = 0; i < n; i++) sites[i] = f->parts[i].site;
  return key_of(f->kind, sites, n);
}

static uint64_t hash_text(uint64_t h, const char *s) {
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 0x100000001b3ull;
  return h;
}

static bool hash_line(const struct frame_name *n, void *data) {
  uint64_t *h = data;
  if (n->runtime) return true;
  if (n->file)
    *h = (hash_text(hash_text(0xcbf29ce484222325ull, n->file), n->function ? n->function : "") ^ (unsigned)n->line) * 0x9e3779b97f4a7c15ull;
  return false;
}

/* The same for lines: `x += 1` is a read and a write, and two threads that do it race in several ways, but it is one finding. So this is
 * the key of two lines and what they touch; 0 if they are not known. What did not happen in this run does not stand for what did. */
static uint64_t key_of_lines(const struct finding *f) {
  uint64_t key = f->location + f->predicted;
  if ((f->kind != FINDING_RACE && f->kind != FINDING_FREED) || !f->location) return 0;
  for (unsigned i = 0; i < f->count; i++) {
    uint64_t h = 0;
    stack_each(f->parts[i].site, hash_line, &h);
    if (!h) return 0;
    key += (h ^ h >> 32) * 0xbf58476d1ce4e5b9ull;
  }
  return (key & ~(uint64_t)TOLD_FLAGS) | TOLD;
}

static bool is_new(uint64_t key) {
  uint64_t there = told_find(key);
  if (there && !(there & TOLD_SUPPRESSED)) __atomic_fetch_add(&reports.sum.again, 1, __ATOMIC_RELAXED);
  return !there;
}

bool report_is_new(enum finding_kind kind, const uint32_t *sites, unsigned n) { return is_new(key_of(kind, sites, n)); }

static unsigned add_thread(const struct thread_info *t, const struct thread_info **threads, unsigned count, unsigned n) {
  unsigned i = 0;
  if (!t || t->number == 0) return count;
  while (i < count && threads[i]->number != t->number) i++;
  if (i == count && count < n) threads[count++] = t;
  return count;
}

unsigned finding_threads(const struct finding *f, const struct thread_info **threads, unsigned n) {
  unsigned count = 0;
  for (unsigned i = 0; i < f->count; i++) count = add_thread(f->parts[i].thread, threads, count, n);
  return add_thread(location_of(f->location, f->origin).thread, threads, count, n);
}

/* True if the finding is one that is to be tried first: it is shown then (heddle run --confirm). */
static bool keep(struct rt_text *out, const struct finding *f) {
  struct finding_holes holes = {0};
  struct finding held = *f;
  if (!f->predicted || !plans_made()) return false;
  held.holes = &holes;
  (options.json ? report_as_json : report_as_text)(out, &held);
  bool kept = plan_keep(f, &holes, out);
  out->count = 0;
  return kept;
}

static void show(const struct finding *f) {
  static struct rt_text out;
  if (keep(&out, f)) return;
  (options.json ? report_as_json : report_as_text)(&out, f);
  rt_text_write(&out, options_log());
}

static void show_summary(void) {
  static struct rt_text out;
  (options.json ? summary_as_json : summary_as_text)(&out, &reports.sum);
  if (out.count) rt_text_write(&out, options_log());
}

/* As ThreadSanitizer ends processes, unless the user says otherwise. */
static _Noreturn void halt(void) {
  enum { USUAL = 66 };
  plans_standard_input();
  show_summary();
  sanitizer_ends();
  syscall(SYS_exit_group, options.exit_code ? options.exit_code : USUAL);
  __builtin_unreachable();
}

/* The memory of a block that was freed may have become a library's, or a stack, where nobody saw it. */
static bool is_no_block(const struct finding *f) {
  if (f->kind != FINDING_LATE) return false;
  enum location_kind kind = location_of(f->location, NULL).kind;
  return kind == LOCATION_STACK || kind == LOCATION_THREAD_LOCAL || module_at(f->location);
}

static bool is_watched(uint32_t site) {
  site = context_one(site);
  const struct module *m = site == SITE_UNKNOWN ? NULL : module_at(context_pc(site) - 1);
  return !m || m->watched;
}

/* How code that is not watched orders what it does is not known. But a deadlock is one if anything in it is the program's. */
static bool lies_unwatched(const struct finding *f) {
  unsigned n = 0;
  for (unsigned i = 0; i < f->count; i++) n += !is_watched(f->parts[i].site);
  return f->kind == FINDING_DEADLOCK || f->kind == FINDING_CYCLE ? n == f->count : n > 0;
}

/* What orders locks does so whatever else is accessed, and handlers come when they like. */
static bool needs_all_accesses(const struct finding *f) {
  return f->predicted && f->kind != FINDING_CYCLE && f->kind != FINDING_SIGNAL && f->kind != FINDING_ERRNO;
}

/* Under the lock, as everything below. */
static void decide(const struct finding *f, uint64_t key) {
  if (options.hidden >> f->kind & 1 || !is_new(key)) return;
  if (!told_room()) {
    reports.sum.dropped++;
    return;
  }
  symbols_renew();
  if (is_no_block(f)) return;
  if (!options.unwatched && lies_unwatched(f)) return told_add(key, TOLD_SUPPRESSED);
  if (needs_all_accesses(f) && unseen_shared() && modules_by("clang version")) {
    reports.sum.left_out++;
    return told_add(key, TOLD_SUPPRESSED);
  }
  uint64_t lines = key_of_lines(f), like = lines ? told_find(lines) : 0;
  if (like) {
    told_add(key, like & TOLD_SUPPRESSED);
    is_new(lines); /* counts it */
    return;
  }
  bool suppressed = suppression_of(f) != NULL;
  told_add(key, suppressed ? TOLD_SUPPRESSED : 0);
  if (lines) told_add(lines, suppressed ? TOLD_SUPPRESSED : 0);
  if (suppressed) {
    reports.sum.suppressed++;
    return;
  }
  reports.sum.count++, reports.sum.by_kind[f->kind]++;
  show(f);
  ask_report(f);
  if (options.halt) halt();
}

/* Calls f on another stack: the program's may be small, or a signal's. */
static void call_on(char *end, void (*f)(void *), void *data) {
  __asm__ volatile("mov %%rsp, %%rbx\n  mov %1, %%rsp\n  call *%2\n  mov %%rbx, %%rsp"
                   : "+D"(data)
                   : "r"(end), "r"(f)
                   : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
                     "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
}

struct decision {
  const struct finding *f;
  uint64_t key;
};
static void decide_there(void *data) {
  const struct decision *d = data;
  decide(d->f, d->key);
}

/* Signals wait meanwhile: a handler on a stack of its own would not know that this thread may be on it already. So does cancellation: files
 * are opened, and the lock is held. */
void reports_alone(struct thread *t, void (*f)(void *), void *data) {
  enum { STACK = 1 << 20 };
  static char *stack;
  uint64_t all = ~0ull, mask;
  int saved = errno, state;
  thread_enter(t);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &mask, sizeof mask);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  rt_lock(&reports.lock);
  if (!stack) stack = rt_pages(STACK);
  if (stack)
    call_on(stack + STACK, f, data);
  else
    f(data);
  calls_done();
  rt_unlock(&reports.lock);
  pthread_setcancelstate(state, NULL);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
  thread_leave(t);
  errno = saved;
}

void report_finding(struct thread *t, const struct finding *f) {
  struct decision d = {f, key_of_finding(f)};
  reports_alone(t, decide_there, &d);
}

static void keep_files(void *unused) {
  (void)unused;
  files_keep();
}

void reports_keep_files(struct thread *t) {
  static bool kept;
  if (!__atomic_exchange_n(&kept, true, __ATOMIC_RELAXED)) reports_alone(t, keep_files, NULL);
}

unsigned reports_count(void) { return reports.sum.count; }

void reports_finish(void) {
  plans_standard_input();
  rt_lock(&reports.lock); /* a report that is being written is written whole */
  show_summary();
  rt_unlock(&reports.lock);
}

/* Bounded: in a child of clone() the lock may be of a thread that is not there. */
void reports_await(void) {
  enum { STEPS = 3000 };
  plans_standard_input();
  for (int i = 0; i < STEPS && __atomic_load_n(&reports.lock.held, __ATOMIC_RELAXED); i++)
    syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = 1000000}, NULL);
}

void reports_before_fork(void) { rt_lock(&reports.lock); }
void reports_after_fork(bool child) {
  if (child) reports.sum = (struct report_summary){0}; /* of its own */
  if (child) suppressions_after_fork();
  rt_unlock(&reports.lock);
}
