#include "search/prefixes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/deadline.h"
#include "search/answer.h"
#include "search/pool.h"
#include "states/claims.h"
#include "strategy/prefix_type.h"

/* DONE: counts, reasons, what the strategy gave, findings, outcomes, predictions, and an execution that shows something of the program.
 * LEARNT: an execution that shows that everything has to start again. CUT: as DONE, but the deadline passed before the job was done. */
enum answer { ANSWER_DONE, ANSWER_LEARNT, ANSWER_ERROR, ANSWER_CUT };

/* What is predicted of one job may cost much for the first ones, little for one in so many others, and nothing else: so it does not depend
 * on what other jobs were done by the same worker. */
#define RICH_JOBS 16u
#define ASK_EVERY 16u
/* Answers are said together, up to so many bytes, or when so much time has passed. */
#define SAY_BYTES   (1u << 18)
#define SAY_SECONDS 0.05
#define PIPE_BYTES  (1 << 20)
/* Jobs put together before the master looks whether somebody waits. */
#define MERGE_AT_ONCE 32u
/* Jobs of a block: so many, or this part of all jobs before it, or so many. Larger ones are said too late, and more of their jobs are found
 * to be superfluous; for smaller ones workers wait longer than they work. */
#define BLOCK_LEAST 4u
#define BLOCK_SHARE 64u
#define BLOCK_MOST  256u
/* From one look at the clock to the next. */
#define LISTEN_MILLISECONDS 20

/* Jobs that one worker does, one after the other. */
struct block {
  uint32_t from, end;
};

struct entry {
  struct text job, answer;
};

/* What a worker of the pool has to do. */
struct member {
  struct block block;
  uint32_t said_to; /* what it has said ends before this job */
  bool ended;       /* it said that it will not go on */
};

struct queue {
  struct session *s;
  const struct prefix_type *type;
  VEC(struct entry) entries; /* by number; what was put together is empty */
  uint32_t merged, handed;   /* jobs put together; given out in blocks */
  VEC(struct block) redo;    /* blocks to be given out again */
  struct claims *claims;
  struct worker_board *board;
  struct pool pool;
  struct member *members;           /* by place in the pool */
  bool stopping, learnt, restarted; /* learnt: everything has to start again; restarted: the session has */
  unsigned killed;
  enum err error;
  struct diag *diag;
};

static bool fail(struct queue *q, enum err e) {
  q->error = e;
  return false;
}

static bool diverged(struct queue *q) { return fail(q, answer_diverged(q->diag)); }

/* --- jobs --- */

static void add_job(struct queue *q, struct text what) { *vec_push(&q->entries) = (struct entry){.job = what}; }

static void clear_jobs(struct queue *q) {
  for (size_t i = 0; i < q->entries.count; i++) text_release(&q->entries.data[i].job), text_release(&q->entries.data[i].answer);
  vec_clear(&q->entries);
  vec_clear(&q->redo);
  q->merged = q->handed = 0;
}

/* Grows with the jobs that there were: small at first, so that everybody has something to do. */
static uint32_t block_size(uint32_t from) {
  uint32_t share = from / BLOCK_SHARE;
  return from < RICH_JOBS ? 1 : share < BLOCK_LEAST ? BLOCK_LEAST : share > BLOCK_MOST ? BLOCK_MOST : share;
}

/* The first job of the block that has no answer, or its end. */
static uint32_t lacks(const struct queue *q, const struct block *b) {
  uint32_t i = b->from > q->merged ? b->from : q->merged;
  while (i < b->end && q->entries.data[i].answer.count) i++;
  return i < b->end ? i : b->end;
}

/* The next block whose jobs are known; one that is shorter if nothing else can come. */
static bool next_block(struct queue *q, struct block *b) {
  while (q->redo.count) {
    *b = vec_pop(&q->redo);
    if (lacks(q, b) < b->end) return true;
  }
  uint32_t known = (uint32_t)q->entries.count, end = q->handed + block_size(q->handed);
  if (end > known && (q->merged < q->handed || known == q->handed)) return false;
  *b = (struct block){q->handed, end < known ? end : known};
  q->handed = b->end;
  return true;
}

