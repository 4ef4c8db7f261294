#include "analysis/held.h"
#include "analysis/seen.h"
#include "analysis/violation.h"
#include "registry.h"

#include <sys/syscall.h>
#include <unistd.h>

int ignored_accesses;
struct registry registry;

static struct thread_info *new_info(const struct thread *creator, uint32_t site) {
  struct thread_info *info = registry.ninfos < INFOS ? rt_alloc(sizeof *info) : NULL;
  if (!info) return NULL;
  *info = (struct thread_info){.site = site, .number = registry.ninfos, .actor = registry.ninfos};
  if (creator) info->creator = creator->info->number, info->born = epoch_make(creator->slot, creator->clock[creator->slot]);
  registry.infos[registry.ninfos++] = info;
  return info;
}

static bool weaken; /* new threads have the weak order's clock */

void threads_weaken(void) {
  weaken = true;
  struct thread *t = hd_fast.self;
  t->weak = rt_alloc(SLOTS * sizeof t->weak[0]);
  if (!t->weak) rt_die("heddle: no memory to run in\n");
  rt_copy(t->weak, t->clock, sizeof t->clock);
  t->order = t->weak;
}

/* What a thread touches as far as it needs it. */
struct reserve {
  struct frame frames[FRAMES];
  struct known_site sites[1 << SITES_BITS];
};

/* A thread for which there was no memory, or no slot, and that may run all the same. */
static COLD void drop(struct thread *t, struct reserve *reserve, void *scratch, uint32_t *weak) {
  order_lose();
  rt_free(reserve, sizeof *reserve);
  rt_free(scratch, SCRATCH);
  rt_free(weak, SLOTS * sizeof weak[0]);
  rt_free(t, sizeof *t);
}

struct thread *thread_new(struct thread *creator, uint32_t site) {
  struct thread *t = rt_alloc(sizeof *t);
  struct reserve *reserve = rt_pages(sizeof *reserve);
  void *scratch = rt_alloc(SCRATCH);
  uint32_t *weak = weaken ? rt_alloc(SLOTS * sizeof weak[0]) : NULL;
  if (!t || !reserve || !scratch || (weaken && !weak)) return drop(t, reserve, scratch, weak), NULL;
  rt_zero(t, sizeof *t); /* no compiler's memset(): that is the program's, and may come here */
  t->frames = reserve->frames, t->sites = reserve->sites, t->scratch = scratch, t->weak = weak;
  t->frames->context = CONTEXT_NONE;
  t->ignore_reads = t->ignore_writes = ignored_accesses;
  if (weak) rt_zero(weak, SLOTS * sizeof weak[0]);
  t->order = t->weak ? t->weak : t->clock;
  pairs_alone = false;
  if (creator) {
    seen_hear(creator);
    t->n = creator->n;
    for (uint32_t i = 0; i < t->n; i++) {
      t->clock[i] = creator->clock[i];
      if (t->weak) t->weak[i] = creator->weak[i];
    }
    hard_fork(&creator->hard, &t->hard);
  }
  rt_lock(&registry.lock);
  if (creator) slots_settle();
  uint32_t slot = slot_take(t);
  t->info = slot ? new_info(creator, site) : NULL;
  if (t->info) {
    slot_seat(t, slot, t->info);
    t->home = slot;
    t->next = registry.live, t->link = &registry.live;
    if (t->next) t->next->link = &t->next;
    registry.live = t, registry.nlive++;
  }
  rt_unlock(&registry.lock);
  if (t->info) return t;
  return drop(t, reserve, scratch, weak), NULL;
}

void thread_begin(struct thread *t) {
  t->info->id = (int)syscall(SYS_gettid);
  fast_set(t, t->frames);
}

static void leave(struct thread *t, uint32_t final) {
  rt_lock(&registry.lock);
  if (vclock_join(&registry.ended, t->clock, t->n) && t->weak) vclock_join_weak(&registry.ended, t->weak, t->n);
  slot_give(t->slot, final);
  for (uint32_t i = 0; i < t->nseats; i++)
    if (t->seats[i] != t->slot) slot_give(t->seats[i], t->clock[t->seats[i]]);
  if (t->home != t->slot) slot_give(t->home, t->clock[t->home]);
  *t->link = t->next, registry.nlive--;
  if (t->next) t->next->link = t->link;
  t->info->over = true;
  rt_unlock(&registry.lock);
  for (unsigned i = 0; i < RECORD_SIZES; i++)
    rt_free_some(&t->spare[i].near, (size_t)RECORD_BYTES << i), rt_free_some(&t->spare[i].far, (size_t)RECORD_BYTES << i);
  vclock_free(t->fence_release), vclock_free(t->fence_acquire);
  rt_free(t->frames, sizeof(struct reserve));
  rt_free(t->scratch, SCRATCH);
  candidates_free(t);
  seen_free(t);
  rt_free(t->weak, SLOTS * sizeof t->weak[0]);
  rt_free(t->awake, SLOTS * sizeof t->awake[0]);
  rt_free(t, sizeof *t);
}

