/* Is there an order of events, of a recorded run or of the machine's execution, that a property calls an error? The property's cases
 * (property.h) become questions for the causal model.
 *
 * Source: the patent's "Property Encoding": parameters are bound to the values that events have, each event of the pattern ranges over
 * those of the run, and each choice is one question. Choices that program order, threads, regions or parameters rule out are not asked; nor
 * are those of places that were found already, or asked for in vain PATTERN_TRIES times (these are counted). */
#pragma once
#include "causal/causal.h"
#include "property/property.h"

enum { PATTERN_TRIES = 16 };

/* An event of a property that happened: a step of the causal model's trace that stands for the moment. */
struct pattern_point {
  bool past;        /* it happened before the window that the model is of: it has no step */
  uint32_t event;   /* its position in the trace */
  uint32_t next;    /* position of the thread's next event that is no point; UINT32_MAX: none */
  uint64_t address; /* of an access: its memory, and which of the blocks that were there one after the other; 0 otherwise */
  uint64_t block;
  uint32_t thread; /* any number, the same for the same thread */
  uint32_t site;
  uint8_t what;   /* event of the property */
  bool exact;     /* its values are what the thread computed, so all its earlier reads keep theirs */
  uint32_t given; /* bit set of parameters that have a value */
  uint64_t values[PROPERTY_PARAMETERS];
};

/* A match that can be: `points` of the case's atoms in their order, UINT32_MAX: it did not happen (an end with `?`). */
struct pattern_match {
  const struct property *property;
  const struct property_case *which;
  uint32_t points[PROPERTY_ATOMS];
  uint64_t values[PROPERTY_PARAMETERS];
  uint32_t bound; /* bit set of parameters that have a value */
};

struct pattern_counts {
  uint64_t choices, questions, yes, unknown, left_out;
  uint64_t looks; /* at points */
};

struct pattern_search {
  const struct property *property;
  const struct pattern_point *points; /* in the order of the run: those of the past first */
  uint32_t n;
  bool all;       /* every choice is asked for, whatever its places */
  bool shown;     /* the witness has to show that an absence's event, of which the run has to have one (`had`), happens behind the match */
  uint64_t looks; /* at points, at most; 0: any number. Beyond that the search ends, and something counts as left out */
  /* Asks the causal model for the order. */
  enum causal_answer (*ask)(void *data, const struct causal_arrangement *order);
  /* The answer was yes; the model's witness shows the match. Returns whether that is a finding: these places are not asked about again. */
  bool (*found)(void *data, const struct pattern_match *m);
  /* Is the search to end? Asked before each question. May be NULL. */
  bool (*is_over)(void *data);
  /* The model does not know about this match: of the same places the first one, unless `all`. May be NULL. */
  void (*undecided)(void *data, const struct pattern_match *m);
  void *data;
};

/* What was found, or asked for in vain, by places; the same for all windows of a run. */
struct pattern_memory;
[[nodiscard]] struct pattern_memory *pattern_memory_new(void);
void pattern_memory_free(struct pattern_memory *m);

void pattern_find(struct pattern_memory *memory, const struct pattern_search *s, struct pattern_counts *counts);
