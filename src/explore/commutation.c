#include "explore/commutation.h"

#include <string.h>

#include "base/deadline.h"
#include "base/hash.h"
#include "machine/invocation.h"
#include "machine/machine.h"

enum { CALLS_MOST = 256, OPERATIONS_MOST = 16, STEPS = 100000 };

struct test {
  struct machine *m;
  const struct spec *spec;
  const struct commutation_options *options;
  struct commutation_result *r;
  uint16_t object, state; /* the kind that is tested, its state function */
  int64_t address;
  VEC(struct commutation_call) calls; /* that are tried */
  VEC(struct commutation_call) paths; /* of all states, each `depth[i]` calls from first[i] on */
  VEC(uint32_t) first, depth;
};

/* --- the objects --- */

/* The first object of each kind that an execution comes to; 0: none. */
static void find_objects(struct machine *m, const struct spec *spec, uint64_t *addresses) {
  uint32_t n;
  for (uint32_t i = 0; i < STEPS && machine_status(m) == MACHINE_RUNNING && !deadline_passed; i++)
    machine_step(m, tset_next(machine_enabled(m), 0), 0);
  const struct machine_invocation *list = machine_invocations(m, &n);
  for (uint32_t i = n; i-- > 0;) addresses[spec->methods[list[i].what.method].object] = list[i].what.object;
  machine_reset(m);
}

/* --- calls --- */

static struct machine_called called(const struct commutation_call *c) {
  struct machine_called to = {.method = true, .index = c->method, .n = c->n};
  memcpy(to.arguments, c->arguments, sizeof to.arguments);
  return to;
}

static struct machine_called state_of(const struct test *t) {
  return (struct machine_called){.index = t->state, .n = 1, .arguments = {t->address}};
}

/* Makes the calls of a state's path, and then these; `results`: theirs. False: one of them stopped. */
static bool make(struct test *t, uint32_t state, const struct machine_called *calls, unsigned n, int64_t *results) {
  struct machine_called all[OPERATIONS_MOST + 8];
  unsigned path = t->depth.data[state];
  for (unsigned i = 0; i < path; i++) all[i] = called(&t->paths.data[t->first.data[state] + i]);
  for (unsigned i = 0; i < n; i++) all[path + i] = calls[i];
  if (machine_call_all(t->m, all, path + n) < path + n) return t->r->stopped++, false;
  for (unsigned i = 0; i < n; i++) results[i] = all[path + i].result;
  return true;
}

/* What can be told of the object behind these calls, which lead on from the state. False: one of them, or the state function, stopped. */
static bool observe(struct test *t, uint32_t state, const struct machine_called *calls, unsigned n, int64_t *seen) {
  struct machine_called all[8];
  int64_t results[8];
  memcpy(all, calls, n * sizeof *calls);
  if (t->state != SPEC_NOTHING) {
    all[n] = state_of(t);
    if (!make(t, state, all, n + 1, results)) return false;
    return *seen = results[n], true;
  }
  uint64_t key = 0;
  for (size_t i = 0; i < t->calls.count && !deadline_passed; i++) {
    all[n] = called(&t->calls.data[i]);
    for (size_t k = 0; k < t->calls.count; k++) {
      all[n + 1] = called(&t->calls.data[k]);
      bool returned = make(t, state, all, n + 2, results);
      key = hash_pair(key, returned ? hash_pair((uint64_t)results[n], (uint64_t)results[n + 1]) : 1);
    }
  }
  return *seen = (int64_t)key, true;
}

/* All calls of a method with small arguments. */
static enum err list_calls(struct test *t, uint16_t method, struct diag *d) {
  const struct spec_method *f = &t->spec->methods[method];
  uint32_t parameters;
  if (!machine_method_parameters(t->m, method, &parameters) || f->on >= parameters || parameters > SPEC_PARAMETERS)
    return diag_set(d, ERR_UNSUPPORTED, "%.*s cannot be called for a test: it has %u parameters", (int)f->name.length, f->name.at,
                    parameters);
  struct commutation_call c = {.method = method, .n = (uint8_t)parameters};
  c.arguments[f->on] = t->address;
  for (;;) {
    if (t->calls.count == CALLS_MOST)
      return diag_set(d, ERR_UNSUPPORTED, "there are more than %d calls with arguments below %u", CALLS_MOST, t->options->values);
    *vec_push(&t->calls) = c;
    unsigned i = 0;
    while (i < parameters && (i == f->on || ++c.arguments[i] == t->options->values)) {
      if (i != f->on) c.arguments[i] = 0;
      i++;
    }
    if (i == parameters) return ERR_NONE;
  }
}

