#include "analysis/action.h"

#include <errno.h>
#include <string.h>

#include "analysis/seen.h"
#include "analysis/violation.h"
#include "base/spec.h"

/* A test asks for less. */
#ifndef TOUCHES_MAX
#define TOUCHES_MAX 512
#endif
enum {
  BUCKETS = 1 << 12, /* lists of objects, by the page of their address: as many as a large program has at a time */
  STRIPES = 64,      /* locks of buckets: more than threads that run at a time, so that two seldom want the same */
  CHAINS = 64,       /* places of a point, by the value that an action had there */
  PAGE_BITS = 12,    /* a page: memory that is freed is looked up page by page */
  OBJECTS = 1 << 16, /* most objects; those beyond share one, which is only counted */
  PLACES = 1 << 18,  /* most places in all; touches beyond are left out */
  FOUND = 8          /* violations of one action that are collected at a time */
};

/* An action's touch of a point: one without a lock, and one for each that was held. */
struct touch {
  epoch epoch;
  uint64_t value;
  const struct spec_action *action;
  uint32_t site;
  uint32_t lock; /* its id, or 0 */
  uint32_t section : SECTION_BITS, shared : 1, inside : 1;
  uint32_t thread : 24, point : 8;
};
/* What the ends of actions that touched the point hand on. */
struct ended {
  uint8_t point;
  bool inside;
  struct vclock *weak;
};
/* Points of an object with one value, as far as its lower half tells: the other one of an int's register means nothing. Or those without.
 */
struct place {
  struct place *next;
  uint32_t key;
  uint16_t count, cap;
  uint8_t nended, ended_cap;
  bool valued, lost; /* lost: touches are missing */
  struct touch *touches;
  struct ended *ended;
};
struct object {
  struct object *next;
  uintptr_t address;
  uint16_t kind;                /* in the specification */
  bool over;                    /* it was ended last */
  bool lost;                    /* places are missing */
  struct place plain, **valued; /* valued: [CHAINS] */
  struct vclock *missing;       /* what the ends of actions in missing places hand on */
};

uint32_t actions_objects;

static struct spec spec;
static uint16_t by_name[2 * SPEC_ACTIONS]; /* number + 1, open addressing */
static uint32_t places;
static struct object *buckets[BUCKETS];
static struct rt_lock locks[STRIPES];
/* All objects for which there is no room, under a lock of its own. */
static struct object others = {.lost = true};
static struct rt_lock others_lock;

enum { NAMES = sizeof by_name / sizeof by_name[0] };

static unsigned hash_of(const char *name, size_t length) {
  uint64_t h = 0xcbf29ce484222325ull;
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)name[i]) * 0x100000001b3ull;
  return (unsigned)(h >> 20) % NAMES;
}

void actions_specify(const char *text, const char *file) {
  static const char *texts[SPEC_OBJECTS + 1];
  static unsigned count;
  char error[SPEC_ERROR];
  for (unsigned i = 0; i < count; i++)
    if (rt_equal(texts[i], text)) return;
  uint16_t before = spec.nactions;
  if (!spec_read(&spec, text, file, error)) rt_die("heddle: %s\n", error);
  if (count <= SPEC_OBJECTS) texts[count++] = text;
  for (uint16_t i = before; i < spec.nactions; i++) {
    unsigned k = hash_of(spec.actions[i].name.at, spec.actions[i].name.length);
    while (by_name[k]) k = (k + 1) % NAMES;
    __atomic_store_n(&by_name[k], (uint16_t)(i + 1), __ATOMIC_RELEASE);
  }
}

static const char *lasting(const char *s, size_t length) {
  char *copy = rt_alloc(length + 1);
  if (!copy) rt_die("heddle: no memory for specifications\n");
  rt_copy(copy, s, length);
  copy[length] = 0;
  return copy;
}

void actions_read(const char *file) {
  static struct rt_text text;
  text.count = 0;
  if (!rt_text_read(&text, file)) rt_die("heddle: cannot read a specification from %s: %s\n", file, strerrordesc_np(errno));
  actions_specify(lasting(text.data, text.count), lasting(file, rt_length(file)));
}

