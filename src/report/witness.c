#include "report/witness.h"

#include <string.h>

#include "base/deadline.h"
#include "base/hash.h"
#include "execution/livelock.h"
#include "execution/progress.h"
#include "happens/race.h"
#include "machine/machine.h"
#include "program/image.h"
#include "report/atomicity.h"
#include "report/schedule_file.h"

struct candidates {
  VEC(struct finding) list;
};

static void candidates_release(struct candidates *c) {
  for (size_t i = 0; i < c->list.count; i++) finding_release(&c->list.data[i]);
  vec_release(&c->list);
}

static void copy(const struct finding *from, struct finding *to) {
  *to = (struct finding){.kind = from->kind, .confirmed = true};
  text_puts(&to->message, text_str(&from->message));
  if (from->sites.count == 0) return;
  size_t n = from->sites.count;
  memcpy(vec_push_n(&to->sites, n), from->sites.data, n * sizeof from->sites.data[0]);
}

static void detect_races(const struct machine *m, struct candidates *candidates) {
  struct races races = {0};
  uint32_t count;
  const struct event *trace = machine_trace(m, &count);
  races_find(&races, trace, count);
  for (size_t i = 0; i < races.found.count; i++) race_finding(m, trace, races.found.data[i], vec_push(&candidates->list));
  races_release(&races);
}

static void detect_atomicity(const struct machine *m, struct candidates *candidates) {
  struct atomicity all = {0};
  uint32_t count;
  const struct event *trace = machine_trace(m, &count);
  atomicity_find(&all, trace, count);
  for (size_t i = 0; i < all.found.count; i++) atomicity_finding(m, trace, &all.found.data[i], vec_push(&candidates->list));
  atomicity_release(&all);
}

/* A time when the state was the same as at the end. */
struct recurrence {
  uint32_t from;    /* the first event since */
  struct tset idle; /* threads that could take a step then, and have taken none since */
};
/* Of so many, the last ones, the circle that was found is one. */
#define RECURRENCES_MOST 64u

typedef VEC(struct recurrence) recurrences;

/* Runs the schedule again. */
static void find_recurrences(struct replayer *r, recurrences *all) {
  struct fingerprint end = machine_fingerprint(r->m);
  struct diag d = {0};
  uint32_t thread, event;
  for (replayer_restart(r); !replayer_ended(r) && !replayer_next(r, &thread, &d); replayer_take(r, thread, &event)) {
    if (fingerprint_equal(machine_fingerprint(r->m), end)) {
      if (all->count == RECURRENCES_MOST) memmove(all->data, all->data + 1, --all->count * sizeof *all->data);
      struct recurrence now = {.idle = *machine_enabled(r->m)};
      (void)machine_trace(r->m, &now.from);
      *vec_push(all) = now;
    }
    for (size_t i = 0; i < all->count; i++) tset_remove(&all->data[i].idle, thread);
  }
  diag_release(&d);
}

/* Does a schedule lead out of the circle that the execution ends in? The exploration asked the same (livelock.h). Leaves the machine where
 * it was, unless the search was cut short. */
static bool has_way_out(struct witness *w) {
  struct replayer *r = &w->replayer;
  struct run run;
  enum way_out way = WAY_UNKNOWN;
  run_init(&run, r->m);
  run_begin(&run);
  w->unknown = !run_follow(&run, r->made.steps.data, r->made.steps.count) || !livelock_search(&run, &way);
  run_release(&run);
  return way == WAY_OUT;
}

static void detect_livelock(struct witness *w, struct candidates *candidates) {
  struct replayer *r = &w->replayer;
  recurrences all = {0};
  find_recurrences(r, &all);
  for (size_t i = all.count; i-- > 0;) {
    if (!tset_empty(&all.data[i].idle)) continue;
    struct finding *f = vec_push(&candidates->list);
    *f = (struct finding){.kind = FINDING_LIVELOCK, .confirmed = true};
    text_puts(&f->message, schedule_string(r->file, r->file->message));
    livelock_sites(r->m, all.data[i].from, f);
  }
  vec_release(&all);
  if (candidates->list.count == 0) return;
  w->left = machine_unended(r->m) || has_way_out(w);
  if (w->left || w->unknown) candidates_release(candidates);
}

