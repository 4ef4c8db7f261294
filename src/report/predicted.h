/* What analyses of recorded runs found, for people and tools. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"
#include "trace/finding.h"

struct recorded_names;
struct style;
struct suppressions;

/* PROVEN: some program can do it whenever it can do the run, and the witness says how. CLAIMED: the analysis says so, and may be wrong.
 * UNDECIDED: nobody knows. */
enum predicted_status { PREDICTED_PROVEN, PREDICTED_CLAIMED, PREDICTED_UNDECIDED };

struct predicted_event {
  uint32_t thread, index, site;
  uint8_t op, flags;
  uint64_t object;
  const char *role; /* "write", "takes the lock", or a property's name for it; not owned */
  uint32_t role_length;
  uint32_t of; /* of a lock that is held: by which of the finding's events */
};

/* Whether a run showed it. */
enum predicted_shown { PREDICTED_UNTRIED, PREDICTED_CONFIRMED, PREDICTED_UNCONFIRMED };

struct predicted {
  const char *analysis, *kind; /* not owned */
  enum finding_kind finding;
  uint32_t kind_length;
  enum predicted_status status;
  bool conditional;                    /* CLAIMED: proven, if no thread notices that memory is given out before it was freed */
  const char *why;                     /* one sentence, or NULL; not owned */
  uint64_t from;                       /* the witness: the run's first `from` events, */
  bool has_witness;                    /* then the steps */
  uint32_t event, events, step, steps; /* of struct predicted_report */
  uint32_t locks, lock;                /* likewise: locks that the events' threads hold then, where they took them */
  bool knows_locks;                    /* these are all that there are */
  struct text file;                    /* the witness's; or empty */
  enum predicted_shown shown;
  struct text how; /* what was seen, or why not; UNTRIED: why there is no file, or empty */
};

/* Zeroed is empty. */
struct predicted_report {
  VEC(struct predicted) findings;
  VEC(struct predicted_event) events;
  struct text counts;  /* lines for people; notes in JSON */
  const char *verdict; /* BUG, SAFE, BOUNDED: as `heddle check` has it */
  uint64_t most_steps; /* places of each witness that are shown; 0: all */
};

/* "read", "write", "locks", ...; never NULL. */
const char *predicted_role(uint8_t op);
void predicted_text(const struct predicted_report *r, const struct recorded_names *names, const struct style *style, struct text *out);
void predicted_json(const struct predicted_report *r, const struct recorded_names *names, const struct suppressions *suppressions,
                    struct text *out);
/* Appends one event as an object. */
void predicted_event_json(const struct predicted_event *e, const struct recorded_names *names, struct text *out);
void predicted_release(struct predicted_report *r);
