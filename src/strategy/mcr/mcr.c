/* Maximal causality reduction: Huang and Huang, "Maximal causality reduction for TSO and PSO", OOPSLA 2016; the thesis, chapter 3, whose
 * loop (Figure 3.4) is here: run a prefix, model the trace behind it, and for each read and each other value that a write puts there ask
 * for the shortest reordering in which the read returns it. That is a new prefix, behind the old one, which stays.
 *
 * What the papers leave open: behind a prefix the thread that took its last step goes on as long as it can, and the process ends as late as
 * it can. What an execution's end kept from being executed (threads that are blocked, or that a failure or a false assumption stopped) is
 * asked for, too. */
#include "strategy/mcr/mcr.h"

#include <time.h>

#include "base/deadline.h"
#include "machine/machine.h"
#include "order/order.h"
#include "strategy/prefix_type.h"

/* Conflicts that a question may cost. */
#define BUDGET 100000u
/* Steps beyond a path's that may be taken to come to its next one. */
#define DETOURS 64u

static const char *const limit_texts[] = {
#define X(name, text) text,
    MCR_LIMIT_LIST(X)
#undef X
};

static void limited(struct strategy *s, enum mcr_limit limit) { s->limits |= 1u << limit; }

static struct strategy *mcr_create(const struct strategy_options *options) {
  (void)options;
  struct strategy *s = mem_alloc(sizeof *s);
  s->limits = 1u << MCR_PUBLISHED;
  return s;
}

static struct strategy *se_mcr_create(const struct strategy_options *options) {
  struct strategy *s = mcr_create(options);
  s->switches = true;
  return s;
}

static struct strategy *ncmc_create(const struct strategy_options *options) {
  struct strategy *s = mcr_create(options);
  s->commutes = true;
  s->limits |= 1u << MCR_COMMUTE;
  return s;
}

static struct strategy *mcr_s_plus_create(const struct strategy_options *options) {
  struct strategy *s = mcr_create(options);
  s->dependency = options->dependency;
  return s;
}

static struct strategy *mcr_s_create(const struct strategy_options *options) {
  struct strategy *s = mcr_s_plus_create(options);
  s->loose = true;
  return s;
}

uint64_t mcr_deciding(const struct strategy *s) {
  return (s->causal ? order_stats(causal_order(s->causal)).nanoseconds - s->decided : 0) + s->elsewhere;
}

void mcr_count_from_here(struct strategy *s) {
  s->elsewhere = 0;
  s->decided += mcr_deciding(s);
}

void mcr_leave_path(struct strategy *s) {
  vec_clear(&s->path.steps);
  vec_clear(&s->path_sites.sites);
  vec_clear(&s->nodes);
  vec_clear(&s->todo);
  vec_clear(&s->steps.steps);
  vec_clear(&s->step_sites.sites);
  vec_clear(&s->equivalent.later);
  vec_clear(&s->equivalent.skip);
  s->started = s->again = false;
}

static void mcr_restart(struct strategy *s) {
  mcr_leave_path(s);
  vec_clear(&s->initial);
  vec_clear(&s->unmodelled);
  hashmap_clear(&s->known);
  hashmap_clear(&s->states);
  mcr_known_clear(&s->known_prefixes);
  s->limits = 1u << MCR_PUBLISHED | (s->commutes ? 1u << MCR_COMMUTE : 0);
  s->scoped = s->pruned = s->semantic.ordered = s->semantic.troubles = 0;
  s->reads = s->questions = s->answered = s->switched = s->redundant = s->kept = s->pairs = s->nanoseconds = 0;
  mcr_count_from_here(s);
}

static void mcr_destroy(struct strategy *s) {
  causal_free(s->causal);
  mcr_trace_release(&s->trace);
  mcr_needs_release(&s->needs);
  mcr_semantic_release(&s->semantic);
  mcr_switch_release(&s->equivalent);
  vec_release(&s->path.steps);
  vec_release(&s->retry.steps);
  vec_release(&s->nodes);
  vec_release(&s->todo);
  vec_release(&s->steps.steps);
  vec_release(&s->step_sites.sites);
  vec_release(&s->path_sites.sites);
  vec_release(&s->values);
  vec_release(&s->initial);
  vec_release(&s->unmodelled);
  hashmap_release(&s->known);
  hashmap_release(&s->states);
  mcr_known_release(&s->known_prefixes);
  mem_free(s, sizeof *s);
}