const struct spec_action *action_named(const char *name) {
  size_t length = rt_length(name);
  for (unsigned k = hash_of(name, length);; k = (k + 1) % NAMES) {
    uint16_t number = __atomic_load_n(&by_name[k], __ATOMIC_ACQUIRE);
    if (!number) return NULL;
    const struct spec_action *a = &spec.actions[number - 1];
    size_t i = 0;
    while (i < length && i < a->name.length && a->name.at[i] == name[i]) i++;
    if (i == length && i == a->name.length) return a;
  }
}

/* By page, so that what is in a range of memory is found soon. */
static unsigned bucket_of(uintptr_t address) { return (unsigned)((address >> PAGE_BITS) * 0x9e3779b97f4a7c15ull >> 52) % BUCKETS; }
static struct rt_lock *lock_of(unsigned bucket) { return &locks[bucket % STRIPES]; }

static struct object *find_object(uintptr_t address, uint16_t kind) {
  struct object *o = buckets[bucket_of(address)];
  while (o && (o->address != address || o->kind != kind)) o = o->next;
  return o;
}

static struct object *object_at(uintptr_t address, uint16_t kind) {
  struct object *o = find_object(address, kind);
  if (o) return o;
  if (__atomic_load_n(&actions_objects, __ATOMIC_RELAXED) < OBJECTS) o = rt_alloc(sizeof *o);
  if (!o) return NULL;
  struct object **head = &buckets[bucket_of(address)];
  *o = (struct object){.address = address, .kind = kind, .next = *head};
  __atomic_store_n(head, o, __ATOMIC_RELEASE);
  __atomic_fetch_add(&actions_objects, 1, __ATOMIC_RELAXED);
  return o;
}

static void clear_place(struct place *p) {
  rt_free(p->touches, p->cap * sizeof p->touches[0]);
  for (unsigned i = 0; i < p->nended; i++) vclock_free(p->ended[i].weak);
  rt_free(p->ended, p->ended_cap * sizeof p->ended[0]);
  p->touches = NULL, p->ended = NULL, p->count = p->cap = 0, p->nended = p->ended_cap = 0, p->lost = false;
}

static void clear_object(struct object *o) {
  clear_place(&o->plain);
  for (unsigned i = 0; o->valued && i < CHAINS; i++)
    for (struct place *p = o->valued[i], *next; p; p = next) {
      next = p->next;
      clear_place(p);
      rt_free(p, sizeof *p);
      __atomic_fetch_sub(&places, 1, __ATOMIC_RELAXED);
    }
  rt_free(o->valued, CHAINS * sizeof o->valued[0]);
  vclock_free(o->missing);
  o->valued = NULL, o->missing = NULL, o->lost = o->over = false;
}

static struct place **chain_of(const struct object *o, uint32_t key) { return &o->valued[key * 0x9e3779b1u >> 26]; }

static struct place *find_place(struct object *o, bool valued, uint32_t key) {
  if (!valued) return &o->plain;
  struct place *p = o->valued ? *chain_of(o, key) : NULL;
  while (p && p->key != key) p = p->next;
  return p;
}

static struct place *place_at(struct object *o, bool valued, uint32_t key) {
  struct place *p = find_place(o, valued, key);
  if (p) return p;
  if (!o->valued) {
    if (!(o->valued = rt_alloc(CHAINS * sizeof o->valued[0]))) return NULL;
    rt_zero(o->valued, CHAINS * sizeof o->valued[0]);
  }
  if (__atomic_load_n(&places, __ATOMIC_RELAXED) >= PLACES || !(p = rt_alloc(sizeof *p))) return NULL;
  __atomic_fetch_add(&places, 1, __ATOMIC_RELAXED);
  struct place **chain = chain_of(o, key);
  *p = (struct place){.next = *chain, .key = key, .valued = true};
  return *chain = p;
}

