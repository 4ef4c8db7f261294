/* Symbolic data against its values: random C programs with an input of 2 to 6 bits and one or two threads, each in two forms. In one the
 * bits are chosen one by one (hd_choose()), and the naive strategy tries all values and all schedules; in the other they are symbolic
 * (hd_symbolic()), which naive, dpor and maximal explore, one of these where it comes in another way, and one by two or three workers.
 * Verdicts and outcomes must be the same, and what is found must be among what was found.
 *
 * --endless: programs that read input for ever, where no strategy but the sweep comes to an end. Circles of states are not compared: with
 * chosen inputs one may be a livelock, where with symbolic ones somebody outside is waited for.
 *
 * usage: symbolic [--endless] [--memory=tso|pso] [--programs=N] [--seed=N] [--only=N] [--print]: the programs of this seed alone */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch.h"
#include "search/search.h"
#include "symbolic_generate.h"

#define BATCH 200u

enum { REFERENCE_LIMIT = 5000 }; /* executions: programs that need more to try all values are left out, and counted */

static struct totals {
  uint64_t programs, bugs, outcomes, executions, reference, fewer, bounded, skipped, wrong;
} totals;

static enum machine_memory memory = MEMORY_SC;
static bool endless;
static long only = -1; /* this one of the seed's programs */

/* What the process is given, where the input comes in that way. */
static size_t source_for(char way, struct machine_source *source) {
  *source = (struct machine_source){.name = way == 'v' ? "IN" : "in", .size = 1};
  source->kind = way == 'a' ? SOURCE_ARGUMENT : way == 'v' ? SOURCE_VARIABLE : way == 'i' ? SOURCE_STDIN : SOURCE_FILE;
  return way == 'a' || way == 'v' || way == 'i' || way == 'f';
}

static struct machine *machine_for(const struct image *image, unsigned index, char way) {
  static char number[16];
  static const char *arguments[] = {"p", number, NULL};
  static struct machine_source source;
  snprintf(number, sizeof number, "%c%u", way, index);
  const struct machine_options options = {
      .arguments = arguments, .memory = memory, .all_inputs = true, .nondet = true, .sources = &source, .nsources = source_for(way, &source)};
  struct machine *m = NULL;
  struct diag d = {0};
  if (machine_new(&m, image, &options, &d) != ERR_NONE) fprintf(stderr, "machine: %s\n", text_str(&d.message));
  diag_release(&d);
  return m;
}

/* `strategy`: NULL: the sweep; "cutoffs": unfolding with them. */
static bool explored(const struct image *image, unsigned index, char way, const char *strategy, uint32_t jobs, struct explore_result *r) {
  bool cutoffs = strategy && strcmp(strategy, "cutoffs") == 0;
  const struct explore_options options = {
      .strategy = cutoffs    ? &strategy_unfolding
                  : strategy ? strategy_find(strategy)
                             : &strategy_sweep,
      .strategy_options = {.bound = UINT32_MAX, .cutoffs = cutoffs},
      .jobs = jobs,
      .jobs_at_once = true,
      .outcomes = true,
      .step_limit = !endless     ? 10000
                    : way == 'c' ? 2000
                                 : 200,
      .executions = endless      ? way == 'c' ? 5000 : 500
                    : way == 'c' ? REFERENCE_LIMIT
                                 : 0,
      .ignored = endless || cutoffs ? 1u << FINDING_LIVELOCK : 0};
  struct diag d = {0};
  *r = (struct explore_result){0};
  struct machine *m = machine_for(image, index, way);
  if (!m) return false;
  enum err e = explore(m, &options, r, &d);
  if (e) fprintf(stderr, "program %u, %s: %s\n", index, strategy ? strategy : "sweep", text_str(&d.message));
  diag_release(&d);
  machine_free(m);
  return e == ERR_NONE;
}

static bool has_outcome(const struct explore_result *r, const struct text *outcome) {
  for (size_t i = 0; i < r->outcomes.count; i++)
    if (strcmp(text_str(&r->outcomes.data[i].text), text_str(outcome)) == 0) return true;
  return false;
}

static bool has_finding(const struct explore_result *r, uint64_t key) {
  for (size_t i = 0; i < r->findings.count; i++)
    if (r->findings.data[i].key == key) return true;
  return false;
}

/* What is seen with one of the values is seen with symbolic data, and the other way round. */
static const char *differs(const struct explore_result *all, const struct explore_result *symbolic) {
  bool grows = endless && symbolic->verdict == VERDICT_BOUNDED; /* or it has more states than the limits allow */
  if (all->verdict != symbolic->verdict && !grows) return "the verdicts differ";
  for (size_t i = 0; i < symbolic->findings.count; i++)
    if (!has_finding(all, symbolic->findings.data[i].key)) return "it finds what no value shows";
  for (size_t i = 0; i < symbolic->outcomes.count; i++)
    if (!has_outcome(all, &symbolic->outcomes.data[i].text)) return "it has an outcome that no value has";
  if (all->findings.count || grows) return NULL; /* it has stopped there */
  for (size_t i = 0; i < all->outcomes.count; i++)
    if (!has_outcome(symbolic, &all->outcomes.data[i].text)) return "a value has an outcome that it does not have";
  return NULL;
}

