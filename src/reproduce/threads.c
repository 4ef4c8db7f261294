#include "reproduce/threads.h"

#include <string.h>

#include "base/deadline.h"
#include "base/hash.h"
#include "machine/apart.h"
#include "trace/path_log.h"

/* Most rounds: each but the last has shown memory that several threads use. */
#define ROUNDS_MOST 64u
/* Reads between two marks, once there are many. */
#define MARKS_FEW 4096u
#define MARK_EACH 16u
/* Values of one place that are kept, at most. */
#define STORED_MOST 32u

/* A read that was said to find something. */
struct said {
  uint32_t thread;
  struct symbol symbol;
  uint64_t object, size, value;
  size_t mark;   /* of the machine, before the read; 0: none */
  size_t events; /* there were before it */
};

/* A byte of memory. */
enum { USED_MANY = 1 << 8, USED_WRITTEN = 1 << 9, USED_SHARED = 1 << 10 }; /* and below these: the thread that used it first, + 1 */
_Static_assert(THREADS_MAX <= 256, "a thread's number, and one, below USED_MANY");

/* Which memory is taken for the thread's alone: all that no other was seen to use; what lies on its own stack and heap; none. */
enum trust { TRUST_ALL, TRUST_OWN, TRUST_NOTHING };

/* What has its value behind the last bit of the thread that failed in the run: an address, or what has no expression. */
struct fixed {
  struct expr of;
  size_t events, conditions; /* there were before it */
};

struct round {
  struct apart *a;
  struct machine *m;
  const struct path_log *log;
  VEC(struct said) said;
  VEC(struct path *) paths;   /* with what the log says of the first 0, 1, .. conditions */
  struct value_model model;   /* what was said, and what the solver wants said */
  struct hashmap known;       /* symbols in it -> 1 */
  uint32_t seen[THREADS_MAX]; /* symbols of each thread */
  enum trust trust;
  bool grown; /* memory turned out to be used by several threads */
  VEC(struct fixed) fixed;
  unsigned tried;         /* of their symbols */
  bool late[THREADS_MAX]; /* what it read led nowhere: it goes when the others have written what they write */
  struct hashmap vain;    /* a symbol and a value -> 1: it led nowhere */
  struct diag *d;
};

enum err apart_refuse(const struct machine *m, uint32_t thread, uint32_t site, const char *why, struct diag *d) {
  struct text where = {0};
  image_site_text(machine_image(m), site, &where);
  diag_set(d, ERR_UNSUPPORTED, "%s: %s (thread %s)", text_str(&where), why, machine_thread_name(m, thread));
  text_release(&where);
  return ERR_UNSUPPORTED;
}

static enum err cannot(struct round *r, uint32_t thread, uint32_t site, const char *why) {
  return apart_refuse(r->m, thread, site, why, r->d);
}

/* --- who uses which memory --- */

static void note_use(struct round *r, const struct event *e) {
  for (uint64_t i = 0; i < e->size; i++) {
    uint64_t *use = hashmap_at(&r->a->used, e->object + i, 0, NULL);
    if ((*use & 255) == 0) *use |= (e->thread + 1) & 255;
    if ((*use & 255) != ((e->thread + 1) & 255)) *use |= USED_MANY;
    if (event_writes(e)) *use |= USED_WRITTEN;
    if ((*use & USED_MANY) && (*use & USED_WRITTEN) && !(*use & USED_SHARED)) *use |= USED_SHARED, r->grown = true;
  }
}

static bool is_shared(const struct round *r, uint64_t object, uint64_t size) {
  for (uint64_t i = 0; i < size; i++) {
    const uint64_t *use = hashmap_find(&r->a->used, object + i);
    if (use && (*use & USED_SHARED)) return true;
  }
  return false;
}

/* At first nobody knows who else will write there: all may be others', or all that is not on the thread's own stack or heap. */
static bool may_be_shared(const struct round *r, const struct event *e) {
  if (is_shared(r, e->object, e->size)) return true;
  return r->trust == TRUST_NOTHING || (r->trust == TRUST_OWN && !apart_is_own(r->m, e->thread, e->object));
}

/* --- reads --- */

