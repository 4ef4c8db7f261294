/* Bits into CaDiCaL.
 *
 * Circuits are kept as long as the engine; of them, a CaDiCaL has the clauses of those gates that some question needed. It decides on all
 * of its variables in each question, so when it has many more than the question needs, a new one takes its place. */
#include <assert.h>
#include <ccadical.h>
#include <limits.h>

#include "base/deadline.h"
#include "value/blast.h"
#include "value/engine.h"
#include "value/trial.h"

/* A CaDiCaL may have this many variables, and this many times those of the question. In bench/value.c a new one for each question takes
 * three to eight times as long; 16 times the variables, two and a half times as long on `checksum` and half on `arithmetic`. */
enum { MANY_VARIABLES = 1000, MANY_TIMES = 4 };
/* Circuits are forgotten when there are so many gates (about 50 bytes each). */
#define MANY_GATES ((size_t)4 << 20)
/* So many new gates cost as much as a conflict; and a question makes no more than those, which take more than a gigabyte in CaDiCaL. */
#define GATES_A_CONFLICT 1000u
#define QUESTION_GATES   ((size_t)4 << 20)

struct bits_gate {
  int variable;   /* 0: its clauses are not in this CaDiCaL */
  uint32_t round; /* of the question that needed it last */
};

struct engine_bits {
  struct engine engine;
  struct value_pool *pool;
  struct blast blast;
  CCaDiCaL *sat;
  int variables;
  uint32_t round;
  VEC(struct bits_gate) gates;           /* by gate */
  VEC(uint32_t) read_rounds;             /* by read */
  VEC(uint32_t) symbol_rounds;           /* by symbol */
  VEC(struct lit) roots;                 /* of the question: its conditions, then what reads need */
  VEC(uint32_t) cone, waiting;           /* gates below the roots */
  VEC(uint32_t) fixed_reads, free_reads; /* in the cone, by whether their index is a constant */
  struct trial trial;
  struct hashmap units; /* roots that reads need and that this CaDiCaL has */
};

static struct bits_gate *gate_at(struct engine_bits *e, uint32_t gate) {
  while (e->gates.count < e->blast.gates.list.count) *vec_push(&e->gates) = (struct bits_gate){0};
  return &e->gates.data[gate];
}

static void visit(struct engine_bits *e, struct lit l) {
  struct bits_gate *g = gate_at(e, l.code >> 1);
  if (g->round == e->round) return;
  g->round = e->round;
  *vec_push(&e->waiting) = l.code >> 1;
}

static void need_consistent(struct engine_bits *e, uint32_t read, uint32_t other) {
  if (e->blast.reads.data[read].array != e->blast.reads.data[other].array) return;
  struct lit is = blast_consistent(&e->blast, read, other);
  if (lit_equal(is, LIT_TRUE)) return;
  *vec_push(&e->roots) = is;
  visit(e, is);
}

/* A read is in the cone: so is its index, and it agrees with those that are there. */
static void visit_read(struct engine_bits *e, uint32_t read) {
  while (e->read_rounds.count <= read) *vec_push(&e->read_rounds) = 0;
  if (e->read_rounds.data[read] == e->round) return;
  e->read_rounds.data[read] = e->round;
  struct blast_read r = e->blast.reads.data[read];
  for (unsigned i = 0; i < ARRAY_INDEX_WIDTH; i++) visit(e, e->blast.words.data[r.index + i]);
  for (unsigned i = 0; i < 8; i++) visit(e, e->blast.words.data[r.byte + i]);
  for (size_t i = 0; i < e->free_reads.count; i++) need_consistent(e, read, e->free_reads.data[i]);
  for (size_t i = 0; !r.constant && i < e->fixed_reads.count; i++) need_consistent(e, read, e->fixed_reads.data[i]);
  if (r.constant)
    *vec_push(&e->fixed_reads) = read;
  else
    *vec_push(&e->free_reads) = read;
}

/* The gates that the roots need, and those that their reads need. */
static void find_cone(struct engine_bits *e) {
  e->round++;
  vec_clear(&e->cone);
  vec_clear(&e->fixed_reads);
  vec_clear(&e->free_reads);
  for (size_t i = 0; i < e->roots.count; i++) visit(e, e->roots.data[i]);
  while (e->waiting.count) {
    uint32_t at = vec_pop(&e->waiting);
    struct gate g = e->blast.gates.list.data[at];
    *vec_push(&e->cone) = at;
    for (unsigned i = 0; i < gate_operands[g.kind]; i++) visit(e, (struct lit){g.args[i]});
    if (g.kind == GATE_INPUT && input_is_read(g.args[0])) visit_read(e, input_number(g.args[0]));
  }
}