/* The executions that are part of a job, all of them: bounds are looked at between jobs. False at an error. */
static bool do_job(struct queue *q, uint32_t number, enum err *e, struct diag *d) {
  struct session *s = q->s;
  const struct explore_options *options = s->options;
  struct explore_options o = *options;
  const struct text *job = &q->entries.data[number].job;
  struct wire w = {job->data, job->data + job->count, false};
  uint32_t restarts = s->result->counts.restarts;
  if (s->predictor)
    predictor_block(s->predictor, number < RICH_JOBS ? PREDICT_MUCH : number % ASK_EVERY ? PREDICT_NOTHING : PREDICT_LITTLE);
  q->type->take(s->strategy, number, &w, s->board ? q->claims : NULL);
  o.executions = o.findings = 0;
  s->options = &o;
  s->learnt = false;
  do {
    session_one(s, e, d);
  } while (!*e && !s->learnt && !s->over && s->result->counts.restarts == restarts && q->type->more(s->strategy));
  s->options = options;
  return !*e;
}

/* --- a worker --- */

/* As if no job had been done since `known` findings were known. */
static void forget(struct session *s, size_t known) {
  struct explore_result *r = s->result;
  collect_drop(s, known);
  if (s->predictor) (void)predictor_take_counts(s->predictor);
  r->counts = (struct explore_counts){0};
  r->reasons = 0;
  session_clear_outcomes(s);
}

static void say_done(struct session *s, const struct prefix_type *type, size_t known, bool news, struct text *out) {
  uint8_t kind = s->over ? ANSWER_CUT : ANSWER_DONE;
  WIRE_PUT(out, kind);
  WIRE_PUT(out, s->result->counts);
  WIRE_PUT(out, s->result->reasons);
  struct text given = {0};
  if (kind == ANSWER_DONE) type->give(s->strategy, &given);
  WIRE_PUT_VEC(out, &given);
  text_release(&given);
  answer_put_findings(s->result, known, out);
  answer_put_outcomes(s->result, out);
  if (s->predictor) {
    struct predictor_counts counts = predictor_take_counts(s->predictor);
    WIRE_PUT(out, counts);
  }
  struct schedule none = {0};
  WIRE_PUT_VEC(out, news ? &s->shown.steps : &none.steps);
}

/* Has the job shown something of the program that its last execution does not? Of several, or of those that predictions made. */
static bool is_untold(const struct session *s, uint64_t uses) {
  const struct explore_counts *n = &s->result->counts;
  uint64_t now = machine_uses_known(s->machine);
  return now != uses && (now != s->shown_uses || n->executions + n->blocked + n->assumed + n->limited > 1);
}

/* False: it is the last thing to be said. */
static bool say_job(struct queue *q, uint32_t number, size_t known, struct text *out) {
  struct session *s = q->s;
  struct diag d = {0};
  enum err e = ERR_NONE;
  uint64_t threads = machine_threads_known(s->machine), uses = machine_uses_known(s->machine);
  forget(s, known);
  uint8_t kind = ANSWER_DONE;
  if (!do_job(q, number, &e, &d)) {
    kind = ANSWER_ERROR;
    WIRE_PUT(out, kind);
    answer_put_error(out, e, &d);
  } else if (s->learnt || machine_threads_known(s->machine) != threads || is_untold(s, uses)) { /* others number new threads otherwise */
    kind = ANSWER_LEARNT;
    WIRE_PUT(out, kind);
    WIRE_PUT_VEC(out, &s->shown.steps);
  } else {
    say_done(s, q->type, known, machine_uses_known(s->machine) != uses, out);
  }
  return kind == ANSWER_DONE && !s->over;
}

