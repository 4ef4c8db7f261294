#include "machine/machine.h"

#include <stdio.h>
#include <string.h>

#include "machine/internal.h"
#include "machine/sync.h"

/* --- events --- */

/* While spinning on one location the pending read itself is disabled; on several, an AWAIT step stands in for it. */
static void wait_for_change(struct machine *m, struct thread *t) {
  bool one = true;
  spin_settle(t);
  for (uint32_t i = 1; i < t->spins; i++) one &= t->spin[i].address == t->spin[0].address && t->spin[i].size == t->spin[0].size;
  t->waiting = true;
  if (one && (t->pending.op == EVENT_READ || t->pending.op == EVENT_RMW) && t->pending.object == t->spin[0].address) return;
  m->counts.awaits += !one;
  t->pending.op = EVENT_AWAIT;
  t->pending.object = one ? t->spin[0].address : 0;
  t->pending.size = one ? t->spin[0].size : UINT64_MAX;
}

/* One step of a spinning loop's reads may be repeated for ever: see spin.c. */
static bool may_spin(enum event_op op) { return op == EVENT_READ || op == EVENT_RMW || op == EVENT_ACQUIRE; }

bool machine_visible(struct machine *m, struct thread *t, enum event_op op, uint64_t object, uint64_t size, uint64_t value2, bool blocks) {
  uint32_t pc = t->frames.count ? vec_last(&t->frames).pc : 0;
  if (t->granted) {
    t->granted = false;
    if (op == EVENT_ACQUIRE && t->noting && in_arena(object, 8)) spin_note(m, t, pc, object, 8, memory_get(object), true);
    event_append(m, t, &t->pending);
    if (t->pending.op != EVENT_AWAIT) {
      t->next_order = t->next_flags = 0;
      return true;
    }
    spin_clear(t);
  }
  uint8_t order = t->next_order, flags = t->next_flags;
  t->next_order = t->next_flags = 0;
  if (m->single && !blocks && op != EVENT_FORK && op != EVENT_CHOICE) return true;
  /* Written in place, field by field: building it elsewhere and copying stalls on store forwarding. */
  struct event *e = &t->pending;
  e->op = (uint8_t)op, e->order = order, e->flags = flags, e->thread = t->tid, e->site = m->site;
  e->object = object, e->size = size, e->value = 0, e->value2 = value2;
  if (t->atomic && !blocks && op != EVENT_CHOICE) {
    e->flags |= EVENT_INTERNAL;
    event_append(m, t, e);
    return true;
  }
  if (m->single) return false;
  spin_follow(m, t);
  if (may_spin(op) && spin_check(m, t, pc)) wait_for_change(m, t);
  return false;
}

struct event *machine_last_event(struct machine *m) {
  if (m->single || m->trace.count == 0) return &m->scratch;
  return &vec_last(&m->trace);
}

struct event *machine_record(struct machine *m, struct thread *t, enum event_op op, uint64_t object, uint64_t size) {
  struct event e = {.op = (uint8_t)op, .flags = EVENT_INTERNAL, .site = m->site, .object = object, .size = size};
  return event_append(m, t, &e);
}

/* --- how an execution ends --- */

enum run machine_stop(struct machine *m, enum machine_status status) {
  m->status = status;
  return RUN_STOP;
}

void machine_fail_site(struct machine *m, uint32_t thread, uint32_t site, const char *role) {
  struct finding_site *s = vec_push(&m->finding.sites);
  *s = (struct finding_site){.thread = thread, .site = site, .event = UINT32_MAX};
  snprintf(s->role, sizeof s->role, "%s", role);
}

void machine_blame_program(struct machine *m, const struct thread *t) {
  for (size_t i = t->frames.count; i-- > 0;) {
    const struct frame *frame = &t->frames.data[i];
    if (m->image->functions[frame->function].flags & FUNCTION_MODEL) continue;
    m->site = m->image->code_sites[frame->pc];
    return;
  }
}

