#include "witness_generate.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"

struct writer { /* a thread as the generator sees it */
  struct event pending[6];
  uint32_t count;          /* of pending */
  uint32_t left;           /* operations to come */
  uint8_t held[SIM_LOCKS]; /* 0, 1: exclusively, 2: for reading */
  bool ended;
};

struct generator {
  struct sim *x;
  uint64_t seed;
  unsigned features;
  uint32_t words; /* of 4 bytes that accesses go to */
  uint32_t forked, values;
  bool barrier_any; /* any thread may come to the barrier, any time */
  struct sim_state s;
  uint32_t issued[SIM_THREADS][SIM_BUFFER];
  struct writer threads[SIM_THREADS];
};

uint32_t witness_random(uint64_t *seed, uint32_t below) {
  *seed += 0x9e3779b97f4a7c15u;
  return (uint32_t)((hash_mix(*seed) >> 33) % below);
}

static uint32_t pick(struct generator *g, uint32_t below) { return witness_random(&g->seed, below); }
static bool has(const struct generator *g, unsigned feature) { return g->features & feature; }

static struct event *add(struct generator *g, uint32_t t, enum event_op op, uint64_t object, uint64_t size) {
  struct writer *w = &g->threads[t];
  struct event *e = &w->pending[w->count++];
  *e = (struct event){.op = (uint8_t)op, .thread = t, .object = object, .size = size};
  return e;
}

static void add_access(struct generator *g, uint32_t t) {
  uint32_t word = pick(g, g->words), kind = pick(g, has(g, WITNESS_RMW) ? 5 : 4);
  uint64_t at = SIM_MEMORY + 4 * word, size = 4;
  if (has(g, WITNESS_MIXED)) size = 1u << pick(g, 3);
  if (size < 4) at += pick(g, 4 / (uint32_t)size) * size;
  if (has(g, WITNESS_MIXED) && word % 2 == 0 && word + 1 < g->words && pick(g, 6) == 0) size = 8;
  uint64_t value = has(g, WITNESS_LITMUS) ? 1u + g->values++ : pick(g, 3), mask = size == 8 ? ~0ull : (1ull << 8 * size) - 1;
  if (has(g, WITNESS_MIXED)) value = (value * 0x0101010101010101u) & mask;
  struct event *e = add(g, t, kind < 2 ? EVENT_READ : kind < 4 ? EVENT_WRITE : EVENT_RMW, at, size);
  if (e->op == EVENT_WRITE) e->value = value;
  if (e->op == EVENT_RMW) e->value2 = value;
  if (has(g, WITNESS_FENCES) && e->op == EVENT_WRITE) e->order = (uint8_t[]){ORDER_PLAIN, ORDER_RELEASE, ORDER_SEQ_CST}[pick(g, 3)];
}

static void add_section(struct generator *g, uint32_t t) {
  add(g, t, EVENT_ATOMIC, 0, 0);
  for (uint32_t n = 1 + pick(g, 3), i = 0; i < n; i++) {
    add_access(g, t);
    g->threads[t].pending[g->threads[t].count - 1].flags |= EVENT_INTERNAL;
  }
}

static bool add_lock(struct generator *g, uint32_t t) {
  struct writer *w = &g->threads[t];
  uint32_t lock = pick(g, SIM_LOCKS);
  if (w->held[lock]) {
    add(g, t, EVENT_RELEASE, SIM_LOCK + 64 * lock, 40)->flags = w->held[lock] == 2 ? EVENT_SHARED_LOCK : 0;
    return true;
  }
  struct event *e = add(g, t, EVENT_ACQUIRE, SIM_LOCK + 64 * lock, 40);
  if (has(g, WITNESS_SHARED) && pick(g, 2)) e->flags |= EVENT_SHARED_LOCK;
  if (has(g, WITNESS_TRY) && pick(g, 2)) e->flags |= pick(g, 2) ? EVENT_TRY : EVENT_TIMED;
  return true;
}

/* A wait in a section of its own, or in the one that is open; or a notification. */
static bool add_condition(struct generator *g, uint32_t t) {
  uint8_t held = g->threads[t].held[0];
  if (held == 2 || pick(g, 2)) {
    add(g, t, pick(g, 3) ? EVENT_SIGNAL : EVENT_BROADCAST, SIM_COND, 48);
    return true;
  }
  if (!held) add(g, t, EVENT_ACQUIRE, SIM_LOCK, 40);
  add(g, t, EVENT_WAIT_ENTER, SIM_COND, 48)->value2 = SIM_LOCK;
  struct event *e = add(g, t, EVENT_WAIT_LEAVE, SIM_COND, 48);
  e->value2 = SIM_LOCK;
  if (has(g, WITNESS_TRY) && pick(g, 2)) e->flags |= EVENT_TIMED;
  return true;
}

