/* Exploration by several processes that have the closed states in common (commons.h), for strategies that know states again.
 *
 * Each worker explores from the initial state, depth first, until somebody has closed that: states that others have closed count as its
 * own, and where others are at the moment it begins with what they have not begun with. It waits for nobody.
 *
 * What it finds out it says to the master through a pipe before it closes the next state: findings, outcomes, and executions that show
 * something of the program which it did not know (news()). What has been written there is not lost if the worker is killed; so whatever
 * the closed states rely on is known to the master, and another worker takes the place of one that was killed.
 *
 * The master repeats the executions that it is told of, so it knows all that anybody knows. If that is enough to say that what was explored
 * is not, everything begins again, with all that is known: as a single process does. A worker learns such things from a new start alone;
 * what it closes until then was closed in vain. */
#include "search/team.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/deadline.h"
#include "search/answer.h"
#include "search/pool.h"
#include "states/commons.h"

/* Workers that lived for longer do not count as killed in a row (KILLED_MOST). */
#define KILLED_SECONDS 5.0
/* Executions with outcomes that are known from one report of them to the next. */
#define OUTCOMES_EVERY 1024u
/* From one look at the clock to the next. */
#define LISTEN_MILLISECONDS 20

/* FOUND: schedules of findings. NEWS: an execution that shows something. LEARNT: one that shows that everything has to start again; the
 * worker ends. OUTCOMES. ENDED: everything is explored, or something ends the exploration. FAILED: an error. */
enum message { MESSAGE_FOUND, MESSAGE_NEWS, MESSAGE_LEARNT, MESSAGE_OUTCOMES, MESSAGE_ENDED, MESSAGE_FAILED };

/* What a worker writes, and the master reads. */
struct member_board {
  struct explore_counts counts;
  double done;
};

struct team_board {
  struct worker_board all;
  _Atomic uint32_t reasons;
  _Atomic uint64_t made; /* executions of all kinds, since the very beginning */
  struct member_board members[];
};

struct team {
  struct session *s;
  uint32_t jobs, hired; /* hired: so far */
  struct commons *commons;
  struct team_board *board;
  size_t board_size;
  struct pool pool;
  bool *ended;                  /* by place in the pool: it said so */
  struct explore_counts counts; /* of those who are gone, and of the master */
  bool stopping, learnt, closed;
  unsigned killed;
  enum err error;
  struct diag *diag;
};

/* --- a worker --- */

struct speaker {
  int fd;
  struct hashmap outcomes; /* hashes of those that were said */
  uint64_t unsaid;         /* executions with outcomes since the last report */
  size_t looked;           /* outcomes of the session that are known to be in `outcomes` */
};

static void say(const struct speaker *to, enum message kind, const struct text *what) {
  struct text out = {0};
  message_put(&out, kind, what);
  answer_send(to->fd, &out);
  text_release(&out);
}

static void say_execution(const struct speaker *to, enum message kind, const struct session *s) {
  struct text what = {0};
  WIRE_PUT_VEC(&what, &s->shown.steps);
  WIRE_PUT(&what, s->no_parking);
  say(to, kind, &what);
  text_release(&what);
}

static void say_findings(const struct speaker *to, const struct session *s, size_t from) {
  struct text what = {0};
  if (s->result->findings.count == from) return;
  answer_put_findings(s->result, from, &what);
  say(to, MESSAGE_FOUND, &what);
  text_release(&what);
}

/* New outcomes are said at once; how often each was seen, now and then. */
static void say_outcomes(struct speaker *to, struct session *s, bool all) {
  const struct explore_result *r = s->result;
  bool any_new = all && (r->outcomes.count || r->refused.count);
  for (; to->looked < r->outcomes.count; to->looked++) {
    bool is_new;
    hashmap_at(&to->outcomes, r->outcomes.data[to->looked].hash, 1, &is_new);
    any_new |= is_new;
  }
  if (!any_new && (r->outcomes.count == 0 || ++to->unsaid < OUTCOMES_EVERY)) return;
  struct text what = {0};
  answer_put_outcomes(r, &what);
  say(to, MESSAGE_OUTCOMES, &what);
  text_release(&what);
  session_clear_outcomes(s);
  to->looked = to->unsaid = 0;
}

static void say_error(const struct speaker *to, enum err e, const struct diag *d) {
  struct text what = {0};
  answer_put_error(&what, e, d);
  say(to, MESSAGE_FAILED, &what);
  text_release(&what);
}

static void note_progress(const struct explore_progress *p, void *data) {
  struct member_board *board = data;
  board->done = p->done;
}

/* True if that was the last execution that may be made. */
static bool was_last(struct team_board *board, uint64_t most) {
  uint64_t made = atomic_fetch_add(&board->made, 1) + 1;
  if (most && made >= most) atomic_fetch_or(&board->reasons, 1u << EXPLORE_REASON_EXECUTIONS);
  return most && made >= most;
}

