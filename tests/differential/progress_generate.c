/* Writes a random object for `heddle check --linearizable --progress` and `--crash`, and says what is to be expected of it. usage: progress_generate SEED
 * FILE; the object becomes FILE. On standard output, for each scenario and condition: "CONDITION holds|fails SCENARIO"; the condition
 * "crash" is that of --crash, of objects each of whose operations ends alone.
 *
 * An operation is a few accesses of two atomic words, behind each of which it may go on elsewhere, also back; some operations are sections
 * of a lock. They all return 0, so nothing else is wrong with them.
 *
 * What is expected comes from the definitions, as fixed points over all states of this file's own interpreter; src/objects/progress.c looks
 * for strongly connected components of what the machine does. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERATIONS = 3, LENGTH = 4, VALUES = 3, THREADS = 2, CALLS = 2, STATES = 1 << 20 };
enum what { LOAD, STORE, ADD, EXCHANGE, COMPARE, WHATS };

struct insn {
  enum what what;
  int word, constant;
  int if_r, to; /* to < 0: it does not jump */
};
struct operation {
  struct insn insns[LENGTH];
  int n;
  bool locks;
};
static struct operation operations[OPERATIONS];

static uint64_t seed;
static int below(int n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (unsigned)n);
}

static void choose(void) {
  for (int o = 0; o < OPERATIONS; o++) {
    struct operation *op = &operations[o];
    op->n = 1 + below(LENGTH), op->locks = below(4) == 0;
    for (int i = 0; i < op->n; i++) {
      struct insn *x = &op->insns[i];
      *x = (struct insn){(enum what)below(WHATS), below(2), below(VALUES), below(VALUES), below(2) ? -1 : below(op->n)};
    }
  }
}

/* --- the object --- */

static void write_insn(FILE *f, const struct insn *x, int i) {
  fprintf(f, "L%d: ", i);
  switch (x->what) {
    case LOAD:
      fprintf(f, "r = x[%d];", x->word);
      break;
    case STORE:
      fprintf(f, "x[%d] = %d;", x->word, x->constant);
      break;
    case ADD:
      fprintf(f, "x[%d] = (r + %d) %% %d;", x->word, x->constant, VALUES);
      break;
    case EXCHANGE:
      fprintf(f, "r = atomic_exchange(&x[%d], %d);", x->word, x->constant);
      break;
    case COMPARE:
      fprintf(f, "atomic_compare_exchange_strong(&x[%d], &r, %d);", x->word, x->constant);
      break;
    case WHATS:
      break;
  }
  if (x->to >= 0) fprintf(f, " if (r == %d) goto L%d;", x->if_r, x->to);
  fprintf(f, "\n");
}

static void write_object(FILE *f) {
  fprintf(f, "#include <heddle.h>\n#include <pthread.h>\n#include <stdatomic.h>\n");
  fprintf(f, "static atomic_int x[2];\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\nHD_BEGIN(void) {}\n");
  for (int o = 0; o < OPERATIONS; o++) {
    fprintf(f, "HD_OPERATION(%c) {\n  int r = 0;\n", 'a' + o);
    if (operations[o].locks) fprintf(f, "  pthread_mutex_lock(&lock);\n");
    for (int i = 0; i < operations[o].n; i++) write_insn(f, &operations[o].insns[i], i);
    if (operations[o].locks) fprintf(f, "  pthread_mutex_unlock(&lock);\n");
    fprintf(f, "  return 0;\n}\n");
  }
}

/* --- all states --- */

struct scenario {
  const char *text;
  int count[THREADS], calls[THREADS][CALLS];
};

/* pc -1: before the operation, -2: at its lock. */
struct state {
  int8_t call[THREADS], pc[THREADS], r[THREADS], x[2], owner;
};

/* What a thread can do in a state. */
struct move {
  int to; /* -1: nothing, as it is done; the state itself: it waits */
  bool ends, in;
};

static struct state states[STATES];
static struct move moves[STATES][THREADS];
static int nstates, table[2 * STATES];

static int number(const struct state *s) {
  uint64_t h = 1469598103934665603u;
  for (size_t i = 0; i < sizeof *s; i++) h = (h ^ ((const uint8_t *)s)[i]) * 1099511628211u;
  size_t at = h % (2 * STATES);
  while (table[at] && memcmp(&states[table[at] - 1], s, sizeof *s) != 0) at = (at + 1) % (2 * STATES);
  if (!table[at]) {
    if (nstates == STATES) exit(3);
    states[nstates] = *s;
    table[at] = ++nstates;
  }
  return table[at] - 1;
}

static void access(struct state *s, int t, const struct insn *x) {
  int8_t *word = &s->x[x->word], was = *word;
  switch (x->what) {
    case LOAD:
      s->r[t] = was;
      break;
    case STORE:
      *word = (int8_t)x->constant;
      break;
    case ADD:
      *word = (int8_t)((s->r[t] + x->constant) % VALUES);
      break;
    case EXCHANGE:
      *word = (int8_t)x->constant, s->r[t] = was;
      break;
    case COMPARE:
      if (was == s->r[t])
        *word = (int8_t)x->constant;
      else
        s->r[t] = was;
      break;
    case WHATS:
      break;
  }
  s->pc[t] = (int8_t)(x->to >= 0 && s->r[t] == x->if_r ? x->to : s->pc[t] + 1);
}

