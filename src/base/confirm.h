/* What `heddle run --confirm` and the runtimes of the processes that it starts tell each other: a file that all of them map.
 *
 * The first run of the program writes down what it predicts (struct confirm_plan): which event should come first in another run, which one
 * second, where a thread is to be held so that they do, and the report, which is held back. Then the program is run again, with one plan
 * that is `active`, and the runtime says what came of it. All is in memory that the processes share, so nothing is lost when one of them is
 * killed. Every field has one writer at a time; those that others read meanwhile are accessed atomically. */
#pragma once
#include <stdint.h>

enum { CONFIRM_VERSION = 1, CONFIRM_PLANS = 64, CONFIRM_PLACES = 6, CONFIRM_PATH = 256, CONFIRM_TEXT = 16 << 20, CONFIRM_HOLES = 3 };

/* X(name, what a repeated run has shown) */
#define CONFIRM_KINDS(X)                                                                                                         \
  X(RACE, "one thread was held at its access until another one had come to its own, of the same memory: nothing orders the two") \
  X(END, "the %s came first, and another thread came to its %s of the same %s after it")                                         \
  X(LOST, "the %s came while the other thread was held back before its %s, which had not ended %s")                              \
  X(CYCLE, "the threads were held until each had one of the locks; then they deadlocked")                                        \
  X(NONE, "")
enum confirm_kind {
#define X(name, shown) CONFIRM_##name,
  CONFIRM_KINDS(X)
#undef X
};

/* Where in the program something happens. */
struct confirm_place {
  uint64_t offset; /* of the return address, in the module */
  uint64_t stack;  /* a hash of the calls that lead there */
  uint32_t kind;   /* the runtime's (enum site_kind) */
  char module[CONFIRM_PATH];
};

/* Of a pair: the event that came first in the first run and is to come second, the other one, and where the former's thread is held: before
 * the first lock that excludes the two, or before its outermost lock; if there is no such lock, at the event itself. Of a cycle: where each
 * thread asks for the lock that the next one has. */
enum { CONFIRM_FIRST, CONFIRM_SECOND, CONFIRM_HELD, CONFIRM_OUTER };

struct confirm_plan {
  uint32_t ready; /* everything below is written */
  uint32_t kind;  /* NONE: it cannot be tried, */
  char why[64];   /* for this reason */
  uint32_t nplaces;
  struct confirm_place places[CONFIRM_PLACES];
  char words[2][48];             /* what the events of a pair are called: the first, the second */
  uint32_t json;                 /* how the report is written */
  uint32_t text, size;           /* where in confirm_file.text */
  uint32_t holes[CONFIRM_HOLES]; /* in the report: where it says that it is confirmed, how, and that again */
  char log[CONFIRM_PATH];        /* the file of reports; "": `descriptor` */
  int32_t descriptor;
  /* What came of it, in all repeated runs. */
  uint32_t tried, holds, confirmed;
  uint32_t directed;                /* it was tried where `seen` says */
  uint32_t cut;                     /* how often the run took too long */
  uint32_t seen_thread, seen_count; /* the second event came upon memory where that thread's first event had been, when it was at the place
                                       where it is held for the so manieth time; 0: that was not seen */
  uint64_t waits;                   /* LOST: the wait goes on since then (milliseconds of CLOCK_MONOTONIC); 0: there is none */
};

struct confirm_file {
  uint32_t version;
  uint32_t tries;                  /* 0: the first run, which makes plans */
  uint32_t active;                 /* the plan that is tried, */
  uint32_t attempt;                /* and how often it was before */
  uint32_t hold_ms, first_hold_ms; /* for how long a thread is held; the first one of a run */
  uint32_t input;                  /* the first run has read standard input */
  uint32_t nplans, dropped;
  uint32_t used; /* bytes of `text` */
  struct confirm_plan plans[CONFIRM_PLANS];
  char text[CONFIRM_TEXT];
};
