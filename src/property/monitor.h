/* Properties watched while a program runs: after each event of theirs it is known whether a pattern has been matched (property.h).
 *
 * A *state* is the set of all partial matches: for each case of a pattern, which atoms have been matched, by which threads, with which
 * values of the parameters, and which events have come that may be absences once more values are known. It is all that what follows depends
 * on, and states are equal if the sets are, whatever order led there. A state is known by a number, a hash of its content, so it can lie in
 * a word of the program's memory, and means the same in other processes. 0 is the state in which nothing has happened.
 *
 * An absence with `had` asks for such an event behind the match, in the same execution. */
#pragma once
#include "property/property.h"

/* Something happens that properties may name. */
struct monitor_event {
  uint8_t what; /* enum property_what; no accesses */
  bool after;
  uint32_t thread;  /* below 256 */
  const char *name; /* of a function or mark; ends in a zero */
  uint32_t n;       /* arguments: a lock is the only one. Those beyond PROPERTY_ARGUMENTS are not given */
  uint64_t arguments[PROPERTY_ARGUMENTS];
  bool has_result;
  uint64_t result;
};

struct monitor;

/* `p` must last. */
[[nodiscard]] struct monitor *monitor_new(const struct properties *p);
void monitor_free(struct monitor *m);

/* Is it that event of the property? Then with these values of its parameters. */
struct monitor_values {
  uint32_t given; /* bit set of parameters that have one */
  uint64_t values[PROPERTY_PARAMETERS];
};
bool monitor_gives(const struct property *p, uint8_t what, const struct monitor_event *e, struct monitor_values *out);
/* Is it an event of a property at all? If not, monitor_next() changes nothing. */
bool monitor_concerns(const struct monitor *m, const struct monitor_event *e);
/* Does it matter how long the thread stands there (`||`)? Then monitor_leaves() is to be called before the thread goes on. */
bool monitor_stands(const struct monitor *m, const struct monitor_event *e);

enum { MONITOR_LOST = 1 }; /* a state's number: there are more partial matches than can be kept */
/* The state behind the event. *violated (may be NULL): the property whose pattern is matched with it, or NULL. A state that this monitor
 * has not been in is as good as MONITOR_LOST. */
uint64_t monitor_next(struct monitor *m, uint64_t state, const struct monitor_event *e, const struct property **violated);
/* The state when the thread goes on from where it stood. */
uint64_t monitor_leaves(struct monitor *m, uint64_t state, uint32_t thread);

/* Of events, in their order, the last of which violates a property: which of them make the match, in the order of the pattern's atoms
 * (indices; how many), with their names. An event whose `what` is MONITOR_LEAVES is the thread's going on. */
enum { MONITOR_LEAVES = 255 };
struct monitor_part {
  uint32_t event;
  struct property_text name;
};
uint32_t monitor_explain(const struct monitor *m, const struct monitor_event *events, uint32_t n,
                         struct monitor_part parts[PROPERTY_ATOMS]);
