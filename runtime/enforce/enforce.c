#include "enforce/enforce.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "enforce/judge.h"
#include "enforce/place.h"
#include "record/name.h"
#include "record/record.h"
#include "trace/event.h"

enum { SPINS = 200, MS = 1000000, LATELY_MS = 2, REST_MS = 100, MISSING_MOST = 1024 /* steps in a row */ };

/* Of the calling thread. */
struct follower {
  struct thread *thread; /* that all this is about; NULL: nobody yet */
  uint32_t number;       /* of its struct enforce_thread; NOBODY: it is none of the witness's */
  uint32_t next, passed; /* its next step; events like that one since the last */
  uint32_t open;         /* 1 + the step that it is at; 0: none */
  uint32_t last;         /* place of its last step */
  bool inside, granted;  /* it is in here; its operation has its turn */
};
#define NOBODY UINT32_MAX
static __thread struct follower me __attribute__((tls_model("initial-exec")));

bool enforcing;
struct enforce_file *enforced;

static _Noreturn void cannot(const char *file) { rt_die("heddle: cannot carry out the witness: %s is not what it should be\n", file); }

/* Where the program's variables end. They lie as in the recorded run, but behind other code. */
static uintptr_t data_end(void) {
  const ElfW(Phdr) *all = (const ElfW(Phdr) *)getauxval(AT_PHDR);
  uintptr_t slide = 0, end = 0;
  for (unsigned long i = 0; all && i < getauxval(AT_PHNUM); i++) {
    if (all[i].p_type == PT_PHDR) slide = (uintptr_t)all - all[i].p_vaddr;
    if (all[i].p_type == PT_LOAD && all[i].p_flags & PF_W) end = all[i].p_vaddr + all[i].p_memsz;
  }
  return end ? (slide + end) & ~(uintptr_t)7 : 0;
}

static void move_addresses(void) {
  enum { MOST = 64 << 20 };
  uintptr_t then = enforced->data_end, now = data_end();
  if (!then || !now) return;
  for (uint32_t i = 0; i < enforced->steps + enforced->ends; i++) {
    struct enforce_step *s = &enforce_steps(enforced)[i];
    if (s->address < then && s->address + MOST >= then) s->address += now - then;
  }
}

void enforce_start(const char *file) {
  struct stat about;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
  void *at = MAP_FAILED;
  if (fd >= 0 && fstat(fd, &about) == 0 && about.st_size >= (off_t)sizeof *enforced)
    at = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0) syscall(SYS_close, fd);
  if (at == MAP_FAILED) cannot(file);
  enforced = at;
  if (enforced->version != ENFORCE_VERSION ||
      (uint64_t)about.st_size < enforce_size(enforced->threads, enforced->steps, enforced->ends, enforced->places))
    cannot(file);
  places_start();
  move_addresses();
  names_start();
  name_child(NULL, hd_fast.self->info);
  judge_start();
  recording = enforcing = true;
  record_begin(hd_fast.self);
  if (enforced->steps + enforced->ends == 0) judge();
}

static bool is_released(void) { return __atomic_load_n(&enforced->released, __ATOMIC_ACQUIRE); }
static struct enforce_thread *mine(void) { return &enforce_threads(enforced)[me.number]; }

static void set_state(enum enforce_state state, uint32_t site) {
  if (me.number == NOBODY) return;
  if (site) __atomic_store_n(&mine()->site, site, __ATOMIC_RELAXED);
  __atomic_store_n(&mine()->state, state, __ATOMIC_RELEASE);
}

/* --- waiting --- */

/* True if the word was the same all the while. */
static bool sleep_while(uint32_t *word, uint32_t value, long ms) {
  struct timespec limit = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * MS};
  long e = syscall(SYS_futex, word, FUTEX_WAIT, value, &limit, NULL, 0);
  return e < 0 && errno == ETIMEDOUT && __atomic_load_n(word, __ATOMIC_ACQUIRE) == value;
}

static void wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0); }

