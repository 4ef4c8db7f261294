#include "execution/alone.h"

#include "base/deadline.h"
#include "machine/machine.h"
#include "objects/history.h"
#include "program/object.h"

/* Jumps and calls of one operation that is taken for one that ends. */
#define JUMPS_MOST 20000000u
/* Steps of one operation: it has none but for those that it takes to wait. */
#define STEPS_MOST 1000000u
#define NODES_MOST 2000000u
/* Orders of all operations that are all run, to see whether HD_STATE is right: that where it is the same, the same follows. */
#define ORDERS_CHECKED 2000.0

struct alone {
  const struct image *image;
  bool is_model;
  const struct scenario *scenario;
  const struct object *object;
  struct machine *m;
  struct sequential *to;
  struct hashmap known; /* operations done, and the object's state behind them -> node */
  uint64_t visits;
  bool checks; /* HD_STATE is not relied upon */
  enum err error;
  struct diag *diag;
};

enum outcome { OUTCOME_RETURNED, OUTCOME_NONE /* it blocks, or fails */, OUTCOME_ERROR };

static enum outcome fails(struct alone *x, const struct scenario_call *c, enum err e, const char *why) {
  struct text call = {0}, name = {0};
  text_printf(&name, OBJECT_PREFIX "%s", x->object->operations.data[c->operation].name);
  uint32_t site = image_first_site(x->image, text_str(&name));
  if (site != UINT32_MAX) image_site_text(x->image, site, &call), text_puts(&call, ": ");
  text_puts(&call, "operation ");
  scenario_call_text(x->object, c, &call);
  diag_hint(x->diag, "operations are first run one after the other, by one thread, to know what they return");
  x->error = diag_set(x->diag, e, "%s, run while nobody else uses the object, %s", text_str(&call), why);
  text_release(&call);
  text_release(&name);
  return OUTCOME_ERROR;
}

static const struct history_event *last_of(const struct alone *x, uint8_t what) {
  size_t n;
  const struct history_event *events = machine_operations(x->m, &n);
  return n && events[n - 1].what == what ? &events[n - 1] : NULL;
}

/* The machine stands before the choice of the next operation. */
static bool is_between(const struct alone *x) { return machine_pending(x->m, 0)->op == EVENT_CHOICE && !last_of(x, HISTORY_BEGINS); }

static bool blocks(enum finding_kind kind) { return kind == FINDING_DEADLOCK || kind == FINDING_LOST_WAKEUP || kind == FINDING_LIVELOCK; }

/* Has it come to its end? The machine stands where the next one is chosen. */
static enum outcome call(struct alone *x, uint32_t thread, const struct scenario_call *c) {
  enum machine_status status = machine_step(x->m, 0, thread);
  for (uint32_t steps = 0; status == MACHINE_RUNNING && !is_between(x); steps++) {
    if (machine_pending(x->m, 0)->op == EVENT_CHOICE)
      return fails(x, c, ERR_UNSUPPORTED, "makes a choice (hd_choose, or what has several results), so its result is not known");
    if (steps == STEPS_MOST || !tset_has(machine_enabled(x->m), 0))
      return fails(x, c, ERR_UNSUPPORTED, "starts threads, or waits for some");
    status = machine_step(x->m, 0, 0);
  }
  if (deadline_passed) return fails(x, c, ERR_INTERRUPTED, "was stopped");
  switch (status) {
    case MACHINE_RUNNING:
      return OUTCOME_RETURNED;
    case MACHINE_LIMIT:
      return fails(x, c, ERR_UNSUPPORTED, "does not end: it was stopped after 20,000,000 jumps");
    case MACHINE_UNSUPPORTED:
      x->error = diag_set(x->diag, ERR_UNSUPPORTED, "%s", text_str(&machine_diag(x->m)->message));
      return OUTCOME_ERROR;
    case MACHINE_DONE:
      return fails(x, c, ERR_UNSUPPORTED, "ends the process");
    case MACHINE_FAILED:
      if (x->is_model && !blocks(machine_finding(x->m)->kind)) return fails(x, c, ERR_UNSUPPORTED, "fails in the model");
      break;
    case MACHINE_ASSUMED:
    case MACHINE_BLOCKED:
      break;
  }
  return OUTCOME_NONE;
}

static uint64_t key_of(const struct sequential_node *n, uint64_t state) {
  uint64_t h = hash_pair(state, 1);
  for (uint32_t t = 0; t < SCENARIO_THREADS; t++) h = hash_pair(h, n->done[t]);
  return h;
}

static double orders_of(const struct scenario *s) {
  double n = 1;
  uint32_t placed = 0;
  for (uint32_t t = 0; t < s->threads; t++)
    for (uint32_t i = 1; i <= s->count[t]; i++) n = n * ++placed / i;
  return n;
}