/* A touch under way. */
struct touching {
  struct thread *t;
  const struct spec_action *action;
  const struct spec_object *kind;
  struct object *object;
  uint64_t value;
  unsigned point;
  bool valued, inside;
  uint32_t site;
};

/* Calls f for the places whose points may meet this one. */
static void each_place(struct touching *x, void (*f)(struct touching *, struct place *, void *), void *data) {
  struct object *o = x->object;
  f(x, &o->plain, data);
  if (x->valued) {
    struct place *p = find_place(o, true, (uint32_t)x->value);
    if (p) f(x, p, data);
    return;
  }
  for (unsigned i = 0; o->valued && i < CHAINS; i++)
    for (struct place *p = o->valued[i]; p; p = p->next) f(x, p, data);
}

/* The sections of touches that do not commute with this one come before it. */
static void learn(struct touching *x, struct place *p, void *data) {
  struct thread *t = x->t;
  (void)data;
  for (uint32_t i = 0; p->lost && i < t->nheld; i++) section_acquire(t, &t->held[i], ALL_SECTIONS);
  for (unsigned k = 0; k < p->count; k++) {
    const struct touch *e = &p->touches[k];
    if (!e->lock || e->thread == t->actor || (e->inside && x->inside) || !spec_orders(x->kind, x->point, e->point)) continue;
    for (uint32_t i = 0; i < t->nheld; i++)
      if ((uint32_t)t->held[i].lock == e->lock && !(t->held[i].shared && e->shared)) section_learn(t, &t->held[i], e->section, e->shared);
  }
}

/* So do their ends. */
static void follow(struct touching *x, struct place *p, void *data) {
  (void)data;
  for (unsigned i = 0; i < p->nended; i++)
    if (!(p->ended[i].inside && x->inside) && spec_orders(x->kind, x->point, p->ended[i].point))
      thread_acquire_weak(x->t, p->ended[i].weak);
}

/* The locks among t's that the earlier touch was made under, too: how many; -1 if that is not known. */
static int common(struct touching *x, const struct place *p, const struct touch *e, uint64_t at[HELD]) {
  struct thread *t = x->t;
  int n = p->lost ? -1 : 0;
  for (uint32_t i = 0; i < t->nheld && n >= 0; i++) {
    const struct held *h = &t->held[i];
    enum inside found = OUTSIDE;
    for (unsigned k = 0; k < p->count && found != INSIDE; k++) {
      const struct touch *u = &p->touches[k];
      if (u->lock != (uint32_t)h->lock || u->thread != e->thread || u->point != e->point || (u->shared && h->shared)) continue;
      enum inside is = section_has(t, h, u->section, e->epoch);
      if (is != OUTSIDE) found = is;
    }
    if (found == INSIDE) at[n++] = h->lock;
    if (found == NOT_KNOWN) n = -1;
  }
  return n;
}

struct violation {
  struct race race;
  uint64_t locks[HELD];
  int nlocks;
};
struct violations {
  struct violation at[FOUND];
  unsigned count;
};

static void judge(struct touching *x, struct place *p, void *data) {
  struct thread *t = x->t;
  struct violations *all = data;
  for (unsigned k = 0; k < p->count && all->count < FOUND; k++) {
    const struct touch *e = &p->touches[k];
    enum spec_relation relation = spec_relation(x->kind, x->point, e->point);
    if (e->lock || relation == SPEC_NONE || relation == SPEC_DEPENDS || thread_orders(t, e->epoch)) continue;
    if (p->valued && x->valued && e->value != x->value) continue;
    bool predicted = thread_knows(t, e->epoch);
    if (predicted && (x->inside || e->inside || relation == SPEC_ENDED)) continue;
    struct violation *v = &all->at[all->count];
    v->nlocks = relation == SPEC_ENDS && predicted ? common(x, p, e, v->locks) : 0;
    if (v->nlocks < 0) continue;
    v->race = race_of(t, x->object->address, x->site, SITE_ACTION, cell_make(e->epoch, e->site, 1, false), false, 0);
    v->race.calls[0] = (struct race_call){x->action, x->object->address, x->value, x->valued};
    v->race.calls[1] = (struct race_call){e->action, x->object->address, e->value, p->valued};
    v->race.ends = relation != SPEC_CONFLICT;
    all->count++;
  }
}

