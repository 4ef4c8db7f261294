/* Exploration by several processes, and in several sittings.
 *
 * The master has the frontier (frontier.h). For each job it forks a worker, which has all that the master knows, explores for a slice of
 * time, writes down what it found and what is left, and ends. Nothing else is shared, so a worker that is killed costs what it did in its
 * slice: its job is given to the next one. When somebody has nothing to do, all workers are asked to come back soon and what they have left
 * is split.
 *
 * Random executions need no frontier: the jobs are blocks of them (STRATEGY_BLOCK), each drawn from a seed of its own.
 *
 * When a worker finds that what was explored is not enough (more memory is shared), the master makes the execution that showed it, knows it
 * too, and begins again, as a single process does. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "search/workers.h"

#include "base/deadline.h"
#include "explore/session.h"
#include "search/answer.h"
#include "search/campaign.h"
#include "search/frontier.h"
#include "search/pool.h"

/* What a worker does before it comes back, if nobody is hungry. */
#define SLICE_SECONDS 1.0
/* From one look at the clock to the next. */
#define LISTEN_MILLISECONDS 50

/* CUT: the deadline passed in the midst of an execution, so nothing is known of what is left; findings are. */
enum answer { ANSWER_PART, ANSWER_LEARNT, ANSWER_ERROR, ANSWER_CUT };

/* What a worker of the pool is to do. */
struct task {
  uint32_t job;
  uint64_t executions; /* that it may make; 0: any number */
};

struct crew {
  struct session *s;
  struct frontier frontier;
  bool blocks; /* jobs are numbers of blocks, from 0 */
  uint32_t next_block;
  VEC(uint32_t) returned; /* blocks that were not made */
  struct worker_board *board;
  struct pool pool;
  struct task *tasks; /* by place in the pool */
  struct campaign *campaign;
  double saved; /* when the campaign was */
  bool stopping;
  bool learnt; /* the session's run is an execution that shows that everything has to start again */
  unsigned killed;
  enum err error;
  struct diag *diag;
};

/* --- a worker --- */

static void explore_job(struct session *s, size_t known, struct text *out) {
  struct diag d = {0};
  enum err e = ERR_NONE;
  while (session_one(s, &e, &d)) continue;
  uint8_t kind = e ? ANSWER_ERROR : s->run.stopped ? ANSWER_CUT : s->learnt ? ANSWER_LEARNT : ANSWER_PART;
  WIRE_PUT(out, kind);
  if (e) {
    answer_put_error(out, e, &d);
  } else if (kind == ANSWER_CUT) {
    answer_put_findings(s->result, known, out);
  } else if (s->learnt) {
    WIRE_PUT_VEC(out, &s->run.steps.steps);
  } else {
    s->result->reasons &= ~(1u << EXPLORE_REASON_TIME | 1u << EXPLORE_REASON_EXECUTIONS | 1u << EXPLORE_REASON_INTERRUPTED);
    WIRE_PUT(out, s->result->counts);
    WIRE_PUT(out, s->result->reasons);
    answer_put_findings(s->result, known, out);
    answer_put_outcomes(s->result, out);
    if (s->predictor) {
      struct predictor_counts predicted = predictor_counts(s->predictor);
      WIRE_PUT(out, predicted);
    }
    if (s->options->strategy->in_parts) frontier_save(s->strategy, s->options->strategy->next(s->strategy), out);
  }
}

static void work(void *user, uint32_t place, int in, int fd) {
  struct crew *c = user;
  const struct task *w = &c->tasks[place];
  struct session *s = c->s;
  (void)in;
  struct explore_options o = *s->options;
  o.seconds = c->blocks ? 0 : SLICE_SECONDS, o.executions = w->executions, o.progress = NULL, o.campaign = NULL;
  worker_begin(s, &o, c->board);
  s->started = deadline_now();
  if (c->blocks) {
    struct strategy_options options = o.strategy_options;
    options.block = w->job, options.executions = w->executions;
    s->strategy = o.strategy->create(&options);
    if (s->predictor) predictor_restart(s->predictor, (uint64_t)w->job * STRATEGY_BLOCK);
  } else {
    o.strategy->restart(s->strategy);
    frontier_load(&c->frontier, w->job, s->strategy);
  }
  struct text out = {0};
  explore_job(s, s->result->findings.count, &out);
  answer_send(fd, &out);
  _exit(0);
}

