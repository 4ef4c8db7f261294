/* Operations of an object (objects/history.h): what the model models/objects/main.c asks for and tells.
 *
 * The history's state is a number in a word of memory that no program can address. That an operation begins or ends is a step. Only whether
 * one ended before another began makes a difference: of two beginnings either may come first, and of two ends, with the same state behind
 * them. So an end writes a byte of its thread's, which counts how many have ended, and a beginning reads those of all threads. For no store
 * buffer is it waited: an operation may end before others see what it stored. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/library/system.h"
#include "machine/memory/buffer.h"
#include "machine/sync/sync.h"
#include "machine/sync/table.h"
#include "program/layout.h"
#include "program/object.h"

const struct history_event *machine_operations(const struct machine *m, size_t *n) {
  *n = m->operations.count;
  return m->operations.data;
}

const struct history *machine_history(const struct machine *m) { return m->history; }

bool machine_is_operation(const struct event *e) {
  return (e->op == EVENT_READ || e->op == EVENT_RMW) && e->flags & EVENT_CLOCK && e->object >= ended_bytes() &&
         e->object < ended_bytes() + SCENARIO_THREADS;
}

void image_object(const struct image *image, struct object *to) {
  for (uint32_t i = 0; i < image->nfunctions; i++) {
    const char *name = image_string(image, image->functions[i].link_name);
    unsigned index, parameters;
    int at = 0;
    if (sscanf(name, OBJECT_FUNCTION "%3u.%3u.%n", &index, &parameters, &at) < 2 || at == 0) continue;
    while (to->operations.count <= index && index < OBJECT_OPERATIONS) *vec_push(&to->operations) = (struct object_operation){"", 0};
    if (index < to->operations.count)
      to->operations.data[index] = (struct object_operation){name + at, parameters < SCENARIO_ARGUMENTS ? parameters : SCENARIO_ARGUMENTS};
  }
}

/* --- a thread that crashes --- */

bool operation_crashed(const struct machine *m, const struct thread *t) {
  return m->options.scenario && m->options.scenario->crashes && t->operation == m->options.scenario->crash_thread + 1 &&
         t->need == NEED_NEVER_MET;
}

/* For others it is as one that goes round in a circle for ever. */
static void crash(struct machine *m, struct thread *t) {
  thread_changes(t);
  t->operation_steps = 0; /* which make no difference any more */
  if (m->options.crash_states) {
    struct fingerprint state = machine_state(m);
    hashmap_at(m->options.crash_states, hash_pair(state.lo, state.hi), 1, NULL);
    thread_changes(t);
  }
  t->waiting = false;
  t->need = NEED_NEVER_MET;
  t->pending = (struct event){.op = EVENT_NONE, .thread = t->tid, .site = t->pending.site};
  tset_add(&m->parked, t->tid);
  tset_add(&m->circling, t->tid);
  machine_settle(m);
  if (m->buffers) buffers_show(m);
}

void operation_stepped(struct machine *m, struct thread *t, bool inside) {
  const struct scenario *s = m->options.scenario;
  if (m->status != MACHINE_RUNNING || t->state != THREAD_LIVE) return;
  thread_changes(t);
  t->operation_steps += inside;
  if (t->operation == s->crash_thread + 1 && t->operation_steps == s->crash_after && t->need != NEED_NEVER_MET) crash(m, t);
}

bool machine_crashed(const struct machine *m, uint32_t thread) {
  return (thread < AGENTS_FROM || !m->buffers) && m->threads[thread] && operation_crashed(m, m->threads[thread]);
}

static uint32_t crashed_thread(const struct machine *m) {
  for (uint32_t i = 0; m->options.scenario->crashes && i < m->ncreated; i++) {
    const struct thread *t = m->threads[m->created[i]];
    if (operation_crashed(m, t)) return t->operation - 1;
  }
  return HISTORY_NOBODY;
}

bool operations_may_block(const struct machine *m) {
  return m->history && history_may_block(m->history, memory_get(history_word()), crashed_thread(m));
}

