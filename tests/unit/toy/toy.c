#include "toy.h"

#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "machine/interpret/depend.h"
#include "machine/invocation.h"
#include "machine/machine.h"
#include "machine/told.h"

#define MEMORY_BASE    0x10000u
#define MUTEX_BASE     0x20000u
#define RWLOCK_BASE    0x30000u
#define COND_BASE      0x40000u
#define SEMAPHORE_BASE 0x50000u
#define BARRIER_BASE   0x60000u
#define OBJECT_SIZE    40u
#define OBJECTS        2

struct toy_thread {
  bool live, ended, waiting, signalled, relocking, at_barrier;
  uint8_t pc;
  uint32_t events;
  uint64_t reg, log, ticket;
  struct event pending;
};

struct state {
  uint8_t memory[16];
  uint32_t mutex[OBJECTS], writer[OBJECTS]; /* owner + 1 */
  uint32_t readers[OBJECTS];                /* bit set */
  uint32_t semaphore[OBJECTS], arrived[OBJECTS], round[OBJECTS];
  uint32_t touched[16]; /* threads, as a bit set */
  struct toy_thread threads[TOY_THREADS];
  enum machine_status status;
  struct tset enabled, alive, parked;
  bool exhausted;
};

struct mark {
  struct state s;
  size_t events;
};

struct machine {
  const struct toy_program *program;
  struct state s;
  VEC(struct event) trace;
  VEC(struct mark) marks; /* from number 1 */
  struct finding finding;
  struct text output;
  uint16_t hidden; /* bytes whose accesses are not visible */
  bool sharing_changed, forgets;
  uint16_t shared; /* found to be */
};

struct machine *toy_new(const struct toy_program *p) {
  struct machine *m = mem_alloc(sizeof *m);
  m->program = p;
  machine_reset(m);
  return m;
}

void toy_free(struct machine *m) {
  vec_release(&m->trace);
  vec_release(&m->marks);
  finding_release(&m->finding);
  text_release(&m->output);
  mem_free(m, sizeof *m);
}

void toy_hide(struct machine *m, uint8_t from, uint8_t to) {
  for (uint8_t i = from; i < to; i++) m->hidden |= (uint16_t)(1u << i);
}

void toy_forget(struct machine *m) { m->forgets = true; }

static void log_value(struct toy_thread *t, uint64_t value) { t->log = hash_pair(t->log, value); }

static struct event *append(struct machine *m, uint32_t tid, const struct event *e) {
  struct event *to = vec_push(&m->trace);
  *to = *e;
  to->thread = tid;
  to->index = m->s.threads[tid].events++;
  return to;
}

static uint64_t load(const struct machine *m, const struct toy_op *op) {
  uint64_t value = 0;
  memcpy(&value, m->s.memory + op->at, op->size);
  return value;
}

static void store(struct machine *m, const struct toy_op *op, uint64_t value) { memcpy(m->s.memory + op->at, &value, op->size); }

static void site(struct machine *m, uint32_t tid) {
  *vec_push(&m->finding.sites) = (struct finding_site){.thread = tid, .site = tid * 100 + m->s.threads[tid].pc, .event = UINT32_MAX};
}

static void fail(struct machine *m, enum finding_kind kind, uint32_t tid) {
  m->finding.kind = kind;
  vec_clear(&m->finding.sites);
  site(m, tid);
  m->s.status = MACHINE_FAILED;
}

static bool is_access(uint8_t kind) {
  return kind == TOY_READ || kind == TOY_WRITE || kind == TOY_WRITE_REG || kind == TOY_ADD || kind == TOY_CAS;
}

static const struct toy_op *op_of(const struct machine *m, uint32_t tid) {
  uint8_t pc = m->s.threads[tid].pc;
  return pc < m->program->length[tid] ? &m->program->ops[tid][pc] : NULL;
}

