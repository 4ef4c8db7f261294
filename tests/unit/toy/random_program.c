#include "random_program.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "trace/event.h"

struct generator {
  struct toy_program *p;
  uint64_t state;
  unsigned features;
  uint32_t thread;
};

static uint32_t below(struct generator *g, uint32_t n) {
  g->state = hash_mix(g->state);
  return (uint32_t)((g->state >> 20) % n);
}

static void put(struct generator *g, struct toy_op op) {
  uint32_t *n = &g->p->length[g->thread];
  if (*n < TOY_OPS) g->p->ops[g->thread][(*n)++] = op;
}

static uint8_t order(struct generator *g) {
  static const uint8_t orders[] = {ORDER_PLAIN, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_SEQ_CST};
  return orders[below(g, 5)];
}

static void put_access(struct generator *g, bool atomic) {
  struct toy_op op = {.size = 4, .at = (uint8_t)(4 * below(g, 2)), .value = (uint8_t)(1 + below(g, 3)), .order = order(g)};
  if (g->features & FEATURE_MIXED) {
    op.size = (uint8_t)(1u << below(g, 4));
    op.at = (uint8_t)(below(g, (16u - op.size) / (op.size > 4 ? 4 : op.size) + 1) * (op.size > 4 ? 4 : op.size));
  }
  static const uint8_t plain[] = {TOY_READ, TOY_WRITE, TOY_WRITE_REG, TOY_WRITE, TOY_READ};
  op.kind = atomic ? (below(g, 2) ? TOY_ADD : TOY_CAS) : plain[below(g, 5)];
  if (atomic) op.order = ORDER_SEQ_CST;
  put(g, op);
}

static void put_section(struct generator *g) {
  uint8_t n = (uint8_t)(1 + below(g, 2));
  put(g, (struct toy_op){.kind = TOY_SECTION, .skip = n});
  for (; n > 0; n--) put_access(g, false);
}

static void put_lock(struct generator *g, uint8_t kind) {
  uint8_t lock = (uint8_t)below(g, 2);
  unsigned inside = below(g, 3);
  put(g, (struct toy_op){.kind = kind, .at = lock, .skip = (uint8_t)(inside + 1)});
  for (unsigned i = 0; i < inside; i++) put_access(g, false);
  put(g, (struct toy_op){.kind = TOY_UNLOCK, .at = lock});
}

static void put_nested(struct generator *g) {
  uint8_t lock = (uint8_t)below(g, 2);
  put(g, (struct toy_op){.kind = TOY_LOCK, .at = lock});
  put_lock(g, TOY_LOCK);
  put(g, (struct toy_op){.kind = TOY_UNLOCK, .at = lock});
}

static void put_rwlock(struct generator *g) {
  unsigned way = below(g, 3), inside = below(g, 2) + (way == 0);
  uint8_t lock = (uint8_t)below(g, 2);
  static const uint8_t enter[] = {TOY_READ_LOCK, TOY_WRITE_LOCK, TOY_TRY_WRITE_LOCK};
  put(g, (struct toy_op){.kind = enter[way], .at = lock, .skip = (uint8_t)(inside + 1)});
  for (unsigned i = 0; i < inside; i++) put_access(g, false);
  put(g, (struct toy_op){.kind = way == 0 ? TOY_READ_UNLOCK : TOY_WRITE_UNLOCK, .at = lock});
}

static void put_cond(struct generator *g) {
  uint8_t cond = (uint8_t)below(g, 2) & (uint8_t)below(g, 2);
  if (below(g, 2)) {
    put(g, (struct toy_op){.kind = TOY_LOCK});
    put(g, (struct toy_op){.kind = below(g, 2) ? TOY_WAIT : TOY_TIMEDWAIT, .at = cond});
    put(g, (struct toy_op){.kind = TOY_UNLOCK});
  } else {
    bool locked = below(g, 2);
    if (locked) put(g, (struct toy_op){.kind = TOY_LOCK});
    put(g, (struct toy_op){.kind = below(g, 3) ? TOY_SIGNAL : TOY_BROADCAST, .at = cond});
    if (locked) put(g, (struct toy_op){.kind = TOY_UNLOCK});
  }
}

static void put_semaphore(struct generator *g) {
  static const uint8_t kinds[] = {TOY_POST, TOY_POST, TOY_SEM_WAIT, TOY_TRY_SEM_WAIT};
  put(g, (struct toy_op){.kind = kinds[below(g, 4)], .at = (uint8_t)below(g, 2), .skip = 1});
}

static void put_failure(struct generator *g) {
  static const uint8_t kinds[] = {TOY_ASSERT, TOY_ASSUME, TOY_EXIT};
  put(g, (struct toy_op){.kind = kinds[below(g, 3)], .value = (uint8_t)(1 + below(g, 3))});
}