/* Clauses. */

static int has_to_end(void *nothing) {
  (void)nothing;
  return deadline_passed != DEADLINE_NONE;
}

static void open_sat(struct engine_bits *e) {
  if (e->sat) ccadical_release(e->sat);
  e->sat = ccadical_init();
  ccadical_set_terminate(e->sat, NULL, has_to_end);
  ccadical_set_option(e->sat, "quiet", 1);
  ccadical_set_option(e->sat, "chrono", 0); /* going back one level at a time costs small questions a quarter of their time */
  for (size_t i = 0; i < e->gates.count; i++) e->gates.data[i].variable = 0;
  hashmap_clear(&e->units);
  e->variables = 0;
}

static int literal(struct engine_bits *e, struct lit l) {
  int v = gate_at(e, l.code >> 1)->variable;
  return l.code & 1 ? -v : v;
}

static void clauses(struct engine_bits *e, enum gate_kind kind, const int *operands) {
  for (const int8_t(*c)[GATE_LITERALS] = gate_clauses[kind]; (*c)[0]; c++) {
    for (unsigned i = 0; i < GATE_LITERALS && (*c)[i]; i++)
      ccadical_add(e->sat, (*c)[i] < 0 ? -operands[-(*c)[i] - 1] : operands[(*c)[i] - 1]);
    ccadical_add(e->sat, 0);
  }
}

static void add_cone(struct engine_bits *e) {
  if (!e->sat || ((size_t)e->variables > MANY_VARIABLES && (size_t)e->variables > MANY_TIMES * e->cone.count)) open_sat(e);
  size_t added = 0; /* the new ones come first: */
  for (size_t i = 0; i < e->cone.count; i++) {
    struct bits_gate *g = gate_at(e, e->cone.data[i]);
    if (g->variable) continue;
    g->variable = ++e->variables;
    e->cone.data[added++] = e->cone.data[i];
  }
  for (size_t i = 0; i < added; i++) {
    struct gate g = e->blast.gates.list.data[e->cone.data[i]];
    int x[4] = {gate_at(e, e->cone.data[i])->variable};
    for (unsigned j = 0; j < gate_operands[g.kind]; j++) x[j + 1] = literal(e, (struct lit){g.args[j]});
    clauses(e, g.kind, x);
  }
}

/* What reads need holds in each question. */
static void add_units(struct engine_bits *e, size_t first) {
  for (size_t i = first; i < e->roots.count; i++) {
    bool is_new;
    hashmap_at(&e->units, e->roots.data[i].code, 0, &is_new);
    if (is_new) ccadical_add(e->sat, literal(e, e->roots.data[i])), ccadical_add(e->sat, 0);
  }
}

/* Answers. */

static bool is_true(struct engine_bits *e, struct lit l) {
  if (lit_is_constant(l)) return lit_equal(l, LIT_TRUE);
  int v = gate_at(e, l.code >> 1)->variable;
  return (v && ccadical_val(e->sat, v) > 0) != (l.code & 1);
}

static bits128 number(struct engine_bits *e, uint32_t start, unsigned width) {
  bits128 value = 0;
  for (unsigned i = 0; i < width; i++) value |= (bits128)is_true(e, e->blast.words.data[start + i]) << i;
  return value;
}

static void read_symbol(struct engine_bits *e, struct symbol s, struct value_model *model) {
  while (e->symbol_rounds.count <= s.id) *vec_push(&e->symbol_rounds) = 0;
  if (e->symbol_rounds.data[s.id] == e->round) return;
  e->symbol_rounds.data[s.id] = e->round;
  uint32_t start = s.id < e->blast.symbol_starts.count ? e->blast.symbol_starts.data[s.id] : 0;
  bits128 value = start ? number(e, start - 1, symbol_width(e->pool, s)) : 0;
  if (value) value_model_set(model, s, value);
}

static void read_byte(struct engine_bits *e, uint32_t read, struct value_model *model) {
  struct blast_read r = e->blast.reads.data[read];
  uint64_t index = (uint64_t)number(e, r.index, ARRAY_INDEX_WIDTH);
  uint8_t byte = (uint8_t)number(e, r.byte, 8);
  if (byte) value_model_set_byte(model, (struct symbol){r.array}, index, byte);
}