/* The event of an operation before it is taken. */
static struct event event_of(const struct machine *m, uint32_t tid, const struct toy_op *op) {
  const struct toy_thread *t = &m->s.threads[tid];
  struct event e = {.thread = tid, .site = (uint32_t)(tid * 100u + (uint32_t)(op - m->program->ops[tid])), .order = op->order};
  uint64_t number = op->at * 64u;
  e.size = OBJECT_SIZE;
  switch ((enum toy_op_kind)op->kind) {
    case TOY_READ:
    case TOY_AWAIT:
      e.op = EVENT_READ, e.object = MEMORY_BASE + op->at, e.size = op->size;
      if (op->kind == TOY_AWAIT) e.flags = EVENT_WAITS;
      break;
    case TOY_WRITE:
    case TOY_WRITE_REG:
      e.op = EVENT_WRITE, e.object = MEMORY_BASE + op->at, e.size = op->size;
      break;
    case TOY_ADD:
    case TOY_CAS:
      e.op = EVENT_RMW, e.object = MEMORY_BASE + op->at, e.size = op->size;
      break;
    case TOY_FREE:
      e.op = EVENT_FREE, e.object = MEMORY_BASE + op->at, e.size = op->size;
      break;
    case TOY_LOCK:
    case TOY_TRYLOCK:
    case TOY_TIMEDLOCK:
      e.op = EVENT_ACQUIRE, e.object = MUTEX_BASE + number;
      if (op->kind == TOY_TRYLOCK) e.flags = EVENT_TRY;
      if (op->kind == TOY_TIMEDLOCK) e.flags = EVENT_TIMED;
      break;
    case TOY_UNLOCK:
      e.op = EVENT_RELEASE, e.object = MUTEX_BASE + number;
      break;
    case TOY_WAIT:
    case TOY_TIMEDWAIT:
      e.op = t->waiting ? EVENT_WAIT_LEAVE : EVENT_WAIT_ENTER;
      e.object = COND_BASE + number, e.value2 = MUTEX_BASE + op->value * 64u;
      if (t->waiting && op->kind == TOY_TIMEDWAIT) e.flags = EVENT_TIMED;
      if (t->relocking) e.op = EVENT_ACQUIRE, e.object = e.value2, e.value2 = 0, e.flags = 0;
      break;
    case TOY_SIGNAL:
      e.op = EVENT_SIGNAL, e.object = COND_BASE + number;
      break;
    case TOY_BROADCAST:
      e.op = EVENT_BROADCAST, e.object = COND_BASE + number;
      break;
    case TOY_POST:
      e.op = EVENT_SEM_POST, e.object = SEMAPHORE_BASE + number;
      break;
    case TOY_SEM_WAIT:
    case TOY_TRY_SEM_WAIT:
      e.op = EVENT_SEM_WAIT, e.object = SEMAPHORE_BASE + number;
      if (op->kind == TOY_TRY_SEM_WAIT) e.flags = EVENT_TRY;
      break;
    case TOY_BARRIER:
      e.op = t->at_barrier ? EVENT_BARRIER_LEAVE : EVENT_BARRIER_ENTER, e.object = BARRIER_BASE + number;
      if (op->value && !t->at_barrier) e.flags = EVENT_RESULT;
      break;
    case TOY_READ_LOCK:
    case TOY_WRITE_LOCK:
    case TOY_TRY_WRITE_LOCK:
      e.op = EVENT_ACQUIRE, e.object = RWLOCK_BASE + number;
      if (op->kind == TOY_READ_LOCK) e.flags = EVENT_SHARED_LOCK;
      if (op->kind == TOY_TRY_WRITE_LOCK) e.flags = EVENT_TRY;
      break;
    case TOY_READ_UNLOCK:
    case TOY_WRITE_UNLOCK:
      e.op = EVENT_RELEASE, e.object = RWLOCK_BASE + number;
      if (op->kind == TOY_READ_UNLOCK) e.flags = EVENT_SHARED_LOCK;
      break;
    case TOY_CHOOSE:
      e.op = EVENT_CHOICE, e.size = op->value;
      break;
    case TOY_SECTION:
      e.op = EVENT_ATOMIC;
      break;
    case TOY_FORK:
      e.op = EVENT_FORK, e.object = op->value;
      break;
    case TOY_JOIN:
    case TOY_TRY_JOIN:
      e.op = EVENT_JOIN, e.object = op->value;
      if (op->kind == TOY_TRY_JOIN) e.flags = EVENT_TRY;
      break;
    case TOY_FENCE:
      e.op = EVENT_FENCE;
      break;
    case TOY_EXIT:
    case TOY_YIELD:
    case TOY_SKIP_IF:
    case TOY_ASSERT:
    case TOY_ASSUME:
    case TOY_LOOP:
    case TOY_KINDS:
      e.op = EVENT_YIELD;
      break;
  }
  return e;
}