enum run machine_fail(struct machine *m, struct thread *t, enum finding_kind kind, const char *role, const char *format, ...) {
  vec_clear(&m->finding.sites);
  text_clear(&m->finding.message);
  m->finding.kind = kind;
  m->finding.confirmed = true;
  va_list args;
  va_start(args, format);
  text_vprintf(&m->finding.message, format, args);
  va_end(args);
  if (t) {
    machine_fail_site(m, t->tid, m->site, role);
    if (m->trace.count && vec_last(&m->trace).thread == t->tid && vec_last(&m->trace).site == m->site)
      m->finding.sites.data[0].event = (uint32_t)m->trace.count - 1;
  }
  return machine_stop(m, MACHINE_FAILED);
}

enum run machine_unsupported(struct machine *m, struct thread *t, const char *format, ...) {
  struct text what = {0}, where = {0};
  va_list args;
  va_start(args, format);
  text_vprintf(&what, format, args);
  va_end(args);
  image_site_text(m->image, m->site, &where);
  diag_set(&m->diag, ERR_UNSUPPORTED, "%s: %s (thread %s)", text_str(&where), text_str(&what), m->names[t->tid]);
  text_release(&what);
  text_release(&where);
  return machine_stop(m, MACHINE_UNSUPPORTED);
}

/* --- enabled threads --- */

static inline bool thread_enabled(const struct machine *m, const struct thread *t) {
  if (t->waiting && !spin_changed(t)) return false;
  return t->need == NEED_NOTHING || sync_enabled(m, t);
}

/* Notes what `t` needs for its pending step. */
static inline void watch(struct machine *m, const struct thread *t) {
  tset_remove(&m->watched, t->tid);
  tset_remove(&m->spinning, t->tid);
  if (t->state != THREAD_LIVE) return;
  if (t->waiting || t->need == NEED_VALUE || t->need == NEED_BITS)
    tset_add(&m->spinning, t->tid);
  else if (t->need)
    tset_add(&m->watched, t->tid);
}

static void compute_all(struct machine *m) {
  m->enabled = m->watched = m->spinning = (struct tset){0};
  for (uint32_t i = 0; i < m->ncreated; i++) {
    const struct thread *t = m->threads[m->created[i]];
    watch(m, t);
    if (t->state == THREAD_LIVE && thread_enabled(m, t)) tset_add(&m->enabled, t->tid);
  }
  for (uint32_t i = 0; i < m->ncreated; i++) {
    const struct thread *t = m->threads[m->created[i]];
    if (!t->atomic || !tset_has(&m->enabled, t->tid)) continue;
    m->enabled = (struct tset){0}; /* nothing else runs inside an atomic section */
    tset_add(&m->enabled, t->tid);
    return;
  }
}

static inline void look_again(struct machine *m, const struct tset *threads) {
  for (uint32_t w = 0; w < TSET_WORDS; w++) {
    for (uint64_t rest = threads->words[w]; rest; rest &= rest - 1) {
      uint32_t tid = w * 64 + (uint32_t)__builtin_ctzll(rest);
      if (thread_enabled(m, m->threads[tid]))
        tset_add(&m->enabled, tid);
      else
        tset_remove(&m->enabled, tid);
    }
  }
}

/* Steps that change memory alone: they cannot give another thread a lock, a signal, a count or an end. */
#define OP(name) (1ull << EVENT_##name)
static const uint64_t memory_steps = OP(READ) | OP(WRITE) | OP(RMW) | OP(FENCE) | OP(YIELD) | OP(AWAIT) | OP(CHOICE);
_Static_assert(EVENT_COUNT <= 64, "operations are bits of a word");

/* Only `t` has moved since the last time, by a step of kind `op`. */
static inline void compute_after(struct machine *m, const struct thread *t, uint8_t op) {
  if (t->state != THREAD_LIVE)
    tset_remove(&m->enabled, t->tid);
  else
    tset_add(&m->enabled, t->tid);
  if (t->need || t->waiting || t->state != THREAD_LIVE || !(memory_steps >> op & 1)) {
    watch(m, t);
    look_again(m, &m->watched);
  }
  if (!tset_empty(&m->spinning)) {
    watch(m, t);
    look_again(m, &m->spinning);
  }
}

static void compute_enabled(struct machine *m, const struct thread *t, uint8_t op) {
  if (m->status != MACHINE_RUNNING) {
    m->enabled = (struct tset){0};
    return;
  }
  bool all = !t || t->atomic || m->was_atomic || m->ncreated != m->ncomputed;
  m->was_atomic = t && t->atomic;
  m->ncomputed = m->ncreated;
  if (all)
    compute_all(m);
  else
    compute_after(m, t, op);
}

