#include "report/follow.h"

#include <inttypes.h>
#include <string.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/mem.h"
#include "happens/race.h"
#include "machine/machine.h"
#include "property/property.h"
#include "report/atomicity.h"
#include "report/place.h"

enum {
  PASSED_MOST = 1 << 20, /* steps of the machine that a thread takes before one that is due; of all, behind a wait that is to last */
  STACK_MOST = 64,
  RESTARTS_MOST = 32, /* each because memory turned out to be shared, so that the next execution has more steps */
  MOVES_DEEP = 6,     /* events of a property whose order is tried behind the witness; in all orders */
  MOVES_MOST = 4096
};

struct follower {
  struct machine *m;
  const struct witness_file *w;
  struct followed *out;
  enum finding_kind kind;
  uint32_t noted[2]; /* an atomicity violation: events of the first access, and of the one between; UINT32_MAX */
  bool early;        /* events of the property are taken as soon as their threads stand before them */
  uint32_t moves;    /* that are left: try_orders() */
};

bool follow_is_property(const struct witness_file *w) { return strcmp(witness_file_string(w, w->analysis), "property") == 0; }

/* What the machine can see. */
static bool kind_of(const struct witness_file *w, enum finding_kind *kind) {
  static const enum finding_kind kinds[] = {FINDING_DATA_RACE,        FINDING_DEADLOCK,    FINDING_USE_AFTER_FREE,
                                            FINDING_NULL_DEREFERENCE, FINDING_LOST_WAKEUP, FINDING_ATOMICITY_VIOLATION};
  *kind = FINDING_PROPERTY;
  if (follow_is_property(w)) return true;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    *kind = kinds[i];
    if (strcmp(witness_file_string(w, w->kind), finding_kind_text(kinds[i])) == 0) return true;
  }
  return false;
}

const char *follow_lacks(const struct witness_file *w) {
  enum finding_kind kind;
  return kind_of(w, &kind) ? NULL : "it has no detector for such a finding";
}

static bool is_going(const struct follower *f) { return machine_status(f->m) == MACHINE_RUNNING && !deadline_passed; }

static uint32_t thread_of(const struct follower *f, const struct witness_step *s) {
  return machine_thread_find(f->m, witness_file_string(f->w, f->w->threads.data[s->thread]));
}

static bool is_there(const struct follower *f, uint32_t thread) { return thread < THREADS_MAX && tset_has(machine_alive(f->m), thread); }

/* --- telling where it was left --- */

static void put_place(const struct follower *f, const struct witness_step *s, struct text *out) {
  const struct witness_site *site = witness_file_site(f->w, s->site);
  if (site && site->line)
    place_file_text(witness_file_string(f->w, site->file), out), text_printf(out, ":%" PRIu32 ":%" PRIu32, site->line, site->column);
  else
    text_puts(out, "an unknown place");
}

static void put_stand(const struct follower *f, uint32_t thread, struct text *out) {
  uint32_t sites[STACK_MOST];
  struct place place = place_of_stack(machine_image(f->m), sites, machine_stack(f->m, thread, sites, STACK_MOST));
  text_printf(out, ", but it stands before %s at ", event_op_text((enum event_op)machine_pending(f->m, thread)->op));
  place_text(&place, out);
}

/* Why step or end `s` was not reached; says so once. */
static bool leaves(struct follower *f, const struct witness_step *s, const char *why) {
  struct text *out = &f->out->why;
  uint32_t thread = thread_of(f, s);
  if (out->count) return false;
  text_printf(out, "it is left behind %" PRIu32 " of %zu steps: thread %s should do %s at ", f->out->done, f->w->steps.count,
              witness_file_string(f->w, f->w->threads.data[s->thread]), recorded_op_text(s->op));
  put_place(f, s, out);
  enum machine_status status = machine_status(f->m);
  if (deadline_passed)
    text_puts(out, ", but there was no time left for that");
  else if (status == MACHINE_FAILED)
    text_printf(out, ", but the execution ended before: %s", text_str(&machine_finding(f->m)->message));
  else if (status == MACHINE_UNSUPPORTED)
    text_printf(out, ", but %s", text_str(&machine_diag(f->m)->message));
  else if (status != MACHINE_RUNNING)
    text_puts(out, ", but the execution ended before");
  else if (!is_there(f, thread))
    text_puts(out, ", but there is no such thread");
  else
    put_stand(f, thread, out), text_puts(out, why);
  return false;
}

