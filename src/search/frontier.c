#include "search/frontier.h"

#include "execution/run.h"

static void state_release(struct frontier_state *n) {
  vec_release(&n->sleepers);
  vec_release(&n->events);
}

static void shared_release(struct frontier_shared *n) {
  state_release(&n->state);
  vec_release(&n->awake);
  *n = (struct frontier_shared){0};
}

static void stack_release(struct frontier_job *j) {
  for (size_t i = 0; i < j->stack.count; i++) state_release(&j->stack.data[i]);
  vec_release(&j->stack);
}

void frontier_clear(struct frontier *f) {
  for (size_t i = 0; i < f->shared.count; i++) shared_release(&f->shared.data[i]);
  for (size_t i = 0; i < f->jobs.count; i++) stack_release(&f->jobs.data[i]);
  vec_clear(&f->shared);
  vec_clear(&f->jobs);
  f->waiting = f->taken = f->used_below = 0;
  f->done = 0;
}

void frontier_release(struct frontier *f) {
  frontier_clear(f);
  vec_release(&f->shared);
  vec_release(&f->jobs);
}

static struct frontier_job *job_new(struct frontier *f, struct frontier_origin origin, double share) {
  uint32_t i = 0;
  while (i < f->jobs.count && f->jobs.data[i].status != JOB_NONE) i++;
  struct frontier_job *j = i < f->jobs.count ? &f->jobs.data[i] : vec_push(&f->jobs);
  *j = (struct frontier_job){.status = JOB_WAITING, .origin = origin, .share = share};
  if (origin.parent != NO_STEP) f->shared.data[origin.parent].open++;
  f->waiting++;
  return j;
}

/* Shared nodes above the node, itself included. */
static uint32_t depth_of(const struct frontier *f, uint32_t shared) {
  uint32_t depth = 0;
  for (; shared != NO_STEP; shared = f->shared.data[shared].origin.parent) depth++;
  return depth;
}

uint32_t frontier_take(struct frontier *f) {
  uint32_t best = NO_JOB, best_depth = UINT32_MAX;
  for (uint32_t i = 0; i < f->jobs.count; i++) {
    uint32_t depth = f->jobs.data[i].status == JOB_WAITING ? depth_of(f, f->jobs.data[i].origin.parent) : UINT32_MAX;
    if (depth < best_depth) best = i, best_depth = depth;
  }
  if (best == NO_JOB) return best;
  f->jobs.data[best].status = JOB_TAKEN;
  f->waiting--, f->taken++;
  return best;
}

void frontier_return(struct frontier *f, uint32_t job) {
  f->jobs.data[job].status = JOB_WAITING;
  f->waiting++, f->taken--;
}

/* --- between a strategy's stack and ours --- */

static struct frontier_state state_of(const struct strategy *s, uint32_t i) {
  struct frontier_state to = {.node = s->nodes.data[i], .step = s->path.steps.data[i]};
  for (uint32_t k = 0; k < to.node.sleepers; k++) {
    struct sleeper z = s->sleepers.data[to.node.first_sleeper + k];
    uint32_t first = z.event;
    z.event = (uint32_t)to.events.count;
    if (z.events) memcpy(vec_push_n(&to.events, z.events), &s->sleep_events.data[first], z.events * sizeof(struct event));
    *vec_push(&to.sleepers) = z;
  }
  return to;
}

static void push_state(struct strategy *s, const struct frontier_state *from, uint32_t sleepers, struct step step) {
  struct dpor_node n = from->node;
  uint32_t events = (uint32_t)s->sleep_events.count;
  n.first_sleeper = (uint32_t)s->sleepers.count, n.first_sleep_event = events, n.sleepers = sleepers;
  for (uint32_t k = 0; k < sleepers; k++) {
    struct sleeper z = from->sleepers.data[k];
    z.event += events;
    *vec_push(&s->sleepers) = z;
  }
  size_t count = from->events.count;
  if (count) memcpy(vec_push_n(&s->sleep_events, count), from->events.data, count * sizeof(struct event));
  *vec_push(&s->nodes) = n;
  *vec_push(&s->path.steps) = step;
}

