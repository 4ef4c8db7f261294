/* Who did what: threads by their epochs, numbers and memory; where one slept. */
#include "registry.h"

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
