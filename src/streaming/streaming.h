/* Streaming analyses of recorded runs (trace/recorded.h): events go in, in the order of the run, and findings come out.
 *
 *     struct streaming *s = streaming_new(streaming_type("hb"));
 *     streaming_feed(s, events, n);      as often as there are more
 *     streaming_end(s);
 *     for (i < s->findings.count) ...
 *     streaming_free(s);
 *
 * Each analysis is a partial order on the events of the run. Two accesses that conflict and that the order leaves open are a finding:
 *
 *   hb    happens-before (Flanagan, Freund: "FastTrack", PLDI 2009), with C11's atomics
 *   wcp   weak-causally-precedes (Kini, Mathur, Viswanathan: "Dynamic race prediction in linear time", PLDI 2017)
 *   wdc   weak-doesn't-commute (OVPredict, section 2.2), and what was read (docs/native.md)
 *   edc   extended doesn't-commute, with order violations (OVPredict, section 3.4): what `heddle run --analysis=ovp` does
 *   sp    sync-preserving races (Mathur, Pavlogiannis, Viswanathan: "Optimal prediction of synchronization-preserving races", POPL 2021)
 *
 * docs/prediction.md has their definitions. tests/unit/streaming computes each by its definition and compares.
 *
 * 1. Memory is bounded by threads, locks and live variables, never by the number of events. Where a definition asks for more (the ends of
 *    all sections of a lock, all accesses of a variable), the oldest are joined: more is ordered than must be, so less is found, and
 *    nothing that is not there. `coarse` counts how often that was used.
 * 2. An access that has a finding by the definition has one here, with some earlier access; of accesses that a later one covers, that later
 *    one stands for all.
 * 3. Each pair of sites is told once for each kind. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/vec.h"
#include "trace/event.h"
#include "trace/finding.h"

struct recorded_stream;

/* Is some reordering of the run known to show it? CONDITIONAL: if no thread notices that memory is given out before it was freed. */
enum streaming_proof { PROOF_NONE, PROOF_CONDITIONAL, PROOF_WHOLE };

struct streaming_event {
  uint32_t thread, index, site;
  uint8_t op; /* enum event_op */
};

struct streaming_finding {
  enum finding_kind kind;
  struct streaming_event first, second; /* in the order of the run */
  uint64_t object;                      /* the first byte that both touch, or the condition variable */
  const char *why;                      /* one sentence; lives as long as the program */
  enum streaming_proof proof;
};

struct streaming;

/* An analysis. */
struct streaming_type {
  const char *name, *text;
  struct streaming *(*new)(void);
  void (*feed)(struct streaming *s, const struct event *events, size_t n);
  void (*end)(struct streaming *s);
  void (*free)(struct streaming *s);
};

/* What all have; an analysis's own state follows it. */
struct streaming {
  const struct streaming_type *type;
  VEC(struct streaming_finding) findings;
  uint64_t events;     /* that were fed */
  uint64_t found;      /* findings, those of known pairs of sites included */
  uint64_t coarse;     /* see 1. */
  struct hashmap told; /* pairs of sites, and kinds */
};

/* The table of analyses, weakest order last. */
const struct streaming_type *const *streaming_types(size_t *n);
/* By its name, or NULL. */
const struct streaming_type *streaming_type(const char *name);

[[nodiscard]] struct streaming *streaming_new(const struct streaming_type *type);
/* The next events of the run. */
void streaming_feed(struct streaming *s, const struct event *events, size_t n);
/* There are no more: what only the end of the run decides is found now. */
void streaming_end(struct streaming *s);
void streaming_free(struct streaming *s);

/* Feeds a whole stream to `n` analyses, and ends them. After an error they have what came before it. */
enum err streaming_run(struct streaming **all, size_t n, struct recorded_stream *from);