/* What this touch ends is not looked at again. */
static void forget_ended(struct touching *x, struct place *p, void *data) {
  unsigned kept = 0;
  (void)data;
  for (unsigned k = 0; k < p->count; k++) {
    const struct touch *e = &p->touches[k];
    bool other = p->valued && x->valued && e->value != x->value;
    if (e->lock || other || spec_relation(x->kind, x->point, e->point) != SPEC_ENDS) p->touches[kept++] = *e;
  }
  p->count = (uint16_t)kept;
}

/* Whoever conflicts with the earlier touch, or depends on it, does so with the new one, which knows of it. */
static bool superseded(const struct touching *x, const struct touch *e, const struct touch *new) {
  if (e->point != new->point || e->lock != new->lock || (new->inside && !e->inside)) return false;
  bool mine = e->thread == new->thread;
  if (!e->lock) return e->value == new->value && e->inside == new->inside && (mine || thread_orders(x->t, e->epoch));
  if (mine) return e->shared || !new->shared;
  return !new->shared && !new->inside &&spec_orders(x->kind, new->point, new->point);
}

static void add(struct touching *x, struct place *p, const struct touch *new) {
  unsigned kept = 0;
  for (unsigned i = 0; i < p->count; i++)
    if (!superseded(x, &p->touches[i], new)) p->touches[kept++] = p->touches[i];
  p->count = (uint16_t)kept;
  if (kept == p->cap) {
    unsigned cap = p->cap ? 2u * p->cap : 2;
    struct touch *more = cap <= TOUCHES_MAX ? rt_alloc(cap * sizeof *more) : NULL;
    if (!more) {
      p->lost = true;
      return;
    }
    if (p->cap) rt_copy(more, p->touches, kept * sizeof *more), rt_free(p->touches, p->cap * sizeof *more);
    p->touches = more, p->cap = (uint16_t)cap;
  }
  p->touches[p->count++] = *new;
}

static void record(struct touching *x) {
  struct thread *t = x->t;
  struct place *p = place_at(x->object, x->valued, (uint32_t)x->value);
  if (!p) {
    x->object->lost = true;
    return;
  }
  struct touch new = {.epoch = hd_fast.epoch,
                      .value = x->value,
                      .action = x->action,
                      .site = x->site,
                      .inside = x->inside,
                      .thread = t->actor & 0xffffff,
                      .point = x->point & 0xff};
  add(x, p, &new);
  for (uint32_t i = 0; t->weak && i < t->nheld; i++) {
    new.lock = (uint32_t)t->held[i].lock, new.section = t->held[i].section &((1u << SECTION_BITS) - 1), new.shared = t->held[i].shared;
    add(x, p, &new);
  }
}

/* What all sections and all ends of actions tell, where something is missing. */
static void assume_all(struct touching *x) {
  if (!x->object->lost || !x->t->weak) return;
  for (uint32_t i = 0; i < x->t->nheld; i++) section_acquire(x->t, &x->t->held[i], ALL_SECTIONS);
  thread_acquire_weak(x->t, x->object->missing);
}

static void set_touch(struct touching *x, unsigned i, const uint64_t *arguments) {
  const struct spec_touch *s = &x->action->touches[i];
  x->point = s->point, x->valued = s->value >= 0;
  x->value = x->valued ? arguments[s->value] : 0;
}

