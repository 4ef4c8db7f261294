/* Random questions about random paths, asked in sequences of several solvers: each answer is the true one, each model holds.
 * usage: queries [--rounds=N] [--wide=N] [--seed=N]
 *
 * A round has one pool. Paths are extended, given up and gone back to, so that each layer of a solver answers some of the questions. */
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "queries.h"
#include "value/expr_text.h"
#include "value_script.h"

enum { PATHS = 6, STEPS = 40, LONGEST = 6, SUBJECTS = 4, STEPS_WIDE = 20, WORK_WIDE = 300 };

static const struct value_options subjects[SUBJECTS] = {
    {.engine = VALUE_BITS, .work = 3000},
    {.engine = VALUE_BITS, .work = 3000, .no_cache = true},
    {.engine = VALUE_Z3, .work = 500},
    {.engine = VALUE_BITS, .work = 3000, .no_groups = true, .cache_members = 200},
};

struct known_path {
  VEC(struct expr) conditions;
  struct path *path[SUBJECTS]; /* one for each, since what is found out is kept in it */
  struct value_model model[SUBJECTS];
  bool possible;
};

struct round {
  struct source source;
  uint64_t seed;
  struct value_solver *solvers[SUBJECTS]; /* NULL: not of this round */
  struct known_path paths[PATHS];
};

static unsigned long questions, answers[3], without_truth;
static struct value_counters total[SUBJECTS];

static void fail(struct round *r, int subject, const struct known_path *k, struct expr c, const char *what) {
  struct text text = {0};
  printf("seed %llu, solver %d: %s\n", (unsigned long long)r->seed, subject, what);
  for (size_t i = 0; i <= k->conditions.count; i++) {
    expr_print(r->source.pool, i < k->conditions.count ? k->conditions.data[i] : c, &text);
    text_putc(&text, '\n');
  }
  fputs(text_str(&text), stdout);
  exit(1);
}

/* The true answer for the path, and `c`. */
static enum value_answer truth(struct round *r, const struct known_path *k, struct expr c) {
  struct expr all[LONGEST + 8];
  size_t n = 0;
  for (; n < k->conditions.count; n++) all[n] = k->conditions.data[n];
  all[n++] = c;
  enum value_answer answer = r->source.truth(&r->source, all, n);
  without_truth += answer == VALUE_UNKNOWN;
  return answer;
}

static void check_answer(struct round *r, int subject, const struct known_path *k, struct expr c, enum value_answer is,
                         enum value_answer expected) {
  questions++;
  answers[is]++;
  if (is == VALUE_UNKNOWN && value_solver_reason(r->solvers[subject]) != VALUE_REASON_LIMIT) fail(r, subject, k, c, "not the limit");
  if (is != VALUE_UNKNOWN && expected != VALUE_UNKNOWN && is != expected) fail(r, subject, k, c, is ? "not possible" : "possible");
}

static void check_model(struct round *r, int subject, const struct known_path *k, struct expr c, const struct value_model *m) {
  for (size_t i = 0; i < k->conditions.count; i++)
    if (!expr_eval(r->source.pool, k->conditions.data[i], m)) fail(r, subject, k, c, "the model does not satisfy the path");
  if (!expr_eval(r->source.pool, c, m)) fail(r, subject, k, c, "the model does not satisfy the condition");
}

static void ask_may(struct round *r, struct known_path *k, struct expr c) {
  enum value_answer expected = truth(r, k, c);
  for (int i = 0; i < SUBJECTS; i++) {
    if (!r->solvers[i]) continue;
    struct value_model m = {0};
    value_model_copy(&m, &k->model[i]);
    enum value_answer is = value_may(r->solvers[i], k->path[i], c, &m);
    check_answer(r, i, k, c, is, expected);
    if (is == VALUE_YES && k->possible) check_model(r, i, k, c, &m);
    value_model_release(&m);
  }
}

static void ask_must(struct round *r, struct known_path *k, struct expr c) {
  enum value_answer otherwise = truth(r, k, expr_not(r->source.pool, c));
  enum value_answer expected = otherwise == VALUE_UNKNOWN ? otherwise : otherwise == VALUE_YES ? VALUE_NO : VALUE_YES;
  for (int i = 0; i < SUBJECTS; i++)
    if (r->solvers[i]) check_answer(r, i, k, c, value_must(r->solvers[i], k->path[i], c), expected);
}

static void forget(struct known_path *k) {
  vec_release(&k->conditions);
  for (int i = 0; i < SUBJECTS; i++) {
    path_release(k->path[i]);
    value_model_release(&k->model[i]);
    k->path[i] = NULL;
  }
}

static void add(struct round *r, struct known_path *k, struct expr c) {
  *vec_push(&k->conditions) = c;
  for (int i = 0; i < SUBJECTS; i++) {
    struct path *longer = path_extend(r->source.pool, k->path[i], c);
    path_release(k->path[i]);
    k->path[i] = longer;
  }
}

/* Is the path possible, and for which values? They need be known for all solvers. */
static void ask_model(struct round *r, struct known_path *k) {
  struct expr yes = expr_constant(r->source.pool, 1, 1);
  enum value_answer expected = truth(r, k, yes);
  k->possible = true;
  for (int i = 0; i < SUBJECTS; i++) {
    if (!r->solvers[i]) continue;
    enum value_answer is = value_model(r->solvers[i], k->path[i], &k->model[i]);
    check_answer(r, i, k, yes, is, expected);
    if (is == VALUE_YES) check_model(r, i, k, yes, &k->model[i]);
    k->possible = k->possible && is == VALUE_YES;
  }
}

