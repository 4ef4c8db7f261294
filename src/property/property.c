#include "property/property.h"

#include <string.h>

#include "property/internal.h"

static void release(struct property *p) {
  vec_release(&p->events);
  vec_release(&p->sources);
  vec_release(&p->cases);
}

void properties_release(struct properties *p) {
  for (size_t i = 0; i < p->list.count; i++) release(&p->list.data[i]);
  vec_release(&p->list);
}

void property_violated_text(const struct property *p, struct text *out) {
  text_printf(out, "the property %.*s is violated", (int)p->name.length, p->name.at);
}

const struct property *properties_find(const struct properties *p, const char *name) {
  for (size_t i = 0; i < p->list.count; i++)
    if (property_text_is(&p->list.data[i].name, name)) return &p->list.data[i];
  return NULL;
}

static int find_parameter(const struct property *p, const struct property_text *name) {
  for (int i = 0; i < p->nparameters; i++)
    if (property_text_same(&p->parameters[i], name)) return i;
  return PROPERTY_NONE;
}

static bool read_parameters(struct reader *r, struct property *p) {
  if (!reader_needs_sign(r, '(')) return false;
  if (reader_takes_sign(r, ')')) return true;
  do {
    struct property_text name;
    if (!reader_needs_name(r, "the name of a parameter", &name)) return false;
    if (find_parameter(p, &name) >= 0) return reader_fail(r, &name, "parameter `%.*s' is there twice", (int)name.length, name.at);
    if (p->nparameters == PROPERTY_PARAMETERS) return reader_fail(r, &name, "more than %d parameters", PROPERTY_PARAMETERS);
    p->parameters[p->nparameters++] = name;
  } while (reader_takes_sign(r, ','));
  return reader_needs_sign(r, ')');
}

/* A parameter, a number, NULL, or *. */
static bool read_value(struct reader *r, struct property_value *v, uint32_t *given) {
  struct token t = r->token;
  *v = (struct property_value){.kind = PROPERTY_ANY};
  if (reader_takes_sign(r, '*')) return true;
  if (t.kind == TOKEN_NUMBER) {
    *v = (struct property_value){.kind = PROPERTY_NUMBER, .number = t.number};
  } else if (t.kind != TOKEN_NAME) {
    return reader_expected(r, "a parameter, a number or *");
  } else if (property_text_is(&t.text, "NULL")) {
    v->kind = PROPERTY_NUMBER;
  } else {
    int i = find_parameter(r->property, &t.text);
    if (i < 0) return reader_fail(r, &t.text, "`%.*s' is no parameter of the property", (int)t.text.length, t.text.at);
    *v = (struct property_value){.kind = PROPERTY_PARAMETER, .parameter = (uint8_t)i};
    *given |= 1u << i;
  }
  reader_next(r);
  return !r->e;
}

static bool read_arguments(struct reader *r, struct property_source *s, uint32_t *given) {
  if (!reader_needs_sign(r, '(')) return false;
  if (reader_takes_sign(r, ')')) return true;
  do {
    if (reader_takes_sign(r, '.')) {
      s->more = true;
      return reader_needs_sign(r, '.') && reader_needs_sign(r, '.') && reader_needs_sign(r, ')');
    }
    if (s->narguments == PROPERTY_ARGUMENTS) return reader_fail(r, &r->token.text, "more than %d arguments", PROPERTY_ARGUMENTS);
    if (!read_value(r, &s->arguments[s->narguments++], given)) return false;
  } while (reader_takes_sign(r, ','));
  return reader_needs_sign(r, ')');
}

static bool read_call(struct reader *r, struct property_source *s, uint32_t *given) {
  if (!reader_needs_name(r, "the name of a function", &s->name) || !read_arguments(r, s, given)) return false;
  struct property_text at = r->token.text;
  if (!reader_takes_word(r, "returns")) return true;
  if (!s->after) return reader_fail(r, &at, "what a function returns is not known before the call: write `after call'");
  return read_value(r, &s->result, given);
}

static bool read_mark(struct reader *r, struct property_source *s, uint32_t *given) {
  if (!reader_needs_name(r, "the name of a mark", &s->name)) return false;
  return r->token.kind != TOKEN_SIGN || r->token.sign != '(' || read_arguments(r, s, given);
}

/* *, a variable, or TYPE.FIELD; then `of` the address, and `value`. */
static bool read_access(struct reader *r, struct property_source *s, uint32_t *given) {
  s->name = r->token.text;
  if (!reader_takes_sign(r, '*')) {
    struct property_text field;
    if (!reader_needs_name(r, "a variable, TYPE.FIELD or *", &s->name)) return false;
    if (reader_takes_sign(r, '.')) {
      if (!reader_needs_name(r, "the name of a field", &field)) return false;
      s->name.length = (uint32_t)(field.at - s->name.at) + field.length;
    }
  }
  if (reader_takes_word(r, "of") && !read_value(r, &s->object, given)) return false;
  struct property_text at = r->token.text;
  if (!reader_takes_word(r, "value")) return !r->e;
  if (!s->after && s->what == PROPERTY_READ) return reader_fail(r, &at, "what is read is not known before: write `after read'");
  return read_value(r, &s->value, given);
}

static bool read_lock(struct reader *r, struct property_source *s, uint32_t *given) { return read_value(r, &s->object, given); }

static const struct {
  const char *word;
  enum property_what what;
  bool (*read)(struct reader *r, struct property_source *s, uint32_t *given);
} whats[] = {
    {"dereference", PROPERTY_DEREFERENCE, read_access},
    {"call", PROPERTY_CALL, read_call},
    {"read", PROPERTY_READ, read_access},
    {"write", PROPERTY_WRITE, read_access},
    {"acquire", PROPERTY_ACQUIRE, read_lock},
    {"release", PROPERTY_RELEASE, read_lock},
};