/* --- states --- */

static void add_state(struct test *t, uint32_t from, const struct commutation_call *last) {
  uint32_t first = (uint32_t)t->paths.count, depth = last ? t->depth.data[from] : 0;
  for (uint32_t i = 0; i < depth; i++) {
    struct commutation_call c = t->paths.data[t->first.data[from] + i];
    *vec_push(&t->paths) = c;
  }
  if (last) *vec_push(&t->paths) = *last;
  *vec_push(&t->first) = first;
  *vec_push(&t->depth) = depth + (last != NULL);
}

/* Breadth first, so that the shortest way to each comes first. */
static void find_states(struct test *t) {
  struct hashmap known = {0};
  int64_t seen;
  add_state(t, 0, NULL);
  if (observe(t, 0, NULL, 0, &seen)) hashmap_at(&known, hash_mix((uint64_t)seen), 0, NULL);
  for (uint32_t i = 0; i < t->first.count && t->depth.data[i] < t->options->operations && !deadline_passed; i++)
    for (size_t k = 0; k < t->calls.count; k++) {
      struct machine_called last = called(&t->calls.data[k]);
      bool is_new = false;
      if (!observe(t, i, &last, 1, &seen)) continue;
      hashmap_at(&known, hash_mix((uint64_t)seen), 0, &is_new);
      if (is_new) add_state(t, i, &t->calls.data[k]);
    }
  hashmap_release(&known);
  t->r->states += t->first.count;
}

/* --- pairs --- */

static struct commutation_pair *pair_of(struct commutation_result *r, uint16_t a, uint16_t b) {
  uint16_t low = a < b ? a : b, high = a < b ? b : a;
  for (size_t i = 0; i < r->pairs.count; i++)
    if (r->pairs.data[i].methods[0] == low && r->pairs.data[i].methods[1] == high) return &r->pairs.data[i];
  struct commutation_pair *p = vec_push(&r->pairs);
  *p = (struct commutation_pair){.methods = {low, high}};
  return p;
}

static bool call_function(void *data, unsigned function, const int64_t *arguments, unsigned n, int64_t *result) {
  struct test *t = data;
  return machine_call(t->m, function, arguments, n, result);
}

static struct spec_invocation invocation_of(const struct test *t, const struct commutation_call *c, int64_t result) {
  struct spec_invocation v = {.method = c->method, .n = c->n, .results = true, .result = result, .object = (uint64_t)t->address};
  memcpy(v.arguments, c->arguments, sizeof v.arguments);
  return v;
}

/* The states before the two calls, in this order. */
static bool states_before(struct test *t, uint32_t state, const struct machine_called *u, struct spec_invocation *first,
                          struct spec_invocation *second) {
  struct machine_called calls[] = {state_of(t), *u, state_of(t)};
  int64_t results[3];
  if (t->state == SPEC_NOTHING) return true;
  if (!make(t, state, calls, 3, results)) return false;
  first->states = second->states = true;
  first->state = results[0], second->state = results[2];
  return true;
}

static void keep(struct test *t, uint32_t state, const struct commutation_case *c, struct commutation_case *to) {
  *to = *c;
  to->before.data = NULL, to->before.count = to->before.cap = 0;
  for (uint32_t i = 0; i < t->depth.data[state]; i++) *vec_push(&to->before) = t->paths.data[t->first.data[state] + i];
}

