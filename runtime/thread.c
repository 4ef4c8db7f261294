#include "analysis/held.h"
#include "analysis/seen.h"
#include "analysis/violation.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread struct fast hd_fast;
int ignored_accesses;

static struct {
  struct rt_lock lock;
  struct thread *live;
  struct {
    struct thread_info *last; /* its newest thread */
    uint32_t final;           /* the clock of its last thread's end */
    bool free;
    uint32_t when; /* it became free: a count */
  } slots[SLOTS];
  struct vclock *ended; /* what the threads that have ended knew */
  uint32_t freed;       /* slots, so far */
  uint32_t nslots;      /* slots 1 .. nslots have been used; 0 is nobody's */
  struct thread_info **infos;
  uint32_t ninfos;
  uint32_t nlive;
  uint32_t nseats; /* all that there were */
  size_t due;      /* what may be spent on settling */
} registry;
uint32_t settled[SLOTS];

enum { INFOS = 1 << 24 };

/* A slot's last thread is known to everybody, by the order that is asked for: what comes in that slot next cannot be mixed up with what it
 * did. */
static bool known_to_all(uint32_t slot) {
  for (const struct thread *t = registry.live; t; t = t->next)
    if (__atomic_load_n(&t->clock[slot], __ATOMIC_RELAXED) < registry.slots[slot].final ||
        __atomic_load_n(&t->order[slot], __ATOMIC_RELAXED) < registry.slots[slot].final)
      return false;
  return true;
}

/* A thread that comes to it has two clocks at least: where it goes on from another slot, it needs the second at once. */
static bool can_go_on(uint32_t slot) { return registry.slots[slot].final + 2 < CLOCK_MAX; }

/* If every slot was used, the one that has been free for longest serves, known or not: races with threads that have ended may be missed
 * then, but none is invented. For t is taken to know all that they did: otherwise, who knows t would seem to know what its slot's last
 * thread knew. 0 if all are in use. */
static uint32_t oldest_free(struct thread *t) {
  uint32_t best = 0;
  for (uint32_t s = 1; s <= registry.nslots; s++)
    if (registry.slots[s].free && can_go_on(s) && (!best || registry.slots[s].when < registry.slots[best].when)) best = s;
  registry.slots[best].free = false;
  if (best) thread_acquire(t, registry.ended);
  return best;
}

static uint32_t take_slot(struct thread *t) {
  for (uint32_t s = 1; s <= registry.nslots; s++) {
    if (!registry.slots[s].free || !can_go_on(s) || !known_to_all(s)) continue;
    registry.slots[s].free = false;
    return s;
  }
  return registry.nslots + 1 < SLOT_REF ? ++registry.nslots : oldest_free(t);
}

static struct thread_info *new_info(const struct thread *creator, uint32_t site) {
  struct thread_info *info = registry.ninfos < INFOS ? rt_alloc(sizeof *info) : NULL;
  if (!info) return NULL;
  *info = (struct thread_info){.site = site, .number = registry.ninfos, .actor = registry.ninfos};
  if (creator) info->creator = creator->info->number, info->born = epoch_make(creator->slot, creator->clock[creator->slot]);
  registry.infos[registry.ninfos++] = info;
  return info;
}

static void seat(struct thread *t, uint32_t slot, struct thread_info *info) {
  uint32_t first = registry.slots[slot].final + 1;
  t->slot = slot, t->actor = info->actor;
  t->clock[slot] = t->order[slot] = first;
  if (t->n <= slot) t->n = slot + 1;
  info->before = registry.slots[slot].last, info->start = first;
  registry.slots[slot].last = info;
}

/* Threads that are about to be created know what their creators do. */
static void settle(void) {
  enum { AT_ONCE = 4096 };
  static uint32_t least[SLOTS];
  size_t n = registry.nslots + 1, work = n * registry.nlive;
  registry.due += AT_ONCE;
  if (registry.due < work) return;
  registry.due = 0;
  for (size_t s = 1; s < n; s++) least[s] = UINT32_MAX;
  for (const struct thread *t = registry.live; t; t = t->next)
    for (size_t s = 1; s < n; s++) {
      uint32_t known = __atomic_load_n(&t->clock[s], __ATOMIC_RELAXED), ordered = __atomic_load_n(&t->order[s], __ATOMIC_RELAXED);
      if (known < least[s]) least[s] = known;
      if (ordered < least[s]) least[s] = ordered;
    }
  for (size_t s = 1; registry.live && s < n; s++)
    if (least[s] > settled[s]) __atomic_store_n(&settled[s], least[s], __ATOMIC_RELAXED);
}