void frontier_begin(struct frontier *f, const struct strategy *s) {
  struct frontier_job *j = job_new(f, (struct frontier_origin){.parent = NO_STEP}, 1);
  for (uint32_t i = 0; i < s->nodes.count; i++) *vec_push(&j->stack) = state_of(s, i);
}

/* The shared nodes on the way to a job or node with this origin, from the root on. */
typedef VEC(uint32_t) node_list;

static void way_to(const struct frontier *f, uint32_t shared, node_list *way) {
  for (; shared != NO_STEP; shared = f->shared.data[shared].origin.parent) *vec_push(way) = shared;
  for (size_t i = 0, k = way->count; i + 1 < k; i++) {
    uint32_t low = way->data[i];
    way->data[i] = way->data[--k];
    way->data[k] = low;
  }
}

void frontier_load(const struct frontier *f, uint32_t job, struct strategy *s) {
  const struct frontier_job *j = &f->jobs.data[job];
  node_list shared = {0};
  way_to(f, j->origin.parent, &shared);
  for (size_t i = 0; i < shared.count; i++) {
    const struct frontier_origin *next = i + 1 < shared.count ? &f->shared.data[shared.data[i + 1]].origin : &j->origin;
    push_state(s, &f->shared.data[shared.data[i]].state, next->seen, next->step);
    vec_last(&s->nodes).alternatives = next->alternatives;
  }
  s->floor = (uint32_t)shared.count;
  for (size_t i = 0; i < j->stack.count; i++) {
    const struct frontier_state *n = &j->stack.data[i];
    push_state(s, n, (uint32_t)n->sleepers.count, n->step);
  }
  vec_release(&shared);
  if (s->path.steps.count == 0) return; /* nothing has been explored yet */
  s->started = s->handed = true;
  s->known = (uint32_t)s->path.steps.count - 1;
}

/* --- as bytes --- */

static void put_state(const struct frontier_state *n, struct text *out) {
  WIRE_PUT(out, n->node);
  WIRE_PUT(out, n->step);
  WIRE_PUT_VEC(out, &n->sleepers);
  WIRE_PUT_VEC(out, &n->events);
}

static bool thread_fits(uint32_t thread) { return thread < THREADS_MAX; }

static bool event_fits(const struct event *e) { return e->op < EVENT_COUNT && e->order <= ORDER_SEQ_CST && thread_fits(e->thread); }

/* A truth value of somebody else's may be neither. */
static bool get_bool(struct wire *w) {
  uint8_t byte;
  WIRE_GET(w, byte);
  return byte != 0;
}

static void get_node(struct wire *w, struct dpor_node *n) {
  unsigned char ended;
  WIRE_GET(w, *n);
  memcpy(&ended, &n->ended, 1);
  n->ended = ended != 0;
}

static void get_state(struct wire *w, struct frontier_state *n) {
  *n = (struct frontier_state){0};
  get_node(w, &n->node);
  WIRE_GET(w, n->step);
  WIRE_GET_VEC(w, &n->sleepers);
  WIRE_GET_VEC(w, &n->events);
  w->bad |= !thread_fits(n->step.thread);
  for (size_t i = 0; i < n->sleepers.count; i++) {
    const struct sleeper *z = &n->sleepers.data[i];
    w->bad |= !thread_fits(z->thread) || z->event > n->events.count || z->events > n->events.count - z->event;
  }
  for (size_t i = 0; i < n->events.count; i++) w->bad |= !event_fits(&n->events.data[i]);
}

static void get_stack(struct wire *w, struct frontier_job *j) {
  uint64_t count;
  WIRE_GET(w, count);
  if (!wire_has(w, count, sizeof(struct dpor_node))) return;
  for (uint64_t i = 0; i < count && !w->bad; i++) get_state(w, vec_push(&j->stack));
}

