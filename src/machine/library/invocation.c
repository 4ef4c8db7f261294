/* Invocations of the methods of a specification: the loader puts calls around them (program/named_calls.h). What they are told makes no
 * step: it is noted in a list, which is cut when the machine goes back.
 *
 * Pure functions of the program are called by a thread of their own, from a mark on to which the machine returns. */
#include "machine/invocation.h"

#include <stdlib.h>
#include <string.h>

#include "machine/library/system.h"

/* Bit i of `ints`: argument i of the function is an integer of 32 bits or less; INT_RESULT: its result. */
enum { INT_RESULT = 8, INT_PREFIX_LENGTH = sizeof IMAGE_KNOWN_PREFIX "int:" - 1 };

struct invocations {
  const struct spec *spec;
  uint16_t ints[SPEC_METHODS];
  uint16_t function_ints[SPEC_FUNCTIONS];
  uint32_t functions[SPEC_FUNCTIONS], methods[SPEC_METHODS]; /* of the image, or UINT32_MAX */
  VEC(struct machine_invocation) list;
  /* one_step: all that were seen, told apart by method and arguments: number i + 1 is labels.data[i]. */
  struct hashmap numbers, commuting; /* commuting: (number, number) -> 1: they do */
  VEC(struct spec_invocation) labels;
};

/* --- what the program has --- */

static uint16_t ints_of(const struct image *image, struct spec_name name) {
  for (uint32_t i = 0; i < image->nexterns; i++) {
    const char *at = image_string(image, image->externs[i].name);
    if (strncmp(at, IMAGE_KNOWN_PREFIX "int:", INT_PREFIX_LENGTH) != 0) continue;
    at += INT_PREFIX_LENGTH;
    if (strncmp(at, name.at, name.length) == 0 && at[name.length] == ':') return (uint16_t)strtoul(at + name.length + 1, NULL, 16);
  }
  return 0;
}

static uint32_t function_of(const struct image *image, struct spec_name name) {
  for (uint32_t i = 0; i < image->nfunctions; i++) {
    const char *at = image_string(image, image->functions[i].link_name);
    if (strncmp(at, name.at, name.length) == 0 && !at[name.length]) return i;
  }
  return UINT32_MAX;
}

static bool commute(void *data, uint64_t a, uint64_t b);

void invocations_new(struct machine *m, const struct spec *spec) {
  struct invocations *v = m->invocations = mem_alloc(sizeof *v);
  v->spec = spec;
  for (unsigned i = 0; i < spec->nmethods; i++) {
    v->ints[i] = ints_of(m->image, spec->methods[i].name);
    v->methods[i] = function_of(m->image, spec->methods[i].name);
  }
  if (m->options.one_step) event_set_commuting(commute, m);
  for (unsigned i = 0; i < spec->nfunctions; i++) {
    v->function_ints[i] = ints_of(m->image, spec->functions[i].name);
    v->functions[i] = function_of(m->image, spec->functions[i].name);
  }
}

void invocations_free(struct machine *m) {
  if (!m->invocations) return;
  if (m->options.one_step) event_set_commuting(NULL, NULL);
  vec_release(&m->invocations->list);
  vec_release(&m->invocations->labels);
  hashmap_release(&m->invocations->numbers);
  hashmap_release(&m->invocations->commuting);
  mem_free(m->invocations, sizeof *m->invocations);
}

size_t invocations_count(const struct machine *m) { return m->invocations->list.count; }

/* --- the list --- */

static bool has_begun(const struct invocations *v, uint32_t thread) {
  for (size_t i = v->list.count; i-- > 0;)
    if (v->list.data[i].thread == thread) return !v->list.data[i].ends;
  return false;
}

static bool call_function(void *data, unsigned function, const int64_t *arguments, unsigned n, int64_t *result) {
  return machine_call(data, function, arguments, n, result);
}

static int64_t number(uint64_t value, bool is_int) { return is_int ? (int32_t)(uint32_t)value : (int64_t)value; }

