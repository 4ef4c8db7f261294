/* Events of properties (heddle-property(5)): the loader puts calls around what they name (program/named_calls.h), and HD_EVENT() is one.
 *
 * The monitor's state (property/monitor.h) is a number in a word of memory that no program can address. An event is a step that reads and
 * writes it, so events of properties depend on each other, and on nothing else: they order nothing, and no buffer is emptied for them. All
 * orders of them are explored. Where it matters how long a thread stands at an event, that it goes on is a second step. */
#include <stdio.h>
#include <string.h>

#include "machine/library/system.h"
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

enum { PHASE_EVENT = 32, EVENTS_MOST = 2 };

/* Functions that take and give back locks; the lock is that argument. */
struct lock_function {
  const char *name;
  uint8_t argument;
  bool takes, gives;
  bool tries; /* it does not wait, so nobody stands before it */
};
static const struct lock_function lock_functions[] = {
#define TAKES(name, tries) {#name, 0, true, false, tries},
#define GIVES(name)        {#name, 0, false, true, false},
#define WAITS(name)        {#name, 1, true, true, true},
#include "program/lock_functions.inc"
#undef TAKES
#undef GIVES
#undef WAITS
};

static const struct lock_function *lock_function(const char *name) {
  for (size_t i = 0; i < sizeof lock_functions / sizeof *lock_functions; i++)
    if (strcmp(lock_functions[i].name, name) == 0) return &lock_functions[i];
  return NULL;
}

/* --- steps --- */

const struct told *machine_told(const struct machine *m, uint32_t *n) {
  *n = (uint32_t)m->told.count;
  return m->told.data;
}

bool machine_is_told(const struct event *e) { return e->op == EVENT_RMW && e->flags & EVENT_CLOCK && e->object == property_word(); }

static bool is_visible(struct machine *m, struct thread *t) {
  t->next_order = ORDER_RELAXED, t->next_flags = EVENT_CLOCK;
  if (!machine_visible(m, t, EVENT_RMW, property_word(), 8, 0, false)) return false;
  t->next_order = t->next_flags = 0;
  return true;
}

static enum run go_to(struct machine *m, struct thread *t, uint64_t was, uint64_t state) {
  if (state == MONITOR_LOST)
    return machine_unsupported(m, t, "a property is not supported here: too many of its events may still be parts of a match");
  memory_put(&m->memory, property_word(), state);
  if (!m->single) machine_last_event(m)->value = was, machine_last_event(m)->value2 = state;
  t->wrote |= was != state;
  return RUN_GO;
}

static enum run fails(struct machine *m, struct thread *t, const struct property *p) {
  struct monitor_part parts[PROPERTY_ATOMS];
  char role[sizeof((struct finding_site){0}).role];
  VEC(struct monitor_event) events = {0};
  for (size_t i = 0; i < m->told.count; i++) *vec_push(&events) = m->told.data[i].event;
  uint32_t n = monitor_explain(m->monitor, events.data, (uint32_t)events.count, parts), last = (uint32_t)events.count - 1;
  struct text what = {0};
  property_violated_text(p, &what);
  enum run run = machine_fail(m, t, FINDING_PROPERTY, "event", "%s", text_str(&what));
  for (uint32_t i = 0; i < n; i++) {
    const struct told *at = &m->told.data[parts[i].event];
    snprintf(role, sizeof role, "%.*s", (int)parts[i].name.length, parts[i].name.at);
    if (parts[i].event == last)
      memcpy(m->finding.sites.data[0].role, role, sizeof role);
    else
      machine_fail_site(m, at->event.thread, at->site, role);
  }
  text_release(&what);
  vec_release(&events);
  return run;
}

static void note(struct machine *m, const struct monitor_event *e) {
  *vec_push(&m->told) = (struct told){.event = *e, .site = m->site, .at = (uint32_t)m->trace.count, .alone = m->single};
}

static enum run happens(struct machine *m, struct thread *t, const struct monitor_event *e) {
  const struct property *violated;
  uint64_t was = memory_get(property_word());
  note(m, e);
  enum run run = go_to(m, t, was, monitor_next(m->monitor, was, e, &violated));
  return run == RUN_GO && violated ? fails(m, t, violated) : run;
}

static enum run goes_on(struct machine *m, struct thread *t) {
  uint64_t was = memory_get(property_word());
  note(m, &(struct monitor_event){.what = MONITOR_LEAVES, .thread = t->tid});
  return go_to(m, t, was, monitor_leaves(m->monitor, was, t->tid));
}

/* One after the other. */
static enum run tell(struct machine *m, struct thread *t, const struct monitor_event *events, unsigned n) {
  unsigned from = t->phase >= PHASE_EVENT ? t->phase - PHASE_EVENT : 0;
  for (unsigned i = from; i < 2 * n; i++) {
    const struct monitor_event *e = &events[i / 2];
    if (!monitor_concerns(m->monitor, e) || (i % 2 && !monitor_stands(m->monitor, e))) continue;
    t->phase = (uint8_t)(PHASE_EVENT + i);
    if (!is_visible(m, t)) return RUN_YIELD;
    enum run run = i % 2 ? goes_on(m, t) : happens(m, t, e);
    if (run != RUN_GO) return run;
  }
  t->phase = 0;
  return RUN_GO;
}