/* What the thread last found there; else what is there. */
static uint64_t guess(const struct round *r, const struct event *e) {
  for (size_t i = r->said.count; i-- > 0 && r->said.count - i < 64;) {
    const struct said *s = &r->said.data[i];
    if (s->thread == e->thread && s->object == e->object && s->size == e->size) return s->value;
  }
  uint64_t value = 0;
  (void)machine_peek(r->m, e->object, (uint32_t)e->size, &value);
  return value;
}

static struct said *said_of(struct round *r, struct symbol s) {
  for (size_t i = r->said.count; i-- > 0;)
    if (r->said.data[i].symbol.id == s.id) return &r->said.data[i];
  return NULL;
}

static struct expr say(struct round *r, const struct event *e) {
  struct value_pool *pool = apart_pool(r->m);
  const struct symbol_name name = {.thread = machine_thread_name(r->m, e->thread), .count = r->seen[e->thread]++};
  struct expr symbol = expr_symbol(pool, name, (unsigned)(8 * e->size));
  struct symbol is = expr_the_symbol(pool, symbol);
  uint64_t *known = hashmap_at(&r->known, is.id, 0, NULL);
  uint64_t value = *known ? (uint64_t)value_model_get(&r->model, is) : guess(r, e);
  *known = 1;
  bool marks = r->said.count < MARKS_FEW || r->said.count % MARK_EACH == 0;
  size_t mark = marks ? machine_mark(r->m, NULL) : 0;
  *vec_push(&r->said) = (struct said){e->thread, is, e->object, e->size, value, mark, r->a->events.count};
  value_model_set(&r->model, is, value);
  apart_read(r->m, e->thread, symbol, value);
  return symbol;
}

/* --- going back --- */

static struct path *path_of(struct round *r) {
  if (r->paths.count == 0) *vec_push(&r->paths) = NULL;
  for (size_t i = r->paths.count - 1; i < apart_conditions(r->m); i++) {
    struct path *before = r->paths.data[i];
    bool told = apart_condition_told(r->m, i);
    *vec_push(&r->paths) = told ? path_extend(apart_pool(r->m), before, apart_condition(r->m, i)) : path_keep(before);
  }
  return vec_last(&r->paths);
}

static void begin(struct round *r) {
  machine_reset(r->m);
  r->a->events.count = r->said.count = r->fixed.count = 0;
  while (r->paths.count) path_release(vec_pop(&r->paths));
  memset(r->seen, 0, sizeof r->seen);
}

static void count_symbols(struct round *r) {
  memset(r->seen, 0, sizeof r->seen);
  for (size_t i = 0; i < r->said.count; i++) r->seen[r->said.data[i].thread]++;
}

/* To before that read, or one before it. */
static void go_back_to(struct round *r, size_t i) {
  while (i > 0 && (i == r->said.count || !r->said.data[i].mark)) i--;
  machine_rollback(r->m, r->said.data[i].mark);
  r->a->events.count = r->said.data[i].events;
  r->said.count = i;
  count_symbols(r);
  while (r->paths.count > 1 && r->paths.count - 1 > apart_conditions(r->m)) path_release(vec_pop(&r->paths));
  while (r->fixed.count && vec_last(&r->fixed).events >= r->a->events.count) r->fixed.count--;
}

/* To before the first read that is to find something else. */
static void go_back(struct round *r) {
  size_t i = 0;
  while (i < r->said.count && (uint64_t)value_model_get(&r->model, r->said.data[i].symbol) == r->said.data[i].value) i++;
  go_back_to(r, i);
}

/* --- a null pointer that no branch asks for --- */

static struct expr is_value(struct round *r, struct symbol s, uint64_t value) {
  struct value_pool *pool = apart_pool(r->m);
  unsigned width = symbol_width(pool, s);
  return expr_binary(pool, EXPR_EQ, expr_symbol(pool, symbol_name(pool, s), width), expr_constant(pool, width, value));
}

/* Of the values that are fixed behind the last bit, one pointer after the other is null. False: there is none left. */
static bool next_null(struct round *r, size_t *at, struct expr *wanted) {
  struct value_pool *pool = apart_pool(r->m);
  unsigned i = 0;
  for (size_t k = r->fixed.count; k-- > 0;) {
    size_t n;
    const struct symbol *of = symbol_set_list(pool, expr_symbols(pool, r->fixed.data[k].of), &n);
    for (size_t s = 0; s < n; s++) {
      if (symbol_width(pool, of[s]) != 64 || i++ < r->tried) continue;
      *at = r->fixed.data[k].conditions;
      *wanted = is_value(r, of[s], 0);
      r->tried++;
      return true;
    }
  }
  return false;
}

