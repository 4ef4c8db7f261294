/* The order engine against Z3 (difference logic), in one run: the table of shapes, and the rate of small problems.
 *
 * usage: order [--no-z3] [--small] [--instances=N] [--budget=N] [--shape=EVENTS,CHAINS,LOCKS,VARIABLES,VALUES] [FILE..]
 *
 * --small: only small problems. --instances: of each shape. --budget: conflicts that Z3 gets for one query; what it does not know then
 * counts as if it did. --shape: instances of that one only. FILE: recorded problems (record.h), replayed instead of all that, with a total
 * behind the last; 1 if answers differ. */
#include "order/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "order/record.h"
#include "order_shape.h"

/* Of this process: what else the computer does must not count, as Z3 is asked once and the engine five times. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct cost {
  double build, first, more;
  uint32_t yes, no, unknown;
};

static void count_answer(struct cost *c, enum order_answer a) {
  c->yes += a == ORDER_YES, c->no += a == ORDER_NO, c->unknown += a == ORDER_UNKNOWN;
}

#define MORE 20u

static struct cost measure(struct shape shape, uint64_t seed, struct order *o, uint64_t budget) {
  struct shape_problem *p = shape_new(shape, seed);
  struct cost c = {0};
  double start = now();
  shape_build(p, o);
  double built = now();
  count_answer(&c, order_solve(o, NULL, 0, budget));
  double first = now();
  for (uint32_t i = 0; i < MORE; i++) count_answer(&c, shape_query(p, o, i, budget));
  c.build = built - start, c.first = first - built, c.more = now() - first;
  shape_free(p);
  return c;
}

static void print_cost(const char *who, const struct cost *c) {
  printf("  %-8s build %8.4f  first %8.4f  %u more %8.4f  (yes %u, no %u, unknown %u)\n", who, c->build, c->first, MORE, c->more, c->yes,
         c->no, c->unknown);
  fflush(stdout);
}

static const struct shape shapes[] = {
    {.events = 100, .chains = 4, .locks = 3, .variables = 6, .values = 3, .keep = true},
    {.events = 500, .chains = 8, .locks = 6, .variables = 25, .values = 3, .keep = true},
    {.events = 2000, .chains = 8, .locks = 12, .variables = 80, .values = 3, .keep = true},
    {.events = 2000, .chains = 16, .locks = 12, .variables = 80, .values = 3, .keep = true},
};

/* What one side of a comparison is called. */
struct contender {
  const char *name;
  struct order *order;
};

/* The time of each query of a replayed record: what was added since the query before, and the answer. */
struct replayed {
  VEC(double) seconds;
  VEC(enum order_answer) answers;
  double last;
};

static void note_query(void *to, const struct record_step *step, enum order_answer answer) {
  struct replayed *r = to;
  (void)step;
  double t = now();
  *vec_push(&r->seconds) = t - r->last;
  *vec_push(&r->answers) = answer;
  r->last = now();
}

/* The least of `rounds` times, for each query. */
static void replay(const struct order_record *record, struct order *o, uint64_t budget, uint32_t rounds, struct replayed *out) {
  for (uint32_t round = 0; round < rounds; round++) {
    struct replayed r = {.last = now()};
    order_replay(record, o, budget, note_query, &r);
    for (size_t i = 0; i < r.seconds.count; i++) {
      if (round == 0) {
        *vec_push(&out->seconds) = r.seconds.data[i];
        *vec_push(&out->answers) = r.answers.data[i];
      } else if (r.seconds.data[i] < out->seconds.data[i]) {
        out->seconds.data[i] = r.seconds.data[i];
      }
    }
    vec_release(&r.seconds);
    vec_release(&r.answers);
  }
}

static double sum(const struct replayed *r) {
  double total = 0;
  for (size_t i = 0; i < r->seconds.count; i++) total += r->seconds.data[i];
  return total;
}

/* Of all files. `seconds`: by side; `best`: of Z3's settings, chosen for each query. */
struct total {
  double seconds[3], best;
  size_t files, queries, slow, slower, differ;
};

