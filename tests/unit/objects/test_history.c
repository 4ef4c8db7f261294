/* Histories: the monitor against the definition, on random histories of random objects.
 *
 * An object is a table: in a state, an operation returns a result and leads to a state, or it blocks. The definition is an enumeration of
 * all orders of the operations of a history. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "objects/history.h"

enum { STATES = 4, OPERATIONS = 3, HISTORIES = 20000, CALLS_MOST = 10 };

static uint64_t seed;
static uint32_t random_below(uint32_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((seed >> 33) % n);
}

struct table {
  uint8_t result[STATES][OPERATIONS], next[STATES][OPERATIONS];
  bool blocks[STATES][OPERATIONS];
};

static void random_table(struct table *t) {
  for (unsigned s = 0; s < STATES; s++)
    for (unsigned o = 0; o < OPERATIONS; o++) {
      t->result[s][o] = (uint8_t)random_below(3);
      t->next[s][o] = (uint8_t)random_below(STATES);
      t->blocks[s][o] = random_below(6) == 0;
    }
}

static void random_scenario(struct scenario *s) {
  *s = (struct scenario){.threads = 1 + random_below(4)};
  uint32_t left = CALLS_MOST;
  for (uint32_t t = 0; t < s->threads; t++) {
    uint32_t n = 1 + random_below(4);
    s->count[t] = n < left ? n : left;
    left -= s->count[t];
    for (uint32_t i = 0; i < s->count[t]; i++) s->calls[t][i].operation = random_below(OPERATIONS);
  }
}

/* --- the sequential graph --- */

static uint32_t build(const struct table *x, const struct scenario *s, bool states, const uint8_t *done, unsigned state,
                      struct sequential *to) {
  struct sequential_node n = {0};
  bool last = true;
  memcpy(n.done, done, sizeof n.done);
  for (uint32_t t = 0; t < SCENARIO_THREADS; t++) {
    n.next[t] = SEQUENTIAL_NONE;
    if (t >= s->threads || done[t] == s->count[t]) continue;
    last = false;
    unsigned o = s->calls[t][done[t]].operation;
    if (x->blocks[state][o]) continue;
    uint8_t further[SCENARIO_THREADS];
    memcpy(further, done, sizeof further);
    further[t]++;
    n.result[t] = x->result[state][o];
    n.next[t] = build(x, s, states, further, x->next[state][o], to);
  }
  if (last && states) n.has_state = true, n.state = state;
  return sequential_add(to, &n);
}

/* --- a history: what really happens is some order of effects, or lies --- */

struct happening {
  VEC(struct history_event) events;
  bool closed;
};

struct run {
  uint8_t begun[SCENARIO_THREADS], ended[SCENARIO_THREADS];
  bool done[SCENARIO_THREADS];
  uint64_t result[SCENARIO_THREADS];
  unsigned state;
};

static void step(const struct table *x, const struct scenario *s, struct run *r, uint32_t t, uint32_t lies, struct happening *h) {
  if (r->begun[t] == r->ended[t]) {
    if (r->begun[t] == s->count[t]) return;
    *vec_push(&h->events) = (struct history_event){.what = HISTORY_BEGINS, .thread = t};
    r->begun[t]++, r->done[t] = false;
    return;
  }
  unsigned o = s->calls[t][r->ended[t]].operation;
  if (!r->done[t]) {
    if (x->blocks[r->state][o]) return;
    r->result[t] = x->result[r->state][o], r->state = x->next[r->state][o], r->done[t] = true;
    return;
  }
  if (lies && random_below(lies) == 0) r->result[t] = random_below(3);
  *vec_push(&h->events) = (struct history_event){.what = HISTORY_ENDS, .thread = t, .value = r->result[t]};
  r->ended[t]++;
}

static void random_history(const struct table *x, const struct scenario *s, bool states, struct happening *h) {
  struct run r = {0};
  uint32_t lies = random_below(3) ? 0 : 4, steps = random_below(80);
  for (uint32_t i = 0; i < steps; i++) step(x, s, &r, random_below(s->threads), lies, h);
  for (uint32_t t = 0; t < s->threads; t++)
    if (r.ended[t] < s->count[t]) return;
  h->closed = states;
  if (states)
    *vec_push(&h->events) =
        (struct history_event){.what = HISTORY_CLOSES, .value = lies && random_below(2) ? random_below(STATES) : r.state};
}

/* --- the definition --- */

struct call {
  uint32_t thread, operation;
  size_t begins, ends; /* SIZE_MAX: not yet */
  uint64_t result;
};