void frontier_save(struct strategy *s, bool left, struct text *out) {
  WIRE_PUT_VEC(out, &s->requests);
  uint64_t count = left ? s->nodes.count - s->floor : 0;
  WIRE_PUT(out, left);
  WIRE_PUT(out, count);
  for (uint64_t i = 0; i < count; i++) {
    struct frontier_state n = state_of(s, s->floor + (uint32_t)i);
    put_state(&n, out);
    state_release(&n);
  }
}

/* --- sharing --- */

void frontier_learn(struct sections *sections, const struct execution *x) {
  for (uint32_t i = 0; i < x->depth; i++) {
    uint32_t from = i ? x->ends[i - 1] : 0, count = x->ends[i] - from;
    if (count) (void)sections_complete(sections, x->trace, from, &count);
  }
}

bool frontier_run_step(struct run *r, struct sections *sections, const struct schedule *path, struct step step, struct frontier_step *out) {
  run_begin(r);
  if (!run_follow(r, path->steps.data, path->steps.count) || !run_going(r) || !run_possible(r, step)) return false;
  out->alternatives = machine_alternatives(r->machine, step.thread);
  uint32_t from = path->steps.count ? vec_last(&r->ends) : 0, all, count;
  run_step(r, step);
  const struct event *trace = machine_trace(r->machine, &all);
  count = all - from;
  bool goes_on = tset_has(machine_alive(r->machine), step.thread) && (machine_pending(r->machine, step.thread)->flags & EVENT_INTERNAL);
  out->ends = goes_on || count == 0 || (machine_status(r->machine) != MACHINE_RUNNING && !machine_exhausted(r->machine));
  const struct event *events = count ? sections_complete(sections, trace, from, &count) : NULL;
  if (count) memcpy(vec_push_n(&out->events, count), events, count * sizeof *events);
  run_finish(r);
  return true;
}

static void path_to(const struct frontier *f, uint32_t shared, struct schedule *path) {
  node_list nodes = {0};
  way_to(f, shared, &nodes);
  for (size_t i = 1; i < nodes.count; i++) *vec_push(&path->steps) = f->shared.data[nodes.data[i]].origin.step;
  vec_release(&nodes);
}

static bool try_at(const struct frontier *f, uint32_t shared, struct step step, const struct frontier_try *try, struct frontier_step *out) {
  struct schedule path = {0};
  path_to(f, shared, &path);
  vec_clear(&out->events);
  bool ok = try->step(try->data, &path, step, out);
  vec_release(&path.steps);
  return ok;
}

static void put_to_sleep(struct frontier_state *n, struct step step, const struct frontier_step *did) {
  if (did->ends) return; /* depends on everything */
  uint32_t events = (uint32_t)did->events.count;
  *vec_push(&n->sleepers) = (struct sleeper){step.thread, step.choice, did->alternatives, (uint32_t)n->events.count, events};
  if (events) memcpy(vec_push_n(&n->events, events), did->events.data, events * sizeof(struct event));
}

static bool asleep(const struct frontier_state *n, struct step step) {
  for (size_t i = 0; i < n->sleepers.count; i++) {
    if (n->sleepers.data[i].thread == step.thread && n->sleepers.data[i].choice == step.choice) return true;
  }
  return false;
}

/* Whatever was taken at the node sleeps in what comes next. */
static bool lull(struct frontier *f, uint32_t shared, const struct frontier_try *try) {
  struct frontier_step did = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < f->shared.data[shared].awake.count; i++) {
    struct step step = f->shared.data[shared].awake.data[i];
    ok = try_at(f, shared, step, try, &did);
    if (ok) put_to_sleep(&f->shared.data[shared].state, step, &did);
  }
  vec_clear(&f->shared.data[shared].awake);
  vec_release(&did.events);
  return ok;
}

