/* The events of a property in a recorded run (property.h): where each happens, and which values it has. Each becomes an event of its own, a
 * RECORDED_POINT before or behind what it is made of, so that an analysis can ask when it happens without asking what for. */
#pragma once
#include "base/err.h"
#include "base/vec.h"
#include "property/property.h"
#include "trace/recorded.h"

/* Of the POINT with the same number. */
struct property_point {
  uint32_t position; /* among `events` of struct property_points */
  uint8_t what;      /* event of the property */
  bool exact;        /* its values are what the thread computed or read */
  uint32_t given;    /* bit set of parameters that have a value */
  uint64_t values[PROPERTY_PARAMETERS];
};

/* A call that is not over. */
struct property_call {
  uint64_t method;
  uint32_t n; /* arguments; those beyond PROPERTY_ARGUMENTS are not kept */
  uint64_t arguments[PROPERTY_ARGUMENTS];
};
/* The calls that are under way; zeroed: none. */
struct property_calls {
  VEC(struct property_thread) threads;
  struct property_thread {
    VEC(struct property_call) open;
    bool begins; /* arguments may follow */
  } unused;
};
void property_calls_take(struct property_calls *c, const struct event *e);
void property_calls_release(struct property_calls *c);

/* Zeroed is empty. */
struct property_points {
  VEC(struct event) events;          /* those of the run, with the points between them; `index` is counted anew */
  VEC(uint32_t) origin;              /* of each, the event of the run, or for a point the one that it stands before or behind */
  VEC(struct property_point) points; /* the k-th has the value k */
};

/* Of a part of a run; `before`: the calls that are under way when it begins. An error if the property names something that the run does not
 * know: "NAME:LINE:COLUMN: ...", of the file `name`. */
[[nodiscard]] enum err property_points_find(struct property_points *out, const struct property *p, const char *name,
                                            const struct property_calls *before, const struct event *events, size_t n,
                                            const struct recorded_names *names, struct diag *d);
void property_points_release(struct property_points *p);
