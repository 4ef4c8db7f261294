#include "report.h"

#include <errno.h>

#include "runtime.h"

enum { SHOWN = 1 << 16 };

static struct {
  struct rt_lock lock;   /* one report at a time */
  uint64_t shown[SHOWN]; /* keys of findings: open addressing; entries never change. Any thread reads them */
  unsigned count;        /* reports */
  unsigned by_kind[FINDING_KIND_COUNT];
  uint64_t again; /* findings that were like earlier ones */
} reports;

struct words {
  const char *title, *json, *type;
};
static const struct words words[] = {
#define X(name, title, json, type) [FINDING_##name] = {title, json, type},
    FINDING_KINDS(X)
#undef X
};
const char *finding_title(enum finding_kind kind) { return words[kind].title; }
const char *finding_json_kind(enum finding_kind kind) { return words[kind].json; }
const char *finding_suppression(enum finding_kind kind) { return words[kind].type; }

/* Two findings of the same instructions are the same, whatever calls led there. */
static uint64_t key_of(enum finding_kind kind, const uint32_t *sites, unsigned n) {
  uint64_t key = kind == FINDING_FREED ? FINDING_RACE : kind;
  for (unsigned i = 0; i < n; i++) {
    uint64_t h = context_at(sites[i])->pc * 0x9e3779b97f4a7c15ull;
    key += (h ^ h >> 32) * 0xbf58476d1ce4e5b9ull;
  }
  return key | 1;
}

static uint64_t key_of_finding(const struct finding *f) {
  enum { MOST = 32 };
  uint32_t sites[MOST];
  unsigned n = f->count < MOST ? f->count : MOST;
  for (unsigned i = 0; i < n; i++) sites[i] = f->parts[i].site;
  return key_of(f->kind, sites, n);
}

/* Where that key is or, if it is not there, would be; NULL if there is no room. */
static uint64_t *find(uint64_t key) {
  for (unsigned i = (unsigned)(key >> 20) & (SHOWN - 1), n = 0; n < SHOWN; i = (i + 1) & (SHOWN - 1), n++) {
    uint64_t there = __atomic_load_n(&reports.shown[i], __ATOMIC_RELAXED);
    if (there == key || there == 0) return &reports.shown[i];
  }
  return NULL;
}

static bool is_new(uint64_t key) {
  uint64_t *at = find(key);
  bool new = at &&__atomic_load_n(at, __ATOMIC_RELAXED) == 0;
  if (!new) __atomic_fetch_add(&reports.again, 1, __ATOMIC_RELAXED);
  return new;
}

bool report_is_new(enum finding_kind kind, const uint32_t *sites, unsigned n) { return is_new(key_of(kind, sites, n)); }

unsigned finding_threads(const struct finding *f, const struct thread_info **threads, unsigned n) {
  unsigned found = 0;
  for (unsigned i = 0; i < f->count && found < n; i++) {
    const struct thread_info *t = f->parts[i].thread;
    unsigned k = 0;
    while (k < found && threads[k]->number != (t ? t->number : 0)) k++;
    if (t && t->number != 0 && k == found) threads[found++] = t;
  }
  return found;
}

static void show(const struct finding *f) {
  static struct rt_text out;
  report_as_text(&out, f);
  rt_text_write(&out, options.log);
}

void report_finding(struct thread *t, const struct finding *f) {
  int saved = errno;
  uint64_t key = key_of_finding(f);
  thread_enter(t);
  rt_lock(&reports.lock);
  if (is_new(key)) {
    __atomic_store_n(find(key), key, __ATOMIC_RELAXED);
    reports.count++, reports.by_kind[f->kind]++;
    show(f);
  }
  rt_unlock(&reports.lock);
  thread_leave(t);
  errno = saved;
}

unsigned reports_count(void) { return reports.count; }

void reports_finish(void) {
  static struct rt_text out;
  if (reports.count == 0) return;
  rt_printf(&out, "Heddle: %u finding%s\n", reports.count, reports.count == 1 ? "" : "s");
  rt_text_write(&out, options.log);
}

void reports_before_fork(void) { rt_lock(&reports.lock); }
void reports_after_fork(bool child) {
  if (child) reports.count = 0; /* of its own */
  rt_unlock(&reports.lock);
}