static void begin_path(struct round *r, struct known_path *k) {
  forget(k);
  for (size_t i = 0; i < r->source.starts.count; i++) add(r, k, r->source.starts.data[i]);
  ask_model(r, k);
}

/* `to` becomes `from` and `c`. */
static void extend(struct round *r, struct known_path *to, struct known_path *from, struct expr c) {
  struct known_path longer = {0};
  for (size_t i = 0; i < from->conditions.count; i++) *vec_push(&longer.conditions) = from->conditions.data[i];
  for (int i = 0; i < SUBJECTS; i++) {
    longer.path[i] = path_keep(from->path[i]);
    value_model_copy(&longer.model[i], &from->model[i]);
  }
  add(r, &longer, c);
  forget(to);
  *to = longer;
  ask_model(r, to);
}

static void step(struct round *r) {
  struct tree *random = &r->source.random;
  struct known_path *k = &r->paths[tree_random(random, PATHS)], *other = &r->paths[tree_random(random, PATHS)];
  struct expr c = r->source.condition(&r->source);
  if (tree_random(random, 2))
    ask_may(r, k, c);
  else
    ask_must(r, k, c);
  if (tree_random(random, 2)) return;
  if (k->conditions.count >= r->source.starts.count + LONGEST || (!k->possible && tree_random(random, 2)))
    begin_path(r, k);
  else
    extend(r, other, k, tree_random(random, 3) ? c : expr_not(r->source.pool, c));
}

static void count(const struct value_counters *c, struct value_counters *sum) {
#define X(name, text) sum->name += c->name;
  VALUE_COUNTER_LIST(X)
#undef X
}

static void run_round(uint64_t seed, bool wide) {
  struct round r = {.seed = seed};
  struct diag d = {0};
  (wide ? source_wide : source_small)(&r.source, seed);
  for (int i = 0; i < SUBJECTS; i++) {
    if (wide && subjects[i].engine == VALUE_Z3) continue; /* it is the truth there */
    r.solvers[i] = value_solver_new(r.source.pool, &subjects[i], &d);
    if (!r.solvers[i]) fprintf(stderr, "%s\n", text_str(&d.message)), exit(2);
    if (wide) value_solver_set_work(r.solvers[i], WORK_WIDE);
  }
  for (int i = 0; i < PATHS; i++) begin_path(&r, &r.paths[i]);
  for (int i = 0; i < (wide ? STEPS_WIDE : STEPS); i++) step(&r);
  for (int i = 0; i < PATHS; i++) forget(&r.paths[i]);
  for (int i = 0; i < SUBJECTS; i++) {
    if (!r.solvers[i]) continue;
    count(value_solver_counters(r.solvers[i]), &total[i]);
    value_solver_free(r.solvers[i]);
  }
  r.source.release(&r.source);
}

/* Each set was decided by one of them. */
static bool adds_up(const struct value_counters *c) {
  return c->sets == c->same_set + c->impossible_part + c->whole_model + c->callers_model + c->path_model + c->recent_model + c->tried_yes +
                        c->tried_no + c->engine_yes + c->engine_no + c->engine_unknown;
}

/* Each layer has answered something, so each was tried against the truth. */
static bool all_layers_answered(void) {
  const struct value_counters *c = &total[0];
  bool fine = c->simplified && c->in_path && c->same_set && c->impossible_part && c->whole_model && c->callers_model &&
              c->path_model && c->recent_model && c->tried_yes && c->tried_no &&
              c->engine_yes && c->engine_no && c->definitions && c->group_conditions < c->path_conditions && total[2].engine_yes && total[3].cache_renewals;
  if (!fine) puts("a layer has answered nothing");
  for (int i = 0; i < SUBJECTS; i++)
    if (!adds_up(&total[i])) puts("counters do not add up"), fine = false;
  for (int i = 0; i < SUBJECTS && !fine; i++) {
#define X(name, text) printf("%d %s %llu\n", i, text, (unsigned long long)total[i].name);
    VALUE_COUNTER_LIST(X)
#undef X
  }
  return fine;
}

int main(int argc, char **argv) {
  unsigned long rounds = 50, wide = 5, seed = 1;
  for (int i = 1; i < argc; i++)
    if (sscanf(argv[i], "--rounds=%lu", &rounds) != 1 && sscanf(argv[i], "--wide=%lu", &wide) != 1 &&
        sscanf(argv[i], "--seed=%lu", &seed) != 1)
      return 2;
  script_open();
  for (unsigned long i = 0; i < rounds; i++) run_round(seed + i, false);
  if (answers[VALUE_UNKNOWN]) return puts("an answer is missing where values are few"), 1;
  if (rounds && !all_layers_answered()) return 1;
  for (unsigned long i = 0; i < wide; i++) run_round(seed + i, true);
  printf("%lu answers: %lu yes, %lu no, %lu unknown; %lu questions without a truth\n", questions, answers[VALUE_YES], answers[VALUE_NO],
         answers[VALUE_UNKNOWN], without_truth);
  if (answers[VALUE_UNKNOWN] * 10 > questions) return puts("too many answers are missing"), 1;
  return mem_live() != 0;
}
