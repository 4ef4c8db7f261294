#include "predict/predict.h"

#include <time.h>

#include "predict/internal.h"

/* Events of a window, and its shape (add_to_shape()). What does not go into one window is taken in smaller ones, of which more can be paid
 * for. */
#define WINDOW            1024u
#define WINDOW_SHAPE      500000u
#define WINDOW_SHAPE_PART 60000u
/* Conflicts that a question may cost. */
#define QUESTION_BUDGET 2000u
/* Questions about one pair of sites: with one window, and in all, as long as the answer is no. */
#define ALIKE_MOST   4u
#define IN_VAIN_MOST 64u
/* Cycles of locks of one window. */
#define CYCLES_MOST 32u
/* Values of one read, and of the reads of a thread at one site. */
#define VALUES_MOST      8u
#define VALUES_SITE_MOST 32u
/* Units of cost, about twenty nanoseconds each: what one exploration, or block of it, may cost in any case, what a step of an execution
 * adds to that, and what is paid for. */
#define COST_FIRST     50000000u
#define COST_BLOCK     50000u /* the same for all blocks but the first */
#define COST_EXECUTION 20000000u
#define COST_A_STEP    1u
#define COST_A_LOOK    200000u /* between two looks at the clock */
#define COST_STEP      8u      /* of a witness's execution, where it is not kept from the one before it */
#define COST_LOOK      2u      /* at a step of a witness's execution: what it shows */
#define COST_EVENT     20u     /* of a window: to look at, and once more for its model */
#define COST_SHAPE     2u      /* units of shape for one of cost: the model */
#define COST_QUESTION  200u
#define COST_ASKED     6u /* an event of a window, for each question */
#define COST_VALUES    200u
#define COST_CONFLICT  200u
/* Both executions of a witness to the end may cost this part of what is left for the execution. */
#define END_PART 8u
/* A window is asked about if this many questions can be paid for. */
#define QUESTIONS_LEAST 4u

enum question { QUESTION_RACE, QUESTION_FREE, QUESTION_DEADLOCK, QUESTION_VALUE };

#define DONE UINT64_MAX

struct predictor *predictor_new(bool reads, uint64_t block, uint32_t window) {
  struct predictor *p = mem_alloc(sizeof *p);
  p->reads = reads;
  p->block = block;
  p->most_events = window ? window : WINDOW;
  return p;
}

void predictor_restart(struct predictor *p, uint64_t from) {
  p->made = from;
  p->counts = (struct predictor_counts){0};
}

static void begin_block(struct predictor *p) {
  hashmap_clear(&p->seen);
  hashmap_clear(&p->asked);
  pattern_memory_free(p->patterns);
  p->patterns = NULL;
  p->spent = p->next_look = 0;
  p->allowed = p->made ? COST_BLOCK : COST_FIRST;
}

void predictor_block(struct predictor *p, enum predict_cost cost) {
  p->made = 1; /* the block has begun */
  p->spent = UINT64_MAX / 2;
  if (cost == PREDICT_NOTHING) return;
  begin_block(p);
  p->allowed = cost == PREDICT_MUCH ? COST_FIRST : COST_BLOCK;
}

struct predictor_counts predictor_take_counts(struct predictor *p) {
  struct predictor_counts counts = p->counts;
  p->counts = (struct predictor_counts){0};
  return counts;
}

void predictor_free(struct predictor *p) {
  if (!p) return;
  causal_free(p->causal);
  mcr_trace_release(&p->trace);
  vec_release(&p->original.steps);
  vec_release(&p->witness.steps);
  vec_release(&p->steps);
  candidates_release(&p->candidates);
  moments_release(&p->moments);
  pattern_memory_free(p->patterns);
  vec_release(&p->ordered);
  vec_release(&p->ordering);
  window_release(&p->window);
  hashmap_release(&p->seen);
  hashmap_release(&p->asked);
  hashmap_release(&p->now);
  mem_free(p, sizeof *p);
}

