#include "recorded_generate.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"

struct writer { /* a thread as the generator sees it */
  struct event pending[6];
  uint32_t count;          /* of pending */
  uint32_t left;           /* operations to come */
  uint8_t held[RUN_LOCKS]; /* 0, 1: exclusively, 2: for reading */
  bool begun, ended, called;
};

struct generator {
  struct run *r;
  uint64_t seed;
  unsigned features;
  uint32_t threads, words, locks, forked, freed;
  unsigned reborn;          /* enum block */
  bool ends, closes, nests; /* BEGIN and END are recorded; sections end before the trace does; many locks */
  bool reuses;              /* much use of memory that is used again */
  struct run_state s;
  struct writer writers[RUN_THREADS];
};

static uint32_t pick(struct generator *g, uint32_t below) {
  g->seed += 0x9e3779b97f4a7c15u;
  return (uint32_t)((hash_mix(g->seed) >> 33) % below);
}
/* What is allocated where another one was: a word, a lock, a semaphore. */
enum block { BLOCK_WORD, BLOCK_LOCK, BLOCK_COUNT, BLOCKS };

static bool has(const struct generator *g, unsigned feature) { return g->features & feature; }

static struct event *add(struct generator *g, uint32_t t, unsigned op, uint64_t object, uint64_t size) {
  struct writer *w = &g->writers[t];
  struct event *e = &w->pending[w->count++];
  *e = (struct event){.op = (uint8_t)op, .thread = t, .object = object, .size = size};
  return e;
}

/* All units are the same. */
static uint64_t any_value(struct generator *g) { return pick(g, 3) * 0x0001000100010001u; }

static uint64_t any_word(struct generator *g) {
  return has(g, RECORDED_LIVES) && pick(g, 4) ? RUN_POINTER : RUN_VALUE * (uint64_t)pick(g, 3);
}

static void add_sized(struct generator *g, uint32_t t) {
  uint32_t kind = pick(g, has(g, RECORDED_RMWS) ? 9 : 8), size = 2u << pick(g, 3), unit = pick(g, 4 * g->words - size / 2 + 1);
  uint64_t mask = UINT64_MAX >> (64 - 8 * size);
  struct event *e = add(g, t, kind < 4 ? EVENT_READ : kind < 8 ? EVENT_WRITE : EVENT_RMW, RUN_MEMORY + 2 * unit, size);
  if (e->op == EVENT_WRITE) e->value = any_value(g) & mask;
  if (e->op != EVENT_RMW) return;
  e->value2 = any_value(g) & mask, e->order = ORDER_SEQ_CST;
  if (pick(g, 2)) e->flags = RECORDED_ALWAYS_WRITES;
}

static void add_word(struct generator *g, uint32_t t) {
  uint32_t word = pick(g, g->words), kind = pick(g, has(g, RECORDED_RMWS) ? 9 : 8);
  struct event *e = add(g, t, kind < 4 ? EVENT_READ : kind < 8 ? EVENT_WRITE : EVENT_RMW, RUN_MEMORY + 8 * word, 8);
  if (e->op == EVENT_WRITE) e->value = any_word(g);
  if (e->op != EVENT_RMW) return;
  e->value2 = any_word(g), e->order = ORDER_SEQ_CST;
  if (pick(g, 2)) e->flags = RECORDED_ALWAYS_WRITES;
}

static void add_wide(struct generator *g, uint32_t t) {
  uint32_t units = 5 + pick(g, RUN_WIDE - 4), unit = pick(g, 4 * g->words - units + 1);
  add(g, t, pick(g, 2) ? EVENT_READ : EVENT_WRITE, RUN_MEMORY + 2 * unit, 2 * units)->flags = RECORDED_NO_VALUE;
}