void threads_settle(void) {
  rt_lock(&registry.lock);
  settle();
  rt_unlock(&registry.lock);
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
  t->sites_shift = 64 - SITES_LEAST_BITS;
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
  if (creator) settle();
  uint32_t slot = take_slot(t);
  t->info = slot ? new_info(creator, site) : NULL;
  if (t->info) {
    seat(t, slot, t->info);
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

static void give_slot(uint32_t slot, uint32_t final) {
  registry.slots[slot].final = final;
  registry.slots[slot].free = true, registry.slots[slot].when = ++registry.freed;
}

static void leave(struct thread *t, uint32_t final) {
  rt_lock(&registry.lock);
  if (vclock_join(&registry.ended, t->clock, t->n) && t->weak) vclock_join_weak(&registry.ended, t->weak, t->n);
  give_slot(t->slot, final);
  for (uint32_t i = 0; i < t->nseats; i++)
    if (t->seats[i] != t->slot) give_slot(t->seats[i], t->clock[t->seats[i]]);
  if (t->home != t->slot) give_slot(t->home, t->clock[t->home]);
  *t->link = t->next, registry.nlive--;
  if (t->next) t->next->link = t->link;
  t->info->over = true;
  rt_unlock(&registry.lock);
  for (unsigned i = 0; i < RECORD_SIZES; i++)
    for (void *r = t->spare[i].first, *next; r; r = next) next = *(void **)r, rt_free(r, (size_t)RECORD_BYTES << i);
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

void thread_undefer(struct thread *t) {
  uint64_t signals = t->deferred;
  t->deferred = 0;
  int saved = errno;
  syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &signals, NULL, sizeof signals);
  errno = saved;
}

/* With very many threads a sleep would cost more than it is worth. */
void thread_slept(struct thread *t, uint32_t site) {
  enum { THREADS = 256 };
  t->slept = SITE_UNKNOWN;
  if (!t->awake) {
    uint32_t *clocks = rt_alloc(SLOTS * sizeof clocks[0]);
    if (!clocks) return;
    rt_zero(clocks, SLOTS * sizeof clocks[0]);
    t->awake = clocks;
  }
  rt_lock(&registry.lock);
  if (registry.nlive <= THREADS) {
    for (uint32_t s = 1; s <= registry.nslots; s++) t->awake[s] = registry.slots[s].final;
    for (const struct thread *o = registry.live; o; o = o->next) t->awake[o->slot] = __atomic_load_n(&o->clock[o->slot], __ATOMIC_RELAXED);
    t->slept = site;
  }
  rt_unlock(&registry.lock);
}

uint32_t thread_slept_after(const struct thread *t, epoch e) {
  return t->slept && t->awake[epoch_slot(e)] >= epoch_clock(e) ? t->slept : SITE_UNKNOWN;
}

void (*thread_attached)(struct thread *t);

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

const struct thread_info *thread_of_epoch(epoch e) {
  const struct thread_info *i = registry.slots[epoch_slot(e)].last;
  while (i && i->start > epoch_clock(e)) i = i->before;
  return i;
}

const struct thread_info *thread_by_number(uint32_t number) { return number < registry.ninfos ? registry.infos[number] : NULL; }

void thread_name(uint32_t number, const char *name) {
  struct thread_info *i = number < registry.ninfos ? registry.infos[number] : NULL;
  size_t n = 0;
  while (i && n < sizeof i->name - 1 && name[n]) i->name[n] = name[n], n++;
  if (i) i->name[n] = 0;
}

static bool has_memory(const struct thread_info *i, uintptr_t address, size_t below) {
  enum { ABOVE = 4096 }; /* what the C library keeps of a thread */
  uintptr_t own = i->memory.self - below;
  return (address >= i->memory.from && address < i->memory.to) || (i->memory.self && address >= own && address - own < below + ABOVE);
}

const struct thread_info *thread_with_memory(uintptr_t address, size_t below) {
  const struct thread_info *ended = NULL;
  for (uint32_t n = __atomic_load_n(&registry.ninfos, __ATOMIC_RELAXED); n > 0; n--) {
    const struct thread_info *i = __atomic_load_n(&registry.infos[n - 1], __ATOMIC_ACQUIRE); /* the newest may not be there yet */
    if (!i || !has_memory(i, address, below)) continue;
    if (!i->over) return i;
    if (!ended) ended = i;
  }
  return ended;
}

const struct thread_info *thread_born_in(epoch e) {
  for (uint32_t i = __atomic_load_n(&registry.ninfos, __ATOMIC_RELAXED); i > 1; i--) {
    const struct thread_info *info = __atomic_load_n(&registry.infos[i - 1], __ATOMIC_ACQUIRE); /* the newest may not be there yet */
    if (info && info->born == e) return info;
  }
  return NULL;
}

void thread_in_slot(uint32_t slot, void (*f)(const struct thread *, void *), void *data) {
  rt_lock(&registry.lock);
  const struct thread *t = registry.live;
  while (t && t->slot != slot) t = t->next;
  f(t, data);
  rt_unlock(&registry.lock);
}

void thread_meet(uint32_t number, void (*f)(struct thread *, const struct vclock *ended, void *), void *data) {
  rt_lock(&registry.lock);
  struct thread *t = registry.live;
  while (t && t->info->number != number) t = t->next;
  f(t, registry.ended, data);
  rt_unlock(&registry.lock);
}

void threads_meet(void (*f)(struct thread *, const struct vclock *ended, void *), void *data) {
  rt_lock(&registry.lock);
  for (struct thread *t = registry.live; t; t = t->next) f(t, registry.ended, data);
  rt_unlock(&registry.lock);
}

bool thread_learns(struct thread *t) {
  bool learns = t->seen.learning;
  __atomic_store_n(&t->seen.learning, true, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (UNLIKELY(__atomic_load_n(&t->seen.asked, __ATOMIC_RELAXED))) thread_tick(t);
  return learns;
}

HOT void take(struct thread *t, uint32_t *clock, epoch from, const uint32_t *at, uint32_t n) {
  if (from && clock[epoch_slot(from)] >= epoch_clock(from)) return;
  clocks_join(clock, at, n);
  if (n > t->n) t->n = n;
}
HOT void take_weak(struct thread *t, epoch from, const uint32_t *at, uint32_t n) {
  if (from && t->weak[epoch_slot(from)] >= epoch_clock(from)) return;
  bool learns = thread_learns(t);
  take(t, t->weak, 0, at, n);
  thread_has_learnt(t, learns);
}

void thread_acquire_lock(struct thread *t, const struct vclock *c) {
  if (c) take(t, t->clock, c->from, c->at, c->n);
}

void thread_acquire_weak_at(struct thread *t, epoch from, const uint32_t *at, uint32_t n) { take_weak(t, from, at, n); }

void thread_acquire_weak(struct thread *t, const struct vclock *weak) {
  if (t->weak && weak) take_weak(t, weak->from, weak->at, weak->n);
}

void thread_acquire(struct thread *t, const struct vclock *c) {
  if (!c) return;
  thread_acquire_lock(t, c);
  thread_acquire_weak(t, vclock_weak(c));
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
    uint32_t slot = take_slot(t);
    if (slot) {
      struct thread_info *info = rt_alloc(sizeof *info); /* the same thread's, for its second slot */
      if (info) {
        *info = *t->info, info->actor = t->actor;
        for (uint32_t i = 0; i < t->nseats; i++)
          if (t->seats[i] == t->slot) t->seats[i] = slot;
        if (t->home == t->slot) t->home = slot;
        registry.slots[t->slot].final = clock - 1; /* never free: its clock cannot go on */
        held_leave(t);
        seat(t, slot, info);
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
  hd_fast.epoch = epoch_make(t->slot, clock);
  for (int i = 0; i < KNOWN; i++) hd_fast.known[i] = 0;
}

/* Most are left to threads. */
static bool slots_abound(void) { return registry.nslots < SLOTS / 2; }

bool thread_seat_new(struct thread *t) {
  sync_tell_all(t); /* what it knows in another seat is less */
  rt_lock(&registry.lock);
  struct thread_info *info = slots_abound() && t->nseats < SEATS ? rt_alloc(sizeof *info) : NULL;
  uint32_t slot = info ? take_slot(t) : 0;
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

uint32_t thread_no_slot(void) {
  rt_lock(&registry.lock);
  uint32_t slot = slots_abound() ? ++registry.nslots : 0;
  rt_unlock(&registry.lock);
  return slot;
}

/* What it remembers to know of sections, and of its epoch, was another's. */
void thread_sit(struct thread *t, uint32_t slot) {
  t->slot = slot, t->actor = registry.slots[slot].last->actor;
  for (unsigned i = 0; i < KNOWN_ENDS; i++) t->known_ends[i] = 0;
  for (unsigned i = 0; i < KNOWN_OLD; i++) t->known_old[i] = (struct known_old){0};
  thread_tick(t);
}

static void give(struct thread *t, const uint32_t *clock, struct vclock **c, bool join) {
  if (join)
    vclock_join(c, clock, t->n);
  else
    vclock_set(c, clock, t->n, hd_fast.epoch);
}
static void give_weakly(struct thread *t, struct vclock **c, bool join) {
  seen_hear(t);
  if (join)
    vclock_join_weak(c, t->weak, t->n);
  else
    vclock_set_weak(c, t->weak, t->n, hd_fast.epoch);
}

void thread_release_weak(struct thread *t, struct vclock **weak, bool join) {
  if (!t->weak) return;
  seen_hear(t);
  give(t, t->weak, weak, join);
  thread_tick(t);
}

void thread_release_weakly(struct thread *t, struct vclock **c, bool join) {
  if (!t->weak) return;
  give_weakly(t, c, join);
  thread_tick(t);
}

void thread_release_lock(struct thread *t, struct vclock **c, bool join) {
  give(t, t->clock, c, join);
  thread_tick(t);
}

static void release(struct thread *t, struct vclock **c, bool join) {
  give(t, t->clock, c, join);
  if (t->weak && *c) give_weakly(t, c, join);
  thread_tick(t);
}
void thread_release(struct thread *t, struct vclock **c) { release(t, c, false); }
void thread_release_join(struct thread *t, struct vclock **c) { release(t, c, true); }

_Static_assert(SITE_HELD < 16 && TAKEN_MAX < 16, "what a place is asked for by");

static uint32_t ask(uint32_t context, uint64_t what) {
  enum site_kind kind = what >> 4 & 15;
  uint64_t pc = what >> 16;
  unsigned size = what >> 8 & 255, taken = what & 15;
  if (context & CONTEXT_INSIDE && (context = context_site(context & ~CONTEXT_INSIDE, 0, SITE_INSIDE, 0)) == SITE_UNKNOWN)
    return SITE_UNKNOWN;
  if (taken && (context = context_site(context, taken, SITE_HELD, 0)) == SITE_UNKNOWN) return SITE_UNKNOWN;
  return context_site(context, pc, kind, size);
}

/* Programs have some hundreds of places in use at a time, or some ten thousands: of sqlite's accesses, whose threads are in a new epoch all
 * the time, 59 % are not among the last 512 places, 10 % not among 4,096, 1 % not among 16,384. As many are remembered as pay. */
uint32_t thread_site_slow(struct thread *t, uint32_t context, uint64_t what) {
  enum { SITES_PATIENCE = 16 };
  struct known_site *k = known_site(t, context, what);
  if ((context & ~CONTEXT_INSIDE) >= SITE_DID) return SITE_UNKNOWN; /* cells that did not fit each other */
  struct known_site found = {.what = what, .context = context, .site = ask(context, what)};
  if (found.site == SITE_UNKNOWN) return SITE_UNKNOWN;
  k[1] = k[0], k[0] = found;
  if (++t->sites_missed >> (64 - t->sites_shift) >= SITES_PATIENCE && t->sites_shift > 64 - SITES_BITS)
    t->sites_shift--, t->sites_missed = 0;
  return found.site;
}

static uint32_t call_below(struct thread *t, uint32_t context, uintptr_t pc) {
  uint64_t what = site_what(pc, SITE_CALL, 0, 0);
  const struct known_site *k = known_site(t, context, what);
  if (!known_as(k, context, what)) k++;
  return LIKELY(known_as(k, context, what)) ? k->site : thread_site_slow(t, context, what);
}

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
  if (f == t->frames) return SITE_UNKNOWN;
  while (f > t->frames + 1 && f[-1].node == SITE_UNKNOWN) f--;
  for (; f <= hd_fast.top; f++) f->node = call_below(t, f > t->frames + 1 ? f[-1].node : SITE_UNKNOWN, f->pc);
  return hd_fast.top->node;
}