/* --- what it costs --- */

static uint32_t events(const struct predictor *p) { return p->window.to - p->window.from; }
static uint64_t model_cost(const struct predictor *p) { return events(p) * COST_EVENT + p->shape / COST_SHAPE; }
static uint64_t question_cost(const struct predictor *p) { return COST_QUESTION + events(p) * COST_ASKED; }
bool predictor_can_afford(const struct predictor *p) { return p->spent + (p->is_modelled ? 0 : model_cost(p)) < p->limit; }

static void pay(struct predictor *p) {
  struct order_stats now = order_stats(causal_order(p->causal)), *then = &p->stats;
  p->spent += question_cost(p) + (now.propagations - then->propagations) + (now.row_changes - then->row_changes) +
              (now.conflicts - then->conflicts) * COST_CONFLICT;
  *then = now;
}

bool predictor_is_over(struct predictor *p) {
  const struct predict_client *client = p->client;
  if (machine_sharing_changed(client->run->machine) || client->run->livelock.found || p->unsupported || p->over) return true;
  p->over = client->has_enough(client->data);
  if (!p->over && p->spent >= p->next_look) {
    p->next_look = p->spent + COST_A_LOOK;
    p->over = client->is_over(client->data);
  }
  return p->over;
}

/* May the question be asked? `key`: what it is about; DONE: it was found. `most`: questions with the same `alike` about this window. */
static bool may_ask_of(struct predictor *p, uint64_t key, uint64_t alike, uint32_t most) {
  uint64_t *in_vain = hashmap_at(&p->asked, key, 0, NULL), *now;
  if (*in_vain == DONE) return false;
  now = hashmap_at(&p->now, alike, 0, NULL);
  if (*now >= most || *in_vain >= IN_VAIN_MOST || !predictor_can_afford(p)) {
    p->counts.left_out++;
    return false;
  }
  ++*now, ++*in_vain;
  return true;
}

static bool may_ask(struct predictor *p, uint64_t key) { return may_ask_of(p, key, key, ALIKE_MOST); }

static bool is_settled(const struct predictor *p, uint64_t key) {
  const uint64_t *in_vain = hashmap_find(&p->asked, key);
  return in_vain && *in_vain >= IN_VAIN_MOST;
}

static void settle_question(struct predictor *p, uint64_t key) { *hashmap_at(&p->asked, key, 0, NULL) = DONE; }

static uint64_t pair_of(uint32_t a, uint32_t b) { return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; }
static uint64_t question_key(enum question kind, uint64_t about) { return hash_pair((uint64_t)kind + 1, about); }

/* A failure may be far behind a read's new value: its executions go on to the end if they do not cost too much of what is left. */
static bool can_go_to_the_end(const struct predictor *p) {
  return p->spent + END_PART * 2 * p->original.steps.count * (COST_STEP + COST_LOOK) <= p->most;
}

/* Makes the execution that the last answer's witness begins, and looks at what it shows. False if it left the witness. */
static bool run_witness(struct predictor *p, enum witness_behind behind, bool to_the_end) {
  struct witness witness = {.original = &p->original, .steps = &p->witness, .fixed = p->fixed, .behind = behind, .to_the_end = to_the_end};
  bool followed = witness_run(p->client->run, p->client, &witness);
  p->spent += witness.made * COST_STEP + p->client->run->steps.steps.count * COST_LOOK;
  p->unsupported |= machine_status(p->client->run->machine) == MACHINE_UNSUPPORTED;
  p->over |= witness.over;
  p->client->collect(p->client->data);
  return followed;
}

bool predictor_try_witness(struct predictor *p, enum witness_behind behind, bool to_the_end) {
  uint32_t n;
  const struct causal_step *steps = causal_witness(p->causal, &n);
  vec_clear(&p->witness.steps);
  vec_clear(&p->steps);
  for (uint32_t i = 0; i < n; i++) {
    struct causal_step *step = vec_push(&p->steps);
    *step = steps[i];
    step->event = window_origin(&p->window, step->event);
  }
  mcr_trace_steps(&p->trace, p->steps.data, n, &p->witness, NULL);
  return run_witness(p, behind, to_the_end);
}