/* Over the steps that will not come. */
static void pass_missing(void) {
  uint32_t at = __atomic_load_n(&enforced->position, __ATOMIC_ACQUIRE);
  bool moved = false;
  while (at < enforced->steps && __atomic_load_n(&enforce_steps(enforced)[at].begun, __ATOMIC_ACQUIRE) == ENFORCE_MISSING)
    if (__atomic_compare_exchange_n(&enforced->position, &at, at + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) at++, moved = true;
  if (moved) wake(&enforced->position);
  if (moved && at >= enforced->steps) judge();
}

static void advance(uint32_t step) {
  uint32_t at = step;
  __atomic_store_n(&enforce_steps(enforced)[step].begun, ENFORCE_DONE, __ATOMIC_RELAXED);
  if (!__atomic_compare_exchange_n(&enforced->position, &at, step + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
  wake(&enforced->position);
  pass_missing();
}

/* What nobody says the end of is over when its thread does the next thing, or after a moment: it may block behind it. */
static void wait_for_turn(uint32_t step) {
  uint32_t *position = &enforced->position;
  for (int i = 0; i < SPINS; i++) {
    if (__atomic_load_n(position, __ATOMIC_ACQUIRE) >= step) return;
    __builtin_ia32_pause();
  }
  for (uint32_t at; (at = __atomic_load_n(position, __ATOMIC_ACQUIRE)) < step && !is_released();) {
    const struct enforce_step *s = &enforce_steps(enforced)[at];
    bool lately = __atomic_load_n(&s->begun, __ATOMIC_ACQUIRE) == ENFORCE_BEGUN_LATELY;
    if (sleep_while(position, at, LATELY_MS) && lately) advance(at);
  }
}

/* It does nothing more until all may, or goes on to what nobody else waits for. */
static void rest(enum enforce_state state, uint32_t site) {
  if (state == ENFORCE_RESTS && me.number != NOBODY && mine()->goes_on) return;
  set_state(state, site);
  while (!is_released()) sleep_while(&enforced->released, 0, REST_MS);
  set_state(ENFORCE_RUNS, 0);
}

/* --- steps --- */

static void meet(struct thread *t) {
  const char *name = name_of(t->info->number);
  me = (struct follower){.thread = t, .number = NOBODY, .inside = true};
  for (uint32_t i = 0; i < enforced->threads; i++)
    if (rt_equal(enforce_threads(enforced)[i].name, name)) me.number = i;
  if (me.number != NOBODY) __atomic_store_n(&mine()->task, (uint32_t)syscall(SYS_gettid), __ATOMIC_RELAXED);
  set_state(ENFORCE_RUNS, 0);
}

/* Its next step but `ahead`. NULL: it has none left. */
static struct enforce_step *step_ahead(uint32_t ahead, uint32_t *number) {
  if (me.number == NOBODY || me.next + ahead >= mine()->count) return NULL;
  *number = enforce_own(enforced)[mine()->first + me.next + ahead];
  return &enforce_steps(enforced)[*number];
}
static struct enforce_step *next_step(uint32_t *number) { return step_ahead(0, number); }

/* The next `n` steps will not come: the thread is further on. */
static void leave_out(uint32_t n) {
  for (uint32_t i = 0, number; i < n; i++) {
    struct enforce_step *s = step_ahead(i, &number);
    if (s) __atomic_store_n(&s->begun, ENFORCE_MISSING, __ATOMIC_RELEASE);
  }
  me.next += n, me.passed = 0;
  pass_missing();
}

static void close_step(void) {
  uint32_t step = me.open - 1;
  if (!me.open) return;
  me.open = 0;
  advance(step);
  if (step + 1 >= enforced->steps) judge();
}

static void pass_on(void) { me.next++, me.passed = 0, me.granted = false; }

/* The turn of `step` has come, or all may go: false. */
static bool take_turn(uint32_t number, struct enforce_step *step, const struct enforce_seen *seen, enum enforce_begun begun) {
  set_state(ENFORCE_WAITS, step->site);
  wait_for_turn(number);
  set_state(ENFORCE_RUNS, step->site);
  if (is_released()) return false;
  if (step->note) judge_note(step->note, seen);
  me.open = number + 1, me.last = step->site;
  __atomic_store_n(&step->begun, begun, __ATOMIC_RELEASE);
  return true;
}

/* The thread is where its next step, or its end, is. */
static void begin(uint32_t number, struct enforce_step *step, struct enforce_seen *seen, enum enforce_begun begun) {
  seen->thread = me.number, seen->there = 1;
  if (number >= enforced->steps) {
    judge_stands(number - enforced->steps, seen);
    rest(ENFORCE_STANDS, step->site);
    pass_on();
  } else if (take_turn(number, step, seen, begun)) {
    me.granted = begun == ENFORCE_BEGUN;
    if (!me.granted) pass_on();
  }
}

static bool enter(struct thread *t) {
  if (me.inside || hd_recorder.ended) return false;
  me.inside = true;
  if (me.thread != t) meet(t);
  if (is_released()) {
    __atomic_add_fetch(&enforced->beats, 1, __ATOMIC_RELAXED);
    return me.inside = false;
  }
  if (!me.granted) close_step();
  return true;
}

/* If what comes is no next step, but one behind accesses that the program may lack: those are left out. */
static void look_ahead(uint32_t ops, uint32_t site, uintptr_t address);

/* Operations of synchronisation at a place that nobody knows are told by what they do. */
static bool is_there(const struct enforce_step *step, uint32_t site) {
  const uint32_t accesses = 1u << TRACE_EVENT_READ | 1u << TRACE_EVENT_WRITE | 1u << TRACE_EVENT_RMW | 1u << TRACE_EVENT_FREE;
  return step->site == site || (site == PLACE_UNKNOWN && !(accesses >> step->op & 1));
}

static bool is_at(const struct enforce_step *step, uint32_t ops, uint32_t site, uintptr_t address) {
  return ops >> step->op & 1 && is_there(step, site) && (!step->address || step->address == address);
}

/* Of operations with two outcomes, the flags that tell them apart. */
static unsigned outcome(unsigned op, unsigned flags) {
  return op == TRACE_EVENT_ACQUIRE || op == TRACE_EVENT_RELEASE || op == TRACE_EVENT_WAIT_LEAVE
             ? flags & (EVENT_SHARED_LOCK | EVENT_TIMED_OUT)
             : 0;
}
static bool is_as_told(const struct enforce_step *step, const struct trace_event *e) {
  if (step->address && step->address != e->object) return false;
  return step->op == e->op && is_there(step, e->site) && outcome(step->op, step->flags) == outcome(e->op, e->flags);
}

static void look_ahead(uint32_t ops, uint32_t site, uintptr_t address) {
  uint32_t number, n = 0;
  for (struct enforce_step *s; n < MISSING_MOST && (s = step_ahead(n, &number)); n++) {
    if (is_at(s, ops, site, address) && (n == 0 || s->skip == 0)) break;
    if (!s->loose) return;
  }
  if (n > 0 && n < MISSING_MOST && step_ahead(n, &number)) leave_out(n);
}

void enforce_before_slow(struct thread *t, uint32_t ops, uintptr_t address, size_t size, unsigned flags, bool atomic) {
  int saved = errno;
  uint32_t number, site = place_of(hd_recorder.site);
  if (!enter(t)) return;
  if (!me.granted) look_ahead(ops, site, address);
  struct enforce_step *step = next_step(&number);
  struct enforce_seen seen = {.address = address, .size = size, .flags = (uint8_t)flags, .atomic = atomic};
  if (!step) rest(ENFORCE_RESTS, site);
  if (step && !me.granted && is_at(step, ops, site, address) && me.passed >= step->skip) {
    seen.op = step->op;
    begin(number, step, &seen, ENFORCE_BEGUN);
  }
  me.inside = false;
  errno = saved;
}

/* Does the event belong to a call that the thread is in, as its last step? There it cannot stand still. */
static bool is_within(const struct trace_event *e) { return e->site == me.last && e->op != TRACE_EVENT_RELEASE; }

/* What is recorded has been done, or will be at once. */
static void follow(const struct trace_event *as_told, enum enforce_begun begun) {
  struct trace_event event = *as_told, *e = &event;
  uint32_t number;
  e->site = place_of(e->site);
  if (!me.granted) look_ahead(1u << e->op, e->site, e->object);
  struct enforce_step *step = next_step(&number);
  if (me.number != NOBODY) judge_event(me.number, e);
  if (e->op == TRACE_EVENT_ALLOC) return; /* never a step */
  if (!step) {
    if (!is_within(e)) rest(ENFORCE_RESTS, e->site);
    return;
  }
  bool fits = is_as_told(step, e);
  if (me.granted) {
    if (!fits) judge_ends(ENFORCE_LEFT, "it had another outcome", number, e->site);
    pass_on();
    close_step();
  } else if (fits && me.passed < step->skip) {
    me.passed++;
  } else if (fits) {
    struct enforce_seen seen = {.address = e->object, .size = e->size, .op = e->op, .flags = e->flags, .atomic = e->order != 0};
    begin(number, step, &seen, begun);
  } else {
    set_state(ENFORCE_RUNS, e->site);
  }
}

void enforce_event(struct thread *t, const struct trace_event *e) {
  int saved = errno;
  if (e->op >= TRACE_RECORDED_BRANCH) return; /* nothing that is done */
  if (__atomic_load_n(&enforced->waits, __ATOMIC_ACQUIRE) && me.thread == t && e->op == TRACE_EVENT_WAIT_LEAVE) judge_event(me.number, e);
  if (!enter(t)) return;
  follow(e, ENFORCE_BEGUN_LATELY);
  me.inside = false;
  errno = saved;
}

/* --- what woven code calls: before an access, and behind it --- */

static void told(uintptr_t p, uint32_t site, unsigned size, unsigned op) {
  struct thread *t = enforcing && !hd_fast.unknown ? thread_self() : NULL;
  int saved = errno;
  if (!t || !enter(t)) return;
  struct trace_event e = {.op = (uint8_t)op, .site = site, .object = p, .size = size};
  follow(&e, ENFORCE_BEGUN_LATELY);
  /* What is over is said by __heddle_enforce_done(). */
  if (me.open) __atomic_store_n(&enforce_steps(enforced)[me.open - 1].begun, ENFORCE_BEGUN, __ATOMIC_RELEASE);
  me.inside = false;
  errno = saved;
}

#define ACCESS(size)                                                                                                             \
  PUBLIC void __heddle_enforce_read##size(uintptr_t p, uint64_t v, uint32_t site);                                               \
  PUBLIC void __heddle_enforce_write##size(uintptr_t p, uint64_t v, uint32_t site);                                              \
  PUBLIC void __heddle_enforce_if_read##size(uintptr_t p, uint64_t v, int is, uint32_t site);                                    \
  PUBLIC void __heddle_enforce_if_write##size(uintptr_t p, uint64_t v, int is, uint32_t site);                                   \
  void __heddle_enforce_read##size(uintptr_t p, uint64_t v, uint32_t site) { (void)v, told(p, site, size, TRACE_EVENT_READ); }   \
  void __heddle_enforce_write##size(uintptr_t p, uint64_t v, uint32_t site) { (void)v, told(p, site, size, TRACE_EVENT_WRITE); } \
  void __heddle_enforce_if_read##size(uintptr_t p, uint64_t v, int is, uint32_t site) {                                          \
    (void)v;                                                                                                                     \
    if (is) told(p, site, size, TRACE_EVENT_READ);                                                                               \
  }                                                                                                                              \
  void __heddle_enforce_if_write##size(uintptr_t p, uint64_t v, int is, uint32_t site) {                                         \
    (void)v;                                                                                                                     \
    if (is) told(p, site, size, TRACE_EVENT_WRITE);                                                                              \
  }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)