static void print_total(const struct total *t, const struct contender *sides, uint32_t count) {
  printf("total: %zu files, %zu queries\n", t->files, t->queries);
  for (uint32_t i = 0; i < count; i++) printf("  %-10s %10.3f ms\n", sides[i].name, t->seconds[i] * 1e3);
  if (count < 2) return;
  double setting = t->seconds[1] < t->seconds[count - 1] ? t->seconds[1] : t->seconds[count - 1];
  printf("  z3, best setting / heddle: %.0f; best setting for each query: %.0f\n", setting / t->seconds[0], t->best / t->seconds[0]);
  printf("  queries over 1 ms in z3: %zu; heddle slower in %zu of them; answers that differ: %zu\n", t->slow, t->slower, t->differ);
}

/* Compares the sides query by query, and adds to the total. */
static void judge(const struct contender *sides, const struct replayed *r, uint32_t count, struct total *t) {
  size_t queries = r[0].seconds.count, slow = 0, slower = 0, differ = 0;
  double best_total = 0;
  for (size_t q = 0; q < queries; q++) {
    double best = 1e9;
    for (uint32_t i = 1; i < count; i++) {
      bool known = r[i].answers.data[q] != ORDER_UNKNOWN && r[0].answers.data[q] != ORDER_UNKNOWN;
      if (r[i].seconds.data[q] < best) best = r[i].seconds.data[q];
      differ += known && r[i].answers.data[q] != r[0].answers.data[q];
    }
    slow += count > 1 && best > 1e-3;
    slower += count > 1 && best > 1e-3 && r[0].seconds.data[q] > best;
    best_total += best;
  }
  for (uint32_t i = 0; i < count; i++) printf("  %-10s %10.3f ms, %zu queries\n", sides[i].name, sum(&r[i]) * 1e3, queries);
  if (count > 1) {
    printf(
        "  best of z3, query by query / heddle: %.0f; queries over 1 ms in z3 in which heddle is slower: %zu; answers that differ: %zu\n",
        best_total / sum(&r[0]), slower, differ);
  }
  for (uint32_t i = 0; i < count; i++) t->seconds[i] += sum(&r[i]);
  t->best += best_total;
  t->files++, t->queries += queries, t->slow += slow, t->slower += slower, t->differ += differ;
}

/* Replays a recorded file in all sides. False if it cannot be read. */
static bool replay_file(const char *path, const struct contender *sides, uint32_t count, uint64_t budget, struct total *t) {
  struct order_record record = {0};
  struct text text = {0};
  struct diag d = {0};
  struct replayed r[3] = {0};
  bool ok = false;
  if (file_read(path, FILE_TEXT, &text, &d) != ERR_NONE || order_load(&record, text_str(&text), &d) != ERR_NONE) {
    fprintf(stderr, "order: %s: %s\n", path, text_str(&d.message));
    goto out;
  }
  printf("%s\n", path);
  for (uint32_t i = 0; i < count; i++) replay(&record, sides[i].order, i ? budget : ORDER_UNBOUNDED, i ? 1 : 5, &r[i]);
  judge(sides, r, count, t);
  ok = true;
out:
  for (uint32_t i = 0; i < 3; i++) {
    vec_release(&r[i].seconds);
    vec_release(&r[i].answers);
  }
  order_record_release(&record);
  text_release(&text);
  diag_release(&d);
  return ok;
}

static void print_work(struct order_stats before, struct order_stats after) {
  printf("             conflicts %lu, decisions %lu, propagations %lu, restarts %lu, candidates %lu, rows changed %lu\n",
         after.conflicts - before.conflicts, after.decisions - before.decisions, after.propagations - before.propagations,
         after.restarts - before.restarts, after.candidates - before.candidates, after.row_changes - before.row_changes);
}

static void compare(struct shape shape, uint64_t seed, const struct contender *sides, uint32_t count, uint64_t budget) {
  struct order_stats before = order_stats(sides[0].order);
  struct cost ours = measure(shape, seed, sides[0].order, ORDER_UNBOUNDED);
  double first = 1e9, more = 1e9;
  bool gave_up = false;
  print_cost(sides[0].name, &ours);
  print_work(before, order_stats(sides[0].order));
  for (uint32_t i = 1; i < count; i++) {
    /* Dense difference logic overflows beyond that, and ends the process. */
    if (shape.events > 1000 && i == 1) continue;
    struct cost theirs = measure(shape, seed, sides[i].order, budget);
    print_cost(sides[i].name, &theirs);
    gave_up |= theirs.unknown > 0;
    if (theirs.first < first) first = theirs.first;
    if (theirs.more < more) more = theirs.more;
  }
  if (count > 1) {
    printf("  best of z3 / heddle:  first %.0f  %u more %.0f%s\n", first / ours.first, MORE, more / ours.more,
           gave_up ? " (or more: z3 gave up on some)" : "");
  }
}