/* --- executions --- */

/* The last execution again, up to its last step. */
static const struct schedule *next_again(struct strategy *s) {
  s->again = false;
  s->prefix = s->retry;
  return &s->prefix;
}

/* Takes the last execution still to be made off the stacks. False: nothing is left. */
static bool take_child(struct strategy *s) {
  while (s->nodes.count && vec_last(&s->nodes).below == s->todo.count) s->nodes.count--;
  if (s->nodes.count == 0) return false;
  s->path.steps.count = s->path_sites.sites.count = vec_last(&s->nodes).prefix;
  s->wanted = vec_pop(&s->todo);
  for (size_t i = s->wanted.steps; i < s->steps.steps.count; i++) {
    *vec_push(&s->path.steps) = s->steps.steps.data[i];
    *vec_push(&s->path_sites.sites) = s->step_sites.sites.data[i];
  }
  s->steps.steps.count = s->step_sites.sites.count = s->wanted.steps;
  mcr_switch_take(&s->equivalent, s->wanted.later);
  return true;
}

static const struct schedule *mcr_next(struct strategy *s) {
  if (s->again) return next_again(s);
  s->wanted.thread = THREADS_MAX;
  s->avoided = (struct tset){0};
  s->strayed = false;
  s->detours = 0;
  mcr_known_begin(&s->known_prefixes);
  if (s->started && !take_child(s)) return NULL;
  s->prefix = s->path;
  s->prefix.steps.count = s->started ? vec_last(&s->nodes).prefix : 0;
  s->started = true;
  return &s->prefix;
}

static bool ends_process(const struct execution *x, uint32_t thread) {
  const struct event *e = execution_pending(x, thread);
  return e->op == EVENT_YIELD && (e->flags & EVENT_EXIT);
}

/* The later, the larger. */
static unsigned lateness(const struct strategy *s, const struct execution *x, uint32_t thread) {
  return ends_process(x, thread) ? 2 : tset_has(&s->avoided, thread);
}

static uint32_t thread_to_run(const struct strategy *s, const struct execution *x) {
  uint32_t t = x->depth > 0 ? x->steps[x->depth - 1].thread : 0;
  if (execution_options(x)->memory != MEMORY_SC) {
    t = execution_owner(x, t);
    uint32_t agent = execution_oldest_flush(x, t);
    if (agent < THREADS_MAX) return agent; /* as under SC, unless a witness wants it otherwise */
  }
  if (!tset_has(x->enabled, t)) t = tset_next(x->enabled, 0);
  unsigned least = lateness(s, x, t);
  for (uint32_t other = tset_next(x->enabled, 0); least && other < THREADS_MAX; other = tset_next(x->enabled, other + 1)) {
    if (lateness(s, x, other) >= least) continue;
    t = other;
    least = lateness(s, x, other);
  }
  return t;
}

/* A branch on a read that was let go of may have gone another way: the thread then takes more steps to come to the one that is meant, which
 * is known by its site (docs/model.md, Dependency). */
static void make_detour(struct strategy *s, const struct execution *x) {
  struct step step = s->path.steps.data[x->depth];
  if (s->dependency != DEPENDENCY_STATIC || s->detours == DETOURS) return;
  if (step.thread >= THREADS_MAX || !tset_has(x->enabled, step.thread)) return;
  uint32_t site = execution_pending(x, step.thread)->site;
  if (site == s->path_sites.sites.data[x->depth] || s->path_sites.sites.data[x->depth] == UINT32_MAX) return;
  s->detours++;
  (void)vec_push(&s->path.steps), (void)vec_push(&s->path_sites.sites);
  for (size_t i = s->path.steps.count - 1; i > x->depth; i--) {
    s->path.steps.data[i] = s->path.steps.data[i - 1];
    s->path_sites.sites.data[i] = s->path_sites.sites.data[i - 1];
  }
  s->path.steps.data[x->depth].choice = 0;
  s->path_sites.sites.data[x->depth] = site;
}