/* All have gone as their logs say, and nobody has failed: what the thread that did in the run did last is no failure with the values that
 * were assumed. True: it goes back, to find others. */
static bool seek_failure(struct round *r) {
  size_t at;
  struct expr wanted;
  while (next_null(r, &at, &wanted)) {
    struct value_model model = {0};
    (void)path_of(r);
    value_model_copy(&model, &r->model);
    bool may = value_may(apart_solver(r->m), r->paths.data[at], wanted, &model) == VALUE_YES;
    if (may) value_model_copy(&r->model, &model);
    value_model_release(&model);
    if (!may) continue;
    go_back(r);
    return true;
  }
  return false;
}

/* --- values that somebody writes --- */

static void note_stored(struct apart *a, const struct event *e) {
  uint64_t value = 0;
  (void)machine_peek(a->machine, e->object, (uint32_t)e->size, &value);
  uint64_t *last = hashmap_at(&a->stored_at, hash_pair(e->object, e->size), 0, NULL);
  unsigned n = 0;
  for (uint64_t i = *last; i; i = a->stored.data[i - 1].next)
    if (a->stored.data[i - 1].value == value || ++n == STORED_MOST) return;
  *vec_push(&a->stored) = (struct apart_stored){value, (uint32_t)*last};
  *last = a->stored.count;
}

/* The symbol has a value that somebody has written there, and then `wanted` holds, after the first `conditions`. True: the model has it. */
static bool may_find(struct round *r, struct symbol s, struct expr wanted, size_t conditions) {
  struct value_pool *pool = apart_pool(r->m);
  const struct said *said = said_of(r, s);
  const uint64_t *last = said ? hashmap_find(&r->a->stored_at, hash_pair(said->object, said->size)) : NULL;
  for (uint64_t i = last ? *last : 0; i; i = r->a->stored.data[i - 1].next) {
    uint64_t value = r->a->stored.data[i - 1].value;
    if (value == said->value || hashmap_find(&r->vain, hash_pair(s.id, value))) continue;
    struct value_model model = {0};
    struct expr both = expr_binary(pool, EXPR_AND, wanted, is_value(r, s, value));
    value_model_copy(&model, &r->model);
    bool may = value_may(apart_solver(r->m), r->paths.data[conditions], both, &model) == VALUE_YES;
    if (may) value_model_copy(&r->model, &model);
    value_model_release(&model);
    if (may) return true;
  }
  return false;
}

/* One of the symbols that `e` depends on. */
static bool any_may_find(struct round *r, struct expr e, struct expr wanted, size_t conditions) {
  size_t n;
  const struct symbol *of = symbol_set_list(apart_pool(r->m), expr_symbols(apart_pool(r->m), e), &n);
  for (size_t i = n; i-- > 0;)
    if (may_find(r, of[i], wanted, conditions)) return true;
  return false;
}

/* --- a pointer that leads nowhere --- */

/* The thread goes once more, from its beginning, when the others have gone as far as they can: it finds what they have written then. */
static void begin_late(struct round *r, uint32_t thread) {
  r->late[thread] = true;
  for (size_t i = 0; i < r->said.count; i++)
    if (r->said.data[i].thread == thread) *hashmap_at(&r->known, r->said.data[i].symbol.id, 0, NULL) = 0;
  begin(r);
}

/* The thread has failed before it had come where its log ends, as what it was said to find is no address. True: it goes back, to find
 * something else; or to its beginning, once. */
static bool lead_elsewhere(struct round *r, uint32_t thread) {
  struct value_pool *pool = apart_pool(r->m);
  struct expr address, any = expr_constant(pool, 1, 1);
  uint64_t at;
  size_t n;
  if (apart_log_ended(r->m, thread) || !apart_reached(r->m, thread, &address, &at)) return false;
  const struct symbol *of = symbol_set_list(pool, expr_symbols(pool, address), &n);
  for (size_t i = 0; i < n; i++) {
    const struct said *s = said_of(r, of[i]);
    if (s) hashmap_at(&r->vain, hash_pair(of[i].id, s->value), 1, NULL);
  }
  (void)path_of(r);
  if (any_may_find(r, address, any, apart_conditions(r->m))) {
    go_back(r);
    return true;
  }
  if (r->late[thread]) return false;
  begin_late(r, thread);
  return true;
}

