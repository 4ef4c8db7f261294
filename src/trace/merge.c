#include "trace/merge.h"

#include <string.h>

#include "base/hash.h"
#include "trace/border.h"

#define NOBODY UINT32_MAX

/* What a strand waits for. */
enum standing { READY, FOR_NUMBER, FOR_FORK, FOR_END, DONE };

struct runner {
  struct strand s;
  enum standing standing;
  uint32_t next_waiter;
  uint32_t number, emitted;      /* in the order; events so far */
  uint32_t joiners;              /* who waits for its end */
  bool mentioned, forked, ended; /* it has a number; its FORK, END are in the order */
  bool behind;                   /* the border, if there is one */
};

struct object {
  uint64_t next; /* the number that comes now */
  uint32_t waiters;
};

struct entry {
  uint64_t time;
  uint32_t runner;
};

struct merge {
  struct trace_file *f;
  char *packed;
  VEC(struct runner) runners;
  struct hashmap of_thread;    /* recorder's number to runner */
  struct hashmap lost_threads; /* numbers in the order, of threads that have no block */
  struct hashmap objects;
  VEC(struct object) numbered;
  VEC(struct entry) heap;
  struct border border;
  size_t locks_taken; /* of the border's */
  uint32_t threads, waiting;
  uint64_t now, forks_until; /* when somebody stops waiting for its FORK */
  struct merge_faults faults;
};

/* Threads may have been made by code that nobody recorded. Then BEGIN waits in vain: for a millisecond, or what may be one. */
static uint64_t fork_patience(const struct merge *m) { return m->f->header.hertz ? m->f->header.hertz / 1000 : 3000000; }

static bool complete(const struct merge *m) { return m->f->headless == 0; }

static void sift_down(struct merge *m, size_t i) {
  struct entry *h = m->heap.data, moved = h[i];
  for (size_t child; (child = 2 * i + 1) < m->heap.count; i = child) {
    if (child + 1 < m->heap.count && h[child + 1].time < h[child].time) child++;
    if (moved.time <= h[child].time) break;
    h[i] = h[child];
  }
  h[i] = moved;
}

static void push(struct merge *m, uint32_t runner) {
  struct entry e = {strand_time(&m->runners.data[runner].s, m->f), runner};
  vec_push(&m->heap);
  size_t i = m->heap.count - 1;
  for (; i > 0 && m->heap.data[(i - 1) / 2].time > e.time; i = (i - 1) / 2) m->heap.data[i] = m->heap.data[(i - 1) / 2];
  m->heap.data[i] = e;
}

static void pop(struct merge *m) {
  m->heap.data[0] = vec_last(&m->heap);
  (void)vec_pop(&m->heap);
  if (m->heap.count) sift_down(m, 0);
}

static struct object *object_of(struct merge *m, uint64_t address) {
  bool is_new;
  uint64_t *at = hashmap_at(&m->objects, address, m->numbered.count, &is_new);
  if (is_new) {
    const uint64_t *first = complete(m) ? NULL : hashmap_find(&m->border.first, address);
    *vec_push(&m->numbered) = (struct object){first ? *first : 1, NOBODY};
  }
  return &m->numbered.data[*at];
}

static struct runner *runner_of(struct merge *m, uint64_t thread) {
  const uint64_t *at = hashmap_find(&m->of_thread, thread);
  return at ? &m->runners.data[*at] : NULL;
}

static uint32_t new_number(struct merge *m, const char *name) {
  *vec_push(&m->f->names.threads) = recorded_add_string(&m->f->names, name, strlen(name));
  return m->threads++;
}

/* The thread's number in the order, from its first mention on. */
static uint32_t number_of(struct merge *m, uint64_t thread) {
  struct runner *r = runner_of(m, thread);
  if (!r) {
    bool is_new;
    uint64_t *number = hashmap_at(&m->lost_threads, thread, m->threads, &is_new);
    return is_new ? new_number(m, "") : (uint32_t)*number;
  }
  if (!r->mentioned) {
    r->mentioned = true;
    r->number = new_number(m, strand_head(&r->s, m->f, m->packed) ? r->s.name : "");
  }
  return r->number;
}

