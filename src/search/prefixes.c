#include "search/prefixes.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/deadline.h"
#include "search/prefix_queue.h"
#include "states/claims.h"

/* Jobs put together before the master looks whether somebody waits. */
#define MERGE_AT_ONCE 32u
/* Jobs of a block: so many, or this part of all jobs before it, or so many. Larger ones are said too late, and more of their jobs are found
 * to be superfluous; for smaller ones workers wait longer than they work. */
#define BLOCK_LEAST 4u
#define BLOCK_SHARE 64u
#define BLOCK_MOST  256u
/* From one look at the clock to the next. */
#define LISTEN_MILLISECONDS 20

static bool fail(struct queue *q, enum err e) {
  q->error = e;
  return false;
}

static bool diverged(struct queue *q) { return fail(q, answer_diverged(q->diag)); }

/* --- jobs --- */

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
  for (size_t i = 0; i < children.jobs.count; i++) queue_add_job(q, children.jobs.data[i]);
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
  if (!queue_do_job(q, q->merged, &q->error, q->diag)) return false;
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
  (void)answer_tell(q->pool.workers[place].to, &out);
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

static const struct pool_type pool_type = {.work = queue_work, .heard = heard, .gone = gone, .talks = true};

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
  queue_add_job(q, (struct text){0});
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