/* The prefix leads to where another one led. `step`: what comes next. */
static bool is_known(struct strategy *s, const struct execution *x, const struct step *step) {
  bool reads = s->dependency == DEPENDENCY_ALL;
  if (x->depth + 1 == s->path.steps.count) return mcr_known_find(&s->known_prefixes, x, step, reads);
  return x->depth > 0 && x->depth == s->path.steps.count && !reads && mcr_known_find(&s->known_prefixes, x, NULL, false);
}

static enum pick mcr_pick(struct strategy *s, const struct execution *x, struct step *step) {
  bool returns = s->dependency != DEPENDENCY_DYNAMIC; /* else the execution will be repeated as a whole */
  if (x->depth < s->path.steps.count) make_detour(s, x);
  if (x->depth < s->path.steps.count) {
    *step = s->path.steps.data[x->depth];
    if (mcr_trace_resolve(x, step)) {
      s->path.steps.data[x->depth] = *step;
      if (is_known(s, x, step)) return PICK_GIVE_UP;
      return returns && x->depth == s->prefix.steps.count ? PICK_RETURN : PICK_STEP; /* the other executions below that one begin here */
    }
    s->path.steps.count = s->path_sites.sites.count = x->depth; /* what follows is an execution, too */
    s->strayed = true;
  }
  if (is_known(s, x, NULL)) return PICK_GIVE_UP;
  *step = (struct step){.thread = thread_to_run(s, x)};
  s->others = tset_count(x->enabled) > 1;
  return returns && x->depth == s->path.steps.count ? PICK_RETURN : PICK_STEP;
}

/* Did the prefix's last step do what it was made for? If not, questions about the execution might have the same answers again, for ever. */
static bool is_as_predicted(const struct strategy *s, const struct execution *x) {
  uint32_t last = (uint32_t)s->path.steps.count;
  uint64_t result;
  if (s->strayed || x->depth < last) return false;
  if (s->wanted.thread == THREADS_MAX) return true; /* the first one */
  for (uint32_t i = last > 1 ? x->ends[last - 2] : 0; i < x->ends[last - 1]; i++) {
    const struct event *e = &x->trace[i];
    if (e->thread != s->wanted.thread || (s->detours ? e->site != s->wanted.site : e->index != s->wanted.index)) continue;
    if (!s->wanted.is_read || (causal_is_read(e, &result) && result == s->wanted.value)) return true;
  }
  return false;
}

/* --- questions --- */

static bool initial_value(void *data, uint64_t address, uint32_t size, uint64_t *value) {
  struct strategy *s = data;
  bool is_new = false;
  uint64_t *at = hashmap_at(&s->known, hash_pair(address, size), s->initial.count, &is_new);
  if (is_new) {
    struct mcr_initial *initial = vec_push(&s->initial);
    initial->known = execution_initial(s->x, address, size, &initial->value);
  }
  *value = s->initial.data[*at].value;
  return s->initial.data[*at].known;
}

static void open_model(struct strategy *s, const struct execution *x) {
  const struct machine_options *machine = execution_options(x);
  _Static_assert((int)CAUSAL_TSO == MEMORY_TSO && (int)CAUSAL_PSO == MEMORY_PSO, "one is cast to the other");
  struct causal_options options = {
      .memory = (enum causal_memory)machine->memory, .spurious_wakeups = machine->spurious_wakeups, .thorough = true, .budget = BUDGET};
  options.initial = initial_value, options.data = s;
  s->causal = causal_new(&options);
}

void mcr_add_unmodelled(struct strategy *s, const char *what) {
  for (size_t i = 0; i < s->unmodelled.count; i++)
    if (s->unmodelled.data[i] == what) return;
  *vec_push(&s->unmodelled) = what;
}