struct causal *predictor_model(struct predictor *p) {
  if (p->is_modelled) return p->causal;
  struct causal_trace trace = window_model(&p->window, p->cut);
  p->spent += model_cost(p);
  causal_build(p->causal, &trace);
  p->is_modelled = true;
  return p->causal;
}

/* --- questions --- */

enum causal_answer predictor_count_answer(struct predictor *p, enum causal_answer answer) {
  pay(p);
  p->counts.questions++;
  p->counts.unknown += answer == CAUSAL_UNKNOWN;
  p->counts.yes += answer == CAUSAL_YES;
  return answer;
}

/* True: yes. The machine then stands behind the witness; unless the exploration is to end. */
static bool answered(struct predictor *p, enum causal_answer answer, enum witness_behind behind, bool to_the_end, bool *followed) {
  if (predictor_count_answer(p, answer) != CAUSAL_YES) return false;
  *followed = predictor_try_witness(p, behind, to_the_end);
  return !p->over;
}

static bool shows(const struct predictor *p, enum finding_kind kind, enum finding_kind or, uint32_t site) {
  struct finding own = {0};
  const struct finding *f = run_finding(p->client->run, &own);
  bool found = false;
  for (size_t i = 0; f && (f->kind == kind || f->kind == or) && i < f->sites.count; i++) found |= f->sites.data[i].site == site;
  finding_release(&own);
  return found;
}

bool predictor_ended_before(const struct predictor *p) {
  struct finding own = {0};
  const struct finding *f = run_finding(p->client->run, &own);
  bool ended = f && (f->kind == FINDING_UNINITIALISED || f->kind == FINDING_PROPERTY);
  finding_release(&own);
  return ended;
}

/* `exact`: the machine can do what the model says. */
static void confirm(struct predictor *p, uint64_t key, bool shown, bool exact) {
  p->counts.confirmed += shown;
  p->counts.unconfirmed += exact && !shown && !predictor_ended_before(p);
  if (shown) settle_question(p, key);
}

/* Does the race show when the witness's last two steps change places? The execution may have ended between them: what the first one reads
 * there can make its thread fail at once. */
static bool shows_the_other_way(struct predictor *p, uint64_t sites) {
  size_t n = p->witness.steps.count;
  if (p->client->run->end != EXECUTION_FAILED || n < 2) return false;
  struct step *last = &p->witness.steps.data[n - 2], first = last[0];
  last[0] = last[1];
  last[1] = first;
  (void)run_witness(p, WITNESS_OF_RACE, false);
  return p->client->knows_race(p->client->data, sites);
}

static void ask_race(struct predictor *p, const struct candidate_pair *pair) {
  const struct event *a = &p->trace.events.data[pair->first], *b = &p->trace.events.data[pair->second];
  uint64_t sites = pair_of(a->site, b->site), key = question_key(QUESTION_RACE, sites);
  bool followed, section = (a->flags | b->flags) & EVENT_INTERNAL; /* what it does behind the access may hide the race */
  if (p->client->no_races || !may_ask(p, key)) return;
  struct causal *c = predictor_model(p);
  uint32_t first = window_place(&p->window, pair->first), second = window_place(&p->window, pair->second);
  if (!answered(p, causal_race(c, first, second), WITNESS_OF_RACE, false, &followed)) return;
  bool shown = p->client->knows_race(p->client->data, sites) || shows_the_other_way(p, sites);
  if (!p->over) confirm(p, key, shown, !section);
}