/* Everything, or false: there will be no more. */
static bool read_whole(int fd, void *to, size_t n) {
  for (size_t at = 0; at < n;) {
    ssize_t got = read(fd, (char *)to + at, n - at);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got > 0) at += (size_t)got;
  }
  return true;
}

/* Findings that are known by now are not to be said; their keys are enough to tell. */
static void get_known(struct session *s, struct wire *w) {
  VEC(uint64_t) keys = {0};
  WIRE_GET_VEC(w, &keys);
  collect_drop(s, 0);
  for (size_t i = 0; i < keys.count; i++) collect_know(s, keys.data[i]);
  vec_release(&keys);
}

/* Waits for the next block; its jobs are the queue's. False: there will be none. */
static bool get_block(struct queue *q, struct block *b, int fd) {
  uint64_t size;
  struct text in = {0};
  if (!read_whole(fd, &size, sizeof size) || !read_whole(fd, vec_push_n(&in, size), size)) return false;
  struct wire w = {in.data, in.data + in.count, false};
  WIRE_GET(&w, *b);
  get_known(q->s, &w);
  for (uint32_t i = b->from; i < b->end; i++) {
    while (q->entries.count <= i) add_job(q, (struct text){0});
    text_release(&q->entries.data[i].job);
    WIRE_GET_VEC(&w, &q->entries.data[i].job);
  }
  text_release(&in);
  return !w.bad;
}

static void do_block(struct queue *q, struct block b, int fd) {
  struct session *s = q->s;
  size_t known = s->result->findings.count;
  struct text out = {0};
  double sent = deadline_now();
  for (bool going = true; b.from < b.end && !q->board->stop; b.from++) {
    size_t at = out.count;
    struct text answer = {0};
    going = say_job(q, b.from, known, &answer);
    message_put(&out, b.from, &answer);
    text_release(&answer);
    text_release(&q->entries.data[b.from].job);
    bool stop = q->board->stop, found = s->result->findings.count > known;
    if (stop && going) out.count = at; /* it may have been cut short */
    if (going && !stop && !found && b.from + 1 < b.end && out.count < SAY_BYTES && deadline_now() - sent < SAY_SECONDS) continue;
    answer_send(fd, &out);
    if (!going || stop) _exit(0);
    vec_clear(&out);
    sent = deadline_now();
  }
  text_release(&out);
}

static void work(void *user, uint32_t place, int in, int out) {
  struct queue *q = user;
  (void)place;
  struct explore_options o = *q->s->options;
  struct block b;
  o.seconds = 0, o.executions = 0, o.findings = 0, o.progress = NULL;
  worker_begin(q->s, &o, q->board);
  fcntl(out, F_SETPIPE_SZ, PIPE_BYTES); /* fewer switches; it works without */
  while (!q->board->stop && get_block(q, &b, in)) do_block(q, b, out);
  _exit(0);
}

/* --- putting together --- */

static bool repeat_execution(struct queue *q, struct wire *w, bool *any) {
  struct schedule schedule = {0};
  WIRE_GET_VEC(w, &schedule.steps);
  *any = schedule.steps.count;
  bool ok = !w->bad && (!*any || session_repeat(q->s, &schedule));
  vec_release(&schedule.steps);
  return ok || diverged(q);
}

static bool get_findings(struct queue *q, struct wire *w) {
  uint64_t n;
  bool any;
  WIRE_GET(w, n);
  for (uint64_t i = 0; i < n && !w->bad; i++) {
    if (!repeat_execution(q, w, &any)) return false;
    if (any) collect_findings(q->s);
  }
  return !w->bad || diverged(q);
}

static bool take_children(struct queue *q, const struct text *given, enum prefix_fate *fate) {
  struct wire w = {given->data, given->data + given->count, false};
  struct prefix_list children = {0};
  *fate = q->type->settle(q->s->strategy, q->merged, &w, &children);
  for (size_t i = 0; i < children.jobs.count; i++) add_job(q, children.jobs.data[i]);
  vec_release(&children.jobs);
  return *fate != PREFIX_BAD || diverged(q);
}