static void wait_for(struct merge *m, uint32_t runner, enum standing what, uint32_t *list) {
  struct runner *r = &m->runners.data[runner];
  r->standing = what;
  if (list) r->next_waiter = *list, *list = runner;
  m->waiting++;
  if (what == FOR_FORK && m->now + fork_patience(m) < m->forks_until) m->forks_until = m->now + fork_patience(m);
}

static void wake(struct merge *m, uint32_t runner) {
  m->runners.data[runner].standing = READY;
  m->waiting--;
  push(m, runner);
}

static void wake_all(struct merge *m, uint32_t *list) {
  uint32_t next = *list;
  *list = NOBODY;
  for (uint32_t i = next; i != NOBODY; i = next) {
    next = m->runners.data[i].next_waiter;
    wake(m, i);
  }
}

/* Is it the turn of that number? If not, the runner waits for it. A number that was there before belongs to a new object at the address. */
static bool has_turn(struct merge *m, uint32_t runner, uint64_t address, uint64_t sequence) {
  if (sequence == 0) return true;
  struct object *o = object_of(m, address);
  if (sequence <= o->next) return true;
  wait_for(m, runner, FOR_NUMBER, &o->waiters);
  return false;
}

static bool is_wait(const struct event *e) { return e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE; }

static bool ready(struct merge *m, uint32_t runner, const struct placed *p) {
  const struct event *e = &p->e;
  struct runner *r = &m->runners.data[runner];
  if (!has_turn(m, runner, e->object, p->sequence)) return false;
  if (is_wait(e) && !has_turn(m, runner, e->value2, p->sequence2)) return false;
  if (e->op == EVENT_BEGIN && e->thread != 0 && complete(m) && !r->forked) {
    wait_for(m, runner, FOR_FORK, NULL);
    return false;
  }
  if (e->op == EVENT_JOIN && !(e->flags & EVENT_TIMED_OUT)) {
    struct runner *child = runner_of(m, e->object);
    /* Without an END, the end of what is there must do, unless something is missing behind it. */
    if (child && !child->ended && (child->standing != DONE || child->s.torn)) {
      wait_for(m, runner, FOR_END, &child->joiners);
      return false;
    }
  }
  return true;
}

static void count_turn(struct merge *m, uint64_t address, uint64_t sequence) {
  if (sequence == 0) return;
  struct object *o = object_of(m, address);
  if (sequence > o->next) m->faults.forced++;
  o->next = sequence + 1;
  uint32_t waiters = o->waiters;
  if (waiters == NOBODY) return;
  o->waiters = NOBODY;
  wake_all(m, &waiters);
}

/* The head of a runner comes now. */
static void take(struct merge *m, uint32_t runner, const struct placed *p, struct placed *out) {
  *out = *p;
  struct event *e = &out->e;
  struct runner *r = &m->runners.data[runner];
  e->thread = number_of(m, p->e.thread);
  e->index = r->emitted++;
  count_turn(m, p->e.object, p->sequence);
  if (is_wait(&p->e)) count_turn(m, p->e.value2, p->sequence2);
  if (e->op == EVENT_FORK || e->op == EVENT_JOIN) e->object = number_of(m, p->e.object);
  if (e->op == EVENT_END) {
    r->ended = true;
    wake_all(m, &r->joiners);
  }
  if (e->op == EVENT_FORK) {
    struct runner *child = runner_of(m, p->e.object);
    if (child) child->forked = true;
    if (child && child->standing == FOR_FORK) wake(m, (uint32_t)(child - m->runners.data));
  }
  strand_take(&r->s);
}

