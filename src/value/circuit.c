#include "value/circuit.h"

#include "value/blast.h"

#define NO_LITERAL UINT32_MAX

struct circuit {
  struct blast blast;
  struct circuit_solver solver;
  VEC(uint32_t) literals; /* by gate: its own; NO_LITERAL: the solver does not have it */
  VEC(uint32_t) waiting;
};

struct circuit *circuit_new(struct value_pool *p, const struct circuit_solver *solver) {
  struct circuit *c = mem_alloc(sizeof *c);
  *c = (struct circuit){.solver = *solver};
  blast_init(&c->blast, p);
  return c;
}

void circuit_free(struct circuit *c) {
  if (!c) return;
  blast_release(&c->blast);
  vec_release(&c->literals);
  vec_release(&c->waiting);
  mem_free(c, sizeof *c);
}

/* Of a gate's literal, which the solver has. */
static uint32_t literal_of(const struct circuit *c, uint32_t code) { return code <= 1 ? code : c->literals.data[code >> 1] ^ (code & 1); }

static bool needs(struct circuit *c, uint32_t code) {
  if (code <= 1 || c->literals.data[code >> 1] != NO_LITERAL) return false;
  *vec_push(&c->waiting) = code >> 1;
  return true;
}

static void add_gate(struct circuit *c, uint32_t gate) {
  const struct gate *g = &c->blast.gates.list.data[gate];
  uint32_t operands[GATE_LITERALS] = {c->solver.variable(c->solver.data)};
  c->literals.data[gate] = operands[0];
  for (unsigned i = 0; i < gate_operands[g->kind]; i++) operands[i + 1] = literal_of(c, g->args[i]);
  for (const int8_t(*from)[GATE_LITERALS] = gate_clauses[g->kind]; (*from)[0]; from++) {
    uint32_t clause[GATE_LITERALS];
    size_t n = 0;
    for (; n < GATE_LITERALS && (*from)[n]; n++) clause[n] = (*from)[n] < 0 ? operands[-(*from)[n] - 1] ^ 1 : operands[(*from)[n] - 1];
    c->solver.clause(c->solver.data, clause, n);
  }
}

/* Operands come before what is made of them. */
static void add_cone(struct circuit *c, uint32_t code) {
  (void)needs(c, code);
  while (c->waiting.count) {
    uint32_t gate = vec_last(&c->waiting);
    const struct gate *g = &c->blast.gates.list.data[gate];
    bool waits = false;
    for (unsigned i = 0; i < gate_operands[g->kind]; i++) waits |= needs(c, g->args[i]);
    if (waits) continue;
    (void)vec_pop(&c->waiting);
    if (c->literals.data[gate] == NO_LITERAL) add_gate(c, gate);
  }
}

bool circuit_condition(struct circuit *c, struct expr condition, size_t most, uint32_t *literal) {
  struct lit is;
  size_t reads = c->blast.reads.count;
  if (!blast_condition(&c->blast, condition, most, &is) || c->blast.reads.count > reads) return false;
  while (c->literals.count < c->blast.gates.list.count) *vec_push(&c->literals) = NO_LITERAL;
  add_cone(c, is.code);
  *literal = literal_of(c, is.code);
  return true;
}
