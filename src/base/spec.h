/* Commutativity specifications of library methods, as access points (OVPredict, section 2.3): what an action, a call of a method, touches
 * of its object, and which of these points conflict. It is a part of the tool and of the runtime, so it allocates nothing and uses no other
 * part of either.
 *
 *   object set
 *     action set_init(s) on new s
 *     action set_add(s, x) on s: change(x)
 *     action set_contains(s, x) on s: look(x)
 *     action set_destroy(s) on s: destroy
 *     conflict change change          # do not commute, and may not be simultaneous
 *     conflict change look
 *     ends destroy change, look       # whatever is destroyed is not used any more
 *
 *   object map = arg 0 of map_put, map_get
 *     state map_value(m)              # a pure function of the program, whose result stands for all that the object is
 *     commute map_put(m, k1, v1) -> r1, map_put(m, k2, v2) -> r2 if k1 != k2
 *     commute map_get(m, k1), map_get(m, k2)
 *
 * The second kind are commutativity formulas (NCMC, sections 4.3.3 and 4.3.4: logic L1; without states, L2): of two invocations on one
 * object, with their arguments, results and the object's states before them, whether they commute.
 *
 * A line is empty or begins with one of these words; # begins a comment. A point stands for one value of a parameter (change(x)), or for
 * the whole object (destroy), wherever it is named. Two points meet if they are of the same object and their values are equal, where both
 * have one. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPEC_ACTIONS = 1024, SPEC_OBJECTS = 64, SPEC_POINTS = 16, SPEC_TOUCHES = 4, SPEC_PARAMETERS = 6, SPEC_NAME = 255, SPEC_ERROR = 512 };
/* Of formulas. SPEC_DEPTH: of what is nested in one. */
enum { SPEC_METHODS = 1024, SPEC_PAIRS = 512, SPEC_NODES = 4096, SPEC_FUNCTIONS = 64, SPEC_DEPTH = 64, SPEC_NOTHING = UINT16_MAX };

/* How two points of an object are related. */
enum spec_relation {
  SPEC_NONE,     /* they commute */
  SPEC_CONFLICT, /* they do not: they are ordered, and unordered ones are an error of the program */
  SPEC_DEPENDS,  /* they do not, but the methods see to it themselves that they can be simultaneous */
  SPEC_ENDS,     /* the first one ends what the second one uses; that orders nothing */
  SPEC_ENDED,    /* the other way round */
};

/* Part of the text of a specification, which must last. */
struct spec_name {
  const char *at;
  size_t length;
};

struct spec_touch {
  uint8_t point;
  int8_t value; /* parameter, or -1 */
};
struct spec_action {
  struct spec_name name;
  uint16_t object;
  uint8_t on;  /* the parameter that is the object */
  bool begins; /* the object is new: it touches SPEC_NEW */
  bool ends;   /* what came before is over */
  uint8_t ntouches;
  struct spec_touch touches[SPEC_TOUCHES];
};

/* A point that all objects have, of the actions that make new ones: every other one depends on it. */
enum { SPEC_NEW = 0 };
struct spec_object {
  struct spec_name name;
  uint8_t npoints;
  struct {
    struct spec_name name;
    bool valued;
    bool orders, ends; /* it has a relation of that kind; ends: it ends others */
  } points[SPEC_POINTS];
  uint8_t relations[SPEC_POINTS][SPEC_POINTS];
  uint16_t state; /* the function, or SPEC_NOTHING */
};

/* A function whose calls are invocations on an object: of an `action` line, or listed where its object begins. */
struct spec_method {
  struct spec_name name;
  uint16_t object, action; /* action: SPEC_NOTHING: it has no access points */
  uint8_t on;              /* the argument that points to the object, from 0 */
  unsigned line, column;   /* where it is first named */
};

/* A function of the program that formulas call, or that gives an object's state. */
struct spec_function {
  struct spec_name name;
  unsigned line, column;
};