void thread_end(struct thread *t, struct vclock **last) {
  held_leave(t);
  seen_hear(t);
  if (last && vclock_set(last, t->clock, t->n, 0) && t->weak) vclock_set_weak(last, t->weak, t->n, 0);
  fast_clear();
  leave(t, t->clock[t->slot]);
}

void thread_drop(struct thread *t) { leave(t, t->clock[t->slot] - 1); }

void (*thread_attached)(struct thread *t);

uint32_t threads_attached;

static void learn(struct thread *t, uint32_t slot, uint32_t clock) {
  if (slot == t->slot) return;
  if (clock > t->clock[slot]) t->clock[slot] = clock;
  if (t->weak && clock > t->weak[slot]) t->weak[slot] = clock;
  if (clock && slot >= t->n) t->n = slot + 1;
}

/* All that o did by now. */
static void know(struct thread *t, const struct thread *o) {
  for (uint32_t i = 0; i < o->n; i++) learn(t, i, __atomic_load_n(&o->clock[i], __ATOMIC_RELAXED));
}

struct thread *thread_self_slow(void) {
  if (hd_fast.unknown || !registry.infos) return NULL;
  hd_fast.unknown = true;
  struct thread *t = thread_new(NULL, SITE_UNKNOWN);
  hd_fast.unknown = false;
  if (!t) {
    hd_fast.unknown = true; /* for good: half a history would be worse */
    return NULL;
  }
  thread_begin(t);
  thread_enter(t);
  __atomic_fetch_add(&threads_attached, 1, __ATOMIC_SEQ_CST); /* first: section.c */
  rt_lock(&registry.lock); /* nobody knows who began it: it is taken to know of all that was done so far */
  for (const struct thread *o = registry.live; o; o = o->next) know(t, o);
  for (uint32_t i = 1; i <= registry.nslots; i++) learn(t, i, settled[i]);
  rt_unlock(&registry.lock);
  hard_attach(&t->hard);
  if (thread_attached) thread_attached(t);
  thread_leave(t);
  return t;
}

void threads_start(void) {
  registry.infos = rt_pages(INFOS * sizeof registry.infos[0]);
  if (!registry.infos) rt_die("heddle: no memory to run in: is there a limit on address space (ulimit -v)?\n");
  struct thread *t = thread_new(NULL, SITE_UNKNOWN);
  if (!t) rt_die("heddle: no memory to run in\n");
  thread_begin(t);
}

/* A fiber has no id of its own: it runs by the one that switched to it. */
static bool runs(const struct thread *t) { return t != hd_fast.self && (t->info->id ? t->info->id != (int)syscall(SYS_gettid) : !t->top); }

bool threads_run(void) {
  struct thread *self = thread_enter_self();
  rt_lock(&registry.lock);
  const struct thread *t = registry.live;
  while (t && (t->info->pooled || !runs(t))) t = t->next;
  rt_unlock(&registry.lock);
  thread_leave_self(self);
  return t != NULL;
}

/* Of two that end at the same time, the one that asks second is the last. */
bool thread_ends_last(struct thread *t) {
  rt_lock(&registry.lock);
  const struct thread *o = registry.live;
  while (o && (o == t || o->info->over || !runs(o))) o = o->next;
  t->info->over = o != NULL;
  if (!o) thread_acquire(t, registry.ended);
  rt_unlock(&registry.lock);
  return !o;
}

void threads_before_fork(void) { rt_lock(&registry.lock); }

void threads_after_fork(bool child) {
  struct thread *t = hd_fast.self;
  for (struct thread *o = child ? registry.live : NULL; o; o = o->next)
    if (o != t) o->info->over = true, know(t, o); /* what it left behind is the child's alone */
  if (child) {
    pairs_alone = registry.live != t || t->next;
    pairs_orphaned |= pairs_alone;
    registry.live = t, registry.nlive = 1;
    t->next = NULL, t->link = &registry.live, t->info->id = (int)syscall(SYS_gettid);
  }
  rt_unlock(&registry.lock);
}

/* Others know t's last epoch, and parts of the sections that go on. */
static COLD void answer(struct thread *t) {
  __atomic_store_n(&t->seen.asked, false, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < t->nheld; i++) t->held[i].torn = true;
}

