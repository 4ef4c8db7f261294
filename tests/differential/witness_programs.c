/* Maximal causality reduction by the causal model: litmus tests have their verdicts (docs/model.md, Memory models); in random programs
 * every prefix can be executed, and no more than a few outcomes are missing (witness_explore.h says which), under each memory model.
 *
 * usage: witness_programs [--programs=N] [--seed=N] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "witness_explore.h"
#include "witness_generate.h"

static const char *const memory_names[] = {"SC", "TSO", "PSO"};

/* Threads are separated by `|`; `x1` writes 1 to x, `x?0` reads x and is to return 0, `F` is a fence. Behind `;` the first thread joins the
 * others. `allowed`: a letter for each memory model. */
static const struct litmus {
  const char *name, *program, *allowed;
} litmus[] = {
    {"SB", "x1 y?0 | y1 x?0", "nyy"},
    {"SB + mfence", "x1 F y?0 | y1 F x?0", "nnn"},
    {"SB + rfi", "x1 x?1 y?0 | y1 y?1 x?0", "nyy"},
    {"LB", "x?1 y1 | y?1 x1", "nnn"},
    {"IRIW", "x1 | y1 | x?1 y?0 | y?1 x?0", "nnn"},
    {"WRC", "x1 | x?1 y1 | y?1 x?0", "nnn"},
    {"n6", "x1 x?1 y?0 | y1 x2 ; x?1", "nyy"},
    {"MP", "x1 y1 | y?1 x?0", "nny"},
    {"MP + fence", "x1 F y1 | y?1 x?0", "nnn"},
    {"2+2W", "x1 y2 | y1 x2 ; x?1 y?1", "nny"},
    {"S", "x2 y1 | y?1 x1 ; x?2", "nny"},
    {"R", "x1 y1 | y2 x?0 ; y?2", "nyy"},
    {"CoRR", "x1 | x?1 x?0", "nnn"},
    {"CoWW", "x1 x2 | ; x?1", "nnn"},
    {"RWC", "x1 | x?1 y?0 | y1 x?0", "nyy"},
};

static struct event *add(struct sim *x, uint32_t t, enum event_op op, uint64_t object, uint64_t size) {
  struct event *e = &x->trace[x->n];
  *e = (struct event){.op = (uint8_t)op, .thread = t, .index = x->length[t], .object = object, .size = size};
  x->by_thread[t][x->length[t]++] = x->n++;
  return e;
}

static void add_word(struct sim *x, uint32_t t, const char *word, uint64_t *values, uint32_t *reads) {
  uint64_t at = SIM_MEMORY + 4 * (uint64_t)(word[0] - 'x');
  if (word[0] == 'F') {
    add(x, t, EVENT_FENCE, 0, 0)->order = ORDER_SEQ_CST;
  } else if (word[1] == '?') {
    add(x, t, EVENT_READ, at, 4);
    values[(*reads)++] = (uint64_t)(word[2] - '0');
  } else {
    add(x, t, EVENT_WRITE, at, 4)->value = (uint64_t)(word[1] - '0');
  }
}

static void join_all(struct sim *x) {
  for (uint32_t child = 1; child < x->threads; child++) {
    add(x, child, EVENT_END, child, 0);
    add(x, 0, EVENT_JOIN, child, 0);
  }
}

/* The program, and the values that its reads are to return. */
static void parse_litmus(struct sim *x, const struct litmus *l, enum sim_memory memory, uint64_t values[SIM_THREADS][SIM_LENGTH]) {
  char text[128];
  uint32_t t = 0, reads[SIM_THREADS] = {0};
  memset(x, 0, sizeof *x);
  x->memory = memory, x->threads = 1;
  for (const char *p = l->program; *p; p++) x->threads += *p == '|';
  for (uint32_t child = 1; child < x->threads; child++) add(x, 0, EVENT_FORK, child, 0);
  snprintf(text, sizeof text, "%s", l->program);
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
    if (*word == '|') {
      t++;
    } else if (*word == ';') {
      join_all(x);
      t = 0;
    } else {
      add_word(x, t, word, values[t], &reads[t]);
    }
  }
}

