/* What all executions of random programs show, for the comparison with what `heddle run` says of some of them (tests/run/brute/run).
 *
 *     brute write SEED COUNT [FREED USED PROGRAM]        prints the programs, or with ends as in programs.h
 *     brute explore SEED FILE MEMORY MOST PROGRAM...     FILE is what `write` printed; for each program prints
 *                                                          PROGRAM whole|cut EXECUTIONS
 *                                                          PROGRAM found KIND LINE:ROLE ...    (other lines of the finding's sites are 0)
 *
 * MEMORY is sc, tso or pso, or spurious: sc, and waits for conditions may end without a signal. `cut`: there are more than MOST executions,
 * or something else is not explored. A finding of a cut program is one all the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "programs.h"
#include "search/search.h"

static int write_programs(char **arguments, int count) {
  struct text out = {0};
  struct programs_ends ends = {0};
  if (count == 5) {
    ends.freed = (unsigned)strtoul(arguments[2], NULL, 10), ends.used = (unsigned)strtoul(arguments[3], NULL, 10);
    ends.program = (int)strtol(arguments[4], NULL, 10);
  }
  programs_write(strtoull(arguments[0], NULL, 10), (unsigned)strtoul(arguments[1], NULL, 10), count == 5 ? &ends : NULL, &out);
  bool written = fputs(text_str(&out), stdout) >= 0 && fflush(stdout) == 0;
  text_release(&out);
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

static struct machine *machine_of(const struct image *image, const char *program, const char *memory) {
  static const char *arguments[] = {"program", NULL, NULL}; /* the machine keeps them */
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
      .strategy = &strategy_maximal, .strategy_options = {.bound = UINT32_MAX}, .executions = most, .step_limit = 2000};
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

static int explore_programs(char **arguments, int count) {
  struct image image;
  bool ok = true;
  if (!batch_open_file(&image, arguments[1], 0, GENERATE_ALL)) return 2;
  for (int i = 4; i < count; i++) ok &= explore_program(&image, arguments[i], arguments[2], strtoull(arguments[3], NULL, 10));
  image_close(&image);
  return !ok;
}

int main(int argc, char **argv) {
  if (argc >= 4 && strcmp(argv[1], "write") == 0) return write_programs(argv + 2, argc - 2);
  if (argc >= 6 && strcmp(argv[1], "explore") == 0) return explore_programs(argv + 2, argc - 2);
  fprintf(stderr, "usage: %s write SEED COUNT [FREED USED PROGRAM], or %s explore SEED FILE MEMORY MOST PROGRAM...\n", argv[0], argv[0]);
  return 2;
}
