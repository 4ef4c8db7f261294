/* Counts the Mazurkiewicz traces of a program the plain way, for comparison with `heddle check --strategy=dpor`.
 *
 *     traces [FLAGS] PROGRAM.. [-- ARGUMENTS]
 *
 * Every interleaving is enumerated, except that two prefixes which are the same trace are continued once: they lead to the same state.
 * No explorer, strategy or race analysis takes part, only the machine and event_dependent().
 *
 * The class of a sequence is the set of its events' histories: an event's history is what it is and the histories of the earlier
 * events that it depends on. Two sequences have the same set if and only if one becomes the other by swapping independent neighbours. */
#include <inttypes.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/vec.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/session.h"
#include "machine/machine.h"
#include "trace/schedule.h"

struct prefix {
  struct step *steps;
  uint32_t count;
};

struct enumeration {
  struct machine *m;
  struct hashmap seen, complete;
  VEC(struct prefix) open;
  VEC(uint64_t) history; /* of the events of the present execution */
  uint64_t executions;
};

static uint64_t identity(const struct event *e) {
  uint64_t h = hash_pair(hash_pair(e->thread, e->index), hash_pair(e->op, e->choice));
  return hash_pair(h, hash_pair(e->object, e->site));
}

/* Hash of the class of the present execution. */
static uint64_t class_of(struct enumeration *x) {
  uint32_t n;
  uint64_t set = 0;
  const struct event *trace = machine_trace(x->m, &n);
  vec_clear(&x->history);
  for (uint32_t i = 0; i < n; i++) {
    uint64_t past = 0;
    for (uint32_t j = 0; j < i; j++)
      if (event_dependent(&trace[j], &trace[i])) past += x->history.data[j];
    uint64_t own = hash_pair(identity(&trace[i]), past);
    *vec_push(&x->history) = own;
    set += hash_mix(own);
  }
  return hash_pair(set, n);
}

static void open_prefix(struct enumeration *x, const struct prefix *p, uint32_t thread, uint32_t choice) {
  struct step *steps = mem_alloc((p->count + 1) * sizeof *steps);
  for (uint32_t i = 0; i < p->count; i++) steps[i] = p->steps[i];
  steps[p->count] = (struct step){thread, choice};
  *vec_push(&x->open) = (struct prefix){steps, p->count + 1};
}

/* Runs one prefix, counts it if it is complete, and opens its continuations. */
static void visit(struct enumeration *x, const struct prefix *p) {
  bool is_new;
  machine_reset(x->m);
  for (uint32_t i = 0; i < p->count; i++) machine_step(x->m, p->steps[i].thread, p->steps[i].choice);
  hashmap_at(&x->seen, class_of(x), 0, &is_new);
  if (!is_new) return;
  enum machine_status status = machine_status(x->m);
  if (status == MACHINE_RUNNING) {
    const struct tset enabled = *machine_enabled(x->m);
    for (uint32_t t = tset_next(&enabled, 0); t < THREADS_MAX; t = tset_next(&enabled, t + 1))
      for (uint32_t c = machine_alternatives(x->m, t); c-- > 0;) open_prefix(x, p, t, c);
  } else if (status == MACHINE_DONE || status == MACHINE_FAILED) {
    x->executions++;
    hashmap_at(&x->complete, class_of(x), 0, NULL);
  }
}

static void drop(struct prefix *p) { mem_free(p->steps, p->count * sizeof *p->steps); }

/* False if more memory turned out to be shared: what was counted does not hold. */
static bool enumerate(struct enumeration *x) {
  bool steady = true;
  *vec_push(&x->open) = (struct prefix){0};
  while (x->open.count > 0) {
    struct prefix p = vec_pop(&x->open);
    if (steady) visit(x, &p);
    steady = steady && !machine_sharing_changed(x->m);
    drop(&p);
  }
  return steady;
}

int main(int argc, char **argv) {
  struct options o;
  struct session s;
  struct diag d = {0};
  if (options_parse(&o, CHECK, argc - 1, argv + 1, &d)) return console_complain(&d);
  struct session_inputs inputs = session_inputs_of(&o);
  if (session_open(&s, &inputs, &d)) return console_complain(&d);
  struct enumeration x = {.m = s.m};
  while (!enumerate(&x)) {
    hashmap_clear(&x.seen);
    hashmap_clear(&x.complete);
  }
  printf("%zu\n", x.complete.count);
  vec_release(&x.open);
  vec_release(&x.history);
  hashmap_release(&x.seen);
  hashmap_release(&x.complete);
  session_close(&s);
  options_release(&o);
  diag_release(&d);
  return 0;
}
