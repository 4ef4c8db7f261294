#include "recorded_machine.h"

#include <string.h>

void run_add(struct run *r, const struct event *e) {
  struct event *to = &r->trace[r->n];
  *to = *e;
  to->index = r->length[e->thread];
  r->by_thread[e->thread][r->length[e->thread]++] = (uint8_t)r->n++;
  if (e->thread >= r->threads) r->threads = e->thread + 1;
  if (e->op == EVENT_FORK) r->forks |= (uint8_t)(1u << e->object);
}

static bool begins_word(const struct event *e) { return e->op == EVENT_ALLOC && e->object == RUN_MEMORY + 8 * (RUN_WORDS - 2); }

static void has(struct run *r, uint32_t thread, uint32_t which, uint32_t since) {
  if (since < r->pointers[thread][which]) r->pointers[thread][which] = (uint8_t)since;
}

/* Nobody knows since when. */
static void has_had(struct run *r, const struct event *e, uint32_t which, uint32_t begin) {
  uint32_t since = which == 0 ? 0 : e->index;
  for (uint32_t i = begin; i < r->n; i++)
    if (r->trace[i].op == EVENT_FORK && r->trace[i].object == e->thread) since = 0;
  if (r->pointers[e->thread][which] == RUN_NEVER) has(r, e->thread, which, since);
}

static void find_pointers(struct run *r, const struct event *e, uint32_t begin) {
  static const uint64_t pointers[] = {RUN_POINTER, RUN_LATER};
  if (begins_word(e)) has(r, e->thread, 1, e->index + 1);
  for (uint32_t which = 0; which < 2 && run_is_access(e); which++) {
    if (run_words(e) >> (RUN_WORDS - 2 + which) & 1) has_had(r, e, which, begin);
    if ((e->op == EVENT_READ || e->op == EVENT_RMW) && e->value == pointers[which]) has(r, e->thread, which, e->index + 1);
    if ((e->op == EVENT_WRITE ? e->value : e->op == EVENT_RMW ? e->value2 : 0) == pointers[which]) has_had(r, e, which, begin);
  }
}

void run_find_pointers(struct run *r, uint32_t from) {
  uint32_t begin = UINT32_MAX, by = UINT32_MAX;
  memset(r->pointers, RUN_NEVER, sizeof r->pointers);
  for (uint32_t i = 0; i < r->n && begin == UINT32_MAX; i++) {
    const struct event *e = &r->trace[i];
    if (i >= from && e->op == EVENT_FREE && (run_words(e) >> (RUN_WORDS - 2) & 1)) by = e->thread;
    if (begins_word(e)) begin = i;
  }
  r->reuses = by != UINT32_MAX && begin != UINT32_MAX && r->trace[begin].thread != by;
  for (uint32_t t = 0; t < RUN_THREADS && from > 0; t++) r->pointers[t][0] = 0;
  for (uint32_t i = 0; i < r->n && r->reuses; i++) find_pointers(r, &r->trace[i], begin);
  for (uint32_t i = 0; i < r->n && r->reuses; i++) {
    const struct event *e = &r->trace[i];
    for (uint32_t which = 0; which < 2; which++) {
      if (e->op == EVENT_JOIN && r->pointers[e->object][which] != RUN_NEVER) has(r, e->thread, which, e->index + 1);
    }
  }
}

void run_find_knowers(struct run *r) {
  bool knows[RUN_THREADS] = {0}, tells[RUN_UNITS] = {0};
  for (uint32_t t = 0; t < RUN_THREADS; t++) r->pointers[t][0] = 0, r->pointers[t][1] = RUN_NEVER;
  for (uint32_t i = 0; i < r->n; i++) {
    const struct event *e = &r->trace[i];
    bool *now = &knows[e->thread];
    if (e->op == EVENT_FORK && *now) knows[e->object] = true, has(r, (uint32_t)e->object, 1, 0);
    *now |= begins_word(e) || (e->op == EVENT_JOIN && knows[e->object]);
    for (uint32_t k = 0; run_is_access(e) && e->op != EVENT_FREE && k < run_units(e); k++) *now |= e->op != EVENT_WRITE && tells[run_unit(e) + k];
    for (uint32_t k = 0; (e->op == EVENT_WRITE || e->op == EVENT_RMW) && k < run_units(e); k++) tells[run_unit(e) + k] = *now;
    if (*now) has(r, e->thread, 1, e->index + 1);
  }
}

bool run_changed(const struct run *r, const struct run_state *s, uint32_t thread) {
  bool both = r->pointers[thread][0] <= s->position[thread] && r->pointers[thread][1] <= s->position[thread];
  return (s->changed >> thread & 1) || (r->reuses && !s->reused && both);
}

static uint8_t unit_of(uint64_t value, uint32_t i) { return (uint8_t)(value >> 16 * i); }

