/* A worker that explores inputs: takes one that is pending in its part after the other, until none is left, and waits for another part. */
#include <fcntl.h>
#include <unistd.h>

#include "base/deadline.h"
#include "search/input_team.h"
#include "strategy/strategy.h"

#define PIPE_BYTES (1 << 20)
/* It says what it has at least so often, as long as that takes no more than this part of its time. */
#define SAY_SECONDS 1.0
#define SAY_PART    0.02
/* What it gives away at once has taken so long to come about. */
#define GIVE_SECONDS 0.001

/* Executions in which something of the program was new, in their order: whoever repeats them knows the same. */
struct lesson {
  struct text input;
  struct schedule steps;
};

struct input_worker {
  struct inputs *x;
  struct session *s;
  struct input_desk *desk;
  int in, out;
  struct input_said said;
  double said_at, say_takes;
  VEC(struct lesson) lessons;
};

enum explored { EXPLORED_ALL, EXPLORED_PART, EXPLORED_SHOWS };

/* --- what it says --- */

static void say(struct input_worker *w, enum input_message kind, const struct text *what) {
  struct text out = {0};
  message_put(&out, kind, what);
  answer_send(w->out, &out);
  text_release(&out);
  w->desk->unsaid = (struct explore_counts){0};
}

/* Half of what is pending behind the present input. */
static struct input_part half_of(struct input_worker *w) {
  struct machine_search before, after;
  struct input_part given = {0};
  (void)machine_search(w->s->machine, &before);
  machine_inputs_give(w->s->machine, &given.bytes);
  (void)machine_search(w->s->machine, &after);
  given.count = before.pending - after.pending;
  return given;
}

/* Between two inputs; the present one is the next. */
static void say_on(struct input_worker *w, bool gives) {
  struct text out = {0};
  double begin = deadline_now();
  struct input_part given = gives ? half_of(w) : (struct input_part){0};
  input_put_state(w->s, &w->said, true, true, &given, &out);
  input_part_release(&given);
  if (gives) atomic_store(&w->desk->wanted, false);
  say(w, INPUT_GOES_ON, &out);
  text_release(&out);
  w->said_at = deadline_now();
  w->say_takes = w->said_at - begin;
}

static void say_shown(struct input_worker *w) {
  struct session *s = w->s;
  struct text out = {0}, input = {0}, executions = {0};
  uint64_t lessons = w->lessons.count;
  machine_input_put(s->machine, &input);
  WIRE_PUT(&executions, lessons);
  for (size_t i = 0; i < lessons; i++) {
    answer_put_text(&executions, &w->lessons.data[i].input);
    WIRE_PUT_VEC(&executions, &w->lessons.data[i].steps.steps);
  }
  answer_put_findings(s->result, 0, &executions);
  collect_drop(s, 0);
  session_forget_input(s);
  session_forget(s); /* they are made again */
  input_put_state(s, &w->said, false, true, NULL, &out);
  answer_put_text(&out, &input);
  answer_put_text(&out, &executions);
  say(w, INPUT_SHOWS, &out);
  _exit(0);
}

/* It was told to stop, or something ends the exploration. In a campaign the present input begins again on another day. */
static void say_end(struct input_worker *w) {
  struct text out = {0};
  if (w->x->campaign)
    session_forget_input(w->s), session_forget(w->s);
  else
    session_tell_input(w->s);
  session_leave_out(w->s);
  input_put_state(w->s, &w->said, true, !w->x->board->drops, NULL, &out);
  say(w, INPUT_ENDS, &out);
  _exit(0);
}

static void say_error(struct input_worker *w, enum err e, const struct diag *d) {
  struct text out = {0};
  answer_put_error(&out, e, d);
  say(w, INPUT_FAILED, &out);
  _exit(0);
}

/* --- what it does --- */

static void keep_lesson(struct input_worker *w) {
  struct lesson *l = vec_push(&w->lessons);
  *l = (struct lesson){0};
  machine_input_put(w->s->machine, &l->input);
  schedule_add(&l->steps, w->s->shown.steps.data, w->s->shown.steps.count);
}

/* Adds what everybody has made; true: that is as much as may be made. */
static bool count_made(struct input_worker *w, uint64_t made, uint64_t most) {
  uint64_t all = atomic_fetch_add(&w->x->board->made, made) + made;
  if (most && all >= most) session_because(w->s, EXPLORE_REASON_EXECUTIONS);
  return most && all >= most;
}

/* Limits are everybody's. */
static void know_totals(struct input_worker *w) {
  w->s->inputs = atomic_load_explicit(&w->x->board->explored, memory_order_relaxed);
  w->s->made = atomic_load_explicit(&w->x->board->made, memory_order_relaxed);
}