/* Explores until nothing is left or it is told to stop; false at an error, or if everything has to start again: that was said. */
static bool explore_as(struct speaker *to, struct session *s, struct team_board *board, struct member_board *own, uint64_t most) {
  const struct strategy_type *type = s->options->strategy;
  enum err e = ERR_NONE;
  struct diag d = {0};
  for (bool going = true; going && !board->all.stop;) {
    uint64_t threads = machine_threads_known(s->machine), uses = machine_uses_known(s->machine), made = s->made;
    size_t known = s->result->findings.count;
    going = session_one(s, &e, &d);
    own->counts = s->result->counts;
    if (e) {
      say_error(to, e, &d);
      return false;
    }
    if (s->made == made && !s->learnt) break; /* nothing was left */
    say_findings(to, s, known);
    /* Tids are given in the order in which threads were seen: those of others may be different. And what executions show that were made to
     * collect findings cannot be told from what this one does. */
    if (s->learnt || machine_threads_known(s->machine) != threads || machine_uses_known(s->machine) != s->shown_uses) {
      say_execution(to, MESSAGE_LEARNT, s);
      return false;
    }
    if (type->news(s->strategy) || s->shown_uses != uses) say_execution(to, MESSAGE_NEWS, s);
    say_outcomes(to, s, false);
    if (s->result->reasons) atomic_fetch_or(&board->reasons, s->result->reasons);
    if (was_last(board, most)) break;
  }
  return true;
}

static void work(void *user, uint32_t i, int in, int fd) {
  struct team *t = user;
  (void)in;
  struct session *s = t->s;
  struct explore_options o = *s->options;
  struct speaker to = {.fd = fd};
  struct member_board *own = &t->board->members[i];
  o.seconds = 0, o.executions = 0, o.findings = 0;
  o.progress = note_progress, o.progress_data = own;
  uint64_t most = s->options->executions;
  worker_begin(s, &o, &t->board->all);
  o.strategy->join(s->strategy, t->commons, t->hired, t->jobs);
  if (explore_as(&to, s, t->board, own, most)) {
    struct text what = {0};
    bool closed =
        !s->over && !t->board->all.stop && !(s->result->reasons & REASONS_TO_END) && !(atomic_load(&t->board->reasons) & REASONS_TO_END);
    say_outcomes(&to, s, true);
    WIRE_PUT(&what, closed);
    say(&to, MESSAGE_ENDED, &what);
  }
  _exit(0);
}

/* --- the master: what workers say --- */

static bool fail(struct team *t, enum err e) {
  t->error = e;
  return false;
}

static bool diverged(struct team *t) { return fail(t, answer_diverged(t->diag)); }

static bool get_execution(struct team *t, struct wire *w) {
  struct schedule schedule = {0};
  WIRE_GET_VEC(w, &schedule.steps);
  bool ok = !w->bad && session_repeat(t->s, &schedule);
  vec_release(&schedule.steps);
  return ok || diverged(t);
}

static bool get_findings(struct team *t, struct wire *w) {
  uint64_t n;
  WIRE_GET(w, n);
  for (uint64_t i = 0; i < n; i++) {
    if (!get_execution(t, w)) return false;
    collect_findings(t->s);
    if (machine_sharing_changed(t->s->machine)) { /* what comes next was made where fewer steps are visible */
      t->learnt = true;
      break;
    }
  }
  return true;
}

/* An execution that shows something. What the strategy takes for found from then on has to be found. */
static bool take_lesson(struct team *t, struct wire *w) {
  struct session *s = t->s;
  const struct strategy_type *type = s->options->strategy;
  bool no_parking;
  s->run.parks = session_parks(s);
  bool ok = get_execution(t, w);
  s->run.parks = false;
  if (!ok) return false;
  WIRE_GET(w, no_parking);
  struct execution x = run_view(&s->run);
  type->observe(s->strategy, &x);
  s->no_parking |= no_parking;
  if (machine_sharing_changed(s->machine)) {
    t->learnt = true;
    return true;
  }
  if (s->run.parked.count) {
    if (!collect_parked(s, true)) s->no_parking = t->learnt = true;
  } else {
    collect_findings(s);
  }
  t->learnt |= machine_sharing_changed(s->machine) || (type->again && type->again(s->strategy));
  return true;
}

static bool take_message(struct team *t, uint32_t place, uint32_t kind, struct wire *w) {
  bool closed;
  switch ((enum message)kind) {
    case MESSAGE_FOUND:
      return get_findings(t, w);
    case MESSAGE_LEARNT:
      t->ended[place] = true;
      if (!take_lesson(t, w)) return false;
      t->learnt = true;
      return true;
    case MESSAGE_NEWS:
      return take_lesson(t, w);
    case MESSAGE_OUTCOMES:
      answer_get_outcomes(t->s, w);
      return true;
    case MESSAGE_ENDED:
      t->ended[place] = true;
      WIRE_GET(w, closed);
      t->closed |= closed;
      return true;
    case MESSAGE_FAILED:
      t->ended[place] = true;
      return fail(t, answer_get_error(w, t->diag));
  }
  return diverged(t);
}