static bool check_litmus(const struct litmus *l, enum sim_memory memory, struct causal *c) {
  static struct sim x;
  uint64_t values[SIM_THREADS][SIM_LENGTH] = {0};
  struct outcomes all, found;
  parse_litmus(&x, l, memory, values);
  explore_all(&x, &all, 1000000);
  const char *wrong = explore_causal(&x, c, &found, 100000);
  bool allowed = l->allowed[memory] == 'y';
  uint64_t outcome = outcome_of(&x, (const uint64_t(*)[SIM_LENGTH])values);
  if (!wrong && outcomes_have(&all, outcome) != allowed) wrong = "the machine's verdict";
  if (!wrong && outcomes_have(&found, outcome) != allowed) wrong = "the causal model's verdict";
  if (wrong) printf("%s under %s: %s\n", l->name, memory_names[memory], wrong);
  outcomes_release(&all);
  outcomes_release(&found);
  return !wrong;
}

struct counts {
  uint64_t programs, skipped, outcomes, missing, executions, states;
};

static const char *compare(const struct outcomes *all, const struct outcomes *found, struct counts *n) {
  for (size_t i = 0; i < all->seen.count; i++) n->missing += !outcomes_have(found, all->seen.data[i]);
  for (size_t i = 0; i < found->seen.count; i++)
    if (!outcomes_have(all, found->seen.data[i])) return "an outcome is impossible";
  return NULL;
}

/* The operations of a random trace's threads are a program. */
static bool check_program(uint64_t seed, enum sim_memory memory, struct causal *c, struct counts *n) {
  static const unsigned choices[] = {0,
                                     WITNESS_RMW,
                                     WITNESS_LOCKS,
                                     WITNESS_MIXED,
                                     WITNESS_SECTIONS,
                                     WITNESS_FENCES,
                                     WITNESS_JOINS,
                                     WITNESS_LOCKS | WITNESS_SHARED,
                                     WITNESS_SEMAPHORES,
                                     WITNESS_CHOICE,
                                     WITNESS_CONDITIONS | WITNESS_LOCKS};
  static struct sim x;
  uint64_t random = seed;
  unsigned features = 0;
  for (int i = 0; i < 3; i++) features |= choices[witness_random(&random, sizeof choices / sizeof *choices)];
  struct outcomes all, found = {0};
  uint32_t threads = 2 + witness_random(&random, 2);
  witness_generate(&x, seed, features, memory, threads, 2 + witness_random(&random, 3));
  x.prefix = x.pending = x.flushes = 0;
  explore_all(&x, &all, 200000);
  const char *wrong = explore_causal(&x, c, &found, 20000);
  n->programs++, n->outcomes += all.seen.count, n->executions += found.executions, n->states += all.executions;
  bool complete = all.complete && found.complete;
  n->skipped += !complete;
  if (!wrong && complete) wrong = compare(&all, &found, n);
  if (wrong) {
    printf("seed %llu: %s (%zu outcomes, found %zu)\n", (unsigned long long)seed, wrong, all.seen.count, found.seen.count);
    witness_print(&x);
  }
  outcomes_release(&all);
  outcomes_release(&found);
  return !wrong;
}

static bool initial(void *data, uint64_t address, uint32_t size, uint64_t *value) {
  (void)data, (void)address, (void)size;
  *value = 0;
  return true;
}

int main(int argc, char **argv) {
  uint64_t programs = 1000, seed = 1, wrong = 0;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--programs=", 11) == 0) {
      programs = strtoull(argv[i] + 11, NULL, 0);
    } else if (strncmp(argv[i], "--seed=", 7) == 0) {
      seed = strtoull(argv[i] + 7, NULL, 0);
    } else {
      fprintf(stderr, "usage: witness_programs [--programs=N] [--seed=N]\n");
      return 2;
    }
  }
  for (int memory = SIM_SC; memory <= SIM_PSO; memory++) {
    struct causal_options options = {.memory = (enum causal_memory)memory, .initial = initial};
    struct causal *c = causal_new(&options);
    struct counts n = {0};
    for (size_t i = 0; i < sizeof litmus / sizeof *litmus; i++) wrong += !check_litmus(&litmus[i], (enum sim_memory)memory, c);
    for (uint64_t i = 0; i < programs && wrong < 5; i++) wrong += !check_program(seed + i, (enum sim_memory)memory, c, &n);
    printf("%s: %llu programs (%llu too large), %llu outcomes (%llu missing) in %llu executions; all states: %llu\n", memory_names[memory],
           (unsigned long long)n.programs, (unsigned long long)n.skipped, (unsigned long long)n.outcomes, (unsigned long long)n.missing,
           (unsigned long long)n.executions, (unsigned long long)n.states);
    causal_free(c);
    wrong += 100 * n.missing > 3 * n.outcomes;
  }
  if (mem_live() != 0) printf("%zu bytes leaked\n", mem_live());
  return wrong > 0 || mem_live() != 0;
}
