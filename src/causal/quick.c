/* Witnesses that need no search: a part of the trace, in the trace's order, with the read behind it. If the part has with each read the
 * write that it returned, with each operation what came before it at its object, and with each section that another one comes after its
 * end, then it can be executed like that. For most questions whose answer is yes there is such a part. SC alone. */
#include "causal/internal.h"

/* Larger traces have rows of many words, and few questions that are so simple. */
#define MOST_EVENTS 1024u

static uint64_t *row(struct causal *c, uint32_t event) { return &c->closure.data[(size_t)(event - c->prefix) * c->words]; }
static bool has(const struct causal *c, const uint64_t *set, uint32_t event) {
  return set[(event - c->prefix) >> 6] >> ((event - c->prefix) & 63) & 1;
}

static uint64_t *must_row(struct causal *c, uint32_t event) { return &c->must.data[(size_t)(event - c->prefix) * c->words]; }

/* Adds what must happen before `event`, and itself. */
static void join_must(struct causal *c, uint64_t *to, uint32_t event) {
  if (event == NONE || event < c->prefix) return;
  const uint64_t *from = must_row(c, event);
  for (uint32_t w = 0; w < c->words; w++) to[w] |= from[w];
}

/* Adds what `event` needs, and itself. */
static void join(struct causal *c, uint64_t *to, uint32_t event) {
  if (event == NONE || event < c->prefix) return;
  const uint64_t *from = row(c, event);
  for (uint32_t w = 0; w < c->words; w++) to[w] |= from[w];
}

static void join_all_before(struct causal *c, uint64_t *to, uint32_t event) {
  for (uint32_t i = c->prefix; i < event; i++) to[(i - c->prefix) >> 6] |= 1ull << ((i - c->prefix) & 63);
}

static bool is_operation(const struct event *e) { return e->op >= EVENT_ACQUIRE && e->op <= EVENT_SEM_WAIT; }
static bool is_plain_lock(const struct event *e) {
  return (e->op == EVENT_ACQUIRE || e->op == EVENT_RELEASE) && !(e->flags & (EVENT_TRY | EVENT_TIMED));
}

/* Operations that look at more than whether a lock is free, on which object: these keep the trace's order. Waits name two objects, and any
 * wait puts all operations into one order. */
static void find_chains(struct causal *c) {
  vec_clear(&c->chained);
  uint32_t *last = vec_push_n(&c->chained, c->locations.count + 1);
  bool waits = false;
  for (size_t i = 0; i < c->locations.count; i++) last[i] = NONE;
  for (uint32_t i = 0; i < c->n; i++) {
    const struct event *e = &c->trace[i];
    if (!is_operation(e) || is_plain_lock(e)) continue;
    last[c->info.data[i].location] = 0;
    waits |= e->op == EVENT_WAIT_ENTER || e->op == EVENT_WAIT_LEAVE;
  }
  for (size_t i = 0; i < c->locations.count; i++) {
    const struct location *at = &c->locations.data[i];
    bool mixed = at->operated && c->components.data[at->component].accessed;
    last[i] = waits || mixed || last[i] == 0 ? 0 : NONE;
  }
  last[c->locations.count] = waits ? 0 : NONE;
}

/* The chain of the event's object, as where its last operation is noted (that plus 1; 0: none so far); NULL: it is in none. */
static uint32_t *chain_of(struct causal *c, uint32_t event) {
  uint32_t at = c->info.data[event].location, count = (uint32_t)c->locations.count;
  if (at == NONE || c->chained.data[at] == NONE) return NULL;
  bool operation = is_operation(&c->trace[event]);
  const struct component *x = &c->components.data[c->locations.data[at].component];
  if (!operation && !x->operated) return NULL;
  return &c->chained.data[c->chained.data[count] != NONE ? count : at];
}

static void note_write(struct causal *c, uint32_t event, uint32_t cell) {
  const struct event *e = &c->trace[event];
  struct quick_cell *x = &c->quick.data[cell];
  bool vague = e->op == EVENT_FREE || e->size > 8;
  uint64_t value = cell_value(&c->cells.data[cell], e, e->op == EVENT_RMW ? e->value2 : e->value);
  *vec_push(&c->writes) = (struct quick_write){.event = event, .before = x->last, .vague = vague, .value = value};
  x->last = (uint32_t)c->writes.count - 1;
  if (e->op == EVENT_FREE) x->freed = event;
}

