#include "report/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "report/module.h"
#include "runtime.h"

struct confirm_file *plans;

void plans_open(const char *file) {
  struct stat about;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
  void *at = MAP_FAILED;
  if (fd >= 0 && fstat(fd, &about) == 0 && about.st_size == (off_t)sizeof *plans)
    at = mmap(NULL, sizeof *plans, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0) syscall(SYS_close, fd);
  if (at != MAP_FAILED && ((struct confirm_file *)at)->version == CONFIRM_VERSION)
    plans = at;
  else /* of another user, under another root, or left from another time */
    rt_say("heddle: HEDDLE_OPTIONS: confirm: cannot use %s: predictions of this process are not tried\n", file);
}

static void copy(char *to, size_t size, const char *text) {
  size_t n = rt_length(text);
  if (n >= size) n = size - 1;
  rt_copy(to, text, n);
  to[n] = 0;
}

/* The stream itself, whatever `stdin` is by now. */
extern FILE _IO_2_1_stdin_ __attribute__((visibility("default")));
void plans_standard_input(void) {
  if (UNLIKELY(plans != NULL) && _IO_2_1_stdin_._IO_read_base) plans_input(0);
}

static uint64_t hash_path(const char *path) {
  uint64_t h = 0xcbf29ce484222325ull;
  for (; *path; path++) h = (h ^ (unsigned char)*path) * 0x100000001b3ull;
  return h;
}

uint64_t plan_stack(uint32_t node) {
  uint64_t h = 1;
  for (; node != SITE_UNKNOWN; node = context_at(node)->parent) {
    const struct site *s = context_at(node);
    const struct module *m = s->kind < SITE_HELD ? module_at(s->pc - 1) : NULL;
    if (m) h = ((h ^ (s->pc - m->slide)) * 0x9e3779b97f4a7c15ull ^ hash_path(m->path)) * 0xbf58476d1ce4e5b9ull;
  }
  return h;
}

/* False if it is in no file, or in one with a very long name. */
static bool add_place(struct confirm_plan *p, uint32_t site) {
  const struct site *s = context_at(site);
  const struct module *m = site == SITE_UNKNOWN ? NULL : module_at(s->pc - 1);
  if (!m || rt_length(m->path) >= CONFIRM_PATH || p->nplaces == CONFIRM_PLACES) return false;
  struct confirm_place *place = &p->places[p->nplaces++];
  *place = (struct confirm_place){.offset = s->pc - m->slide, .stack = plan_stack(s->parent), .kind = s->kind};
  copy(place->module, sizeof place->module, m->path);
  return true;
}

static bool excludes(const struct finding_lock *l, const struct finding_locks *others) {
  for (unsigned i = 0; i < others->count; i++)
    if (l->address && l->address == others->at[i].address && !(l->shared && others->at[i].shared)) return true;
  return false;
}

/* Where the first event's thread took the first lock that the other one needs, too; and the first lock of all. */
static bool add_locks(struct confirm_plan *p, const struct finding_locks *first, const struct finding_locks *second) {
  unsigned i = 0;
  while (i < first->count && !excludes(&first->at[i], second)) i++;
  if (i == first->count) return true;
  return add_place(p, first->at[i].site) && (i == 0 || add_place(p, first->at[0].site));
}

static const char *cannot(struct confirm_plan *p, const char *why) {
  p->kind = CONFIRM_NONE;
  return why;
}

/* NULL, or why it cannot be tried. */
static const char *plan_pair(struct confirm_plan *p, const struct finding *f) {
  const struct finding_part *first = &f->parts[1], *second = &f->parts[0];
  enum site_kind kinds[] = {(enum site_kind)context_at(first->site)->kind, (enum site_kind)context_at(second->site)->kind};
  if (kinds[0] == SITE_ACTION || kinds[1] == SITE_ACTION) return cannot(p, "calls of methods are not held back");
  if (!add_place(p, first->site) || !add_place(p, second->site)) return cannot(p, "a place of it is in no file");
  p->kind = f->kind == FINDING_LOST ? CONFIRM_LOST : kinds[1] == SITE_FREE || kinds[1] == SITE_CLOSE ? CONFIRM_END : CONFIRM_RACE;
  copy(p->words[0], sizeof p->words[0], first->what), copy(p->words[1], sizeof p->words[1], second->what);
  if (p->kind != CONFIRM_RACE && !add_locks(p, &first->held, &second->held)) return cannot(p, "a lock of it was taken in no file");
  return NULL;
}

static const char *plan_cycle(struct confirm_plan *p, const struct finding *f) {
  p->kind = CONFIRM_CYCLE;
  if (f->count > CONFIRM_PLACES) return cannot(p, "it has too many threads");
  for (unsigned i = 0; i < f->count; i++)
    if (!add_place(p, f->parts[i].site)) return cannot(p, "a place of it is in no file");
  return NULL;
}

static const char *plan(struct confirm_plan *p, const struct finding *f) {
  if (f->kind == FINDING_CYCLE) return plan_cycle(p, f);
  if (f->kind == FINDING_SIGNAL || f->kind == FINDING_ERRNO) return cannot(p, "when a signal comes is not up to the program");
  return plan_pair(p, f);
}

bool plan_keep(const struct finding *f, const struct finding_holes *holes, const struct rt_text *report) {
  uint32_t i = __atomic_fetch_add(&plans->nplans, 1, __ATOMIC_RELAXED);
  uint32_t at = i < CONFIRM_PLANS ? __atomic_fetch_add(&plans->used, (uint32_t)report->count, __ATOMIC_RELAXED) : CONFIRM_TEXT;
  if (i >= CONFIRM_PLANS || at > CONFIRM_TEXT || report->count > CONFIRM_TEXT - at) {
    __atomic_fetch_add(&plans->dropped, 1, __ATOMIC_RELAXED);
    return false;
  }
  struct confirm_plan *p = &plans->plans[i];
  const char *why = plan(p, f), *log = options_log_file();
  copy(p->why, sizeof p->why, why ? why : "");
  rt_copy(plans->text + at, report->data, report->count);
  p->json = options.json, p->text = at, p->size = (uint32_t)report->count;
  for (unsigned k = 0; k < CONFIRM_HOLES; k++) p->holes[k] = (uint32_t)holes->at[k];
  p->descriptor = options.log;
  if (log && rt_length(log) < sizeof p->log) copy(p->log, sizeof p->log, log);
  __atomic_store_n(&p->ready, 1, __ATOMIC_RELEASE);
  return true;
}