bool machine_may_wait(const struct machine *m) { return operations_may_block(m); }

/* The threads are the first children of main, in the order of their making; the object may have made others before them. */
uint32_t machine_scenario_thread(const struct machine *m, uint32_t i) {
  for (size_t k = 0; k < m->operations.count; k++)
    if (m->operations.data[k].what == HISTORY_BEGINS && m->operations.data[k].thread == i) return m->operations.data[k].tid;
  return THREADS_MAX;
}

/* --- the scenario --- */

static const struct scenario_call *call_of(const struct machine *m, const uint64_t *args) {
  const struct scenario *s = m->options.scenario;
  uint32_t thread = (uint32_t)args[0], i = (uint32_t)args[1];
  return s && thread < s->threads && i < s->count[thread] ? &s->calls[thread][i] : NULL;
}

static BUILTIN(scenario_threads) {
  *result = m->options.scenario && !operations_are_alone(m) ? m->options.scenario->threads : 0;
  return RUN_GO;
}

static BUILTIN(scenario_repeats) {
  *result = m->options.repeats;
  return RUN_GO;
}

static BUILTIN(scenario_length) {
  const struct scenario *s = m->options.scenario;
  *result = s && args[0] < s->threads ? s->count[args[0]] : 0;
  return RUN_GO;
}

static BUILTIN(scenario_operation) {
  const struct scenario_call *c = call_of(m, args);
  if (!c) return machine_unsupported(m, t, "an object's operations are explored by heddle check --linearizable");
  *result = c->operation;
  return RUN_GO;
}

static BUILTIN(scenario_argument) {
  const struct scenario_call *c = call_of(m, args);
  *result = c && args[2] < SCENARIO_ARGUMENTS ? c->arguments[args[2]] : 0;
  return RUN_GO;
}

/* --- the history --- */

static void note(struct machine *m, const struct thread *t, uint8_t what, uint32_t thread, uint64_t value) {
  *vec_push(&m->operations) = (struct history_event){.what = what, .thread = thread, .value = value, .tid = t->tid};
}

uint32_t image_first_site(const struct image *image, const char *function) {
  for (uint32_t i = 0; i < image->nsites; i++) {
    const struct image_function *f = &image->functions[image->sites[i].function];
    if (image->sites[i].line && strcmp(image_string(image, f->link_name), function) == 0) return i;
  }
  return UINT32_MAX;
}

/* Where the operation is in the source. */
static uint32_t place_of(const struct machine *m, const struct object *o, const struct scenario_call *c) {
  struct text name = {0};
  text_printf(&name, OBJECT_PREFIX "%s", o->operations.data[c->operation].name);
  uint32_t site = image_first_site(m->image, text_str(&name));
  text_release(&name);
  return site == UINT32_MAX ? m->site : site;
}

static enum run fails(struct machine *m) {
  const struct scenario *s = m->options.scenario;
  struct object object = {0};
  struct text line = {0};
  uint32_t ended[SCENARIO_THREADS] = {0};
  image_object(m->image, &object);
  history_line(&object, s, m->operations.data, m->operations.count, &line);
  bool closed = vec_last(&m->operations).what == HISTORY_CLOSES;
  enum run run = machine_fail(m, NULL, FINDING_NOT_LINEARIZABLE, "", "no order of the operations gives these results%s: %s",
                              closed ? " and this state at the end" : "", text_str(&line));
  for (size_t i = m->operations.count; i-- > 0;) ended[m->operations.data[i].thread] += m->operations.data[i].what == HISTORY_ENDS;
  for (size_t i = m->operations.count; i-- > 0;) {
    const struct history_event *e = &m->operations.data[i];
    if (e->what != HISTORY_ENDS) continue;
    machine_fail_site(m, e->tid, place_of(m, &object, &s->calls[e->thread][--ended[e->thread]]), "operation");
  }
  vec_release(&object.operations);
  text_release(&line);
  return run;
}