static void add_access(struct generator *g, uint32_t t) {
  struct event *e = &g->writers[t].pending[g->writers[t].count];
  if (has(g, RECORDED_WIDE) && !has(g, RECORDED_LIVES) && g->words > 1 && pick(g, 3) == 0)
    add_wide(g, t);
  else if (has(g, RECORDED_SIZES) && pick(g, 4))
    add_sized(g, t);
  else
    add_word(g, t);
  if (has(g, RECORDED_ATOMICS) && pick(g, 2)) e->order = ORDER_SEQ_CST;
  bool may = has(g, RECORDED_OUTSIDE) && (e->op == EVENT_RMW ? (e->flags & RECORDED_ALWAYS_WRITES) != 0 : e->order == ORDER_PLAIN);
  if (may && pick(g, 3) == 0) e->flags |= EVENT_OUTSIDE;
}

static bool add_lock(struct generator *g, uint32_t t) {
  struct writer *w = &g->writers[t];
  uint32_t lock = pick(g, g->locks);
  if (has(g, RECORDED_LIVES) && lock + 2 >= RUN_LOCKS) lock = RUN_LOCKS - (g->reborn >> BLOCK_LOCK & 1 ? 1 : 2);
  if (w->held[lock]) {
    add(g, t, EVENT_RELEASE, RUN_LOCK + 64 * lock, 40)->flags = w->held[lock] == 2 ? EVENT_SHARED_LOCK : 0;
    return true;
  }
  struct event *e = add(g, t, EVENT_ACQUIRE, RUN_LOCK + 64 * lock, 40);
  if (has(g, RECORDED_SHARED) && pick(g, 2)) e->flags |= EVENT_SHARED_LOCK;
  if (has(g, RECORDED_TRIES) && pick(g, 2) == 0) e->flags |= EVENT_TRY;
  return true;
}

static bool add_condition(struct generator *g, uint32_t t) {
  uint8_t held = g->writers[t].held[0];
  if (held == 2 || pick(g, 2)) {
    add(g, t, pick(g, 3) ? EVENT_SIGNAL : EVENT_BROADCAST, RUN_COND, 48)->value2 = UINT64_MAX;
    return true;
  }
  if (!held) add(g, t, EVENT_ACQUIRE, RUN_LOCK, 40);
  add(g, t, EVENT_WAIT_ENTER, RUN_COND, 48)->value2 = RUN_LOCK;
  struct event *e = add(g, t, EVENT_WAIT_LEAVE, RUN_COND, 48);
  e->value2 = RUN_LOCK;
  if (has(g, RECORDED_TRIES) && pick(g, 3) == 0) e->flags |= EVENT_TIMED | EVENT_TIMED_OUT, e->value2 = 0;
  return true;
}

static bool add_branch(struct generator *g, uint32_t t) {
  if (pick(g, 3)) {
    struct event *e = add(g, t, RECORDED_BRANCH, 0, 0);
    e->value = pick(g, 2);
    if (has(g, RECORDED_OUTSIDE) && pick(g, 2)) e->flags |= EVENT_OUTSIDE;
    return true;
  }
  uint32_t word = pick(g, g->words);
  add(g, t, EVENT_READ, RUN_MEMORY + 8 * word, 8);
  add(g, t, RECORDED_BRANCH, 0, 0)->value = UINT64_MAX; /* what was read, as an address */
  return true;
}

static bool add_free(struct generator *g, uint32_t t) {
  uint32_t word = pick(g, g->words);
  if (pick(g, 3) || (g->freed >> word & 1)) return false;
  add(g, t, EVENT_FREE, RUN_MEMORY + 8 * word, 8);
  return true;
}

static bool add_region(struct generator *g, uint32_t t) {
  struct writer *w = &g->writers[t];
  add(g, t, w->called ? RECORDED_RETURN : RECORDED_CALL, 0, 0);
  w->called = !w->called;
  return true;
}

