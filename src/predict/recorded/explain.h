/* Why two places of a program are no race in a recorded run: what the maximal analysis (maximal.h) says of their pairs of events, and for
 * one that is none the core of what keeps it apart (core.h), in terms of the run. */
#pragma once
#include "predict/recorded/core.h"
#include "predict/recorded/reading.h"
#include "trace/recorded.h"

/* A line: the end of a file's path, and the number; without a file (NULL) a place of a text that names none. */
struct explain_line {
  const char *file;
  uint32_t length; /* of `file`; it need not end there */
  uint32_t line;   /* 0: the file's name is all */
};

enum explain_verdict {
  EXPLAIN_RACE,      /* a witness shows it */
  EXPLAIN_NO_RACE,   /* no pair is one; `facts` say why the first one is none */
  EXPLAIN_UNDECIDED, /* of some pair that is not known, or was not asked; of none that it is one */
  EXPLAIN_NOTHING,   /* a line has no access */
  EXPLAIN_APART,     /* the lines never touch the same memory in one window */
  EXPLAIN_ELSEWHERE, /* ... nor anywhere in the run */
  EXPLAIN_ONE_THREAD,
  EXPLAIN_READS,  /* they do, but nobody writes */
  EXPLAIN_ATOMICS /* all of it is atomic */
};

/* Part of a core. Numbers of `events` of the explanation; RECORDED_NONE: none, or before the window. */
struct explain_fact {
  enum core_kind kind;
  uint32_t lock;        /* SECTION, TRY: number of the lock, from 1 on */
  uint32_t child;       /* FORK, JOIN: the other thread */
  uint32_t first, last; /* as in struct core_element; REUSE: the free of the one block, and the allocation of the other one */
  uint32_t from;        /* READ: the write that it returns the value of; WAIT: a notification that can have ended it */
  uint32_t by;          /* READ: what its thread does because of the value: a branch, or a write whose value another fact is about;
                         * REUSE: its first event behind the moment from which on it has pointers to both blocks */
};

struct explanation {
  enum explain_verdict verdict;
  uint64_t accesses[2];           /* of the lines */
  uint64_t pairs, asked;          /* that conflict in one window, each once for each window; asked about */
  uint64_t no, undecided;         /* of those */
  bool cut;                       /* there may be more pairs: not all were looked at */
  const char *limit;              /* why the first one is undecided, if that is known; else the budget */
  uint64_t from;                  /* the window of what follows: events of the run before it */
  uint32_t first, second;         /* the pair */
  bool least;                     /* no fact can be left out */
  VEC(struct explain_fact) facts; /* EXPLAIN_NO_RACE */
  VEC(struct recorded_step) events;
  uint32_t step, steps; /* EXPLAIN_RACE: the witness, among `events` */
  const char *claimed;  /* EXPLAIN_RACE: why that is no proof (maximal_finding.claimed); NULL: it is one */
};

struct explain_options {
  struct explain_line lines[2];
  uint32_t window; /* events; 0: MAXIMAL_WINDOW */
  uint64_t budget; /* effort of the order engine for one question; 0: MAXIMAL_BUDGET */
};

/* `x`: zeroed. ERR_NONE, or what the stream says. */
enum err explain_run(const struct explain_options *options, struct recorded_stream *s, struct explanation *x);
void explanation_release(struct explanation *x);
