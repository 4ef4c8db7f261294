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
 * A line is empty or begins with one of these words; # begins a comment. A point stands for one value of a parameter (change(x)), or for
 * the whole object (destroy), wherever it is named. Two points meet if they are of the same object and their values are equal, where both
 * have one. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPEC_ACTIONS = 1024, SPEC_OBJECTS = 64, SPEC_POINTS = 16, SPEC_TOUCHES = 4, SPEC_PARAMETERS = 6, SPEC_NAME = 255, SPEC_ERROR = 512 };

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
};

struct spec {
  struct spec_object objects[SPEC_OBJECTS];
  struct spec_action actions[SPEC_ACTIONS];
  uint16_t nobjects, nactions;
};

/* Adds what the text says, which is kept: it must last, and end with a 0. False, with "FILE:LINE:COLUMN: what is wrong" in error[], if
 * something in it is wrong; *spec is not to be used then. */
bool spec_read(struct spec *spec, const char *text, const char *file, char error[SPEC_ERROR]);
/* The action of that name, or NULL. */
const struct spec_action *spec_find(const struct spec *spec, const char *name, size_t length);

static inline enum spec_relation spec_relation(const struct spec_object *o, unsigned p, unsigned q) {
  return (enum spec_relation)o->relations[p][q];
}
static inline bool spec_orders(const struct spec_object *o, unsigned p, unsigned q) {
  return o->relations[p][q] == SPEC_CONFLICT || o->relations[p][q] == SPEC_DEPENDS;
}