/* --- what happens --- */

static bool name_at(struct machine *m, struct thread *t, uint64_t address, const char **name) {
  enum { LONGEST = 1024 };
  for (unsigned n = 0; n < LONGEST && in_arena(address + n, 1); n++) {
    *name = (const char *)host_at(address);
    if ((*name)[n] == 0) return true;
  }
  machine_unsupported(m, t, "HD_EVENT() with something else than a name of up to 1023 characters");
  return false;
}

static struct monitor_event event_of(const struct thread *t, uint8_t what, bool after, const char *name, const uint64_t *values,
                                     uint64_t n) {
  struct monitor_event e = {.what = what, .after = after, .thread = t->tid, .name = name};
  e.n = n < PROPERTY_ARGUMENTS ? (uint32_t)n : PROPERTY_ARGUMENTS;
  memcpy(e.arguments, values, e.n * sizeof *values);
  return e;
}

/* Does the thread have the mutex so often that this call makes no difference to others? */
static bool is_inner(const struct thread *t, const struct lock_function *f, uint64_t lock, bool after) {
  bool mutex = strncmp(f->name, "pthread_mutex", strlen("pthread_mutex")) == 0 && in_arena(lock, sizeof(struct mutex));
  const struct mutex *x = mutex ? host_at(lock) : NULL;
  if (!mutex || x->owner != t->tid + 1) return false;
  if (f->takes) return after ? x->depth > 0 : (x->kind & MUTEX_KIND_MASK) == MUTEX_RECURSIVE;
  return after || x->depth > 0;
}

/* A wait gives its mutex back, and takes it again, behind our back. */
static bool sees_all(struct machine *m, struct thread *t, const struct monitor_event *call, const struct lock_function *f) {
  if (!f->takes || !f->gives || f->argument >= call->n) return true;
  struct monitor_event given = {.what = PROPERTY_RELEASE, .after = true, .thread = t->tid, .name = "", .n = 1};
  given.arguments[0] = call->arguments[f->argument];
  struct monitor_event waits = given;
  waits.what = PROPERTY_ACQUIRE, waits.after = false;
  if (!monitor_concerns(m->monitor, &given) && !monitor_concerns(m->monitor, &waits)) return true;
  machine_unsupported(m, t, "`after release' and `before acquire' of a property are not seen within %s()", f->name);
  return false;
}

/* What the call is as one of a lock. */
static bool lock_event(const struct thread *t, const struct monitor_event *call, const struct lock_function *f, struct monitor_event *e) {
  uint64_t lock = f->argument < call->n ? call->arguments[f->argument] : 0;
  bool waits = f->takes && f->gives, acquires = waits ? call->after : f->takes;
  if (f->tries && !call->after && !waits) return false;
  if (call->after && !waits && (uint32_t)call->result != 0) return false;
  if (is_inner(t, f, lock, call->after)) return false;
  *e = event_of(t, acquires ? PROPERTY_ACQUIRE : PROPERTY_RELEASE, call->after, "", &lock, 1);
  return true;
}

static enum run tell_call(struct machine *m, struct thread *t, const struct monitor_event *call) {
  struct monitor_event events[EVENTS_MOST] = {*call};
  const struct lock_function *f = lock_function(call->name);
  if (f && !sees_all(m, t, call, f)) return RUN_STOP;
  unsigned n = f && lock_event(t, call, f, &events[1]) ? 2 : 1;
  return tell(m, t, events, n);
}

static BUILTIN(told_call) {
  const char *name;
  (void)result;
  if (!m->monitor && !m->invocations) return RUN_GO;
  if (!name_at(m, t, args[0], &name)) return RUN_STOP;
  enum run run = m->invocations ? invocation_begins(m, t, name, args) : RUN_GO;
  if (run != RUN_GO || !m->monitor) return run;
  struct monitor_event e = event_of(t, PROPERTY_CALL, false, name, args + 2, args[1]);
  return tell_call(m, t, &e);
}

static BUILTIN(told_return) {
  const char *name;
  (void)result;
  if (!m->monitor && !m->invocations) return RUN_GO;
  if (!name_at(m, t, args[0], &name)) return RUN_STOP;
  if (m->invocations) invocation_ends(m, t, name, args, args[2 + PROPERTY_ARGUMENTS], args[3 + PROPERTY_ARGUMENTS]);
  if (!m->monitor) return RUN_GO;
  struct monitor_event e = event_of(t, PROPERTY_CALL, true, name, args + 2, args[1]);
  e.has_result = args[2 + PROPERTY_ARGUMENTS], e.result = args[3 + PROPERTY_ARGUMENTS];
  return tell_call(m, t, &e);
}

static BUILTIN(told_mark) {
  const char *name;
  (void)result;
  if (!m->monitor) return RUN_GO;
  if (!name_at(m, t, args[0], &name)) return RUN_STOP;
  struct monitor_event e = event_of(t, PROPERTY_MARK, false, name, args + 2, (uint32_t)args[1]);
  return tell(m, t, &e, 1);
}

const struct builtin property_builtins[] = {
    {"__hd_told_call", told_call, 10}, {"__hd_told_return", told_return, 12}, {"hd_event", told_mark, 8}, {0}};