/* Part of a formula. `a`, `b`: nodes; of an argument and of a result, `index` is the parameter; `of` is the invocation, 0 or 1. */
enum spec_op {
  SPEC_NUMBER,
  SPEC_ARGUMENT,
  SPEC_RESULT,
  SPEC_STATE,
  SPEC_CALL, /* index: of the function; a: the first SPEC_NEXT, or SPEC_NOTHING */
  SPEC_NEXT, /* a: an argument of a call; b: the next one */
  SPEC_NOT,
  SPEC_MINUS,
  SPEC_OR,
  SPEC_AND,
  SPEC_EQUAL,
  SPEC_UNEQUAL,
  SPEC_LESS,
  SPEC_LESS_EQUAL,
  SPEC_GREATER,
  SPEC_GREATER_EQUAL,
  SPEC_ADD,
  SPEC_SUBTRACT,
  SPEC_MULTIPLY,
  SPEC_DIVIDE,
  SPEC_MODULO
};
struct spec_node {
  uint8_t op, of;
  uint16_t index, a, b;
  int64_t number;
};

/* Invocations of two methods of one object: when do they commute? */
struct spec_pair {
  uint16_t methods[2]; /* the first one's argument and result are those `of` 0 */
  uint16_t formula;    /* a node, or SPEC_NOTHING: always */
  bool calls;          /* it calls functions of the program */
  unsigned line;
};

struct spec {
  struct spec_object objects[SPEC_OBJECTS];
  struct spec_action actions[SPEC_ACTIONS];
  struct spec_method methods[SPEC_METHODS];
  struct spec_function functions[SPEC_FUNCTIONS];
  struct spec_pair pairs[SPEC_PAIRS];
  struct spec_node nodes[SPEC_NODES];
  uint16_t nobjects, nactions, nmethods, nfunctions, npairs, nnodes;
};

/* Adds what the text says, which is kept: it must last, and end with a 0. False, with "FILE:LINE:COLUMN: what is wrong" in error[], if
 * something in it is wrong; *spec is not to be used then. */
bool spec_read(struct spec *spec, const char *text, const char *file, char error[SPEC_ERROR]);
/* The action of that name, or NULL. */
const struct spec_action *spec_find(const struct spec *spec, const char *name, size_t length);

/* The method of that name, or NULL. */
const struct spec_method *spec_method(const struct spec *spec, const char *name, size_t length);
/* The pair of these methods in either order (`*swapped`: the second one is first in it), or NULL: no line says when they commute. */
const struct spec_pair *spec_pair(const struct spec *spec, unsigned method, unsigned other, bool *swapped);

/* An invocation, as far as it is known. Integers of 32 bits and less are numbers with a sign, as C's int; pointers are addresses. */
struct spec_invocation {
  uint16_t method;
  uint8_t n;            /* arguments that are known */
  bool results, states; /* `result`, `state` are known */
  uint64_t object;
  int64_t arguments[SPEC_PARAMETERS];
  int64_t result, state; /* state: of the object, before the invocation */
};

/* Calls the function of that number. False: it has no result. */
struct spec_caller {
  bool (*call)(void *data, unsigned function, const int64_t *arguments, unsigned n, int64_t *result);
  void *data;
};

enum spec_answer {
  SPEC_DIFFER, /* they do not commute */
  SPEC_COMMUTE,
  SPEC_OPEN,      /* that depends on what is not known of them */
  SPEC_DIVIDES,   /* the formula divides by zero: counts as SPEC_DIFFER, as do the next two */
  SPEC_FAILS,     /* a function that it calls has no result */
  SPEC_ASYMMETRIC /* two of one method: it depends on which is said to be the first */
};
/* A text for people, static. */
const char *spec_answer_text(enum spec_answer answer);
/* Do they commute, by what the specification says: a formula; or, if no line names this pair of methods, their access points; without
 * these, they do not. Invocations on different objects do. `caller` may be NULL: calls then have no result. */
enum spec_answer spec_commute(const struct spec *spec, const struct spec_invocation *u, const struct spec_invocation *v,
                              const struct spec_caller *caller);
/* The pair's formula, of invocations of its methods in its order. */
enum spec_answer spec_holds(const struct spec *spec, const struct spec_pair *pair, const struct spec_invocation *first,
                            const struct spec_invocation *second, const struct spec_caller *caller);

static inline enum spec_relation spec_relation(const struct spec_object *o, unsigned p, unsigned q) {
  return (enum spec_relation)o->relations[p][q];
}
static inline bool spec_orders(const struct spec_object *o, unsigned p, unsigned q) {
  return o->relations[p][q] == SPEC_CONFLICT || o->relations[p][q] == SPEC_DEPENDS;
}