static bool mutex_free(const struct machine *m, uint64_t object) { return m->s.mutex[(object - MUTEX_BASE) / 64] == 0; }

static bool enabled(const struct machine *m, uint32_t tid) {
  const struct toy_thread *t = &m->s.threads[tid];
  const struct toy_op *op = op_of(m, tid);
  if (!t->live || tset_has(&m->s.parked, tid)) return false;
  switch (op->kind) {
    case TOY_LOCK:
      return m->s.mutex[op->at] == 0;
    case TOY_WAIT:
    case TOY_TIMEDWAIT:
      if (t->relocking) return m->s.mutex[op->value] == 0;
      if (!t->waiting) return true;
      return t->signalled ? mutex_free(m, t->pending.value2) : op->kind == TOY_TIMEDWAIT;
    case TOY_SEM_WAIT:
      return m->s.semaphore[op->at] > 0;
    case TOY_BARRIER:
      return !t->at_barrier || m->s.round[op->at] != t->ticket;
    case TOY_READ_LOCK:
      return m->s.writer[op->at] == 0;
    case TOY_WRITE_LOCK:
      return m->s.writer[op->at] == 0 && m->s.readers[op->at] == 0;
    case TOY_AWAIT:
      return load(m, op) != op->value;
    case TOY_JOIN:
      return m->s.threads[op->value].ended;
    default:
      return true;
  }
}

static void access_memory(struct machine *m, uint32_t tid, const struct toy_op *op, struct event *e) {
  struct toy_thread *t = &m->s.threads[tid];
  uint64_t old = load(m, op);
  for (unsigned i = op->at; i < op->at + op->size; i++) {
    m->s.touched[i] |= 1u << tid;
    if ((m->hidden >> i & 1) && (m->s.touched[i] & (m->s.touched[i] - 1))) m->shared |= (uint16_t)(1u << i), m->sharing_changed = true;
  }
  if (op->kind == TOY_WRITE || op->kind == TOY_WRITE_REG) {
    e->value = op->kind == TOY_WRITE ? op->value : t->reg + op->value;
    store(m, op, e->value);
    return;
  }
  e->value = t->reg = old;
  log_value(t, old);
  if (op->kind == TOY_ADD) e->value2 = old + op->value, store(m, op, e->value2);
  if (op->kind == TOY_CAS && old == 0) e->value2 = op->value, store(m, op, e->value2);
  if (op->kind == TOY_CAS && old != 0) e->op = EVENT_READ;
}

static bool visible(const struct machine *m, const struct toy_op *op) {
  if (op->kind == TOY_SKIP_IF || op->kind == TOY_ASSERT || op->kind == TOY_ASSUME || op->kind == TOY_LOOP) return false;
  uint32_t bytes = ((1u << op->size) - 1) << op->at;
  return !is_access(op->kind) || (bytes & ~(uint32_t)m->hidden) != 0;
}

/* Runs to the next visible operation, or to the end. */
static void run_on(struct machine *m, uint32_t tid) {
  struct toy_thread *t = &m->s.threads[tid];
  for (const struct toy_op *op; m->s.status == MACHINE_RUNNING && (op = op_of(m, tid)); t->pc++) {
    if (visible(m, op)) {
      t->pending = event_of(m, tid, op);
      return;
    }
    if (op->kind == TOY_LOOP) {
      t->pc = (uint8_t)(op->skip - 1);
      continue;
    }
    struct event scratch;
    if (is_access(op->kind)) access_memory(m, tid, op, &scratch);
    if (t->reg != op->value) continue;
    if (op->kind == TOY_ASSERT) fail(m, FINDING_ASSERTION, tid);
    if (op->kind == TOY_ASSUME) m->s.status = MACHINE_ASSUMED;
    if (op->kind == TOY_SKIP_IF) t->pc = (uint8_t)(t->pc + op->skip);
  }
  if (m->s.status != MACHINE_RUNNING) return;
  append(m, tid, &(struct event){.op = EVENT_END, .object = tid});
  t->live = false, t->ended = true;
  tset_remove(&m->s.alive, tid);
}

