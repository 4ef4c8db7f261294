#include "base/spec.h"

#include <stdarg.h>
#include <stdio.h>

/* The text as it is read, a line at a time. */
struct reading {
  struct spec *spec;
  struct spec_object *object; /* NULL before the first */
  const char *file, *line, *at;
  unsigned number;
  char *error; /* [SPEC_ERROR] */
  struct spec_name parameters[SPEC_PARAMETERS];
  unsigned nparameters;
};

static size_t length_of(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
static bool same(struct spec_name a, const char *b, size_t length) {
  if (a.length != length) return false;
  for (size_t i = 0; i < length; i++)
    if (a.at[i] != b[i]) return false;
  return true;
}
static bool same_name(struct spec_name a, struct spec_name b) { return same(a, b.at, b.length); }
static bool is_word(struct spec_name a, const char *word) { return same(a, word, length_of(word)); }

__attribute__((format(printf, 3, 4))) static bool wrong(struct reading *r, const char *at, const char *format, ...) {
  int n = snprintf(r->error, SPEC_ERROR, "%s:%u:%u: ", r->file, r->number, (unsigned)(at - r->line) + 1);
  va_list args;
  va_start(args, format);
  if (n >= 0 && n < SPEC_ERROR) vsnprintf(r->error + n, SPEC_ERROR - (size_t)n, format, args);
  va_end(args);
  return false;
}

#define SHOWN(name) (int)((name).length < 60 ? (name).length : 60), (name).at

static void skip(struct reading *r) {
  while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r') r->at++;
}
static bool line_ends(struct reading *r) {
  skip(r);
  return !*r->at || *r->at == '\n' || *r->at == '#';
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_name(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

/* What is there, for complaints. */
static struct spec_name found(struct reading *r) {
  static const char end[] = "the end of the line";
  if (line_ends(r)) return (struct spec_name){end, sizeof end - 1};
  struct spec_name n = {r->at, 1};
  while (is_name(r->at[0]) && is_name(r->at[n.length])) n.length++;
  return n;
}

static bool expected(struct reading *r, const char *what) {
  struct spec_name n = found(r);
  if (n.at != r->at) return wrong(r, r->at, "%s is expected, not %.*s", what, SHOWN(n));
  unsigned char c = (unsigned char)*n.at;
  if (c < 0x20 || c >= 0x7f) return wrong(r, r->at, "%s is expected, not a byte %u", what, c);
  return wrong(r, r->at, "%s is expected, not \"%.*s\"", what, SHOWN(n));
}

static bool name(struct reading *r, const char *what, struct spec_name *out) {
  skip(r);
  if (!is_letter(*r->at)) return expected(r, what);
  *out = (struct spec_name){r->at, 0};
  while (is_name(*r->at)) r->at++;
  out->length = (size_t)(r->at - out->at);
  return out->length <= SPEC_NAME || wrong(r, out->at, "a name has up to %d characters", SPEC_NAME);
}

/* True if that character is next, which is read then. */
static bool comes(struct reading *r, char c) {
  skip(r);
  if (*r->at != c) return false;
  r->at++;
  return true;
}
static bool must_come(struct reading *r, char c, const char *what) { return comes(r, c) || expected(r, what); }
static bool must_end(struct reading *r, const char *what) { return line_ends(r) || expected(r, what); }

static bool read_object(struct reading *r) {
  struct spec_name n;
  if (!name(r, "the object's name", &n)) return false;
  for (unsigned i = 0; i < r->spec->nobjects; i++)
    if (same_name(r->spec->objects[i].name, n)) return wrong(r, n.at, "object \"%.*s\" is specified already", SHOWN(n));
  if (r->spec->nobjects == SPEC_OBJECTS) return wrong(r, n.at, "there can be up to %d objects", SPEC_OBJECTS);
  r->object = &r->spec->objects[r->spec->nobjects++];
  *r->object = (struct spec_object){.name = n, .npoints = 1};
  r->object->points[SPEC_NEW].name = (struct spec_name){"new", 3};
  r->object->relations[SPEC_NEW][SPEC_NEW] = SPEC_DEPENDS;
  return must_end(r, "the end of the line");
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
  return true;
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

static bool read_line(struct reading *r) {
  struct spec_name word;
  skip(r);
  const char *at = r->at;
  if (line_ends(r)) return true;
  if (!name(r, "\"object\", \"action\", \"conflict\", \"depends\" or \"ends\"", &word)) return false;
  if (is_word(word, "object")) return read_object(r);
  bool known = is_word(word, "action") || is_word(word, "conflict") || is_word(word, "depends") || is_word(word, "ends");
  r->at = known ? r->at : at;
  if (!known) return expected(r, "\"object\", \"action\", \"conflict\", \"depends\" or \"ends\"");
  if (!r->object) return wrong(r, at, "a line \"object NAME\" is expected first");
  if (is_word(word, "action")) return read_action(r);
  return read_relation(r, is_word(word, "conflict") ? SPEC_CONFLICT : is_word(word, "depends") ? SPEC_DEPENDS : SPEC_ENDS);
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
