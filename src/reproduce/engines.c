#include "reproduce/engines.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/deadline.h"
#include "search/answer.h"
#include "search/pool.h"

/* Steps of orders that are made before the formula is solved, where one process does both: a second. */
#define STEPS_FIRST 1000000u

enum { FORMULA, ORDERS, ENGINES };

struct race {
  const struct engines *how;
  const struct apart *a;
  enum machine_memory memory;
  struct solution *solution;
  enum err errors[ENGINES];
  struct pool pool;
  struct diag *d; /* what the formula's engine says of its failure */
};

struct said {
  enum err error;
  uint32_t failing;
  bool fits, moved;
};

static void put_solution(struct text *out, enum err e, const struct solution *s) {
  struct said said = {e, s->plan.failing, s->fits, s->moved};
  WIRE_PUT(out, said);
  WIRE_PUT_VEC(out, &s->plan.steps);
  WIRE_PUT_VEC(out, &s->values.values);
}

static void work(void *user, uint32_t place, int in, int out) {
  struct race *r = user;
  struct solution solution = {0};
  struct formula_counts formula;
  struct generate_counts orders;
  struct text said = {0};
  (void)in;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  deadline_inherit(0);
  enum err e = place == FORMULA ? formula_solve(r->a, r->memory, r->how->solver, &solution, &formula, r->d)
                                : generate_solve(r->a, r->memory, r->how->workers - 1, 0, &solution, &orders, r->d);
  put_solution(&said, e, &solution);
  text_puts(&said, text_str(&r->d->message));
  answer_send(out, &said);
  _exit(0);
}

static bool gone(void *user, uint32_t place, enum pool_end end) {
  struct race *r = user;
  const struct text *text = &r->pool.workers[place].said;
  struct wire wire = {text->data, text->data + text->count, false};
  struct said said;
  if (end == POOL_KILLED) return true;
  WIRE_GET(&wire, said);
  r->errors[place] = wire.bad ? ERR_TOOL : said.error;
  solution_release(r->solution);
  if (!wire.bad) {
    WIRE_GET_VEC(&wire, &r->solution->plan.steps);
    WIRE_GET_VEC(&wire, &r->solution->values.values);
    r->solution->plan.failing = said.failing;
    r->solution->fits = said.fits, r->solution->moved = said.moved;
  }
  if (wire.bad && place == FORMULA)
    diag_set(r->d, ERR_TOOL, "a process that looked for an order has ended early");
  else if (said.error && place == FORMULA)
    diag_set(r->d, said.error, "%.*s", (int)(wire.end - wire.at), wire.at);
  return r->errors[place] != ERR_NONE;
}

static enum err race(const struct engines *how, const struct apart *a, enum machine_memory memory, struct solution *solution,
                     struct diag *d) {
  static const struct pool_type type = {.work = work, .gone = gone};
  struct race r = {.how = how, .a = a, .memory = memory, .solution = solution, .errors = {ERR_UNSUPPORTED, ERR_UNSUPPORTED}, .d = d};
  enum err e = ERR_NONE;
  bool on = true;
  diag_set(d, ERR_UNSUPPORTED, "there was no more time to look for an order");
  pool_init(&r.pool, &type, ENGINES, &r);
  for (uint32_t i = 0; i < ENGINES && !e; i++) e = pool_hire(&r.pool, i, d);
  while (!e && on && r.pool.count) {
    on = pool_listen(&r.pool, 1000);
    pool_stop(&r.pool, on && deadline_passed, deadline_now());
  }
  pool_kill_all(&r.pool);
  pool_release(&r.pool);
  if (!e && on) e = r.errors[FORMULA];
  return e;
}

enum err engines_solve(const struct engines *how, const struct apart *a, enum machine_memory memory, struct solution *solution,
                       struct generate_counts *counts, struct diag *d) {
  struct formula_counts formula;
  *counts = (struct generate_counts){0};
  if (how->formula && how->orders && how->workers > 1) return race(how, a, memory, solution, d);
  if (how->orders) {
    enum err e = generate_solve(a, memory, how->workers, how->formula ? STEPS_FIRST : 0, solution, counts, d);
    if (!e || !how->formula) return e;
  }
  return formula_solve(a, memory, how->solver, solution, &formula, d);
}