/* --- the master: what workers say --- */

static bool fail(struct crew *c, enum err e) {
  c->error = e;
  return false;
}

static bool diverged(struct crew *c) { return fail(c, answer_diverged(c->diag)); }

static bool get_findings(struct crew *c, struct wire *w) {
  uint64_t n;
  bool ok = true;
  WIRE_GET(w, n);
  for (uint64_t i = 0; ok && i < n && !w->bad; i++) {
    struct schedule schedule = {0};
    WIRE_GET_VEC(w, &schedule.steps);
    ok = w->bad || session_repeat(c->s, &schedule);
    if (ok && !w->bad) collect_findings(c->s); /* its outcome was counted where it was made */
    vec_release(&schedule.steps);
  }
  return ok || diverged(c);
}

static void add_counts(struct session *s, const struct explore_counts *n) {
  explore_counts_add(&s->result->counts, n);
  s->made += n->executions + n->blocked + n->assumed + n->limited;
}

static bool again(const struct session *s) {
  const struct strategy_type *type = s->options->strategy;
  return machine_sharing_changed(s->machine) || (type->again && type->again(s->strategy));
}

/* The job was not done. */
static void give_back(struct crew *c, uint32_t job) {
  if (c->blocks)
    *vec_push(&c->returned) = job;
  else
    frontier_return(&c->frontier, job);
}

static bool try_step(void *data, const struct schedule *path, struct step step, struct frontier_step *out) {
  struct crew *c = data;
  struct session *s = c->s;
  if (!frontier_run_step(&s->run, &s->strategy->sections, path, step, out)) return diverged(c);
  c->learnt = again(s);
  return !c->learnt;
}

/* The execution has something that was not known of the program. */
static bool repeat_lesson(struct crew *c, struct wire *w) {
  struct session *s = c->s;
  struct schedule schedule = {0};
  WIRE_GET_VEC(w, &schedule.steps);
  bool ok = !w->bad && session_repeat(s, &schedule);
  vec_release(&schedule.steps);
  if (!ok) return diverged(c);
  struct execution x = run_view(&s->run);
  if (!c->blocks) frontier_learn(&s->strategy->sections, &x);
  c->learnt = again(s);
  return c->learnt || diverged(c);
}

/* The worker has ended. False if the exploration has to. */
static bool take_answer(struct crew *c, uint32_t job, const struct text *answer, bool whole) {
  struct wire w = {answer->data, answer->data + answer->count, false};
  struct frontier_try try = {try_step, c};
  struct explore_counts counts;
  uint32_t reasons;
  uint8_t kind;
  if (!whole || answer->count == 0) {
    give_back(c, job);
    if (++c->killed < KILLED_MOST) return true;
    return fail(c, answer_killed(c->diag, c->killed));
  }
  c->killed = 0;
  WIRE_GET(&w, kind);
  if (kind == ANSWER_ERROR) return fail(c, answer_get_error(&w, c->diag));
  if (kind == ANSWER_LEARNT) return repeat_lesson(c, &w);
  if (kind == ANSWER_CUT) {
    give_back(c, job);
    return get_findings(c, &w);
  }
  WIRE_GET(&w, counts);
  WIRE_GET(&w, reasons);
  add_counts(c->s, &counts);
  c->s->result->reasons |= reasons;
  if (!get_findings(c, &w)) return false;
  answer_get_outcomes(c->s, &w);
  if (c->s->predictor) {
    struct predictor_counts predicted;
    WIRE_GET(&w, predicted);
    predictor_add(c->s->predictor, &predicted);
  }
  if (c->blocks) return !w.bad || diverged(c);
  if (frontier_put(&c->frontier, job, &w, &try) || c->learnt) return true;
  return c->error ? false : diverged(c);
}

/* --- the master: workers --- */

/* Jobs that nobody has; blocks without end count as one. */
static uint32_t waiting(const struct crew *c) {
  uint64_t executions = c->s->options->executions;
  if (!c->blocks) return c->frontier.waiting;
  bool more = !executions || (uint64_t)c->next_block * STRATEGY_BLOCK < executions;
  return (uint32_t)c->returned.count + (more && c->next_block < NO_JOB);
}