static void ask_free(struct predictor *p, const struct candidate_pair *pair) {
  uint32_t use = p->trace.events.data[pair->first].site;
  uint64_t key = question_key(QUESTION_FREE, pair_of(use, p->trace.events.data[pair->second].site));
  bool followed;
  if (!may_ask(p, key)) return;
  struct causal *c = predictor_model(p);
  uint32_t place = window_place(&p->window, pair->first), free = window_place(&p->window, pair->second);
  if (answered(p, causal_use_after_free(c, free, place), WITNESS_BY_THREAD, false, &followed))
    confirm(p, key, shows(p, FINDING_USE_AFTER_FREE, FINDING_DOUBLE_FREE, use), true);
}

static void ask_pairs(struct predictor *p) {
  for (size_t i = 0; i < p->candidates.pairs.count && !predictor_is_over(p); i++) {
    const struct candidate_pair *pair = &p->candidates.pairs.data[i];
    if (pair->frees) ask_free(p, pair);
    if (pair->races && !predictor_is_over(p)) ask_race(p, pair);
  }
}

static uint32_t site_of(const struct predictor *p, uint32_t place) { return p->trace.events.data[window_origin(&p->window, place)].site; }

static void ask_deadlock(struct predictor *p, const struct causal_cycle *cycle) {
  uint64_t sites = 0;
  uint32_t first = site_of(p, cycle->acquires[0]);
  bool followed;
  for (uint32_t i = 0; i < cycle->n; i++) sites += hash_mix(site_of(p, cycle->acquires[i]));
  uint64_t key = question_key(QUESTION_DEADLOCK, sites);
  if (!may_ask(p, key)) return;
  if (answered(p, causal_deadlock(p->causal, cycle), WITNESS_BY_THREAD, false, &followed))
    confirm(p, key, shows(p, FINDING_DEADLOCK, FINDING_LOST_WAKEUP, first), true);
}

static void ask_deadlocks(struct predictor *p) {
  struct causal_cycle cycles[CYCLES_MOST];
  bool all;
  uint32_t n = p->candidates.circle && predictor_can_afford(p) ? causal_cycles(predictor_model(p), cycles, CYCLES_MOST, &all) : 0;
  if (n > CYCLES_MOST) p->counts.left_out += n - CYCLES_MOST, n = CYCLES_MOST;
  for (uint32_t i = 0; i < n && !predictor_is_over(p); i++) ask_deadlock(p, &cycles[i]);
}

/* What a thread with this past reads there. */
static uint64_t value_key(const struct predictor *p, const struct event *e, uint64_t value) {
  return question_key(QUESTION_VALUE, hash_pair(hash_pair(p->past[e->thread], (uint64_t)e->site << 32 | e->thread), value));
}

/* Does the model know all that decides whether the event can have another result? Not what a thread waits for (causal.h), nor that a thread
 * that does nothing ends where it is forked. */
static bool is_exact(const struct event *e) { return !(e->flags & EVENT_WAITS) && e->op != EVENT_JOIN; }

static void ask_value(struct predictor *p, uint32_t event, uint64_t value) {
  const struct event *e = &p->trace.events.data[event];
  uint64_t key = value_key(p, e, value);
  bool followed;
  if (!may_ask_of(p, key, pair_of(e->thread, e->site), VALUES_SITE_MOST)) return;
  struct causal *c = predictor_model(p);
  bool to_the_end = can_go_to_the_end(p);
  if (!answered(p, causal_read(c, window_place(&p->window, event), value), WITNESS_BY_THREAD, to_the_end, &followed)) return;
  settle_question(p, key);
  bool failed = p->client->run->end == EXECUTION_FAILED;
  if (followed && !failed && !predictor_is_over(p)) {
    (void)predictor_try_witness(p, WITNESS_BY_ORDER, to_the_end);
    failed = p->client->run->end == EXECUTION_FAILED;
  }
  p->counts.confirmed += failed;
  p->counts.unconfirmed += !followed && is_exact(e) && !predictor_ended_before(p);
}