/* long: one case a feature */
static void put_something(struct generator *g) {
  for (;;) {
    unsigned feature = 1u << below(g, 16);
    if (!(g->features & feature)) continue;
    switch ((enum toy_feature)feature) {
      case FEATURE_ACCESS:
      case FEATURE_MIXED:
        put_access(g, false);
        return;
      case FEATURE_ATOMIC:
        put_access(g, true);
        return;
      case FEATURE_LOCK:
        if (below(g, 4) == 0) {
          put_nested(g);
        } else {
          put_lock(g, TOY_LOCK);
        }
        return;
      case FEATURE_TRYLOCK:
        put_lock(g, below(g, 2) ? TOY_TRYLOCK : TOY_TIMEDLOCK);
        return;
      case FEATURE_COND:
        put_cond(g);
        return;
      case FEATURE_SEMAPHORE:
        put_semaphore(g);
        return;
      case FEATURE_BARRIER:
        put(g, (struct toy_op){.kind = TOY_BARRIER, .at = (uint8_t)below(g, 2), .value = (uint8_t)below(g, 2)});
        return;
      case FEATURE_RWLOCK:
        put_rwlock(g);
        return;
      case FEATURE_CHOICE:
        put(g, (struct toy_op){.kind = TOY_CHOOSE, .value = (uint8_t)(1 + below(g, 2))});
        put(g, (struct toy_op){.kind = TOY_SKIP_IF, .value = 0, .skip = 1});
        return;
      case FEATURE_BRANCH:
        put(g, (struct toy_op){.kind = TOY_SKIP_IF, .value = (uint8_t)below(g, 3), .skip = (uint8_t)(1 + below(g, 2))});
        return;
      case FEATURE_FAIL:
        put_failure(g);
        return;
      case FEATURE_AWAIT:
        put(g, (struct toy_op){
                   .kind = TOY_AWAIT, .at = (uint8_t)(4 * below(g, 2)), .size = 4, .value = (uint8_t)below(g, 2), .order = ORDER_ACQUIRE});
        return;
      case FEATURE_SECTION:
        put_section(g);
        return;
      case FEATURE_FREE:
        put(g, (struct toy_op){.kind = TOY_FREE, .at = (uint8_t)(4 * below(g, 2)), .size = (uint8_t)(4 + 4 * below(g, 2))});
        return;
      case FEATURE_JOIN:
        if (g->thread == 0)
          put(g, (struct toy_op){
                     .kind = below(g, 2) ? TOY_JOIN : TOY_TRY_JOIN, .value = (uint8_t)(1 + below(g, g->p->threads - 1)), .skip = 1});
        return;
      case FEATURE_ALL:
        break;
    }
  }
}

void random_program(struct toy_program *p, uint64_t seed, unsigned features, unsigned threads, unsigned size) {
  memset(p, 0, sizeof *p);
  struct generator g = {.p = p, .state = hash_mix(seed), .features = features};
  p->threads = threads;
  p->semaphores[0] = (uint8_t)below(&g, 3), p->semaphores[1] = (uint8_t)below(&g, 2);
  p->barriers[0] = 2, p->barriers[1] = (uint8_t)(1 + below(&g, threads));
  for (g.thread = 0; g.thread < threads; g.thread++) {
    for (uint8_t t = 1; g.thread == 0 && t < threads; t++) put(&g, (struct toy_op){.kind = TOY_FORK, .value = t});
    unsigned wanted = below(&g, size) + 1 + (g.thread == 0 ? threads - 1 : 0);
    if (g.thread == 0 && below(&g, 2)) wanted = threads;
    while (p->length[g.thread] < wanted && p->length[g.thread] < TOY_OPS) put_something(&g);
  }
}

void print_program(const struct toy_program *p) {
  static const char *const names[] = {"read",      "write",  "write-reg", "add",    "cas",       "lock",      "unlock",   "trylock",
                                      "timedlock", "wait",   "timedwait", "signal", "broadcast", "post",      "sem-wait", "try-sem-wait",
                                      "barrier",   "rd",     "wr",        "try-wr", "rd-unlock", "wr-unlock", "choose",   "skip-if",
                                      "assert",    "assume", "loop",      "await",  "section",   "free",      "fork",     "join",
                                      "try-join",  "exit",   "yield",     "fence"};
  fprintf(stderr, "semaphores %u %u barriers %u %u\n", p->semaphores[0], p->semaphores[1], p->barriers[0], p->barriers[1]);
  for (uint32_t t = 0; t < p->threads; t++) {
    fprintf(stderr, "thread %u:\n", t);
    for (uint32_t i = 0; i < p->length[t]; i++) {
      const struct toy_op *op = &p->ops[t][i];
      fprintf(stderr, "  %2u %-12s at %u size %u value %u skip %u order %u\n", i, names[op->kind], op->at, op->size, op->value, op->skip,
              op->order);
    }
  }
}
