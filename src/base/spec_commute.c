/* What a specification says of two invocations. */
#include "base/spec.h"

/* A value that a formula comes to. Not `known`: it depends on what has not happened yet. */
struct value {
  int64_t number;
  bool known;
};

struct evaluation {
  const struct spec *spec;
  const struct spec_invocation *of[2];
  const struct spec_caller *caller;
  bool divides, failed; /* by zero; a call of the program's functions has no result */
};

static struct value evaluate(struct evaluation *e, uint16_t node);

static struct value known(int64_t n) { return (struct value){n, true}; }
static struct value unknown(void) { return (struct value){0, false}; }

static struct value call(struct evaluation *e, const struct spec_node *n) {
  int64_t arguments[SPEC_PARAMETERS], result;
  unsigned count = 0;
  bool all = true;
  for (uint16_t i = n->a; i != SPEC_NOTHING; i = e->spec->nodes[i].b) {
    struct value v = evaluate(e, e->spec->nodes[i].a);
    all &= v.known;
    arguments[count++] = v.number;
  }
  if (!all || e->divides) return unknown();
  if (e->caller && e->caller->call(e->caller->data, n->index, arguments, count, &result)) return known(result);
  e->failed = true;
  return unknown();
}

/* && and ||: the left side may decide alone. If it is not known, the right one may, but what is wrong with it does not count. */
static struct value connect(struct evaluation *e, const struct spec_node *n) {
  bool deciding = n->op == SPEC_OR;
  struct value a = evaluate(e, n->a);
  if (e->divides || e->failed) return unknown();
  if (a.known && (a.number != 0) == deciding) return known(deciding);
  struct value b = evaluate(e, n->b);
  if (!a.known) e->divides = e->failed = false;
  if (b.known && (b.number != 0) == deciding) return known(deciding);
  return a.known && b.known ? known(!deciding) : unknown();
}

static struct value divide(struct evaluation *e, uint8_t op, int64_t a, int64_t b) {
  if (b == 0) return e->divides = true, unknown();
  if (b == -1) return known(op == SPEC_DIVIDE ? (int64_t)(0 - (uint64_t)a) : 0);
  return known(op == SPEC_DIVIDE ? a / b : a % b);
}

/* Sums and products are those of 64 bits that wrap around. */
static struct value operate(struct evaluation *e, uint8_t op, int64_t a, int64_t b) {
  switch ((enum spec_op)op) {
    case SPEC_EQUAL:
      return known(a == b);
    case SPEC_UNEQUAL:
      return known(a != b);
    case SPEC_LESS:
      return known(a < b);
    case SPEC_LESS_EQUAL:
      return known(a <= b);
    case SPEC_GREATER:
      return known(a > b);
    case SPEC_GREATER_EQUAL:
      return known(a >= b);
    case SPEC_ADD:
      return known((int64_t)((uint64_t)a + (uint64_t)b));
    case SPEC_SUBTRACT:
      return known((int64_t)((uint64_t)a - (uint64_t)b));
    case SPEC_MULTIPLY:
      return known((int64_t)((uint64_t)a * (uint64_t)b));
    case SPEC_DIVIDE:
    case SPEC_MODULO:
      return divide(e, op, a, b);
    case SPEC_NUMBER:
    case SPEC_ARGUMENT:
    case SPEC_RESULT:
    case SPEC_STATE:
    case SPEC_CALL:
    case SPEC_NEXT:
    case SPEC_NOT:
    case SPEC_MINUS:
    case SPEC_OR:
    case SPEC_AND:
      break;
  }
  return unknown();
}

static struct value evaluate(struct evaluation *e, uint16_t node) {
  const struct spec_node *n = &e->spec->nodes[node];
  const struct spec_invocation *of = e->of[n->of];
  if (n->op == SPEC_NUMBER) return known(n->number);
  if (n->op == SPEC_ARGUMENT) return n->index < of->n ? known(of->arguments[n->index]) : unknown();
  if (n->op == SPEC_RESULT) return of->results ? known(of->result) : unknown();
  if (n->op == SPEC_STATE) return of->states ? known(of->state) : unknown();
  if (n->op == SPEC_CALL) return call(e, n);
  if (n->op == SPEC_AND || n->op == SPEC_OR) return connect(e, n);
  struct value a = evaluate(e, n->a);
  if (n->op == SPEC_NOT) return a.known ? known(!a.number) : a;
  if (n->op == SPEC_MINUS) return a.known ? known((int64_t)(0 - (uint64_t)a.number)) : a;
  struct value b = evaluate(e, n->b);
  return a.known && b.known ? operate(e, n->op, a.number, b.number) : unknown();
}

enum spec_answer spec_holds(const struct spec *spec, const struct spec_pair *pair, const struct spec_invocation *first,
                            const struct spec_invocation *second, const struct spec_caller *caller) {
  if (pair->formula == SPEC_NOTHING) return SPEC_COMMUTE;
  struct evaluation e = {.spec = spec, .of = {first, second}, .caller = caller};
  struct value v = evaluate(&e, pair->formula);
  if (e.divides) return SPEC_DIVIDES;
  if (e.failed) return SPEC_FAILS;
  return !v.known ? SPEC_OPEN : v.number ? SPEC_COMMUTE : SPEC_DIFFER;
}

/* By access points: none of the first meets one of the second that it is related to. */
static bool points_commute(const struct spec *spec, const struct spec_invocation *u, const struct spec_invocation *v) {
  uint16_t i = spec->methods[u->method].action, k = spec->methods[v->method].action;
  if (i == SPEC_NOTHING || k == SPEC_NOTHING) return false;
  const struct spec_action *a = &spec->actions[i], *b = &spec->actions[k];
  for (unsigned x = 0; x < a->ntouches; x++)
    for (unsigned y = 0; y < b->ntouches; y++) {
      struct spec_touch p = a->touches[x], q = b->touches[y];
      if (!spec_relation(&spec->objects[a->object], p.point, q.point)) continue;
      bool valued = p.value >= 0 && q.value >= 0 && p.value < u->n && q.value < v->n;
      if (!valued || (int32_t)u->arguments[p.value] == (int32_t)v->arguments[q.value]) return false;
    }
  return true;
}

enum spec_answer spec_commute(const struct spec *spec, const struct spec_invocation *u, const struct spec_invocation *v,
                              const struct spec_caller *caller) {
  bool swapped;
  const struct spec_pair *p = spec_pair(spec, u->method, v->method, &swapped);
  if (spec->methods[u->method].object != spec->methods[v->method].object || u->object != v->object) return SPEC_COMMUTE;
  if (!p) return points_commute(spec, u, v) ? SPEC_COMMUTE : SPEC_DIFFER;
  enum spec_answer answer = spec_holds(spec, p, swapped ? v : u, swapped ? u : v, caller);
  if (!p->calls || u->method != v->method || answer == SPEC_DIVIDES || answer == SPEC_FAILS) return answer;
  return spec_holds(spec, p, v, u, caller) == answer ? answer : SPEC_ASYMMETRIC;
}

const char *spec_answer_text(enum spec_answer answer) {
  static const char *const texts[] = {
      [SPEC_DIFFER] = "they do not commute",
      [SPEC_COMMUTE] = "they commute",
      [SPEC_OPEN] = "whether they commute depends on what has not happened yet",
      [SPEC_DIVIDES] = "a formula of the specification divides by zero, which counts as not commuting",
      [SPEC_FAILS] = "a function that a formula of the specification calls has no result, which counts as not commuting",
      [SPEC_ASYMMETRIC] =
          "a formula about two invocations of one method says something else if they change places, which counts as not commuting"};
  return texts[answer];
}