/* Settles what state the step led to. */
static void settle(struct machine *m, struct thread *t, uint8_t op) {
  m->exhausted = m->status == MACHINE_RUNNING && tset_empty(&m->alive);
  if (m->exhausted) m->exit_code = 0, m->status = MACHINE_DONE;
  compute_enabled(m, t, op);
  if (m->status != MACHINE_RUNNING) return;
  if (t && t->need && t->state == THREAD_LIVE && !tset_has(&m->enabled, t->tid) && sync_partial_deadlock(m, t)) {
    compute_enabled(m, t, op);
    return;
  }
  if (!tset_empty(&m->enabled)) return;
  m->exhausted = true;
  sync_deadlock(m);
  if (m->status == MACHINE_RUNNING) m->status = MACHINE_BLOCKED;
}

void machine_settle(struct machine *m) { settle(m, NULL, EVENT_NONE); }

/* --- threads --- */

static uint32_t tid_of_child(struct machine *m, struct thread *parent) {
  uint32_t ordinal = ++parent->children;
  bool is_new = false;
  uint64_t *tid = hashmap_at(&m->children, (uint64_t)parent->tid << 32 | ordinal, THREADS_MAX, &is_new);
  if (!is_new) return (uint32_t)*tid;
  uint32_t wanted = parent->tid == 0 && ordinal < THREADS_MAX ? ordinal : 1;
  while (wanted < THREADS_MAX && m->names[wanted][0]) wanted++;
  if (parent->tid != 0 || wanted >= THREADS_MAX) { /* grandchildren from the middle, so that main's children keep their numbers */
    for (wanted = THREADS_MAX / 2; wanted < THREADS_MAX && m->names[wanted][0];) wanted++;
    if (wanted == THREADS_MAX)
      for (wanted = 1; wanted < THREADS_MAX && m->names[wanted][0];) wanted++;
  }
  *tid = wanted;
  if (wanted < THREADS_MAX) {
    char name[sizeof m->names[0]];
    snprintf(name, sizeof name, "%.36s.%u", m->names[parent->tid], ordinal);
    memcpy(m->names[wanted], name, sizeof name);
  }
  return wanted;
}

static struct thread *thread_begin(struct machine *m, uint32_t tid) {
  struct thread *t = m->threads[tid];
  if (!t) t = m->threads[tid] = mem_alloc(sizeof *t);
  typeof(t->frames) frames = t->frames;
  typeof(t->slots) slots = t->slots;
  *t = (struct thread){.tid = tid, .state = THREAD_LIVE, .frames = frames, .slots = slots};
  vec_clear(&t->frames);
  vec_clear(&t->slots);
  m->created[m->ncreated++] = (uint8_t)tid;
  tset_add(&m->alive, tid);
  region_begin(&m->memory, tid, m->image->tls, m->image->header->tls_size, m->image->header->tls_align);
  return t;
}

struct thread *thread_create(struct machine *m, struct thread *parent, uint64_t function, uint64_t argument) {
  uint32_t tid = tid_of_child(m, parent);
  if (tid == THREADS_MAX) {
    machine_unsupported(m, parent, "more than %d threads", THREADS_MAX);
    return NULL;
  }
  uint64_t index = (function - TEXT_BASE) / 16;
  if (function < TEXT_BASE || index >= m->image->nfunctions) {
    machine_fail(m, parent, FINDING_OUT_OF_BOUNDS, "call", "the start routine of a new thread is no function of the program");
    return NULL;
  }
  struct thread *t = thread_begin(m, tid);
  t->stage = STAGE_START;
  m->single = false;
  m->unjoined++;
  return frame_push(m, t, (uint32_t)index, &argument, 1) ? t : NULL;
}

void thread_joined(struct machine *m, struct thread *t) {
  t->joined = true;
  if (--m->unjoined == 0) m->single = true;
}

struct thread *thread_of_handle(struct machine *m, uint64_t handle) {
  uint32_t tid = region_of(handle);
  if (!in_arena(handle, 1) || tid >= THREADS_MAX || handle != thread_handle(tid) || !m->threads[tid]) return NULL;
  for (uint32_t i = 0; i < m->ncreated; i++)
    if (m->created[i] == tid) return m->threads[tid];
  return NULL;
}