/* The event's result is known from now on. */
static void note_result(struct predictor *p, const struct event *e) {
  uint64_t result;
  if (e->op == EVENT_FORK && e->object < THREADS_MAX) p->past[e->object] = hash_mix(p->past[e->thread]);
  if (!causal_is_read(e, &result)) return;
  uint64_t key = value_key(p, e, result);
  settle_question(p, key);
  p->past[e->thread] = key;
}

/* Could the event have another result, as far as a look at the window tells? */
static bool may_differ(const struct predictor *p, const struct event *e) {
  uint64_t unused;
  return causal_is_read(e, &unused) && ((e->op != EVENT_READ && e->op != EVENT_RMW) || candidates_conflict(&p->candidates, e));
}

/* Would a question about the read's results be asked at all? */
static bool is_open(struct predictor *p, const struct event *e) {
  if (!may_differ(p, e)) return false;
  if (predictor_can_afford(p) && *hashmap_at(&p->now, pair_of(e->thread, e->site), 0, NULL) < VALUES_SITE_MOST) return true;
  p->counts.left_out++;
  return false;
}

/* `ask` is false: only takes note of what they returned. */
static void ask_values(struct predictor *p, bool ask) {
  for (uint32_t i = p->window.from; i < p->window.to; i++) {
    const struct event *e = &p->trace.events.data[i];
    uint64_t values[VALUES_MOST];
    uint32_t n = 0;
    if (ask && !predictor_is_over(p) && is_open(p, e)) {
      struct causal *c = predictor_model(p);
      n = causal_values(c, window_place(&p->window, i), values, VALUES_MOST, NULL);
      p->spent += COST_VALUES;
    }
    if (n > VALUES_MOST) p->counts.left_out += n - VALUES_MOST, n = VALUES_MOST;
    for (uint32_t k = 0; k < n && !predictor_is_over(p); k++) ask_value(p, i, values[k]);
    note_result(p, e);
  }
}

/* --- executions --- */

static bool at_start(void *machine, uint64_t address, uint32_t size, uint64_t *value) {
  return machine_initial(machine, address, size, value);
}

static bool initial_value(void *data, uint64_t address, uint32_t size, uint64_t *value) {
  const struct predictor *p = data;
  return window_initial(&p->window, address, size, at_start, p->client->run->machine, value);
}

static void open_model(struct predictor *p) {
  const struct machine_options *machine = machine_options(p->client->run->machine);
  struct causal_options options = {
      .memory = (enum causal_memory)machine->memory, .spurious_wakeups = machine->spurious_wakeups, .budget = QUESTION_BUDGET};
  options.initial = initial_value, options.data = p;
  p->causal = causal_new(&options);
}

/* The same for all orders of the same events with the same results: their model is the same. `watched`: there may be events of properties,
 * whose results tell of their order alone. */
static uint64_t digest(const struct event *trace, uint32_t n, bool watched) {
  uint64_t sum = 0;
  for (const struct event *e = trace; e < trace + n; e++) {
    if (e->op == EVENT_FLUSH) continue;
    bool order = watched && machine_is_told(e);
    uint64_t name = (uint64_t)e->op << 56 | (uint64_t)e->flags << 48 | (uint64_t)e->thread << 32 | e->index;
    uint64_t where = e->object ^ (e->size << 48 | e->size >> 16), what = (order ? 0 : e->value + e->value2 * 0x9e3779b97f4a7c15u) + e->site;
    unsigned __int128 a = (unsigned __int128)(name ^ 0xa0761d6478bd642fu) * (where ^ 0xe7037ed1a0b428dbu);
    unsigned __int128 b = (unsigned __int128)((uint64_t)a ^ what ^ 0x8ebc6af09c88c6e3u) * ((uint64_t)(a >> 64) ^ 0x589965cc75374cc3u);
    sum += (uint64_t)b ^ (uint64_t)(b >> 64);
  }
  return sum;
}