/* From behind: what must be there before each operation. */
static void begin_counts(const struct run *r, struct run_state *s) {
  for (uint32_t i = r->n; i-- > 0;) {
    const struct event *e = &r->trace[i];
    if (e->op == EVENT_SEM_WAIT) s->count[run_count(e)]++; /* where a try was in vain it is 0: no more is needed there */
    if (e->op == EVENT_SEM_POST && s->count[run_count(e)] > 0) s->count[run_count(e)]--;
  }
}

/* The unit of an access: what it writes, or (`before`) reads. */
static uint8_t unit_at(const struct run *r, const struct event *e, uint32_t k, bool before) {
  if (run_is_wide(e)) return r->units[r->by_thread[e->thread][e->index]][k % RUN_WIDE];
  return unit_of(e->op == EVENT_RMW && !before ? e->value2 : e->value, k);
}

/* What each unit of the event's memory is, before it. */
static bool as_it_was(const struct run *r, const struct run_state *s, const struct event *e) {
  bool same = true;
  for (uint32_t k = 0; k < run_units(e); k++) same &= s->memory[run_unit(e) + k] == unit_at(r, e, k, true);
  return same;
}

void run_hide_units(struct run *r) {
  struct run_state s;
  int writer[RUN_UNITS]; /* the wide access that wrote the unit and that nobody has told about; -1: none */
  memset(writer, 0xff, sizeof writer);
  for (uint32_t i = 0; i < r->n; i++)
    if (run_is_wide(&r->trace[i])) memset(r->units[i], (int)(RUN_WIDE + i), sizeof r->units[i]);
  for (uint32_t i = 0; i < r->n; i++) {
    const struct event *e = &r->trace[i];
    for (uint32_t k = 0; run_is_access(e) && e->op != EVENT_FREE && k < run_units(e); k++) {
      int *by = &writer[run_unit(e) + k];
      if (*by >= 0 && !run_is_wide(e) && e->op != EVENT_WRITE) {
        uint32_t at = run_unit(e) + k - run_unit(&r->trace[*by]);
        if (at < RUN_WIDE) r->units[*by][at] = unit_at(r, e, k, true);
      }
      if (e->op != EVENT_READ || !run_is_wide(e)) *by = e->op == EVENT_WRITE && run_is_wide(e) ? (int)i : -1;
    }
  }
  run_begin(r, &s);
  for (uint32_t i = 0; i < r->n; i++) {
    const struct event *e = &r->trace[i];
    for (uint32_t k = 0; run_is_access(e) && e->op != EVENT_FREE && k < run_units(e); k++) {
      uint8_t *there = &s.memory[run_unit(e) + k];
      if (run_is_wide(e) && e->op == EVENT_READ) r->units[i][k % RUN_WIDE] = *there;
      if (e->op != EVENT_READ) *there = unit_at(r, e, k, false);
    }
  }
}

void run_begin(const struct run *r, struct run_state *s) {
  bool known[RUN_UNITS] = {0};
  memset(s, 0, sizeof *s);
  memset(s->memory, RUN_FIRST, sizeof s->memory);
  for (uint32_t i = 0; i < r->n; i++) {
    const struct event *e = &r->trace[i];
    for (uint32_t k = 0; run_is_access(e) && k < run_units(e); k++) {
      uint32_t unit = run_unit(e) + k;
      if (run_is_wide(e) && e->op == EVENT_READ) continue;
      if (!known[unit] && (e->op == EVENT_READ || e->op == EVENT_RMW)) s->memory[unit] = unit_of(e->value, k);
      known[unit] = true;
    }
  }
  begin_counts(r, s);
}

uint64_t run_value(const struct run_state *s, const struct event *e) {
  uint64_t value = 0;
  for (uint32_t k = 0; k < run_units(e); k++) value |= (uint64_t)s->memory[run_unit(e) + k] << 16 * k;
  return value;
}

const struct event *run_next(const struct run *r, const struct run_state *s, uint32_t thread) {
  if ((r->forks & ~s->forked) >> thread & 1) return NULL;
  if (s->position[thread] == r->length[thread]) return NULL;
  const struct event *e = &r->trace[r->by_thread[thread][s->position[thread]]];
  return run_decides(e) && run_changed(r, s, thread) ? NULL : e;
}

uint32_t run_blockers(const struct run_state *s, const struct event *e) {
  uint32_t lock = run_lock(e->object), set = s->writer[lock] ? 1u << (s->writer[lock] - 1) : 0;
  if (!(e->flags & EVENT_SHARED_LOCK)) set |= s->readers[lock];
  return set & ~(1u << e->thread);
}

uint32_t run_waiters(const struct run_state *s, const struct event *e) {
  return e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST ? s->waiting & ~(uint32_t)s->woken : 0;
}

bool run_trust(struct run *r) {
  for (uint32_t i = 0; i < r->n; i++)
    r->trusts |= (r->trace[i].flags & EVENT_OUTSIDE) && (r->trace[i].op == EVENT_READ || r->trace[i].op == RECORDED_BRANCH);
  return r->trusts;
}