/* Under the object's lock. */
static void take_place(struct touching *x, const uint64_t *arguments, struct violations *found) {
  const struct spec_action *a = x->action;
  assume_all(x);
  for (unsigned i = 0; x->t->weak && i < a->ntouches; i++) set_touch(x, i, arguments), each_place(x, learn, NULL);
  for (unsigned i = 0; i < a->ntouches; i++) set_touch(x, i, arguments), each_place(x, judge, found);
  for (unsigned i = 0; x->t->weak && i < a->ntouches; i++) set_touch(x, i, arguments), each_place(x, follow, NULL);
  if (x->object == &others) return;
  if (a->begins) clear_object(x->object);
  for (unsigned i = 0; a->ends && i < a->ntouches; i++) set_touch(x, i, arguments), each_place(x, forget_ended, NULL);
  x->object->over = a->ends;
  for (unsigned i = 0; i < a->ntouches; i++) set_touch(x, i, arguments), record(x);
}

static struct touching begun(struct thread *t, const struct spec_action *a, uintptr_t pc) {
  return (struct touching){
      .t = t, .action = a, .kind = &spec.objects[a->object], .inside = t->inside > 0, .site = thread_site(t, pc, SITE_ACTION, 0)};
}

static void happens(struct thread *t, const struct spec_action *a, const uint64_t *arguments, uintptr_t object, uintptr_t pc) {
  _Static_assert(sizeof(struct violations) <= SCRATCH, "stacks may be small");
  struct touching x = begun(t, a, pc);
  struct violations *found = t->scratch;
  struct rt_lock *lock = lock_of(bucket_of(object));
  if (t->weak) seen_hear(t);
  found->count = 0;
  rt_lock(lock);
  x.object = object_at(object, a->object);
  if (!x.object) x.object = &others, rt_lock(&others_lock);
  take_place(&x, arguments, found);
  if (x.object == &others) rt_unlock(&others_lock);
  rt_unlock(lock);
  for (unsigned i = 0; i < found->count; i++)
    violation_of_actions(t, &found->at[i].race, found->at[i].locks, (unsigned)found->at[i].nlocks);
}

void action_point(struct thread *t, const struct spec_action *a, uintptr_t object, uintptr_t pc) {
  if (!object) return;
  thread_enter(t);
  happens(t, a, NULL, object, pc);
  thread_leave(t);
}

/* Where the ends of actions like this one are handed on; NULL if there is no memory. */
static struct vclock **ended_at(struct place *p, uint8_t point, bool inside) {
  unsigned i = 0;
  while (i < p->nended && (p->ended[i].point != point || p->ended[i].inside != inside)) i++;
  if (i == p->ended_cap) { /* up to 2 * SPEC_POINTS */
    uint8_t cap = (uint8_t)(i ? 2 * i : 2);
    struct ended *more = rt_alloc(cap * sizeof *more);
    if (!more) return NULL;
    if (i) rt_copy(more, p->ended, i * sizeof *more), rt_free(p->ended, i * sizeof *more);
    p->ended = more, p->ended_cap = cap;
  }
  if (i == p->nended) p->ended[p->nended++] = (struct ended){.point = point, .inside = inside};
  return &p->ended[i].weak;
}

/* Hands on what the thread did up to the end of the action. */
static void hand_on(struct touching *x) {
  struct place *p = x->object != &others ? place_at(x->object, x->valued, (uint32_t)x->value) : NULL;
  struct vclock **weak = p ? ended_at(p, (uint8_t)x->point, x->inside) : NULL;
  if (weak && vclock_join(weak, x->t->weak, x->t->n)) return;
  x->object->lost = true;
  vclock_join(&x->object->missing, x->t->weak, x->t->n);
}

static void ends(struct thread *t, const struct doing *d) {
  struct touching x = {.t = t, .action = d->action, .kind = &spec.objects[d->action->object], .inside = t->inside > 0};
  struct rt_lock *lock = lock_of(bucket_of(d->object));
  bool orders = false;
  for (unsigned i = 0; i < x.action->ntouches; i++) orders |= x.kind->points[x.action->touches[i].point].orders;
  if (!orders) return;
  seen_hear(t);
  rt_lock(lock);
  x.object = find_object(d->object, d->action->object);
  if (!x.object && actions_objects >= OBJECTS) x.object = &others, rt_lock(&others_lock);
  if (x.object) {
    thread_acquire_weak(t, x.object->missing);
    for (unsigned i = 0; i < x.action->ntouches; i++) set_touch(&x, i, d->arguments), each_place(&x, follow, NULL);
    for (unsigned i = 0; i < x.action->ntouches; i++) {
      set_touch(&x, i, d->arguments);
      if (x.kind->points[x.point].orders) hand_on(&x);
    }
  }
  if (x.object == &others) rt_unlock(&others_lock);
  rt_unlock(lock);
}