static uint32_t take_job(struct crew *c) {
  if (!c->blocks) return frontier_take(&c->frontier);
  return c->returned.count ? vec_pop(&c->returned) : c->next_block++;
}

static uint64_t executions_left(const struct crew *c) {
  uint64_t most = c->s->options->executions, used = c->s->made;
  for (uint32_t i = 0; i < c->pool.places; i++) used += c->pool.workers[i].pid ? c->tasks[i].executions : 0;
  return most > used ? most - used : 0;
}

static bool hire(struct crew *c, uint32_t job) {
  uint32_t place = pool_free_place(&c->pool);
  struct task *task = &c->tasks[place];
  *task = (struct task){.job = job};
  if (c->blocks) {
    uint64_t begin = (uint64_t)job * STRATEGY_BLOCK, end = c->s->options->executions;
    task->executions = end && end - begin < STRATEGY_BLOCK ? end - begin : STRATEGY_BLOCK;
  } else if (c->s->options->executions) {
    uint64_t left = executions_left(c), share = left / (2 * c->s->options->jobs);
    task->executions = share ? share : 1;
  }
  c->error = pool_hire(&c->pool, place, c->diag);
  if (c->error) give_back(c, job);
  return !c->error;
}

/* What a worker that was killed did in its slice is lost. */
static bool gone(void *user, uint32_t place, enum pool_end end) {
  struct crew *c = user;
  uint32_t job = c->tasks[place].job;
  c->tasks[place].executions = 0; /* they are counted, or left again */
  if (end == POOL_KILLED) {
    give_back(c, job);
    return true;
  }
  return take_answer(c, job, &c->pool.workers[place].said, end == POOL_ENDED) && !c->learnt;
}

static const struct pool_type pool_type = {.work = work, .gone = gone};

/* Splits what is waiting until there is work for everybody, as far as that is possible. */
static bool split_jobs(struct crew *c) {
  if (c->blocks) return true;
  struct frontier *f = &c->frontier;
  struct frontier_try try = {try_step, c};
  for (uint32_t i = 0; i < f->jobs.count && f->waiting + c->pool.count < c->s->options->jobs; i++) {
    if (deadline_passed) return true;
    if (f->jobs.data[i].status != JOB_WAITING) continue;
    if (!frontier_split(f, i, &try)) return c->learnt || diverged(c);
  }
  return true;
}

static void write_campaign(const struct session *s, const struct frontier *f, struct text *out) {
  const uint32_t passing =
      1u << EXPLORE_REASON_TIME | 1u << EXPLORE_REASON_EXECUTIONS | 1u << EXPLORE_REASON_INTERRUPTED | 1u << EXPLORE_REASON_FINDINGS;
  uint64_t lessons = s->lessons.count;
  uint32_t reasons = s->result->reasons & ~passing;
  WIRE_PUT(out, lessons);
  for (size_t i = 0; i < lessons; i++) WIRE_PUT_VEC(out, &s->lessons.data[i].steps);
  WIRE_PUT(out, s->result->counts);
  WIRE_PUT(out, reasons);
  answer_put_remarks(s->machine, out);
  answer_put_findings(s->result, 0, out);
  answer_put_outcomes(s->result, out);
  frontier_write(f, out);
}

static enum err save(struct crew *c) {
  struct text state = {0};
  write_campaign(c->s, &c->frontier, &state);
  enum err e = campaign_save(c->campaign, &state, c->diag);
  text_release(&state);
  return e;
}

static void look_at_limits(struct crew *c) {
  struct session *s = c->s;
  const struct explore_options *o = s->options;
  double time = deadline_now();
  session_look(s);
  pool_hurry(&c->pool, time);
  if (o->executions && s->made >= o->executions && waiting(c)) session_because(s, EXPLORE_REASON_EXECUTIONS);
  if (session_has_enough(s)) session_because(s, EXPLORE_REASON_FINDINGS);
  c->stopping = s->result->reasons & REASONS_TO_END;
  c->board->stop = c->stopping;
  pool_stop(&c->pool, c->stopping, time);
  session_progress(s, time, c->blocks ? -1 : c->frontier.done);
  if (!c->campaign || c->pool.count == 0 || time - c->saved < 1) return;
  c->error = save(c);
  c->saved = time;
}