/* The thread has left its log. */
static enum err correct(struct round *r, uint32_t thread) {
  struct expr wanted;
  struct machine_departure where = {0};
  (void)machine_departure(r->m, &where);
  if (!apart_wanted(r->m, &wanted))
    return cannot(r, thread, where.site,
                  where.at == where.of
                      ? "the exit code is another one than in the run, and it depends on nothing that other threads wrote"
                      : "this branch goes another way than in the run, and it depends on nothing that other threads wrote");
  struct path *path = path_of(r);
  if (any_may_find(r, wanted, wanted, apart_conditions(r->m))) {
    go_back(r);
    return ERR_NONE;
  }
  enum value_answer answer = value_may(apart_solver(r->m), path, wanted, &r->model);
  if (answer == VALUE_NO)
    return cannot(r, thread, where.site,
                  "this branch cannot have gone as in the run after what the thread did before (with the addresses that it used)");
  if (answer == VALUE_UNKNOWN) return cannot(r, thread, where.site, value_reason_text(value_solver_reason(apart_solver(r->m))));
  go_back(r);
  return ERR_NONE;
}

/* --- steps --- */

/* Whose order among threads is a part of the formula. */
static const uint64_t kept_ops = OP(FORK) | OP(JOIN) | OP(BEGIN) | OP(END) | OP(ACQUIRE) | OP(RELEASE) | OP(WAIT_ENTER) | OP(WAIT_LEAVE) |
                                 OP(SIGNAL) | OP(BROADCAST) | OP(FENCE) | OP(SEM_WAIT) | OP(SEM_POST) | OP(BARRIER_ENTER) |
                                 OP(BARRIER_LEAVE);
static const uint64_t passed_ops = OP(YIELD) | OP(ALLOC) | OP(FREE) | OP(OUTPUT) | OP(CHOICE);

/* Threads apart wake by themselves, and then take the mutex back like any other lock. In the run somebody woke them, and that is one step.
 */
static bool ends_wait(struct round *r, const struct event *e) {
  size_t i = r->a->events.count;
  while (i > 0 && r->a->events.data[i - 1].thread != e->thread) i--;
  struct apart_event *last = i ? &r->a->events.data[i - 1] : NULL;
  if (!last || e->op != EVENT_ACQUIRE || last->op != EVENT_WAIT_LEAVE || !(last->flags & EVENT_TIMED_OUT)) return false;
  last->flags &= (uint8_t)~EVENT_TIMED_OUT;
  last->mutex = e->object;
  return true;
}

/* What the rules of an order know nothing of. */
static enum err check_event(struct round *r, const struct event *e) {
  const struct apart *a = r->a;
  bool counts = e->op == EVENT_SEM_POST || e->op == EVENT_SEM_WAIT;
  const struct apart_event *before = NULL;
  for (size_t i = a->events.count; (counts || e->op == EVENT_FORK) && !before && i-- > 0;) {
    const struct apart_event *b = &a->events.data[i];
    bool passes = counts ? b->op == EVENT_SEM_POST || b->op == EVENT_SEM_WAIT : b->op == EVENT_FORK;
    if (passes && b->object == e->object) before = b;
  }
  if (!before) return ERR_NONE;
  if (!counts) return cannot(r, e->thread, e->site, "a number of a thread that is over is given to another one: there are too many");
  uint64_t count = e->op == EVENT_SEM_POST ? e->value - 1 : e->value + 1;
  return count == before->value ? ERR_NONE : cannot(r, e->thread, e->site, "the semaphore was initialised once more");
}

