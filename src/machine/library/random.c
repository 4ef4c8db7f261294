/* The sequence of the C library's random(3), an additive feedback generator: x[i] = x[i-3] + x[i-31]. A number is a function of the seed
 * and of its position, so what is kept here is no part of a program's state: where the last draw was, for the next one is mostly behind it.
 */
#include "machine/library/system.h"
#include "machine/sync/table.h"

enum { DEGREE = 31, SEPARATION = 3, DISCARDED = 310 };

struct generator {
  uint32_t x[DEGREE]; /* a ring; x[at] is the oldest */
  uint32_t at, seed;
  uint64_t next; /* position of the number that generate() will give */
  bool begun;
};

static uint32_t generate(struct generator *g) {
  uint32_t sum = g->x[g->at] += g->x[(g->at + DEGREE - SEPARATION) % DEGREE];
  g->at = (g->at + 1) % DEGREE;
  g->next++;
  return sum >> 1;
}

static void begin(struct generator *g, uint32_t seed) {
  int32_t word = seed ? (int32_t)seed : 1;
  for (int i = 0; i < DEGREE; i++) {
    g->x[i] = (uint32_t)word;
    int64_t next = 16807ll * word % 2147483647; /* Park and Miller's generator fills the ring */
    word = (int32_t)(next < 0 ? next + 2147483647 : next);
  }
  g->at = SEPARATION; /* the first three count as the newest */
  for (int i = 0; i < DISCARDED; i++) generate(g);
  g->next = 0, g->seed = seed, g->begun = true;
}

/* __hd_random(seed, index) */
static BUILTIN(random_number) {
  static struct generator g; /* one machine a process */
  uint32_t seed = (uint32_t)args[0], index = (uint32_t)args[1];
  (void)m, (void)t;
  if (!g.begun || g.seed != seed || g.next > index) begin(&g, seed);
  while (g.next < index) generate(&g);
  *result = generate(&g);
  return RUN_GO;
}

const struct builtin random_builtins[] = {{"__hd_random", random_number, 2}, {0}};
