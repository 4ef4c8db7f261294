#include "witness_sim.h"

#include <string.h>

_Static_assert(sizeof(struct sim_state) ==
                   4 * SIM_THREADS + 2 + 2 * SIM_LOCKS + 4 + SIM_BYTES + SIM_THREADS * SIM_BUFFER * sizeof(struct sim_store),
               "states are compared as bytes");

static uint32_t lock_of(const struct event *e) { return (uint32_t)(e->object - SIM_LOCK) / 64; }
static uint32_t mutex_of_wait(uint64_t mutex) { return (uint32_t)(mutex - SIM_LOCK) / 64; }
static uint8_t cond_of(const struct event *e) { return (uint8_t)((e->object - SIM_COND) / 64 + 1); }
static bool on_semaphore(const struct event *e) { return e->object >= SIM_SEM && e->object < SIM_BARRIER; }

void sim_begin(const struct sim *x, struct sim_state *s) {
  memset(s, 0, sizeof *s);
  s->begun = 1;
  s->count = x->initial_count;
  memcpy(s->memory, x->initial, SIM_BYTES);
}

const struct event *sim_next(const struct sim *x, const struct sim_state *s, uint32_t thread, uint32_t ahead) {
  uint32_t at = s->position[thread] + ahead;
  return at < x->length[thread] ? &x->trace[x->by_thread[thread][at]] : NULL;
}

/* --- memory --- */

/* The byte that the thread reads: of its newest store there that is not flushed, else memory's. */
static uint8_t byte_for(const struct sim_state *s, uint32_t thread, uint32_t at) {
  for (uint32_t i = s->stores[thread]; i-- > 0;) {
    const struct sim_store *w = &s->buffer[thread][i];
    if (at >= w->at && at < (uint32_t)(w->at + w->size)) return w->value[at - w->at];
  }
  return s->memory[at];
}

static uint64_t load(const struct sim_state *s, const struct event *e) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < e->size; i++) value |= (uint64_t)byte_for(s, e->thread, (uint32_t)(e->object - SIM_MEMORY) + i) << (8 * i);
  return value;
}

static void store(struct sim_state *s, uint64_t address, uint64_t size, uint64_t value) {
  for (uint32_t i = 0; i < size; i++) s->memory[address - SIM_MEMORY + i] = (uint8_t)(value >> (8 * i));
}

static bool touches_freed(const struct sim_state *s, const struct event *e) {
  for (uint64_t at = e->object - SIM_MEMORY; at < e->object - SIM_MEMORY + e->size; at++)
    if (s->freed >> (at / 4) & 1) return true;
  return false;
}

/* Must the thread's stores have reached memory before this event? */
static bool drains(const struct sim *x, const struct event *e) {
  if (x->memory == SIM_SC) return false;
  if (e->flags & EVENT_INTERNAL) return true;
  if (e->op == EVENT_READ || e->op == EVENT_AWAIT || e->op == EVENT_CHOICE) return false;
  if (e->op == EVENT_WRITE) return e->order == ORDER_SEQ_CST;
  if (e->op == EVENT_FENCE) return e->order == ORDER_SEQ_CST || (x->memory == SIM_PSO && e->order != ORDER_ACQUIRE);
  return true;
}

static bool is_buffered(const struct sim *x, const struct event *e) {
  return x->memory != SIM_SC && e->op == EVENT_WRITE && e->order != ORDER_SEQ_CST && !(e->flags & EVENT_INTERNAL);
}

/* May the thread's i-th store be flushed before those in front of it? */
bool sim_may_flush(const struct sim *x, const struct sim_state *s, uint32_t thread, uint32_t i) {
  if (x->memory != SIM_PSO) return i == 0;
  const struct sim_store *w = &s->buffer[thread][i];
  if (w->release) return i == 0;
  for (uint32_t k = 0; k < i; k++) {
    const struct sim_store *other = &s->buffer[thread][k];
    if (other->at < w->at + w->size && w->at < other->at + other->size) return false;
  }
  return true;
}