void thread_end(struct machine *m, struct thread *t) {
  machine_record(m, t, EVENT_END, t->tid, 0)->flags = 0;
  t->state = THREAD_ENDED;
  t->pending = (struct event){.op = EVENT_END, .thread = t->tid};
  tset_remove(&m->alive, t->tid);
  stack_restore(&m->memory, t->tid, region_tls(t->tid) + m->image->header->tls_size + 16);
}

enum run thread_bottom(struct machine *m, struct thread *t, uint64_t result) {
  switch ((enum thread_stage)t->stage) {
    case STAGE_CTORS:
      if (t->ctor < m->image->nctors) return frame_push(m, t, m->image->ctors[t->ctor++].function, NULL, 0) ? RUN_FRAME : RUN_STOP;
      t->stage = STAGE_MAIN;
      return frame_push(m, t, m->image->header->main, m->arguments, 3) ? RUN_FRAME : RUN_STOP;
    case STAGE_MAIN:
      t->stage = STAGE_EXIT;
      m->exit_code = (int)(result & 255);
      if (m->model_main_exit == UINT32_MAX) return heap_check_leaks(m) ? RUN_STOP : machine_stop(m, MACHINE_DONE);
      return frame_push(m, t, m->model_main_exit, &result, 1) ? RUN_FRAME : RUN_STOP;
    case STAGE_EXIT:
      return machine_stop(m, MACHINE_DONE);
    case STAGE_START:
      t->result = result;
      t->stage = STAGE_DESTRUCTORS;
      if (m->model_thread_exit == UINT32_MAX) return RUN_END;
      return frame_push(m, t, m->model_thread_exit, NULL, 0) ? RUN_FRAME : RUN_STOP;
    case STAGE_DESTRUCTORS:
      return RUN_END;
  }
  return RUN_END;
}

void thread_run(struct machine *m, struct thread *t) {
  m->step_jumps = 0;
  if (interpret(m, t) == RUN_END) thread_end(m, t);
}

enum machine_status machine_step(struct machine *m, uint32_t thread, uint32_t choice) {
  struct thread *t = m->threads[thread];
  uint8_t op = t->pending.op;
  m->counts.steps++;
  t->granted = true;
  t->choice = choice;
  if (t->waiting && t->pending.op != EVENT_AWAIT) spin_clear(t);
  t->waiting = false;
  thread_run(m, t);
  while (m->nrun < m->ncreated && m->status == MACHINE_RUNNING) thread_run(m, m->threads[m->created[m->nrun++]]);
  settle(m, t, op);
  return m->status;
}

/* --- views --- */

enum machine_status machine_status(const struct machine *m) { return m->status; }
const struct tset *machine_enabled(const struct machine *m) { return &m->enabled; }
const struct tset *machine_alive(const struct machine *m) { return &m->alive; }
const struct event *machine_pending(const struct machine *m, uint32_t thread) { return &m->threads[thread]->pending; }

uint32_t machine_alternatives(const struct machine *m, uint32_t thread) {
  const struct thread *t = m->threads[thread];
  switch ((enum event_op)t->pending.op) {
    case EVENT_READ:
    case EVENT_WRITE:
    case EVENT_RMW:
    case EVENT_FENCE:
    case EVENT_FREE:
    case EVENT_AWAIT:
    case EVENT_YIELD:
    case EVENT_ATOMIC:
      return 1;
    case EVENT_CHOICE:
      return (uint32_t)t->pending.size;
    case EVENT_NONE:
    case EVENT_BEGIN:
    case EVENT_END:
    case EVENT_FORK:
    case EVENT_JOIN:
    case EVENT_ACQUIRE:
    case EVENT_RELEASE:
    case EVENT_TRYFAIL:
    case EVENT_WAIT_ENTER:
    case EVENT_WAIT_LEAVE:
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
    case EVENT_BARRIER_ENTER:
    case EVENT_BARRIER_LEAVE:
    case EVENT_SEM_POST:
    case EVENT_SEM_WAIT:
    case EVENT_ALLOC:
    case EVENT_COUNT:
      break;
  }
  return sync_alternatives(m, t);
}

