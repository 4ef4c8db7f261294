/* Schedule fuzzing: uniformly random picks, and probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: "A
 * randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010).
 *
 * Random executions are drawn in batches. The picks of a whole batch in one state are drawn at once, and then those executions that agree
 * are made one after the other: which executions a batch has is distributed exactly as if each was drawn by itself, but what several have
 * in common is run once. Batches start small and grow, so that the first executions differ early.
 *
 * Executions come in blocks (STRATEGY_BLOCK), each drawn from a seed of its own, as if nothing had been drawn before: several workers that
 * share the blocks make the same executions as one. */
#include "base/hash.h"
#include "strategy/strategy.h"

/* Executions of the batch that take one step from one state. */
struct branch {
  struct step step;
  uint32_t walks;
};

struct state {
  uint32_t depth, first; /* its first branch */
};

struct strategy {
  struct strategy_options options;
  uint64_t state; /* of the generator */
  uint64_t made;
  /* random: the states on the way of the present execution that others of the batch pass */
  uint32_t batch_made;  /* different executions of the present batch; a program that has few does not get large batches */
  uint32_t walks;       /* executions that go on from the present state, the present one included */
  struct schedule path; /* up to the last of those states */
  struct schedule prefix;
  VEC(struct state) states;
  VEC(struct branch) branches; /* of all states, those not begun yet */
  /* pct */
  struct schedule empty;
  uint32_t length;                /* longest execution seen */
  uint64_t priority[THREADS_MAX]; /* highest runs; 0: not drawn yet in this execution */
  uint64_t lowest;                /* lower than all of them */
  VEC(uint32_t) changes;          /* depths of the d - 1 priority changes */
};

/* A Weyl sequence, its terms mixed by one wide multiplication (Wang Yi's wyrand). */
static inline uint64_t draw(struct strategy *s) {
  s->state += 0xa0761d6478bd642fu;
  unsigned __int128 product = (unsigned __int128)s->state * (s->state ^ 0xe7037ed1a0b428dbu);
  return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* 0..n-1; the bias of a 32-bit multiply-shift does not matter here. */
static inline uint32_t draw_below(struct strategy *s, uint32_t n) { return (uint32_t)((draw(s) >> 32) * n >> 32); }

static struct strategy *random_create(const struct strategy_options *options) {
  struct strategy *s = mem_alloc(sizeof *s);
  s->options = *options;
  if (s->options.pct_depth == 0) s->options.pct_depth = 3;
  return s;
}

static void random_destroy(struct strategy *s) {
  vec_release(&s->path.steps);
  vec_release(&s->states);
  vec_release(&s->branches);
  vec_release(&s->changes);
  mem_free(s, sizeof *s);
}

static void random_restart(struct strategy *s) {
  s->made = 0;
  vec_clear(&s->states);
  vec_clear(&s->branches);
}

static void begin_block(struct strategy *s) {
  uint64_t block = s->options.block + s->made / STRATEGY_BLOCK;
  s->state = block ? hash_pair(s->options.seed, block) : hash_mix(s->options.seed);
  s->length = 0;
  s->batch_made = block ? STRATEGY_BLOCK : 0;
}

static bool another(struct strategy *s) {
  if (s->options.executions && s->made == s->options.executions) return false;
  if (s->made % STRATEGY_BLOCK == 0) begin_block(s);
  s->made++;
  return true;
}

static const struct schedule *random_next(struct strategy *s) {
  if (!another(s)) return NULL;
  s->prefix = s->path;
  if (s->states.count) {
    s->batch_made++;
    s->prefix.steps.count = vec_last(&s->states).depth;
    s->walks = 0;
    return &s->prefix;
  }
  uint64_t left = STRATEGY_BLOCK - (s->made - 1) % STRATEGY_BLOCK, wanted = s->options.executions - s->made + 1;
  uint32_t batch = s->batch_made * 2 + 1;
  if (s->options.executions && wanted < left) left = wanted;
  s->batch_made = 1;
  s->walks = batch < left ? batch : (uint32_t)left;
  s->prefix.steps.count = 0;
  return &s->prefix;
}

_Static_assert(TSET_WORDS == 4, "draw_thread() looks at four words");

/* A member, each equally likely. */
static inline uint32_t draw_thread(struct strategy *s, const struct tset *enabled) {
  const uint64_t *words = enabled->words;
  if (!(words[1] | words[2] | words[3])) return bits_select(words[0], draw_below(s, (uint32_t)__builtin_popcountll(words[0])));
  uint32_t w = 0, i = draw_below(s, tset_count(enabled));
  for (uint32_t here; i >= (here = (uint32_t)__builtin_popcountll(enabled->words[w])); w++) i -= here;
  return w * 64 + bits_select(enabled->words[w], i);
}

static inline uint32_t draw_choice(struct strategy *s, const struct execution *x, uint32_t thread) {
  uint32_t n = execution_alternatives(x, thread);
  return n > 1 ? draw_below(s, n) : 0;
}

static inline struct step draw_step(struct strategy *s, const struct execution *x) {
  uint32_t t = draw_thread(s, x->enabled);
  return (struct step){.thread = t, .choice = draw_choice(s, x, t)};
}

/* Threads that can go on from here, or 0 if one of them has a choice. */
static uint32_t list_threads(const struct execution *x, uint32_t *threads) {
  uint32_t n = 0;
  for (uint32_t t = tset_next(x->enabled, 0); t < THREADS_MAX; t = tset_next(x->enabled, t + 1)) {
    if (execution_alternatives(x, t) > 1) return 0;
    threads[n++] = t;
  }
  return n;
}

/* The usual case: `n` threads, no choices. The first to go is any. */
static void draw_threads(struct strategy *s, const uint32_t *threads, uint32_t n) {
  uint32_t walks[THREADS_MAX];
  if (n == 1) {
    *vec_push(&s->branches) = (struct branch){{.thread = threads[0]}, s->walks};
    return;
  }
  for (uint32_t i = 0; i < n; i++) walks[i] = 0;
  for (uint32_t i = 0; i < s->walks; i++) walks[draw_below(s, n)]++;
  for (uint32_t i = 0, j = draw_below(s, n); i < n; i++, j = j + 1 < n ? j + 1 : 0) {
    if (walks[j]) *vec_push(&s->branches) = (struct branch){{.thread = threads[j]}, walks[j]};
  }
}

/* Counts a walk more that takes the step from the last state. */
static void add_walk(struct strategy *s, uint32_t first, struct step step) {
  for (size_t i = first; i < s->branches.count; i++) {
    if (!step_equal(s->branches.data[i].step, step)) continue;
    s->branches.data[i].walks++;
    return;
  }
  *vec_push(&s->branches) = (struct branch){step, 1};
}

/* Draws the steps of all walks that go on from here. */
static void draw_walks(struct strategy *s, const struct execution *x) {
  uint32_t first = (uint32_t)s->branches.count, threads[THREADS_MAX], n = list_threads(x, threads);
  *vec_push(&s->states) = (struct state){x->depth, first};
  if (n) {
    draw_threads(s, threads, n);
    return;
  }
  for (uint32_t i = 0; i < s->walks; i++) add_walk(s, first, draw_step(s, x));
}

/* Takes the next step from the last state, which is the present one. */
static struct step go_on(struct strategy *s, const struct execution *x) {
  struct branch branch = vec_pop(&s->branches);
  if (s->branches.count == vec_last(&s->states).first) s->states.count--;
  s->walks = branch.walks;
  s->path.steps.count = x->depth;
  *vec_push(&s->path.steps) = branch.step;
  return branch.step;
}

[[gnu::noinline]] static enum pick pick_with_choice(struct strategy *s, const struct execution *x, struct step *step) {
  step->choice = draw_choice(s, x, step->thread);
  return PICK_STEP;
}

[[gnu::noinline]] static enum pick pick_of_batch(struct strategy *s, const struct execution *x, struct step *step) {
  if (s->walks) draw_walks(s, x);
  *step = go_on(s, x);
  return s->states.count && vec_last(&s->states).depth == x->depth ? PICK_RETURN : PICK_STEP;
}

static enum pick random_pick(struct strategy *s, const struct execution *x, struct step *step) {
  if (s->walks != 1) return pick_of_batch(s, x, step);
  *step = (struct step){.thread = draw_thread(s, x->enabled)};
  return execution_may_choose(x, step->thread) ? pick_with_choice(s, x, step) : PICK_STEP;
}

static void random_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  (void)end, (void)cut, (void)given_up;
  if (x->depth > s->length) s->length = x->depth;
}