static bool is_trusted(const struct run *r, const struct event *e) { return r->trusts && (e->flags & EVENT_OUTSIDE); }

static bool may_access(const struct run *r, const struct run_state *s, const struct event *e) {
  if (s->freed & run_words(e)) return false;
  return !run_decides(e) || (!run_changed(r, s, e->thread) && as_it_was(r, s, e));
}

bool run_may(const struct run *r, const struct run_state *s, const struct event *e) {
  if (run_is_access(e)) return may_access(r, s, e);
  if (e->op == RECORDED_BRANCH) return is_trusted(r, e) ? !(s->misled >> e->thread & 1) : !run_changed(r, s, e->thread);
  bool woken = s->woken >> e->thread & 1;
  switch (e->op) {
    case EVENT_ACQUIRE:
      return run_blockers(s, e) == 0;
    case EVENT_TRYFAIL:
      return run_is_count(e) ? s->count[run_count(e)] == 0 : run_blockers(s, e) != 0;
    case EVENT_WAIT_LEAVE:
      if (e->flags & EVENT_TIMED_OUT) return !woken;
      return woken && s->writer[run_lock(e->value2)] == 0 && s->readers[run_lock(e->value2)] == 0;
    case EVENT_SEM_WAIT:
      return s->count[run_count(e)] > 0;
    case EVENT_BARRIER_LEAVE:
      return s->passed >> e->thread & 1;
    case EVENT_JOIN:
      return s->position[e->object] == r->length[e->object];
    default:
      return true;
  }
}

static void access(const struct run *r, struct run_state *s, const struct event *e) {
  bool reads = e->op == EVENT_READ || e->op == EVENT_RMW, null = !run_is_wide(e) && run_value(s, e) == 0;
  uint8_t self = (uint8_t)(1u << e->thread);
  if (reads && !as_it_was(r, s, e)) {
    if (e->op == EVENT_RMW || !is_trusted(r, e)) s->changed |= self;
    if (e->op == EVENT_RMW && is_trusted(r, e)) s->misled |= self;
  }
  if (reads) {
    if (null) s->nulls[e->thread] |= (uint16_t)(1u << s->reads[e->thread]);
    s->reads[e->thread]++;
  }
  if (e->op == EVENT_FREE) s->freed |= (uint8_t)run_words(e);
  if (e->op != EVENT_WRITE && e->op != EVENT_RMW) return;
  for (uint32_t k = 0; k < run_units(e); k++) s->memory[run_unit(e) + k] = s->changed >> e->thread & 1 ? RUN_OTHER : unit_at(r, e, k, false);
}

/* The round's last arrival lets all leave. */
static void arrive(const struct run *r, struct run_state *s, uint8_t self) {
  s->arrived |= self;
  if ((uint32_t)__builtin_popcount(s->arrived) < r->round) return;
  s->passed |= s->arrived, s->arrived = 0;
}

static void take(struct run_state *s, uint32_t thread, uint32_t lock, bool shared) {
  if (shared)
    s->readers[lock] |= (uint8_t)(1u << thread);
  else
    s->writer[lock] = (uint8_t)(thread + 1);
}

static void release(struct run_state *s, uint32_t thread, uint32_t lock) {
  s->readers[lock] &= (uint8_t) ~(1u << thread);
  if (s->writer[lock] == thread + 1) s->writer[lock] = 0;
}

void run_apply(const struct run *r, struct run_state *s, const struct event *e, uint32_t woken) {
  uint8_t self = (uint8_t)(1u << e->thread);
  if (run_changed(r, s, e->thread)) s->changed |= self;
  s->position[e->thread]++;
  s->woken |= (uint8_t)woken;
  if (run_is_access(e)) access(r, s, e);
  if (e->op == RECORDED_BRANCH) s->nulls[e->thread] = s->reads[e->thread] = 0;
  if (begins_word(e)) s->reused = s->freed >> (RUN_WORDS - 2) & 1;
  if (e->op == EVENT_FORK) s->forked |= (uint8_t)(1u << e->object);
  if (e->op == EVENT_ACQUIRE) take(s, e->thread, run_lock(e->object), e->flags & EVENT_SHARED_LOCK);
  if (e->op == EVENT_RELEASE) release(s, e->thread, run_lock(e->object));
  if (e->op == EVENT_SEM_POST) s->count[run_count(e)]++;
  if (e->op == EVENT_SEM_WAIT) s->count[run_count(e)]--;
  if (e->op == EVENT_BARRIER_ENTER) arrive(r, s, self);
  if (e->op == EVENT_BARRIER_LEAVE) s->passed &= (uint8_t)~self;
  if (e->op == EVENT_WAIT_ENTER) {
    release(s, e->thread, run_lock(e->value2));
    s->waiting |= self;
  }
  if (e->op != EVENT_WAIT_LEAVE) return;
  s->waiting &= (uint8_t)~self, s->woken &= (uint8_t)~self;
  if (!(e->flags & EVENT_TIMED_OUT)) take(s, e->thread, run_lock(e->value2), false);
}