/* Does the next job here: all that it has to know was put together. */
static bool do_next(struct queue *q) {
  struct session *s = q->s;
  struct text given = {0};
  enum prefix_fate fate = PREFIX_DONE;
  uint32_t restarts = s->result->counts.restarts;
  uint64_t threads = machine_threads_known(s->machine);
  if (!do_job(q, q->merged, &q->error, q->diag)) return false;
  q->restarted = s->result->counts.restarts != restarts;
  q->learnt = q->restarted || (q->pool.count && machine_threads_known(s->machine) != threads);
  if (q->learnt || s->over) return true;
  q->type->give(s->strategy, &given);
  bool ok = take_children(q, &given, &fate);
  text_release(&given);
  return ok && (fate == PREFIX_DONE || diverged(q));
}

static bool merge_done(struct queue *q, struct wire *w) {
  struct session *s = q->s;
  struct explore_counts counts;
  uint32_t reasons;
  struct text given = {0};
  enum prefix_fate fate;
  bool any;
  WIRE_GET(w, counts);
  WIRE_GET(w, reasons);
  WIRE_GET_VEC(w, &given);
  bool ok = take_children(q, &given, &fate);
  text_release(&given);
  if (!ok) return false;
  if (fate == PREFIX_LOST) return do_next(q);
  explore_counts_add(&s->result->counts, &counts);
  s->made += counts.executions + counts.blocked + counts.assumed + counts.limited;
  s->result->reasons |= reasons;
  if (!get_findings(q, w)) return false;
  answer_get_outcomes(s, w);
  if (s->predictor) {
    struct predictor_counts predicted;
    WIRE_GET(w, predicted);
    predictor_add(s->predictor, &predicted);
  }
  if (!repeat_execution(q, w, &any)) return false;
  q->learnt = machine_sharing_changed(s->machine);
  return true;
}

/* The execution has something that was not known of the program. */
static bool take_lesson(struct queue *q, struct wire *w) {
  struct session *s = q->s;
  uint64_t threads = machine_threads_known(s->machine);
  bool any;
  if (!repeat_execution(q, w, &any)) return false;
  q->learnt = machine_sharing_changed(s->machine) || machine_threads_known(s->machine) != threads;
  return q->learnt || do_next(q); /* what came before it has taught us the same */
}

static bool merge_next(struct queue *q) {
  const struct text *answer = &q->entries.data[q->merged].answer;
  struct wire w = {answer->data, answer->data + answer->count, false};
  uint8_t kind;
  WIRE_GET(&w, kind);
  if (kind == ANSWER_ERROR) return fail(q, answer_get_error(&w, q->diag));
  return kind == ANSWER_LEARNT ? take_lesson(q, &w) : merge_done(q, &w);
}

static bool is_over(const struct queue *q) {
  const struct explore_options *o = q->s->options;
  return (q->s->result->reasons & REASONS_TO_END) || (o->executions && q->s->made >= o->executions) || session_has_enough(q->s);
}

static bool can_merge(const struct queue *q) {
  if (q->merged == q->entries.count || is_over(q)) return false;
  const struct text *answer = &q->entries.data[q->merged].answer;
  return answer->count && answer->data[0] != ANSWER_CUT;
}

/* In the order of their numbers, a few at a time: workers may be waiting. */
static bool merge_answers(struct queue *q) {
  for (unsigned most = MERGE_AT_ONCE; most > 0 && can_merge(q); most--) {
    if (!merge_next(q)) return false;
    if (q->learnt) return true;
    text_release(&q->entries.data[q->merged].job);
    text_release(&q->entries.data[q->merged].answer);
    q->merged++;
  }
  return true;
}

/* --- workers --- */

static bool is_idle(const struct member *m) { return m->said_to >= m->block.end; }

