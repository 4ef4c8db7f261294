/* Sections of one lock do not overlap; each wait is over behind a signal, each passage of a semaphore behind a post, that nobody else has
 * used; nobody leaves a barrier before all of the round have come. */
#include "reproduce/internal.h"

static bool opens(const struct apart_event *e, uint64_t *lock) {
  *lock = e->op == EVENT_ACQUIRE ? e->object : e->mutex;
  return e->op == EVENT_ACQUIRE || (e->op == EVENT_WAIT_LEAVE && !(e->flags & EVENT_TIMED_OUT));
}
static bool closes(const struct apart_event *e, uint64_t *lock) {
  *lock = e->op == EVENT_RELEASE ? e->object : e->mutex;
  return e->op == EVENT_RELEASE || e->op == EVENT_WAIT_ENTER;
}

static enum err find_sections(struct formula *f) {
  for (uint32_t i = 0; i < f->a->events.count; i++) {
    const struct apart_event *e = event_at(f, i);
    uint64_t lock;
    if (opens(e, &lock)) {
      *vec_push(&f->sections) = (struct section){lock, e->thread, i, NOBODY, e->flags & EVENT_SHARED_LOCK};
    } else if (closes(e, &lock)) {
      size_t k = f->sections.count;
      while (k > 0 &&
             (f->sections.data[k - 1].lock != lock || f->sections.data[k - 1].thread != e->thread || f->sections.data[k - 1].to != NOBODY))
        k--;
      if (k == 0) return formula_cannot(f, e, "a lock is given up that its thread has not taken where this can be seen");
      f->sections.data[k - 1].to = i;
    }
  }
  return ERR_NONE;
}

/* One of them is left before the other begins; or one is behind the failure, if the run need not have come to it. */
static void exclude(struct formula *f, const struct section *x, const struct section *y) {
  const struct place *p = f->places.data;
  if (x->to != NOBODY) clause_add(f, order_less(f->o, p[x->to].step, p[y->from].step));
  if (y->to != NOBODY) clause_add(f, order_less(f->o, p[y->to].step, p[x->from].step));
  if (!event_at(f, x->from)->needed && x->to == NOBODY) clause_add(f, order_less(f->o, f->failure, p[x->from].step));
  if (!event_at(f, y->from)->needed && y->to == NOBODY) clause_add(f, order_less(f->o, f->failure, p[y->from].step));
  clause_end(f);
}

static void add_sections(struct formula *f) {
  for (size_t i = 0; i < f->sections.count; i++) {
    for (size_t k = 0; k < i; k++) {
      const struct section *x = &f->sections.data[k], *y = &f->sections.data[i];
      if (x->lock == y->lock && x->thread != y->thread && !(x->shared && y->shared)) exclude(f, x, y);
    }
  }
}

/* The wait that event i ends: where it began. */
static uint32_t wait_enter(const struct formula *f, uint32_t i) {
  const struct apart_event *e = event_at(f, i);
  while (i-- > 0) {
    const struct apart_event *b = event_at(f, i);
    if (b->thread == e->thread && b->op == EVENT_WAIT_ENTER && b->object == e->object) return i;
  }
  return NOBODY;
}

/* Who needs one of several things, each of which serves one: a wait a signal, a semaphore's passage a post. */
struct use {
  uint32_t thing, user;
  struct order_lit is;
};

struct uses {
  VEC(struct use) all;
};

/* If `user` has used the thing, an event between `from` (NOBODY: the beginning) and itself. `serves_all`: it serves others, too. */
static void may_use(struct formula *f, struct uses *u, uint32_t user, uint32_t from, uint32_t thing, bool serves_all) {
  struct use use = {thing, user, add_boolean(f)};
  if (from != NOBODY) order_implies(f->o, use.is, f->places.data[from].step, f->places.data[thing].step);
  order_implies(f->o, use.is, f->places.data[thing].step, f->places.data[user].step);
  for (size_t i = 0; !serves_all && i < u->all.count; i++) {
    if (u->all.data[i].thing != thing || u->all.data[i].user == user) continue;
    clause_add(f, order_not(u->all.data[i].is)), clause_add(f, order_not(use.is));
    clause_end(f);
  }
  *vec_push(&u->all) = use;
}

