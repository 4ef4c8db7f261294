/* What all executions of random programs show, for the comparison with what `heddle run` says of some of them (tests/run/brute/run).
 *
 *     brute write SEED COUNT [own|any|refuse] [PROGRAM:FREED:USED...]     prints the programs, or these, with ends as in programs.h
 *     brute explore SEED FILE MEMORY MOST PROGRAM...     FILE is what `write` printed; for each program prints
 *                                                          PROGRAM whole|cut EXECUTIONS
 *                                                          PROGRAM found KIND LINE:ROLE ...    (other lines of the finding's sites are 0)
 *     brute pairs SEED FILE MEMORY MOST PROGRAM:LINE:LINE...    do these race (pairs.h)? For each prints
 *                                                          PROGRAM:LINE:LINE races|never|unknown
 *
 * MEMORY is sc, tso or pso, or spurious: sc, and waits for conditions may end without a signal. `cut`: there are more than MOST executions, 5 s,
 * or something else is not explored. A finding of a cut program is one all the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "pairs.h"
#include "programs.h"
#include "search/search.h"

/* PROGRAM:NUMBER:NUMBER. */
struct triple {
  unsigned program, one, other;
};

static struct triple triple_of(const char *t) {
  struct triple x = {0};
  if (sscanf(t, "%u:%u:%u", &x.program, &x.one, &x.other) != 3) fprintf(stderr, "%s: not three numbers\n", t), exit(2);
  return x;
}

static int write_programs(char **arguments, int count) {
  struct text out = {0};
  unsigned n = (unsigned)strtoul(arguments[1], NULL, 10);
  static const char *const names[] = {
      [PROGRAMS_ENDS] = "", [PROGRAMS_REUSE_OWN] = "own", [PROGRAMS_REUSE_ANY] = "any", [PROGRAMS_REFUSE] = "refuse"};
  enum programs_how how = PROGRAMS_REFUSE;
  while (how > PROGRAMS_ENDS && (count < 3 || strcmp(arguments[2], names[how]) != 0)) how--;
  struct programs_ends *ends = count > 2 ? calloc(n, sizeof *ends) : NULL;
  for (int i = 2 + (how != PROGRAMS_ENDS); i < count; i++) {
    struct triple x = triple_of(arguments[i]);
    if (x.program < n) ends[x.program] = (struct programs_ends){.wanted = true, .freed = x.one, .used = x.other};
  }
  programs_write(strtoull(arguments[0], NULL, 10), n, ends, how, &out);
  bool written = fputs(text_str(&out), stdout) >= 0 && fflush(stdout) == 0;
  text_release(&out);
  free(ends);
  return !written;
}

/* Its line, if it is in the programs' own file. */
static unsigned line_of(const struct image *image, uint32_t site) {
  const struct image_site *s = &image->sites[site];
  const char *file = image->strings + s->file;
  size_t n = strlen(file);
  return n > 9 && strcmp(file + n - 9, "program.c") == 0 ? s->line : 0;
}

static void print_finding(const struct image *image, const char *program, const struct finding *f) {
  printf("%s found %s", program, finding_kind_text(f->kind));
  for (size_t i = 0; i < f->sites.count; i++) {
    const struct finding_site *s = &f->sites.data[i];
    printf(" %u:", line_of(image, s->site));
    for (const char *t = s->role; *t; t++) putchar(*t == ' ' ? '-' : *t);
  }
  putchar('\n');
}

/* `program` is kept by the machine. */
static struct machine *machine_of(const struct image *image, const char *program, const char *memory) {
  static const char *arguments[] = {"program", NULL, NULL};
  arguments[1] = program;
  struct machine_options options = {.arguments = arguments, .spurious_wakeups = strcmp(memory, "spurious") == 0};
  struct machine *m = NULL;
  struct diag d = {0};
  bool known = options.spurious_wakeups || batch_memory(memory, &options.memory);
  if (!known || machine_new(&m, image, &options, &d) != ERR_NONE) fprintf(stderr, "machine: %s\n", text_str(&d.message));
  diag_release(&d);
  return m;
}

static bool explore_program(const struct image *image, const char *program, const char *memory, uint64_t most) {
  struct explore_options o = {
      .strategy = &strategy_maximal, .strategy_options = {.bound = UINT32_MAX}, .executions = most, .step_limit = 2000, .seconds = 5};
  struct explore_result r = {0};
  struct diag d = {0};
  struct machine *m = machine_of(image, program, memory);
  bool ok = m && explore(m, &o, &r, &d) == ERR_NONE;
  if (!ok) fprintf(stderr, "program %s: %s\n", program, text_str(&d.message));
  printf("%s %s %llu\n", program, r.reasons ? "cut" : "whole", (unsigned long long)(r.counts.executions + r.counts.blocked));
  for (size_t i = 0; i < r.findings.count; i++) print_finding(image, program, &r.findings.data[i].finding);
  explore_result_release(&r);
  diag_release(&d);
  if (m) machine_free(m);
  return ok;
}

static bool decide_pair(const struct image *image, const char *pair, const char *memory, uint64_t most) {
  static const char *const answers[] = {[PAIR_RACES] = "races", [PAIR_NEVER] = "never", [PAIR_UNKNOWN] = "unknown"};
  struct triple x = triple_of(pair);
  char program[16];
  snprintf(program, sizeof program, "%u", x.program);
  unsigned *lines = calloc(image->nsites, sizeof *lines);
  for (uint32_t i = 0; i < image->nsites; i++) lines[i] = line_of(image, i);
  struct diag d = {0};
  struct machine *m = machine_of(image, program, memory);
  if (m) printf("%s %s\n", pair, answers[pair_decide(m, lines, x.one, x.other, most, &d)]);
  if (m) machine_free(m);
  free(lines);
  diag_release(&d);
  return m;
}

/* Arguments: seed, file, memory, most, and what is asked about. */
static int ask(char **arguments, int count, bool (*one)(const struct image *, const char *, const char *, uint64_t)) {
  struct image image;
  bool ok = true;
  if (!batch_open_file(&image, arguments[1], 0, GENERATE_ALL)) return 2;
  for (int i = 4; i < count; i++) ok &= one(&image, arguments[i], arguments[2], strtoull(arguments[3], NULL, 10));
  image_close(&image);
  return !ok;
}

int main(int argc, char **argv) {
  if (argc >= 4 && strcmp(argv[1], "write") == 0) return write_programs(argv + 2, argc - 2);
  if (argc >= 6 && strcmp(argv[1], "explore") == 0) return ask(argv + 2, argc - 2, explore_program);
  if (argc >= 6 && strcmp(argv[1], "pairs") == 0) return ask(argv + 2, argc - 2, decide_pair);
  fprintf(stderr, "usage: %s write SEED COUNT [own|any|refuse] [PROGRAM:FREED:USED...], or %s explore SEED FILE MEMORY MOST PROGRAM...,\n"
          "or %s pairs SEED FILE MEMORY MOST PROGRAM:LINE:LINE...\n", argv[0], argv[0], argv[0]);
  return 2;
}