static struct machine_invocation invocation_of(const struct invocations *v, const struct thread *t, const struct spec_method *method,
                                               const uint64_t *args) {
  struct machine_invocation i = {.thread = t->tid, .index = t->events};
  uint64_t n = args[1] < SPEC_PARAMETERS ? args[1] : SPEC_PARAMETERS;
  i.what.method = (uint16_t)(method - v->spec->methods);
  i.what.n = (uint8_t)n;
  i.what.object = method->on < n ? args[2 + method->on] : 0;
  for (uint64_t k = 0; k < n; k++) i.what.arguments[k] = number(args[2 + k], v->ints[i.what.method] >> k & 1);
  return i;
}

/* --- an invocation as one step --- */

/* Whatever they return, and in whichever state. */
static bool commute(void *data, uint64_t a, uint64_t b) {
  struct machine *m = data;
  struct invocations *v = m->invocations;
  const struct spec_caller caller = {call_function, m};
  bool is_new = false;
  uint64_t *known = hashmap_at(&v->commuting, a << 32 | b, 0, &is_new);
  if (is_new) {
    enum spec_answer answer = spec_commute(v->spec, &v->labels.data[a - 1], &v->labels.data[b - 1], &caller);
    *hashmap_at(&v->commuting, a << 32 | b, 0, NULL) = answer == SPEC_COMMUTE;
    return answer == SPEC_COMMUTE;
  }
  return *known;
}

static uint64_t number_of(struct invocations *v, const struct spec_invocation *what) {
  uint64_t key = hash_pair(what->method, what->object);
  bool is_new = false;
  for (unsigned i = 0; i < what->n; i++) key = hash_pair(key, (uint64_t)what->arguments[i]);
  uint64_t number = *hashmap_at(&v->numbers, key, v->labels.count + 1, &is_new);
  if (is_new) *vec_push(&v->labels) = *what;
  return number;
}

/* The step. What comes behind it, up to the invocation's end, is done as by a thread that is alone. */
static enum run begin_step(struct machine *m, struct thread *t, const struct spec_invocation *what) {
  if (m->single || !what->object) return RUN_GO;
  t->next_flags = EVENT_METHOD;
  if (!machine_visible(m, t, EVENT_OUTPUT, what->object, 1, number_of(m->invocations, what), false)) return RUN_YIELD;
  m->silent = true, m->waits = false;
  m->single = m->stores_long = true;
  return RUN_GO;
}

static void end_step(struct machine *m) {
  m->silent = false;
  m->single = false;
  m->stores_long = m->buffers != NULL;
}

void invocation_stepped(struct machine *m, struct thread *t) {
  if (!m->silent) return;
  end_step(m);
  if (m->waits || m->status == MACHINE_RUNNING)
    machine_unsupported(m, t,
                        "an invocation that waits, chooses, or begins or ends a thread is not supported with --spec: it is no single step");
}

/* --- what the program tells --- */

enum run invocation_begins(struct machine *m, struct thread *t, const char *name, const uint64_t *args) {
  struct invocations *v = m->invocations;
  const struct spec_method *method = spec_method(v->spec, name, strlen(name));
  if (!method || t->phase) return RUN_GO; /* told before: it came to the step of a property's event */
  struct machine_invocation i = invocation_of(v, t, method, args);
  if (m->options.one_step && t->invocations == 0) {
    enum run run = begin_step(m, t, &i.what);
    if (run != RUN_GO) return run;
  }
  if (t->invocations++) return RUN_GO;
  *vec_push(&v->list) = i;
  return RUN_GO;
}

void invocation_ends(struct machine *m, struct thread *t, const char *name, const uint64_t *args, bool results, uint64_t result) {
  struct invocations *v = m->invocations;
  const struct spec_method *method = spec_method(v->spec, name, strlen(name));
  if (!method || t->phase || !t->invocations || --t->invocations || !has_begun(v, t->tid)) return;
  if (m->silent) end_step(m);
  struct machine_invocation i = invocation_of(v, t, method, args);
  i.ends = true;
  i.what.results = results;
  i.what.result = number(result, v->ints[i.what.method] >> INT_RESULT & 1);
  *vec_push(&v->list) = i;
}