/* The write that a read returned, and the free behind which an access comes. */
static void join_memory(struct causal *c, uint64_t *to, uint32_t event) {
  const struct event *e = &c->trace[event];
  const struct location *at = &c->locations.data[c->info.data[event].location];
  bool reads = e->op == EVENT_READ || e->op == EVENT_RMW, writes = e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE;
  if (e->op == EVENT_AWAIT) join_all_before(c, to, event);
  for (uint32_t i = at->cell; i < at->cell + at->cells; i++) {
    struct quick_cell *x = &c->quick.data[i];
    const struct quick_write *last = x->last == NONE ? NULL : &c->writes.data[x->last];
    join(c, to, x->freed);
    if (reads && last) {
      join(c, to, last->event);
      x->odd |= last->vague || last->value != cell_value(&c->cells.data[i], e, e->value);
    }
    if (writes) note_write(c, event, i);
  }
}

static void join_end(struct causal *c, uint64_t *to, uint64_t *must, uint32_t end) {
  join(c, to, end);
  join_must(c, must, end);
}

static void find_needs(struct causal *c, uint32_t event) {
  const struct event *e = &c->trace[event];
  const struct info *x = &c->info.data[event];
  const struct thread *t = &c->threads.data[x->slot];
  uint64_t *to = row(c, event), *must = must_row(c, event);
  uint32_t before = x->previous == NONE ? t->fork : x->previous;
  for (uint32_t w = 0; w < c->words; w++) to[w] = must[w] = 0;
  to[(event - c->prefix) >> 6] |= 1ull << ((event - c->prefix) & 63);
  join_must(c, must, before);
  must[(event - c->prefix) >> 6] |= 1ull << ((event - c->prefix) & 63);
  join(c, to, before);
  if (e->op == EVENT_JOIN && !(e->flags & EVENT_TIMED_OUT) && e->object < THREADS_MAX && c->slot_of[e->object])
    join_end(c, to, must, c->threads.data[c->slot_of[e->object] - 1].last);
  if (e->op == EVENT_AWAIT && x->location == NONE) join_all_before(c, to, event);
  if (x->location != NONE && !is_operation(e)) join_memory(c, to, event);
  uint32_t *chain = chain_of(c, event);
  if (!chain) return;
  if (*chain) join(c, to, *chain - 1);
  *chain = event + 1;
}

/* All events of a step need what any of them needs. */
static void share_needs(struct causal *c, uint32_t last) {
  for (uint32_t i = c->info.data[last].head; i < last; i++)
    for (uint32_t w = 0; w < c->words; w++) row(c, i)[w] = row(c, last)[w], must_row(c, i)[w] = must_row(c, last)[w];
}

void quick_build(struct causal *c) {
  uint32_t n = c->n - c->prefix;
  c->is_quick = c->options.memory == CAUSAL_SC && !c->options.thorough && !c->needs && n > 0 && n <= MOST_EVENTS;
  if (!c->is_quick) return;
  c->words = (n + 63) / 64;
  vec_clear(&c->closure);
  vec_clear(&c->quick);
  vec_clear(&c->writes);
  vec_clear(&c->must);
  (void)vec_push_n(&c->closure, (size_t)n * c->words);
  (void)vec_push_n(&c->must, (size_t)n * c->words);
  struct quick_cell *cells = vec_push_n(&c->quick, c->cells.count);
  for (size_t i = 0; i < c->cells.count; i++) cells[i] = (struct quick_cell){.last = NONE, .freed = NONE, .odd = c->cells.data[i].freed};
  find_chains(c);
  for (uint32_t i = c->prefix; i < c->n; i++) {
    const struct info *x = &c->info.data[i];
    if (x->head == i && (c->trace[i].flags & EVENT_INTERNAL)) c->is_quick = false;
    find_needs(c, i);
    if (x->head != i && (x->next == NONE || c->info.data[x->next].head != x->head)) share_needs(c, i);
  }
}