/* The witness of the last question becomes an execution to be made. */
static void add_child(struct strategy *s, uint32_t event, bool is_read, uint64_t value) {
  const struct event *e = &s->trace.events.data[event];
  uint32_t n;
  const struct causal_step *witness = causal_witness(s->causal, &n);
  if (s->switches && mcr_switch_found(&s->equivalent, &s->trace, witness, n, value)) {
    s->switched++;
    return;
  }
  struct mcr_child *child = vec_push(&s->todo);
  *child = (struct mcr_child){.steps = (uint32_t)s->steps.steps.count, .thread = e->thread, .value = value, .is_read = is_read};
  child->index = witness[n - 1].index, child->site = e->site;
  mcr_trace_steps(&s->trace, witness, n, &s->steps, &s->step_sites);
}

static void answered(struct strategy *s, enum causal_answer answer, uint32_t event, bool is_read, uint64_t value) {
  s->questions++;
  mcr_needs_count(&s->needs, &s->trace, s->present, event, value, &s->kept, &s->pairs);
  if (answer == CAUSAL_YES) {
    s->answered++;
    add_child(s, event, is_read, value);
  }
  if (answer != CAUSAL_UNKNOWN) return;
  const char *what = causal_limit(s->causal);
  if (what)
    mcr_add_unmodelled(s, what);
  else
    limited(s, MCR_UNKNOWN);
}

/* Inside of an invocation: only what may undo that something happens before the invocation (NCMC, Algorithm 6). */
static void ask_scoped(struct strategy *s, uint32_t event, uint64_t value) {
  uint32_t n;
  const uint32_t *before = mcr_semantic_before(&s->semantic, &s->trace, event, &n);
  if (mcr_semantic_overtakes(&s->semantic, &s->trace, event, value))
    answered(s, causal_read(s->causal, event, value), event, true, value);
  else if (n)
    answered(s, causal_read_before(s->causal, event, value, before, n), event, true, value);
  else
    s->pruned++;
}

static void ask_value(struct strategy *s, uint32_t event, uint64_t value) {
  if (s->commutes && mcr_semantic_is_scoped(&s->semantic, &s->trace, event))
    ask_scoped(s, event, value);
  else
    answered(s, causal_read(s->causal, event, value), event, true, value);
}

static void ask_values(struct strategy *s, uint32_t event) {
  bool all;
  if (s->values.cap == 0) vec_reserve(&s->values, 64);
  uint32_t n = causal_values(s->causal, event, s->values.data, (uint32_t)s->values.cap, &all);
  if (n > s->values.cap) {
    vec_reserve(&s->values, n);
    n = causal_values(s->causal, event, s->values.data, (uint32_t)s->values.cap, &all);
  }
  if (!all || n > s->values.cap) limited(s, MCR_VALUES);
  for (uint32_t i = 0; i < n && i < s->values.cap; i++) ask_value(s, event, s->values.data[i]);
}

