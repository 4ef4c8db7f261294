#include "report/witness.h"

#include <string.h>

#include "machine/machine.h"
#include "report/schedule_file.h"

struct candidates {
  VEC(struct finding) list;
};

static void copy(const struct finding *from, struct finding *to) {
  *to = (struct finding){.kind = from->kind, .confirmed = true};
  text_puts(&to->message, text_str(&from->message));
  if (from->sites.count == 0) return;
  size_t n = from->sites.count;
  memcpy(vec_push_n(&to->sites, n), from->sites.data, n * sizeof from->sites.data[0]);
}

/* Everything that is wrong with the execution that the machine just made. */
static void detect(const struct machine *m, struct candidates *candidates) {
  if (machine_status(m) == MACHINE_FAILED) copy(machine_finding(m), vec_push(&candidates->list));
}

/* The site's moment: that of its event, or where its thread stands at the end. */
static struct moment moment_of(const struct witness *w, const struct finding_site *site) {
  const struct moment *found = timeline_find(&w->timeline, site->event);
  if (found) return *found;
  return (struct moment){.event = UINT32_MAX, .thread = site->thread};
}

static void locate(struct witness *w, const struct finding *finding) {
  vec_clear(&w->places);
  vec_clear(&w->stacks);
  const struct machine *m = w->replayer.m;
  const struct image *image = w->replayer.image;
  for (size_t i = 0; i < finding->sites.count; i++) {
    const struct finding_site *site = &finding->sites.data[i];
    struct moment moment = moment_of(w, site);
    if (moment.nstack == 0 && site->event == UINT32_MAX && tset_has(machine_alive(m), site->thread)) {
      uint32_t sites[64], n = machine_stack(m, site->thread, sites, 64);
      bool there = n > 0 && sites[0] == site->site; /* the thread may have gone on since */
      moment.stack = (uint32_t)w->timeline.stacks.count;
      moment.nstack = there ? n : 0;
      if (there) memcpy(vec_push_n(&w->timeline.stacks, n), sites, n * sizeof sites[0]);
    }
    const uint32_t *stack = moment.nstack ? w->timeline.stacks.data + moment.stack : &site->site;
    *vec_push(&w->places) = place_of_stack(image, stack, moment.nstack ? moment.nstack : 1);
    *vec_push(&w->stacks) = moment;
  }
}

static bool place_is(const struct schedule_file *file, const struct schedule_site *site, const struct place *place) {
  struct text shown = {0};
  place_file_text(place->file, &shown);
  const char *a = strrchr(text_str(&shown), '/'), *b = schedule_string(file, site->file);
  const char *slash = strrchr(b, '/');
  bool same = strcmp(a ? a + 1 : text_str(&shown), slash ? slash + 1 : b) == 0 && site->line == place->line &&
              site->column == place->column && strcmp(schedule_string(file, site->function), place->function) == 0;
  text_release(&shown);
  return same;
}

/* Is it the file's finding? The kind and the first two places decide. */
static bool is_recorded(struct witness *w, const struct schedule_file *file, const struct finding *finding) {
  if (finding->kind != file->kind) return false;
  size_t n = file->sites.count < 2 ? file->sites.count : 2;
  if (finding->sites.count < n) return false;
  locate(w, finding);
  bool straight = true, crossed = n == 2;
  for (size_t i = 0; i < n; i++) {
    straight = straight && place_is(file, &file->sites.data[i], &w->places.data[i]);
    crossed = crossed && place_is(file, &file->sites.data[i], &w->places.data[1 - i]);
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

enum err witness_make(struct witness *w, struct machine *m, const struct image *image, const struct schedule_file *file,
                      const struct finding *wanted, struct diag *d) {
  *w = (struct witness){0};
  replayer_start(&w->replayer, m, image, file);
  enum err e = timeline_run(&w->timeline, &w->replayer, d);
  if (e) return e;
  struct candidates candidates = {0};
  detect(m, &candidates);
  choose(w, &candidates, file, wanted);
  for (size_t i = 0; i < candidates.list.count; i++) finding_release(&candidates.list.data[i]);
  vec_release(&candidates.list);
  return ERR_NONE;
}

void witness_describe(const struct witness *w, struct schedule_file *file) {
  file->kind = w->finding.kind;
  file->message = schedule_intern(file, text_str(&w->finding.message));
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
