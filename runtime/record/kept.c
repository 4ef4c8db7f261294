#include "record/kept.h"

#include "base/hash.h"
#include "intercept/intercept.h"
#include "record/record.h"

enum { PLACES = 1 << 16, VARIABLES = KEPT_SYSTEM + KEPT_SYSTEM_VARIABLES, COUNT_BITS = 40, GONE_MOST = 4096 };

/* How often something was done there, and above that, in which process, + 1; 0: nothing yet. And how many objects have been there. */
struct place {
  uint64_t now;
  uint32_t lives;
};
static struct place places[PLACES];
static struct variable {
  struct rt_lock lock;
  struct told told;
} variables[VARIABLES];
static uint64_t process = 1;
static bool any;

static uint32_t index_of(uintptr_t address) { return (uint32_t)(hash_mix(address / KEPT_BYTES) % PLACES); }

/* Of the variable: no order that is told by an address, or by OpenMP's numbers, has it. */
static uint64_t number_of(uint32_t index) {
  enum { NO_ADDRESS = 57, INDEX_BITS = 16 };
  return 1ull << NO_ADDRESS | (uint64_t)__atomic_load_n(&places[index].lives, __ATOMIC_RELAXED) << INDEX_BITS | index;
}

/* How often something was done there before. */
static uint64_t count(uint64_t *counter) {
  uint64_t was = __atomic_load_n(counter, __ATOMIC_RELAXED), now;
  do now = was >> COUNT_BITS == process ? was + 1 : (process << COUNT_BITS) + 1;
  while (!__atomic_compare_exchange_n(counter, &was, now, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  return (now & ((1ull << COUNT_BITS) - 1)) - 1;
}

bool kept_has(uintptr_t address) { return __atomic_load_n(&places[index_of(address)].now, __ATOMIC_ACQUIRE) != 0; }

void kept_happens(struct thread *t, uintptr_t address, enum kept_how how) {
  uint32_t i = index_of(address);
  if (how == KEPT_IF_BEFORE && !kept_has(address)) return;
  if (!record_goes_on(t)) return;
  any = true;
  thread_enter(t);
  record_keeps(t, number_of(i), count(&places[i].now));
  thread_leave(t);
}

void kept_passes(struct thread *t, uint32_t variable, bool changes) {
  enum { NO_ADDRESS = 58 };
  if (variable < MODULE_FIRST || variable >= VARIABLES || enforcing || !record_goes_on(t)) return;
  struct variable *v = &variables[variable];
  thread_enter(t);
  rt_lock(&v->lock);
  if (v->told.process != process) v->told = (struct told){.process = (uint32_t)process};
  struct told now = v->told;
  v->told.events += changes ? 2 : 1, v->told.times += changes;
  rt_unlock(&v->lock);
  record_passes(t, 1ull << NO_ADDRESS | variable, &now, changes);
  thread_leave(t);
}

/* Long blocks are no locks, nor what libraries have handles for. */
void kept_gone(uintptr_t address, size_t size) {
  if (!any || size > GONE_MOST) return;
  for (uintptr_t at = address & ~(uintptr_t)(KEPT_BYTES - 1); at < address + size; at += KEPT_BYTES) {
    struct place *p = &places[index_of(at)];
    if (__atomic_load_n(&p->now, __ATOMIC_RELAXED) == 0) continue;
    __atomic_add_fetch(&p->lives, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&p->now, 0, __ATOMIC_RELEASE);
  }
}

void kept_before_fork(void) {
  for (unsigned i = 0; i < VARIABLES; i++) rt_lock(&variables[i].lock);
}
void kept_after_fork(bool child) {
  for (unsigned i = 0; i < VARIABLES; i++) rt_unlock(&variables[i].lock);
  process += child;
}