static void read_model(struct engine_bits *e, const uint32_t *ids, size_t count, struct value_model *model) {
  for (size_t i = 0; i < count; i++) {
    size_t symbols;
    const struct symbol *of = symbol_set_list(e->pool, (struct symbol_set){node_at(e->pool, ids[i])->symbols}, &symbols);
    for (size_t j = 0; j < symbols; j++)
      if (symbol_width(e->pool, of[j])) read_symbol(e, of[j], model);
  }
  for (size_t i = 0; i < e->fixed_reads.count; i++) read_byte(e, e->fixed_reads.data[i], model);
  for (size_t i = 0; i < e->free_reads.count; i++) read_byte(e, e->free_reads.data[i], model);
}

static enum value_answer give_up(struct engine_bits *e) {
  e->engine.reason = deadline_passed ? VALUE_REASON_TIME : VALUE_REASON_LIMIT;
  return VALUE_UNKNOWN;
}

/* The conditions' literals; a constant one decides. */
static enum value_answer find_roots(struct engine_bits *e, const uint32_t *ids, size_t count, size_t most, struct conjuncts *core) {
  vec_clear(&e->roots);
  for (size_t i = 0; i < count; i++) {
    struct lit is;
    if (!blast_condition(&e->blast, (struct expr){ids[i]}, most, &is)) return give_up(e);
    if (lit_equal(is, LIT_FALSE)) return *vec_push(&core->ids) = ids[i], VALUE_NO;
    *vec_push(&e->roots) = is;
  }
  return VALUE_YES;
}

static void forget_circuits(struct engine_bits *e) {
  blast_release(&e->blast);
  blast_init(&e->blast, e->pool);
  vec_clear(&e->gates);
  vec_clear(&e->read_rounds);
  open_sat(e);
}

static enum value_answer solve(struct engine *engine, const uint32_t *ids, size_t count, uint64_t work, struct value_model *model,
                               struct conjuncts *core) {
  struct engine_bits *e = (struct engine_bits *)engine;
  enum value_answer tried = trial_solve(&e->trial, e->pool, ids, count, model, core);
  if (tried != VALUE_UNKNOWN) return tried;
  if (e->blast.gates.list.count > MANY_GATES) forget_circuits(e);
  size_t more = work < QUESTION_GATES / GATES_A_CONFLICT ? (size_t)work * GATES_A_CONFLICT : QUESTION_GATES;
  size_t most = e->blast.gates.list.count + more;
  enum value_answer answer = find_roots(e, ids, count, most, core);
  if (answer != VALUE_YES) return answer;
  find_cone(e);
  add_cone(e);
  add_units(e, count);
  for (size_t i = 0; i < count; i++)
    if (!lit_is_constant(e->roots.data[i])) ccadical_assume(e->sat, literal(e, e->roots.data[i]));
  ccadical_limit(e->sat, "conflicts", work < INT_MAX ? (int)work : INT_MAX);
  int result = ccadical_solve(e->sat);
  if (result == 0) return give_up(e);
  if (result == 10) return read_model(e, ids, count, model), VALUE_YES;
  for (size_t i = 0; i < count; i++)
    if (!lit_is_constant(e->roots.data[i]) && ccadical_failed(e->sat, literal(e, e->roots.data[i]))) *vec_push(&core->ids) = ids[i];
  return VALUE_NO;
}

static void release(struct engine *engine) {
  struct engine_bits *e = (struct engine_bits *)engine;
  if (e->sat) ccadical_release(e->sat);
  blast_release(&e->blast);
  vec_release(&e->gates);
  vec_release(&e->read_rounds);
  vec_release(&e->symbol_rounds);
  vec_release(&e->roots);
  vec_release(&e->cone);
  vec_release(&e->waiting);
  vec_release(&e->fixed_reads);
  vec_release(&e->free_reads);
  trial_release(&e->trial);
  hashmap_release(&e->units);
  mem_free(e, sizeof *e);
}

struct engine *engine_bits_new(struct value_pool *p) {
  struct engine_bits *e = mem_alloc(sizeof *e);
  e->engine = (struct engine){.solve = solve, .free = release};
  e->pool = p;
  blast_init(&e->blast, p);
  return &e->engine;
}
