/* What a test program says about itself in its first comment lines.
 *
 *     // verdict: BUG | SAFE | BOUNDED      what `heddle check` must say
 *     // exit: 2                            the exit code, where it does not follow from the verdict; 2: Heddle refuses the program (the
 *                                           verdict is then what it should say one day)
 *     // memory: sc | tso | pso
 *     // options: --strategy=dpor ...       for heddle; {here} stands for the program's folder
 *     // args: ...                          for the program
 *     // cflags: ...                        for the compiler
 *     // finding: KIND[|KIND] [LINE..]      must be found, with sites on all these lines; nothing else may be found
 *     // finding?: KIND[|KIND] [LINE..]     may be found as well
 *     // executions: N                      completed executions; "?" prints the number instead of checking it
 *     // output: native                     runs in the machine as natively, at -O0, -O1 and -O2
 *     // input: TEXT                        standard input (for `output`)
 *     // case: NAME CFLAGS..                begins another case of the same program, which takes over nothing but `output`
 *
 * A LINE is a number or a label: the line that contains "@LABEL" in a comment, outside this header. Lines without "key:" are prose.
 * Macros of a case's CFLAGS make the variants: -DFIXED the corrected twin. */
#pragma once
#include <stdbool.h>

#define SPEC_WORDS    16
#define SPEC_FINDINGS 8
#define SPEC_CASES    24

struct spec_finding {
  char *kinds; /* alternatives, separated by '|' */
  int lines[SPEC_WORDS];
  int nlines;
  bool optional;
};

/* One case. Word lists are NULL-terminated; strings live as long as the file's spec. */
struct spec_case {
  const char *name;
  const char *verdict; /* NULL: only the output counts */
  const char *memory, *input;
  int exit_code; /* -1: from the verdict */
  char *options[SPEC_WORDS + 1], *args[SPEC_WORDS + 1], *cflags[SPEC_WORDS + 1];
  struct spec_finding findings[SPEC_FINDINGS];
  int nfindings;
  long executions; /* -1: not stated; -2: to be printed */
  bool native;
};

struct spec {
  struct spec_case cases[SPEC_CASES];
  int ncases;
  char *text;
};

/* Reads the header of `path`. On error prints why and returns false. */
bool spec_read(struct spec *s, const char *path);