/* What the model of a window costs is a matter of how many writes each read could take its value from, with how many others that must not
 * come between. This is the sum over all places; `event` is added to it. */
static void add_to_shape(struct predictor *p, const struct event *e) {
  if (e->op != EVENT_READ && e->op != EVENT_WRITE && e->op != EVENT_RMW) return;
  uint64_t *counts = hashmap_at(&p->now, e->object / 8, 0, NULL), reads = *counts >> 32, writes = (uint32_t)*counts;
  p->shape -= reads * writes * writes;
  reads += e->op != EVENT_WRITE, writes += e->op != EVENT_READ;
  p->shape += reads * writes * writes;
  *counts = reads << 32 | writes;
}

/* The first event behind the window that begins at `from`, of whole steps. */
static uint32_t window_end(struct predictor *p, uint32_t from, uint64_t most) {
  uint32_t to = from;
  p->shape = 0;
  hashmap_clear(&p->now);
  for (bool full = false; to < p->trace.n && (!full || !window_may_begin(&p->trace, to)); to++) {
    add_to_shape(p, &p->trace.events.data[to]);
    full = to + 1 - from >= p->most_events || p->shape > most;
  }
  hashmap_clear(&p->now);
  return to;
}

/* What was flushed before the window's first step belongs to what is fixed. */
static bool next_window(struct predictor *p) {
  uint32_t from = p->window.to, to;
  if (from == p->trace.n) return false;
  to = window_end(p, from, from ? WINDOW_SHAPE_PART : WINDOW_SHAPE);
  if (from == 0 && to < p->trace.n) to = window_end(p, 0, WINDOW_SHAPE_PART);
  p->fixed = from ? p->trace.steps.data[from] : 0;
  p->is_modelled = false;
  window_move(&p->window, to);
  return true;
}

/* The window may cost its part of what is left for the execution, with the parts of those before it that were too dear. */
static void set_limit(struct predictor *p) {
  uint64_t left = p->most > p->spent ? p->most - p->spent : 0;
  p->limit = p->spent + left / (p->trace.n - p->paid_to) * (p->window.to - p->paid_to);
}

/* Is there anything to ask? */
static bool is_window_open(const struct predictor *p) {
  const struct event *trace = p->trace.events.data;
  if (p->candidates.circle) return true;
  for (uint32_t i = 0; i < p->moments.ends.count; i++)
    if (moments_count(&p->moments, i, p->window.from) < moments_count(&p->moments, i, p->window.to)) return true;
  for (size_t i = 0; i < p->candidates.pairs.count; i++) {
    const struct candidate_pair *pair = &p->candidates.pairs.data[i];
    uint64_t sites = pair_of(trace[pair->first].site, trace[pair->second].site);
    if (pair->races && !p->client->no_races && !is_settled(p, question_key(QUESTION_RACE, sites))) return true;
    if (pair->frees && !is_settled(p, question_key(QUESTION_FREE, sites))) return true;
  }
  for (uint32_t i = p->window.from; p->reads && i < p->window.to; i++)
    if (may_differ(p, &trace[i])) return true;
  return false;
}

static void ask_window(struct predictor *p) {
  bool last = p->window.to == p->trace.n, is_part = p->window.from || !last;
  const struct event *trace = p->trace.events.data;
  candidates_find(&p->candidates, trace, p->window.from, p->window.to, trace + p->trace.n, last ? p->trace.pending : 0);
  p->spent += events(p) * COST_EVENT;
  bool open = is_window_open(p), dear = p->spent + model_cost(p) + QUESTIONS_LEAST * question_cost(p) >= p->limit;
  if (open && !dear) {
    predictor_ask_properties(p);
    ask_deadlocks(p);
    ask_pairs(p);
    p->paid_to = p->window.to;
  }
  p->counts.windows += is_part && !(open && dear);
  p->counts.windows_passed += is_part && open && dear;
  p->counts.left_out += !is_part && open && dear;
  if (p->reads) ask_values(p, open && !dear);
}

