/* A C source of a verification task, read as text: where in the file that the user named the places lie that the compiler speaks of, and
 * where the statements and calls there begin and end. Witnesses for other tools name places so (violation.h).
 *
 * The text is read as tokens, not as a grammar: comments, literals, preprocessor lines and brackets are known, and the keywords that begin
 * statements. Macros are not expanded; what one hides is not found.
 *
 * Lines and columns count from 1; columns of places count bytes, as the compiler does, those of spots count characters. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"

struct place;

/* From physical line `first` on, lines are said to be those of `file` from `line` on: "# 12 "file.c"", as a preprocessor writes it. */
struct line_marker {
  uint32_t first, line;
  struct text file;
};

struct task_source {
  const char *path; /* as the user named it; borrowed */
  struct text content;
  struct text real;     /* the path without links */
  VEC(uint32_t) starts; /* offset of each line in content */
  VEC(struct line_marker) markers;
};

/* A place of the file. */
struct spot {
  uint32_t line, column;
};

/* What an expression is part of. LOOP: the head of a loop, which may be evaluated many times. CONTROL: the head of an if or a switch. */
enum statement_kind { STATEMENT_PLAIN, STATEMENT_CONTROL, STATEMENT_LOOP };
struct statement {
  enum statement_kind kind;
  struct spot begin;      /* the statement or declaration */
  struct spot expression; /* the full expression: in a head, what is between its brackets and semicolons; else the same as `begin` */
};

/* Reads the file. On error nothing is left. */
[[nodiscard]] enum err task_source_read(struct task_source *s, const char *path, struct diag *d);
void task_source_release(struct task_source *s);

/* The offset of a place in the file; false: it is in another file. `word`: what must begin there, where a line is said to be in several
 * parts of the file; NULL: anything. */
bool task_source_find(const struct task_source *s, const struct place *place, const char *word, size_t *offset);
/* The innermost statement that what is at the offset belongs to. */
struct statement task_source_statement(const struct task_source *s, size_t offset);
/* The brackets around the arguments of the call that begins at the offset with the function's name. False: there is no such call, as where
 * a macro makes it. */
bool task_source_call(const struct task_source *s, size_t offset, struct spot *open, struct spot *close);
/* Where the offset is. */
struct spot task_source_spot(const struct task_source *s, size_t offset);
