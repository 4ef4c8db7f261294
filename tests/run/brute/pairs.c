#include "pairs.h"

#include <string.h>

#include "happens/race.h"
#include "happens/sync_edge.h"
#include "search/search.h"

/* Nothing of any program is at this address. */
#define MARK 0x7fffffff0008ull

static struct {
  const unsigned *lines; /* by site */
  unsigned one, other;
  struct races races;
  VEC(struct event) marked;
  const struct strategy_type *type; /* how executions are made */
  bool found;
} g;

static bool is_memory(const struct event *e) {
  return e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE;
}
static bool is_atomic(const struct event *e) { return !is_memory(e) || (e->order != ORDER_PLAIN && e->op != EVENT_FREE); }
static bool is_read(const struct event *e) { return !is_memory(e) || e->op == EVENT_READ; }

static bool touches(const struct event *e, uint64_t from, uint64_t size) {
  if (is_memory(e)) return e->object < from + size && from < e->object + e->size;
  struct sync_use use = sync_use(e);
  for (unsigned i = 0; i < use.count; i++)
    if (use.objects[i] < from + size && from < use.objects[i] + SYNC_USE_SIZE) return true;
  return false;
}

static bool conflict(const struct event *a, const struct event *b) {
  if (a->thread == b->thread || (is_read(a) && is_read(b)) || (is_atomic(a) && is_atomic(b))) return false;
  return is_memory(a) ? touches(b, a->object, a->size) : is_memory(b) && touches(a, b->object, b->size);
}

static void put_mark(const struct event *at, uint32_t site) {
  struct event e = {.op = EVENT_WRITE, .order = ORDER_PLAIN, .thread = at->thread, .site = site, .object = MARK, .size = 1};
  e.index = at->index; /* locksets know traces again by what each thread did, and when */
  *vec_push(&g.marked) = e;
}

/* A write beside each of the two, with a site of its own, of a byte that nothing else touches: these race if, and only if, nothing orders
 * the two. The first comes before what its access releases, the second behind what its access acquires. */
static bool unordered(const struct event *trace, uint32_t n, uint32_t first, uint32_t second) {
  vec_clear(&g.marked);
  for (uint32_t i = 0; i < n; i++) {
    if (i == first) put_mark(&trace[i], UINT32_MAX);
    *vec_push(&g.marked) = trace[i];
    if (i == second) put_mark(&trace[i], UINT32_MAX - 1);
  }
  races_forget(&g.races);
  races_find(&g.races, g.marked.data, (uint32_t)g.marked.count);
  for (size_t i = 0; i < g.races.found.count; i++)
    if (g.marked.data[g.races.found.data[i].first].object == MARK) return true;
  return false;
}

static void look_at(const struct event *trace, uint32_t n) {
  for (uint32_t i = 0; i < n && !g.found; i++) {
    unsigned line = g.lines[trace[i].site], other = line == g.one ? g.other : g.one;
    if (line != g.one && line != g.other) continue;
    for (uint32_t j = i + 1; j < n && !g.found; j++)
      g.found = g.lines[trace[j].site] == other && conflict(&trace[i], &trace[j]) && unordered(trace, n, i, j);
  }
}

static void done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  if (!g.found && x->depth) look_at(x->trace, x->ends[x->depth - 1]);
  g.type->done(s, x, end, cut, given_up);
}

static const struct schedule *next(struct strategy *s) { return g.found ? NULL : g.type->next(s); }

/* Was everything made that there is? */
static bool look_by(const struct strategy_type *type, struct strategy_options how, struct machine *m, uint64_t most, struct diag *d) {
  struct strategy_type looking = *type;
  looking.done = done, looking.next = next;
  struct explore_options o = {
      .strategy = &looking, .strategy_options = how, .executions = most, .step_limit = 2000, .seconds = 20, .no_races = true};
  struct explore_result r = {0};
  g.type = type;
  bool whole = explore(m, &o, &r, d) == ERR_NONE && !r.reasons;
  explore_result_release(&r);
  return whole;
}

enum pair_answer pair_decide(struct machine *m, const unsigned *lines, unsigned one, unsigned other, uint64_t most, struct diag *d) {
  g.lines = lines, g.one = one, g.other = other, g.found = false;
  bool whole = look_by(&strategy_dpor, (struct strategy_options){.bound = UINT32_MAX}, m, most, d);
  /* Orders that differ late come first, and there may be too many of them: others at random. */
  for (unsigned depth = 0; depth < 4 && !whole && !g.found; depth++) {
    struct strategy_options how = {.seed = depth, .pct_depth = 1 + 2 * depth, .executions = most};
    look_by(depth ? &strategy_pct : &strategy_random, how, m, most, d);
  }
  races_release(&g.races);
  vec_release(&g.marked);
  return g.found ? PAIR_RACES : whole ? PAIR_NEVER : PAIR_UNKNOWN;
}