/* The innermost action ends; what comes now has another epoch. */
static void leave_innermost(struct thread *t) {
  t->inside--;
  ends(t, &t->doing[t->inside]);
  thread_tick(t);
}

void actions_left(struct thread *t, uint32_t n) {
  if (t->inside <= n) return;
  thread_enter(t);
  while (t->inside > n) leave_innermost(t);
  thread_leave(t);
}

/* Frames that lie below the present one, as far as a stack goes, are gone: a jump has left them. */
static void leave_dead(struct thread *t, const void *mark) {
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0), far = 8 << 20;
  while (t->inside > 0) {
    uintptr_t its = (uintptr_t)t->doing[t->inside - 1].mark;
    if (its != (uintptr_t)mark && !(its < here && here - its < far)) break;
    leave_innermost(t);
  }
}

void action_begin(struct thread *t, const struct spec_action *a, const uint64_t *arguments, const void *mark, uintptr_t pc) {
  uintptr_t object = arguments[a->on];
  if (!object) return;
  thread_enter(t);
  if (t->weak) leave_dead(t, mark);
  happens(t, a, arguments, object, pc);
  if (t->weak && t->inside < DOING) {
    struct doing *d = &t->doing[t->inside];
    d->action = a, d->object = object, d->mark = mark;
    rt_copy(d->arguments, arguments, sizeof d->arguments);
    t->inside++;
    thread_tick(t);
    __atomic_store_n(&actions_seen, true, __ATOMIC_RELAXED);
  }
  thread_leave(t);
}

void action_end(struct thread *t, const void *mark) {
  uint32_t n = t->inside;
  while (n > 0 && t->doing[n - 1].mark != mark) n--;
  if (n > 0) actions_left(t, n - 1);
}

/* In the range, and not one that is only kept for its end. */
static bool goes(const struct object *o, uintptr_t address, size_t size, bool freed) {
  return o->address - address < size && !(freed && o->over);
}

static void forget_in(unsigned bucket, uintptr_t address, size_t size, bool freed) {
  struct object **place = &buckets[bucket], *gone = NULL;
  if (!__atomic_load_n(place, __ATOMIC_ACQUIRE)) return;
  rt_lock(lock_of(bucket));
  for (struct object *o = *place; o; o = *place) {
    if (!goes(o, address, size, freed)) {
      place = &o->next;
      continue;
    }
    *place = o->next;
    o->next = gone, gone = o;
    __atomic_fetch_sub(&actions_objects, 1, __ATOMIC_RELAXED);
  }
  rt_unlock(lock_of(bucket));
  for (struct object *next; gone; gone = next) {
    next = gone->next;
    clear_object(gone);
    rt_free(gone, sizeof *gone);
  }
}

void actions_forget_slow(uintptr_t address, size_t size, bool freed) {
  uintptr_t first = address >> PAGE_BITS, last = (address + size - 1) >> PAGE_BITS;
  if (!size) return;
  if (last - first >= BUCKETS)
    for (unsigned i = 0; i < BUCKETS; i++) forget_in(i, address, size, freed);
  else
    for (uintptr_t page = first; page <= last; page++) forget_in(bucket_of(page << PAGE_BITS), address, size, freed);
}

void actions_before_fork(void) {
  for (unsigned i = 0; i < STRIPES; i++) rt_lock(&locks[i]);
  rt_lock(&others_lock);
}
void actions_after_fork(void) {
  rt_unlock(&others_lock);
  for (unsigned i = 0; i < STRIPES; i++) rt_unlock(&locks[i]);
}
