#include "predict/recorded/points.h"

#include <string.h>

#include "base/hash.h"

#define NONE UINT32_MAX

/* The reads of a thread since its last branch: events. */
struct reads {
  VEC(uint32_t) list;
};

struct finder {
  struct property_points *out;
  const struct property *property;
  const struct event *events;
  size_t n;
  VEC(uint32_t) methods; /* of each source of a call or a mark; NONE: the run has none of that name */
  struct property_calls calls;
  VEC(struct reads) reads; /* of each thread */
  VEC(uint32_t) indices;   /* of each thread: events so far */
};

/* --- calls --- */

static struct property_thread *thread_of(struct property_calls *c, uint32_t thread) {
  while (c->threads.count <= thread) *vec_push(&c->threads) = (struct property_thread){0};
  return &c->threads.data[thread];
}

/* What it has called, and was left by an exception or a jump, has no end of its own. */
static void end_call(struct property_thread *t, uint64_t method) {
  size_t n = t->open.count;
  while (n > 0 && t->open.data[n - 1].method != method) n--;
  if (n > 0) t->open.count = n - 1;
}

void property_calls_take(struct property_calls *c, const struct event *e) {
  struct property_thread *t = thread_of(c, e->thread);
  if (e->op == RECORDED_ARGUMENT && t->begins) {
    struct property_call *call = &vec_last(&t->open);
    if (call->n < PROPERTY_ARGUMENTS) call->arguments[call->n] = e->value;
    call->n++;
    return;
  }
  t->begins = e->op == RECORDED_CALL;
  if (e->op == RECORDED_CALL) *vec_push(&t->open) = (struct property_call){.method = e->object};
  if (e->op == RECORDED_RETURN) end_call(t, e->object);
}

void property_calls_release(struct property_calls *c) {
  for (size_t i = 0; i < c->threads.count; i++) vec_release(&c->threads.data[i].open);
  vec_release(&c->threads);
}

static void calls_copy(struct property_calls *to, const struct property_calls *from) {
  for (size_t i = 0; i < from->threads.count; i++) {
    const struct property_thread *t = &from->threads.data[i];
    struct property_thread *copy = thread_of(to, (uint32_t)i);
    copy->begins = t->begins;
    for (size_t k = 0; k < t->open.count; k++) *vec_push(&copy->open) = t->open.data[k];
  }
}

/* --- names --- */

static bool is_name(const struct recorded_names *names, uint32_t offset, const char *prefix, const struct property_text *t) {
  const char *s = names->strings.data + offset;
  size_t n = strlen(prefix);
  return strncmp(s, prefix, n) == 0 && strlen(s + n) == t->length && memcmp(s + n, t->at, t->length) == 0;
}

static uint32_t find_method(const struct recorded_names *names, const struct property_source *s) {
  const char *prefix = s->what == PROPERTY_MARK ? "mark:" : "";
  for (size_t i = 0; i < names->methods.count; i++)
    if (is_name(names, names->methods.data[i], prefix, &s->name)) return (uint32_t)i;
  return NONE;
}

static bool is_call(const struct property_source *s) { return s->what == PROPERTY_CALL || s->what == PROPERTY_MARK; }

/* Each event has a source that the run knows. */
static enum err check_methods(const struct finder *f, const char *name, struct diag *d) {
  for (size_t i = 0; i < f->property->events.count; i++) {
    const struct property_event *e = &f->property->events.data[i];
    bool known = false;
    for (uint32_t k = e->first; k < e->first + e->count; k++)
      known |= !is_call(&f->property->sources.data[k]) || f->methods.data[k] != NONE;
    const struct property_source *s = &f->property->sources.data[e->first];
    if (known) continue;
    diag_hint(d,
              s->what == PROPERTY_CALL ? "heddle trace --property=FILE records the calls that FILE names, of functions that the program has"
                                       : "the program has no HD_EVENT(\"%.*s\"), or was recorded by an older version",
              (int)s->name.length, s->name.at);
    return diag_set(d, ERR_UNSUPPORTED, "%s:%u:%u: the trace has no %s `%.*s'", name, s->name.line, s->name.column,
                    s->what == PROPERTY_CALL ? "calls of" : "mark", (int)s->name.length, s->name.at);
  }
  return ERR_NONE;
}

