#include "trace/border.h"
#include "base/hash.h"

/* Locks that a thread has taken and not given back. */
struct held {
  VEC(struct border_lock) locks;
};

static void take(struct held *held, const struct event *e, uint64_t lock) {
  *vec_push(&held->locks) = (struct border_lock){e->thread, e->flags & EVENT_SHARED_LOCK, lock};
}

static bool give_back(struct held *held, uint64_t lock) {
  for (size_t i = held->locks.count; i-- > 0;) {
    if (held->locks.data[i].object != lock) continue;
    held->locks.data[i] = vec_last(&held->locks);
    (void)vec_pop(&held->locks);
    return true;
  }
  return false;
}

static void count_number(struct border *b, uint64_t object, uint64_t sequence) {
  if (sequence == 0) return;
  uint64_t *first = hashmap_at(&b->first, object, sequence, NULL);
  if (sequence < *first) *first = sequence;
}

/* A thread, behind the border or before it. */
struct walk {
  bool behind;
  struct held before, since; /* taken before the border, and behind it */
};

/* A lock that is given back behind the border, and was not taken there, was held at it. */
static void look_at(struct border *b, struct walk *w, const struct placed *p) {
  const struct event *e = &p->e;
  bool wait = e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE;
  uint64_t lock = wait ? e->value2 : e->object;
  if (e->op == EVENT_ACQUIRE || e->op == EVENT_WAIT_LEAVE) take(w->behind ? &w->since : &w->before, e, lock);
  if (e->op == EVENT_RELEASE || e->op == EVENT_WAIT_ENTER) {
    bool known = give_back(&w->since, lock) || give_back(&w->before, lock);
    if (!known && w->behind) *vec_push(&b->locks) = (struct border_lock){e->thread, e->flags & EVENT_SHARED_LOCK, lock};
  }
  if (!w->behind) return;
  count_number(b, e->object, p->sequence);
  if (wait) count_number(b, e->value2, p->sequence2);
}

static void look_at_thread(struct border *b, const struct trace_file *f, size_t from, size_t to, char *packed) {
  struct strand s;
  const struct placed *p;
  struct walk w = {0};
  strand_init(&s, f, from, to);
  while ((p = strand_head(&s, f, packed))) {
    if (!w.behind && strand_time(&s, f) >= b->time) {
      w.behind = true;
      for (size_t i = 0; i < w.before.locks.count; i++) *vec_push(&b->locks) = w.before.locks.data[i];
    }
    look_at(b, &w, p);
    strand_take(&s);
  }
  vec_release(&w.before.locks);
  vec_release(&w.since.locks);
  strand_release(&s);
}

void border_find(struct border *b, const struct trace_file *f) {
  char *packed = mem_alloc(TRACE_PACKED_MOST);
  *b = (struct border){0};
  for (size_t i = 0; i < f->blocks.count; i++) {
    const struct trace_place *p = &f->blocks.data[i];
    bool first = i == 0 || p[-1].thread != p->thread;
    if (first && p->sequence > 0 && p->time > b->time) b->time = p->time;
  }
  for (size_t i = 0, end; i < f->blocks.count; i = end) {
    for (end = i + 1; end < f->blocks.count && f->blocks.data[end].thread == f->blocks.data[i].thread;) end++;
    look_at_thread(b, f, i, end, packed);
  }
  mem_free(packed, TRACE_PACKED_MOST);
}

void border_release(struct border *b) {
  hashmap_release(&b->first);
  vec_release(&b->locks);
}
