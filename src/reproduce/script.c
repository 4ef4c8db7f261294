/* The whole formula as an SMT-LIB 2 script. */
#include <inttypes.h>

#include "machine/machine.h"
#include "order/record.h"
#include "reproduce/internal.h"
#include "value/expr_text.h"

struct script {
  struct text *out;
  struct order_record record;
};

static void declare_step(struct formula *f, uint32_t node, struct text *out) {
  uint32_t event = f->node_event.data[node];
  text_printf(out, "(declare-const s%u Int) ; ", node);
  if (event == NOBODY) {
    text_puts(out, "the failure\n");
    return;
  }
  const struct apart_event *e = event_at(f, event / 2);
  text_printf(out, "thread %s: %s", machine_thread_name(f->a->machine, e->thread),
              event & 1 ? "flush of a write" : event_op_text((enum event_op)e->op));
  if (e->object) {
    text_putc(out, ' ');
    if (!image_address_text(machine_image(f->a->machine), e->object, e->size, out)) text_printf(out, "0x%" PRIx64, e->object);
  }
  text_puts(out, ", ");
  image_site_text(machine_image(f->a->machine), e->site, out);
  if (apart_reads(e)) text_printf(out, ", finds e%u", f->read.data[event / 2].id);
  if (apart_writes(e)) text_printf(out, ", leaves e%u", f->written.data[event / 2].id);
  text_putc(out, '\n');
}

static bool is_constant(struct record_lit l, uint32_t which) { return l.a == which && l.b == RECORD_TRUE; }

static void put_literal(struct text *out, struct record_lit l) {
  if (l.a != RECORD_IS && l.a != RECORD_IS_NOT)
    text_printf(out, " (< s%u s%u)", l.a, l.b);
  else
    text_printf(out, l.a == RECORD_IS ? " b%u" : " (not b%u)", l.b);
}

static void put_clause(struct text *out, const struct record_lit *lits, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (is_constant(lits[i], RECORD_IS)) return;
  text_puts(out, "(assert (or false"); /* of how many there are, and be it none */
  for (uint32_t i = 0; i < count; i++)
    if (!is_constant(lits[i], RECORD_IS_NOT)) put_literal(out, lits[i]);
  text_puts(out, "))\n");
}

/* What is on one chain, what must come before what, and clauses. */
static void put_order(const struct formula *f, const struct script *s) {
  VEC(uint32_t) last = {0}; /* of each chain: node + 1 */
  uint32_t node = 0;
  (void)vec_push_n(&last, f->nchains);
  for (uint32_t i = 0; i < f->nchains; i++) last.data[i] = 0;
  for (size_t i = 0; i < s->record.steps.count; i++) {
    const struct record_step *r = &s->record.steps.data[i];
    if (r->op == RECORD_EVENT) {
      if (last.data[r->a]) text_printf(s->out, "(assert (< s%u s%u))\n", last.data[r->a] - 1, node);
      last.data[r->a] = ++node;
    } else if (r->op == RECORD_EDGE) {
      text_printf(s->out, "(assert (< s%u s%u))\n", r->a, r->b);
    } else if (r->op == RECORD_CLAUSE) {
      put_clause(s->out, s->record.lits.data + r->lits, r->count);
    }
  }
  vec_release(&last);
}

/* What a read finds if it finds what that source has. */
static struct expr equality(struct formula *f, uint32_t read, const struct source *s) {
  const struct apart_event *e = event_at(f, read);
  struct expr found = s->write == NOBODY ? expr_constant(f->pool, (unsigned)(8 * e->size), e->initial) : f->written.data[s->write];
  return expr_binary(f->pool, EXPR_EQ, f->read.data[read], found);
}

struct implication {
  uint32_t boolean;
  struct expr then;
};

static void put_values(struct formula *f, struct text *out) {
  VEC(struct implication) implications = {0};
  VEC(struct expr) all = {0};
  for (uint32_t i = 0; i < f->a->events.count; i++) {
    if (apart_reads(event_at(f, i))) *vec_push(&all) = f->read.data[i];
    if (apart_writes(event_at(f, i))) *vec_push(&all) = f->written.data[i];
    for (uint32_t k = 0; apart_reads(event_at(f, i)) && k < f->places.data[i].sources; k++) {
      const struct source *s = source_at(f, i, k);
      struct expr then = equality(f, i, s);
      *vec_push(&implications) = (struct implication){s->number, then};
      *vec_push(&all) = then;
    }
  }
  for (size_t i = 0; i < f->conditions.count; i++) *vec_push(&all) = f->conditions.data[i];
  expr_define_smt(f->pool, all.data, all.count, out);
  for (size_t i = 0; i < implications.count; i++)
    text_printf(out, "(assert (=> b%u (= e%u #b1)))\n", implications.data[i].boolean, implications.data[i].then.id);
  for (size_t i = 0; i < f->conditions.count; i++) text_printf(out, "(assert (= e%u #b1))\n", f->conditions.data[i].id);
  vec_release(&implications);
  vec_release(&all);
}

static enum err write_script(struct formula *f, void *data) {
  const struct script *s = data;
  static const char *const models[] = {[MEMORY_SC] = "sc", [MEMORY_TSO] = "tso", [MEMORY_PSO] = "pso"};
  text_printf(
      s->out,
      "; Which order of the threads' steps, and which values found by their reads, make each thread go as the log of its run says, and\n"
      "; the run fail? By heddle reproduce --smt, memory model %s. s0, s1, ..: when a step is done. b0, b1, ..:\n"
      "; which write a read finds, which signal ends a wait. e0, e1, ..: values. Addresses that depend on reads are what was assumed of "
      "them.\n"
      "(set-logic ALL)\n",
      models[f->memory]);
  for (uint32_t i = 0; i < f->nodes; i++) declare_step(f, i, s->out);
  for (uint32_t i = 0; i < f->booleans; i++) text_printf(s->out, "(declare-const b%u Bool)\n", i);
  put_order(f, s);
  put_values(f, s->out);
  text_puts(s->out, "(check-sat)\n");
  return ERR_NONE;
}

enum err formula_script(const struct apart *a, enum machine_memory memory, struct text *out, struct diag *d) {
  struct script s = {.out = out};
  struct formula_counts counts = {0};
  enum err e = formula_make(a, memory, ORDER_ENGINE, (struct formula_way){.as_is = true}, &s.record, write_script, &s, &counts, d);
  order_record_release(&s.record);
  return e;
}