struct definition {
  const struct table *table;
  struct call calls[SCENARIO_THREADS * SCENARIO_CALLS];
  unsigned n;
  bool used[SCENARIO_THREADS * SCENARIO_CALLS];
  const struct history_event *close;
  bool blocked;     /* those that have not ended are not done, and block at the end; */
  uint32_t crashed; /* but that of this thread, which may be done or not */
};

static void read_calls(struct definition *x, const struct scenario *s, const struct history_event *events, size_t n) {
  unsigned open[SCENARIO_THREADS], begun[SCENARIO_THREADS] = {0};
  for (size_t i = 0; i < n; i++) {
    const struct history_event *e = &events[i];
    if (e->what == HISTORY_CLOSES) x->close = e;
    if (e->what == HISTORY_BEGINS) {
      open[e->thread] = x->n;
      x->calls[x->n++] = (struct call){e->thread, s->calls[e->thread][begun[e->thread]++].operation, i, SIZE_MAX, 0};
    }
    if (e->what == HISTORY_ENDS) x->calls[open[e->thread]].ends = i, x->calls[open[e->thread]].result = e->value;
  }
}

static bool ends_well(const struct definition *x, unsigned state) {
  for (unsigned i = 0; i < x->n; i++) {
    if (x->used[i]) continue;
    if (x->calls[i].ends != SIZE_MAX) return false;
    if (x->blocked && x->calls[i].thread != x->crashed && !x->table->blocks[state][x->calls[i].operation]) return false;
  }
  return !x->close || x->close->value == state;
}

static bool comes_next(const struct definition *x, unsigned i) {
  for (unsigned k = 0; k < x->n; k++)
    if (!x->used[k] && x->calls[k].ends < x->calls[i].begins) return false;
  return !x->used[i] && (!x->blocked || x->calls[i].ends != SIZE_MAX || x->calls[i].thread == x->crashed);
}

static bool has_order(struct definition *x, unsigned state) {
  if (ends_well(x, state)) return true;
  for (unsigned i = 0; i < x->n; i++) {
    const struct call *c = &x->calls[i];
    if (!comes_next(x, i) || x->table->blocks[state][c->operation]) continue;
    if (c->ends != SIZE_MAX && c->result != x->table->result[state][c->operation]) continue;
    x->used[i] = true;
    bool found = has_order(x, x->table->next[state][c->operation]);
    x->used[i] = false;
    if (found) return true;
  }
  return false;
}

static bool is_linearizable(const struct table *t, const struct scenario *s, const struct history_event *events, size_t n) {
  struct definition x = {.table = t};
  read_calls(&x, s, events, n);
  return has_order(&x, 0);
}

static bool may_block(const struct table *t, const struct scenario *s, const struct history_event *events, size_t n, uint32_t crashed) {
  struct definition x = {.table = t, .blocked = true, .crashed = crashed};
  read_calls(&x, s, events, n);
  return has_order(&x, 0);
}

/* --- the monitor --- */

static uint64_t next(struct history *h, uint64_t state, const struct history_event *e) {
  if (e->what == HISTORY_BEGINS) return history_begins(h, state, e->thread);
  return e->what == HISTORY_ENDS ? history_ends(h, state, e->thread, e->value) : history_closes(h, state, e->value);
}

static uint64_t state_behind(struct history *h, const struct history_event *events, size_t n) {
  uint64_t state = HISTORY_BEGIN;
  for (size_t i = 0; i < n; i++) state = next(h, state, &events[i]);
  return state;
}

/* Two beginnings, or two ends, in either order. */
static void exchange(struct history *h, const struct happening *of, size_t at) {
  struct history_event *e = of->events.data;
  if (at + 1 >= of->events.count || e[at].what != e[at + 1].what || e[at].thread == e[at + 1].thread) return;
  uint64_t before = state_behind(h, e, at + 2);
  struct history_event first = e[at];
  e[at] = e[at + 1], e[at + 1] = first;
  uint64_t other = state_behind(h, e, at + 2);
  e[at + 1] = e[at], e[at] = first;
  assert_int_equal(before, other);
}

static unsigned linearizable, wrong, blocked, crashed;