static void start_thread(struct machine *m, uint32_t tid) {
  m->s.threads[tid] = (struct toy_thread){.live = true};
  tset_add(&m->s.alive, tid);
  run_on(m, tid);
}

static void finish_output(struct machine *m) {
  text_clear(&m->output);
  for (uint32_t i = 0; i < m->program->threads; i++) {
    const struct toy_thread *t = &m->s.threads[i];
    text_printf(&m->output, "%u:%u:%llx ", i, t->pc, (unsigned long long)(m->forgets ? t->reg : t->log));
  }
  for (unsigned i = 0; i < 16; i++) text_printf(&m->output, "%02x", m->s.memory[i]);
}

static void settle(struct machine *m) {
  m->s.enabled = (struct tset){0};
  for (uint32_t i = 0; i < m->program->threads && m->s.status == MACHINE_RUNNING; i++) {
    if (enabled(m, i)) tset_add(&m->s.enabled, i);
  }
  m->s.exhausted = m->s.status == MACHINE_RUNNING && tset_empty(&m->s.enabled);
  if (m->s.exhausted) {
    if (tset_empty(&m->s.alive)) {
      m->s.status = MACHINE_DONE;
    } else if (!tset_empty(&m->s.parked)) {
      m->s.status = MACHINE_BLOCKED;
    } else {
      m->finding.kind = FINDING_DEADLOCK;
      vec_clear(&m->finding.sites);
      for (uint32_t i = tset_next(&m->s.alive, 0); i < THREADS_MAX; i = tset_next(&m->s.alive, i + 1)) site(m, i);
      m->s.status = MACHINE_FAILED;
    }
  }
}

static void wake(struct machine *m, uint32_t tid, struct event *e) {
  m->s.threads[tid].signalled = true;
  e->value |= 1ull << tid;
}

static bool waits_on(const struct machine *m, uint32_t tid, uint8_t cond) {
  const struct toy_thread *t = &m->s.threads[tid];
  return t->live && t->waiting && !t->signalled && !t->relocking && op_of(m, tid)->at == cond;
}

static uint32_t waiter(const struct machine *m, uint8_t cond, uint32_t n) {
  for (uint32_t i = 0; i < m->program->threads; i++) {
    if (waits_on(m, i, cond) && n-- == 0) return i;
  }
  return TOY_THREADS;
}

/* A wait goes on to its next phase; true when it is over. */
static bool step_wait(struct machine *m, uint32_t tid, const struct toy_op *op, struct event *e) {
  struct toy_thread *t = &m->s.threads[tid];
  if (!t->waiting) {
    if (m->s.mutex[op->value] != tid + 1) return fail(m, FINDING_THREAD_MISUSE, tid), false;
    m->s.mutex[op->value] = 0;
    t->waiting = true;
    t->pending = event_of(m, tid, op);
    return false;
  }
  if (!t->relocking && !t->signalled) {
    e->flags |= EVENT_TIMED_OUT, e->value2 = 0;
    t->relocking = true;
    log_value(t, 110);
    t->pending = event_of(m, tid, op);
    return false;
  }
  m->s.mutex[op->value] = tid + 1;
  t->waiting = t->signalled = t->relocking = false;
  return true;
}

static bool step_barrier(struct machine *m, uint32_t tid, const struct toy_op *op, struct event *e) {
  struct toy_thread *t = &m->s.threads[tid];
  if (t->at_barrier) {
    e->value = t->ticket;
    t->at_barrier = false;
    return true;
  }
  e->value = m->s.round[op->at];
  if (++m->s.arrived[op->at] == m->program->barriers[op->at]) {
    m->s.arrived[op->at] = 0;
    m->s.round[op->at]++;
    e->value2 = 1;
    if (op->value) log_value(t, 77);
  }
  t->ticket = e->value;
  t->at_barrier = true;
  t->pending = event_of(m, tid, op);
  return false;
}