/* --- one question --- */

/* Adds the end of the section that the acquire begins. */
static bool close_section(struct causal *c, uint64_t *set, uint32_t acquire) {
  const struct event *a = &c->trace[acquire];
  uint32_t depth = 1;
  for (uint32_t i = c->info.data[acquire].next; i != NONE && i < c->n; i = c->info.data[i].next) {
    const struct event *e = &c->trace[i];
    if (e->object != a->object || (e->op != EVENT_ACQUIRE && e->op != EVENT_RELEASE)) continue;
    depth += e->op == EVENT_ACQUIRE ? 1 : -1u;
    if (depth > 0) continue;
    if (i < c->prefix || has(c, set, i)) return false; /* the lock does not behave like one */
    join(c, set, i);
    return true;
  }
  return false;
}

/* c->work: the acquires of sections that are open, as far as the part has been looked at. */
static void forget_section(struct causal *c, const struct event *release) {
  for (size_t i = c->work.count; i-- > 0;) {
    const struct event *a = &c->trace[c->work.data[i]];
    if (a->object != release->object || a->thread != release->thread) continue;
    c->work.data[i] = vec_last(&c->work);
    c->work.count--;
    return;
  }
}

/* Adds the ends of sections that another one comes after. `*again`: something was added. False: one does not end. */
static bool close_sections(struct causal *c, uint64_t *set, bool *again) {
  vec_clear(&c->work);
  *again = false;
  for (uint32_t e = 0; e < c->n; e++) {
    const struct event *x = &c->trace[e];
    if ((x->op != EVENT_ACQUIRE && x->op != EVENT_RELEASE) || (e >= c->prefix && !has(c, set, e))) continue;
    if (c->chained.data[c->info.data[e].location] != NONE) continue; /* the part has all that came before */
    if (x->op == EVENT_RELEASE) {
      forget_section(c, x);
      continue;
    }
    for (size_t i = 0; i < c->work.count && !*again; i++) {
      const struct event *a = &c->trace[c->work.data[i]];
      bool shared = a->flags & x->flags & EVENT_SHARED_LOCK;
      if (a->object != x->object || a->thread == x->thread || shared) continue;
      if (!close_section(c, set, c->work.data[i])) return false;
      *again = true;
    }
    if (*again) return true;
    *vec_push(&c->work) = e;
  }
  return true;
}

/* Completes the part; false if it cannot be, or has the read itself, or what nothing can follow. */
static bool complete(struct causal *c, uint64_t *set, uint32_t read) {
  for (bool again = c->locks; again && !has(c, set, read);)
    if (!close_sections(c, set, &again)) return false;
  return !has(c, set, read) && !(c->cut && has(c, set, c->n - 1));
}

/* Does the cell have the value behind the part? */
static bool leaves(const struct causal *c, const uint64_t *set, uint32_t cell, uint64_t value) {
  for (uint32_t i = c->quick.data[cell].last; i != NONE; i = c->writes.data[i].before) {
    const struct quick_write *w = &c->writes.data[i];
    if (has(c, set, w->event)) return !w->vague && w->value == value;
  }
  return c->cells.data[cell].known && c->cells.data[cell].initial == value;
}

static uint32_t size_of(const struct causal *c, const uint64_t *set) {
  uint32_t n = 0;
  for (uint32_t w = 0; w < c->words; w++) n += (uint32_t)__builtin_popcountll(set[w]);
  return n;
}

/* Tries the part with and without a write; keeps the smallest that does. */
static void try_part(struct causal *c, uint32_t read, uint32_t cell, uint64_t value, uint32_t write, uint32_t *best) {
  uint64_t *set = c->parts.data, *chosen = set + 2 * c->words;
  const uint64_t *base = set + c->words;
  for (uint32_t w = 0; w < c->words; w++) set[w] = base[w];
  join(c, set, write);
  if (size_of(c, set) >= *best || has(c, set, read) || !complete(c, set, read) || !leaves(c, set, cell, value)) return;
  uint32_t size = size_of(c, set);
  if (size >= *best) return;
  *best = size;
  for (uint32_t w = 0; w < c->words; w++) chosen[w] = set[w];
}