static enum err take_event(struct round *r, const struct event *e, struct expr symbol, struct expr address, uint64_t bits) {
  struct apart *a = r->a;
  struct apart_event x = {.op = e->op,
                          .order = e->order,
                          .flags = e->flags,
                          .thread = e->thread,
                          .site = e->site,
                          .object = e->object,
                          .size = e->size,
                          .value = e->value,
                          .bits = bits,
                          .read = NO_EXPR,
                          .written = NO_EXPR,
                          .address = address};
  if (event_reads(e) || event_writes(e)) {
    note_use(r, e);
    if (event_writes(e) && e->size <= 8) note_stored(a, e);
    a->reaches |= address.id != NO_EXPR.id;
    x.hidden = address.id == NO_EXPR.id && !is_shared(r, e->object, e->size);
    bool waits = e->op == EVENT_RMW || (e->op == EVENT_READ && e->flags & EVENT_DRAINS);
    if (x.hidden && waits) { /* others see that the thread's stores were before it */
      x.op = EVENT_FENCE, x.order = ORDER_SEQ_CST, x.hidden = false;
      *vec_push(&a->events) = x;
      return ERR_NONE;
    }
    if (x.hidden && (event_reads(e) || e->size > 8)) return ERR_NONE;
    if (e->size > 8 && r->trust != TRUST_ALL) return ERR_NONE;
    if (e->size > 8) return cannot(r, e->thread, e->site, "an access of more than 8 bytes to memory that several threads use");
    if (event_reads(e)) x.read = symbol;
    if (event_writes(e)) x.written = apart_memory(r->m, e->object, e->size);
    (void)machine_initial(r->m, e->object, (uint32_t)e->size, &x.initial);
  } else if (passed_ops >> e->op & 1) {
    return ERR_NONE;
  } else if (!(kept_ops >> e->op & 1)) {
    struct text why = {0};
    text_printf(&why, "a step of the kind \"%s\" is not part of the formula", event_op_text((enum event_op)e->op));
    enum err err = cannot(r, e->thread, e->site, text_str(&why));
    text_release(&why);
    return err;
  }
  if (ends_wait(r, e)) return ERR_NONE;
  if (e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE) x.mutex = e->value2;
  *vec_push(&a->events) = x;
  return ERR_NONE;
}

static bool is_failing(const struct round *r, uint32_t thread) {
  const struct path_failure *f = &r->log->header.failure;
  return f->signal && machine_log_thread(r->m, thread) == f->thread;
}

/* Who goes first: threads that have not come to the end of their logs, or create others; then those that have, for what they wrote behind
 * their last branch may be what others found; then the one that failed in the run, up to that; then those that begin_late() is about.
 * Threads at the ends of their logs need not have done more: where that is in others' way, last of all they take what others may need, who
 * had it before the run ended (`takes`). */
enum { GOES_FIRST, GOES_LATE, GOES_TO_FAILURE, GOES_AGAIN, GOES_AT_FAILURE, GOES_LAST, GOES_NOT };

static unsigned turn_of(const struct round *r, uint32_t thread) {
  if (thread >= THREADS_MAX || !tset_has(machine_enabled(r->m), thread)) return GOES_NOT;
  const struct event *e = machine_pending(r->m, thread);
  if (event_fails(e) || (e->op == EVENT_YIELD && (e->flags & EVENT_EXIT))) return GOES_AT_FAILURE;
  if (is_failing(r, thread)) return GOES_TO_FAILURE;
  uint8_t op = e->op;
  if (!apart_log_ended(r->m, thread) || op == EVENT_FORK) return r->late[thread] ? GOES_AGAIN : GOES_FIRST;
  bool takes = (1ull << op) & (OP(ACQUIRE) | OP(WAIT_LEAVE) | OP(SEM_WAIT));
  return takes && !r->a->takes ? GOES_LAST : GOES_LATE;
}

/* The present thread as long as nobody goes before it. */
static uint32_t next_thread(const struct round *r, uint32_t present) {
  const struct tset *enabled = machine_enabled(r->m);
  uint32_t best = present;
  for (uint32_t t = tset_next(enabled, 0); t < THREADS_MAX; t = tset_next(enabled, t + 1))
    if (turn_of(r, t) < turn_of(r, best)) best = t;
  return best;
}

/* A compare-exchange that has exchanged nothing waited for the thread's stores, which is so without buffers, too. Where others write, it
 * might as well exchange: it writes what was there, or something else. */
static void exchange(struct event *x, struct expr symbol) {
  x->flags |= EVENT_DRAINS;
  if (symbol.id != NO_EXPR.id) x->op = EVENT_RMW, x->value2 = x->value;
}