static void table(const struct shape *list, size_t n, const struct contender *sides, uint32_t count, uint64_t budget, uint32_t seeds) {
  for (size_t i = 0; i < n; i++) {
    for (uint64_t seed = 1; seed <= seeds; seed++) {
      printf("N=%u T=%u, instance %lu\n", list[i].events, list[i].chains, seed);
      compare(list[i], seed, sides, count, budget);
    }
  }
}

static void count_small(void *to, enum order_answer a) { count_answer(to, a); }

/* Many problems of the size that the explorer has, 30 queries each. */
static void small(struct order *o, const char *who, uint32_t problems) {
  struct shape shape = {.events = 60, .chains = 4, .locks = 2, .variables = 5, .values = 3, .observed = true};
  enum { KINDS = 16, QUERIES = 30 };
  struct shape_problem *p[KINDS];
  struct cost c = {0};
  double build = 0, ask = 0;
  for (uint32_t i = 0; i < KINDS; i++) p[i] = shape_new(shape, i + 1);
  for (uint32_t i = 0; i < problems; i++) {
    double start = now();
    shape_build(p[i % KINDS], o);
    double built = now();
    uint32_t asked = 0;
    for (uint32_t t = 0; t < shape.chains && asked < QUERIES; t++) {
      shape_thread(p[i % KINDS], o, t, QUERIES, &asked, count_small, &c);
    }
    build += built - start, ask += now() - built;
  }
  printf("small (60 events, 4 chains, 30 queries), %s: %.1f us a problem: %.1f to build, %.1f to ask (yes %u, no %u)\n", who,
         (build + ask) / problems * 1e6, build / problems * 1e6, ask / problems * 1e6, c.yes, c.no);
  for (uint32_t i = 0; i < KINDS; i++) shape_free(p[i]);
}

int main(int argc, char **argv) {
  struct diag d = {0};
  struct contender sides[] = {{.name = "heddle"}, {.name = "z3"}, {.name = "z3 sparse"}};
  uint32_t instances = 3, count = 3, files = 0;
  uint64_t budget = 2000;
  struct shape shape = {.keep = true};
  bool small_only = false;
  struct total total = {0};
  bool ok = true;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--no-z3")) count = 1;
    if (!strcmp(argv[i], "--small")) small_only = true;
    if (!strncmp(argv[i], "--instances=", 12)) instances = (uint32_t)atoi(argv[i] + 12);
    if (!strncmp(argv[i], "--budget=", 9)) budget = strtoull(argv[i] + 9, NULL, 10);
    (void)sscanf(argv[i], "--shape=%u,%u,%u,%u,%u", &shape.events, &shape.chains, &shape.locks, &shape.variables, &shape.values);
    if (argv[i][0] != '-') argv[++files] = argv[i];
  }
  for (uint32_t i = 0; i < count; i++) {
    sides[i].order = order_new(i == 0 ? ORDER_ENGINE : i == 1 ? ORDER_Z3 : ORDER_Z3_SPARSE, &d);
    if (!sides[i].order) {
      fprintf(stderr, "order: %s\n", text_str(&d.message));
      return 2;
    }
  }
  for (uint32_t i = 1; i <= files; i++) ok &= replay_file(argv[i], sides, count, budget, &total);
  if (files) print_total(&total, sides, count);
  if (shape.values > 1) table(&shape, 1, sides, count, budget, instances), files = 1;
  for (uint32_t i = 0; !files && i < count; i++) small(sides[i].order, sides[i].name, i ? 32 : 5000);
  if (!files && !small_only) table(shapes, sizeof shapes / sizeof *shapes, sides, count, budget, instances);
  for (uint32_t i = 0; i < count; i++) order_free(sides[i].order);
  return !ok || total.differ;
}