static struct move move_of(int from, int t, const struct scenario *c, bool repeats) {
  struct state s = states[from];
  if (s.call[t] == c->count[t]) return (struct move){.to = -1};
  const struct operation *op = &operations[c->calls[t][s.call[t]]];
  bool ends = false;
  if (s.pc[t] == -1) {
    s.pc[t] = op->locks ? -2 : 0, s.r[t] = 0;
  } else if (s.pc[t] == -2) {
    if (s.owner != 0) return (struct move){from, false, true};
    s.owner = (int8_t)(t + 1), s.pc[t] = 0;
  } else if (s.pc[t] < op->n) {
    access(&s, t, &op->insns[s.pc[t]]);
  } else {
    if (op->locks) s.owner = 0;
    s.pc[t] = -1, s.r[t] = 0, s.call[t]++, ends = true;
    if (repeats && s.call[t] == c->count[t]) s.call[t] = 0;
  }
  return (struct move){number(&s), ends, states[from].pc[t] != -1};
}

static void explore(const struct scenario *c, bool repeats) {
  struct state first = {.pc = {-1, -1}};
  nstates = 0;
  memset(table, 0, sizeof table);
  number(&first);
  for (int i = 0; i < nstates; i++)
    for (int t = 0; t < THREADS; t++) moves[i][t] = move_of(i, t, c, repeats);
}

/* --- the definitions --- */

static bool set[STATES], may[STATES], sequential[STATES];

/* From every state, each thread that is in an operation ends it within as many steps of its own as there are states. */
static bool obstruction_free(void) {
  for (int i = 0; i < nstates; i++)
    for (int t = 0; t < THREADS; t++) {
      int at = i, steps = 0;
      if (!moves[i][t].in) continue;
      while (!moves[at][t].ends && steps++ <= nstates) at = moves[at][t].to;
      if (!moves[at][t].ends) return false;
    }
  return true;
}

/* States from which a run without an end of an operation need not stop: all of which a step leads to another one. */
static bool lock_free(void) {
  bool changed = true, any = false;
  for (int i = 0; i < nstates; i++) set[i] = true;
  while (changed) {
    changed = any = false;
    for (int i = 0; i < nstates; i++) {
      bool goes_on = false;
      for (int t = 0; t < THREADS; t++) goes_on |= moves[i][t].to >= 0 && !moves[i][t].ends && set[moves[i][t].to];
      changed |= set[i] != (set[i] && goes_on), set[i] &= goes_on, any |= set[i];
    }
  }
  return !any;
}

/* States from which the thread can take steps again and again and not end its operation: from which a step of it, after some of others,
 * leads to another one. */
static bool wait_free_of(int t) {
  bool changed = true, any = false;
  for (int i = 0; i < nstates; i++) set[i] = true;
  while (changed) {
    changed = any = false;
    for (int i = 0; i < nstates; i++) may[i] = moves[i][t].to >= 0 && !moves[i][t].ends && set[moves[i][t].to];
    for (bool more = true; more;) {
      more = false;
      for (int i = 0; i < nstates; i++)
        for (int u = 0; u < THREADS && !may[i]; u++)
          if (u != t && moves[i][u].to >= 0 && may[moves[i][u].to]) may[i] = more = true;
    }
    for (int i = 0; i < nstates; i++) changed |= set[i] && !may[i], set[i] &= may[i], any |= set[i];
  }
  return !any;
}

/* Does every operation end that is run alone, whichever were before it? */
static bool all_end_alone(const struct scenario *c) {
  for (int i = 0; i < nstates; i++)
    for (int t = 0; t < THREADS; t++) {
      const struct state *s = &states[i];
      int at = i, steps = 0;
      if (s->pc[0] != -1 || s->pc[1] != -1 || s->call[t] == c->count[t] || !sequential[i]) continue;
      while (!moves[at][t].ends && steps++ <= nstates) at = moves[at][t].to;
      if (!moves[at][t].ends) return false;
      int end = moves[at][t].to;
      if (!sequential[end]) sequential[end] = true, i = -1, t = THREADS;
    }
  return true;
}

/* From every state in which one thread is in an operation, and stops there, or has done all, the other one does all that it has to do. */
static bool survives(const struct scenario *c) {
  for (int i = 0; i < nstates; i++)
    for (int t = 0; t < THREADS; t++) {
      int at = i, other = 1 - t;
      bool stopped = states[i].pc[other] != -1 || states[i].call[other] == c->count[other];
      for (int steps = 0; stopped && moves[at][t].to >= 0; steps++, at = moves[at][t].to)
        if (steps > 2 * nstates) return false;
    }
  return true;
}

static void tell(const char *condition, bool holds, const struct scenario *c) {
  printf("%s %s %s\n", condition, holds ? "holds" : "fails", c->text);
}

int main(int argc, char **argv) {
  static const struct scenario scenarios[] = {{"a() b() | c()", {2, 1}, {{0, 1}, {2}}}, {"a() | b()", {1, 1}, {{0}, {1}}}};
  if (argc != 3) return 2;
  seed = strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u;
  FILE *f = fopen(argv[2], "w");
  if (!f) return 2;
  choose();
  write_object(f);
  if (fclose(f)) return 2;
  for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
    const struct scenario *c = &scenarios[i];
    explore(c, false);
    tell("obstruction-free", obstruction_free(), c);
    tell("lock-free", lock_free(), c);
    memset(sequential, 0, sizeof sequential);
    sequential[0] = true;
    if (all_end_alone(c)) tell("crash", survives(c), c);
    explore(c, true);
    bool wait_free = true;
    for (int t = 0; t < THREADS; t++) wait_free &= wait_free_of(t);
    tell("wait-free", wait_free, c);
  }
  return 0;
}
