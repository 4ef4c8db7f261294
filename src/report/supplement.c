#include "report/supplement.h"

#include <string.h>

#include "base/hash.h"
#include "report/predicted.h"
#include "report/recorded_place.h"

/* Names by what they say, not by number: a place that was inlined twice has two. A place that nobody knows is its thread and its memory. */
static uint64_t event_key(const struct predicted_event *e, const struct recorded_names *names) {
  struct place p = recorded_place(names, e->site);
  if (!*p.file && !*p.function && !p.line) return hash_pair(e->object, e->thread);
  uint64_t text = hash_pair(hash_bytes(p.file, strlen(p.file), 0), hash_bytes(p.function, strlen(p.function), 0));
  return hash_pair(text, (uint64_t)p.line << 32 | p.column);
}

/* In any order of the events. */
static uint64_t places_key(const struct predicted_report *r, const struct predicted *f, const struct recorded_names *names) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < f->events; i++) sum += event_key(&r->events.data[f->event + i], names);
  return hash_pair(hash_bytes(f->kind, f->kind_length, 0), sum);
}

static void drop(struct predicted *f) {
  text_release(&f->file);
  text_release(&f->how);
}

/* Of those from `from` on, keeps what `told` does not have, and adds it. The findings before `from` may have been thinned out to `kept`. */
static size_t keep_new(struct predicted_report *r, size_t from, size_t kept, struct hashmap *told, const struct recorded_names *names) {
  for (size_t i = from; i < r->findings.count; i++) {
    struct predicted *f = &r->findings.data[i];
    bool is_new = false;
    if (f->status == PREDICTED_PROVEN || f->conditional) hashmap_at(told, places_key(r, f, names), 1, &is_new);
    if (is_new)
      r->findings.data[kept++] = *f;
    else
      drop(f);
  }
  return kept;
}

/* Of those before `end`, takes out what is undecided and `told` has. */
static size_t drop_undecided(struct predicted_report *r, size_t end, const struct hashmap *told, const struct recorded_names *names) {
  size_t kept = 0;
  for (size_t i = 0; i < end; i++) {
    struct predicted *f = &r->findings.data[i];
    if (f->status == PREDICTED_UNDECIDED && hashmap_find(told, places_key(r, f, names)))
      drop(f);
    else
      r->findings.data[kept++] = *f;
  }
  return kept;
}

size_t supplement_apply(struct predicted_report *r, size_t first, const struct recorded_names *names) {
  struct hashmap told = {0};
  for (size_t i = 0; i < first; i++)
    if (r->findings.data[i].status == PREDICTED_PROVEN || r->findings.data[i].conditional)
      hashmap_at(&told, places_key(r, &r->findings.data[i], names), 1, NULL);
  size_t end = keep_new(r, first, first, &told, names);
  size_t before = drop_undecided(r, first, &told, names), n = end - first;
  if (n > 0) memmove(r->findings.data + before, r->findings.data + first, n * sizeof *r->findings.data);
  r->findings.count = before + n;
  hashmap_release(&told);
  return n;
}