/* Takes a try-operation's two ways out. */
static void tried(struct machine *m, uint32_t tid, const struct toy_op *op, struct event *e, bool success) {
  struct toy_thread *t = &m->s.threads[tid];
  log_value(t, success);
  if (success) return;
  if (e->op != EVENT_JOIN) e->op = EVENT_TRYFAIL;
  if (e->op == EVENT_JOIN || op->kind == TOY_TIMEDLOCK) e->flags |= EVENT_TIMED_OUT;
  t->pc = (uint8_t)(t->pc + op->skip);
}

/* Does the operation; false if the thread stays at it. long: one case a kind */
static bool perform(struct machine *m, uint32_t tid, const struct toy_op *op, struct event *e, uint32_t choice) {
  struct toy_thread *t = &m->s.threads[tid];
  uint32_t self = 1u << tid;
  switch ((enum toy_op_kind)op->kind) {
    case TOY_READ:
    case TOY_AWAIT:
    case TOY_WRITE:
    case TOY_WRITE_REG:
    case TOY_ADD:
    case TOY_CAS:
      access_memory(m, tid, op, e);
      break;
    case TOY_FREE:
      memset(m->s.memory + op->at, 0xee, op->size);
      break;
    case TOY_LOCK:
      m->s.mutex[op->at] = tid + 1;
      break;
    case TOY_TRYLOCK:
    case TOY_TIMEDLOCK: {
      bool free = m->s.mutex[op->at] == 0;
      if (free) m->s.mutex[op->at] = tid + 1;
      tried(m, tid, op, e, free);
      break;
    }
    case TOY_UNLOCK:
      if (m->s.mutex[op->at] != tid + 1) {
        fail(m, FINDING_THREAD_MISUSE, tid);
      } else {
        m->s.mutex[op->at] = 0;
      }
      break;
    case TOY_WAIT:
    case TOY_TIMEDWAIT:
      return step_wait(m, tid, op, e);
    case TOY_SIGNAL: {
      uint32_t w = waiter(m, op->at, choice);
      if (w < TOY_THREADS) wake(m, w, e);
      break;
    }
    case TOY_BROADCAST:
      for (uint32_t i = 0; i < m->program->threads; i++) {
        if (waits_on(m, i, op->at)) wake(m, i, e);
      }
      break;
    case TOY_POST:
      e->value = ++m->s.semaphore[op->at];
      break;
    case TOY_SEM_WAIT:
      e->value = --m->s.semaphore[op->at];
      break;
    case TOY_TRY_SEM_WAIT: {
      bool there = m->s.semaphore[op->at] > 0;
      if (there) e->value = --m->s.semaphore[op->at];
      tried(m, tid, op, e, there);
      break;
    }
    case TOY_BARRIER:
      return step_barrier(m, tid, op, e);
    case TOY_READ_LOCK:
      m->s.readers[op->at] |= self;
      break;
    case TOY_WRITE_LOCK:
      m->s.writer[op->at] = tid + 1;
      break;
    case TOY_TRY_WRITE_LOCK: {
      bool free = m->s.writer[op->at] == 0 && m->s.readers[op->at] == 0;
      if (free) m->s.writer[op->at] = tid + 1;
      tried(m, tid, op, e, free);
      break;
    }
    case TOY_READ_UNLOCK:
      if (!(m->s.readers[op->at] & self)) fail(m, FINDING_THREAD_MISUSE, tid);
      m->s.readers[op->at] &= ~self;
      break;
    case TOY_WRITE_UNLOCK:
      if (m->s.writer[op->at] != tid + 1) {
        fail(m, FINDING_THREAD_MISUSE, tid);
      } else {
        m->s.writer[op->at] = 0;
      }
      break;
    case TOY_CHOOSE:
      e->value = t->reg = choice;
      log_value(t, choice);
      break;
    case TOY_FORK:
      break; /* after the step's own event */
    case TOY_TRY_JOIN:
      tried(m, tid, op, e, m->s.threads[op->value].ended);
      break;
    case TOY_EXIT:
      m->s.status = MACHINE_DONE;
      break;
    case TOY_SECTION:
    case TOY_JOIN:
    case TOY_YIELD:
    case TOY_FENCE:
    case TOY_SKIP_IF:
    case TOY_ASSERT:
    case TOY_ASSUME:
    case TOY_LOOP:
    case TOY_KINDS:
      break;
  }
  return true;
}

