#include "value/gates.h"

#include <string.h>

const uint8_t gate_operands[] = {
    [GATE_TRUE] = 0, [GATE_INPUT] = 0, [GATE_AND] = 2, [GATE_XOR] = 2, [GATE_ITE] = 3, [GATE_XOR3] = 3, [GATE_MAJORITY] = 3};

/* clang-format off */
const int8_t gate_clauses[7][9][GATE_LITERALS] = {
    [GATE_TRUE] = {{1}},
    [GATE_AND] = {{-1, 2}, {-1, 3}, {1, -2, -3}},
    [GATE_XOR] = {{-1, 2, 3}, {-1, -2, -3}, {1, -2, 3}, {1, 2, -3}},
    [GATE_ITE] = {{-2, -3, 1}, {-2, 3, -1}, {2, -4, 1}, {2, 4, -1},
                  {-3, -4, 1}, {3, 4, -1}}, /* these two are not needed, but they propagate */
    [GATE_XOR3] = {{2, 3, 4, -1}, {-2, 3, 4, 1}, {2, -3, 4, 1}, {-2, -3, 4, -1}, {2, 3, -4, 1}, {-2, 3, -4, -1}, {2, -3, -4, -1}, {-2, -3, -4, 1}},
    [GATE_MAJORITY] = {{-2, -3, 1}, {-2, -4, 1}, {-3, -4, 1}, {2, 3, -1}, {2, 4, -1}, {3, 4, -1}},
};
/* clang-format on */

void gates_init(struct gates *g) {
  *g = (struct gates){0};
  *vec_push(&g->list) = (struct gate){.kind = GATE_TRUE};
  *vec_push(&g->before) = 0;
}

void gates_release(struct gates *g) {
  vec_release(&g->list);
  vec_release(&g->before);
  hashmap_release(&g->of);
}

static struct lit made(struct gates *g, enum gate_kind kind, uint32_t a, uint32_t b, uint32_t c) {
  struct gate gate = {kind, {a, b, c}};
  uint64_t h = hash_pair(hash_pair((uint64_t)a << 32 | b, c), kind);
  uint64_t *newest = hashmap_at(&g->of, h, 0, NULL);
  for (uint32_t i = (uint32_t)*newest; i; i = g->before.data[i])
    if (memcmp(&g->list.data[i], &gate, sizeof gate) == 0) return (struct lit){2 * i};
  *vec_push(&g->before) = (uint32_t)*newest;
  *newest = g->list.count;
  *vec_push(&g->list) = gate;
  return (struct lit){2 * (uint32_t)*newest};
}

struct lit gate_input(struct gates *g, uint32_t whose, uint32_t bit) {
  return made(g, GATE_INPUT, whose, bit, 0);
}

static void order(struct lit *a, struct lit *b) {
  if (a->code <= b->code) return;
  struct lit swap = *a;
  *a = *b, *b = swap;
}

struct lit gate_and(struct gates *g, struct lit a, struct lit b) {
  order(&a, &b);
  if (lit_is_constant(a)) return lit_equal(a, LIT_TRUE) ? b : LIT_FALSE;
  if (lit_equal(a, b)) return a;
  if (lit_equal(a, lit_not(b))) return LIT_FALSE;
  return made(g, GATE_AND, a.code, b.code, 0);
}

struct lit gate_or(struct gates *g, struct lit a, struct lit b) {
  return lit_not(gate_and(g, lit_not(a), lit_not(b)));
}

static struct lit inverted_if(struct lit a, bool inverted) { return (struct lit){a.code ^ inverted}; }

struct lit gate_xor(struct gates *g, struct lit a, struct lit b) {
  bool inverted = (a.code ^ b.code) & 1;
  a.code &= ~1u, b.code &= ~1u;
  order(&a, &b);
  if (lit_equal(a, b)) return inverted_if(LIT_FALSE, inverted);
  if (a.code == 0) return inverted_if(lit_not(b), inverted);
  return inverted_if(made(g, GATE_XOR, a.code, b.code, 0), inverted);
}

struct lit gate_ite(struct gates *g, struct lit c, struct lit a, struct lit b) {
  if (lit_is_constant(c)) return lit_equal(c, LIT_TRUE) ? a : b;
  if (c.code & 1) {
    struct lit swap = a;
    c = lit_not(c), a = b, b = swap;
  }
  if (lit_equal(a, b)) return a;
  if (lit_equal(a, lit_not(b))) return gate_xor(g, c, b);
  if (lit_is_constant(a) || lit_equal(a, c) || lit_equal(a, lit_not(c))) {
    bool value = lit_is_constant(a) ? lit_equal(a, LIT_TRUE) : lit_equal(a, c);
    return value ? gate_or(g, c, b) : gate_and(g, lit_not(c), b);
  }
  if (lit_is_constant(b) || lit_equal(b, c) || lit_equal(b, lit_not(c))) {
    bool value = lit_is_constant(b) ? lit_equal(b, LIT_TRUE) : !lit_equal(b, c);
    return value ? gate_or(g, lit_not(c), a) : gate_and(g, c, a);
  }
  bool inverted = a.code & 1;
  a = inverted_if(a, inverted), b = inverted_if(b, inverted);
  return inverted_if(made(g, GATE_ITE, c.code, a.code, b.code), inverted);
}

static void order3(struct lit *a, struct lit *b, struct lit *c) {
  order(a, b);
  order(b, c);
  order(a, b);
}

struct lit gate_xor3(struct gates *g, struct lit a, struct lit b, struct lit c) {
  bool inverted = (a.code ^ b.code ^ c.code) & 1;
  a.code &= ~1u, b.code &= ~1u, c.code &= ~1u;
  order3(&a, &b, &c);
  if (a.code == 0) return inverted_if(lit_not(gate_xor(g, b, c)), inverted);
  if (lit_equal(a, b)) return inverted_if(c, inverted);
  if (lit_equal(b, c)) return inverted_if(a, inverted);
  return inverted_if(made(g, GATE_XOR3, a.code, b.code, c.code), inverted);
}

struct lit gate_majority(struct gates *g, struct lit a, struct lit b, struct lit c) {
  order3(&a, &b, &c);
  if (lit_is_constant(a)) return lit_equal(a, LIT_TRUE) ? gate_or(g, b, c) : gate_and(g, b, c);
  if (lit_equal(a, b)) return a;
  if (lit_equal(b, c)) return b;
  if (lit_equal(a, lit_not(b))) return c;
  if (lit_equal(b, lit_not(c))) return a;
  bool inverted = a.code & 1; /* of three inverted ones it is the inverse */
  a = inverted_if(a, inverted), b = inverted_if(b, inverted), c = inverted_if(c, inverted);
  return inverted_if(made(g, GATE_MAJORITY, a.code, b.code, c.code), inverted);
}