static void test_program(const struct image *image, uint64_t seed, unsigned index) {
  static const char *const names[] = {"naive", "dpor", "unfolding", "maximal", "cutoffs"};
  struct explore_result all, symbolic;
  if (!explored(image, index, 'c', endless ? NULL : "naive", 1, &all)) {
    totals.wrong++;
    return;
  }
  if (endless ? all.verdict == VERDICT_BOUNDED : all.reasons & (1u << EXPLORE_REASON_EXECUTIONS)) { /* too many, also with chosen values */
    totals.skipped++;
    explore_result_release(&all);
    return;
  }
  totals.programs++, totals.bugs += all.findings.count != 0;
  totals.outcomes += all.outcomes.count, totals.reference += all.counts.executions;
  const size_t count = sizeof names / sizeof *names;
  const char *ways = endless ? ENDLESS_WAYS : SYMBOLIC_WAYS;
  for (size_t i = 0; i <= count + 1; i++) {
    char way = i != count ? 's' : ways[1 + index % (strlen(ways) - 1)];
    const char *strategy = names[i < count ? i : (index / 7) % count];
    uint32_t jobs = i <= count ? 1 : 2 + index % 2;
    const char *why = explored(image, index, way, strategy, jobs, &symbolic) ? differs(&all, &symbolic) : "it could not be explored";
    totals.bounded += symbolic.verdict == VERDICT_BOUNDED;
    if (i == 0) totals.executions += symbolic.counts.executions, totals.fewer += symbolic.counts.executions < all.counts.executions;
    if (why) {
      printf("seed %llu, program %u, %s, way %c, %u workers: %s\n", (unsigned long long)seed, index, strategy, way, jobs, why);
      totals.wrong++;
    }
    explore_result_release(&symbolic);
  }
  explore_result_release(&all);
}

static bool test_batch(uint64_t seed, unsigned count) {
  char path[] = "/tmp/heddle-symbolic-XXXXXX.c";
  int fd = mkstemps(path, 2);
  if (fd < 0) return false;
  struct text source = {0};
  (endless ? endless_generate : symbolic_generate)(seed, count, &source);
  bool written = write(fd, source.data, source.count) == (ssize_t)source.count;
  close(fd);
  text_release(&source);
  struct image image;
  bool opened = written && batch_open_file(&image, path, seed, GENERATE_ALL);
  unlink(path);
  if (!opened) return false;
  for (unsigned i = 0; i < count; i++)
    if (only < 0 || only == (long)i) test_program(&image, seed, i);
  image_close(&image);
  return true;
}

int main(int argc, char **argv) {
  uint64_t programs = 200, seed = 1;
  bool prints = false;
  for (int i = 1; i < argc; i++) {
    unsigned long long value;
    if (sscanf(argv[i], "--programs=%llu", &value) == 1)
      programs = value;
    else if (sscanf(argv[i], "--seed=%llu", &value) == 1)
      seed = value;
    else if (sscanf(argv[i], "--only=%ld", &only) == 1)
      continue;
    else if (strcmp(argv[i], "--print") == 0)
      prints = true;
    else if (strcmp(argv[i], "--endless") == 0)
      endless = true;
    else if (strcmp(argv[i], "--memory=tso") == 0)
      memory = MEMORY_TSO;
    else if (strcmp(argv[i], "--memory=pso") == 0)
      memory = MEMORY_PSO;
    else
      return fprintf(stderr, "usage: symbolic [--endless] [--memory=tso|pso] [--programs=N] [--seed=N] [--only=N] [--print]\n"), 2;
  }
  if (prints) {
    struct text source = {0};
    (endless ? endless_generate : symbolic_generate)(seed, (unsigned)programs, &source);
    fputs(text_str(&source), stdout);
    text_release(&source);
    return 0;
  }
  for (uint64_t done = 0; done < programs; done += BATCH, seed++)
    if (!test_batch(seed, (unsigned)(programs - done < BATCH ? programs - done : BATCH))) return 1;
  printf("%llu programs, %llu with findings, %llu outcomes, %llu executions of values, %llu with symbolic data (naive), fewer for %llu; %llu explorations bounded, %llu programs left out; %llu wrong\n",
         (unsigned long long)totals.programs, (unsigned long long)totals.bugs, (unsigned long long)totals.outcomes,
         (unsigned long long)totals.reference, (unsigned long long)totals.executions, (unsigned long long)totals.fewer, (unsigned long long)totals.bounded, (unsigned long long)totals.skipped,
         (unsigned long long)totals.wrong);
  bool idle = totals.outcomes < (endless ? totals.programs / 2 : 2 * totals.programs) || totals.bugs == 0 || (totals.fewer == 0 && !endless);
  idle |= totals.bounded > 3 * totals.programs; /* of seven explorations each */
  return totals.wrong || idle; /* programs that show nothing test nothing */
}