PUBLIC void __heddle_enforce_done(void);
void __heddle_enforce_done(void) {
  if (LIKELY(!me.open) || me.inside || me.granted) return;
  int saved = errno;
  me.inside = true;
  close_step();
  me.inside = false;
  errno = saved;
}

/* --- waits, ends --- */

bool enforce_wait(struct thread *t, int (*unlock)(void *), int (*lock)(void *), void *mutex, int *result) {
  uint32_t number;
  if (me.thread != t || me.inside || is_released()) return false;
  struct enforce_step *step = next_step(&number);
  if (step ? step->op != TRACE_EVENT_WAIT_LEAVE || step->flags & EVENT_TIMED_OUT : me.number != NOBODY && mine()->goes_on) {
    me.inside = true;
    close_step();
    me.inside = false;
    return false;
  }
  unlock(mutex);
  me.inside = true;
  close_step();
  if (step) {
    struct enforce_seen seen = {.there = 1, .thread = me.number, .op = step->op};
    me.granted = take_turn(number, step, &seen, ENFORCE_BEGUN);
  } else {
    rest(ENFORCE_RESTS, place_of(hd_recorder.site));
  }
  me.inside = false;
  bool woken = me.granted;
  lock(mutex);
  *result = 0;
  return woken;
}

/* All of the thread's steps that are left will not come, if they need not. */
static void leave_out_rest(void) {
  uint32_t number, n = 0;
  for (struct enforce_step *s; (s = step_ahead(n, &number)) && s->loose;) n++;
  if (n && !step_ahead(n, &number)) leave_out(n);
}

void enforce_ended(struct thread *t) {
  if (me.thread != t) return;
  me.inside = true;
  close_step();
  leave_out_rest();
  set_state(ENFORCE_ENDED, 0);
}

void enforce_exit(struct thread *t) {
  uint32_t number;
  if (!enter(t)) return;
  leave_out_rest();
  struct enforce_step *step = next_step(&number);
  if (step) judge_ends(ENFORCE_LEFT, "it ended the process", number, place_of(hd_recorder.site));
  rest(ENFORCE_RESTS, place_of(hd_recorder.site));
  me.inside = false;
}

void enforce_after_fork(void) { recording = enforcing = false; }