static void judge(struct test *t, uint32_t state, const struct commutation_case *c) {
  struct commutation_pair *p = pair_of(t->r, c->calls[0].method, c->calls[1].method);
  bool commute = !c->stopped[0] && !c->stopped[1] && c->results[0][0] == c->results[1][0] && c->results[0][1] == c->results[1][1] &&
                 c->states[0] == c->states[1];
  bool odd = c->answer != SPEC_COMMUTE && c->answer != SPEC_DIFFER && c->answer != SPEC_OPEN;
  t->r->cases++, p->tried++;
  p->said += c->answer == SPEC_COMMUTE;
  if (odd && !p->odd) p->odd = true, keep(t, state, c, &p->first_odd);
  if (c->answer == SPEC_COMMUTE && !commute && !p->wrong) p->wrong = true, keep(t, state, c, &p->first_wrong);
  if (c->answer == SPEC_COMMUTE || !commute) return;
  if (!p->unsaid_commuting++) keep(t, state, c, &p->first_unsaid);
}

/* In the order in which they are given. False: there is nothing to be said of it. */
static bool try_order(struct test *t, uint32_t state, struct commutation_case *c, unsigned order) {
  struct machine_called calls[] = {called(&c->calls[order]), called(&c->calls[!order])};
  int64_t results[2];
  if (!make(t, state, calls, 2, results)) {
    c->stopped[order] = true;
    return make(t, state, calls, 1, results); /* one that cannot be made here at all says nothing */
  }
  c->results[order][order] = results[0], c->results[order][!order] = results[1];
  return observe(t, state, calls, 2, &c->states[order]);
}

static void try_pair(struct test *t, uint32_t state, const struct commutation_call *u, const struct commutation_call *v) {
  struct commutation_case c = {.calls = {*u, *v}};
  struct machine_called first_call = called(u);
  bool there = try_order(t, state, &c, 0), back = try_order(t, state, &c, 1);
  bool disable = there && back && c.stopped[0] && c.stopped[1]; /* each can be made here, and none behind the other */
  if (!disable && (c.stopped[0] || !there)) return;             /* the formula is asked of an order that can be */
  struct spec_invocation first = invocation_of(t, u, c.results[0][0]), second = invocation_of(t, v, c.results[0][1]);
  const struct spec_caller caller = {call_function, t};
  if (disable)
    first.results = second.results = false;
  else if (!states_before(t, state, &first_call, &first, &second))
    return;
  c.answer = spec_commute(t->spec, &first, &second, &caller);
  judge(t, state, &c);
}

static enum err test_object(struct test *t, struct diag *d) {
  enum err e = ERR_NONE;
  for (uint16_t i = 0; i < t->spec->nmethods && !e; i++)
    if (t->spec->methods[i].object == t->object) e = list_calls(t, i, d);
  if (!e) find_states(t);
  for (uint32_t i = 0; i < t->first.count && !e; i++)
    for (size_t k = 0; k < t->calls.count; k++)
      for (size_t j = 0; j < t->calls.count && !deadline_passed; j++) try_pair(t, i, &t->calls.data[k], &t->calls.data[j]);
  vec_release(&t->calls);
  vec_release(&t->paths);
  vec_release(&t->first);
  vec_release(&t->depth);
  return e;
}

enum err commutation_test(struct machine *m, const struct spec *spec, const struct commutation_options *options,
                          struct commutation_result *r, struct diag *d) {
  uint64_t addresses[SPEC_OBJECTS] = {0}, unused;
  enum err e = ERR_NONE;
  if (options->operations > OPERATIONS_MOST) return diag_set(d, ERR_USAGE, "states are looked for behind up to %d calls", OPERATIONS_MOST);
  find_objects(m, spec, addresses);
  for (uint16_t i = 0; i < spec->nobjects && !e; i++) {
    struct test t = {.m = m, .spec = spec, .options = options, .r = r, .object = i, .state = spec->objects[i].state};
    t.address = (int64_t)addresses[i];
    bool there = addresses[i] && machine_peek(m, addresses[i], 1, &unused);
    if (there)
      e = test_object(&t, d);
    else
      *vec_push(&r->unmet) = i;
  }
  return e;
}

void commutation_release(struct commutation_result *r) {
  for (size_t i = 0; i < r->pairs.count; i++) {
    vec_release(&r->pairs.data[i].first_wrong.before);
    vec_release(&r->pairs.data[i].first_odd.before);
    vec_release(&r->pairs.data[i].first_unsaid.before);
  }
  vec_release(&r->pairs);
  vec_release(&r->unmet);
}