static bool is_simple(const struct causal *c, uint32_t r) {
  const struct event *e = &c->trace[r];
  const struct info *x = &c->info.data[r];
  if (!c->is_quick || r >= c->n || (e->op != EVENT_READ && e->op != EVENT_RMW) || (e->flags & (EVENT_INTERNAL | EVENT_WAITS))) return false;
  if (x->next != NONE && c->info.data[x->next].head == r) return false;
  const struct location *at = &c->locations.data[x->location];
  return at->cells == 1 && e->size <= 8 && !c->components.data[at->component].operated && !c->quick.data[at->cell].odd;
}

static void write_down(struct causal *c, uint32_t r, uint64_t value) {
  const uint64_t *chosen = c->parts.data + 2 * c->words;
  for (uint32_t w = 0; w < c->words; w++)
    for (uint64_t rest = chosen[w]; rest; rest &= rest - 1) witness_put(c, c->prefix + 64 * w + (uint32_t)__builtin_ctzll(rest), false);
  witness_put(c, r, false);
  witness_choose(c, r, value);
}

bool quick_read(struct causal *c, uint32_t r, uint64_t value) {
  if (!is_simple(c, r)) return false;
  const struct info *x = &c->info.data[r];
  uint32_t cell = c->locations.data[x->location].cell, best = NONE;
  vec_clear(&c->parts);
  uint64_t *base = vec_push_n(&c->parts, 3 * (size_t)c->words) + c->words;
  for (uint32_t w = 0; w < c->words; w++) base[w] = 0;
  join(c, base, x->previous == NONE ? c->threads.data[x->slot].fork : x->previous);
  for (uint32_t i = c->prefix; c->kept && i < c->n; i++)
    if (c->kept[i]) join(c, base, i);
  if (has(c, base, r)) return false;
  try_part(c, r, cell, value, NONE, &best);
  for (uint32_t i = c->quick.data[cell].last; i != NONE; i = c->writes.data[i].before)
    if (!c->writes.data[i].vague && c->writes.data[i].value == value) try_part(c, r, cell, value, c->writes.data[i].event, &best);
  if (best == NONE) return false;
  write_down(c, r, value);
  return true;
}

/* Some write always comes between the write (NONE: the start) and the read. */
static bool shadowed(struct causal *c, uint32_t cell, uint32_t write, uint32_t before) {
  for (uint32_t i = c->quick.data[cell].last; before != NONE && before >= c->prefix && i != NONE; i = c->writes.data[i].before) {
    uint32_t between = c->writes.data[i].event;
    if (between == write || !has(c, must_row(c, before), between)) continue;
    /* The rows of one step are the same. */
    if (write != NONE && between < write && c->info.data[between].head == c->info.data[write].head) continue;
    if (write == NONE || has(c, must_row(c, between), write)) return true;
  }
  return false;
}

bool quick_values(struct causal *c, uint32_t r, void (*add)(void *data, uint64_t value), void *data) {
  if (!is_simple(c, r)) return false;
  const struct info *x = &c->info.data[r];
  uint32_t cell = c->locations.data[x->location].cell, before = x->previous == NONE ? c->threads.data[x->slot].fork : x->previous;
  const struct cell *at = &c->cells.data[cell];
  if (c->quick.data[cell].freed != NONE || at->size > 8) return false;
  for (uint32_t i = c->quick.data[cell].last; i != NONE; i = c->writes.data[i].before)
    if (c->writes.data[i].vague) return false;
  bool initial = !shadowed(c, cell, NONE, before);
  if (initial && !at->known) return false;
  for (uint32_t i = c->quick.data[cell].last; i != NONE; i = c->writes.data[i].before) {
    const struct quick_write *w = &c->writes.data[i];
    if (!has(c, must_row(c, w->event), r) && !shadowed(c, cell, w->event, before)) add(data, w->value);
  }
  if (initial) add(data, at->initial);
  return true;
}