/* The same, of a machine whose operations may be kept from ending. */
static void detect_progress(struct witness *w, enum progress_condition asked, struct candidates *candidates) {
  struct run run;
  struct finding found = {0};
  run_init(&run, w->replayer.m);
  if (progress_shown(&run, asked, &w->replayer.made, &found))
    *vec_push(&candidates->list) = found;
  else
    finding_release(&found);
  run_release(&run);
}

/* What is wrong with the execution that the machine just made; of what only an exploration looks for, what the file says. */
static void detect(struct witness *w, struct candidates *candidates) {
  const struct machine *m = w->replayer.m;
  enum finding_kind kind = w->replayer.file->kind;
  if (machine_options(m)->unjudged && progress_of_finding(kind)) {
    detect_progress(w, progress_of_finding(kind), candidates);
    return;
  }
  if (machine_status(m) == MACHINE_FAILED) copy(machine_finding(m), vec_push(&candidates->list));
  if (kind == FINDING_DATA_RACE) detect_races(m, candidates);
  if (kind == FINDING_ATOMICITY_VIOLATION) detect_atomicity(m, candidates);
  if (kind == FINDING_LIVELOCK && machine_status(m) == MACHINE_RUNNING) detect_livelock(w, candidates);
}

static bool same_function(const struct image *image, uint32_t a, uint32_t b) {
  return a < image->nsites && b < image->nsites && image->sites[a].function == image->sites[b].function;
}

/* The site's moment, with its call stack: that of its event, or where its thread stands at the end. */
static struct moment moment_of(struct witness *w, const struct finding_site *site) {
  const struct machine *m = w->replayer.m;
  const struct moment *found = timeline_find_site(&w->timeline, &w->replayer, site);
  if (found) return *found;
  struct moment moment = {.event = UINT32_MAX, .thread = site->thread, .stack = (uint32_t)w->timeline.stacks.count};
  uint32_t sites[64], n = machine_stack(m, site->thread, sites, 64);
  if (n == 0 || !same_function(w->replayer.image, sites[0], site->site)) return moment; /* it has gone on since */
  sites[0] = site->site;                                                                /* a thread that failed did not store where */
  memcpy(vec_push_n(&w->timeline.stacks, n), sites, n * sizeof sites[0]);
  moment.nstack = n;
  return moment;
}

static bool is_on(const uint32_t *stack, uint32_t n, uint32_t site) {
  for (uint32_t i = 0; i < n; i++)
    if (stack[i] == site) return true;
  return false;
}

static void locate(struct witness *w, const struct finding *finding) {
  vec_clear(&w->places);
  vec_clear(&w->stacks);
  for (size_t i = 0; i < finding->sites.count; i++) {
    const struct finding_site *site = &finding->sites.data[i];
    struct moment moment = moment_of(w, site);
    const uint32_t *stack = w->timeline.stacks.data + moment.stack;
    if (!is_on(stack, moment.nstack, site->site)) stack = &site->site, moment.nstack = 0; /* another moment of that thread */
    *vec_push(&w->places) = place_of_stack(w->replayer.image, stack, moment.nstack ? moment.nstack : 1);
    *vec_push(&w->stacks) = moment;
  }
}

static bool place_is(const struct schedule_file *file, bool same_program, const struct schedule_site *site, const struct place *place) {
  struct text shown = {0};
  place_file_text(place->file, &shown);
  const char *a = strrchr(text_str(&shown), '/'), *b = schedule_string(file, site->file);
  const char *slash = strrchr(b, '/');
  bool same_file = !same_program || strcmp(a ? a + 1 : text_str(&shown), slash ? slash + 1 : b) == 0;
  bool same = same_file && site->line == place->line && site->column == place->column &&
              strcmp(schedule_string(file, site->function), place->function) == 0;
  text_release(&shown);
  return same;
}

