#include "analysis/place.h"

#include "report/module.h"

uint8_t places_filter[PLACES_FILTER];

static struct {
  struct rt_lock lock; /* for who adds, and for the table of modules */
  unsigned count;      /* those below never change */
  struct {
    uintptr_t pc;
    uint8_t plan, place;
  } at[CONFIRM_PLANS * CONFIRM_PLACES];
  bool known[CONFIRM_PLANS][CONFIRM_PLACES], missing;
} places;

static void add(unsigned plan, unsigned place, uintptr_t pc) {
  unsigned n = places.count;
  places.at[n].pc = pc, places.at[n].plan = (uint8_t)plan, places.at[n].place = (uint8_t)place;
  places.known[plan][place] = true;
  __atomic_store_n(&places.count, n + 1, __ATOMIC_RELEASE);
  places_filter[(pc ^ pc >> 16) & (PLACES_FILTER - 1)] = 1;
}

static void find_plan(unsigned i) {
  const struct confirm_plan *p = &plans->plans[i];
  for (unsigned k = 0; p->ready && p->kind != CONFIRM_NONE && k < p->nplaces; k++) {
    const struct module *m = places.known[i][k] ? NULL : module_named(p->places[k].module);
    if (m) add(i, k, m->slide + p->places[k].offset);
    places.missing |= !places.known[i][k];
  }
}

void places_find(void) {
  rt_lock(&places.lock);
  modules_renew();
  places.missing = false;
  for (unsigned i = 0; i < CONFIRM_PLANS && i < plans->nplans; i++) find_plan(i);
  rt_unlock(&places.lock);
}

bool places_missing(void) { return places.missing; }

void places_after_fork(void) { places.lock.held = 0; }

uint64_t place_stack(uint32_t node) {
  rt_lock(&places.lock);
  uint64_t stack = plan_stack(node);
  rt_unlock(&places.lock);
  return stack;
}

uint64_t place_stack_now(struct thread *t) {
  uint32_t node = thread_context_site(t);
  if (t->stack_node != node || node == SITE_UNKNOWN) t->stack = place_stack(node), t->stack_node = node;
  return t->stack;
}

static bool by_instruction(uint32_t kind) { return kind >= SITE_READ && kind <= SITE_ATOMIC_WRITE; }

static bool same_kind(uint32_t a, uint32_t b) {
  bool atomics = (a == SITE_ATOMIC_READ || a == SITE_ATOMIC_WRITE) && (b == SITE_ATOMIC_READ || b == SITE_ATOMIC_WRITE);
  return a == b || atomics;
}

uint32_t places_at(unsigned plan, uintptr_t pc, enum site_kind kind, uint64_t stack, uint32_t *exact) {
  uint32_t found = 0;
  *exact = 0;
  for (unsigned i = 0, n = __atomic_load_n(&places.count, __ATOMIC_ACQUIRE); i < n; i++) {
    if (places.at[i].pc != pc || places.at[i].plan != plan) continue;
    const struct confirm_place *place = &plans->plans[plan].places[places.at[i].place];
    if (!same_kind(place->kind, kind)) continue;
    if (place->stack == stack) *exact |= 1u << places.at[i].place;
    if (place->stack == stack || by_instruction(kind)) found |= 1u << places.at[i].place;
  }
  return found;
}