/* How many alternatives the thread's step has, one of which sleeps. */
static uint32_t alternatives_of(const struct frontier_state *n, uint32_t thread) {
  size_t i = 0;
  while (n->sleepers.data[i].thread != thread) i++;
  return n->sleepers.data[i].alternatives;
}

/* Makes jobs of the thread's alternatives from `choice` on, each with a part of *share. */
static bool spawn_thread(struct frontier *f, uint32_t shared, uint32_t thread, uint32_t choice, const struct frontier_try *try,
                         double *share) {
  struct frontier_step did = {.alternatives = choice + 1};
  bool ok = true;
  for (; ok && choice < did.alternatives; choice++) {
    struct step step = {.thread = thread, .choice = choice};
    if (asleep(&f->shared.data[shared].state, step)) {
      did.alternatives = alternatives_of(&f->shared.data[shared].state, thread);
      continue;
    }
    ok = try_at(f, shared, step, try, &did);
    if (!ok) break;
    uint32_t seen = (uint32_t)f->shared.data[shared].state.sleepers.count;
    *share /= 2;
    job_new(f, (struct frontier_origin){shared, step, did.alternatives, seen}, *share);
    put_to_sleep(&f->shared.data[shared].state, step, &did);
  }
  tset_add(&f->shared.data[shared].state.node.done, thread);
  vec_release(&did.events);
  return ok;
}

/* Makes jobs of all that is left at the node. */
static bool spawn(struct frontier *f, uint32_t shared, const struct frontier_try *try, double *share) {
  struct tset left = f->shared.data[shared].state.node.backtrack;
  tset_minus(&left, &f->shared.data[shared].state.node.done);
  if (tset_empty(&left)) return true;
  bool ok = lull(f, shared, try);
  for (uint32_t t = tset_next(&left, 0); ok && t < THREADS_MAX; t = tset_next(&left, t + 1)) ok = spawn_thread(f, shared, t, 0, try, share);
  return ok;
}

/* What a job asks for of the nodes above it. */
static bool grant(struct frontier *f, uint32_t job, const struct dpor_request *r, const struct frontier_try *try) {
  uint32_t node = f->jobs.data[job].origin.parent, depth = depth_of(f, node);
  if (r->node >= depth) return false;
  for (; depth > r->node + 1; depth--) node = f->shared.data[node].origin.parent;
  struct dpor_node *n = &f->shared.data[node].state.node;
  if (tset_intersects(&r->unless, &n->backtrack)) return true;
  tset_union(&n->backtrack, &r->add);
  double share = f->jobs.data[job].share;
  bool ok = spawn(f, node, try, &share);
  f->jobs.data[job].share = share;
  return ok;
}

/* One thing less leads from the node: nodes that nothing leads from any more go. */
static void release_path(struct frontier *f, uint32_t shared) {
  while (shared != NO_STEP && --f->shared.data[shared].open == 0) {
    uint32_t parent = f->shared.data[shared].origin.parent;
    shared_release(&f->shared.data[shared]);
    if (shared < f->used_below) f->used_below = shared;
    shared = parent;
  }
}

static void job_done(struct frontier *f, uint32_t job) {
  struct frontier_job *j = &f->jobs.data[job];
  f->done += j->share;
  f->taken--;
  uint32_t parent = j->origin.parent;
  stack_release(j);
  *j = (struct frontier_job){.status = JOB_NONE};
  release_path(f, parent);
}

bool frontier_put(struct frontier *f, uint32_t job, struct wire *from, const struct frontier_try *try) {
  VEC(struct dpor_request) requests = {0};
  WIRE_GET_VEC(from, &requests);
  bool left = get_bool(from);
  stack_release(&f->jobs.data[job]);
  get_stack(from, &f->jobs.data[job]);
  bool ok = !from->bad;
  for (size_t i = 0; ok && i < requests.count; i++) ok = grant(f, job, &requests.data[i], try);
  vec_release(&requests);
  if (left)
    frontier_return(f, job);
  else
    job_done(f, job);
  return ok;
}

