/* Threads as the machine keeps them: their numbers, how they begin, the stages of their lives, and how they end. (What programs call is in
 * sync/thread.c.) */
#include "machine/internal.h"

#include <stdio.h>
#include <string.h>

#include "machine/library/system.h"
#include "machine/memory/buffer.h"
#include "machine/symbolic/symbolic.h"
#include "machine/sync/sync.h"

/* Tids of threads are below this. */
static uint32_t tid_limit(const struct machine *m) { return m->buffers || m->options.few_threads ? AGENTS_FROM : THREADS_MAX; }

/* Numbers are few. A thread that has made so many others gives theirs again: a child that it has joined itself is over for everybody whom
 * the next one can meet, so that both could as well be one thread that goes on. Its number, its name and its memory serve the next. (If
 * another thread had joined it, nothing would order its end before the next one's beginning. And what it still holds is its own.) */
#define CHILDREN_APART (tid_limit(m) / 8)

static struct thread *find_joined_child(struct machine *m, const struct thread *parent) {
  struct thread *found = NULL;
  if (parent->children < CHILDREN_APART) return NULL;
  for (uint32_t i = 0; i < m->ncreated; i++) { /* the first one made: tids mean nothing in another process */
    struct thread *t = m->threads[m->created[i]];
    bool over = t->state == THREAD_ENDED && t->joined && t->maker == parent->tid && t->joiner == parent->tid && t != m->threads[0];
    if (over && t->held == 0 && (!found || t->ordinal < found->ordinal)) found = t;
  }
  return found;
}

/* A number that no thread of this execution has. */
static uint32_t tid_of_child(struct machine *m, const struct thread *parent, uint32_t ordinal) {
  uint32_t limit = tid_limit(m);
  bool is_new = false;
  uint64_t *tid = hashmap_at(&m->children, (uint64_t)parent->tid << 32 | ordinal, THREADS_MAX, &is_new);
  if (!is_new) return (uint32_t)*tid;
  uint32_t wanted = parent->tid == 0 && ordinal < limit ? ordinal : 1;
  while (wanted < limit && m->names[wanted].count) wanted++;
  if (parent->tid != 0 || wanted >= limit) { /* grandchildren from the middle, so that main's children keep their numbers */
    for (wanted = limit / 2; wanted < limit && m->names[wanted].count;) wanted++;
    if (wanted == limit)
      for (wanted = 1; wanted < limit && m->names[wanted].count;) wanted++;
  }
  *tid = wanted < limit ? wanted : THREADS_MAX;
  if (wanted < limit) text_printf(&m->names[wanted], "%s.%u", text_str(&m->names[parent->tid]), ordinal);
  return (uint32_t)*tid;
}

static void thread_clear(struct machine *m, struct thread *t, uint32_t tid) {
  memset(t, 0, offsetof(struct thread, spin)); /* what follows is counted, or kept */
  t->tid = tid, t->state = THREAD_LIVE, t->low = region_base(tid);
  vec_clear(&t->frames);
  vec_clear(&t->slots);
  vec_clear(&t->undefined);
  vec_clear(&t->interrupted);
  vec_clear(&t->expressions);
  t->saved = NOT_SAVED;
  t->span = thread_span(m, t);
  tset_add(&m->alive, tid);
  if (m->symbolic) symbolic_forget(m, region_base(tid), REGION_STACK_SIZE);
}

struct thread *thread_begin(struct machine *m, uint32_t tid) {
  struct thread *t = m->threads[tid];
  if (!t) t = m->threads[tid] = mem_alloc(sizeof *t);
  thread_clear(m, t, tid);
  m->created[m->ncreated++] = (uint8_t)tid;
  if (m->words <= tid / 64) m->words = tid / 64 + 1;
  region_begin(&m->memory, tid, m->image->tls, m->image->header->tls_size, m->image->header->tls_align);
  if (m->buffers) buffer_begin(m, tid);
  return t;
}

/* Its events, children and inputs go on being counted where the one before it stopped: they have the same names. */
static void thread_begin_again(struct machine *m, struct thread *t) {
  uint32_t events = t->events, children = t->children, ordinal = t->ordinal, inputs = t->inputs;
  thread_clear(m, t, t->tid);
  t->events = events, t->counted = events, t->children = children, t->ordinal = ordinal, t->inputs = inputs;
  m->again[m->nagain++] = (uint8_t)t->tid;
  region_begin_again(&m->memory, t->tid, m->image->tls, m->image->header->tls_size);
  if (m->buffers) buffer_drained(m, t->tid);
}

uint32_t thread_next_child(struct machine *m, const struct thread *parent) {
  const struct thread *t = find_joined_child(m, parent);
  return t ? t->tid : tid_of_child(m, parent, parent->children + 1);
}

static struct thread *make_child(struct machine *m, struct thread *parent) {
  struct thread *t = find_joined_child(m, parent);
  if (t) {
    thread_begin_again(m, t);
  } else {
    uint32_t ordinal = ++parent->children, tid = tid_of_child(m, parent, ordinal);
    if (tid == THREADS_MAX) {
      machine_unsupported(m, parent, "more than %u threads at a time%s", tid_limit(m), m->buffers ? " with store buffers" : "");
      return NULL;
    }
    t = thread_begin(m, tid);
    t->ordinal = ordinal;
  }
  t->maker = parent->tid;
  path_child(m, parent, t);
  return t;
}