/* Takes the messages that are there as a whole. False if something went wrong; nothing is looked at once everything has to start again. */
static bool heard(void *user, uint32_t place) {
  struct team *t = user;
  struct text *said = &t->pool.workers[place].said;
  struct message_head head;
  struct wire what;
  size_t at = 0;
  bool ok = true;
  while (ok && !t->learnt && message_next(said, &at, &head, &what)) ok = take_message(t, place, head.kind, &what);
  message_taken(said, at);
  return ok;
}

/* --- the master: workers --- */

static bool hire(struct team *t, uint32_t place) {
  t->hired++;
  t->board->members[place] = (struct member_board){0};
  t->ended[place] = false;
  t->error = pool_hire(&t->pool, place, t->diag);
  return !t->error;
}

static bool gone(void *user, uint32_t place, enum pool_end end) {
  struct team *t = user;
  explore_counts_add(&t->counts, &t->board->members[place].counts);
  t->board->members[place] = (struct member_board){0};
  if (deadline_now() - t->pool.workers[place].since > KILLED_SECONDS) t->killed = 0;
  if (end != POOL_KILLED && !t->ended[place] && !t->stopping) t->killed++;
  return true;
}

static const struct pool_type pool_type = {.work = work, .heard = heard, .gone = gone};

/* What everybody has counted. */
static void sum_up(struct team *t) {
  struct explore_counts sum = t->counts;
  double done = 0;
  for (uint32_t i = 0; i < t->jobs; i++) {
    explore_counts_add(&sum, &t->board->members[i].counts);
    if (t->board->members[i].done > done) done = t->board->members[i].done;
  }
  sum.restarts = t->s->result->counts.restarts;
  t->s->result->counts = sum;
  t->s->result->reasons |= atomic_load(&t->board->reasons);
  t->s->made = atomic_load(&t->board->made);
  session_progress(t->s, deadline_now(), done);
}

static void look_at_limits(struct team *t) {
  struct session *s = t->s;
  double time = deadline_now();
  sum_up(t);
  if (!t->closed) session_look(s);
  pool_hurry(&t->pool, time);
  if (session_has_enough(s)) session_because(s, EXPLORE_REASON_FINDINGS);
  t->stopping = t->closed || (s->result->reasons & REASONS_TO_END);
  t->board->all.stop = t->stopping;
  pool_stop(&t->pool, t->stopping, time);
  if (t->killed < KILLED_MOST) return;
  t->error = answer_killed(t->diag, t->killed);
}

/* Until the initial state is closed, or something ends it. */
static void manage_workers(struct team *t) {
  bool ok = true;
  while (ok && !t->learnt) {
    look_at_limits(t);
    if (t->error) break;
    for (uint32_t i = 0; ok && !t->stopping && i < t->jobs; i++) {
      if (t->pool.workers[i].pid == 0) ok = hire(t, i);
    }
    if (!ok || t->pool.count == 0) break;
    commons_tend(t->commons);
    ok = pool_listen(&t->pool, LISTEN_MILLISECONDS);
  }
  pool_kill_all(&t->pool);
  sum_up(t);
}

/* The beginning is explored alone: most programs have no more. True if something is left. */
static bool explore_beginning(struct team *t) {
  struct session *s = t->s;
  double end = deadline_now() + ALONE_SECONDS;
  bool going = true;
  while (going && !s->options->jobs_at_once && deadline_now() < end) going = session_one(s, &t->error, t->diag);
  if (!going) return false;
  t->commons = commons_new(states_memory(&s->options->strategy_options) / 2);
  if (!t->commons) return fail(t, diag_set(t->diag, ERR_TOOL, "no memory to share with workers: %s", strerror(errno)));
  s->options->strategy->join(s->strategy, t->commons, 0, t->jobs);
  t->counts = s->result->counts;
  atomic_store(&t->board->made, s->made);
  atomic_store(&t->board->reasons, s->result->reasons);
  t->stopping = t->closed = t->learnt = false;
  return true;
}

static void explore_all(struct team *t) {
  struct session *s = t->s;
  while (!t->error && explore_beginning(t)) {
    manage_workers(t);
    if (!t->learnt || t->error) break;
    session_restart(s, machine_sharing_changed(s->machine)); /* forgets the commons */
    commons_free(t->commons);
    t->commons = NULL;
  }
}

enum err explore_together(struct session *s, struct diag *d) {
  struct team t = {.s = s, .diag = d, .jobs = s->options->jobs};
  t.board_size = sizeof *t.board + t.jobs * sizeof t.board->members[0];
  t.board = mmap(NULL, t.board_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (t.board == MAP_FAILED) return diag_set(d, ERR_TOOL, "no memory to share with workers: %s", strerror(errno));
  t.ended = mem_alloc(t.jobs * sizeof *t.ended);
  pool_init(&t.pool, &pool_type, t.jobs, &t);
  explore_all(&t);
  s->commons = t.commons;
  pool_release(&t.pool);
  mem_free(t.ended, t.jobs * sizeof *t.ended);
  munmap(t.board, t.board_size);
  return t.error;
}