static bool add_join(struct generator *g, uint32_t t) {
  uint32_t child = 1 + pick(g, g->threads - 1);
  if (t != 0 || child >= g->forked) return false;
  add(g, t, EVENT_JOIN, child, 0);
  return true;
}

static bool add_count(struct generator *g, uint32_t t) {
  struct event *e = add(g, t, pick(g, 2) ? EVENT_SEM_POST : EVENT_SEM_WAIT, RUN_COUNT + 64 * pick(g, RUN_COUNTS), 32);
  if (e->op == EVENT_SEM_WAIT && has(g, RECORDED_TRIES) && pick(g, 2)) e->flags |= EVENT_TRY;
  return true;
}

static bool add_barrier(struct generator *g, uint32_t t) {
  add(g, t, EVENT_BARRIER_ENTER, RUN_BARRIER, 32);
  add(g, t, EVENT_BARRIER_LEAVE, RUN_BARRIER, 32);
  return true;
}

static bool add_block(struct generator *g, uint32_t t) {
  if (g->reborn) return false;
  uint32_t blocks = 1 + pick(g, (1u << BLOCKS) - 1);
  if (blocks >> BLOCK_WORD & 1) add(g, t, EVENT_ALLOC, RUN_MEMORY + 8 * (RUN_WORDS - 2), 8);
  if (blocks >> BLOCK_LOCK & 1) add(g, t, EVENT_ALLOC, RUN_LOCK + 64 * (RUN_LOCKS - 2), 40);
  if (blocks >> BLOCK_COUNT & 1) add(g, t, EVENT_ALLOC, RUN_COUNT + 64 * (RUN_COUNTS - 2), 32);
  return true;
}

/* What threads see of a block and its successor: pointers to them are kept, passed on in word 0, and compared. */
static void add_reuse(struct generator *g, uint32_t t) {
  uint64_t block = RUN_MEMORY + 8 * (RUN_WORDS - 2);
  switch (pick(g, 6)) {
    case 0:
      add(g, t, EVENT_WRITE, RUN_MEMORY, 8)->value = RUN_POINTER;
      break;
    case 1:
      add(g, t, EVENT_READ, RUN_MEMORY, 8);
      break;
    case 2:
      add(g, t, RECORDED_BRANCH, 0, 0);
      break;
    case 3:
      if (!(g->freed >> (RUN_WORDS - 2) & 1) && !g->reborn) add(g, t, EVENT_FREE, block, 8);
      break;
    case 4:
      if (!(g->reborn >> BLOCK_WORD & 1)) add(g, t, EVENT_ALLOC, block, 8);
      break;
    default:
      add(g, t, EVENT_WRITE, RUN_MEMORY, 8)->value = 1;
      break;
  }
  if (g->writers[t].count == 0) add_access(g, t);
}

static void add_operation(struct generator *g, uint32_t t) {
  static const struct {
    unsigned feature;
    bool (*add)(struct generator *g, uint32_t t);
  } table[] = {{RECORDED_LOCKS, add_lock}, {RECORDED_WAITS, add_condition}, {RECORDED_BRANCHES, add_branch},
               {RECORDED_FREES, add_free}, {RECORDED_REGIONS, add_region},  {RECORDED_FORKS, add_join},
               {RECORDED_LOCKS, add_lock}, {RECORDED_BRANCHES, add_branch}};
  if (g->nests && pick(g, 3)) {
    (void)add_lock(g, t);
    return;
  }
  if (g->reuses && pick(g, 3)) {
    add_reuse(g, t);
    return;
  }
  if (has(g, RECORDED_COUNTS) && pick(g, 3) == 0 && add_count(g, t)) return;
  if (has(g, RECORDED_LIVES) && pick(g, 5) == 0 && add_block(g, t)) return;
  if (has(g, RECORDED_BARRIERS) && pick(g, 5) == 0 && add_barrier(g, t)) return;
  for (uint32_t tries = 0; tries < 6 && pick(g, 3); tries++) {
    uint32_t i = pick(g, sizeof table / sizeof *table);
    if (has(g, table[i].feature) && table[i].add(g, t)) return;
  }
  add_access(g, t);
}