static bool role_is(const struct schedule_file *file, const struct schedule_site *site, const struct finding_site *found) {
  return strcmp(schedule_string(file, site->role), found->role) == 0;
}

/* Is it the file's finding? The kind and the first two sites decide, in any order. */
static bool is_recorded(struct witness *w, const struct schedule_file *file, const struct finding *finding) {
  if (finding->kind != file->kind) return false;
  size_t n = file->sites.count < 2 ? file->sites.count : 2;
  if (finding->sites.count < n) return false;
  locate(w, finding);
  bool straight = true, crossed = n == 2;
  for (size_t i = 0; i < n; i++) {
    const struct schedule_site *site = &file->sites.data[i];
    bool same_program = w->replayer.same_program;
    straight = straight && role_is(file, site, &finding->sites.data[i]) && place_is(file, same_program, site, &w->places.data[i]);
    crossed = crossed && role_is(file, site, &finding->sites.data[1 - i]) && place_is(file, same_program, site, &w->places.data[1 - i]);
  }
  return straight || crossed;
}

static void choose(struct witness *w, const struct candidates *candidates, const struct schedule_file *file, const struct finding *wanted) {
  for (size_t i = 0; i < candidates->list.count && !w->shown; i++) {
    const struct finding *finding = &candidates->list.data[i];
    bool same = wanted ? finding_key(finding) == finding_key(wanted) : is_recorded(w, file, finding);
    if (!same) continue;
    copy(finding, &w->finding);
    locate(w, &w->finding);
    w->shown = true;
  }
}

/* One execution of the schedule. */
static enum err look(struct witness *w, struct machine *m, const struct image *image, const struct schedule_file *file,
                     const struct finding *wanted, struct diag *d) {
  struct candidates candidates = {0};
  *w = (struct witness){0};
  replayer_start(&w->replayer, m, image, file);
  enum err e = timeline_run(&w->timeline, &w->replayer, d);
  if (e) return e;
  detect(w, &candidates);
  choose(w, &candidates, file, wanted);
  candidates_release(&candidates);
  return ERR_NONE;
}

enum err witness_make(struct witness *w, struct machine *m, const struct image *image, const struct schedule_file *file,
                      const struct finding *wanted, struct diag *d) {
  enum err e = look(w, m, image, file, wanted, d);
  /* What lies behind a circle may show that more memory is shared: then its accesses are steps of the next execution. */
  while (e == ERR_NONE && w->unknown && machine_sharing_changed(m) && !deadline_passed) {
    witness_release(w);
    e = look(w, m, image, file, wanted, d);
  }
  if (e == ERR_NONE && w->unknown) return diag_set(d, ERR_INTERRUPTED, "there was no time left to look for a way out of the circle");
  return e;
}

void witness_describe(const struct witness *w, struct schedule_file *file) {
  file->kind = w->finding.kind;
  struct text message = {0};
  names_relative(text_str(&w->finding.message), &message);
  file->message = schedule_intern(file, text_str(&message));
  text_release(&message);
  vec_clear(&file->sites);
  for (size_t i = 0; i < w->finding.sites.count; i++) {
    const struct finding_site *site = &w->finding.sites.data[i];
    const struct place *place = &w->places.data[i];
    struct schedule_site s = {.thread = schedule_intern(file, machine_thread_name(w->replayer.m, site->thread)),
                              .role = schedule_intern(file, site->role),
                              .file = schedule_intern(file, place->file),
                              .function = schedule_intern(file, place->function),
                              .line = place->line,
                              .column = place->column};
    *vec_push(&file->sites) = s;
  }
}

void witness_release(struct witness *w) {
  replayer_release(&w->replayer);
  timeline_release(&w->timeline);
  finding_release(&w->finding);
  vec_release(&w->places);
  vec_release(&w->stacks);
  *w = (struct witness){0};
}
