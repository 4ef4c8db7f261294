/* A command line of clang, understood as far as `heddle cc` must: what it produces, which words are inputs, and the command line that makes
 * bitcode of one source with the same meaning. */
#pragma once
#include <stdbool.h>

#include "base/err.h"
#include "cli/cc/link.h"
#include "cli/cc/sanitizers.h"
#include "program/args.h"

enum cc_mode {
  CC_PASS,   /* not a compilation to native code, or no inputs: clang's business alone */
  CC_OBJECT, /* -c */
  CC_LINK,
};

enum cc_input_kind { CC_SOURCE, CC_ASSEMBLER, CC_LINKER };

struct cc_input {
  enum cc_input_kind kind;
  const char *path;     /* "-" is standard input; points into `words` */
  const char *language; /* of -x, or NULL: by the name */
};

struct cc_line {
  enum cc_mode mode;
  struct args words;  /* all arguments, response files expanded */
  struct args native; /* what clang is to run with; `words` without what is Heddle's and without link-time optimisation */
  struct args common; /* options for compiling to bitcode, without inputs and output */
  struct args specs;  /* files of -fheddle-spec */
  VEC(struct cc_input) inputs;
  const char *output; /* of -o, or NULL */
  bool reads_stdin, optimised /* -fheddle-optimised */, watched /* -fheddle=run */, uses_pch;
  bool apart, described; /* an option that one of bitcode and native code must not have; one that asks for debug information */
  struct link_kind kind;
  struct sanitizers sanitizers;
};

/* Reads the arguments behind the compiler's name. ERR_FILE if a response file cannot be read (clang then says so better: run it). */
[[nodiscard]] enum err cc_line_read(struct cc_line *line, int argc, char **argv, struct diag *d);
void cc_line_release(struct cc_line *line);
/* -fopenmp is among the options. And: headers that are found nowhere else are in this folder. */
bool cc_line_has_openmp(const struct cc_line *line);
void cc_line_add_folder(struct cc_line *line, const char *folder);
/* The native compilation may keep the module that it begins with as the bitcode: there is one source, and no option has the two differ. */
bool cc_line_shares_module(const struct cc_line *line);
/* The command line that writes the bitcode of `input` to standard output. */
void cc_line_bitcode(const struct cc_line *line, const struct cc_input *input, const char *compiler, struct args *out);
/* The file that clang writes for `input` under -c. */
void cc_line_object(const struct cc_line *line, const struct cc_input *input, struct text *path);
/* The file that clang writes when it links. */
const char *cc_line_program(const struct cc_line *line);