/* Is anything left at the node but the step that is being explored? */
static bool has_more(const struct frontier_state *n) {
  struct tset left = n->node.backtrack;
  tset_minus(&left, &n->node.done);
  tset_remove(&left, n->step.thread);
  return !tset_empty(&left) || n->step.choice + 1 < n->node.alternatives;
}

static uint32_t share_node(struct frontier *f, struct frontier_state state, struct frontier_origin origin) {
  uint32_t i = f->used_below;
  while (i < f->shared.count && f->shared.data[i].open) i++;
  if (i == f->shared.count) (void)vec_push(&f->shared);
  f->used_below = i + 1;
  f->shared.data[i] = (struct frontier_shared){.state = state, .origin = origin, .open = 1}; /* open: as long as it is being made */
  if (origin.parent != NO_STEP) f->shared.data[origin.parent].open++;
  return i;
}

bool frontier_split(struct frontier *f, uint32_t job, const struct frontier_try *try) {
  struct frontier_job *j = &f->jobs.data[job];
  uint32_t n = (uint32_t)j->stack.count, k = 0, last = NO_STEP, first_parent = j->origin.parent;
  while (k < n && !has_more(&j->stack.data[k])) k++;
  if (k == n) return true;
  struct frontier_origin origin = j->origin;
  bool untouched = false; /* the last node's step is no more begun than its others */
  struct step step = {0};
  for (uint32_t i = 0; i <= k; i++) {
    struct frontier_state state = f->jobs.data[job].stack.data[i];
    step = state.step;
    untouched = i + 1 == n;
    if (!untouched) tset_add(&state.node.done, step.thread);
    uint32_t made = share_node(f, state, origin), alternatives = state.node.alternatives;
    if (last != NO_STEP) f->shared.data[last].open--;
    if (!untouched) *vec_push(&f->shared.data[made].awake) = step;
    last = made;
    origin = (struct frontier_origin){.parent = made, .step = step, .alternatives = alternatives, .seen = (uint32_t)state.sleepers.count};
  }
  double share = f->jobs.data[job].share;
  bool ok = true;
  j = &f->jobs.data[job];
  memmove(j->stack.data, j->stack.data + k + 1, (n - k - 1) * sizeof *j->stack.data);
  j->stack.count = n - k - 1;
  if (untouched) { /* nothing is left of the job */
    tset_remove(&f->shared.data[last].state.node.done, step.thread);
    stack_release(j);
    *j = (struct frontier_job){.status = JOB_NONE};
    f->waiting--;
    if (first_parent != NO_STEP) f->shared.data[first_parent].open--;
    if (step.choice) ok = spawn_thread(f, last, step.thread, step.choice, try, &share);
    ok = ok && spawn(f, last, try, &share);
    f->done += share;
  } else {
    j->origin = origin;
    f->shared.data[last].open++;
    if (first_parent != NO_STEP) f->shared.data[first_parent].open--;
    if (step.choice + 1 < origin.alternatives) {
      ok = lull(f, last, try) && spawn_thread(f, last, step.thread, step.choice + 1, try, &share);
    }
    ok = ok && spawn(f, last, try, &share);
    f->jobs.data[job].share = share;
  }
  if (ok) release_path(f, last); /* it was held while it was made */
  return ok;
}

/* --- the whole --- */