/* What is known of the state that the object is in is this node, now that all that follows was seen. */
static void settle(struct alone *x, uint64_t key, uint32_t number) {
  uint32_t before = (uint32_t)*hashmap_find(&x->known, key);
  *hashmap_find(&x->known, key) = number;
  if (before == SEQUENTIAL_NONE || before == number) return;
  uint32_t site = image_first_site(x->image, "hd_state");
  struct text place = {0};
  if (site != UINT32_MAX) image_site_text(x->image, site, &place), text_puts(&place, ": ");
  diag_hint(x->diag, "it has to tell apart what clients can tell apart");
  x->error =
      diag_set(x->diag, ERR_UNSUPPORTED,
               "%sHD_STATE is the same after two orders of operations behind which others return different results", text_str(&place));
  text_release(&place);
}

static uint32_t visit(struct alone *x, const uint8_t *done);

static void follow(struct alone *x, struct sequential_node *n, uint32_t t, size_t mark) {
  uint8_t done[SCENARIO_THREADS];
  enum outcome outcome = call(x, t, &x->scenario->calls[t][n->done[t]]);
  if (outcome == OUTCOME_RETURNED) {
    size_t count;
    const struct history_event *events = machine_operations(x->m, &count);
    while (events[count - 1].what != HISTORY_ENDS) count--;
    n->result[t] = events[count - 1].value;
    for (uint32_t k = 0; k < SCENARIO_THREADS; k++) done[k] = (uint8_t)(n->done[k] + (k == t));
    n->next[t] = visit(x, done);
  }
  if (!x->error) machine_rollback(x->m, mark);
}

/* The node of where the machine stands: so many operations of each thread are done. */
static uint32_t visit(struct alone *x, const uint8_t *done) {
  struct sequential_node n = {0};
  bool is_new = true, is_last = true;
  const struct history_event *state = last_of(x, HISTORY_CLOSES);
  bool has_state = state != NULL;
  for (uint32_t t = 0; t < SCENARIO_THREADS; t++) n.done[t] = done[t], n.next[t] = SEQUENTIAL_NONE;
  for (uint32_t t = 0; t < x->scenario->threads; t++) is_last &= done[t] == x->scenario->count[t];
  uint64_t key = state ? key_of(&n, state->value) : 0;
  if (state) {
    uint64_t *known = hashmap_at(&x->known, key, SEQUENTIAL_NONE, &is_new);
    if (!is_new && !x->checks) return (uint32_t)*known;
  }
  if (is_last && state) n.has_state = true, n.state = state->value;
  if (x->visits++ == NODES_MOST) x->error = diag_set(x->diag, ERR_UNSUPPORTED, "a scenario's operations have more than 2,000,000 orders");
  size_t mark = is_last || x->error ? 0 : machine_mark(x->m, NULL);
  for (uint32_t t = 0; t < x->scenario->threads && !x->error; t++)
    if (done[t] < x->scenario->count[t]) follow(x, &n, t, mark);
  if (x->error) return SEQUENTIAL_NONE;
  uint32_t number = sequential_add(x->to, &n);
  if (has_state) settle(x, key, number);
  return number;
}

enum err alone_run(struct sequential *to, const struct image *image, const struct machine_options *options, bool model, struct diag *d) {
  struct machine_options own = *options;
  struct object object = {0};
  own.memory = MEMORY_SC, own.sequential = NULL, own.insn_limit = JUMPS_MOST, own.all_inputs = own.nondet = false, own.properties = NULL;
  struct alone x = {.checks = orders_of(options->scenario) <= ORDERS_CHECKED,
                    .image = image,
                    .is_model = model,
                    .scenario = options->scenario,
                    .object = &object,
                    .to = to,
                    .diag = d};
  enum err e = machine_new(&x.m, image, &own, d);
  if (e) return e;
  image_object(image, &object);
  const uint8_t none[SCENARIO_THREADS] = {0};
  if (machine_status(x.m) == MACHINE_UNSUPPORTED)
    x.error = diag_set(d, ERR_UNSUPPORTED, "%s", text_str(&machine_diag(x.m)->message));
  else if (machine_status(x.m) == MACHINE_DONE)
    x.error = diag_set(d, ERR_UNSUPPORTED, "HD_BEGIN ends the process, so no operation is done");
  else if (machine_status(x.m) == MACHINE_RUNNING)
    to->root = visit(&x, none);
  else if (model)
    x.error = diag_set(d, ERR_UNSUPPORTED, "HD_BEGIN of the model fails");
  else
    to->root = sequential_add(to, &(struct sequential_node){.next = {SEQUENTIAL_NONE, SEQUENTIAL_NONE, SEQUENTIAL_NONE, SEQUENTIAL_NONE,
                                                                     SEQUENTIAL_NONE, SEQUENTIAL_NONE, SEQUENTIAL_NONE, SEQUENTIAL_NONE}});
  vec_release(&object.operations);
  hashmap_release(&x.known);
  machine_free(x.m);
  return x.error;
}