static enum err one_step(struct round *r, uint32_t thread) {
  struct event e = *machine_pending(r->m, thread);
  struct expr symbol = NO_EXPR;
  uint32_t from, to;
  struct expr address = NO_EXPR;
  uint64_t at = 0;
  bool accesses = e.op == EVENT_READ || e.op == EVENT_RMW || e.op == EVENT_WRITE;
  if (!accesses || !apart_reached(r->m, thread, &address, &at) || at != e.object) address = NO_EXPR;
  bool reads = (e.op == EVENT_READ || e.op == EVENT_RMW) && (address.id != NO_EXPR.id || may_be_shared(r, &e));
  if (reads && e.size > 8 && r->trust != TRUST_ALL) reads = false;
  if (reads && e.size > 8) return cannot(r, thread, e.site, "an access of more than 8 bytes to memory that several threads use");
  if (reads) symbol = say(r, &e);
  uint64_t bits = apart_log_at(r->m, thread);
  size_t known = apart_conditions(r->m);
  bool last = is_failing(r, thread) && apart_log_ended(r->m, thread);
  if (last && address.id != NO_EXPR.id) *vec_push(&r->fixed) = (struct fixed){address, r->a->events.count, known};
  (void)machine_trace(r->m, &from);
  machine_step(r->m, thread, 0);
  for (size_t i = known; is_failing(r, thread) && apart_log_ended(r->m, thread) && i < apart_conditions(r->m); i++)
    if (apart_condition_fixes(r->m, i)) *vec_push(&r->fixed) = (struct fixed){apart_condition(r->m, i), r->a->events.count, i};
  const struct event *trace = machine_trace(r->m, &to);
  for (uint32_t i = from; i < to; i++) {
    struct event x = trace[i];
    if (e.op == EVENT_RMW && x.op == EVENT_READ) exchange(&x, symbol);
    enum err err = check_event(r, &x);
    if (!err) err = take_event(r, &x, symbol, address, bits);
    if (err) return err;
  }
  return ERR_NONE;
}

/* Nobody can come to memory that nobody came to. */
static void forget_hidden(struct apart *a) {
  size_t n = 0;
  for (size_t i = 0; i < a->events.count; i++)
    if (!a->events.data[i].hidden) a->events.data[n++] = a->events.data[i];
  a->events.count = n;
}

/* What fails by its address is no step: that the address is this one is a condition. */
static void add_failing_address(struct round *r) {
  struct value_pool *pool = apart_pool(r->m);
  struct expr address;
  uint64_t at;
  if (machine_status(r->m) != MACHINE_FAILED || !apart_reached(r->m, r->a->failing, &address, &at)) return;
  *vec_push(&r->a->conditions) = expr_binary(pool, EXPR_EQ, address, expr_constant(pool, 64, at));
  *vec_push(&r->a->fixes) = true;
}

/* Has everybody come to the end of their log? What was there before the last bit of it was there in the run, and all that the thread did
 * which failed. */
static enum err settle(struct round *r) {
  struct apart *a = r->a;
  bool begun[THREADS_MAX] = {0};
  if (!a->reaches) forget_hidden(a);
  for (size_t i = 0; i < a->events.count; i++) {
    struct apart_event *e = &a->events.data[i];
    begun[e->thread] = true;
    e->needed = e->bits < apart_log_at(r->m, e->thread) || e->thread == a->failing;
  }
  for (uint32_t t = 0; t < THREADS_MAX; t++) {
    if (begun[t] && !apart_log_ended(r->m, t))
      return cannot(r, t, machine_pending(r->m, t)->site, "executed apart, the thread does not come to the end of its log");
  }
  for (size_t i = 0; i < apart_conditions(r->m); i++) {
    *vec_push(&a->conditions) = apart_condition(r->m, i);
    *vec_push(&a->fixes) = apart_condition_fixes(r->m, i);
  }
  add_failing_address(r);
  return ERR_NONE;
}

