#include "trace/check.h"

#include <string.h>

#include "base/hash.h"
#include "trace/contents.h"

struct checked_thread {
  uint32_t next; /* index */
  bool begun, ended, forked, joined, waits, seen;
  bool arguments; /* a call, or its arguments, came last */
};

/* Who holds a lock: one thread, or some that read. */
struct checked_lock {
  uint32_t writer; /* plus 1 */
  uint32_t readers;
};

struct checker {
  struct check_result *r;
  VEC(struct checked_thread) threads;
  struct hashmap locks, reads; /* to `held`; (lock, thread): how often it reads */
  VEC(struct checked_lock) held;
  struct contents memory;
};

const char *check_rule_text(enum check_rule rule) {
  static const char *const texts[] = {
#define X(name, text) text,
      CHECK_LIST(X)
#undef X
  };
  return texts[rule];
}

static void broken(struct checker *c, enum check_rule rule, const struct event *e) {
  if (c->r->broken[rule]++ == 0) c->r->first[rule] = *e;
}

static void must(struct checker *c, bool holds, enum check_rule rule, const struct event *e) {
  if (!holds) broken(c, rule, e);
}

/* --- threads --- */

static struct checked_thread *thread_of(struct checker *c, uint64_t thread) {
  enum { MOST = 1 << 24 };
  if (thread >= MOST) return NULL;
  while (c->threads.count <= thread) *vec_push(&c->threads) = (struct checked_thread){0};
  return &c->threads.data[thread];
}

static void fork_or_join(struct checker *c, const struct event *e) {
  struct checked_thread *other = thread_of(c, e->object);
  if (!other || e->object == e->thread) {
    broken(c, e->op == EVENT_FORK ? CHECK_BEFORE_FORK : CHECK_JOIN, e);
    return;
  }
  if (e->op == EVENT_FORK) must(c, !other->begun && !other->seen && !other->forked, CHECK_BEFORE_FORK, e), other->forked = true;
  if (e->op == EVENT_JOIN && !(e->flags & EVENT_TIMED_OUT)) other->joined = true;
}

static void in_thread(struct checker *c, const struct event *e) {
  struct checked_thread *t = thread_of(c, e->thread);
  if (!t) {
    broken(c, CHECK_INDEX, e);
    return;
  }
  must(c, e->index == t->next, CHECK_INDEX, e);
  t->next = e->index + 1;
  if (e->op == EVENT_BEGIN) must(c, !t->begun && !t->seen, CHECK_BEFORE_BEGIN, e), t->begun = true;
  must(c, !t->ended && !t->joined, t->joined ? CHECK_JOIN : CHECK_AFTER_END, e);
  if (e->op == EVENT_END) t->ended = true;
  if (e->op == RECORDED_ARGUMENT) must(c, t->arguments, CHECK_ARGUMENT, e);
  t->arguments = e->op == RECORDED_CALL || e->op == RECORDED_RETURN || (t->arguments && e->op == RECORDED_ARGUMENT);
  t->seen = true;
}

/* --- locks --- */

static struct checked_lock *lock_of(struct checker *c, uint64_t lock) {
  bool is_new = false;
  uint64_t *at = hashmap_at(&c->locks, lock, c->held.count, &is_new);
  if (is_new) *vec_push(&c->held) = (struct checked_lock){0};
  return &c->held.data[*at];
}

static uint64_t *reads_of(struct checker *c, const struct event *e, uint64_t lock) {
  return hashmap_at(&c->reads, hash_pair(lock, e->thread), 0, NULL);
}

static void take(struct checker *c, const struct event *e, uint64_t lock, bool shared) {
  struct checked_lock *l = lock_of(c, lock);
  uint64_t *own = reads_of(c, e, lock);
  must(c, l->writer != e->thread + 1 && (shared || !*own), CHECK_TWICE, e);
  bool held = (l->writer && l->writer != e->thread + 1) || (!shared && l->readers != *own);
  must(c, !held, CHECK_HELD, e);
  if (shared || held) /* both hold it then, so that its end is not wrong as well */
    l->readers++, ++*own;
  else
    l->writer = e->thread + 1;
}

static void give(struct checker *c, const struct event *e, uint64_t lock) {
  struct checked_lock *l = lock_of(c, lock);
  uint64_t *own = reads_of(c, e, lock);
  must(c, l->writer == e->thread + 1 || *own, CHECK_NOT_HELD, e);
  if (l->writer == e->thread + 1)
    l->writer = 0;
  else if (*own)
    l->readers--, --*own;
}

