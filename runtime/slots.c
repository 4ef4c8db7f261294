/* Which slot of clocks a thread has, and what all threads know of each slot. */
#include "registry.h"

uint32_t settled[SLOTS];

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

uint32_t slot_take(struct thread *t) {
  for (uint32_t s = 1; s <= registry.nslots; s++) {
    if (!registry.slots[s].free || !can_go_on(s) || !known_to_all(s)) continue;
    registry.slots[s].free = false;
    return s;
  }
  return registry.nslots + 1 < SLOT_REF ? ++registry.nslots : oldest_free(t);
}

void slot_seat(struct thread *t, uint32_t slot, struct thread_info *info) {
  uint32_t first = registry.slots[slot].final + 1;
  t->slot = slot, t->actor = info->actor;
  t->clock[slot] = t->order[slot] = first;
  if (t->n <= slot) t->n = slot + 1;
  info->before = registry.slots[slot].last, info->start = first;
  registry.slots[slot].last = info;
}

void slot_give(uint32_t slot, uint32_t final) {
  registry.slots[slot].final = final;
  registry.slots[slot].free = true, registry.slots[slot].when = ++registry.freed;
}

bool slots_abound(void) { return registry.nslots < SLOTS / 2; }

uint32_t thread_no_slot(void) {
  rt_lock(&registry.lock);
  uint32_t slot = slots_abound() ? ++registry.nslots : 0;
  rt_unlock(&registry.lock);
  return slot;
}

/* Threads that are about to be created know what their creators do. */
void slots_settle(void) {
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
  slots_settle();
  rt_unlock(&registry.lock);
}