const struct event *machine_trace(const struct machine *m, uint32_t *count) {
  *count = (uint32_t)m->trace.count;
  return m->trace.data;
}

const struct finding *machine_finding(const struct machine *m) { return &m->finding; }
const struct diag *machine_diag(const struct machine *m) { return &m->diag; }
const struct text *machine_output(const struct machine *m, int fd) { return &m->output[fd - 1]; }
int machine_exit_code(const struct machine *m) { return m->exit_code; }
bool machine_exhausted(const struct machine *m) { return m->exhausted; }
bool machine_sharing_changed(const struct machine *m) { return m->memory.sharing_changed; }

void machine_share(struct machine *m, uint64_t address, uint64_t size) {
  if (size > 0 && size <= REGION_SIZE && in_arena(address, size) && region_of(address) == region_of(address + size - 1))
    memory_share(&m->memory, address, size);
}

struct machine_counts machine_counts(const struct machine *m) {
  return m->counts;
}
const char *machine_thread_name(const struct machine *m, uint32_t thread) { return thread < THREADS_MAX ? m->names[thread] : "?"; }

uint32_t machine_thread_find(const struct machine *m, const char *name) {
  for (uint32_t i = 0; i < THREADS_MAX; i++)
    if (m->names[i][0] && strcmp(m->names[i], name) == 0) return i;
  return THREADS_MAX;
}

uint32_t machine_stack(const struct machine *m, uint32_t thread, uint32_t *sites, uint32_t max) {
  const struct thread *t = m->threads[thread];
  uint32_t n = 0;
  for (size_t i = t ? t->frames.count : 0; i-- > 0 && n < max;) sites[n++] = m->image->code_sites[t->frames.data[i].pc];
  return n;
}

static const struct frame *frame_at(const struct machine *m, uint32_t thread, uint32_t depth) {
  const struct thread *t = thread < THREADS_MAX ? m->threads[thread] : NULL;
  return t && depth < t->frames.count ? &t->frames.data[t->frames.count - 1 - depth] : NULL;
}

bool machine_frame(const struct machine *m, uint32_t thread, uint32_t depth, uint32_t *function, uint32_t *code) {
  const struct frame *frame = frame_at(m, thread, depth);
  if (frame) *function = frame->function, *code = frame->pc;
  return frame != NULL;
}

bool machine_slot(const struct machine *m, uint32_t thread, uint32_t depth, uint32_t slot, uint64_t *value) {
  const struct frame *frame = frame_at(m, thread, depth);
  if (!frame || slot >= m->image->functions[frame->function].slots) return false;
  *value = m->threads[thread]->slots.data[frame->base + slot];
  return true;
}

bool machine_peek(const struct machine *m, uint64_t address, uint32_t n, uint64_t *value) {
  (void)m;
  *value = 0;
  if (!in_arena(address, n) || n > 8) return false;
  for (uint32_t i = 0; i < n; i++)
    if (!(*shadow_at(address + i) & SHADOW_OK)) return false;
  memcpy(value, host_at(address), n);
  return true;
}

static void block_text(const struct machine *m, const struct heap_block *block, uint64_t address, struct text *out) {
  struct text where = {0};
  image_site_text(m->image, block->alloc_site, &where);
  text_printf(out, "heap block of %llu bytes from %s", (unsigned long long)block->size, text_str(&where));
  if (address != block->address) text_printf(out, " %+lld", (long long)(address - block->address));
  text_release(&where);
}

void machine_object_text(const struct machine *m, uint64_t address, uint64_t size, struct text *out) {
  struct heap_block block;
  if (!in_arena(address, 1)) {
    text_puts(out, address < 65536 ? "null" : "no object");
  } else if (region_of(address) == UINT32_MAX) {
    if (!image_address_text(m->image, address, size, out)) text_puts(out, "unnamed global");
  } else if (heap_find(m, address, &block)) {
    block_text(m, &block, address, out);
  } else {
    uint32_t tid = region_of(address);
    const char *what = address == thread_handle(tid) ? "cancellation request" : "local variable";
    text_printf(out, "%s of thread %s", what, tid < THREADS_MAX ? m->names[tid] : "?");
  }
}
