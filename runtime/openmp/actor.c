#include "openmp/actor.h"

#include <link.h>

#include "analysis/access.h"
#include "analysis/section.h"
#include "intercept/intercept.h"
#include "openmp/frames.h"
#include "openmp/team.h"

enum { LOCALS = 8, LOCALS_SIZE = 4 << 10 };

/* What the present thread has of its own; for ever, as it is hardly anything. */
struct seated {
  struct task *actor;   /* NULL: home */
  struct vclock *home;  /* what home knew when it was left */
  struct vclock *asked; /* what those knew who asked for what is the thread's */
  struct {
    struct vclock *last; /* what who had it last knew then */
    uint32_t when;       /* a count */
  } seats[SEATS];
  uint32_t count;
  bool unfit; /* too many thread-local variables */
  size_t thread_local;
  unsigned nlocals;
  struct {
    uintptr_t at;
    size_t size;
  } locals[LOCALS]; /* thread-local variables */
};
static __thread struct seated *seated __attribute__((tls_model("initial-exec")));

/* A slot of no thread. Thread-local variables of who begins a task seem to have been written in it, so that who touches them comes to
 * excused(). */
static uint32_t nobody;

bool actors_differ(void) { return analysis != ANALYSIS_HB; }

static bool asks(const struct task *actor) { return !actor || actor->asks; }

static void learn(struct thread *t, const struct vclock *c) {
  if (c) clocks_join(t->weak, c->at, c->n);
}

static void ask(struct thread *t, struct seated *s) {
  if (asks(s->actor)) return;
  s->actor->asks = true;
  learn(t, s->asked);
}

static bool is_local(const struct thread *t, const struct seated *s, uintptr_t address) {
  return t->info->memory.self - address - 1 < s->thread_local;
}

/* True if what seems to be a race is none; what that teaches is known then. */
static bool excused(struct thread *t, uintptr_t address, epoch e, bool predicted) {
  struct seated *s = seated;
  bool local = s && is_local(t, s, address), by_nobody = epoch_slot(e) == __atomic_load_n(&nobody, __ATOMIC_RELAXED);
  if (local && (by_nobody || predicted)) ask(t, s);
  return by_nobody || (predicted && (local || frames_ended(t, address, e)));
}

static int add_local(struct dl_phdr_info *info, size_t size, void *data) {
  enum { LIBRARY = 256 };
  struct seated *s = data;
  bool program = s->thread_local == 0 && info->dlpi_name && !info->dlpi_name[0];
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type != PT_TLS || !info->dlpi_tls_data) continue;
    s->thread_local += h->p_memsz + h->p_align;
    if (program && h->p_memsz > LOCALS_SIZE) s->unfit = true;
    if ((!program && h->p_memsz > LIBRARY) || s->nlocals == LOCALS) continue;
    s->locals[s->nlocals].at = (uintptr_t)info->dlpi_tls_data, s->locals[s->nlocals++].size = h->p_memsz;
  }
  return 0;
}

static struct seated *seated_new(void) {
  static struct rt_lock lock;
  struct seated *s = rt_alloc(sizeof *s);
  if (!s) return NULL;
  rt_zero(s, sizeof *s);
  NEXT(dl_iterate_phdr)(add_local, s);
  struct thread *t = thread_lock_self(&lock);
  if (!nobody) __atomic_store_n(&nobody, thread_no_slot(), __ATOMIC_RELAXED);
  s->unfit |= !nobody;
  access_excused = excused;
  thread_unlock_self(t, &lock);
  return seated = s;
}

static void hide_locals(const struct seated *s) {
  cell hidden = cell_make(epoch_make(nobody, 1), SITE_UNKNOWN, MASK_ALL, false);
  for (unsigned i = 0; i < s->nlocals; i++)
    for (uintptr_t at = s->locals[i].at & ~(uintptr_t)7; at < s->locals[i].at + s->locals[i].size; at += 8) {
      struct pair *p = shadow_of(at);
      record_drop(pair_take(p));
      cell_store(&p->read, hidden);
      pair_give(p, hidden);
    }
}

static unsigned seat_of(const struct thread *t, uint32_t slot) {
  unsigned i = 0;
  while (i < t->nseats && t->seats[i] != slot) i++;
  return i;
}

static void leave(struct thread *t, struct seated *s) {
  struct task *from = s->actor;
  vclock_set(from ? &from->known : &s->home, t->weak, t->n, 0);
  if (asks(from)) vclock_join(&s->asked, t->weak, t->n);
  if (!from) return;
  unsigned i = seat_of(t, t->slot);
  if (i < SEATS) vclock_set(&s->seats[i].last, t->weak, t->n, 0), s->seats[i].when = ++s->count;
  task_drop(from);
}

/* One whose last actor is known anyway, or else the one that was left first. */
static unsigned choose(struct thread *t, const struct seated *s) {
  unsigned best = 0;
  for (unsigned i = 0; i < t->nseats; i++) {
    if (t->weak[t->seats[i]] >= t->clock[t->seats[i]]) return i;
    if (s->seats[i].when < s->seats[best].when) best = i;
  }
  return t->nseats < SEATS && thread_seat_new(t) ? t->nseats - 1 : best;
}

static void arrive(struct thread *t, struct seated *s, struct task *to) {
  for (uint32_t i = 0; i < t->n; i++) t->weak[i] = 0;
  learn(t, to ? to->known : s->home);
  if (to) order_acquire(&to->start);
  if (asks(to)) learn(t, s->asked);
  s->actor = to;
  if (!to) return thread_sit(t, t->home);
  __atomic_fetch_add(&to->references, 1, __ATOMIC_RELAXED);
  unsigned i = choose(t, s);
  learn(t, s->seats[i].last);
  thread_sit(t, t->seats[i]);
  if (!to->asks) hide_locals(s);
}

void actor_switch(struct task *to) {
  struct thread *t = watched();
  struct seated *s = seated;
  if (!t || !t->weak || (s ? s->actor : NULL) == to) return;
  if (t->nheld || t->held_more || t->inside || t->ignore_sync) return;
  thread_enter(t);
  if (!s) s = seated_new();
  if (s && !s->unfit && (t->nseats || thread_seat_new(t))) {
    leave(t, s);
    arrive(t, s, to);
  }
  thread_leave(t);
}

struct task *actor_now(void) {
  return seated ? seated->actor : NULL;
}

void actor_asks(void) {
  struct thread *t = watched();
  if (t && seated) ask(t, seated);
}