/* The operations of an atomic section, behind its own event. */
static void section(struct machine *m, uint32_t tid, uint32_t n) {
  struct toy_thread *t = &m->s.threads[tid];
  for (; n > 0 && t->pc < m->program->length[tid] && is_access(op_of(m, tid)->kind); n--, t->pc++) {
    struct event e = event_of(m, tid, op_of(m, tid));
    e.flags |= EVENT_INTERNAL;
    access_memory(m, tid, op_of(m, tid), &e);
    append(m, tid, &e);
  }
}

enum machine_status machine_step(struct machine *m, uint32_t thread, uint32_t choice) {
  struct toy_thread *t = &m->s.threads[thread];
  const struct toy_op *op = op_of(m, thread);
  struct event e = t->pending;
  e.choice = (uint8_t)choice;
  bool over = perform(m, thread, op, &e, choice);
  append(m, thread, &e);
  if (over && m->s.status == MACHINE_RUNNING) {
    t->pc++;
    if (op->kind == TOY_SECTION) section(m, thread, op->skip);
    run_on(m, thread);
    if (op->kind == TOY_FORK && m->s.status == MACHINE_RUNNING) start_thread(m, op->value);
  }
  settle(m);
  if (m->s.status != MACHINE_RUNNING) finish_output(m);
  return m->s.status;
}

bool machine_park(struct machine *m, uint32_t thread, uint32_t from) {
  if (m->s.status != MACHINE_FAILED || m->finding.kind != FINDING_ASSERTION) return false;
  for (uint32_t i = from; i < m->trace.count; i++) {
    if (m->trace.data[i].op != EVENT_READ) return false;
  }
  tset_add(&m->s.parked, thread);
  m->s.threads[thread].pending = (struct event){.op = EVENT_NONE, .thread = thread};
  m->s.status = MACHINE_RUNNING;
  settle(m);
  return true;
}

const struct tset *machine_parked(const struct machine *m) { return &m->s.parked; }
bool machine_unended(const struct machine *m) { return (void)m, false; }
bool machine_buffer_full(const struct machine *m) { return (void)m, false; }
bool machine_wait_longer(struct machine *m) { return (void)m, false; }

void machine_reset(struct machine *m) {
  m->hidden &= (uint16_t)~m->shared;
  m->sharing_changed = false;
  memset(&m->s, 0, sizeof m->s);
  memcpy(m->s.memory, m->program->memory, sizeof m->s.memory);
  for (unsigned i = 0; i < OBJECTS; i++) m->s.semaphore[i] = m->program->semaphores[i];
  vec_clear(&m->trace);
  vec_clear(&m->marks);
  m->s.status = MACHINE_RUNNING;
  start_thread(m, 0);
  settle(m);
  if (m->s.status != MACHINE_RUNNING) finish_output(m);
}

bool machine_initial(const struct machine *m, uint64_t address, uint32_t n, uint64_t *value) {
  *value = 0;
  if (n > 8 || address < MEMORY_BASE || address + n > MEMORY_BASE + sizeof m->program->memory) return false;
  memcpy(value, m->program->memory + (address - MEMORY_BASE), n);
  return true;
}

/* Its programs are not interpreted: nothing is known of dependencies. */
bool depend_follow(struct depend *d, struct machine *m, const struct step *steps, uint32_t n) {
  (void)d, (void)m, (void)steps, (void)n;
  return false;
}
void depend_release(struct depend *d) { (void)d; }
const struct image *machine_image(const struct machine *m) { return (void)m, NULL; }

