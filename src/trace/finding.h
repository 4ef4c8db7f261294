/* Findings: what every analysis of Heddle reports. The kinds' names are stable: they are JSON. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"
#include "trace/event.h"

#define FINDING_LIST(X)                           \
  X(ASSERTION, "assertion")                       \
  X(ABORT, "abort")                               \
  X(UNCAUGHT_EXCEPTION, "uncaught-exception")     \
  X(DATA_RACE, "data-race")                       \
  X(DEADLOCK, "deadlock")                         \
  X(LOST_WAKEUP, "lost-wakeup")                   \
  X(USE_AFTER_FREE, "use-after-free")             \
  X(OUT_OF_BOUNDS, "out-of-bounds")               \
  X(DOUBLE_FREE, "double-free")                   \
  X(BAD_FREE, "bad-free")                         \
  X(ALLOCATION_MISUSE, "allocation-misuse")       \
  X(LEAK, "leak")                                 \
  X(UNINITIALISED, "uninitialised")               \
  X(NULL_DEREFERENCE, "null-dereference")         \
  X(DIVISION_BY_ZERO, "division-by-zero")         \
  X(OVERFLOW, "overflow")                         \
  X(THREAD_MISUSE, "thread-misuse")               \
  X(LIVELOCK, "livelock")                         \
  X(EXIT_CODE, "exit-code")                       \
  X(UNREACHED_GOAL, "unreached-goal")             \
  X(ORDER_VIOLATION, "order-violation")           \
  X(ATOMICITY_VIOLATION, "atomicity-violation")   \
  X(PROPERTY, "property")                         \
  X(NOT_LINEARIZABLE, "not-linearizable")         \
  X(NOT_OBSTRUCTION_FREE, "not-obstruction-free") \
  X(NOT_LOCK_FREE, "not-lock-free")               \
  X(NOT_WAIT_FREE, "not-wait-free")

enum finding_kind {
#define X(name, text) FINDING_##name,
  FINDING_LIST(X)
#undef X
      FINDING_COUNT
};

const char *finding_kind_text(enum finding_kind kind);

/* One place that takes part in a finding. */
struct finding_site {
  uint32_t thread; /* tid */
  uint32_t site;   /* index into the image's sites */
  uint32_t event;  /* index into the execution's trace of the event, or UINT32_MAX */
  char role[24];   /* "read", "write", "holds", "waits for", "allocated", "freed", ... */
};

struct finding {
  enum finding_kind kind;
  struct text message;            /* one sentence without addresses, the same in every run */
  VEC(struct finding_site) sites; /* the ones that matter most first; [0] and [1] are the pair that findings are merged by */
  bool confirmed;                 /* an execution showed it */
};

void finding_release(struct finding *f);
/* Key by which findings are merged: kind and the unordered pair of the first two sites. */
uint64_t finding_key(const struct finding *f);