/* A pending operation: with each result that it can have, or whether it can go on at all. */
static void ask_pending(struct strategy *s, uint32_t event) {
  const struct event *e = &s->trace.events.data[event];
  uint64_t unused;
  if (e->op == EVENT_AWAIT) {
    limited(s, MCR_AWAIT);
  } else if (!causal_is_read(e, &unused)) {
    answered(s, causal_reach(s->causal, event), event, false, 0);
  } else if (e->op == EVENT_READ || e->op == EVENT_RMW || e->op == EVENT_CHOICE || e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST) {
    ask_values(s, event);
  } else {
    ask_value(s, event, 0);
    ask_value(s, event, 1);
  }
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The first event behind the prefix of the execution above. */
static uint32_t first_own_event(const struct strategy *s) {
  uint32_t above = s->nodes.count > 1 ? s->nodes.data[s->nodes.count - 2].prefix : 0, i = 0;
  while (i < s->trace.prefix && s->trace.steps.data[i] < above) i++;
  return i;
}

/* Tells each of the new executions what it has to leave out. */
static void compare_children(struct strategy *s) {
  uint32_t child = vec_last(&s->nodes).below;
  for (uint32_t i = 0; i < s->equivalent.found.count; i++) {
    if (s->equivalent.found.data[i].skipped) continue;
    s->todo.data[child++].later = (uint32_t)s->equivalent.later.count;
    mcr_switch_compare(&s->equivalent, &s->trace, i);
  }
}

static void take_semantic(struct strategy *s) {
  mcr_semantic_take(&s->semantic, &s->trace, s->x);
  if (s->semantic.troubles >> SPEC_DIVIDES & 1) limited(s, MCR_DIVIDES);
  if (s->semantic.troubles >> SPEC_FAILS & 1) limited(s, MCR_FAILS);
  if (s->semantic.troubles >> SPEC_ASYMMETRIC & 1) limited(s, MCR_ASYMMETRIC);
}

/* All that could have gone otherwise behind the prefix. If the last step ended the execution for all (`cut`), then those threads that had
 * to wait stand before what they could have done. */
static void ask(struct strategy *s, bool cut) {
  struct causal_trace trace = {.events = s->trace.events.data, .n = s->trace.n, .prefix = s->trace.prefix, .pending = s->trace.pending};
  trace.flushes = s->trace.flushes.data, trace.flush_count = (uint32_t)s->trace.flushes.count;
  uint64_t begun = now(), unused;
  trace.needs = s->present = mcr_needs_take(&s->needs, &s->trace, s->x, s->dependency, s->loose);
  mcr_needs_begin(&s->needs, &s->trace);
  if (s->commutes) take_semantic(s);
  if (deadline_passed) return; /* nothing is asked any more, here and below: what was built may not be complete */
  causal_build(s->causal, &trace);
  s->equivalent.initial = initial_value, s->equivalent.data = s;
  if (s->switches) mcr_switch_begin(&s->equivalent, &s->trace, first_own_event(s));
  for (uint32_t i = trace.prefix; i < trace.n && !deadline_passed; i++) {
    if (!causal_is_read(&trace.events[i], &unused)) continue;
    s->reads++;
    s->scoped += s->commutes && mcr_semantic_is_scoped(&s->semantic, &s->trace, i);
    ask_values(s, i);
  }
  for (uint32_t i = trace.n; i < trace.n + trace.pending && !deadline_passed; i++)
    if (!cut || tset_has(&s->avoided, trace.events[i].thread)) ask_pending(s, i);
  if (s->switches && !deadline_passed) compare_children(s);
  s->nanoseconds += now() - begun;
}

/* True if no execution before had these results. */
static bool note_end(struct strategy *s, const struct execution *x, enum execution_end end) {
  bool is_new = false;
  s->job.state = mcr_trace_state(&s->trace);
  hashmap_at(&s->states, s->job.state, 0, &is_new);
  if (s->known_prefixes.number == 0) s->redundant += !is_new;
  if (end == EXECUTION_CIRCLE) limited(s, MCR_CIRCLE);
  if (end == EXECUTION_COMPLETE && tset_count(x->alive) > 1) limited(s, MCR_ENDED);
  return is_new;
}

/* Behind the prefix, a step has ended the execution for others that could go on: it is to be made again with that step last. */
static bool is_cut_short(struct strategy *s, const struct execution *x, enum execution_end end, bool cut) {
  if (!cut || (end != EXECUTION_FAILED && end != EXECUTION_ASSUMED) || x->depth <= s->path.steps.count) return false;
  uint32_t last = x->steps[x->depth - 1].thread;
  bool enables = x->trace[x->depth > 1 ? x->ends[x->depth - 2] : 0].op != EVENT_READ && tset_count(x->alive) > 1;
  if (tset_has(&s->avoided, last) || !(s->others || enables)) return false;
  tset_add(&s->avoided, last);
  vec_clear(&s->retry.steps);
  for (uint32_t i = 0; i + 1 < x->depth; i++) *vec_push(&s->retry.steps) = x->steps[i];
  s->again = true;
  return true;
}

/* The execution ended within its path, which nobody had predicted: what was taken of it is what further executions have in common. */
static void cut_path(struct strategy *s, uint32_t depth) {
  if (s->path.steps.count <= depth) return;
  s->path.steps.count = s->path_sites.sites.count = depth;
  s->strayed = true;
}

static void mcr_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  if (given_up || is_cut_short(s, x, end, cut)) return;
  cut_path(s, x->depth);
  struct mcr_node *node = vec_push(&s->nodes);
  *node = (struct mcr_node){.prefix = (uint32_t)s->path.steps.count, .below = (uint32_t)s->todo.count};
  if (!s->causal) open_model(s, x);
  s->x = x;
  mcr_trace_take(&s->trace, x, node->prefix, cut);
  bool is_new = note_end(s, x, end), strayed = !is_as_predicted(s, x);
  s->job.given_up = false, s->job.is_new = is_new, s->job.strayed = strayed;
  if (strayed) limited(s, MCR_STRAYED);
  if (is_new || !strayed) mcr_known_add(&s->known_prefixes);
  if (!strayed) mcr_known_claim(&s->known_prefixes);
  if ((is_new || !strayed) && (!cut || x->depth > node->prefix)) ask(s, cut);
  s->x = NULL;
}