uint32_t sim_flushes(const struct sim *x, const struct sim_state *s, uint32_t thread) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->stores[thread]; i++) n += sim_may_flush(x, s, thread, i);
  return n;
}

void sim_flush(const struct sim *x, struct sim_state *s, uint32_t thread, uint32_t which) {
  uint32_t i = 0;
  while (!sim_may_flush(x, s, thread, i) || which-- > 0) i++;
  sim_flush_at(s, thread, i);
}

void sim_flush_at(struct sim_state *s, uint32_t thread, uint32_t i) {
  const struct sim_store w = s->buffer[thread][i];
  memcpy(s->memory + w.at, w.value, w.size);
  memmove(&s->buffer[thread][i], &s->buffer[thread][i + 1], (s->stores[thread] - i - 1) * sizeof w);
  s->stores[thread]--;
  memset(&s->buffer[thread][s->stores[thread]], 0, sizeof w);
}

/* --- what an operation can do --- */

static bool lock_free(const struct sim_state *s, uint32_t lock, uint8_t flags) {
  return s->writer[lock] == 0 && ((flags & EVENT_SHARED_LOCK) || s->readers[lock] == 0);
}

/* The event with another operation, told whether its time was up. */
static struct event as(const struct event *e, enum event_op op, bool timed_out) {
  struct event out = *e;
  out.op = (uint8_t)op;
  out.flags = (uint8_t)((e->flags & ~EVENT_TIMED_OUT) | (timed_out ? EVENT_TIMED_OUT : 0));
  return out;
}

static uint32_t acquire(const struct sim_state *s, const struct event *e, struct event *out) {
  bool there = on_semaphore(e) ? s->count > 0 : lock_free(s, lock_of(e), e->flags);
  if (there) *out = as(e, on_semaphore(e) ? EVENT_SEM_WAIT : EVENT_ACQUIRE, false);
  if (there) out->value = on_semaphore(e) ? s->count - 1u : 0;
  if (!there) *out = as(e, EVENT_TRYFAIL, e->flags & EVENT_TIMED);
  if (!there) out->value = 0;
  return there || (e->flags & (EVENT_TRY | EVENT_TIMED));
}

static uint64_t waiters(const struct sim_state *s, uint8_t cond) {
  uint64_t set = 0;
  for (uint32_t t = 0; t < SIM_THREADS; t++)
    if (s->waiting[t] == cond && !(s->signalled >> t & 1)) set |= 1ull << t;
  return set;
}

static uint32_t notify(const struct sim_state *s, const struct event *e, struct event *out) {
  uint64_t set = waiters(s, cond_of(e));
  uint32_t n = 0;
  if (e->op == EVENT_SIGNAL)
    for (uint64_t rest = set; rest; rest &= rest - 1) out[n] = *e, out[n++].value = rest & -rest;
  if (n == 0) out[n] = *e, out[n++].value = set;
  return n;
}

static uint32_t wait_leave(const struct sim_state *s, const struct event *e, uint64_t mutex, struct event *out) {
  if (s->signalled >> e->thread & 1) {
    *out = as(e, EVENT_WAIT_LEAVE, false);
    out->value2 = mutex;
    return lock_free(s, mutex_of_wait(mutex), 0);
  }
  *out = as(e, EVENT_WAIT_LEAVE, true);
  out->value2 = 0;
  return (e->flags & EVENT_TIMED) != 0;
}

static uint32_t join(const struct sim *x, const struct sim_state *s, const struct event *e, struct event *out) {
  uint32_t child = (uint32_t)e->object, n = 0;
  bool ended = s->begun >> child & 1 && s->position[child] == x->length[child] && x->length[child] > 0 &&
               x->trace[x->by_thread[child][x->length[child] - 1]].op == EVENT_END;
  if (ended) out[n++] = as(e, EVENT_JOIN, false);
  if (e->flags & (EVENT_TRY | EVENT_TIMED)) out[n++] = as(e, EVENT_JOIN, true);
  return n;
}