static void operate(struct checker *c, const struct event *e) {
  struct checked_thread *t = thread_of(c, e->thread);
  if (e->op == EVENT_ACQUIRE) take(c, e, e->object, e->flags & EVENT_SHARED_LOCK);
  if (e->op == EVENT_RELEASE) give(c, e, e->object);
  if (e->op == EVENT_TRYFAIL && !(e->flags & (EVENT_TIMED_OUT | RECORDED_COUNT))) {
    const struct checked_lock *l = lock_of(c, e->object);
    must(c, l->writer || l->readers, CHECK_TRIED, e);
  }
  if (!t || (e->op != EVENT_WAIT_ENTER && e->op != EVENT_WAIT_LEAVE)) return;
  must(c, t->waits == (e->op == EVENT_WAIT_LEAVE), CHECK_WAIT, e);
  t->waits = e->op == EVENT_WAIT_ENTER;
  if (e->op == EVENT_WAIT_ENTER && e->value2) give(c, e, e->value2);
  if (e->op == EVENT_WAIT_LEAVE && e->value2 && !(e->flags & EVENT_TIMED_OUT)) take(c, e, e->value2, false);
}

/* --- memory --- */

static bool is_access(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW; }

static void remember(struct checker *c, const struct event *e, uint64_t value) {
  contents_write(&c->memory, e->object, (unsigned)e->size, (struct contents_word){value, (uint8_t)((1u << e->size) - 1)});
}

/* What is known of the bytes must be what is read. */
static void reads(struct checker *c, const struct event *e) {
  struct contents_word there = contents_read(&c->memory, e->object, (unsigned)e->size);
  uint64_t known = 0;
  for (unsigned i = 0; i < e->size; i++) known |= there.known >> i & 1 ? 0xffull << 8 * i : 0;
  must(c, ((there.value ^ e->value) & known) == 0 || (e->flags & RECORDED_UNORDERED), CHECK_VALUE, e);
}

static void access(struct checker *c, const struct event *e) {
  bool known = e->size <= 8 && !(e->flags & RECORDED_NO_VALUE);
  must(c, e->object < RECORDED_ADDRESSES && e->size <= RECORDED_ADDRESSES - e->object, CHECK_ADDRESS, e);
  if (e->size == 0 || e->object >= RECORDED_ADDRESSES || e->size > RECORDED_ADDRESSES - e->object) return;
  if (e->op == EVENT_FREE || e->op == EVENT_ALLOC || (is_access(e) && !known && e->op != EVENT_READ))
    contents_forget(&c->memory, e->object, e->size);
  if (e->op == RECORDED_INITIAL && e->size <= 8) remember(c, e, e->value);
  if (e->op == RECORDED_INITIAL && e->size > 8) contents_zero(&c->memory, e->object, e->size);
  if (!is_access(e) || !known) return;
  if (e->op != EVENT_WRITE) reads(c, e);
  remember(c, e, e->op == EVENT_RMW ? e->value2 : e->value);
}

static void check_event(struct checker *c, const struct recorded_names *names, const struct event *e) {
  c->r->events++;
  in_thread(c, e);
  must(c, e->site == 0 || e->site < names->sites.count, CHECK_SITE, e);
  if (e->op >= RECORDED_OPS) {
    broken(c, CHECK_OPERATION, e);
    return;
  }
  if (e->op == EVENT_FORK || e->op == EVENT_JOIN) fork_or_join(c, e);
  if (e->op >= EVENT_ACQUIRE && e->op <= EVENT_WAIT_LEAVE) operate(c, e);
  if (is_access(e) || e->op == EVENT_FREE || e->op == EVENT_ALLOC || e->op == RECORDED_INITIAL) access(c, e);
  if (e->op == RECORDED_BRANCH) must(c, e->object == 0 || e->object == e->value, CHECK_POINTER, e);
}

enum err check_run(struct recorded_stream *s, struct check_result *r) {
  enum { AT_ONCE = 4096 };
  static struct event events[AT_ONCE];
  struct checker c = {.r = r};
  *r = (struct check_result){0};
  for (size_t n; (n = s->next(s, events, AT_ONCE)) > 0;)
    for (size_t i = 0; i < n; i++) check_event(&c, s->names, &events[i]);
  vec_release(&c.threads);
  hashmap_release(&c.locks);
  hashmap_release(&c.reads);
  vec_release(&c.held);
  contents_release(&c.memory);
  return s->e;
}
