#include "base/spec_reading.h"

static bool add_method(struct reading *r, struct spec_name n, unsigned on, unsigned action) {
  struct spec_method *known = (struct spec_method *)(uintptr_t)spec_method(r->spec, n.at, n.length);
  bool listed = known && known->action == SPEC_NOTHING && action != SPEC_NOTHING && known->on == on;
  if (listed && &r->spec->objects[known->object] == r->object) return known->action = (uint16_t)action, true;
  if (known) return wrong(r, n.at, "\"%.*s\" is a method already", SHOWN(n));
  if (r->spec->nmethods == SPEC_METHODS) return wrong(r, n.at, "there can be up to %d methods", SPEC_METHODS);
  r->spec->methods[r->spec->nmethods++] = (struct spec_method){.name = n,
                                                               .object = (uint16_t)(r->object - r->spec->objects),
                                                               .action = (uint16_t)action,
                                                               .on = (uint8_t)on,
                                                               .line = r->number,
                                                               .column = column_of(r, n.at)};
  return true;
}

/* arg 0 of map_put, map_get */
static bool read_methods(struct reading *r) {
  struct spec_name n;
  if (!must_be_word(r, "arg")) return false;
  skip(r);
  const char *at = r->at;
  if (*at < '0' || *at > '9') return expected(r, "the number of the argument that is the object");
  unsigned on = (unsigned)(*r->at++ - '0');
  if (on >= SPEC_PARAMETERS || is_name(*r->at)) return wrong(r, at, "the object is one of the first %d arguments, from 0", SPEC_PARAMETERS);
  if (!must_be_word(r, "of")) return false;
  do {
    if (!name(r, "a function's name", &n) || !add_method(r, n, on, SPEC_NOTHING)) return false;
  } while (comes(r, ','));
  return must_end(r, "\",\" or the end of the line");
}

static bool read_object(struct reading *r) {
  struct spec_name n;
  if (!name(r, "the object's name", &n)) return false;
  for (unsigned i = 0; i < r->spec->nobjects; i++)
    if (same_name(r->spec->objects[i].name, n)) return wrong(r, n.at, "object \"%.*s\" is specified already", SHOWN(n));
  if (r->spec->nobjects == SPEC_OBJECTS) return wrong(r, n.at, "there can be up to %d objects", SPEC_OBJECTS);
  r->object = &r->spec->objects[r->spec->nobjects++];
  *r->object = (struct spec_object){.name = n, .npoints = 1, .state = SPEC_NOTHING};
  r->object->points[SPEC_NEW].name = (struct spec_name){"new", 3};
  r->object->relations[SPEC_NEW][SPEC_NEW] = SPEC_DEPENDS;
  return comes(r, '=') ? read_methods(r) : must_end(r, "\"=\" or the end of the line");
}

static bool parameters(struct reading *r) {
  r->nparameters = 0;
  if (!must_come(r, '(', "\"(\" and the parameters")) return false;
  do {
    struct spec_name n;
    if (!name(r, "a parameter's name", &n)) return false;
    if (r->nparameters == SPEC_PARAMETERS)
      return wrong(r, n.at, "there can be up to %d parameters: those behind the last one that matters may be left out", SPEC_PARAMETERS);
    for (unsigned i = 0; i < r->nparameters; i++)
      if (same_name(r->parameters[i], n) && !is_word(n, "_")) return wrong(r, n.at, "parameter \"%.*s\" is there already", SHOWN(n));
    r->parameters[r->nparameters++] = n;
  } while (comes(r, ','));
  return must_come(r, ')', "\",\" or \")\"");
}

static bool parameter(struct reading *r, unsigned *out) {
  struct spec_name n;
  if (!name(r, "a parameter", &n)) return false;
  for (*out = 0; *out < r->nparameters; ++*out)
    if (same_name(r->parameters[*out], n) && !is_word(n, "_")) return true;
  return wrong(r, n.at, "there is no parameter \"%.*s\"", SHOWN(n));
}

static unsigned find_point(const struct spec_object *o, struct spec_name n) {
  unsigned i = 1;
  while (i < o->npoints && !same_name(o->points[i].name, n)) i++;
  return i;
}

static bool touch(struct reading *r, struct spec_action *a) {
  struct spec_object *o = r->object;
  struct spec_name n;
  unsigned value = 0;
  if (!name(r, "an access point", &n)) return false;
  bool valued = comes(r, '(');
  if (valued && (!parameter(r, &value) || !must_come(r, ')', "\")\""))) return false;
  if (is_word(n, "new")) return wrong(r, n.at, "\"new\" is no name of an access point");
  unsigned p = find_point(o, n);
  if (p == SPEC_POINTS) return wrong(r, n.at, "an object has up to %d access points", SPEC_POINTS - 1);
  if (p == o->npoints) {
    o->points[o->npoints].name = n, o->points[o->npoints++].valued = valued;
    o->relations[SPEC_NEW][p] = o->relations[p][SPEC_NEW] = SPEC_DEPENDS;
  }
  if (o->points[p].valued != valued)
    return wrong(r, n.at, "access point \"%.*s\" has %s elsewhere", SHOWN(n), valued ? "no value" : "a value");
  if (a->ntouches == SPEC_TOUCHES) return wrong(r, n.at, "an action touches up to %d access points", SPEC_TOUCHES);
  a->touches[a->ntouches++] = (struct spec_touch){(uint8_t)p, valued ? (int8_t)value : -1};
  return true;
}

