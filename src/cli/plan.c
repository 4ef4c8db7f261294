#include "cli/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/check.h"
#include "cli/session.h"
#include "reproduce/engines.h"

/* So often, at most, threads are executed apart with the values of a solution that has other addresses than were assumed. */
#define TRIES_MOST 50u
/* And so often with one that fits all the same. */
#define MOVES_MOST 8u

/* The threads of the run, executed apart. */
struct executed {
  struct session session;
  enum machine_memory memory; /* the formula's */
  struct apart apart;
};

static enum err execute(const struct options *o, const struct path_log *log, struct executed *x, struct diag *d) {
  struct session_inputs inputs = session_inputs_of(o);
  *x = (struct executed){.memory = MEMORY_SC};
  enum err e = session_memory(o->memory, &x->memory, d);
  if (e) return e;
  inputs.apart = inputs.recorded = inputs.alone = true;
  inputs.paths = log;
  inputs.few_threads = x->memory != MEMORY_SC;
  inputs.memory = "sc"; /* threads by themselves: stores that wait are the formula's business */
  inputs.insn_limit = INSN_LIMIT;
  e = session_open(&x->session, &inputs, d);
  if (e) return e;
  e = apart_execute(&x->apart, x->session.m, log, d);
  if (!e) return e;
  apart_release(&x->apart);
  session_close(&x->session);
  return e;
}

static void release(struct executed *x) {
  apart_release(&x->apart);
  session_close(&x->session);
}

/* Z3 can only solve a formula. */
static enum err choose_engines(const struct options *o, struct engines *engines, struct diag *d) {
  bool both = strcmp(o->engine, "both") == 0, formula = strcmp(o->engine, "formula") == 0, orders = strcmp(o->engine, "orders") == 0;
  *engines = (struct engines){both || formula, (both && !o->z3) || orders, o->z3 ? ORDER_Z3 : ORDER_ENGINE, (uint32_t)o->jobs};
  if (o->z3 && orders) return diag_set(d, ERR_USAGE, "--z3 solves a formula, and --engine=orders makes none");
  return both || formula || orders ? ERR_NONE
                                   : diag_set(d, ERR_USAGE, "there is no engine \"%s\"; formula, orders and both are", o->engine);
}

static void print_counts(const struct generate_counts *c) {
  printf("generated %" PRIu64 "\ngood %" PRIu64 "\ngenerated-steps %" PRIu64 "\nbound %" PRIu32 "\nworst %.0f\n", c->schedules, c->good,
         c->steps, c->preemptions, c->worst);
}

enum err plan_find(const struct options *o, const struct path_log *log, struct plan *plan, struct diag *d) {
  struct executed x;
  struct engines engines;
  *plan = (struct plan){0};
  enum err e = choose_engines(o, &engines, d);
  if (!e) e = execute(o, log, &x, d);
  if (e) return e;
  struct solution solution = {0};
  struct generate_counts counts = {0};
  for (unsigned i = 0; !e && (!solution.fits || (solution.moved && i < MOVES_MOST)); i++) {
    if (i) e = apart_again(&x.apart, log, &solution.values, d);
    if (!e) e = engines_solve(&engines, &x.apart, x.memory, &solution, &counts, d);
    if (!e && !solution.fits && i == TRIES_MOST) e = diag_set(d, ERR_UNSUPPORTED, "what was assumed of addresses was wrong each time");
  }
  if (o->stats && counts.steps) print_counts(&counts);
  *plan = solution.plan;
  solution.plan = (struct plan){0};
  solution_release(&solution);
  release(&x);
  return e;
}

enum err plan_check(const struct options *o, struct diag *d) {
  struct engines engines;
  return choose_engines(o, &engines, d);
}

enum err plan_script(const struct options *o, const struct path_log *log, const char *path, struct diag *d) {
  struct executed x;
  enum err e = execute(o, log, &x, d);
  if (e) return e;
  struct text script = {0};
  e = formula_script(&x.apart, x.memory, &script, d);
  if (!e) e = file_write(path, script.data, script.count, d);
  if (!e) printf("the formula of the run was written to %s\n", path);
  text_release(&script);
  release(&x);
  return e;
}