/* What this runner waits for is taken for granted. */
static void grant(struct merge *m, uint32_t runner) {
  struct runner *r = &m->runners.data[runner];
  const struct placed *p = &r->s.segment.data[r->s.taken];
  if (r->standing == FOR_FORK) {
    r->forked = true;
    wake(m, runner);
  } else if (r->standing == FOR_END) {
    struct runner *child = runner_of(m, p->e.object);
    child->ended = true;
    wake_all(m, &child->joiners);
  } else {
    bool first = p->sequence > object_of(m, p->e.object)->next;
    struct object *o = object_of(m, first ? p->e.object : p->e.value2);
    o->next = first ? p->sequence : p->sequence2;
    m->faults.forced++;
    wake_all(m, &o->waiters);
  }
}

/* Everybody waits, so something never comes. If nothing is known to be missing, the recorder has counted wrongly: the earliest goes on. */
static bool grant_one(struct merge *m) {
  uint32_t best = NOBODY;
  uint64_t earliest = UINT64_MAX;
  bool torn = m->f->missing > 0;
  for (uint32_t i = 0; i < m->runners.count; i++) {
    const struct runner *r = &m->runners.data[i];
    torn |= r->s.torn;
    if (r->standing == READY || r->standing == DONE) continue;
    uint64_t time = r->standing == FOR_FORK ? 0 : strand_time(&r->s, m->f);
    if (time < earliest || best == NOBODY) best = i, earliest = time;
  }
  if (best == NOBODY || (torn && m->runners.data[best].standing != FOR_FORK)) return false;
  grant(m, best);
  return true;
}

static void grant_forks(struct merge *m) {
  uint64_t next = UINT64_MAX;
  for (uint32_t i = 0; i < m->runners.count; i++) {
    if (m->runners.data[i].standing != FOR_FORK) continue;
    uint64_t until = strand_time(&m->runners.data[i].s, m->f) + fork_patience(m);
    if (until < m->now)
      grant(m, i);
    else if (until < next)
      next = until;
  }
  m->forks_until = next;
}

/* The head of a runner, as far as it is behind the border. */
static const struct placed *head_of(struct merge *m, struct runner *r) {
  const struct placed *p = strand_head(&r->s, m->f, m->packed);
  for (; p && !r->behind && strand_time(&r->s, m->f) < m->border.time; m->faults.skipped++) {
    strand_take(&r->s);
    p = strand_head(&r->s, m->f, m->packed);
  }
  r->behind = true;
  return p;
}

/* Takes the next event to `*out`, or does something else that goes ahead; false at the end. */
static bool step(struct merge *m, struct placed *out, bool *taken) {
  *taken = false;
  if (m->heap.count == 0) return m->waiting > 0 && grant_one(m);
  struct entry *top = &m->heap.data[0];
  struct runner *r = &m->runners.data[top->runner];
  uint32_t runner = top->runner;
  const struct placed *p = head_of(m, r);
  if (!p) {
    pop(m);
    r->standing = DONE;
    wake_all(m, &r->joiners);
    return true;
  }
  uint64_t time = strand_time(&r->s, m->f);
  if (time > top->time) {
    top->time = time;
    sift_down(m, 0);
    if (m->heap.data[0].runner != runner) return true;
  }
  m->now = time;
  if (time > m->forks_until) grant_forks(m);
  if (m->heap.data[0].runner != runner) return true;
  if (!ready(m, runner, p)) return pop(m), true;
  *taken = true;
  take(m, runner, p, out);
  return true;
}

static void take_lock(struct merge *m, const struct border_lock *l, struct placed *out) {
  struct runner *r = runner_of(m, l->thread);
  *out = (struct placed){.e = {.op = EVENT_ACQUIRE, .flags = l->flags, .object = l->object}, .high = m->border.time};
  out->e.thread = number_of(m, l->thread);
  out->e.index = r->emitted++;
}