static bool read_action(struct reading *r) {
  struct spec_name n;
  unsigned on;
  if (!name(r, "a function's name", &n)) return false;
  if (spec_find(r->spec, n.at, n.length)) return wrong(r, n.at, "action \"%.*s\" is specified already", SHOWN(n));
  if (r->spec->nactions == SPEC_ACTIONS) return wrong(r, n.at, "there can be up to %d actions", SPEC_ACTIONS);
  struct spec_action a = {.name = n, .object = (uint16_t)(r->object - r->spec->objects)};
  struct spec_name word;
  if (!parameters(r)) return false;
  skip(r);
  const char *at = r->at;
  if (!is_letter(*at) || !name(r, "", &word) || !is_word(word, "on")) return r->at = at, expected(r, "\"on\" and the object's parameter");
  skip(r);
  at = r->at;
  a.begins = is_letter(*at) && name(r, "", &word) && is_word(word, "new") && !line_ends(r) && is_letter(*r->at);
  if (!a.begins) r->at = at;
  if (!parameter(r, &on)) return false;
  a.on = (uint8_t)on;
  if (a.begins) a.touches[a.ntouches++] = (struct spec_touch){SPEC_NEW, -1};
  if (!comes(r, ':')) {
    if (!a.begins) return expected(r, "\":\" and the access points");
  } else {
    do {
      if (!touch(r, &a)) return false;
    } while (comes(r, ','));
  }
  if (!must_end(r, "\",\" or the end of the line")) return false;
  r->spec->actions[r->spec->nactions++] = a;
  return add_method(r, a.name, a.on, r->spec->nactions - 1u);
}

static bool point(struct reading *r, unsigned *out) {
  struct spec_name n;
  if (!name(r, "an access point", &n)) return false;
  *out = find_point(r->object, n);
  if (*out < r->object->npoints) return true;
  return wrong(r, n.at, "no action above touches an access point \"%.*s\"", SHOWN(n));
}

static const char *relation_name(unsigned relation) {
  static const char *const names[] = {
      [SPEC_CONFLICT] = "conflict", [SPEC_DEPENDS] = "depends", [SPEC_ENDS] = "ends", [SPEC_ENDED] = "ends"};
  return names[relation];
}

static bool read_relation(struct reading *r, enum spec_relation relation) {
  struct spec_object *o = r->object;
  unsigned p, q;
  if (!point(r, &p)) return false;
  do {
    skip(r);
    const char *at = r->at;
    if (!point(r, &q)) return false;
    unsigned before = o->relations[p][q];
    if (before) return wrong(r, at, "these two are related already: \"%s\"", relation_name(before));
    o->relations[p][q] = (uint8_t)relation;
    o->relations[q][p] = relation == SPEC_ENDS && p != q ? SPEC_ENDED : (uint8_t)relation;
    if (relation == SPEC_ENDS) o->points[p].ends = true;
  } while (comes(r, ','));
  return must_end(r, "\",\" or the end of the line");
}

#define WORDS "\"object\", \"action\", \"conflict\", \"depends\", \"ends\", \"commute\" or \"state\""

static bool read_line(struct reading *r) {
  static const char *const words[] = {"object", "action", "commute", "state", "conflict", "depends", "ends"};
  enum { OBJECT, ACTION, COMMUTE, STATE, CONFLICT, DEPENDS, ENDS, COUNT };
  struct spec_name word;
  unsigned i = 0;
  skip(r);
  const char *at = r->at;
  if (line_ends(r)) return true;
  if (!name(r, WORDS, &word)) return false;
  while (i < COUNT && !is_word(word, words[i])) i++;
  if (i == COUNT) return r->at = at, expected(r, WORDS);
  if (i == OBJECT) return read_object(r);
  if (!r->object) return wrong(r, at, "a line \"object NAME\" is expected first");
  if (i == ACTION) return read_action(r);
  if (i == COMMUTE) return spec_read_commute(r);
  if (i == STATE) return spec_read_state(r);
  return read_relation(r, i == CONFLICT ? SPEC_CONFLICT : i == DEPENDS ? SPEC_DEPENDS : SPEC_ENDS);
}

/* What follows from all lines. */
static void finish(struct spec *spec) {
  for (unsigned i = 0; i < spec->nobjects; i++) {
    struct spec_object *o = &spec->objects[i];
    for (unsigned p = 0; p < o->npoints; p++)
      for (unsigned q = 0; q < o->npoints; q++) o->points[p].orders |= spec_orders(o, p, q);
  }
  for (unsigned i = 0; i < spec->nactions; i++) {
    struct spec_action *a = &spec->actions[i];
    for (unsigned k = 0; k < a->ntouches; k++) a->ends |= spec->objects[a->object].points[a->touches[k].point].ends;
  }
}

bool spec_read(struct spec *spec, const char *text, const char *file, char error[SPEC_ERROR]) {
  struct reading r = {.spec = spec, .file = file, .at = text, .error = error};
  for (;;) {
    r.line = r.at, r.number++;
    if (!read_line(&r)) return false;
    while (*r.at && *r.at != '\n') r.at++;
    if (!*r.at++) break;
  }
  finish(spec);
  return true;
}

const struct spec_action *spec_find(const struct spec *spec, const char *wanted, size_t length) {
  for (unsigned i = 0; i < spec->nactions; i++)
    if (same(spec->actions[i].name, wanted, length)) return &spec->actions[i];
  return NULL;
}

const struct spec_method *spec_method(const struct spec *spec, const char *wanted, size_t length) {
  for (unsigned i = 0; i < spec->nmethods; i++)
    if (same(spec->methods[i].name, wanted, length)) return &spec->methods[i];
  return NULL;
}

const struct spec_pair *spec_pair(const struct spec *spec, unsigned method, unsigned other, bool *swapped) {
  for (unsigned i = 0; i < spec->npairs; i++) {
    const struct spec_pair *p = &spec->pairs[i];
    *swapped = p->methods[0] != method;
    if (p->methods[*swapped] == method && p->methods[!*swapped] == other) return p;
  }
  return NULL;
}
