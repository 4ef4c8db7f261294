#include "explore/defect.h"

#include "base/hash.h"
#include "happens/sync_edge.h"
#include "machine/machine.h"
#include "program/image.h"

/* What a link is about: the first number that is hashed. */
enum { LINK_OBJECT = 1, LINK_SECTIONS, LINK_ACCESS, LINK_FAILURE, LINK_PLACES, LINK_MONITOR, LINK_END, LINK_CIRCLE };

/* How far back in a trace is looked for the lock that is held, and for where an address came from. */
#define LOOK_BACK 2000u
/* An address is taken to come from a value that is at most so much smaller: a pointer to a structure. */
#define STRUCTURE_MOST 4096u
/* Locks released since, of which the acquisitions are not the one that is looked for. */
#define RELEASED_MOST 16u

static uint64_t hash3(uint64_t a, uint64_t b, uint64_t c) { return hash_pair(hash_pair(a, b), c); }

/* The same whichever comes first. */
static uint64_t hash_both(uint64_t a, uint64_t b) { return hash_pair(a < b ? a : b, a < b ? b : a); }

static void add(struct defect_links *d, uint64_t link) {
  if (d->count < DEFECT_LINKS) d->links[d->count++] = link;
}

static uint32_t function_of(const struct image *image, uint32_t site) {
  return site < image->nsites ? image->sites[site].function : UINT32_MAX;
}

/* Library models are in many defects. */
static bool is_model(const struct image *image, uint32_t site) {
  uint32_t f = function_of(image, site);
  return f != UINT32_MAX && (image->functions[f].flags & FUNCTION_MODEL);
}

/* Which lock the thread of event `at` had acquired last and not released, and where; 0: none. */
static uint64_t section_of(const struct machine *m, const struct event *trace, uint32_t at) {
  uint64_t released[RELEASED_MOST];
  uint32_t n = 0, thread = trace[at].thread;
  for (uint32_t i = at, looked = 0; i-- > 0 && looked < LOOK_BACK; looked++) {
    const struct event *e = &trace[i];
    if (e->thread != thread) continue;
    if (e->op == EVENT_RELEASE && n < RELEASED_MOST) released[n++] = e->object;
    if (e->op != EVENT_ACQUIRE) continue;
    uint32_t k = 0;
    while (k < n && released[k] != e->object) k++;
    if (k == n) return hash_pair(machine_object_of(m, e->object), e->site) | 1;
    released[k] = released[--n];
  }
  return 0;
}

/* The access whose value became the address of the one at `at`, as far as that can be seen; UINT32_MAX: none. */
static uint32_t source_of(const struct event *trace, uint32_t at) {
  uint64_t address = trace[at].object;
  for (uint32_t i = at, looked = 0; i-- > 0 && looked < LOOK_BACK; looked++) {
    const struct event *e = &trace[i];
    if (e->thread != trace[at].thread || e->op != EVENT_READ || e->size != 8) continue;
    if (e->value <= address && address - e->value < STRUCTURE_MOST) return e->site;
  }
  return UINT32_MAX;
}

static void link_race(const struct machine *m, const struct race_pair *pair, struct defect_links *d) {
  uint32_t n;
  const struct event *trace = machine_trace(m, &n), *a = &trace[pair->first], *b = &trace[pair->second];
  const struct image *image = machine_image(m);
  uint64_t functions = hash_both(function_of(image, a->site), function_of(image, b->site));
  uint64_t object = machine_object_of(m, race_object(a, b));
  if (a->op == EVENT_FREE || b->op == EVENT_FREE) {
    add(d, hash_pair(LINK_END, a->op == EVENT_FREE ? b->site : a->site));
    return;
  }
  if (sync_use(a).count || sync_use(b).count) add(d, hash_pair(LINK_END, sync_use(a).count ? b->site : a->site));
  add(d, hash3(LINK_OBJECT, functions, object));
  d->block = object;
  if (is_model(image, a->site) || is_model(image, b->site)) return;
  uint64_t one = section_of(m, trace, pair->first), other = section_of(m, trace, pair->second);
  if (one && other) add(d, hash3(LINK_SECTIONS, functions, hash_both(one, other)));
  const uint32_t at[2] = {pair->first, pair->second};
  for (unsigned i = 0; i < 2; i++) {
    uint32_t source = source_of(trace, at[i]);
    add(d, hash3(LINK_ACCESS, functions, trace[at[i]].site));
    if (source != UINT32_MAX) add(d, hash3(LINK_ACCESS, functions, source));
  }
}

/* The mutex that the thread gave up to wait for a condition variable, if that is what it waits for; 0: it is not. */
static uint64_t mutex_of_wait(const struct machine *m, uint32_t thread) {
  uint32_t n;
  const struct event *trace = machine_trace(m, &n);
  for (uint32_t i = n; i-- > 0;) {
    if (trace[i].thread == thread) return trace[i].op == EVENT_WAIT_ENTER ? trace[i].value2 : 0;
  }
  return 0;
}

static void link_blocked(const struct machine *m, const struct finding *f, struct defect_links *d) {
  uint64_t places = 0;
  for (size_t i = 0; i < f->sites.count; i++) {
    uint64_t mutex = mutex_of_wait(m, f->sites.data[i].thread);
    places += hash_pair(LINK_PLACES, f->sites.data[i].site);
    if (mutex) add(d, hash3(LINK_MONITOR, 0, machine_object_of(m, mutex)));
  }
  add(d, hash3(LINK_PLACES, f->kind, places));
}

/* The same threads' functions, wherever in them the circle was found to close. */
static void link_circle(const struct image *image, const struct finding *f, struct defect_links *d) {
  uint64_t functions = 0;
  for (size_t i = 0; i < f->sites.count; i++) functions += hash_pair(LINK_CIRCLE, function_of(image, f->sites.data[i].site));
  add(d, functions);
}

struct defect_links defect_links_of(const struct machine *m, const struct finding *f, const struct race_pair *pair) {
  struct defect_links d = {0};
  const struct image *image = machine_image(m);
  if (!image) return d;
  if (f->kind == FINDING_DATA_RACE && pair) link_race(m, pair, &d);
  if (f->kind == FINDING_DEADLOCK || f->kind == FINDING_LOST_WAKEUP) link_blocked(m, f, &d);
  if (f->kind == FINDING_LIVELOCK) link_circle(image, f, &d);
  if (f->kind == FINDING_LEAK && f->sites.count) d.block = machine_blocks_from(f->sites.data[0].site);
  bool ended = f->kind == FINDING_USE_AFTER_FREE || f->kind == FINDING_THREAD_MISUSE;
  if (ended && f->sites.count) add(&d, hash_pair(LINK_END, f->sites.data[0].site));
  bool memory = f->kind == FINDING_USE_AFTER_FREE || f->kind == FINDING_OUT_OF_BOUNDS || f->kind == FINDING_DOUBLE_FREE;
  if (memory && f->sites.count > 1 && !is_model(image, f->sites.data[0].site))
    add(&d, hash3(LINK_FAILURE + 16u * f->kind, function_of(image, f->sites.data[0].site), f->sites.data[1].site));
  return d;
}