/* One of those from `first` on is used; or the run need not have come so far. */
static void must_use(struct formula *f, const struct uses *u, size_t first, uint32_t user) {
  for (size_t i = first; i < u->all.count; i++) clause_add(f, u->all.data[i].is);
  if (!event_at(f, user)->needed) clause_add(f, order_less(f->o, f->failure, f->places.data[user].step));
  clause_end(f);
}

static enum err add_wait(struct formula *f, struct uses *u, uint32_t user) {
  const struct apart_event *e = event_at(f, user);
  uint32_t enter = wait_enter(f, user);
  size_t first = u->all.count;
  if (enter == NOBODY || (e->flags & EVENT_TIMED)) return formula_cannot(f, e, "a wait with a time limit is not part of the formula");
  for (uint32_t k = 0; k < f->a->events.count; k++) {
    const struct apart_event *s = event_at(f, k);
    if ((s->op == EVENT_SIGNAL || s->op == EVENT_BROADCAST) && s->object == e->object && s->thread != e->thread)
      may_use(f, u, user, enter, k, s->op == EVENT_BROADCAST);
  }
  must_use(f, u, first, user);
  return ERR_NONE;
}

/* What a semaphore had at first: before its first event. */
static uint64_t first_count(const struct formula *f, uint64_t object) {
  for (uint32_t i = 0; i < f->a->events.count; i++) {
    const struct apart_event *e = event_at(f, i);
    if (e->object != object || (e->op != EVENT_SEM_POST && e->op != EVENT_SEM_WAIT)) continue;
    return apart_count_before(e);
  }
  return 0;
}

/* The first count is so many posts before all; which have no event, and names of their own behind those of all events. */
static void may_take(struct formula *f, struct uses *u, uint32_t user, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    struct use use = {(uint32_t)(f->a->events.count + i), user, add_boolean(f)};
    for (size_t k = 0; k < u->all.count; k++) {
      const struct use *other = &u->all.data[k];
      if (other->thing != use.thing || event_at(f, other->user)->object != event_at(f, user)->object) continue;
      clause_add(f, order_not(other->is)), clause_add(f, order_not(use.is));
      clause_end(f);
    }
    *vec_push(&u->all) = use;
  }
}

static enum err add_passage(struct formula *f, struct uses *u, uint32_t user) {
  const struct apart_event *e = event_at(f, user);
  size_t first = u->all.count;
  if (e->flags & (EVENT_TRY | EVENT_TIMED)) return formula_cannot(f, e, "a try of a semaphore is not part of the formula");
  for (uint32_t k = 0; k < f->a->events.count; k++) {
    const struct apart_event *s = event_at(f, k);
    if (s->op == EVENT_SEM_POST && s->object == e->object) may_use(f, u, user, NOBODY, k, false);
  }
  may_take(f, u, user, first_count(f, e->object));
  must_use(f, u, first, user);
  return ERR_NONE;
}

/* Rounds are as they were when the threads were executed apart: nobody leaves one before all have come, nor comes to the next one. */
static void add_barrier(struct formula *f, uint32_t event) {
  const struct apart_event *e = event_at(f, event);
  for (uint32_t i = 0; i < event; i++) {
    const struct apart_event *b = event_at(f, i);
    bool before = e->op == EVENT_BARRIER_LEAVE ? b->value == e->value : b->value < e->value;
    if (b->op == EVENT_BARRIER_ENTER && b->object == e->object && before)
      order_edge(f->o, f->places.data[i].step, f->places.data[event].step);
  }
}

enum err locks_add(struct formula *f) {
  struct uses uses = {0};
  enum err err = find_sections(f);
  if (!err) add_sections(f);
  for (uint32_t i = 0; i < f->a->events.count && !err; i++) {
    const struct apart_event *e = event_at(f, i);
    if (e->op == EVENT_WAIT_LEAVE) err = add_wait(f, &uses, i);
    if (e->op == EVENT_SEM_WAIT) err = add_passage(f, &uses, i);
    if (e->op == EVENT_BARRIER_ENTER || e->op == EVENT_BARRIER_LEAVE) add_barrier(f, i);
    if (!err && f->counts->clauses > CLAUSES_MOST) err = formula_cannot(f, e, "the formula has too many clauses");
  }
  vec_release(&uses.all);
  return err;
}
