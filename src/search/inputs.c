#include "search/inputs.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/deadline.h"
#include "search/input_team.h"

/* From one look at the clock to the next. */
#define LISTEN_MILLISECONDS 20
/* A campaign is saved so often, as long as that takes no more than this part of the time. */
#define SAVE_SECONDS 1.0
#define SAVE_PART    0.05
/* Workers that lived for longer do not count as killed in a row (KILLED_MOST). */
#define KILLED_SECONDS 5.0

enum err inputs_new(struct session *s, const char *folder, const char *of, struct inputs **out, struct diag *d) {
  struct inputs *x = *out = mem_alloc(sizeof *x);
  *x = (struct inputs){.s = s, .jobs = s->options->jobs, .diag = d, .saved = deadline_now(), .exploring = true};
  x->board_size = sizeof *x->board + x->jobs * sizeof x->board->desks[0];
  x->board = mmap(NULL, x->board_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (x->board == MAP_FAILED) {
    x->board = NULL;
    return diag_set(d, ERR_TOOL, "no memory to share with workers: %s", strerror(errno));
  }
  x->members = mem_alloc(x->jobs * sizeof *x->members);
  x->alone_until = folder || s->options->jobs_at_once ? 0 : deadline_now() + ALONE_SECONDS;
  s->in_sittings = folder;
  session_set_deadline(s);
  return folder ? campaign_open(folder, of, &x->campaign, d) : ERR_NONE;
}

static void release_parts(struct inputs *x) {
  for (size_t i = 0; i < x->parts.list.count; i++) input_part_release(&x->parts.list.data[i]);
  for (size_t i = 0; i < x->hard.list.count; i++) input_part_release(&x->hard.list.data[i]);
  vec_release(&x->parts.list);
  vec_release(&x->hard.list);
}

void inputs_free(struct inputs *x) {
  if (!x) return;
  campaign_close(x->campaign);
  release_parts(x);
  for (uint32_t i = 0; x->members && i < x->jobs; i++) input_part_release(&x->members[i].has);
  if (x->members) mem_free(x->members, x->jobs * sizeof *x->members);
  if (x->board) munmap(x->board, x->board_size);
  text_release(&x->shown);
  text_release(&x->executions);
  mem_free(x, sizeof *x);
}

/* --- what workers say --- */

static bool fail(struct inputs *x, enum err e) {
  x->error = e;
  return false;
}

/* Nobody has it any more. */
static void take_back(struct inputs *x, struct input_part *part) { input_parts_add(&x->parts, part); }

/* What a worker that waits has left is what the solver could not tell of. */
static void put_off(struct inputs *x, struct input_part *part) {
  part->patient = true;
  input_parts_add(&x->hard, part);
}

/* Of several that show something, one is explored now, and others may be later. */
static void take_shown(struct inputs *x, struct wire *w) {
  struct input_part part = {.count = 1};
  struct text executions = {0};
  answer_get_text(w, &part.bytes);
  answer_get_text(w, &executions);
  if (x->shown.count) {
    take_back(x, &part);
    text_release(&executions);
  } else {
    x->shown = part.bytes, x->executions = executions;
  }
}

static bool take_message(struct inputs *x, struct input_member *m, uint32_t kind, struct wire *w) {
  if (kind == INPUT_FAILED) {
    m->ended = true;
    return fail(x, answer_get_error(w, x->diag));
  }
  input_get_state(x, m, w);
  switch ((enum input_message)kind) {
    case INPUT_WAITS:
      m->waits = true;
      put_off(x, &m->has);
      break;
    case INPUT_SHOWS:
      m->ended = true;
      take_back(x, &m->has);
      take_shown(x, w);
      break;
    case INPUT_ENDS:
      m->ended = true;
      take_back(x, &m->has);
      break;
    case INPUT_GOES_ON:
    case INPUT_FAILED:
      break;
  }
  return !w->bad || fail(x, answer_diverged(x->diag));
}

static bool heard(void *user, uint32_t place) {
  struct inputs *x = user;
  struct text *said = &x->pool.workers[place].said;
  struct message_head head;
  struct wire what;
  size_t at = 0;
  bool ok = true;
  while (ok && message_next(said, &at, &head, &what)) ok = take_message(x, &x->members[place], head.kind, &what);
  message_taken(said, at);
  return ok;
}

/* What it has done since it said something is lost. */
static bool gone(void *user, uint32_t place, enum pool_end end) {
  struct inputs *x = user;
  struct input_member *m = &x->members[place];
  if (deadline_now() - x->pool.workers[place].since > KILLED_SECONDS) x->killed = 0;
  if (end != POOL_KILLED && !m->ended && !m->waits && !x->stopping) x->killed++;
  take_back(x, &m->has);
  *m = (struct input_member){0};
  return true;
}

static const struct pool_type pool_type = {.work = input_work, .heard = heard, .gone = gone, .talks = true};

/* --- who does what --- */

static void put_part(struct inputs *x, uint32_t place, struct input_part part) {
  struct input_member *m = &x->members[place];
  struct text out = {0}, what = {0};
  input_put_part(&part, &what);
  uint64_t size = what.count;
  WIRE_PUT(&out, size);
  text_append(&out, text_str(&what), what.count);
  m->has = part, m->waits = false;
  (void)answer_tell(x->pool.workers[place].to, &out); /* if it was killed, that is seen when it is listened to */
  text_release(&out);
  text_release(&what);
}

/* A worker that has nothing to do, or a new one; jobs: there is none. */
static uint32_t free_hand(struct inputs *x) {
  for (uint32_t i = 0; i < x->jobs; i++)
    if (x->pool.workers[i].pid && x->members[i].waits) return i;
  uint32_t place = pool_free_place(&x->pool);
  if (place == x->jobs) return x->jobs;
  x->members[place] = (struct input_member){.waits = true};
  atomic_store(&x->board->desks[place].wanted, false);
  atomic_store(&x->board->desks[place].pending, 0);
  x->board->desks[place].unsaid = (struct explore_counts){0};
  x->error = pool_hire(&x->pool, place, x->diag);
  return x->error ? x->jobs : place;
}

static uint32_t count_busy(const struct inputs *x) {
  uint32_t busy = 0;
  for (uint32_t i = 0; i < x->jobs; i++) busy += x->pool.workers[i].pid && !x->members[i].waits && !x->members[i].ended;
  return busy;
}

/* Whoever has most, and more than one, is asked to give something away, for each who has nothing. */
static void ask_for_parts(struct inputs *x, uint32_t lacking) {
  for (uint32_t i = 0; i < x->jobs; i++) lacking -= lacking && x->pool.workers[i].pid && atomic_load(&x->board->desks[i].wanted);
  for (; lacking; lacking--) {
    uint32_t most = x->jobs;
    uint64_t pending = 0;
    for (uint32_t i = 0; i < x->jobs; i++) {
      const struct input_desk *desk = &x->board->desks[i];
      if (!x->pool.workers[i].pid || x->members[i].waits || atomic_load(&desk->wanted) || atomic_load(&desk->pending) <= pending) continue;
      most = i, pending = atomic_load(&desk->pending);
    }
    if (most == x->jobs) return;
    atomic_store(&x->board->desks[most].wanted, true);
  }
}

static void hand_out(struct inputs *x) {
  uint32_t place;
  if (x->parts.list.count == 0 && count_busy(x) == 0)
    while (x->hard.list.count) *vec_push(&x->parts.list) = vec_pop(&x->hard.list);
  while (!x->error && x->parts.list.count && (place = free_hand(x)) < x->jobs) put_part(x, place, vec_pop(&x->parts.list));
  uint32_t busy = count_busy(x);
  if (!x->error && busy && busy < x->jobs) ask_for_parts(x, x->jobs - busy);
}

static void show_progress(struct inputs *x, double time) {
  struct session *s = x->s;
  struct explore_counts said = s->result->counts;
  for (uint32_t i = 0; i < x->jobs; i++)
    if (x->pool.workers[i].pid) explore_counts_add(&s->result->counts, &x->board->desks[i].unsaid);
  s->made = atomic_load(&x->board->made);
  session_progress(s, time, -1);
  s->result->counts = said;
}

static void save_now_and_then(struct inputs *x, double time) {
  double since = time - x->saved;
  if (!x->campaign || x->error || since < SAVE_SECONDS || since * SAVE_PART < x->save_takes) return;
  session_keep(x->s);
  x->error = input_store(x);
  x->saved = deadline_now();
  x->save_takes = x->saved - time;
}

/* By what everybody has explored, said or not. */
static bool has_enough_inputs(struct inputs *x) {
  uint64_t said = x->s->inputs;
  x->s->inputs = atomic_load(&x->board->explored);
  bool enough = session_ends_inputs(x->s);
  x->s->inputs = said;
  return enough;
}

static void look_at_limits(struct inputs *x) {
  struct session *s = x->s;
  const struct explore_options *o = s->options;
  double time = deadline_now();
  session_look(s);
  pool_hurry(&x->pool, time);
  show_progress(x, time);
  if (o->executions && s->made >= o->executions) session_because(s, EXPLORE_REASON_EXECUTIONS);
  bool left = x->parts.list.count || x->hard.list.count || count_busy(x);
  bool ends = (s->result->reasons & REASONS_TO_END) || (left && has_enough_inputs(x));
  x->stopping |= ends || x->shown.count;
  x->board->drops = ends && !x->campaign;
  x->board->all.stop = x->stopping;
  for (uint32_t i = 0; x->stopping && i < x->jobs; i++)
    if (x->pool.workers[i].pid && x->members[i].waits) pool_send_home(&x->pool, i);
  pool_stop(&x->pool, x->stopping, time);
  if (x->killed >= KILLED_MOST) x->error = answer_killed(x->diag, x->killed);
}

/* Until no input is left, one shows something, or something ends it. */
static void manage_workers(struct inputs *x) {
  x->stopping = false;
  x->killed = 0;
  x->board->all.stop = x->board->drops = 0;
  atomic_store(&x->board->made, x->s->made);
  atomic_store(&x->board->explored, x->s->inputs);
  while (!x->error) {
    look_at_limits(x);
    if (!x->stopping && !x->error) hand_out(x);
    save_now_and_then(x, deadline_now());
    bool left = x->stopping ? x->pool.count : x->parts.list.count || x->hard.list.count || count_busy(x);
    if (x->error || !left) break;
    if (!pool_listen(&x->pool, LISTEN_MILLISECONDS)) break;
  }
  pool_kill_all(&x->pool);
  x->s->made = atomic_load(&x->board->made);
}

/* --- the session --- */

/* The executions that a worker has made of the input that shows something: so its findings are there, even if there is no more time. What
 * cannot be repeated is found again. */
static void repeat_executions(struct inputs *x) {
  struct session *s = x->s;
  struct wire w = {x->executions.data, x->executions.data + x->executions.count, false};
  struct wire shown = {x->shown.data, x->shown.data + x->shown.count, false};
  uint64_t lessons, findings;
  bool ok = true;
  WIRE_GET(&w, lessons);
  for (uint64_t i = 0; ok && i < lessons && !w.bad; i++) {
    struct text input = {0};
    struct schedule steps = {0};
    answer_get_text(&w, &input);
    WIRE_GET_VEC(&w, &steps.steps);
    struct wire from = {input.data, input.data + input.count, false};
    s->run.parks = session_parks(s);
    ok = !w.bad && machine_input_get(s->machine, &from) && session_repeat(s, &steps);
    s->run.parks = false;
    text_release(&input);
    vec_release(&steps.steps);
  }
  ok = machine_input_get(s->machine, &shown) && ok; /* again */
  WIRE_GET(&w, findings);
  for (uint64_t i = 0; ok && i < findings && !w.bad; i++) {
    struct schedule steps = {0};
    WIRE_GET_VEC(&w, &steps.steps);
    ok = !w.bad && session_repeat(s, &steps);
    if (ok) collect_findings(s);
    vec_release(&steps.steps);
  }
  text_release(&x->executions);
}

static bool explore_shown(struct inputs *x) {
  struct wire shown = {x->shown.data, x->shown.data + x->shown.count, false};
  if (!machine_input_get(x->s->machine, &shown)) {
    x->error = x->campaign ? campaign_corrupt(x->campaign, x->diag) : answer_diverged(x->diag);
    return false;
  }
  repeat_executions(x);
  x->exploring = true;
  (void)session_begin_again(x->s); /* if it is over, that is seen */
  return true;
}

static bool any_unsolved(const struct inputs *x) {
  bool any = x->unknown || x->hard.list.count;
  for (size_t i = 0; i < x->parts.list.count; i++) any |= x->parts.list.data[i].unsolved;
  return any;
}

static void count_pending(struct inputs *x) {
  uint64_t pending = 0;
  for (size_t i = 0; i < x->parts.list.count; i++) pending += x->parts.list.data[i].count;
  for (size_t i = 0; i < x->hard.list.count; i++) pending += x->hard.list.data[i].count;
  x->s->others.pending = pending;
}

/* What the session has left pending is a part for workers. */
static void hand_over(struct inputs *x, bool present) {
  struct session *s = x->s;
  struct machine_search search = {0};
  (void)machine_search(s->machine, &search);
  struct input_part part = {.count = search.pending + present};
  x->unknown |= search.unknown;
  if (part.count) machine_inputs_put(s->machine, present, &part.bytes);
  s->others.inputs -= present; /* it will be found again */
  machine_inputs_drop(s->machine, false);
  take_back(x, &part);
}

/* The session has begun to: what was pending is of no interest any more. */
static bool explore_sampled(struct inputs *x) {
  release_parts(x);
  x->s->others.pending = 0;
  return x->exploring = true;
}

static bool explore_with_workers(struct inputs *x, enum err *e) {
  struct session *s = x->s;
  pool_init(&x->pool, &pool_type, x->jobs, x);
  void (*pipes)(int) = signal(SIGPIPE, SIG_IGN);
  if (x->parts.list.count || x->hard.list.count) manage_workers(x);
  signal(SIGPIPE, pipes);
  pool_release(&x->pool);
  *e = x->error;
  session_keep(s);
  count_pending(x);
  if (x->error) return false;
  if (x->shown.count) {
    bool explores = explore_shown(x);
    *e = x->error;
    return explores;
  }
  return session_stops_inputs(s, any_unsolved(x)) && explore_sampled(x);
}

bool inputs_begin(struct inputs *x) {
  if (!x->campaign || !campaign_begun(x->campaign)) return true;
  x->exploring = false;
  machine_inputs_drop(x->s->machine, false);
  return input_resume(x) && x->shown.count && explore_shown(x);
}

bool inputs_explores(const struct inputs *x) { return x->exploring; }

bool inputs_next(struct inputs *x, enum err *e) {
  struct session *s = x->s;
  *e = x->error;
  if (x->error) return false;
  if (s->options == &s->sweep || !machine_is_symbolic(s->machine)) return session_next_input(s);
  if (!x->exploring) return explore_with_workers(x, e); /* a campaign goes on */
  enum session_more more = session_ask_input(s);
  if (more == SESSION_ENDS) return false;
  if (more == SESSION_SAMPLES) return explore_sampled(x);
  if (more == SESSION_HAS_INPUT && deadline_now() < x->alone_until) return session_begin_again(s);
  text_clear(&x->shown);
  x->exploring = false;
  session_keep(s);
  hand_over(x, more == SESSION_HAS_INPUT);
  return explore_with_workers(x, e);
}

/* Where the first input was not explored to the end, nothing was. */
enum err inputs_save(struct inputs *x) {
  if (!x->campaign || x->error) return ERR_NONE;
  if (x->exploring && !x->shown.count) {
    machine_inputs_drop(x->s->machine, false);
    hand_over(x, true);
    count_pending(x);
  }
  return input_store(x);
}