static enum explored explore_schedules(struct input_worker *w, uint64_t most) {
  struct session *s = w->s;
  struct diag d = {0};
  enum err e = ERR_NONE;
  for (bool going = true; going;) {
    uint64_t threads = machine_threads_known(s->machine), made;
    know_totals(w);
    made = s->made;
    going = session_one(s, &e, &d);
    if (e) say_error(w, e, &d);
    if (s->learnt || machine_threads_known(s->machine) != threads) keep_lesson(w);
    if (s->learnt) {
      s->learnt = false;
      session_restart(s, machine_sharing_changed(s->machine));
      going = true;
    }
    if (count_made(w, s->made - made, most) || s->over || deadline_passed || w->x->board->all.stop) return EXPLORED_PART;
    if (session_asked(s)) return EXPLORED_SHOWS;
    w->desk->unsaid = s->result->counts;
  }
  if (session_asked(s) || s->result->reasons >> EXPLORE_REASON_LIVELOCK & 1) return EXPLORED_SHOWS;
  return session_may_sample(s) && session_ends_inputs(s) ? EXPLORED_PART : EXPLORED_ALL;
}

static enum explored explore_input(struct input_worker *w, uint64_t most) {
  enum explored how;
  if (!session_begin_again(w->s)) return EXPLORED_PART;
  do how = explore_schedules(w, most);
  while (how == EXPLORED_ALL && session_waits_longer(w->s));
  return w->s->over ? EXPLORED_PART : how;
}

static bool may_say(const struct input_worker *w, double now, bool gives) {
  double since = now - w->said_at;
  return gives ? since >= GIVE_SECONDS : since >= SAY_SECONDS && since * SAY_PART >= w->say_takes;
}

/* Between two inputs. */
static void look_around(struct input_worker *w) {
  struct machine_search search = {0};
  (void)machine_search(w->s->machine, &search);
  atomic_store_explicit(&w->desk->pending, search.pending, memory_order_relaxed);
  bool gives = search.pending && atomic_load_explicit(&w->desk->wanted, memory_order_relaxed);
  if (may_say(w, deadline_now(), gives)) say_on(w, gives);
}

/* Until nothing is left of the part. */
static void explore_part(struct input_worker *w, uint64_t most) {
  struct session *s = w->s;
  while (machine_next_input(s->machine) == MORE_INPUT) {
    know_totals(w);
    if (session_ends_inputs(s)) say_end(w);
    look_around(w);
    enum explored how = explore_input(w, most);
    if (how == EXPLORED_SHOWS) say_shown(w);
    if (how == EXPLORED_PART) say_end(w);
    session_input_done(s);
    session_keep(s);
    w->said.explored++;
    atomic_fetch_add_explicit(&w->x->board->explored, 1, memory_order_relaxed);
  }
  if (deadline_passed) say_end(w);
}

/* Waits for a part. False: there will be none. */
static bool get_part(struct input_worker *w) {
  uint64_t size;
  struct text in = {0};
  struct input_part part;
  if (!answer_read(w->in, &size, sizeof size) || !answer_read(w->in, vec_push_n(&in, size), size)) return false;
  struct wire from = {in.data, in.data + in.count, false};
  input_get_part(&part, &from);
  struct wire bytes = {part.bytes.data, part.bytes.data + part.bytes.count, false};
  machine_inputs_drop(w->s->machine, part.patient);
  bool ok = !from.bad && machine_inputs_get(w->s->machine, &bytes);
  if (!ok) {
    struct diag d = {0};
    say_error(w, w->x->campaign ? campaign_corrupt(w->x->campaign, &d) : answer_diverged(&d), &d);
  }
  input_part_release(&part);
  text_release(&in);
  return ok;
}

void input_work(void *user, uint32_t place, int in, int out) {
  struct inputs *x = user;
  struct session *s = x->s;
  struct input_worker w = {.x = x, .s = s, .desk = &x->board->desks[place], .in = in, .out = out};
  struct explore_options o = *s->options;
  uint64_t most = o.executions;
  o.seconds = 0, o.executions = 0, o.progress = NULL;
  if (o.tested) o.tested = input_note_tested;
  o.progress_data = &w.said;
  fcntl(out, F_SETPIPE_SZ, PIPE_BYTES); /* fewer switches; it works without */
  worker_begin(s, &o, &x->board->all);
  session_renew_strategy(s, states_memory(&o.strategy_options) / x->jobs);
  session_keep(s);
  (void)machine_search(s->machine, &w.said.search);
  w.said_at = deadline_now();
  while (!x->board->all.stop && get_part(&w)) {
    explore_part(&w, most);
    struct text what = {0};
    input_put_state(s, &w.said, false, true, NULL, &what);
    say(&w, INPUT_WAITS, &what);
    text_release(&what);
  }
  _exit(0);
}