static enum err find_names(struct finder *f, const char *name, const struct recorded_names *names, struct diag *d) {
  for (size_t i = 0; i < f->property->sources.count; i++) {
    const struct property_source *s = &f->property->sources.data[i];
    *vec_push(&f->methods) = is_call(s) ? find_method(names, s) : NONE;
    bool accesses = s->what == PROPERTY_READ || s->what == PROPERTY_WRITE || s->what == PROPERTY_DEREFERENCE;
    if (!accesses || (s->name.length == 1 && *s->name.at == '*')) continue;
    diag_hint(d, "write * and name its address with `of'");
    return diag_set(d, ERR_UNSUPPORTED, "%s:%u:%u: accesses of one variable or field, `%.*s', cannot be told from others in a recorded run",
                    name, s->name.line, s->name.column, (int)s->name.length, s->name.at);
  }
  return check_methods(f, name, d);
}

/* --- points --- */

static struct event *add(struct finder *f, const struct event *e, uint32_t origin) {
  struct event *to = vec_push(&f->out->events);
  *to = *e;
  while (f->indices.count <= e->thread) *vec_push(&f->indices) = 0;
  to->index = f->indices.data[e->thread]++;
  *vec_push(&f->out->origin) = origin;
  return to;
}

static bool bind(struct property_point *p, const struct property_value *v, uint64_t value) {
  if (v->kind == PROPERTY_NUMBER) return v->number == value;
  if (v->kind == PROPERTY_ANY) return true;
  if (p->given >> v->parameter & 1) return p->values[v->parameter] == value;
  p->given |= 1u << v->parameter;
  p->values[v->parameter] = value;
  return true;
}

static bool binds(const struct property_value *v) { return v->kind != PROPERTY_ANY; }

/* An argument that should be something, and is not there, is no match. */
static bool bind_arguments(struct property_point *p, const struct property_source *s, const struct property_call *call) {
  for (unsigned i = 0; i < s->narguments; i++) {
    if (!binds(&s->arguments[i])) continue;
    if (i >= call->n || !bind(p, &s->arguments[i], call->arguments[i])) return false;
    p->exact = true;
  }
  return true;
}

/* The call that the event begins, with the arguments that follow it. */
static struct property_call call_at(const struct finder *f, uint32_t call) {
  struct property_call c = {.method = f->events[call].object};
  for (size_t i = call + 1; i < f->n && c.n < PROPERTY_ARGUMENTS; i++) {
    const struct event *e = &f->events[i];
    if (e->thread != f->events[call].thread) continue;
    if (e->op != RECORDED_ARGUMENT) break;
    c.arguments[c.n++] = e->value;
  }
  return c;
}

static bool bind_result(const struct finder *f, struct property_point *p, const struct property_source *s, uint32_t ret) {
  if (!binds(&s->result)) return true;
  p->exact = true;
  for (size_t i = ret + 1; i < f->n; i++) {
    const struct event *e = &f->events[i];
    if (e->thread == f->events[ret].thread) return e->op == RECORDED_ARGUMENT && bind(p, &s->result, e->value);
  }
  return false;
}

/* An access, what it reads or writes being `value`; not known: `known` is false. */
static bool bind_access(struct property_point *p, const struct property_source *s, uint64_t object, uint64_t value, bool known) {
  p->exact = binds(&s->value);
  return bind(p, &s->object, object) && (!binds(&s->value) || (known && bind(p, &s->value, value)));
}

/* The read whose value is the branch's target or the address that is used there; NONE. */
static uint32_t pointer_of(const struct finder *f, const struct event *branch) {
  const struct reads *r = &f->reads.data[branch->thread];
  for (size_t i = branch->value && branch->object == branch->value ? r->list.count : 0; i-- > 0;)
    if (f->events[r->list.data[i]].value == branch->value && f->events[r->list.data[i]].site == branch->value2) return r->list.data[i];
  return NONE;
}

static bool matches_call(const struct finder *f, const struct property_source *s, uint32_t method, uint32_t i, struct property_point *p) {
  const struct event *e = &f->events[i];
  if (method == NONE || e->object != method || e->op != (s->after ? RECORDED_RETURN : RECORDED_CALL)) return false;
  if (!s->after) {
    struct property_call call = call_at(f, i);
    return bind_arguments(p, s, &call);
  }
  const struct property_thread *t = &f->calls.threads.data[e->thread];
  size_t n = t->open.count;
  while (n > 0 && t->open.data[n - 1].method != method) n--;
  return n > 0 && bind_arguments(p, s, &t->open.data[n - 1]) && bind_result(f, p, s, i);
}

