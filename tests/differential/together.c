/* Random C programs explored by maximal: several workers must find what one finds, and end with the same verdict.
 *
 * usage: together [--memory=sc|tso|pso] [--features=LIST] [--programs=N] [--seed=N] [--only=INDEX] [--jobs=N]
 *
 * Each exploration has a machine that knows nothing of the program, so workers learn on the way what makes everything start again. Some
 * have memory for few states. Programs with too many executions are left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "search/search.h"

#define BATCH           100u
#define MOST_EXECUTIONS 20000u

struct totals {
  uint64_t programs, skipped, wrong, alone, together, restarts;
};

static enum machine_memory memory = MEMORY_SC;

static bool explore_fresh(const struct image *image, unsigned index, uint32_t jobs, bool outcomes, bool small, struct explore_result *r) {
  struct machine *m = batch_machine(image, index, memory, false);
  struct diag d = {0};
  struct explore_options o = {.strategy = &strategy_maximal,
                              .strategy_options = {.bound = UINT32_MAX, .memory = small ? 20000 : 0},
                              .outcomes = outcomes,
                              .jobs = jobs,
                              .jobs_at_once = true,
                              .executions = MOST_EXECUTIONS};
  *r = (struct explore_result){0};
  bool ok = m && explore(m, &o, r, &d) == ERR_NONE;
  if (!ok) fprintf(stderr, "explore: %s\n", text_str(&d.message));
  diag_release(&d);
  if (m) machine_free(m);
  return ok;
}

static bool has(const struct explore_result *r, uint32_t reason) { return r->reasons >> reason & 1; }

/* A livelock ends the exploration: what had been seen by then is a matter of order. */
static bool same(const struct explore_result *a, const struct explore_result *b) {
  if (has(a, EXPLORE_REASON_LIVELOCK) || has(b, EXPLORE_REASON_LIVELOCK))
    return has(a, EXPLORE_REASON_LIVELOCK) && has(b, EXPLORE_REASON_LIVELOCK);
  if (a->findings.count != b->findings.count || a->outcomes.count != b->outcomes.count) return false;
  if (a->verdict != b->verdict || a->reasons != b->reasons) return false;
  for (size_t i = 0; i < a->findings.count; i++) {
    if (a->findings.data[i].key != b->findings.data[i].key) return false;
  }
  for (size_t i = 0; i < a->outcomes.count; i++) {
    if (strcmp(text_str(&a->outcomes.data[i].text), text_str(&b->outcomes.data[i].text)) != 0) return false;
  }
  return true;
}

static void print_result(const char *label, const struct explore_result *r) {
  fprintf(stderr, "%s: verdict %d, reasons %x, %llu executions, %llu blocked, %u restarts\n", label, r->verdict, r->reasons,
          (unsigned long long)r->counts.executions, (unsigned long long)r->counts.blocked, r->counts.restarts);
  for (size_t i = 0; i < r->findings.count; i++) {
    const struct finding *f = &r->findings.data[i].finding;
    fprintf(stderr, "  %llx %s %s\n", (unsigned long long)r->findings.data[i].key, finding_kind_text(f->kind), text_str(&f->message));
  }
  for (size_t i = 0; i < r->outcomes.count; i++) fprintf(stderr, "  outcome %llx\n", (unsigned long long)r->outcomes.data[i].hash);
}

static void compare(const struct image *image, uint64_t seed, unsigned index, uint32_t jobs, struct totals *t) {
  bool outcomes = index % 2, small = index % 5 == 0;
  struct explore_result alone, together;
  t->programs++;
  bool ok = explore_fresh(image, index, 1, outcomes, false, &alone);
  if (ok && has(&alone, EXPLORE_REASON_EXECUTIONS)) {
    t->skipped++;
  } else {
    ok = ok && explore_fresh(image, index, jobs, outcomes, small, &together);
    if (!ok || (!same(&alone, &together) && !(small && has(&together, EXPLORE_REASON_EXECUTIONS)))) {
      fprintf(stderr, "%u workers differ from one: program %u of --seed=%llu\n", jobs, index, (unsigned long long)seed);
      if (ok) print_result("one", &alone), print_result("several", &together);
      t->wrong++;
    }
    if (ok) t->alone += alone.counts.executions + alone.counts.blocked, t->together += together.counts.executions + together.counts.blocked;
    if (ok) t->restarts += together.counts.restarts;
    if (ok) explore_result_release(&together);
  }
  explore_result_release(&alone);
}

int main(int argc, char **argv) {
  uint64_t programs = 300, seed = 1;
  uint32_t jobs = 0, only = UINT32_MAX;
  unsigned features = 0;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--memory=", 9) == 0 && batch_memory(argv[i] + 9, &memory)) continue;
    if (strncmp(argv[i], "--features=", 11) == 0 && generate_features(argv[i] + 11, &features)) continue;
    if (strncmp(argv[i], "--programs=", 11) == 0) {
      programs = strtoull(argv[i] + 11, NULL, 10);
    } else if (strncmp(argv[i], "--seed=", 7) == 0) {
      seed = strtoull(argv[i] + 7, NULL, 10);
    } else if (strncmp(argv[i], "--only=", 7) == 0) {
      only = (uint32_t)strtoul(argv[i] + 7, NULL, 10);
    } else if (strncmp(argv[i], "--jobs=", 7) == 0) {
      jobs = (uint32_t)strtoul(argv[i] + 7, NULL, 10);
    } else {
      fprintf(stderr, "usage: %s [--memory=sc|tso|pso] [--features=LIST] [--programs=N] [--seed=N] [--only=INDEX] [--jobs=N]\n", argv[0]);
      return 2;
    }
  }
  struct totals t = {0};
  for (; t.programs < programs; seed++) { /* with --only, one of each seed */
    struct image image;
    uint64_t left = programs - t.programs;
    unsigned count = left < BATCH && only == UINT32_MAX ? (unsigned)left : BATCH;
    if (!batch_open(&image, seed, count, features | (memory == MEMORY_SC ? 0 : GENERATE_STORES))) return 1;
    for (unsigned i = 0; i < count; i++)
      if (only == UINT32_MAX || i == only) compare(&image, seed, i, jobs ? jobs : 2 + i % 3, &t);
    image_close(&image);
  }
  printf("%llu programs, %llu of them too large; executions %llu alone, %llu together; %llu restarts; %llu differences\n",
         (unsigned long long)t.programs, (unsigned long long)t.skipped, (unsigned long long)t.alone, (unsigned long long)t.together,
         (unsigned long long)t.restarts, (unsigned long long)t.wrong);
  return t.wrong || t.skipped * 2 > t.programs;
}