static uint32_t read_memory(const struct sim_state *s, const struct event *e, uint64_t seen, struct event *out) {
  if (touches_freed(s, e)) return 0;
  uint64_t value = load(s, e);
  if ((e->flags & EVENT_WAITS) && value == seen) return 0;
  *out = *e;
  if (e->op != EVENT_AWAIT) out->value = value;
  return 1;
}

static uint32_t one(const struct event *e, struct event *out) {
  *out = *e;
  return 1;
}

static uint32_t choose(const struct event *e, struct event *out) {
  for (uint32_t i = 0; i < e->size; i++) out[i] = *e, out[i].value = i;
  return (uint32_t)e->size;
}

static uint32_t write_memory(const struct sim *x, const struct sim_state *s, const struct event *e, struct event *out) {
  if (touches_freed(s, e) || (is_buffered(x, e) && s->stores[e->thread] == SIM_BUFFER)) return 0;
  return one(e, out);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
uint32_t sim_outcomes(const struct sim *x, const struct sim_state *s, const struct event *e, uint64_t seen, struct event *out) {
  if (!(s->begun >> e->thread & 1) || (drains(x, e) && s->stores[e->thread])) return 0;
  switch ((enum event_op)e->op) {
    case EVENT_READ:
    case EVENT_RMW:
    case EVENT_AWAIT:
      return read_memory(s, e, seen, out);
    case EVENT_WRITE:
    case EVENT_FREE:
      return write_memory(x, s, e, out);
    case EVENT_ACQUIRE:
    case EVENT_TRYFAIL:
    case EVENT_SEM_WAIT:
      return acquire(s, e, out);
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
      return notify(s, e, out);
    case EVENT_WAIT_LEAVE:
      return wait_leave(s, e, SIM_LOCK, out); /* the generator waits with lock 0 alone */
    case EVENT_JOIN:
      return join(x, s, e, out);
    case EVENT_CHOICE:
      return choose(e, out);
    case EVENT_BARRIER_ENTER:
      *out = *e;
      out->value = s->round, out->value2 = s->arrived + 1u == x->barrier;
      return 1;
    case EVENT_BARRIER_LEAVE:
      *out = *e;
      out->value = s->ticket[e->thread];
      return s->ticket[e->thread] < s->round;
    case EVENT_SEM_POST:
      *out = *e;
      out->value = s->count + 1u;
      return 1;
    default:
      return one(e, out);
  }
}

static void hold(struct sim_state *s, uint32_t lock, const struct event *e, bool take) {
  if (e->flags & EVENT_SHARED_LOCK)
    s->readers[lock] = (uint8_t)(take ? s->readers[lock] | 1u << e->thread : s->readers[lock] & ~(1u << e->thread));
  else
    s->writer[lock] = take ? (uint8_t)(e->thread + 1) : 0;
}

static void write_applied(const struct sim *x, struct sim_state *s, const struct event *e) {
  if (!is_buffered(x, e)) {
    store(s, e->object, e->size, e->value);
    return;
  }
  struct sim_store *w = &s->buffer[e->thread][s->stores[e->thread]++];
  w->at = (uint8_t)(e->object - SIM_MEMORY), w->size = (uint8_t)e->size, w->release = e->order == ORDER_RELEASE;
  for (uint32_t i = 0; i < e->size; i++) w->value[i] = (uint8_t)(e->value >> (8 * i));
}

static void leave_wait(struct sim_state *s, const struct event *e) {
  if (!(e->flags & EVENT_TIMED_OUT)) s->writer[mutex_of_wait(e->value2)] = (uint8_t)(e->thread + 1);
  s->waiting[e->thread] = 0;
  s->signalled &= (uint8_t) ~(1u << e->thread);
}

static void arrive(const struct sim *x, struct sim_state *s, const struct event *e) {
  s->ticket[e->thread] = s->round;
  if (++s->arrived < x->barrier) return;
  s->arrived = 0;
  s->round++;
}

/* long: one case for each operation */
void sim_apply(const struct sim *x, struct sim_state *s, const struct event *e) {
  s->position[e->thread]++;
  switch ((enum event_op)e->op) {
    case EVENT_WRITE:
      write_applied(x, s, e);
      break;
    case EVENT_RMW:
      store(s, e->object, e->size, e->value2);
      break;
    case EVENT_FREE:
      for (uint64_t at = e->object - SIM_MEMORY; at < e->object - SIM_MEMORY + e->size; at++) s->freed |= (uint8_t)(1u << (at / 4));
      break;
    case EVENT_FORK:
      s->begun |= (uint8_t)(1u << e->object);
      break;
    case EVENT_ACQUIRE:
    case EVENT_RELEASE:
      hold(s, lock_of(e), e, e->op == EVENT_ACQUIRE);
      break;
    case EVENT_WAIT_ENTER:
      s->writer[mutex_of_wait(e->value2)] = 0;
      s->waiting[e->thread] = cond_of(e);
      break;
    case EVENT_WAIT_LEAVE:
      leave_wait(s, e);
      break;
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
      s->signalled |= (uint8_t)e->value;
      break;
    case EVENT_SEM_POST:
      s->count++;
      break;
    case EVENT_SEM_WAIT:
      s->count--;
      break;
    case EVENT_BARRIER_ENTER:
      arrive(x, s, e);
      break;
    case EVENT_BARRIER_LEAVE:
      s->ticket[e->thread] = 0;
      break;
    default:
      break;
  }
}
#pragma GCC diagnostic pop

uint64_t sim_seen(const struct sim *x, uint32_t thread, uint32_t index, const struct event *e) {
  while (index-- > 0) {
    const struct event *before = &x->trace[x->by_thread[thread][index]];
    if ((before->op == EVENT_READ || before->op == EVENT_RMW) && before->object == e->object && before->size == e->size)
      return before->value;
  }
  return UINT64_MAX;
}

uint32_t sim_step_length(const struct sim *x, uint32_t thread, uint32_t index) {
  uint32_t n = 1;
  while (index + n < x->length[thread] && (x->trace[x->by_thread[thread][index + n]].flags & EVENT_INTERNAL)) n++;
  return n;
}

void sim_forget(const struct sim_state *s, uint32_t thread, uint32_t i, uint32_t issued[SIM_THREADS][SIM_BUFFER]) {
  memmove(&issued[thread][i], &issued[thread][i + 1], (s->stores[thread] - i - 1) * sizeof issued[thread][i]);
}

static void replay_flush(const struct sim *x, struct sim_state *s, uint32_t event, uint32_t issued[SIM_THREADS][SIM_BUFFER]) {
  uint32_t t = x->trace[event].thread, i = 0;
  while (issued[t][i] != event) i++;
  sim_forget(s, t, i, issued);
  sim_flush_at(s, t, i);
}

void sim_replay(const struct sim *x, struct sim_state *s, uint32_t issued[SIM_THREADS][SIM_BUFFER]) {
  sim_begin(x, s);
  for (uint32_t i = 0, flush = 0; i <= x->prefix; i++) {
    for (; flush < x->flushes && x->flushed[flush].at == i; flush++) replay_flush(x, s, x->flushed[flush].event, issued);
    if (i == x->prefix) return;
    uint32_t t = x->trace[i].thread, stores = s->stores[t];
    sim_apply(x, s, &x->trace[i]);
    if (s->stores[t] > stores) issued[t][stores] = i;
  }
}

const struct event *sim_pending(const struct sim *x, uint32_t thread) {
  for (uint32_t i = x->n; i < x->n + x->pending; i++)
    if (x->trace[i].thread == thread) return &x->trace[i];
  return NULL;
}