/* Does the event of the run make one of the property by that source, and with which values? */
static bool matches(const struct finder *f, const struct property_source *s, uint32_t method, uint32_t i, struct property_point *p) {
  const struct event *e = &f->events[i];
  bool known = !(e->flags & RECORDED_NO_VALUE), rmw = e->op == EVENT_RMW;
  uint32_t read;
  if (event_outside(e)) return false;
  switch ((enum property_what)s->what) {
    case PROPERTY_CALL:
    case PROPERTY_MARK:
      return matches_call(f, s, method, i, p);
    case PROPERTY_READ:
      return (e->op == EVENT_READ || rmw) && e->object < RECORDED_ORDERS && bind_access(p, s, e->object, e->value, known);
    case PROPERTY_WRITE:
      return (e->op == EVENT_WRITE || rmw) && e->object < RECORDED_ORDERS &&
             bind_access(p, s, e->object, rmw ? e->value2 : e->value, known);
    case PROPERTY_DEREFERENCE:
      read = e->op == RECORDED_BRANCH ? pointer_of(f, e) : NONE;
      return read != NONE && bind_access(p, s, f->events[read].object, e->value, true);
    case PROPERTY_ACQUIRE:
      if (e->op == EVENT_WAIT_LEAVE && e->value2 && !(e->flags & EVENT_TIMED_OUT)) return bind(p, &s->object, e->value2);
      return e->op == EVENT_ACQUIRE && bind(p, &s->object, e->object);
    case PROPERTY_RELEASE:
      if (e->op == EVENT_WAIT_ENTER && e->value2) return bind(p, &s->object, e->value2);
      return e->op == EVENT_RELEASE && bind(p, &s->object, e->object);
  }
  return false;
}

static void add_points(struct finder *f, uint32_t i, bool after) {
  const struct event *e = &f->events[i];
  for (size_t what = 0; what < f->property->events.count; what++) {
    const struct property_event *event = &f->property->events.data[what];
    for (uint32_t k = event->first; k < event->first + event->count; k++) {
      const struct property_source *s = &f->property->sources.data[k];
      struct property_point p = {.what = (uint8_t)what, .position = (uint32_t)f->out->events.count};
      if (s->after != after || !matches(f, s, f->methods.data[k], i, &p)) continue;
      struct event point = {.op = RECORDED_POINT, .thread = e->thread, .site = e->site, .value = f->out->points.count};
      add(f, &point, i);
      *vec_push(&f->out->points) = p;
      break;
    }
  }
}

/* What the thread is at, behind the event. */
static void follow(struct finder *f, uint32_t i) {
  const struct event *e = &f->events[i];
  struct reads *r = &f->reads.data[e->thread];
  property_calls_take(&f->calls, e);
  if (e->op == RECORDED_BRANCH) vec_clear(&r->list);
  if (e->op == EVENT_READ && !(e->flags & RECORDED_NO_VALUE)) *vec_push(&r->list) = i;
}

enum err property_points_find(struct property_points *out, const struct property *p, const char *name, const struct property_calls *before,
                              const struct event *events, size_t n, const struct recorded_names *names, struct diag *d) {
  struct finder f = {.out = out, .property = p, .events = events, .n = n};
  vec_clear(&out->events);
  vec_clear(&out->origin);
  vec_clear(&out->points);
  enum err e = find_names(&f, name, names, d);
  calls_copy(&f.calls, before);
  for (uint32_t i = 0; i < n && !e; i++) {
    thread_of(&f.calls, events[i].thread);
    while (f.reads.count <= events[i].thread) *vec_push(&f.reads) = (struct reads){0};
    add_points(&f, i, false);
    add(&f, &events[i], i);
    add_points(&f, i, true);
    follow(&f, i);
  }
  for (size_t i = 0; i < f.reads.count; i++) vec_release(&f.reads.data[i].list);
  vec_release(&f.reads);
  property_calls_release(&f.calls);
  vec_release(&f.methods);
  vec_release(&f.indices);
  return e;
}

void property_points_release(struct property_points *p) {
  vec_release(&p->events);
  vec_release(&p->origin);
  vec_release(&p->points);
}