/* --- telling steps --- */

static bool is_at(const struct follower *f, uint32_t site, const struct witness_site *want) {
  struct place place = place_of_site(machine_image(f->m), site);
  return place.line == want->line && place.column == want->column &&
         strcmp(file_last_part(place.file), file_last_part(witness_file_string(f->w, want->file))) == 0;
}

/* Is the step's place where the thread stands, or a call that led there? Operations of libraries are in the library's model. */
static bool stands_at(const struct follower *f, uint32_t thread, const struct witness_step *s) {
  const struct witness_site *want = witness_file_site(f->w, s->site);
  uint32_t sites[STACK_MOST], n = machine_stack(f->m, thread, sites, STACK_MOST);
  if (!want || !want->line) return EVENTS_SYNCHRONISING >> s->op & 1; /* nothing tells an access from others */
  if (is_at(f, machine_pending(f->m, thread)->site, want)) return true;
  for (uint32_t i = 0; i < n; i++)
    if (is_at(f, sites[i], want)) return true;
  return false;
}

/* May the operation that the thread stands before be the step's? How it ends is not known yet. */
static bool fits(const struct follower *f, uint32_t thread, const struct witness_step *s) {
  const struct event *e = machine_pending(f->m, thread);
  bool tries = s->op == EVENT_TRYFAIL && (e->op == EVENT_ACQUIRE || e->op == EVENT_SEM_WAIT);
  bool may = e->op == s->op || tries || (s->op == EVENT_READ && e->op == EVENT_RMW);
  return may && stands_at(f, thread, s);
}

/* Who is woken: the first thread that leaves its wait behind step `at`, of those that wait for this condition. */
static uint32_t woken_by(const struct follower *f, size_t at, uint64_t condition) {
  for (size_t i = at + 1; i < f->w->steps.count; i++) {
    const struct witness_step *s = &f->w->steps.data[i];
    uint32_t thread = thread_of(f, s);
    if (s->op != EVENT_WAIT_LEAVE || s->flags & EVENT_TIMED_OUT || !is_there(f, thread)) continue;
    const struct event *e = machine_pending(f->m, thread);
    if (e->op == EVENT_WAIT_LEAVE && e->object == condition) return thread;
  }
  return THREADS_MAX;
}

/* Did the operation, now done, end as in the witness? */
static bool ended_so(const struct witness_step *s, const struct event *e, uint32_t woken) {
  const unsigned outcome = EVENT_SHARED_LOCK | EVENT_TIMED_OUT;
  if (s->op == EVENT_SIGNAL) return woken >= 64 || (e->value >> woken & 1);
  if (s->op == EVENT_TRYFAIL) return e->op == EVENT_TRYFAIL;
  if (s->op == EVENT_ACQUIRE || s->op == EVENT_WAIT_LEAVE) return e->op == s->op && ((e->flags ^ s->flags) & outcome) == 0;
  return true;
}

/* --- taking them --- */

static void step(struct follower *f, uint32_t thread, uint32_t choice) {
  struct step made = {.thread = thread, .choice = choice};
  schedule_add(&f->out->schedule, &made, 1);
  machine_step(f->m, thread, choice);
}

/* The step, in the way in which it ended in the witness. The last way is left as it is. */
static bool take_so(struct follower *f, uint32_t thread, const struct witness_step *s, size_t at) {
  uint32_t from, count, ways = machine_alternatives(f->m, thread);
  uint32_t woken = s->op == EVENT_SIGNAL ? woken_by(f, at, machine_pending(f->m, thread)->object) : THREADS_MAX;
  size_t mark = ways > 1 ? machine_mark(f->m, NULL) : 0;
  (void)machine_trace(f->m, &from);
  if (s->note == 1 || s->note == 2) f->noted[s->note - 1] = from;
  for (uint32_t way = 0; way < ways; way++) {
    if (machine_interruption(f->m, thread, way)) continue;
    step(f, thread, way);
    const struct event *trace = machine_trace(f->m, &count);
    if (from >= count || ended_so(s, &trace[from], woken)) return true;
    if (way + 1 == ways || machine_sharing_changed(f->m)) break;
    machine_rollback(f->m, mark);
    f->out->schedule.steps.count--;
  }
  return leaves(f, s, ": the operation had another outcome");
}