struct thread *thread_create(struct machine *m, struct thread *parent, uint64_t function, uint64_t argument) {
  uint64_t index = (function - TEXT_BASE) / 16;
  if (function < TEXT_BASE || index >= m->image->nfunctions) {
    machine_fail(m, parent, FINDING_OUT_OF_BOUNDS, "call", "the start routine of a new thread is no function of the program");
    return NULL;
  }
  struct thread *t = make_child(m, parent);
  if (!t) return NULL;
  t->stage = STAGE_START;
  t->ends_at = m->site;
  m->single = false;
  m->stores_long = m->buffers != NULL;
  m->unjoined++;
  return frame_push(m, t, (uint32_t)index, &argument, 1) ? t : NULL;
}

void thread_joined(struct machine *m, struct thread *t) {
  t->joined = true;
  thread_changes(t);
  if (--m->unjoined == 0 && !m->options.see_alone && !signals_pending(m)) m->single = m->stores_long = true;
}

void thread_reserve(struct machine *m, uint32_t tid) {
  struct thread *t = m->threads[tid];
  if (!t) t = m->threads[tid] = mem_alloc(sizeof *t);
  if (t->state == THREAD_NONE) t->tid = tid, t->joined = t->detached = false;
}

/* Is a thread of that number created with the next step of another one, which has told its name? */
static bool is_told(struct machine *m, uint32_t tid) {
  for (uint32_t i = tset_next(&m->alive, 0); i < THREADS_MAX; i = tset_next(&m->alive, i + 1)) {
    const struct thread *t = m->threads[i];
    if (t->pending.op == EVENT_FORK && t->phase == PHASE_NAMED && thread_next_child(m, t) == tid) return true;
  }
  return false;
}

struct thread *thread_unborn(struct machine *m, uint64_t handle) {
  uint32_t tid = region_of(handle);
  bool named = tid < THREADS_MAX && handle == thread_handle(tid);
  return named && is_told(m, tid) ? m->threads[tid] : NULL;
}

void thread_end(struct machine *m, struct thread *t) {
  if (t->events) m->site = t->pending.site; /* it ends together with that step */
  spin_follow(m, t);                        /* does it still hold locks? */
  machine_record(m, t, EVENT_END, t->tid, 0)->flags = 0;
  t->state = THREAD_ENDED;
  t->leaves = LEAVES_NOTHING;
  t->pending = (struct event){.op = EVENT_END, .thread = t->tid};
  tset_remove(&m->alive, t->tid);
  vec_clear(&t->undefined);
  vec_clear(&t->expressions);
  stack_restore(&m->memory, t->tid, region_tls(t->tid) + m->image->header->tls_size + 16);
  thread_locals_close(m, t);
}

/* Nearly every thread: the models have nothing to do when it ends. */
static bool leaves_nothing(const struct machine *m, const struct thread *t) {
  if (m->destructors_offset == UINT64_MAX || m->values_offset == UINT64_MAX) return false;
  uint64_t tls = region_tls(t->tid);
  return memory_get(tls + m->destructors_offset) == 0 && *(const uint32_t *)host_at(tls + m->values_offset) == 0;
}

enum run machine_exits(struct machine *m, struct thread *t, uint64_t code) {
  const struct path_log *run = m->options.paths;
  m->exit_code = (int)(code & 255);
  enum run goes = m->options.apart ? path_exits(m, t) : RUN_GO;
  if (goes != RUN_GO) return goes;
  bool fails = m->options.exit_codes && m->exit_code && (!run || (uint32_t)m->exit_code == run->header.code);
  if (fails) return machine_fail(m, t, FINDING_EXIT_CODE, "exit", "the program ends with exit code %d", m->exit_code);
  return heap_check_leaks(m) ? RUN_STOP : machine_stop(m, MACHINE_DONE);
}

enum run thread_bottom(struct machine *m, struct thread *t, uint64_t result) {
  if (t->interrupted.count) return interrupt_over(m, t);
  switch ((enum thread_stage)t->stage) {
    case STAGE_CTORS:
      if (t->inputs < m->options.nsources && t->ctor == 0) return frame_push(m, t, m->model_begin, NULL, 0) ? RUN_FRAME : RUN_STOP;
      if (t->ctor < m->image->nctors) return frame_push(m, t, m->image->ctors[t->ctor++].function, NULL, 0) ? RUN_FRAME : RUN_STOP;
      t->stage = STAGE_MAIN;
      return frame_push(m, t, m->image->header->main, m->arguments, 3) ? RUN_FRAME : RUN_STOP;
    case STAGE_MAIN:
      t->stage = STAGE_EXIT;
      m->exit_code = (int)(result & 255);
      if (m->model_main_exit == UINT32_MAX) return machine_exits(m, t, result);
      if (!frame_push(m, t, m->model_main_exit, &result, 1)) return RUN_STOP;
      if (m->symbolic && m->symbolic->apart) symbolic_set(t, vec_last(&t->frames).base, m->symbolic->told);
      return RUN_FRAME;
    case STAGE_EXIT:
      return machine_stop(m, MACHINE_DONE);
    case STAGE_START:
      t->result = result;
      if (cancel_returns(m, t)) return RUN_YIELD;
      t->stage = STAGE_DESTRUCTORS;
      if (m->model_thread_exit == UINT32_MAX || leaves_nothing(m, t)) return RUN_END;
      return frame_push(m, t, m->model_thread_exit, NULL, 0) ? RUN_FRAME : RUN_STOP;
    case STAGE_DESTRUCTORS:
      return RUN_END;
  }
  return RUN_END;
}