static void take_execution(struct predictor *p, const struct predict_client *client) {
  struct execution x = run_view(client->run);
  vec_clear(&p->original.steps);
  schedule_add(&p->original, x.steps, x.depth);
  mcr_trace_take(&p->trace, &x, x.depth, client->run->cut);
  moments_take(&p->moments, &p->trace, client->run->machine);
  candidates_begin(&p->candidates, p->trace.events.data, p->trace.n + p->trace.pending);
  for (uint32_t i = 0; i < THREADS_MAX; i++) p->past[i] = 0;
  window_begin(&p->window, &p->trace);
  p->fixed = p->paid_to = 0;
  p->client = client;
  p->over = false;
  p->cut = client->run->cut && !p->moments.last; /* who is alone leaves nobody behind */
  p->counts.executions++;
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool predict(struct predictor *p, const struct predict_client *client) {
  uint32_t n;
  const struct event *trace = machine_trace(client->run->machine, &n);
  bool is_new = false;
  if (p->made == 0 || (p->block && p->made % p->block == 0)) begin_block(p);
  p->made++;
  p->allowed += client->run->steps.steps.count * COST_A_STEP;
  if (machine_sharing_changed(client->run->machine) || client->run->livelock.found || n == 0) return true;
  if (p->spent >= p->allowed) {
    p->counts.passed++;
    return true;
  }
  hashmap_at(&p->seen, digest(trace, n, machine_options(client->run->machine)->properties), 1, &is_new);
  if (!is_new) return true;
  uint64_t begun = now();
  take_execution(p, client);
  if (!p->causal) open_model(p);
  p->most = p->spent + COST_EXECUTION;
  while (!predictor_is_over(p) && p->spent < p->most && next_window(p)) {
    set_limit(p);
    ask_window(p);
  }
  uint32_t rest = p->trace.n - p->window.to;
  p->counts.parted += p->window.from > 0 || rest > 0;
  p->counts.windows_passed += (rest + p->most_events - 1) / p->most_events; /* at least */
  vec_clear(&client->run->marks);                                           /* of witnesses */
  p->counts.left_out += p->candidates.left_out + p->moments.unclear;
  p->counts.nanoseconds += now() - begun;
  bool refused = p->unsupported;
  p->unsupported = false;
  return !refused;
}

struct predictor_counts predictor_counts(const struct predictor *p) {
  return p->counts;
}

void predictor_add(struct predictor *p, const struct predictor_counts *counts) {
  struct predictor_counts *to = &p->counts;
  to->executions += counts->executions, to->passed += counts->passed;
  to->parted += counts->parted, to->windows += counts->windows, to->windows_passed += counts->windows_passed;
  to->questions += counts->questions, to->yes += counts->yes, to->unknown += counts->unknown, to->left_out += counts->left_out;
  to->confirmed += counts->confirmed, to->unconfirmed += counts->unconfirmed;
  to->nanoseconds += counts->nanoseconds;
}

unsigned predictor_counters(const struct predictor *p, struct strategy_counter *out) {
  const struct strategy_counter counters[PREDICTOR_COUNTERS] = {
      {"asked-about", p->counts.executions, false},
      {"passed-over", p->counts.passed, false},
      {"parted", p->counts.parted, false},
      {"windows", p->counts.windows, false},
      {"windows-passed-over", p->counts.windows_passed, false},
      {"asked", p->counts.questions, false},
      {"possible", p->counts.yes, false},
      {"confirmed", p->counts.confirmed, false},
      {"unconfirmed", p->counts.unconfirmed, false},
      {"unknown", p->counts.unknown, false},
      {"left-out", p->counts.left_out, false},
      {"predicting", p->counts.nanoseconds, true},
  };
  for (unsigned i = 0; i < PREDICTOR_COUNTERS; i++) out[i] = counters[i];
  return PREDICTOR_COUNTERS;
}
