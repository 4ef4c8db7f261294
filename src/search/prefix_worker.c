/* A worker of an exploration by prefixes: does the jobs of a block, one after the other, and says what came of them. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/deadline.h"
#include "search/prefix_queue.h"

#define ASK_EVERY 16u /* RICH_JOBS */
/* Answers are said together, up to so many bytes, or when so much time has passed. */
#define SAY_BYTES   (1u << 18)
#define SAY_SECONDS 0.05
#define PIPE_BYTES  (1 << 20)

bool queue_do_job(struct queue *q, uint32_t number, enum err *e, struct diag *d) {
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
  if (!queue_do_job(q, number, &e, &d)) {
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
  if (!answer_read(fd, &size, sizeof size) || !answer_read(fd, vec_push_n(&in, size), size)) return false;
  struct wire w = {in.data, in.data + in.count, false};
  WIRE_GET(&w, *b);
  get_known(q->s, &w);
  for (uint32_t i = b->from; i < b->end; i++) {
    while (q->entries.count <= i) queue_add_job(q, (struct text){0});
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

void queue_work(void *user, uint32_t place, int in, int out) {
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