static bool is_access(unsigned op) { return EVENTS_ACCESSING >> op & 1; }

/* Takes the thread to the step, over what comes before. False if it does not come there. `*unseen` (may be NULL): an access came that the
 * machine has no step for, as no other thread can reach that memory: the thread stands before its next synchronisation. */
static bool go_to(struct follower *f, const struct witness_step *s, bool *unseen) {
  uint32_t skipped = 0, thread = thread_of(f, s);
  for (uint32_t n = 0; n < PASSED_MOST && is_going(f); n++) {
    if (!is_there(f, thread)) break;
    bool there = fits(f, thread, s);
    if (there && skipped >= s->skip) return true;
    if (unseen && is_access(s->op) && EVENTS_SYNCHRONISING >> machine_pending(f->m, thread)->op & 1) return *unseen = true;
    if (!tset_has(machine_enabled(f->m), thread)) break;
    skipped += there;
    step(f, thread, 0);
  }
  return leaves(f, s, "");
}

/* A thread's end comes with its last operation. */
static bool go_to_end(struct follower *f, const struct witness_step *s) {
  uint32_t thread = thread_of(f, s);
  if (thread >= THREADS_MAX) return leaves(f, s, "");
  for (uint32_t n = 0; n < PASSED_MOST && is_there(f, thread) && is_going(f) && tset_has(machine_enabled(f->m), thread); n++)
    step(f, thread, 0);
  return !is_there(f, thread) || leaves(f, s, "");
}

static bool do_step(struct follower *f, size_t at) {
  const struct witness_step *s = &f->w->steps.data[at];
  bool unseen = false;
  if (s->op == EVENT_END) return go_to_end(f, s);
  if (s->op == EVENT_BEGIN) return thread_of(f, s) < THREADS_MAX || leaves(f, s, ""); /* its fork's step does that */
  if (!go_to(f, s, &unseen)) return false;
  if (unseen) return true;
  uint32_t thread = thread_of(f, s);
  if (!tset_has(machine_enabled(f->m), thread)) return leaves(f, s, ", and cannot go on");
  return take_so(f, thread, s, at);
}

/* The main thread's steps before its first fork: they are done in the initial state. Blocks that are allocated are no steps of the
 * machine. */
static bool is_done_before(const struct follower *f, const struct witness_step *s, bool *forked) {
  bool is_main = strcmp(witness_file_string(f->w, f->w->threads.data[s->thread]), "0") == 0;
  *forked |= is_main && s->op == EVENT_FORK;
  return s->op == EVENT_ALLOC || (is_main && !*forked);
}

/* The thread goes over events of the property, as long as it stands before one. */
static void tell(struct follower *f, uint32_t thread) {
  for (uint32_t n = 0; n < PASSED_MOST && is_going(f) && is_there(f, thread); n++) {
    if (!machine_is_told(machine_pending(f->m, thread)) || !tset_has(machine_enabled(f->m), thread)) return;
    step(f, thread, 0);
  }
}

static bool do_steps(struct follower *f) {
  bool forked = false;
  for (size_t i = 0; i < f->w->steps.count; i++) {
    if (!is_done_before(f, &f->w->steps.data[i], &forked) && !do_step(f, i)) return false;
    f->out->done = (uint32_t)i + 1;
    if (f->early) tell(f, thread_of(f, &f->w->steps.data[i]));
  }
  return true;
}

/* --- what it shows --- */

static void copy(const struct finding *from, struct finding *to) {
  *to = (struct finding){.kind = from->kind, .confirmed = true};
  text_puts(&to->message, text_str(&from->message));
  size_t n = from->sites.count;
  if (n) memcpy(vec_push_n(&to->sites, n), from->sites.data, n * sizeof from->sites.data[0]);
}

static bool names_thread(const struct follower *f, const struct finding *finding, const struct witness_step *end) {
  uint32_t thread = thread_of(f, end);
  for (size_t i = 0; i < finding->sites.count; i++)
    if (finding->sites.data[i].thread == thread) return true;
  return false;
}

