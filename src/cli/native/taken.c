#include "cli/native/taken.h"

#include <string.h>

#include "predict/recorded/maximal.h"
#include "predict/recorded/patterns.h"
#include "predict/recorded/question.h"
#include "report/predicted.h"
#include "streaming/streaming.h"
#include "trace/recorded.h"

static void add_event(struct predicted_report *r, const struct recorded_step *e, const char *role, size_t length) {
  *vec_push(&r->events) = (struct predicted_event){.thread = e->thread,
                                                   .index = e->index,
                                                   .site = e->site,
                                                   .op = e->op,
                                                   .flags = e->flags,
                                                   .object = e->object,
                                                   .role = role,
                                                   .role_length = (uint32_t)length};
}
static void add_plain(struct predicted_report *r, const struct recorded_step *e) {
  add_event(r, e, predicted_role(e->op), strlen(predicted_role(e->op)));
}

static struct predicted *add_property(struct predicted_report *r, const char *kind, size_t length) {
  struct predicted *f = vec_push(&r->findings);
  *f = (struct predicted){.analysis = "maximal",
                          .kind = kind,
                          .finding = FINDING_PROPERTY,
                          .kind_length = (uint32_t)length,
                          .event = (uint32_t)r->events.count,
                          .status = PREDICTED_PROVEN};
  return f;
}
static struct predicted *add_finding(struct predicted_report *r, const char *analysis, enum finding_kind kind) {
  struct predicted *f = add_property(r, finding_kind_text(kind), strlen(finding_kind_text(kind)));
  f->analysis = analysis, f->finding = kind;
  return f;
}

/* What the k-th of the events does in a finding of that kind. */
static const char *role_of(enum finding_kind kind, uint32_t k, uint8_t op) {
  if (kind == FINDING_DEADLOCK) return "waits for the lock that the next one holds,";
  if (kind == FINDING_NULL_DEREFERENCE) return k == 0 ? "uses the pointer" : "reads it, and may read NULL,";
  if (kind == FINDING_LOST_WAKEUP) return "may begin to wait behind the last notification,";
  return predicted_role(op);
}

/* The finding that was begun ends: its events are there, and these steps are its witness. */
static void end_finding(struct predicted_report *r, size_t at, bool undecided, uint64_t from, const struct recorded_step *steps,
                        uint32_t n) {
  struct predicted *f = &r->findings.data[at];
  f->events = (uint32_t)r->events.count - f->event, f->step = (uint32_t)r->events.count, f->steps = n, f->from = from;
  f->status = undecided ? PREDICTED_UNDECIDED : PREDICTED_PROVEN, f->has_witness = !undecided;
  for (uint32_t k = 0; k < n; k++) add_plain(r, &steps[k]);
}

static void claim(struct predicted *f, const char *why) {
  if (why) f->status = PREDICTED_CLAIMED, f->conditional = true, f->why = why;
}

/* What the threads hold at the finding's events. */
static void add_locks(struct predicted_report *r, size_t at, const struct recorded_step *locks, uint32_t n) {
  struct predicted *f = &r->findings.data[at];
  f->lock = (uint32_t)r->events.count, f->locks = n, f->knows_locks = true;
  for (uint32_t k = 0; k < n; k++) {
    add_plain(r, &locks[k]);
    vec_last(&r->events).of = locks[k].what;
  }
}

void taken_maximal(struct predicted_report *r, const struct maximal *m) {
  uint32_t n;
  const struct maximal_finding *all = maximal_findings(m, &n);
  const struct recorded_step *events = maximal_events(m);
  for (const struct maximal_finding *f = all; f < all + n; f++) {
    size_t at = r->findings.count;
    add_finding(r, "maximal", f->kind);
    for (uint32_t k = 0; k < f->events; k++) {
      const struct recorded_step *e = &events[f->event + k];
      const char *role = role_of(f->kind, k, e->op);
      add_event(r, e, role, strlen(role));
    }
    end_finding(r, at, f->undecided, f->from, events + f->step, f->steps);
    r->findings.data[at].why = f->why;
    claim(&r->findings.data[at], f->claimed);
    add_locks(r, at, events + f->step + f->steps, f->locks);
  }
}

void taken_patterns(struct predicted_report *r, const struct patterns *p) {
  uint32_t n;
  const struct patterns_finding *all = patterns_findings(p, &n);
  const struct recorded_step *events = patterns_events(p);
  for (const struct patterns_finding *f = all; f < all + n; f++) {
    size_t at = r->findings.count;
    add_property(r, f->property->name.at, f->property->name.length);
    for (uint32_t k = 0; k < f->events; k++) {
      const struct recorded_step *e = &events[f->event + k];
      const struct property_text *name = &f->property->events.data[e->what].name;
      add_event(r, e, name->at, name->length);
    }
    end_finding(r, at, f->undecided, f->from, events + f->step, f->steps);
    claim(&r->findings.data[at], f->claimed);
  }
}

void taken_streaming(struct predicted_report *r, const struct streaming *s) {
  for (size_t i = 0; i < s->findings.count; i++) {
    const struct streaming_finding *from = &s->findings.data[i];
    struct predicted *f = add_finding(r, s->type->name, from->kind);
    f->events = 2, f->why = from->why, f->status = from->proof == PROOF_WHOLE ? PREDICTED_PROVEN : PREDICTED_CLAIMED;
    f->conditional = from->proof == PROOF_CONDITIONAL;
    const struct streaming_event *events[] = {&from->first, &from->second};
    for (unsigned k = 0; k < 2; k++)
      add_plain(r,
                &(struct recorded_step){.thread = events[k]->thread, .site = events[k]->site, .op = events[k]->op, .object = from->object});
  }
}