static bool add_semaphore(struct generator *g, uint32_t t) {
  if (pick(g, 2)) {
    add(g, t, EVENT_SEM_POST, SIM_SEM, 32);
  } else {
    struct event *e = add(g, t, EVENT_SEM_WAIT, SIM_SEM, 32);
    if (has(g, WITNESS_TRY) && pick(g, 2)) e->flags |= pick(g, 2) ? EVENT_TRY : EVENT_TIMED;
  }
  return true;
}

static bool add_barrier(struct generator *g, uint32_t t) {
  if (!g->barrier_any && t >= g->x->barrier) return false;
  add(g, t, EVENT_BARRIER_ENTER, SIM_BARRIER, 32)->flags = pick(g, 2) ? EVENT_RESULT : 0;
  add(g, t, EVENT_BARRIER_LEAVE, SIM_BARRIER, 32);
  return true;
}

static bool add_join(struct generator *g, uint32_t t) {
  uint32_t child = 1 + pick(g, g->x->threads - 1);
  if (t != 0 || child >= g->forked) return false;
  struct event *e = add(g, t, EVENT_JOIN, child, 0);
  if (has(g, WITNESS_TRY) && pick(g, 2)) e->flags |= pick(g, 2) ? EVENT_TRY : EVENT_TIMED;
  return true;
}

static bool add_await(struct generator *g, uint32_t t) {
  struct event e = {.op = EVENT_READ, .object = SIM_MEMORY + 4 * pick(g, g->words), .size = 4};
  if (sim_seen(g->x, t, g->x->length[t], &e) > 255) return false;
  if (pick(g, 2)) add(g, t, EVENT_AWAIT, e.object, 4)->flags |= EVENT_WAITS;
  add(g, t, EVENT_READ, e.object, 4)->flags |= g->threads[t].count == 1 ? EVENT_WAITS : 0;
  return true;
}

static bool add_free(struct generator *g, uint32_t t) {
  uint32_t word = pick(g, g->words);
  if (pick(g, 3) || (g->s.freed >> word & 1)) return false;
  add(g, t, EVENT_FREE, SIM_MEMORY + 4 * word, 4);
  return true;
}

static bool add_fence(struct generator *g, uint32_t t) {
  add(g, t, EVENT_FENCE, 0, 0)->order = (uint8_t[]){ORDER_ACQUIRE, ORDER_RELEASE, ORDER_SEQ_CST}[pick(g, 3)];
  return true;
}

static bool add_choice(struct generator *g, uint32_t t) {
  add(g, t, EVENT_CHOICE, 0, 3);
  return true;
}

static bool add_atomic(struct generator *g, uint32_t t) {
  add_section(g, t);
  return true;
}

/* The thread's next operation. */
static void add_operation(struct generator *g, uint32_t t) {
  static const struct {
    unsigned feature;
    bool (*add)(struct generator *g, uint32_t t);
  } table[] = {{WITNESS_LOCKS, add_lock},
               {WITNESS_CONDITIONS, add_condition},
               {WITNESS_SEMAPHORES, add_semaphore},
               {WITNESS_BARRIERS, add_barrier},
               {WITNESS_JOINS, add_join},
               {WITNESS_SECTIONS, add_atomic},
               {WITNESS_FREE, add_free},
               {WITNESS_FENCES, add_fence},
               {WITNESS_AWAIT, add_await},
               {WITNESS_CHOICE, add_choice},
               {WITNESS_LOCKS, add_lock}};
  for (uint32_t tries = 0; tries < 8 && pick(g, 12); tries++) {
    uint32_t i = pick(g, sizeof table / sizeof *table);
    if (has(g, table[i].feature) && table[i].add(g, t)) return;
  }
  add_access(g, t);
}

static void fill(struct generator *g, uint32_t t) {
  struct writer *w = &g->threads[t];
  if (w->count || w->ended) return;
  if (t == 0 && g->forked < g->x->threads && (g->forked == 1 || pick(g, 2))) {
    add(g, t, EVENT_FORK, g->forked++, 0);
    return;
  }
  if (w->left > 0) {
    w->left--;
    add_operation(g, t);
    return;
  }
  for (uint32_t i = 0; i < SIM_LOCKS; i++)
    if (w->held[i]) add(g, t, EVENT_RELEASE, SIM_LOCK + 64 * i, 40)->flags = w->held[i] == 2 ? EVENT_SHARED_LOCK : 0;
  if (t != 0 && w->count == 0) add(g, t, EVENT_END, t, 0);
  w->ended = w->count == 0 || w->pending[0].op == EVENT_END;
}

