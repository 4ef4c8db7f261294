/* A program that is being written, and what statements can be put into it. A new kind of statement is a row of a family's table; a new
 * family is a file, a row of GENERATE_LIST and one of `families` in wide.c. */
#pragma once
#include "generate.h"

#define PALETTE_MOST 3u

struct generator {
  uint64_t state;
  struct text *out;     /* the function that is being written */
  struct text *helpers; /* functions that it calls */
  unsigned index;       /* of the program */
  unsigned thread;      /* 0: main */
  unsigned threads, depth;
  unsigned names;    /* that were made up so far */
  uint32_t flavour;  /* a random number of the program: statements that need each other choose the same way by it */
  bool stores;       /* most of them are stores that may be buffered, and loads */
  bool loops;        /* some of them are loops, most of which may go on for ever */
  bool polling;      /* most of the program's statements are loops over several locations and what they wait for */
  unsigned families; /* of the program; 0: a classic one */
  enum generate_family palette[PALETTE_MOST];
};

/* One way to write a statement: a text or a function. A statement may use and change `int r`, notes what it saw by LOG(), and ends without
 * a newline. In a text `@` stands for a few statements, `#` for a small number, `$` for a value that another thread may change. */
struct statement_kind {
  unsigned weight; /* how often it is drawn, beside its family's other kinds */
  const char *text;
  void (*put)(struct generator *g);
  bool nests; /* `put` has statements in it: not drawn within others, as texts with `@` are not */
};

struct statement_family {
  const char *declarations; /* what its statements need, in C */
  const char *begin;        /* what main does before there are threads; may be NULL */
  const struct statement_kind *kinds;
  unsigned count;
};
extern const struct statement_family family_lifetimes, family_objects, family_setjmp, family_uninitialised, family_heap, family_values,
    family_threads, family_cancellation, family_keys, family_waits, family_signals, family_pipes, family_spinning, family_exceptions,
    family_interrupts;

uint32_t below(struct generator *g, uint32_t n);
/* One of the program's statements; a few of them. */
void put_statement(struct generator *g);
void put_statements(struct generator *g, unsigned most);
void put_text(struct generator *g, const char *text);
/* In between these, `g->out` is a function that is called here, by which `r` and the log go on; it may have locals, and ends. */
struct helper {
  struct text *caller, text;
  unsigned name;
};
void helper_begin(struct generator *g, struct helper *x);
void helper_end(struct generator *g, struct helper *x);

/* What all programs of a file share, in C++. */
extern const char cxx_declarations[];
/* The classic programs. */
extern const char classic_declarations[];
void classic_statement(struct generator *g);
void classic_program(struct generator *g);
/* Programs of families, and what all of them share. */
void wide_declarations(struct text *out);
void wide_program(struct generator *g);