static void compare(const struct table *table, const struct scenario *s, const struct sequential *graph, const struct happening *of) {
  static const char *const names[] = {"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8"};
  static struct object_operation operations[] = {{"a", 0}, {"b", 0}, {"c", 0}};
  struct object object = {0};
  object.operations.data = operations, object.operations.count = OPERATIONS;
  struct history *h = history_new(s, graph);
  uint64_t state = HISTORY_BEGIN;
  for (size_t i = 0; i < of->events.count && state != HISTORY_WRONG; i++) {
    state = next(h, state, &of->events.data[i]);
    bool right = is_linearizable(table, s, of->events.data, i + 1);
    assert_int_equal(state != HISTORY_WRONG, right);
    struct text orders = {0};
    history_orders(h, &object, of->events.data, i + 1, names, 5, &orders);
    if (right) assert_int_equal(orders.count, 0);
    text_release(&orders);
    bool blocks = right && may_block(table, s, of->events.data, i + 1, HISTORY_NOBODY);
    assert_int_equal(history_may_block(h, state, HISTORY_NOBODY), blocks);
    for (uint32_t t = 0; t < s->threads; t++) {
      bool left = right && may_block(table, s, of->events.data, i + 1, t);
      assert_int_equal(history_may_block(h, state, t), left);
      crashed += left && !blocks;
    }
    linearizable += right, wrong += !right, blocked += blocks;
  }
  for (size_t i = 0; i < of->events.count; i++) exchange(h, of, i);
  history_free(h);
}

static void the_monitor_agrees_with_the_definition(void **state) {
  (void)state;
  for (seed = 1; seed <= HISTORIES; seed++) {
    uint64_t number = seed;
    struct table table;
    struct scenario s;
    struct sequential graph = {0};
    struct happening h = {0};
    bool states = random_below(2);
    random_table(&table);
    random_scenario(&s);
    graph.root = build(&table, &s, states, (const uint8_t[SCENARIO_THREADS]){0}, 0, &graph);
    random_history(&table, &s, states, &h);
    compare(&table, &s, &graph, &h);
    vec_release(&h.events);
    sequential_release(&graph);
    seed = number;
  }
  /* Each kind is there often enough to tell something. */
  assert_true(linearizable > HISTORIES && wrong > HISTORIES / 20 && blocked > HISTORIES / 20 && crashed > HISTORIES / 20);
}

/* A register that loses a write: what is said of it. */
static void a_history_is_told_as_line_table_and_orders(void **state) {
  (void)state;
  static struct object_operation operations[] = {{"add", 1}, {"get", 0}};
  static const char *const names[] = {"0.1", "0.2"};
  struct object object = {0};
  object.operations.data = operations, object.operations.count = 2;
  struct scenario s = {.threads = 2, .count = {1, 2}};
  s.calls[0][0] = (struct scenario_call){.operation = 0, .arguments = {5}};
  s.calls[1][0] = (struct scenario_call){.operation = 0, .arguments = {7}};
  s.calls[1][1] = (struct scenario_call){.operation = 1};
  struct sequential graph = {0};
  uint32_t all = SEQUENTIAL_NONE, of[2][3];
  for (unsigned a = 2; a-- > 0;)
    for (unsigned b = 3; b-- > 0;) {
      struct sequential_node n = {.done = {(uint8_t)a, (uint8_t)b}};
      for (uint32_t t = 0; t < SCENARIO_THREADS; t++) n.next[t] = SEQUENTIAL_NONE;
      uint64_t sum = a * 5 + (b > 0) * 7u;
      if (a == 0) n.next[0] = of[1][b], n.result[0] = sum + 5;
      if (b < 2) n.next[1] = of[a][b + 1], n.result[1] = b ? sum : sum + 7;
      all = of[a][b] = sequential_add(&graph, &n);
    }
  graph.root = all;
  struct history *h = history_new(&s, &graph);
  const struct history_event events[] = {{.what = HISTORY_BEGINS, .thread = 0},
                                         {.what = HISTORY_BEGINS, .thread = 1},
                                         {.what = HISTORY_ENDS, .thread = 1, .value = 7},
                                         {.what = HISTORY_ENDS, .thread = 0, .value = 5},
                                         {.what = HISTORY_BEGINS, .thread = 1}};
  assert_int_equal(state_behind(h, events, 4), HISTORY_WRONG);
  struct text out = {0};
  history_line(&object, &s, events, 5, &out);
  assert_string_equal(text_str(&out), "add(5) = 5 | add(7) = 7, get() pending");
  text_clear(&out);
  history_table(&object, &s, events, 5, names, &out);
  assert_string_equal(text_str(&out),
                      "  thread 0.1  thread 0.2\n"
                      "  add(5) ...\n"
                      "              add(7) = 7\n"
                      "  add(5) = 5\n"
                      "              get() ...\n");
  text_clear(&out);
  history_orders(h, &object, events, 4, names, 5, &out);
  assert_string_equal(text_str(&out),
                      "  0.1 add(5), 0.2 add(7): the last one would return 12\n"
                      "  0.2 add(7), 0.1 add(5): the last one would return 12\n");
  text_release(&out);
  history_free(h);
  sequential_release(&graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_monitor_agrees_with_the_definition),
      cmocka_unit_test(a_history_is_told_as_line_table_and_orders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