void frontier_write(const struct frontier *f, struct text *out) {
  uint64_t shared = f->shared.count, jobs = f->jobs.count;
  WIRE_PUT(out, shared);
  for (size_t i = 0; i < shared; i++) {
    const struct frontier_shared *n = &f->shared.data[i];
    WIRE_PUT(out, n->open);
    WIRE_PUT(out, n->origin);
    WIRE_PUT_VEC(out, &n->awake);
    put_state(&n->state, out);
  }
  WIRE_PUT(out, jobs);
  for (size_t i = 0; i < jobs; i++) {
    const struct frontier_job *j = &f->jobs.data[i];
    uint64_t count = j->stack.count;
    bool used = j->status != JOB_NONE;
    WIRE_PUT(out, used);
    WIRE_PUT(out, j->origin);
    WIRE_PUT(out, j->share);
    WIRE_PUT(out, count);
    for (size_t k = 0; k < count; k++) put_state(&j->stack.data[k], out);
  }
  WIRE_PUT(out, f->done);
}

/* Is it a step that was taken at a node in use, or none? Then it is one more that leads from there. */
static bool origin_fits(const struct frontier *f, const struct frontier_origin *o, uint32_t *leading) {
  if (o->parent == NO_STEP) return true;
  if (o->parent >= f->shared.count || !f->shared.data[o->parent].open || !thread_fits(o->step.thread)) return false;
  leading[o->parent]++;
  return o->seen <= f->shared.data[o->parent].state.sleepers.count;
}

/* Does the way up from each node end at the root? All parents are there. */
static bool ways_end(const struct frontier *f) {
  enum { UNKNOWN, ON_WAY, ENDS };
  bool end = true;
  uint8_t *marks = mem_alloc(f->shared.count);
  for (uint32_t i = 0; end && i < f->shared.count; i++) {
    uint32_t up = i;
    if (!f->shared.data[i].open) continue;
    for (; up != NO_STEP && marks[up] == UNKNOWN; up = f->shared.data[up].origin.parent) marks[up] = ON_WAY;
    end = up == NO_STEP || marks[up] == ENDS;
    for (up = i; end && up != NO_STEP && marks[up] == ON_WAY; up = f->shared.data[up].origin.parent) marks[up] = ENDS;
  }
  mem_free(marks, f->shared.count);
  return end;
}

/* Do origins lead to nodes that are there, as many as these say, and from there to the root? */
static bool is_sound(const struct frontier *f) {
  bool sound = true;
  uint32_t *leading = mem_alloc(f->shared.count * sizeof *leading);
  for (size_t i = 0; sound && i < f->shared.count; i++)
    sound = !f->shared.data[i].open || origin_fits(f, &f->shared.data[i].origin, leading);
  for (size_t i = 0; sound && i < f->jobs.count; i++)
    sound = f->jobs.data[i].status == JOB_NONE || origin_fits(f, &f->jobs.data[i].origin, leading);
  for (size_t i = 0; sound && i < f->shared.count; i++) sound = leading[i] == f->shared.data[i].open;
  mem_free(leading, f->shared.count * sizeof *leading);
  return sound && ways_end(f);
}

bool frontier_read(struct frontier *f, struct wire *from) {
  uint64_t shared, jobs;
  WIRE_GET(from, shared);
  for (uint64_t i = 0; i < shared && !from->bad; i++) {
    struct frontier_shared *n = vec_push(&f->shared);
    *n = (struct frontier_shared){0};
    WIRE_GET(from, n->open);
    WIRE_GET(from, n->origin);
    WIRE_GET_VEC(from, &n->awake);
    for (size_t k = 0; k < n->awake.count; k++) from->bad |= !thread_fits(n->awake.data[k].thread);
    get_state(from, &n->state);
  }
  WIRE_GET(from, jobs);
  for (uint64_t i = 0; i < jobs && !from->bad; i++) {
    struct frontier_job *j = vec_push(&f->jobs);
    *j = (struct frontier_job){0};
    bool used = get_bool(from);
    WIRE_GET(from, j->origin);
    WIRE_GET(from, j->share);
    get_stack(from, j);
    j->status = used ? JOB_WAITING : JOB_NONE;
    f->waiting += used;
  }
  WIRE_GET(from, f->done);
  return !from->bad && is_sound(f);
}
