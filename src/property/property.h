/* Properties that users write (heddle-property(5)): which events, in which order, are an error of a program.
 *
 *   property invalid_iterator(list, i) {
 *     event create after call iter_new(list) returns i
 *     event update after call list_add(list, *) | list_remove(list, *)
 *     event next   before call iter_next(i)
 *     pattern create next* update+ next
 *   }
 *
 * Source: Huang, Luo, Rosu, "GPredict: generic predictive concurrency analysis" (the patent, FIG. 9 and "Property Encoding"). Patterns are
 * about orders of events, and other events may come in between. So what may occur any number of times (`*`, `?`) need not occur, and of
 * what occurs at least once (`+`) one is enough. A pattern is kept as *cases*: the pattern is matched if one of its cases is.
 *
 * A case is matched by an order of some of a run's events if there are values of the parameters, threads for the names of threads
 * (different ones for different names), and for each of its atoms an event, so that
 *
 *   - the events of `before` come before the atom's;
 *   - atoms of `parallel` are at one moment: each thread stands at its event, and has not gone on;
 *   - the end of a region is the one that belongs to the event that began it, in its thread;
 *   - an atom with `maybe` (a region's end with `?`) need not happen, but has not happened before the events of its `before`;
 *   - of an *absence* no event happens behind those of `since` and before its atom's.
 *
 * We differ from the paper in `!`: `!(a b)` is there matched by any two events of which b's comes first; here by an event of b before which
 * no event of a was, in a run that has one. If there is one event of each, that is the same; if an object is opened twice, it would be a
 * false alarm. And `a !b c` is ours: a, then c, and no b in between. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"

enum {
  PROPERTY_PARAMETERS = 8,
  PROPERTY_ARGUMENTS = 8,
  PROPERTY_THREADS = 8,
  PROPERTY_REGIONS = 8,
  PROPERTY_ATOMS = 12,   /* of one case */
  PROPERTY_ABSENCES = 4, /* of one case */
  PROPERTY_CASES = 256,  /* of one pattern */
  PROPERTY_EVENTS = 64,  /* of one property */
  PROPERTY_NESTING = 64, /* parentheses */
  PROPERTY_NAME = 255,
};

/* A part of the text, which must last. */
struct property_text {
  const char *at;
  uint32_t length;
  uint32_t line, column; /* from 1 on */
};

/* What an argument, a result, an object or a value has to be. */
enum property_value_kind { PROPERTY_ANY, PROPERTY_PARAMETER, PROPERTY_NUMBER };
struct property_value {
  uint8_t kind; /* enum property_value_kind */
  uint8_t parameter;
  uint64_t number;
};

enum property_what {
  PROPERTY_CALL,        /* name: a function. arguments; with `after`, result */
  PROPERTY_READ,        /* name: a global variable, TYPE.FIELD, or * for all shared memory. object: the address of the variable, or of the
                           structure that has the field; value: what is read */
  PROPERTY_WRITE,       /* the same */
  PROPERTY_DEREFERENCE, /* a pointer that was read from such memory is used as an address. The same, value: the pointer */
  PROPERTY_ACQUIRE,     /* object: the lock */
  PROPERTY_RELEASE,     /* the same */
  PROPERTY_MARK,        /* name: of an HD_EVENT in the source. arguments */
};

/* One of the things by which an event happens. */
struct property_source {
  uint8_t what; /* enum property_what */
  bool after;   /* it happens when that is over; else before it begins */
  bool more;    /* there may be further arguments */
  uint8_t narguments;
  struct property_text name;
  struct property_value arguments[PROPERTY_ARGUMENTS];
  struct property_value result, object, value;
};

struct property_event {
  struct property_text name;
  uint32_t first, count; /* sources: any of them */
  uint32_t parameters;   /* bit set: which all of its sources give */
  uint32_t any;          /* bit set: which some of them give */
};

enum { PROPERTY_NONE = -1 };

struct property_atom {
  uint8_t event;
  int8_t thread;           /* which name of a thread, or PROPERTY_NONE */
  int8_t begins, ends;     /* which region, or PROPERTY_NONE */
  bool maybe;              /* see above */
  uint16_t before;         /* bit set of atoms */
  uint16_t parallel;       /* likewise; symmetric */
  struct property_text at; /* in the pattern */
};

/* No such event happens behind all of `since` and before the one of `atom`.
 * `had`: but the run has one. */
struct property_absence {
  uint8_t event;
  int8_t thread;
  uint8_t atom;
  bool had;
  uint16_t since; /* bit set of atoms */
};

struct property_case {
  uint8_t natoms, nabsences;
  struct property_atom atoms[PROPERTY_ATOMS];
  struct property_absence absences[PROPERTY_ABSENCES];
};

struct property {
  struct property_text name;
  uint8_t nparameters, nthreads, nregions;
  struct property_text parameters[PROPERTY_PARAMETERS];
  VEC(struct property_event) events;
  VEC(struct property_source) sources;
  VEC(struct property_case) cases;
};

/* The properties of some files. */
struct properties {
  VEC(struct property) list;
};

/* Adds what the text says, which must last and end with a 0; `file` is for messages, "FILE:LINE:COLUMN: ...". After an error *p is as it
 * was before. */
[[nodiscard]] enum err properties_read(struct properties *p, const char *text, const char *file, struct diag *d);
void properties_release(struct properties *p);
/* Appends the names of functions whose calls are events, one a line, each once. */
void properties_calls(const struct properties *p, struct text *out);
/* The first source of one of these kinds; NULL: there is none. */
const struct property_source *property_source_of(const struct property *p, enum property_what first, enum property_what last);
/* An end of a region of which the event alone does not tell which beginnings it may belong to: it does not give all parameters that the
 * beginning gives, or the beginning gives some of them not always. NULL: there is none. */
const struct property_atom *property_unclear_region(const struct property *p);
/* Appends what is said of it once it is violated. */
void property_violated_text(const struct property *p, struct text *out);
/* The property of that name, or NULL. */
const struct property *properties_find(const struct properties *p, const char *name);