static bool is_violation(const struct follower *f, const struct finding *finding) {
  const char *name = witness_file_string(f->w, f->w->kind);
  const struct property property = {.name = {.at = name, .length = (uint32_t)strlen(name)}};
  struct text message = {0};
  property_violated_text(&property, &message);
  bool same = finding->kind == FINDING_PROPERTY && strcmp(text_str(&message), text_str(&finding->message)) == 0;
  text_release(&message);
  return same;
}

/* The failure is the witness's: of that kind, with the threads of its ends; of an access, at its place. */
static bool is_it(const struct follower *f, const struct finding *finding) {
  const struct witness_step *ends = f->w->ends.data;
  bool access = f->kind == FINDING_USE_AFTER_FREE || f->kind == FINDING_NULL_DEREFERENCE;
  if (f->kind == FINDING_PROPERTY) return is_violation(f, finding);
  if (finding->kind != f->kind || finding->sites.count == 0) return false;
  for (size_t i = 0; i < f->w->ends.count; i++)
    if (!names_thread(f, finding, &ends[i])) return false;
  const struct witness_site *want = access ? witness_file_site(f->w, ends[0].site) : NULL;
  if (!access || !want || !want->line) return true;
  return is_at(f, finding->sites.data[0].site, want) || stands_at(f, finding->sites.data[0].thread, &ends[0]);
}

static bool look_at_failure(struct follower *f) {
  const struct finding *finding = machine_status(f->m) == MACHINE_FAILED ? machine_finding(f->m) : NULL;
  f->out->shown = finding && is_it(f, finding);
  if (f->out->shown) copy(finding, &f->out->finding), text_clear(&f->out->why);
  return f->out->shown;
}

/* Both accesses are next; then both are made. */
static void look_at_race(struct follower *f) {
  const struct witness_step *ends = f->w->ends.data;
  uint32_t sites[2], count;
  for (unsigned i = 0; i < 2; i++)
    if (!go_to(f, &ends[i], NULL)) return;
  for (unsigned i = 0; i < 2; i++) {
    if (!is_going(f) || !tset_has(machine_enabled(f->m), thread_of(f, &ends[i]))) {
      leaves(f, &ends[i], ", and cannot go on");
      return;
    }
    sites[i] = machine_pending(f->m, thread_of(f, &ends[i]))->site;
    step(f, thread_of(f, &ends[i]), 0);
  }
  struct races races = {0};
  const struct event *trace = machine_trace(f->m, &count);
  races_find(&races, trace, count);
  for (size_t i = 0; i < races.found.count && !f->out->shown; i++) {
    const struct race_pair *pair = &races.found.data[i]; /* one for each two sites */
    uint32_t one = trace[pair->first].site, other = trace[pair->second].site;
    f->out->shown = (one == sites[0] && other == sites[1]) || (one == sites[1] && other == sites[0]);
    if (f->out->shown) race_finding(f->m, trace, *pair, &f->out->finding);
  }
  races_release(&races);
}

/* The last access is next, and made. */
static void look_at_atomicity(struct follower *f) {
  const struct witness_step *end = f->w->ends.data;
  uint32_t last, count, thread = thread_of(f, end);
  if (!go_to(f, end, NULL) || !tset_has(machine_enabled(f->m), thread)) return;
  (void)machine_trace(f->m, &last);
  step(f, thread, 0);
  const struct event *trace = machine_trace(f->m, &count);
  struct atomicity all = {0};
  bool made = last < count && f->noted[0] < last && f->noted[1] < last;
  if (made) atomicity_find(&all, trace, count);
  for (size_t i = 0; i < all.found.count && !f->out->shown; i++) {
    const struct atomicity_triple *t = &all.found.data[i]; /* one for each three sites */
    f->out->shown = trace[t->first].site == trace[f->noted[0]].site && trace[t->between].site == trace[f->noted[1]].site &&
                    trace[t->last].site == trace[last].site;
    if (f->out->shown) atomicity_finding(f->m, trace, t, &f->out->finding);
  }
  atomicity_release(&all);
}