static void close_all(struct generator *g, uint32_t t) {
  struct writer *w = &g->writers[t];
  for (uint32_t i = 0; i < RUN_LOCKS && g->closes; i++)
    if (w->held[i]) add(g, t, EVENT_RELEASE, RUN_LOCK + 64 * i, 40)->flags = w->held[i] == 2 ? EVENT_SHARED_LOCK : 0;
  if (w->called && g->closes) {
    add(g, t, RECORDED_RETURN, 0, 0);
    w->called = false;
  }
}

static void fill(struct generator *g, uint32_t t) {
  struct writer *w = &g->writers[t];
  if (w->count || w->ended) return;
  if (!w->begun && g->ends) {
    w->begun = true;
    add(g, t, EVENT_BEGIN, t, 0);
    return;
  }
  if (t == 0 && g->forked < g->threads && (g->forked == 1 || pick(g, 2))) {
    add(g, t, EVENT_FORK, g->forked++, 0);
    return;
  }
  if (w->left > 0) {
    w->left--;
    add_operation(g, t);
    return;
  }
  close_all(g, t);
  if (w->count) return;
  if (g->ends) add(g, t, EVENT_END, t, 0);
  w->ended = true;
}

/* Has the thread done all that it will? */
static bool is_over(const struct generator *g, uint32_t t) { return g->writers[t].ended && g->writers[t].count == 0; }

/* --- lives --- */

static enum block block_of(const struct event *e) {
  if (e->object >= RUN_COUNT) return BLOCK_COUNT;
  return e->object >= RUN_LOCK ? BLOCK_LOCK : BLOCK_WORD;
}

static bool is_operation(const struct event *e) { return e->op == EVENT_SEM_POST || e->op == EVENT_SEM_WAIT || e->op == EVENT_ACQUIRE; }

/* The number of two objects, of which one is there at a time. */
static uint64_t one_of(uint64_t number, uint64_t last, bool reborn) { return number + 1 < last ? number : reborn ? last : last - 1; }

static uint64_t present_value(const struct generator *g, uint64_t value) {
  if (value != RUN_POINTER && value != RUN_LATER) return value;
  return g->reborn >> BLOCK_WORD & 1 ? RUN_LATER : RUN_POINTER;
}

/* What the event is about, as the present state has it. False: the block cannot begin now. */
static bool settle_life(struct generator *g, struct event *e) {
  static const uint64_t lasts[] = {RUN_WORDS - 1, RUN_LOCKS - 1, RUN_COUNTS - 1}, sizes[] = {8, 64, 64}, from[] = {RUN_MEMORY, RUN_LOCK, RUN_COUNT};
  enum block block = block_of(e);
  if (e->op == EVENT_ALLOC)
    return !(g->reborn >> block & 1) && (block != BLOCK_LOCK || (g->s.writer[RUN_LOCKS - 2] == 0 && g->s.readers[RUN_LOCKS - 2] == 0));
  if (!run_is_access(e) && !is_operation(e)) return true;
  e->object = from[block] + sizes[block] * one_of((e->object - from[block]) / sizes[block], lasts[block], g->reborn >> block & 1);
  if (run_is_access(e)) e->value = present_value(g, e->value), e->value2 = present_value(g, e->value2);
  return true;
}