/* What follows `before` or `after`; with further alternatives of calls, it may be left out. */
static bool read_source(struct reader *r, struct property_source *s, const struct property_source *last, uint32_t *given) {
  if (reader_takes_word(r, "at")) {
    s->what = PROPERTY_MARK;
    return reader_takes_word(r, "mark") ? read_mark(r, s, given) : reader_expected(r, "`mark'");
  }
  bool before = reader_takes_word(r, "before"), told = before || reader_takes_word(r, "after");
  if (!told && !last) return reader_expected(r, "`before', `after' or `at'");
  s->after = told ? !before : last->after;
  bool function = !told && *r->at == '('; /* read(fd) is a call, read x is not */
  for (size_t i = 0; i < sizeof whats / sizeof *whats && !function; i++)
    if (reader_takes_word(r, whats[i].word)) return s->what = (uint8_t)whats[i].what, whats[i].read(r, s, given);
  if (told || last->what != PROPERTY_CALL) return reader_expected(r, "`call', `read', `write', `dereference', `acquire' or `release'");
  s->what = PROPERTY_CALL;
  return read_call(r, s, given);
}

static bool read_event(struct reader *r) {
  struct property *p = r->property;
  struct property_event e = {.first = (uint32_t)p->sources.count, .parameters = UINT32_MAX};
  if (!reader_needs_name(r, "the name of an event", &e.name)) return false;
  for (size_t i = 0; i < p->events.count; i++)
    if (property_text_same(&p->events.data[i].name, &e.name))
      return reader_fail(r, &e.name, "event `%.*s' is there twice", (int)e.name.length, e.name.at);
  if (p->events.count == PROPERTY_EVENTS) return reader_fail(r, &e.name, "more than %d events", PROPERTY_EVENTS);
  struct property_source last;
  do {
    struct property_source s = {0};
    uint32_t given = 0;
    if (!read_source(r, &s, e.count ? &last : NULL, &given)) return false;
    *vec_push(&p->sources) = last = s;
    e.count++, e.parameters &= given, e.any |= given;
  } while (reader_takes_sign(r, '|'));
  *vec_push(&p->events) = e;
  return !r->e;
}

static bool read_property(struct reader *r) {
  struct property *p = r->property;
  struct property_text at = r->token.text;
  if (!reader_takes_word(r, "property")) return reader_expected(r, "`property'");
  if (!reader_needs_name(r, "the name of the property", &p->name) || !read_parameters(r, p) || !reader_needs_sign(r, '{')) return false;
  while (reader_takes_word(r, "event"))
    if (!read_event(r)) return false;
  if (p->events.count == 0) return reader_expected(r, "`event'");
  at = r->token.text;
  if (!reader_takes_word(r, "pattern")) return reader_expected(r, "`event' or `pattern'");
  if (!pattern_read(r)) return false;
  if (p->cases.count == 0) return reader_fail(r, &at, "the pattern is matched by no event at all");
  return reader_needs_sign(r, '}');
}

enum err properties_read(struct properties *p, const char *text, const char *file, struct diag *d) {
  struct reader r;
  size_t count = p->list.count;
  reader_begin(&r, text, file, d);
  while (!r.e && r.token.kind != TOKEN_END) {
    struct property_text name;
    r.property = vec_push(&p->list);
    *r.property = (struct property){0};
    if (!read_property(&r)) break;
    name = r.property->name;
    for (size_t i = 0; i + 1 < p->list.count; i++)
      if (property_text_same(&p->list.data[i].name, &name))
        reader_fail(&r, &name, "property `%.*s' is there twice", (int)name.length, name.at);
  }
  while (r.e && p->list.count > count) release(&vec_pop(&p->list));
  return r.e;
}

static bool has_line(const struct text *lines, const struct property_text *name) {
  const char *at = text_str(lines);
  for (size_t n; *at; at += n + (at[n] == '\n')) {
    n = strcspn(at, "\n");
    if (n == name->length && memcmp(at, name->at, n) == 0) return true;
  }
  return false;
}

void properties_calls(const struct properties *p, struct text *out) {
  for (size_t i = 0; i < p->list.count; i++)
    for (size_t k = 0; k < p->list.data[i].sources.count; k++) {
      const struct property_source *s = &p->list.data[i].sources.data[k];
      if (s->what != PROPERTY_CALL || has_line(out, &s->name)) continue;
      text_printf(out, "%.*s\n", (int)s->name.length, s->name.at);
    }
}

const struct property_source *property_source_of(const struct property *p, enum property_what first, enum property_what last) {
  for (size_t k = 0; k < p->sources.count; k++)
    if (p->sources.data[k].what >= first && p->sources.data[k].what <= last) return &p->sources.data[k];
  return NULL;
}

const struct property_atom *property_unclear_region(const struct property *p) {
  for (size_t i = 0; i < p->cases.count; i++) {
    const struct property_case *c = &p->cases.data[i];
    for (unsigned end = 0; end < c->natoms; end++)
      for (unsigned begin = 0; begin < c->natoms; begin++) {
        if (c->atoms[end].ends == PROPERTY_NONE || c->atoms[begin].begins != c->atoms[end].ends) continue;
        const struct property_event *begins = &p->events.data[c->atoms[begin].event], *ends = &p->events.data[c->atoms[end].event];
        if (begins->any != begins->parameters || (begins->any & ~ends->parameters)) return &c->atoms[end];
      }
  }
  return NULL;
}