/* Races are found by what came before what, which states do not show. */
static bool mcr_suspects(const struct strategy *s) {
  (void)s;
  return true;
}

static bool mcr_bounded(const struct strategy *s) {
  (void)s;
  return false; /* it says why: mcr_limit() */
}

static const char *mcr_limit(const struct strategy *s, unsigned i) {
  for (unsigned limit = 0; limit < MCR_LIMITS; limit++)
    if ((s->limits >> limit & 1) && i-- == 0) return limit_texts[limit];
  return i < s->unmodelled.count ? s->unmodelled.data[i] : NULL;
}

static unsigned ncmc_counters(const struct strategy *s, struct strategy_counter *out) {
  const struct strategy_counter counters[] = {
      {"reads", s->reads, false},           {"scoped", s->scoped, false},
      {"pruned", s->pruned, false},         {"ordered", s->semantic.ordered, false},
      {"constraints", s->questions, false}, {"satisfied", s->answered, false},
      {"redundant", s->redundant, false},   {"solving", s->nanoseconds, true},
      {"deciding", mcr_deciding(s), true},
  };
  unsigned n = sizeof counters / sizeof *counters;
  for (unsigned i = 0; i < n; i++) out[i] = counters[i];
  return n;
}

static unsigned mcr_counters(const struct strategy *s, struct strategy_counter *out) {
  const struct strategy_counter counters[] = {
      {"reads", s->reads, false},       {"constraints", s->questions, false}, {"satisfied", s->answered, false},
      {"switched", s->switched, false}, {"redundant", s->redundant, false},   {"kept", s->kept, false},
      {"matches", s->pairs, false},     {"solving", s->nanoseconds, true},    {"deciding", mcr_deciding(s), true},
  };
  unsigned n = sizeof counters / sizeof *counters;
  for (unsigned i = 0; i < n; i++) out[i] = counters[i];
  return n;
}

#define MCR_ROW                                                                                                                 \
  .exhaustive = true, .predicts = true, .asks_reads = true, .sees_alone = true, .destroy = mcr_destroy, .restart = mcr_restart, \
  .next = mcr_next, .pick = mcr_pick, .done = mcr_done, .suspects = mcr_suspects, .bounded = mcr_bounded, .limit = mcr_limit,   \
  .prefixes = &mcr_prefixes

const struct strategy_type strategy_mcr = {
    .name = "mcr",
    .summary = "maximal causality reduction as published: leaves executions out, and says so",
    .create = mcr_create,
    .counters = mcr_counters,
    MCR_ROW,
};

const struct strategy_type strategy_mcr_s = {
    .name = "mcr-s",
    .summary = "the same, keeping only the reads on which something depends",
    .depends = true,
    .create = mcr_s_create,
    .counters = mcr_counters,
    MCR_ROW,
};

const struct strategy_type strategy_mcr_s_plus = {
    .name = "mcr-s+",
    .summary = "the same, keeping all those before the read that changes",
    .depends = true,
    .create = mcr_s_plus_create,
    .counters = mcr_counters,
    MCR_ROW,
};

const struct strategy_type strategy_se_mcr = {
    .name = "se-mcr",
    .summary = "mcr with switch equivalence as published",
    .create = se_mcr_create,
    .counters = mcr_counters,
    MCR_ROW,
};

const struct strategy_type strategy_ncmc = {
    .name = "ncmc",
    .summary = "mcr that leaves out orders of invocations that commute (--spec)",
    .commutes = true,
    .create = ncmc_create,
    .counters = ncmc_counters,
    MCR_ROW,
};