/* Writes the event down and does it. */
static void execute(struct generator *g, const struct event *e) {
  struct sim *x = g->x;
  struct writer *w = &g->threads[e->thread];
  struct event *to = &x->trace[x->n];
  *to = *e;
  to->index = x->length[e->thread];
  x->by_thread[e->thread][x->length[e->thread]++] = x->n++;
  uint32_t lock = (uint32_t)(e->object - SIM_LOCK) / 64;
  if (e->op == EVENT_ACQUIRE) w->held[lock] = e->flags & EVENT_SHARED_LOCK ? 2 : 1;
  if (e->op == EVENT_RELEASE) w->held[lock] = 0;
  if (e->op == EVENT_WAIT_ENTER) w->held[0] = 0;
  memmove(w->pending, w->pending + 1, --w->count * sizeof *w->pending);
  if (e->op == EVENT_WAIT_LEAVE) {
    if (e->flags & EVENT_TIMED_OUT)
      add(g, e->thread, EVENT_ACQUIRE, SIM_LOCK, 40);
    else
      w->held[0] = 1;
  }
  uint32_t stores = g->s.stores[e->thread];
  sim_apply(x, &g->s, to);
  if (g->s.stores[e->thread] > stores) g->issued[e->thread][stores] = x->n - 1;
}

/* The thread takes its pending step, if it can: an event, or all of an atomic section. */
static bool step(struct generator *g, uint32_t t) {
  struct writer *w = &g->threads[t];
  struct event out[SIM_OUTCOMES];
  fill(g, t);
  bool done = false;
  while (w->count && (!done || (w->pending[0].flags & EVENT_INTERNAL)) && g->x->length[t] < SIM_LENGTH) {
    const struct event *e = &w->pending[0];
    uint32_t n = sim_outcomes(g->x, &g->s, e, sim_seen(g->x, t, g->x->length[t], e), out);
    if (n == 0) break;
    const struct event *chosen = &out[pick(g, n)];
    execute(g, chosen);
    done = true;
  }
  return done;
}

/* Some store of the thread reaches memory. */
static bool flush_some(struct generator *g, uint32_t t) {
  if (g->s.stores[t] == 0 || pick(g, 3)) return false;
  uint32_t i = pick(g, g->s.stores[t]);
  if (!sim_may_flush(g->x, &g->s, t, i)) i = 0;
  g->x->flushed[g->x->flushes++] = (struct sim_flushed){g->issued[t][i], g->x->n};
  sim_forget(&g->s, t, i, g->issued);
  sim_flush_at(&g->s, t, i);
  return true;
}

void witness_generate(struct sim *x, uint64_t seed, unsigned features, enum sim_memory memory, uint32_t threads, uint32_t size) {
  memset(x, 0, sizeof *x);
  struct generator g = {.x = x, .seed = seed, .features = features, .forked = 1};
  x->memory = memory, x->threads = threads;
  x->barrier = 1 + pick(&g, threads);
  if (x->barrier == 1) x->barrier = 2;
  g.barrier_any = pick(&g, 4) == 0;
  x->initial_count = (uint8_t)pick(&g, 2);
  g.words = 1 + pick(&g, features & WITNESS_MIXED ? 2 : 3);
  if (features & WITNESS_LITMUS) g.words = 2;
  sim_begin(x, &g.s);
  for (uint32_t t = 0; t < threads; t++) g.threads[t].left = 1 + pick(&g, size);
  uint32_t sticky = pick(&g, 4), current = 0, idle = 0;
  while (idle < 40) {
    if (pick(&g, 4) >= sticky) current = pick(&g, threads);
    bool moved = flush_some(&g, current) || ((g.s.begun >> current & 1) && step(&g, current));
    if (!moved) current = pick(&g, threads);
    idle = moved ? 0 : idle + 1;
  }
  for (uint32_t t = 0; t < threads; t++) {
    struct event *e = &g.threads[t].pending[0];
    if (!(g.s.begun >> t & 1) || g.threads[t].count == 0 || (e->flags & EVENT_INTERNAL)) continue;
    e->index = x->length[t];
    x->trace[x->n + x->pending++] = *e;
  }
  if (pick(&g, 2)) x->prefix = pick(&g, x->n + 1);
  while (x->prefix < x->n && (x->trace[x->prefix].flags & EVENT_INTERNAL)) x->prefix++;
}

void witness_print(const struct sim *x) {
  printf("memory model %u, %u threads, barrier of %u, semaphore %u, prefix of %u\n", x->memory, x->threads, x->barrier, x->initial_count,
         x->prefix);
  for (uint32_t i = 0; i < x->n + x->pending; i++) {
    const struct event *e = &x->trace[i];
    printf("%3u  %*st%u.%u %s %llx+%llu = %llx, %llx flags %x order %u\n", i, (int)(8 * e->thread), "", e->thread, e->index,
           event_op_text((enum event_op)e->op), (unsigned long long)e->object, (unsigned long long)e->size, (unsigned long long)e->value,
           (unsigned long long)e->value2, e->flags, e->order);
  }
}
