#include "streaming/streaming.h"

#include <string.h>

#include "base/deadline.h"

#include "streaming/types.h"

enum { FINDINGS_MAX = 100000, BATCH = 4096 };

static const struct streaming_type *const types[] = {&streaming_hb, &streaming_wcp, &streaming_sp, &streaming_edc, &streaming_wdc};

const struct streaming_type *streaming_type(const char *name) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strcmp(types[i]->name, name) == 0) return types[i];
  return NULL;
}

const struct streaming_type *const *streaming_types(size_t *n) {
  *n = sizeof types / sizeof types[0];
  return types;
}

struct streaming *streaming_new(const struct streaming_type *type) {
  struct streaming *s = type->new ();
  s->type = type;
  return s;
}

void streaming_feed(struct streaming *s, const struct event *events, size_t n) {
  s->events += n;
  s->type->feed(s, events, n);
}

void streaming_end(struct streaming *s) { s->type->end(s); }

void streaming_free(struct streaming *s) {
  if (!s) return;
  vec_release(&s->findings);
  hashmap_release(&s->told);
  s->type->free(s);
}

enum err streaming_run(struct streaming **all, size_t n, struct recorded_stream *from) {
  struct event *events = mem_alloc(BATCH * sizeof *events);
  for (size_t got; !deadline_passed && (got = from->next(from, events, BATCH)) > 0;)
    for (size_t i = 0; i < n; i++) streaming_feed(all[i], events, got);
  for (size_t i = 0; i < n; i++) streaming_end(all[i]);
  mem_free(events, BATCH * sizeof *events);
  return from->e;
}

/* Where a site is not known, an object stands for it. */
static uint64_t key_of(const struct told *first, const struct event *second) {
  uint64_t a = first->site ? first->site : hash_pair(first->object, first->thread);
  uint64_t b = second->site ? second->site : hash_pair(first->object, second->thread);
  return hash_pair(hash_pair(a < b ? a : b, a < b ? b : a), first->kind);
}

void streaming_tell(struct streaming *s, const struct told *first, const struct event *second) {
  bool is_new;
  s->found++;
  if (s->findings.count == FINDINGS_MAX) return;
  uint64_t *place = hashmap_at(&s->told, key_of(first, second), s->findings.count, &is_new);
  if (!is_new && first->proof <= s->findings.data[*place].proof) return; /* the first counts, or the first that has more of a proof */
  if (is_new) (void)vec_push(&s->findings);
  s->findings.data[*place] = (struct streaming_finding){
      .kind = first->kind,
      .first = {first->thread, first->time - 1, first->site, first->op},
      .second = {second->thread, second->index, second->site, second->op},
      .object = first->object,
      .why = first->why,
      .proof = first->proof,
  };
}

static uint8_t op_of(enum access_kind kind) {
  switch (kind) {
    case ACCESS_READ:
    case ACCESS_ATOMIC_READ:
      return EVENT_READ;
    case ACCESS_WRITE:
      return EVENT_WRITE;
    case ACCESS_ATOMIC_WRITE:
      return EVENT_RMW;
    case ACCESS_END:
      return EVENT_FREE;
  }
  return EVENT_NONE;
}

/* A read-modify-write may have found another value, and written nothing, where it stands beside the read. */
static bool may_only_read(const struct cell *c, const struct event *e) {
  if (c->kind == ACCESS_READ) return e->op == EVENT_RMW && !(e->flags & RECORDED_ALWAYS_WRITES);
  return c->kind == ACCESS_ATOMIC_WRITE && access_kind(e) == ACCESS_READ;
}

void streaming_race(struct streaming *s, const struct cell *c, const struct event *e, const char *why, enum streaming_proof proof) {
  if (may_only_read(c, e)) proof = PROOF_NONE;
  bool first_ends = c->kind == ACCESS_END, second_ends = e->op == EVENT_FREE;
  if (first_ends) why = second_ends ? "it was freed twice in this run" : "it was used behind its end in this run", proof = PROOF_WHOLE;
  if (e->flags & RECORDED_DOUBTFUL) proof = PROOF_NONE;
  struct told told = {.kind = first_ends && second_ends   ? FINDING_DOUBLE_FREE
                              : first_ends || second_ends ? FINDING_USE_AFTER_FREE
                                                          : FINDING_DATA_RACE,
                      .thread = c->thread,
                      .time = c->time,
                      .site = c->site,
                      .op = op_of(c->kind),
                      .object = cell_object(c, e),
                      .why = why,
                      .proof = proof};
  streaming_tell(s, &told, e);
}