/* Takes the thread over its next event of the property, or to a failure. False: it does not come to one. */
static bool move(struct follower *f, uint32_t thread) {
  bool told = false;
  for (uint32_t n = 0; n < PASSED_MOST && is_going(f) && !told; n++) {
    if (!is_there(f, thread) || !tset_has(machine_enabled(f->m), thread)) return false;
    told = machine_is_told(machine_pending(f->m, thread));
    step(f, thread, 0);
  }
  return told || machine_status(f->m) == MACHINE_FAILED;
}

/* The threads' next events of the property, in any order: is there one that is an error? */
static bool try_orders(struct follower *f, unsigned depth) {
  if (!is_going(f) || depth == MOVES_DEEP) return look_at_failure(f);
  size_t mark = machine_mark(f->m, NULL), steps = f->out->schedule.steps.count;
  struct tset threads = *machine_alive(f->m);
  for (uint32_t t = tset_next(&threads, 0); t < THREADS_MAX && f->moves > 0; t = tset_next(&threads, t + 1)) {
    f->moves--;
    if ((move(f, t) && try_orders(f, depth + 1)) || machine_sharing_changed(f->m)) return f->out->shown;
    machine_rollback(f->m, mark);
    f->out->schedule.steps.count = steps;
  }
  return false;
}

/* The wait begins, and all that can go on does. */
static void wait_for_nobody(struct follower *f) {
  const struct witness_step *end = f->w->ends.data;
  if (!go_to(f, end, NULL) || !tset_has(machine_enabled(f->m), thread_of(f, end))) return;
  step(f, thread_of(f, end), 0);
  for (uint32_t n = 0; n < PASSED_MOST && is_going(f); n++) step(f, tset_next(machine_enabled(f->m), 0), 0);
}

static void go_over_ends(struct follower *f) {
  for (size_t i = 0; i < f->w->ends.count && is_going(f); i++)
    if (!go_to(f, &f->w->ends.data[i], NULL)) return;
  if (f->kind == FINDING_DEADLOCK || !is_going(f)) return; /* that is over when all stand */
  uint32_t thread = thread_of(f, f->w->ends.data);
  if (tset_has(machine_enabled(f->m), thread)) step(f, thread, 0);
}

/* One execution. */
static void follow(struct follower *f) {
  machine_reset(f->m);
  f->noted[0] = f->noted[1] = UINT32_MAX;
  f->moves = MOVES_MOST;
  bool done = do_steps(f);
  if (f->kind == FINDING_DATA_RACE || f->kind == FINDING_ATOMICITY_VIOLATION) { /* which are no failures */
    if (done && f->kind == FINDING_DATA_RACE) look_at_race(f);
    if (done && f->kind == FINDING_ATOMICITY_VIOLATION) look_at_atomicity(f);
  } else if (done && f->kind == FINDING_PROPERTY) {
    (void)try_orders(f, 0);
  } else {
    if (done && f->kind == FINDING_LOST_WAKEUP) wait_for_nobody(f);
    if (done && f->kind != FINDING_LOST_WAKEUP) go_over_ends(f);
    look_at_failure(f);
  }
}

/* Until it is known which memory is shared. */
static void follow_again(struct follower *f) {
  for (unsigned i = 0; i < RESTARTS_MOST; i++) {
    followed_release(f->out);
    *f->out = (struct followed){0};
    follow(f);
    if (!machine_sharing_changed(f->m) || deadline_passed) break;
  }
}

void follow_witness(struct machine *m, const struct witness_file *w, struct followed *out) {
  struct follower f = {.m = m, .w = w, .out = out};
  bool fits_kind =
      kind_of(w, &f.kind) && (w->ends.count > 0 || f.kind == FINDING_PROPERTY) && (f.kind != FINDING_DATA_RACE || w->ends.count == 2);
  if (fits_kind) follow_again(&f);
  f.early = fits_kind && f.kind == FINDING_PROPERTY && !out->shown;
  if (f.early) follow_again(&f);
  if (!out->shown && out->why.count == 0)
    text_puts(&out->why, fits_kind ? "all steps were done, but no detector sees the finding" : "it has no such finding");
}

void followed_release(struct followed *f) {
  vec_release(&f->schedule.steps);
  finding_release(&f->finding);
  text_release(&f->why);
}