/* The toy asks for no input. */
bool image_asks_inputs(const struct image *image) { return (void)image, false; }
enum machine_more machine_next_input(struct machine *m) { return (void)m, MORE_NONE; }
void machine_inputs_put(struct machine *m, bool present, struct text *out) { (void)m, (void)present, (void)out; }
void machine_inputs_give(struct machine *m, struct text *out) { (void)m, (void)out; }
bool machine_inputs_get(struct machine *m, struct wire *from) { return (void)m, (void)from, false; }
void machine_inputs_drop(struct machine *m, bool patient) { (void)m, (void)patient; }
void machine_input_put(struct machine *m, struct text *out) { (void)m, (void)out; }
bool machine_input_get(struct machine *m, struct wire *from) { return (void)m, (void)from, false; }
bool machine_is_symbolic(const struct machine *m) { return (void)m, false; }
void machine_explores_paths(struct machine *m) { (void)m; }
size_t machine_decisions(const struct machine *m) { return (void)m, 0; }
bool machine_leaves_pending(struct machine *m, size_t from, uint64_t tag) { return (void)m, (void)from, (void)tag, false; }
uint64_t machine_input_tag(const struct machine *m) { return (void)m, 0; }
struct fingerprint machine_live_state(struct machine *m, bool conditions) {
  return (void)conditions, machine_state(m);
}
bool machine_search(const struct machine *m, struct machine_search *search) { return (void)m, (void)search, false; }
bool machine_has_inputs(const struct machine *m) { return (void)m, false; }
bool machine_has_interrupts(const struct machine *m) { return (void)m, false; }
bool machine_gives_nondet(const struct machine *m) { return (void)m, false; }
void machine_sample_nondet(struct machine *m) { (void)m; }
enum machine_data_limit machine_data_limit(const struct machine *m) { return (void)m, DATA_NO_LIMIT; }
size_t machine_inputs(const struct machine *m) { return (void)m, 0; }
struct machine_input machine_input(const struct machine *m, size_t i) {
  return (void)m, (void)i, (struct machine_input){0};
}
uint64_t machine_draws(const struct machine *m) { return (void)m, 0; }

const struct machine_options *machine_options(const struct machine *m) {
  static const struct machine_options none;
  (void)m;
  return &none;
}

uint32_t machine_oldest_flush(const struct machine *m, uint32_t thread) {
  (void)m, (void)thread;
  return THREADS_MAX;
}

bool machine_buffers(const struct machine *m) { return (void)m, false; }
uint32_t machine_owner(const struct machine *m, uint32_t thread) {
  (void)m;
  return thread;
}

bool machine_in_loop(const struct machine *m, uint32_t thread, uint32_t *code) {
  uint32_t pc = m->s.threads[thread].pc, last = m->program->length[thread];
  *code = pc;
  for (uint32_t i = pc; i < last; i++) {
    const struct toy_op *op = &m->program->ops[thread][i];
    if (op->kind == TOY_LOOP && op->skip <= pc) return true;
  }
  return false;
}

uint64_t machine_turns(const struct machine *m, uint32_t thread) {
  (void)m, (void)thread;
  return 0;
}

bool machine_may_choose(const struct machine *m, uint32_t thread) { return machine_alternatives(m, thread) > 1; }

size_t machine_mark(struct machine *m, size_t *bytes) {
  *vec_push(&m->marks) = (struct mark){m->s, m->trace.count};
  if (bytes) *bytes = sizeof m->s;
  return m->marks.count;
}

void machine_rollback(struct machine *m, size_t number) {
  m->s = m->marks.data[number - 1].s;
  m->trace.count = m->marks.data[number - 1].events;
  m->marks.count = number;
}

enum machine_status machine_status(const struct machine *m) { return m->s.status; }
const struct tset *machine_enabled(const struct machine *m) { return &m->s.enabled; }
const struct tset *machine_alive(const struct machine *m) { return &m->s.alive; }
const struct event *machine_pending(const struct machine *m, uint32_t thread) { return &m->s.threads[thread].pending; }

bool machine_interruption(const struct machine *m, uint32_t thread, uint32_t choice) {
  (void)m, (void)thread, (void)choice;
  return false;
}
const struct event *machine_interruptible(struct machine *m, uint32_t thread) {
  (void)m, (void)thread;
  return NULL;
}
uint32_t machine_alternatives(const struct machine *m, uint32_t thread) {
  const struct toy_op *op = op_of(m, thread);
  if (op->kind == TOY_CHOOSE) return op->value;
  if (op->kind != TOY_SIGNAL) return 1;
  uint32_t n = 0;
  while (waiter(m, op->at, n) < TOY_THREADS) n++;
  return n ? n : 1;
}

const struct event *machine_trace(const struct machine *m, uint32_t *count) {
  *count = (uint32_t)m->trace.count;
  return m->trace.data;
}