void thread_tick(struct thread *t) {
  uint32_t clock = t->clock[t->slot] + 1;
  if (UNLIKELY(__atomic_load_n(&t->seen.asked, __ATOMIC_RELAXED))) answer(t);
  if (UNLIKELY(clock == CLOCK_MAX)) {
    rt_lock(&registry.lock);
    answer(t); /* it is asked under that lock: so not meanwhile */
    uint32_t slot = slot_take(t);
    if (slot) {
      struct thread_info *info = rt_alloc(sizeof *info); /* the same thread's, for its second slot */
      if (info) {
        *info = *t->info, info->actor = t->actor;
        for (uint32_t i = 0; i < t->nseats; i++)
          if (t->seats[i] == t->slot) t->seats[i] = slot;
        if (t->home == t->slot) t->home = slot;
        registry.slots[t->slot].final = clock - 1; /* never free: its clock cannot go on */
        held_leave(t);
        slot_seat(t, slot, info);
        held_moved(t);
      }
    }
    rt_unlock(&registry.lock);
    if (t->clock[t->slot] + 1 >= CLOCK_MAX) rt_die("heddle: too many releases of locks: the analysis cannot go on\n");
    clock = t->clock[t->slot];
  }
  t->clock[t->slot] = clock;
  if (t->weak) t->weak[t->slot] = clock;
  t->taken = 0;
  t->equal = 0, t->equal_lock = 0;
  hd_fast.epoch = epoch_make(t->slot, clock);
  for (int i = 0; i < KNOWN; i++) hd_fast.known[i] = 0;
}

bool thread_seat_new(struct thread *t) {
  sync_tell_all(t); /* what it knows in another seat is less */
  rt_lock(&registry.lock);
  struct thread_info *info = slots_abound() && t->nseats < SEATS ? rt_alloc(sizeof *info) : NULL;
  uint32_t slot = info ? slot_take(t) : 0;
  if (slot) {
    *info = *t->info, info->actor = INFOS - 1 - registry.nseats++ % (INFOS / 2);
    info->before = registry.slots[slot].last, info->start = registry.slots[slot].final + 1;
    registry.slots[slot].last = info;
    t->clock[slot] = registry.slots[slot].final;
    if (t->n <= slot) t->n = slot + 1;
    t->seats[t->nseats++] = slot;
  } else if (info) {
    rt_free(info, sizeof *info);
  }
  rt_unlock(&registry.lock);
  return slot != 0;
}

/* What it remembers to know of sections, and of its epoch, was another's. */
void thread_sit(struct thread *t, uint32_t slot) {
  t->slot = slot, t->actor = registry.slots[slot].last->actor;
  for (unsigned i = 0; i < KNOWN_ENDS; i++) t->known_ends[i] = 0;
  for (unsigned i = 0; i < KNOWN_OLD; i++) t->known_old[i] = (struct known_old){0};
  for (unsigned i = 0; i < KNOWN_ENDS; i++) t->known_until[i] = 0;
  t->lockset = 0;
  thread_tick(t);
}

_Static_assert(SITE_HELD < 16 && TAKEN_MAX < 16, "what a place is asked for by");

void call_begins_slow(uintptr_t pc) {
  struct thread *t = thread_self();
  if (t && !call_begins(pc)) t->deeper++;
}
void call_ends_slow(void) {
  struct thread *t = hd_fast.self;
  if (!t) return;
  if (t->deeper > 0)
    t->deeper--;
  else if (hd_fast.top > t->frames)
    hd_fast.top--;
}

/* The frame may be of another fiber, or of the time before the thread was known: then it says nothing. */
static bool lies_below(const struct frame *f) { return hd_fast.self && f >= hd_fast.first && f < hd_fast.top; }
void call_left(struct frame *f) {
  if (lies_below(f))
    hd_fast.top = f, hd_fast.self->deeper = 0;
  else if (hd_fast.self && f == hd_fast.last && hd_fast.self->deeper > 0)
    hd_fast.self->deeper--;
}
void call_again(struct frame *f) {
  if (lies_below(f)) hd_fast.top = f + 1, hd_fast.self->deeper = 0;
}

uint32_t thread_context_slow(struct thread *t) {
  struct frame *f = hd_fast.top;
  while (f > t->frames && f[-1].context == CONTEXT_UNKNOWN) f--;
  for (; f <= hd_fast.top; f++) {
    f->context = context_found(f[-1].context, call_what(f->pc));
    if (f->context == CONTEXT_UNKNOWN) return CONTEXT_NONE; /* there are too many */
  }
  return hd_fast.top->context;
}