static bool is_visible(struct machine *m, struct thread *t, enum event_op op, uint64_t object, uint64_t size) {
  t->next_order = ORDER_RELAXED, t->next_flags = EVENT_CLOCK;
  if (!machine_visible(m, t, op, object, size, 0, false)) return false;
  t->next_order = t->next_flags = 0;
  return true;
}

static uint8_t thread_of(const uint64_t *args) { return (uint8_t)(args[0] % SCENARIO_THREADS); }

static BUILTIN(operation_begin) {
  if (m->options.unjudged && !is_visible(m, t, EVENT_READ, ended_bytes(), SCENARIO_THREADS)) return RUN_YIELD;
  if (m->history) {
    if (!is_visible(m, t, EVENT_READ, ended_bytes(), SCENARIO_THREADS)) return RUN_YIELD;
    machine_last_event(m)->value = memory_get(ended_bytes());
    memory_put(&m->memory, history_word(), history_begins(m->history, memory_get(history_word()), thread_of(args)));
  }
  t->operation = thread_of(args) + 1u;
  note(m, t, HISTORY_BEGINS, thread_of(args), 0);
  return RUN_GO;
}

static BUILTIN(operation_end) {
  uint8_t thread = thread_of(args);
  if (m->options.unjudged && !is_visible(m, t, EVENT_RMW, ended_bytes() + thread, 1)) return RUN_YIELD;
  if (!m->history) {
    t->operation = 0;
    note(m, t, HISTORY_ENDS, thread, args[1]);
    return RUN_GO;
  }
  if (!is_visible(m, t, EVENT_RMW, ended_bytes() + thread, 1)) return RUN_YIELD;
  uint64_t was = memory_get(ended_bytes()), state = history_ends(m->history, memory_get(history_word()), thread, args[1]);
  struct event *e = machine_last_event(m);
  e->value = was >> 8 * thread & 0xff, e->value2 = (e->value + 1) & 0xff;
  memory_put(&m->memory, ended_bytes(), was + (1ull << 8 * thread));
  memory_put(&m->memory, history_word(), state);
  t->wrote = true;
  t->operation = 0;
  note(m, t, HISTORY_ENDS, thread, args[1]);
  return state == HISTORY_WRONG ? fails(m) : RUN_GO;
}

static struct fingerprint of_memory(struct machine *m) {
  struct fingerprint f = memory_fingerprint(&m->memory);
  fingerprint_xor(&f, heap_fingerprint(m));
  return f;
}

static BUILTIN(state_begin) {
  m->looked = of_memory(m);
  return RUN_GO;
}

static BUILTIN(state_end) {
  uint32_t site = image_first_site(m->image, "hd_state");
  if (!fingerprint_equal(m->looked, of_memory(m)) && site != UINT32_MAX) m->site = site;
  if (!fingerprint_equal(m->looked, of_memory(m)))
    return machine_unsupported(m, t, "HD_STATE is not supported here: it changes memory, and so it is no look at the object");
  note(m, t, HISTORY_CLOSES, 0, args[0]);
  if (!m->history) return RUN_GO;
  uint64_t state = history_closes(m->history, memory_get(history_word()), args[0]);
  memory_put(&m->memory, history_word(), state);
  return state == HISTORY_WRONG ? fails(m) : RUN_GO;
}

const struct builtin operation_builtins[] = {{"__hd_scenario_threads", scenario_threads, 0},
                                             {"__hd_scenario_length", scenario_length, 1},
                                             {"__hd_scenario_repeats", scenario_repeats, 0},
                                             {"__hd_scenario_operation", scenario_operation, 2},
                                             {"__hd_scenario_argument", scenario_argument, 3},
                                             {"__hd_operation_begin", operation_begin, 1},
                                             {"__hd_operation_end", operation_end, 2},
                                             {"__hd_state_begin", state_begin, 0},
                                             {"__hd_state_end", state_end, 1},
                                             {0}};