const struct finding *machine_finding(const struct machine *m) { return &m->finding; }
const struct diag *machine_diag(const struct machine *m) {
  (void)m;
  return NULL;
}
const struct text *machine_output(const struct machine *m, int fd) {
  (void)fd;
  return &m->output;
}
int machine_exit_code(const struct machine *m) {
  (void)m;
  return 0;
}
bool machine_exhausted(const struct machine *m) { return m->s.exhausted; }
bool machine_sharing_changed(const struct machine *m) { return m->sharing_changed; }
uint64_t machine_threads_known(const struct machine *m) { return m->sharing_changed; }
uint64_t machine_uses_known(const struct machine *m) { return m->sharing_changed; }

bool machine_is_told(const struct event *e) {
  (void)e;
  return false;
}
const struct told *machine_told(const struct machine *m, uint32_t *n) {
  (void)m;
  *n = 0;
  return NULL;
}

const struct machine_invocation *machine_invocations(const struct machine *m, uint32_t *n) {
  (void)m;
  *n = 0;
  return NULL;
}
bool machine_is_operation(const struct event *e) {
  (void)e;
  return false;
}
const struct history_event *machine_operations(const struct machine *m, size_t *n) {
  (void)m;
  *n = 0;
  return NULL;
}
unsigned machine_call_all(struct machine *m, struct machine_called *calls, unsigned n) {
  (void)m, (void)calls, (void)n;
  return 0;
}
bool machine_method_parameters(const struct machine *m, unsigned method, uint32_t *n) {
  (void)m, (void)method, (void)n;
  return false;
}
bool machine_call(struct machine *m, unsigned function, const int64_t *arguments, unsigned n, int64_t *result) {
  (void)m, (void)function, (void)arguments, (void)n, (void)result;
  return false;
}
bool machine_crashed(const struct machine *m, uint32_t thread) {
  (void)m, (void)thread;
  return false;
}

bool machine_may_wait(const struct machine *m) {
  (void)m;
  return false;
}

const struct history *machine_history(const struct machine *m) {
  (void)m;
  return NULL;
}
void image_object(const struct image *image, struct object *to) { (void)image, (void)to; }
uint32_t image_first_site(const struct image *image, const char *function) {
  (void)image, (void)function;
  return UINT32_MAX;
}
uint32_t machine_scenario_thread(const struct machine *m, uint32_t i) {
  (void)m, (void)i;
  return THREADS_MAX;
}

bool machine_remarked(const struct machine *m, uint32_t site, enum machine_remark what) {
  (void)m, (void)site, (void)what;
  return false;
}
bool machine_remarked_anywhere(const struct machine *m, enum machine_remark what) { return machine_remarked(m, 0, what); }
void machine_remark(struct machine *m, uint32_t site, enum machine_remark what) { (void)m, (void)site, (void)what; }
void machine_remark_thread(struct machine *m, uint32_t thread, enum machine_remark what) { (void)m, (void)thread, (void)what; }

struct fingerprint machine_fingerprint(struct machine *m) {
  struct state s = m->s;
  for (unsigned i = 0; i < TOY_THREADS; i++) s.threads[i].events = 0, s.threads[i].log = 0;
  return (struct fingerprint){hash_bytes(&s, sizeof s, 0), 0};
}

/* With what the threads log, which is part of the outcome. */
struct fingerprint machine_state(struct machine *m) {
  struct state s = m->s;
  for (unsigned i = 0; i < TOY_THREADS; i++) s.threads[i].events = 0, s.threads[i].log &= m->forgets ? 0 : UINT64_MAX;
  uint64_t h = hash_bytes(&s, sizeof s, 0);
  return (struct fingerprint){h, hash_mix(h)};
}

struct fingerprint machine_threads_fingerprint(struct machine *m) {
  return machine_fingerprint(m);
}

uint64_t machine_object_of(const struct machine *m, uint64_t address) { return (void)m, address; }
uint64_t machine_blocks_from(uint32_t site) { return site; }

void machine_object_text(const struct machine *m, uint64_t address, uint64_t size, struct text *out) {
  (void)m;
  text_printf(out, "memory[%llu..%llu]", (unsigned long long)(address - MEMORY_BASE),
              (unsigned long long)(address - MEMORY_BASE + size - 1));
}