/* The event as the present state has it; false: it cannot be executed. */
static bool settle(struct generator *g, struct event *e) {
  if (has(g, RECORDED_LIVES) && !settle_life(g, e)) return false;
  if (e->op == EVENT_JOIN) return is_over(g, (uint32_t)e->object);
  if (run_is_access(e) && (g->s.freed & run_words(e))) return false;
  if ((e->op == EVENT_READ || e->op == EVENT_RMW) && !run_is_wide(e)) e->value = run_value(&g->s, e);
  if (e->op == EVENT_SEM_WAIT && (e->flags & EVENT_TRY) && g->s.count[run_count(e)] == 0) e->op = EVENT_TRYFAIL, e->flags = RECORDED_COUNT;
  if (e->op == EVENT_ACQUIRE && (e->flags & EVENT_TRY) && run_blockers(&g->s, e)) e->op = EVENT_TRYFAIL;
  if (e->op == RECORDED_BRANCH && e->value == UINT64_MAX) {
    const struct event *read = &g->r->trace[g->r->by_thread[e->thread][g->r->length[e->thread] - 1]];
    e->value = e->object = read->value, e->value2 = read->site;
  }
  return run_may(g->r, &g->s, e);
}

/* What the last event reads or writes, if it is wide. */
static void settle_units(struct generator *g) {
  uint32_t i = g->r->n - 1;
  const struct event *e = &g->r->trace[i];
  for (uint32_t k = 0; run_is_wide(e) && k < run_units(e); k++)
    g->r->units[i][k] = e->op == EVENT_READ ? g->s.memory[run_unit(e) + k] : (uint8_t)pick(g, 3);
}

static bool step(struct generator *g, uint32_t t) {
  struct writer *w = &g->writers[t];
  if (g->r->length[t] >= RUN_LENGTH || g->r->n + 1 >= RUN_EVENTS) return false;
  fill(g, t);
  if (w->count == 0 || !settle(g, &w->pending[0])) {
    bool fails = w->count && run_is_access(&w->pending[0]) && (g->s.freed & run_words(&w->pending[0]));
    if (fails || (w->count && w->pending[0].op == EVENT_ALLOC)) w->count = 0;
    return false;
  }
  struct event e = w->pending[0];
  memmove(w->pending, w->pending + 1, --w->count * sizeof *w->pending);
  e.site = g->r->n + 1;
  uint32_t lock = run_lock(e.object), waiters = run_waiters(&g->s, &e), woken = waiters;
  if (e.op == EVENT_SIGNAL && waiters) {
    do {
      woken = 1u << pick(g, RUN_THREADS);
    } while (!(woken & waiters));
  }
  if (waiters && pick(g, 2)) e.value2 = (uint32_t)__builtin_popcount(woken);
  if (e.op == EVENT_ACQUIRE) w->held[lock] = e.flags & EVENT_SHARED_LOCK ? 2 : 1;
  if (e.op == EVENT_RELEASE) w->held[lock] = 0;
  if (e.op == EVENT_WAIT_ENTER) w->held[0] = 0;
  if (e.op == EVENT_FREE) g->freed |= run_words(&e);
  if (e.op == EVENT_ALLOC) g->reborn |= 1u << block_of(&e);
  if (e.op == EVENT_WAIT_LEAVE) {
    if (e.flags & EVENT_TIMED_OUT)
      add(g, t, EVENT_ACQUIRE, RUN_LOCK, 40);
    else
      w->held[0] = 1;
  }
  run_add(g->r, &e);
  settle_units(g);
  run_apply(g->r, &g->s, &g->r->trace[g->r->n - 1], woken);
  return true;
}

