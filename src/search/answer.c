#include "search/answer.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/deadline.h"

void worker_begin(struct session *s, const struct explore_options *o, const struct worker_board *board) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN);
  deadline_inherit(LATE_SECONDS / 2);
  s->options = o;
  s->board = board;
  s->learnt = s->over = false;
  s->made = s->steps_since_look = 0;
  s->result->counts = (struct explore_counts){0};
  s->result->reasons = 0;
  session_clear_outcomes(s);
}

bool answer_read(int fd, void *to, size_t n) {
  for (size_t at = 0; at < n;) {
    ssize_t got = read(fd, (char *)to + at, n - at);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got > 0) at += (size_t)got;
  }
  return true;
}

bool answer_tell(int fd, const struct text *what) {
  for (size_t at = 0; at < what->count;) {
    ssize_t n = write(fd, what->data + at, what->count - at);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) at += (size_t)n;
  }
  return true;
}

void answer_send(int fd, const struct text *what) {
  if (!answer_tell(fd, what)) _exit(1);
}

bool answer_receive(int fd, struct text *what) {
  char buffer[1 << 18];
  ssize_t n = read(fd, buffer, sizeof buffer);
  if (n > 0) text_append(what, buffer, (size_t)n);
  return n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
}

void answer_put_text(struct text *out, const struct text *t) {
  uint64_t n = t->count;
  WIRE_PUT(out, n);
  text_append(out, text_str(t), n);
}

void answer_put_outcomes(const struct explore_result *r, struct text *out) {
  uint64_t n = r->outcomes.count;
  WIRE_PUT(out, n);
  for (size_t i = 0; i < r->outcomes.count; i++) {
    WIRE_PUT(out, r->outcomes.data[i].hash);
    WIRE_PUT(out, r->outcomes.data[i].count);
    answer_put_text(out, &r->outcomes.data[i].text);
  }
  answer_put_text(out, &r->refused);
}

void answer_put_findings(const struct explore_result *r, size_t from, struct text *out) {
  uint64_t n = r->findings.count - from;
  WIRE_PUT(out, n);
  for (size_t i = from; i < r->findings.count; i++) WIRE_PUT_VEC(out, &r->findings.data[i].schedule.steps);
}

void session_clear_outcomes(struct session *s) {
  for (size_t i = 0; i < s->result->outcomes.count; i++) text_release(&s->result->outcomes.data[i].text);
  vec_clear(&s->result->outcomes);
  hashmap_clear(&s->outcomes);
}

/* Makes an execution, or the beginning of one, that somebody else made. */
bool session_repeat(struct session *s, const struct schedule *schedule) {
  run_begin(&s->run);
  if (!run_follow(&s->run, schedule->steps.data, schedule->steps.count)) return false;
  run_finish(&s->run);
  return true;
}

void answer_get_text(struct wire *w, struct text *t) {
  uint64_t n;
  WIRE_GET(w, n);
  if (!wire_has(w, n, 1)) return;
  text_append(t, w->at, n);
  w->at += n;
}

void answer_put_error(struct text *out, enum err e, const struct diag *d) {
  WIRE_PUT(out, e);
  answer_put_text(out, &d->message);
  answer_put_text(out, &d->hint);
}

enum err answer_get_error(struct wire *w, struct diag *d) {
  enum err e;
  struct text message = {0}, hint = {0};
  WIRE_GET(w, e);
  answer_get_text(w, &message);
  answer_get_text(w, &hint);
  diag_set(d, e, "%s", text_str(&message));
  if (hint.count) diag_hint(d, "%s", text_str(&hint));
  text_release(&message);
  text_release(&hint);
  return e;
}

enum err answer_diverged(struct diag *d) {
  return diag_set(d, ERR_DIVERGED, "the program does not repeat itself: a schedule that one worker followed is impossible");
}

enum err answer_killed(struct diag *d, unsigned times) {
  diag_set(d, ERR_TOOL, "workers were killed %u times in a row", times);
  diag_hint(d, "is there enough memory? -j with a smaller number needs less");
  return ERR_TOOL;
}

void explore_counts_add(struct explore_counts *to, const struct explore_counts *n) {
  to->executions += n->executions, to->blocked += n->blocked, to->assumed += n->assumed, to->limited += n->limited;
  to->steps += n->steps;
  if (n->longest > to->longest) to->longest = n->longest;
}

void answer_get_outcomes(struct session *s, struct wire *w) {
  uint64_t n;
  WIRE_GET(w, n);
  for (uint64_t i = 0; i < n && !w->bad; i++) {
    struct explore_outcome o = {0};
    WIRE_GET(w, o.hash);
    WIRE_GET(w, o.count);
    answer_get_text(w, &o.text);
    uint64_t *index = hashmap_at(&s->outcomes, o.hash, s->result->outcomes.count, NULL);
    if (*index == s->result->outcomes.count) {
      *vec_push(&s->result->outcomes) = o;
    } else {
      s->result->outcomes.data[*index].count += o.count;
      text_release(&o.text);
    }
  }
  struct text refused = {0};
  answer_get_text(w, &refused);
  session_refused(s, &refused);
  text_release(&refused);
}

void answer_put_remarks(const struct machine *m, struct text *out) {
  VEC(uint32_t) pairs = {0};
  for (uint32_t site = 0; site < machine_image(m)->nsites; site++) {
    for (uint32_t what = 0; what < REMARK_NOT_OWN; what++) {
      if (!machine_remarked(m, site, (enum machine_remark)what)) continue;
      *vec_push(&pairs) = site;
      *vec_push(&pairs) = what;
    }
  }
  WIRE_PUT_VEC(out, &pairs);
  vec_release(&pairs);
}

void answer_get_remarks(struct machine *m, struct wire *w) {
  VEC(uint32_t) pairs = {0};
  WIRE_GET_VEC(w, &pairs);
  for (size_t i = 0; i + 1 < pairs.count; i += 2) {
    if (pairs.data[i + 1] < REMARK_NOT_OWN) machine_remark(m, pairs.data[i], (enum machine_remark)pairs.data[i + 1]);
  }
  vec_release(&pairs);
}