/* The last of the thread's, which it has begun and of which its next step is the first. */
static struct machine_invocation *fresh(struct invocations *v, const struct thread *t) {
  for (size_t i = v->list.count; i-- > 0;) {
    struct machine_invocation *last = &v->list.data[i];
    if (last->thread == t->tid) return !last->ends && last->index == t->events ? last : NULL;
  }
  return NULL;
}

void invocation_steps(struct machine *m, struct thread *t) {
  struct invocations *v = m->invocations;
  struct machine_invocation *i = fresh(v, t);
  if (!i) return;
  if (m->options.one_step) return;
  uint16_t state = v->spec->objects[v->spec->methods[i->what.method].object].state;
  if (state == SPEC_NOTHING || !i->what.object) return;
  int64_t object = (int64_t)i->what.object, value;
  bool has = machine_call(m, state, &object, 1, &value);
  i->what.states = has, i->what.state = has ? value : 0;
}

void invocations_cut(struct machine *m, size_t n) { m->invocations->list.count = n; }

const struct machine_invocation *machine_invocations(const struct machine *m, uint32_t *n) {
  *n = m->invocations ? (uint32_t)m->invocations->list.count : 0;
  return m->invocations ? m->invocations->list.data : NULL;
}

/* --- calls --- */

/* A number that no thread of this execution has; THREADS_MAX. */
static uint32_t free_thread(const struct machine *m) {
  for (uint32_t tid = AGENTS_FROM; tid-- > 1;) {
    bool used = false;
    for (uint32_t i = 0; i < m->ncreated && !used; i++) used = m->created[i] == tid;
    if (!used) return tid;
  }
  return THREADS_MAX;
}

static bool make_call(struct machine *m, struct machine_called *c) {
  const struct invocations *v = m->invocations;
  uint32_t tid = free_thread(m), f = c->method ? v->methods[c->index] : v->functions[c->index];
  uint16_t ints = c->method ? v->ints[c->index] : v->function_ints[c->index];
  uint64_t given[SPEC_PARAMETERS];
  if (tid == THREADS_MAX || f == UINT32_MAX) return false;
  for (unsigned i = 0; i < c->n; i++) given[i] = ints >> i & 1 ? (uint32_t)c->arguments[i] : (uint64_t)c->arguments[i];
  struct thread *t = thread_begin(m, tid);
  t->stage = STAGE_START;
  if (frame_push(m, t, f, given, c->n)) thread_run(m, t);
  c->result = number(t->result, ints >> INT_RESULT & 1);
  return m->status == MACHINE_RUNNING && t->state == THREAD_ENDED;
}

unsigned machine_call_all(struct machine *m, struct machine_called *calls, unsigned n) {
  uint32_t words = m->words, returned = 0;
  if (m->symbolic || m->buffers) return 0;
  struct finding finding = m->finding;
  m->finding = (struct finding){0};
  size_t mark = machine_mark(m, NULL);
  m->single = m->stores_long = true;
  m->status = MACHINE_RUNNING;
  while (returned < n && make_call(m, &calls[returned])) returned++;
  machine_rollback(m, mark);
  m->counts.restores--;
  m->words = words;
  finding_release(&m->finding);
  m->finding = finding;
  return returned;
}

bool machine_call(struct machine *m, unsigned function, const int64_t *arguments, unsigned n, int64_t *result) {
  struct machine_called c = {.index = (uint16_t)function, .n = (uint8_t)n};
  memcpy(c.arguments, arguments, n * sizeof *arguments);
  bool returned = machine_call_all(m, &c, 1) == 1;
  *result = c.result;
  return returned;
}

bool machine_method_parameters(const struct machine *m, unsigned method, uint32_t *n) {
  uint32_t f = m->invocations->methods[method];
  *n = f == UINT32_MAX ? 0 : m->image->functions[f].params;
  return f != UINT32_MAX;
}