/* To a worker that waits for it; one that was killed does not take it, which is seen when it is listened to. */
static void put_block(struct queue *q, uint32_t place, struct block b) {
  struct member *m = &q->members[place];
  const struct explore_result *r = q->s->result;
  struct text out = {0};
  uint64_t size = 0, known = r->findings.count;
  WIRE_PUT(&out, size);
  WIRE_PUT(&out, b);
  WIRE_PUT(&out, known);
  for (size_t i = 0; i < known; i++) WIRE_PUT(&out, r->findings.data[i].key);
  for (uint32_t i = b.from; i < b.end; i++) WIRE_PUT_VEC(&out, &q->entries.data[i].job);
  size = out.count - sizeof size;
  memcpy(out.data, &size, sizeof size);
  m->block = b, m->said_to = b.from;
  for (size_t at = 0; at < out.count;) {
    ssize_t n = write(q->pool.workers[place].to, out.data + at, out.count - at);
    if (n < 0 && errno != EINTR) break;
    if (n > 0) at += (size_t)n;
  }
  text_release(&out);
}

/* Gives work to everybody, as far as there is any. */
static void hand_out_blocks(struct queue *q) {
  struct block b;
  for (uint32_t i = 0; i < q->pool.places; i++) {
    if (q->pool.workers[i].pid == 0) continue;
    if (q->stopping)
      pool_send_home(&q->pool, i);
    else if (is_idle(&q->members[i]) && next_block(q, &b))
      put_block(q, i, b);
  }
  for (uint32_t i; !q->error && !q->stopping && (i = pool_free_place(&q->pool)) < q->pool.places && next_block(q, &b);) {
    q->members[i] = (struct member){0};
    q->error = pool_hire(&q->pool, i, q->diag);
    if (!q->error) put_block(q, i, b);
  }
}

static bool is_busy(const struct queue *q) {
  for (uint32_t i = 0; i < q->pool.places; i++)
    if (q->pool.workers[i].pid && !is_idle(&q->members[i])) return true;
  return false;
}

/* Takes the answers that are there as a whole. */
static bool heard(void *user, uint32_t place) {
  struct queue *q = user;
  struct member *m = &q->members[place];
  struct text *said = &q->pool.workers[place].said;
  struct message_head head; /* its kind is the number of the job */
  struct wire what;
  size_t at = 0;
  while (message_next(said, &at, &head, &what)) {
    struct entry *e = &q->entries.data[head.kind];
    if (head.kind >= q->merged && e->answer.count == 0) text_append(&e->answer, what.at, head.size);
    m->ended = what.at[0] != ANSWER_DONE;
    q->killed = 0;
    m->said_to = head.kind + 1;
  }
  message_taken(said, at);
  return true;
}

/* Jobs of its block that have no answer are to be done again. */
static bool gone(void *user, uint32_t place, enum pool_end end) {
  struct queue *q = user;
  const struct member *m = &q->members[place];
  if (end == POOL_KILLED) return true; /* everything ends, or begins again */
  uint32_t first = lacks(q, &m->block);
  if (!m->ended && !q->stopping) q->killed++;
  if (first < m->block.end) *vec_push(&q->redo) = (struct block){first, m->block.end};
  return true;
}

static const struct pool_type pool_type = {.work = work, .heard = heard, .gone = gone, .talks = true};

static void look_at_limits(struct queue *q) {
  struct session *s = q->s;
  const struct explore_options *o = s->options;
  double time = deadline_now();
  session_look(s);
  pool_hurry(&q->pool, time);
  if (o->executions && s->made >= o->executions && q->merged < q->entries.count) session_because(s, EXPLORE_REASON_EXECUTIONS);
  if (session_has_enough(s)) session_because(s, EXPLORE_REASON_FINDINGS);
  q->stopping = s->result->reasons & REASONS_TO_END;
  q->board->stop = q->stopping;
  pool_stop(&q->pool, q->stopping, time);
  session_progress(s, time, -1);
  if (q->killed >= KILLED_MOST) q->error = answer_killed(q->diag, q->killed);
}

