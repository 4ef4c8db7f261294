/* Is an uninitialised local found at every level of optimisation? Random programs of the family `uninitialised` are compiled three times:
 * with volatile locals, which stay in memory, where each read can be seen; as they are; and optimised. The lines at which dpor finds
 * something uninitialised must be those of the first.
 *
 * usage: levels [--programs=N] [--seed=N] [--optimised]
 *
 * What clang makes of undefined values when it optimises is its own matter: those programs are counted, and differences complained of only
 * with --optimised. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "batch.h"
#include "search/search.h"

#define BATCH           100u
#define MOST_EXECUTIONS 20000u

enum level { LEVEL_VOLATILE, LEVEL_PLAIN, LEVEL_OPTIMISED, LEVELS };

static const char *const flags[LEVELS] = {
    [LEVEL_VOLATILE] = "-std=gnu17 -O0 -DLOCAL=volatile -Xclang -disable-O0-optnone -g -w -emit-llvm -c -o",
    [LEVEL_PLAIN] = "-std=gnu17 -O0 -Xclang -disable-O0-optnone -g -w -emit-llvm -c -o",
    [LEVEL_OPTIMISED] = "-std=gnu17 -O1 -g -w -emit-llvm -c -o",
};

static struct totals { uint64_t programs, skipped, lines, differ[LEVELS]; } totals;

struct lines {
  VEC(uint32_t) list; /* sorted */
  bool cut;           /* not everything was explored */
};

static int compare_lines(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void find_lines(const struct image *image, unsigned index, struct lines *out) {
  struct machine *m = batch_machine(image, index, MEMORY_SC, false);
  struct explore_options o = {
      .strategy = &strategy_dpor, .strategy_options = {.bound = UINT32_MAX}, .no_races = true, .executions = MOST_EXECUTIONS};
  struct explore_result r = {0};
  struct diag d = {0};
  out->cut = !m || explore(m, &o, &r, &d) != ERR_NONE || r.reasons;
  for (size_t i = 0; i < r.findings.count; i++) {
    const struct finding *f = &r.findings.data[i].finding;
    if (f->kind == FINDING_UNINITIALISED && f->sites.count) *vec_push(&out->list) = image->sites[f->sites.data[0].site].line;
  }
  if (out->list.count) qsort(out->list.data, out->list.count, sizeof *out->list.data, compare_lines);
  size_t kept = 0;
  for (size_t i = 0; i < out->list.count; i++)
    if (kept == 0 || out->list.data[kept - 1] != out->list.data[i]) out->list.data[kept++] = out->list.data[i];
  out->list.count = kept;
  explore_result_release(&r);
  diag_release(&d);
  if (m) machine_free(m);
}

static bool same(const struct lines *a, const struct lines *b) {
  return a->list.count == b->list.count && memcmp(a->list.data, b->list.data, a->list.count * sizeof *a->list.data) == 0;
}

static void compare(const struct image images[LEVELS], uint64_t seed, unsigned index, bool optimised) {
  struct lines of[LEVELS] = {0};
  bool cut = false;
  totals.programs++;
  for (unsigned i = 0; i < LEVELS; i++) find_lines(&images[i], index, &of[i]), cut |= of[i].cut;
  totals.skipped += cut;
  totals.lines += cut ? 0 : of[LEVEL_VOLATILE].list.count;
  for (unsigned i = LEVEL_PLAIN; i < LEVELS && !cut; i++) {
    if (same(&of[i], &of[LEVEL_VOLATILE])) continue;
    totals.differ[i]++;
    if (i == LEVEL_PLAIN || optimised)
      fprintf(stderr, "%zu uninitialised lines, %zu with volatile locals%s: differential --features=uninitialised --show=%llu,%u\n",
              of[i].list.count, of[LEVEL_VOLATILE].list.count, i == LEVEL_OPTIMISED ? " (optimised)" : "", (unsigned long long)seed, index);
  }
  for (unsigned i = 0; i < LEVELS; i++) vec_release(&of[i].list);
}

int main(int argc, char **argv) {
  uint64_t programs = 300, seed = 1;
  bool optimised = false;
  for (int i = 1; i < argc; i++) {
    if (sscanf(argv[i], "--programs=%lu", &programs) == 1 || sscanf(argv[i], "--seed=%lu", &seed) == 1) continue;
    if (strcmp(argv[i], "--optimised") == 0) {
      optimised = true;
      continue;
    }
    fprintf(stderr, "usage: %s [--programs=N] [--seed=N] [--optimised]\n", argv[0]);
    return 2;
  }
  for (; totals.programs < programs; seed++) {
    struct image images[LEVELS];
    uint64_t left = programs - totals.programs;
    unsigned count = left < BATCH ? (unsigned)left : BATCH;
    for (unsigned i = 0; i < LEVELS; i++)
      if (!batch_open_as(&images[i], seed, count, 1u << GENERATE_FAMILY_UNINITIALISED, flags[i])) return 1;
    for (unsigned i = 0; i < count; i++) compare(images, seed, i, optimised);
    for (unsigned i = 0; i < LEVELS; i++) image_close(&images[i]);
  }
  printf("%llu programs, %llu of them cut, %llu uninitialised lines; differences: %llu as it is, %llu optimised\n",
         (unsigned long long)totals.programs, (unsigned long long)totals.skipped, (unsigned long long)totals.lines,
         (unsigned long long)totals.differ[LEVEL_PLAIN], (unsigned long long)totals.differ[LEVEL_OPTIMISED]);
  return totals.differ[LEVEL_PLAIN] || totals.skipped * 2 > totals.programs || totals.lines == 0;
}