size_t merge_next(struct merge *m, struct placed *out, size_t most) {
  size_t n = 0;
  bool taken;
  while (n < most && m->locks_taken < m->border.locks.count) take_lock(m, &m->border.locks.data[m->locks_taken++], &out[n++]);
  while (n < most && step(m, &out[n], &taken)) n += taken;
  return n;
}

/* Plain accesses, and what says what they are about: nobody waits for them, and they wait for nobody. */
static bool is_free(const struct placed *p) {
  bool access = p->e.op == EVENT_READ || p->e.op == EVENT_WRITE || p->e.op == EVENT_RMW || p->e.op == RECORDED_BRANCH;
  return access && p->sequence == 0;
}

/* How many of the runner's next events it takes to explain the read; 0: they do not. */
static size_t explained_by(const struct runner *r, const struct placed *read, merge_explains *explains) {
  for (size_t i = r->s.taken; i < r->s.segment.count && is_free(&r->s.segment.data[i]) && r->s.segment.data[i].low < read->high; i++)
    if (explains(&r->s.segment.data[i].e, &read->e)) return i - r->s.taken + 1;
  return 0;
}

size_t merge_hurry(struct merge *m, const struct placed *read, merge_explains *explains, uint32_t *from, struct placed *out, size_t most) {
  while (*from < m->runners.count) {
    uint32_t runner = (*from)++;
    struct runner *r = &m->runners.data[runner];
    if (r->standing != READY || !r->behind || (r->mentioned && r->number == read->e.thread)) continue;
    size_t n = explained_by(r, read, explains);
    if (n == 0 || n > most) continue;
    for (size_t i = 0; i < n; i++) {
      struct placed p = r->s.segment.data[r->s.taken];
      take(m, runner, &p, &out[i]);
    }
    return n;
  }
  return 0;
}

bool merge_comes_before(const struct merge *m, const struct placed *p) {
  for (uint32_t i = 0; i < m->runners.count; i++) {
    const struct runner *r = &m->runners.data[i];
    bool own = r->mentioned && r->number == p->e.thread;
    if (r->standing != DONE && !own && strand_low(&r->s, m->f) < p->high) return true;
  }
  return false;
}

static void start(struct merge *m) {
  for (size_t i = 0, end; i < m->f->blocks.count; i = end) {
    for (end = i + 1; end < m->f->blocks.count && m->f->blocks.data[end].thread == m->f->blocks.data[i].thread;) end++;
    hashmap_at(&m->of_thread, m->f->blocks.data[i].thread, m->runners.count, NULL);
    struct runner *r = vec_push(&m->runners);
    *r = (struct runner){.joiners = NOBODY, .next_waiter = NOBODY};
    strand_init(&r->s, m->f, i, end);
  }
  for (uint32_t i = 0; i < m->runners.count; i++) push(m, i);
}

struct merge *merge_new(struct trace_file *f) {
  struct merge *m = mem_alloc(sizeof *m);
  m->f = f;
  m->packed = mem_alloc(TRACE_PACKED_MOST);
  m->forks_until = UINT64_MAX;
  if (!complete(m)) border_find(&m->border, f);
  start(m);
  return m;
}

void merge_free(struct merge *m) {
  for (size_t i = 0; i < m->runners.count; i++) strand_release(&m->runners.data[i].s);
  vec_release(&m->runners);
  vec_release(&m->numbered);
  vec_release(&m->heap);
  hashmap_release(&m->of_thread);
  hashmap_release(&m->lost_threads);
  hashmap_release(&m->objects);
  border_release(&m->border);
  mem_free(m->packed, TRACE_PACKED_MOST);
  mem_free(m, sizeof *m);
}

struct merge_faults merge_faults(const struct merge *m) {
  struct merge_faults faults = m->faults;
  for (size_t i = 0; i < m->runners.count; i++) {
    const struct runner *r = &m->runners.data[i];
    faults.cut += r->s.torn || r->standing != DONE;
  }
  return faults;
}