void recorded_generate(struct run *r, uint64_t seed, unsigned features, uint32_t events) {
  struct generator g = {.r = r, .seed = seed, .features = features};
  memset(r, 0, sizeof *r);
  r->lives = has(&g, RECORDED_LIVES);
  g.threads = 2 + pick(&g, RUN_THREADS - 1);
  g.words = 1 + pick(&g, RUN_WORDS);
  g.locks = 1 + pick(&g, RUN_LOCKS);
  g.ends = pick(&g, 2), g.closes = pick(&g, 4), g.nests = (features & RECORDED_LOCKS) && pick(&g, 3) == 0;
  g.reuses = has(&g, RECORDED_LIVES) && pick(&g, 2);
  if (g.nests) g.locks = 2, g.threads -= g.threads > 2;
  for (uint32_t t = 0; t < g.threads; t++) g.writers[t].left = events / g.threads + (t < events % g.threads);
  g.forked = features & RECORDED_FORKS ? 1 : g.threads;
  r->threads = r->round = g.threads;
  if (has(&g, RECORDED_BARRIERS) && pick(&g, 3) == 0) r->round = 2;
  for (uint32_t i = 0; i < RUN_COUNTS && has(&g, RECORDED_COUNTS); i++) g.s.count[i] = (uint8_t)pick(&g, 3);
  uint32_t sticky = pick(&g, 4), current = 0;
  for (uint32_t idle = 0; idle < 40;) {
    if (pick(&g, 4) >= sticky) current = pick(&g, g.threads);
    bool there = !has(&g, RECORDED_FORKS) || current == 0 || (g.s.forked >> current & 1);
    bool moved = there && step(&g, current);
    if (!moved) current = pick(&g, g.threads);
    idle = moved ? 0 : idle + 1;
  }
  if (r->lives) run_find_pointers(r, 0);
  run_hide_units(r);
}

/* As a recording has it: of two that are not there at the same time both have one address. */
static struct event recorded_event(const struct run *r, struct event e) {
  uint64_t *values[] = {&e.value, &e.value2};
  if (!r->lives) return e;
  bool branch = e.op == RECORDED_BRANCH;
  for (int i = 0; i < 2 && (branch || run_is_access(&e)); i++)
    if (*values[i] == RUN_POINTER || *values[i] == RUN_LATER) *values[i] = RUN_MEMORY + 8 * (RUN_WORDS - 2);
  if (branch && e.object) e.object = e.value;
  if (run_is_access(&e) && e.object == RUN_MEMORY + 8 * (RUN_WORDS - 1)) e.object -= 8;
  bool object = e.op >= EVENT_ACQUIRE && e.op <= EVENT_SEM_WAIT;
  if (object && (e.object == RUN_LOCK + 64 * (RUN_LOCKS - 1) || e.object == RUN_COUNT + 64 * (RUN_COUNTS - 1))) e.object -= 64;
  return e;
}

void recorded_copy(const struct run *r, struct recorded *out) {
  vec_clear(&out->events);
  vec_clear(&out->names.sites);
  vec_clear(&out->names.threads);
  vec_clear(&out->names.methods);
  vec_clear(&out->names.strings);
  memcpy(vec_push_n(&out->names.strings, 8), "\0region", 8);
  *vec_push(&out->names.methods) = 1;
  for (uint32_t t = 0; t < r->threads; t++) *vec_push(&out->names.threads) = 0;
  for (uint32_t i = 0; i <= r->n; i++) *vec_push(&out->names.sites) = (struct recorded_site){.line = i};
  for (uint32_t i = 0; i < r->n; i++) *vec_push(&out->events) = recorded_event(r, r->trace[i]);
}

void recorded_free(struct recorded *r) {
  vec_release(&r->events);
  vec_release(&r->names.sites);
  vec_release(&r->names.threads);
  vec_release(&r->names.methods);
  vec_release(&r->names.strings);
}

void recorded_print(const struct run *r) {
  static const char *const more[] = {"branch", "call", "return", "argument", "point"};
  for (uint32_t i = 0; i < r->n; i++) {
    const struct event *e = &r->trace[i];
    printf("%3u  %*st%u.%u %s %llx/%llu = %llx, %llx flags %x\n", i, (int)(8 * e->thread), "", e->thread, e->index,
           e->op < EVENT_COUNT ? event_op_text((enum event_op)e->op) : more[e->op - EVENT_COUNT], (unsigned long long)e->object,
           (unsigned long long)e->size, (unsigned long long)e->value, (unsigned long long)e->value2, e->flags);
  }
}