/* What the jobs show that cannot be put together any more, as one before them was not done in time. */
static void collect_rest(struct queue *q) {
  const uint32_t late = 1u << EXPLORE_REASON_TIME | 1u << EXPLORE_REASON_INTERRUPTED;
  bool ok = q->stopping && !q->error && (q->s->result->reasons & late);
  for (uint32_t i = q->merged; ok && i < q->entries.count; i++) {
    const struct text *answer = &q->entries.data[i].answer;
    struct wire w = {answer->data, answer->data + answer->count, false};
    struct explore_counts counts;
    struct text given = {0};
    uint32_t reasons;
    uint8_t kind;
    WIRE_GET(&w, kind);
    if (w.bad || (kind != ANSWER_DONE && kind != ANSWER_CUT)) continue;
    WIRE_GET(&w, counts);
    WIRE_GET(&w, reasons);
    WIRE_GET_VEC(&w, &given);
    text_release(&given);
    ok = get_findings(q, &w);
  }
}

/* Until nothing is left, or something ends it. */
static void manage_workers(struct queue *q) {
  while (!q->learnt && !q->error) {
    look_at_limits(q);
    hand_out_blocks(q);
    if (q->error || (q->stopping ? q->pool.count == 0 : !is_busy(q) && !can_merge(q))) break;
    (void)pool_listen(&q->pool, can_merge(q) ? 0 : LISTEN_MILLISECONDS);
    hand_out_blocks(q);
    if (!merge_answers(q)) break;
  }
  pool_kill_all(&q->pool);
  collect_rest(q);
}

/* The beginning is explored alone: most programs have no more. True if something is left. */
static bool explore_beginning(struct queue *q) {
  struct session *s = q->s;
  struct block b;
  double end = deadline_now() + ALONE_SECONDS;
  clear_jobs(q);
  claims_clear(q->claims);
  add_job(q, (struct text){0});
  do { /* one at least: the machine has to be in a state of its own for workers to begin with */
    if (is_over(q) || (s->result->reasons & REASONS_TO_END) || !next_block(q, &b)) break;
    for (; q->merged < b.end && !is_over(q); q->merged++) {
      if (!do_next(q)) return false;
      if (q->learnt) return true;
      text_release(&q->entries.data[q->merged].job);
    }
  } while (deadline_now() < end);
  return q->merged < q->entries.count;
}

static void explore_all(struct queue *q) {
  struct session *s = q->s;
  for (;;) {
    q->learnt = q->restarted = false;
    bool left = explore_beginning(q);
    if (q->error || !left) return;
    if (q->learnt) continue; /* the session has begun again */
    manage_workers(q);
    if (!q->learnt || q->error) return;
    if (!q->restarted) session_restart(s, machine_sharing_changed(s->machine));
  }
}

enum err explore_prefixes(struct session *s, struct diag *d) {
  struct queue q = {.s = s, .type = s->options->strategy->prefixes, .diag = d, .claims = claims_new()};
  q.board = mmap(NULL, sizeof *q.board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (q.board == MAP_FAILED || !q.claims) {
    claims_free(q.claims);
    return diag_set(d, ERR_TOOL, "no memory to share with workers: %s", strerror(errno));
  }
  q.members = mem_alloc(s->options->jobs * sizeof *q.members);
  pool_init(&q.pool, &pool_type, s->options->jobs, &q);
  void (*pipes)(int) = signal(SIGPIPE, SIG_IGN);
  explore_all(&q);
  signal(SIGPIPE, pipes);
  clear_jobs(&q);
  vec_release(&q.entries);
  vec_release(&q.redo);
  pool_release(&q.pool);
  mem_free(q.members, s->options->jobs * sizeof *q.members);
  claims_free(q.claims);
  munmap(q.board, sizeof *q.board);
  return q.error;
}
