/* Is it found when the beginning or the end of a lock, a condition or the like races with its use? Random programs of the family `objects`
 * have a plain variable beside each object, which is written where that is initialised or destroyed and read where it is used, each time
 * just before it. Where dpor finds a race of such a variable, the object's must be found too: something else, at one of the two lines.
 *
 * usage: shadows [--programs=N] [--seed=N] */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "search/search.h"

#define BATCH           100u
#define MOST_EXECUTIONS 20000u

static const char flags[] = "-std=gnu17 -O0 -DSHADOW -Xclang -disable-O0-optnone -g -w -emit-llvm -c -o";

static struct totals { uint64_t programs, skipped, races, wrong; } totals;

/* Of an object that has a shadow, by its number (generate/objects.c). */
static const char *const names[] = {"om", "ow", "oq", "oz", "os", "ol"};
#define NAMES (sizeof names / sizeof *names)

static bool has_word(const char *text, const char *word) {
  size_t n = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || at[-1] == ' ') && !isalnum((unsigned char)at[n])) return true;
  return false;
}

/* The object's name; NULL: it is no race of a shadow. */
static const char *shadowed(const struct finding *f) {
  const char *at = f->kind == FINDING_DATA_RACE ? strstr(text_str(&f->message), "shadow[") : NULL;
  unsigned i = at ? (unsigned)strtoul(at + strlen("shadow["), NULL, 10) : NAMES;
  return i < NAMES ? names[i] : NULL;
}

static bool found_otherwise(const struct explore_result *r, const char *name) {
  for (size_t i = 0; i < r->findings.count; i++) {
    const struct finding *f = &r->findings.data[i].finding;
    if (!shadowed(f) && has_word(text_str(&f->message), name)) return true;
  }
  return false;
}

static void test_program(const struct image *image, uint64_t seed, unsigned index) {
  struct machine *m = batch_machine(image, index, MEMORY_SC, false);
  struct explore_options o = {.strategy = &strategy_dpor, .strategy_options = {.bound = UINT32_MAX}, .executions = MOST_EXECUTIONS};
  struct explore_result r = {0};
  struct diag d = {0};
  bool whole = m && explore(m, &o, &r, &d) == ERR_NONE && !r.reasons;
  totals.programs++;
  totals.skipped += !whole;
  for (size_t i = 0; i < r.findings.count && whole; i++) {
    const struct finding *f = &r.findings.data[i].finding;
    const char *name = shadowed(f);
    if (!name) continue;
    totals.races++;
    if (found_otherwise(&r, name)) continue;
    totals.wrong++;
    fprintf(stderr, "%s, and nothing is found of %s: differential --features=objects --show=%llu,%u\n", text_str(&f->message), name,
            (unsigned long long)seed, index);
  }
  explore_result_release(&r);
  diag_release(&d);
  if (m) machine_free(m);
}

int main(int argc, char **argv) {
  uint64_t programs = 300, seed = 1;
  for (int i = 1; i < argc; i++) {
    if (sscanf(argv[i], "--programs=%lu", &programs) == 1 || sscanf(argv[i], "--seed=%lu", &seed) == 1) continue;
    fprintf(stderr, "usage: %s [--programs=N] [--seed=N]\n", argv[0]);
    return 2;
  }
  for (; totals.programs < programs; seed++) {
    struct image image;
    uint64_t left = programs - totals.programs;
    unsigned count = left < BATCH ? (unsigned)left : BATCH;
    if (!batch_open_as(&image, seed, count, 1u << GENERATE_FAMILY_OBJECTS, flags)) return 1;
    for (unsigned i = 0; i < count; i++) test_program(&image, seed, i);
    image_close(&image);
  }
  printf("%llu programs, %llu of them cut, %llu races of shadows, %llu of which only the shadow was found\n",
         (unsigned long long)totals.programs, (unsigned long long)totals.skipped, (unsigned long long)totals.races,
         (unsigned long long)totals.wrong);
  return totals.wrong || totals.skipped * 2 > totals.programs || totals.races == 0;
}