/* Until nothing is left, or something ends it. */
static void manage_workers(struct crew *c) {
  bool ok = true;
  while (ok && !c->learnt && !c->error) {
    look_at_limits(c);
    if (c->error) break;
    if (!c->stopping) ok = split_jobs(c);
    while (ok && !c->learnt && !c->stopping && c->pool.count < c->s->options->jobs && waiting(c)) {
      if (!c->blocks && c->s->options->executions && executions_left(c) == 0) break;
      ok = hire(c, take_job(c));
    }
    c->board->hungry = !c->blocks && c->pool.count < c->s->options->jobs;
    if (c->pool.count == 0) break;
    if (ok && !c->learnt) ok = pool_listen(&c->pool, LISTEN_MILLISECONDS);
  }
  if (c->learnt || c->error || !ok) pool_kill_all(&c->pool);
}

/* --- sittings --- */

/* The beginning is explored alone: most programs have no more. True if something is left. */
static bool explore_beginning(struct crew *c) {
  struct session *s = c->s;
  double end = deadline_now() + ALONE_SECONDS;
  do {
    if (!session_one(s, &c->error, c->diag)) break;
  } while (deadline_now() < end);
  if (s->run.stopped) s->options->strategy->restart(s->strategy); /* it is in the midst of an execution: all is left, then */
  if (c->error || !s->options->strategy->next(s->strategy)) return false;
  if (!c->blocks) frontier_begin(&c->frontier, s->strategy);
  if (c->blocks) { /* blocks are made whole: the first one again */
    session_clear_outcomes(s);
    s->result->counts = (struct explore_counts){.restarts = s->result->counts.restarts};
    s->made = 0;
    if (s->predictor) predictor_restart(s->predictor, 0);
  }
  return true;
}

/* Goes back to where the campaign was. */
static bool resume_campaign(struct crew *c) {
  struct session *s = c->s;
  struct wire w = campaign_state(c->campaign);
  uint64_t lessons;
  WIRE_GET(&w, lessons);
  for (uint64_t i = 0; i < lessons && !w.bad; i++) {
    if (!repeat_lesson(c, &w)) return false;
    session_restart(s, machine_sharing_changed(s->machine));
  }
  c->learnt = false;
  struct explore_counts counts;
  WIRE_GET(&w, counts);
  WIRE_GET(&w, s->result->reasons);
  answer_get_remarks(s->machine, &w);
  if (!get_findings(c, &w)) return false;
  answer_get_outcomes(s, &w);
  if (w.bad || !frontier_read(&c->frontier, &w)) return fail(c, campaign_corrupt(c->campaign, c->diag));
  s->result->counts = (struct explore_counts){.restarts = counts.restarts};
  add_counts(s, &counts);
  return true;
}

static void explore_all(struct crew *c) {
  struct session *s = c->s;
  bool going = c->campaign && campaign_begun(c->campaign) ? resume_campaign(c) : explore_beginning(c);
  while (going && !c->error) {
    manage_workers(c);
    going = c->learnt && !c->error;
    if (!going) break;
    frontier_clear(&c->frontier);
    vec_clear(&c->returned);
    c->next_block = 0;
    session_restart(s, machine_sharing_changed(s->machine));
    c->learnt = false;
    going = explore_beginning(c);
  }
  if (c->campaign && !c->error) c->error = save(c);
}

enum err explore_in_parts(struct session *s, struct diag *d) {
  struct crew c = {.s = s, .diag = d, .saved = deadline_now(), .blocks = s->options->strategy->in_blocks};
  c.board = mmap(NULL, sizeof *c.board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (c.board == MAP_FAILED) return diag_set(d, ERR_TOOL, "no memory to share with workers: %s", strerror(errno));
  c.tasks = mem_alloc(s->options->jobs * sizeof *c.tasks);
  pool_init(&c.pool, &pool_type, s->options->jobs, &c);
  if (s->options->campaign) c.error = campaign_open(s->options->campaign, s->options->campaign_of, &c.campaign, d);
  if (!c.error) explore_all(&c);
  campaign_close(c.campaign);
  frontier_release(&c.frontier);
  vec_release(&c.returned);
  pool_release(&c.pool);
  mem_free(c.tasks, s->options->jobs * sizeof *c.tasks);
  munmap(c.board, sizeof *c.board);
  return c.error;
}