static bool random_bounded(const struct strategy *s) {
  (void)s;
  return true;
}

/* Priorities that are drawn are above this, and those of threads that gave way below it. */
#define PCT_CHANGED ((uint64_t)1 << 62)

static const struct schedule *pct_next(struct strategy *s) {
  if (!another(s)) return NULL;
  for (uint32_t i = 0; i < THREADS_MAX; i++) s->priority[i] = 0;
  vec_clear(&s->changes);
  s->lowest = PCT_CHANGED;
  for (uint32_t i = 1; s->length && i < s->options.pct_depth; i++) *vec_push(&s->changes) = draw_below(s, s->length);
  return &s->empty;
}

/* Initial priorities are random; at the i-th change point the running thread falls to the i-th below them (Burckhardt et al., section 2).
 * A choice has no priority: it is drawn. */
static enum pick pct_pick(struct strategy *s, const struct execution *x, struct step *step) {
  uint32_t best = THREADS_MAX;
  for (uint32_t t = tset_next(x->enabled, 0); t < THREADS_MAX; t = tset_next(x->enabled, t + 1)) {
    if (s->priority[t] == 0) s->priority[t] = 2 * PCT_CHANGED + (draw(s) >> 8);
    if (best == THREADS_MAX || s->priority[t] > s->priority[best]) best = t;
  }
  for (uint32_t i = 0; i < s->changes.count; i++) {
    if (s->changes.data[i] != x->depth) continue;
    s->priority[best] = PCT_CHANGED + i + 1;
    for (uint32_t t = tset_next(x->enabled, 0); t < THREADS_MAX; t = tset_next(x->enabled, t + 1)) {
      if (s->priority[t] > s->priority[best]) best = t;
    }
  }
  /* A thread that yields or would spin gives way to all others, also to those that have given way before, or they starve. */
  const struct event *e = execution_pending(x, best);
  if ((e->op == EVENT_YIELD && !event_fails(e)) || e->op == EVENT_AWAIT) s->priority[best] = --s->lowest;
  *step = (struct step){.thread = best, .choice = draw_choice(s, x, best)};
  return PICK_STEP;
}

const struct strategy_type strategy_random = {
    .name = "random",
    .summary = "uniformly random schedules (--seed, --executions)",
    .in_blocks = true,
    .predicts = true,
    .create = random_create,
    .destroy = random_destroy,
    .restart = random_restart,
    .next = random_next,
    .pick = random_pick,
    .done = random_done,
    .bounded = random_bounded,
};

const struct strategy_type strategy_pct = {
    .name = "pct",
    .summary = "probabilistic concurrency testing: random priorities, few changes (--seed, --pct-depth)",
    .in_blocks = true,
    .predicts = true,
    .create = random_create,
    .destroy = random_destroy,
    .restart = random_restart,
    .next = pct_next,
    .pick = pct_pick,
    .done = random_done,
    .bounded = random_bounded,
};