static enum err one_round(struct round *r) {
  uint32_t thread = THREADS_MAX;
  begin(r);
  for (;;) {
    if (deadline_passed) return diag_set(r->d, ERR_UNSUPPORTED, "there was no more time to execute the threads apart");
    if (machine_status(r->m) == MACHINE_ASSUMED) {
      enum err e = correct(r, thread);
      if (e) return e;
    }
    enum machine_status status = machine_status(r->m);
    if (status == MACHINE_FAILED && lead_elsewhere(r, thread)) continue;
    if (status != MACHINE_RUNNING && (status == MACHINE_FAILED || status == MACHINE_UNSUPPORTED || !seek_failure(r))) break;
    thread = next_thread(r, thread);
    enum err e = one_step(r, thread);
    if (e) return e;
  }
  r->a->failing = thread;
  if (machine_status(r->m) == MACHINE_UNSUPPORTED) return diag_set(r->d, ERR_UNSUPPORTED, "%s", text_str(&machine_diag(r->m)->message));
  return ERR_NONE;
}

static void release(struct round *r) {
  while (r->paths.count) path_release(vec_pop(&r->paths));
  vec_release(&r->paths);
  vec_release(&r->said);
  value_model_release(&r->model);
  hashmap_release(&r->known);
  vec_release(&r->fixed);
  hashmap_release(&r->vain);
}

static enum err make_round(struct apart *a, struct round *r) {
  vec_clear(&a->events);
  vec_clear(&a->conditions);
  vec_clear(&a->fixes);
  a->reaches = false;
  enum err e = one_round(r);
  if (!e && r->trust == TRUST_ALL && !r->grown) e = settle(r);
  release(r);
  return e;
}

/* First rounds find out which memory several threads use; the last one goes by it. */
static enum err make_rounds(struct apart *a, const struct path_log *log, enum trust trust, const struct value_model *values,
                            struct diag *d) {
  enum err e = ERR_NONE;
  bool again = true;
  for (uint32_t i = 0; again && i < ROUNDS_MOST && !deadline_passed; i++) {
    struct round r = {.a = a, .m = a->machine, .log = log, .trust = trust, .d = d};
    for (size_t k = 0; values && k < values->values.count; k++) hashmap_at(&r.known, values->values.data[k].symbol.id, 1, NULL);
    if (values) value_model_copy(&r.model, values);
    e = make_round(a, &r);
    again = r.grown || trust != TRUST_ALL;
    if (!r.grown) trust = e && trust == TRUST_OWN ? TRUST_NOTHING : TRUST_ALL;
  }
  if (!e && again) e = diag_set(d, ERR_UNSUPPORTED, "executed apart, the threads use other memory each time");
  if (!e && machine_status(a->machine) != MACHINE_FAILED)
    e = diag_set(d, ERR_UNSUPPORTED,
                 "executed apart, no thread fails: what failed in the run needs several threads, or a value that no branch asks for");
  return e;
}

enum err apart_execute(struct apart *a, struct machine *m, const struct path_log *log, struct diag *d) {
  *a = (struct apart){.machine = m, .takes = true};
  enum err e = make_rounds(a, log, TRUST_OWN, NULL, d);
  if (!e || deadline_passed) return e;
  a->takes = false;
  return make_rounds(a, log, TRUST_OWN, NULL, d);
}

enum err apart_again(struct apart *a, const struct path_log *log, const struct value_model *values, struct diag *d) {
  return make_rounds(a, log, TRUST_ALL, values, d);
}

void apart_release(struct apart *a) {
  vec_release(&a->events);
  vec_release(&a->conditions);
  vec_release(&a->fixes);
  vec_release(&a->stored);
  hashmap_release(&a->used);
  hashmap_release(&a->stored_at);
}

void apart_assumed(const struct apart *a, struct apart *to) {
  struct value_pool *pool = apart_pool(a->machine);
  *to = (struct apart){.machine = a->machine, .failing = a->failing};
  for (size_t i = 0; i < a->events.count; i++) {
    const struct apart_event *e = &a->events.data[i];
    if (!e->hidden) *vec_push(&to->events) = *e;
    if (e->address.id == NO_EXPR.id) continue;
    *vec_push(&to->conditions) = expr_binary(pool, EXPR_EQ, e->address, expr_constant(pool, 64, e->object));
    *vec_push(&to->fixes) = true;
  }
  for (size_t i = 0; i < a->conditions.count; i++) {
    *vec_push(&to->conditions) = a->conditions.data[i];
    *vec_push(&to->fixes) = a->fixes.data[i];
  }
}
