/* Commutativity formulas as they are written:
 *
 *   line    = "commute" call "," call [ "if" or ]         call = METHOD "(" parameters ")" [ "->" RESULT ]
 *   or      = and { "||" and }                            and  = same { "&&" same }
 *   same    = less [ ("==" | "!=") less ]                 less = sum [ ("<" | "<=" | ">" | ">=") sum ]
 *   sum     = product { ("+" | "-") product }             product = unary { ("*" | "/" | "%") unary }
 *   unary   = ("!" | "-") unary | "(" or ")" | NUMBER | "true" | "false" | "state1" | "state2" | NAME | FUNCTION "(" [ or { "," or } ] ")"
 */
#include "base/spec_reading.h"

static bool read_or(struct reading *r, uint16_t *out);

static bool new_node(struct reading *r, const char *at, struct spec_node node, uint16_t *out) {
  struct spec *s = r->spec;
  if (s->nnodes == SPEC_NODES) return wrong(r, at, "the formulas are too large");
  *out = s->nnodes++;
  s->nodes[*out] = node;
  return true;
}

/* The first of these operators that comes, which is read then; NULL. "&" is none if "&&" is there. */
struct sign {
  const char *text;
  enum spec_op op;
};
static const struct sign *comes_sign(struct reading *r, const struct sign *list, unsigned n) {
  skip(r);
  for (unsigned i = 0; i < n; i++) {
    size_t length = length_of(list[i].text), k = 0;
    while (k < length && r->at[k] == list[i].text[k]) k++;
    if (k < length) continue;
    r->at += length;
    return &list[i];
  }
  return NULL;
}

static bool deeper(struct reading *r) {
  return ++r->depth <= SPEC_DEPTH || wrong(r, r->at, "up to %d operators and parentheses may be nested", SPEC_DEPTH);
}

static bool read_number(struct reading *r, uint16_t *out) {
  const char *at = r->at;
  int64_t n = 0;
  while (*r->at >= '0' && *r->at <= '9') {
    if (__builtin_mul_overflow(n, (int64_t)10, &n) || __builtin_add_overflow(n, (int64_t)(*r->at - '0'), &n))
      return wrong(r, at, "the number does not fit into 64 bits");
    r->at++;
  }
  if (is_name(*r->at)) return wrong(r, at, "a number is expected, not \"%.*s\"", SHOWN(found(&(struct reading){.at = at})));
  return new_node(r, at, (struct spec_node){.op = SPEC_NUMBER, .number = n}, out);
}

static bool find_function(struct reading *r, struct spec_name n, uint16_t *out) {
  struct spec *s = r->spec;
  for (*out = 0; *out < s->nfunctions; ++*out)
    if (same_name(s->functions[*out].name, n)) return true;
  if (s->nfunctions == SPEC_FUNCTIONS) return wrong(r, n.at, "up to %d functions of the program may be called", SPEC_FUNCTIONS);
  s->functions[s->nfunctions++] = (struct spec_function){.name = n, .line = r->number, .column = column_of(r, n.at)};
  return true;
}

/* The arguments of a call, behind "(". */
static bool read_call(struct reading *r, struct spec_name n, uint16_t *out) {
  uint16_t function, argument = SPEC_NOTHING, list[SPEC_PARAMETERS];
  unsigned count = 0;
  if (spec_method(r->spec, n.at, n.length)) return wrong(r, n.at, "\"%.*s\" is a method, and no pure function", SHOWN(n));
  if (!find_function(r, n, &function)) return false;
  if (!comes(r, ')')) {
    do {
      if (count == SPEC_PARAMETERS) return wrong(r, r->at, "a function is called with up to %d arguments", SPEC_PARAMETERS);
      if (!read_or(r, &list[count++])) return false;
    } while (comes(r, ','));
    if (!must_come(r, ')', "\",\" or \")\"")) return false;
  }
  uint16_t first = SPEC_NOTHING;
  while (count-- > 0) {
    if (!new_node(r, n.at, (struct spec_node){.op = SPEC_NEXT, .a = list[count], .b = first}, &argument)) return false;
    first = argument;
  }
  r->spec->pairs[r->spec->npairs].calls = true;
  return new_node(r, n.at, (struct spec_node){.op = SPEC_CALL, .index = function, .a = first}, out);
}

static bool read_named(struct reading *r, struct spec_name n, uint16_t *out) {
  bool first = is_word(n, "state1"), second = is_word(n, "state2");
  if (is_word(n, "true") || is_word(n, "false"))
    return new_node(r, n.at, (struct spec_node){.op = SPEC_NUMBER, .number = is_word(n, "true")}, out);
  if ((first || second) && r->object->state == SPEC_NOTHING)
    return wrong(r, n.at, "object \"%.*s\" has no state: a line \"state FUNCTION(OBJECT)\" is expected above", SHOWN(r->object->name));
  if (first || second) return new_node(r, n.at, (struct spec_node){.op = SPEC_STATE, .of = second}, out);
  for (unsigned of = 0; of < 2; of++) {
    if (r->invocations[of].result.length && same_name(r->invocations[of].result, n))
      return new_node(r, n.at, (struct spec_node){.op = SPEC_RESULT, .of = (uint8_t)of}, out);
    for (unsigned i = 0; i < r->invocations[of].nparameters; i++)
      if (same_name(r->invocations[of].parameters[i], n) && !is_word(n, "_"))
        return new_node(r, n.at, (struct spec_node){.op = SPEC_ARGUMENT, .of = (uint8_t)of, .index = (uint16_t)i}, out);
  }
  return wrong(r, n.at, "there is no parameter or result \"%.*s\"", SHOWN(n));
}

static bool read_primary(struct reading *r, uint16_t *out) {
  struct spec_name n;
  skip(r);
  if (*r->at >= '0' && *r->at <= '9') return read_number(r, out);
  if (comes(r, '(')) return read_or(r, out) && must_come(r, ')', "an operator or \")\"");
  if (!is_letter(*r->at)) return expected(r, "a parameter, a result, a number or a call");
  if (!name(r, "a name", &n)) return false;
  return comes(r, '(') ? read_call(r, n, out) : read_named(r, n, out);
}

static bool read_unary(struct reading *r, uint16_t *out) {
  static const struct sign list[] = {{"!", SPEC_NOT}, {"-", SPEC_MINUS}};
  skip(r);
  const char *at = r->at;
  if (!deeper(r)) return false;
  const struct sign *o = comes_sign(r, list, 2);
  uint16_t a;
  bool good = o ? read_unary(r, &a) && new_node(r, at, (struct spec_node){.op = (uint8_t)o->op, .a = a}, out) : read_primary(r, out);
  r->depth--;
  return good;
}

/* One level of binary operators: `below` reads their operands. `once`: they cannot be put in a row, as in a < b < c. */
struct level {
  bool (*below)(struct reading *r, uint16_t *out);
  const struct sign *list;
  unsigned n;
  bool once;
};
static bool read_level(struct reading *r, const struct level *l, uint16_t *out) {
  const struct sign *o;
  if (!l->below(r, out)) return false;
  for (unsigned i = 0; skip(r), (o = comes_sign(r, l->list, l->n)) != NULL; i++) {
    const char *at = r->at - length_of(o->text);
    uint16_t b;
    if (i && l->once) return wrong(r, at, "comparisons in a row need parentheses");
    if (!l->below(r, &b)) return false;
    if (!new_node(r, at, (struct spec_node){.op = (uint8_t)o->op, .a = *out, .b = b}, out)) return false;
  }
  return true;
}

static bool read_product(struct reading *r, uint16_t *out) {
  static const struct sign list[] = {{"*", SPEC_MULTIPLY}, {"/", SPEC_DIVIDE}, {"%", SPEC_MODULO}};
  return read_level(r, &(struct level){read_unary, list, 3, false}, out);
}
static bool read_sum(struct reading *r, uint16_t *out) {
  static const struct sign list[] = {{"+", SPEC_ADD}, {"-", SPEC_SUBTRACT}};
  return read_level(r, &(struct level){read_product, list, 2, false}, out);
}
static bool read_less(struct reading *r, uint16_t *out) {
  static const struct sign list[] = {{"<=", SPEC_LESS_EQUAL}, {">=", SPEC_GREATER_EQUAL}, {"<", SPEC_LESS}, {">", SPEC_GREATER}};
  return read_level(r, &(struct level){read_sum, list, 4, true}, out);
}
static bool read_same(struct reading *r, uint16_t *out) {
  static const struct sign list[] = {{"==", SPEC_EQUAL}, {"!=", SPEC_UNEQUAL}};
  return read_level(r, &(struct level){read_less, list, 2, true}, out);
}
static bool read_and(struct reading *r, uint16_t *out) {
  static const struct sign list[] = {{"&&", SPEC_AND}};
  return read_level(r, &(struct level){read_same, list, 1, false}, out);
}
static bool read_or(struct reading *r, uint16_t *out) {
  static const struct sign list[] = {{"||", SPEC_OR}};
  return read_level(r, &(struct level){read_and, list, 1, false}, out);
}

static bool is_taken(const struct reading *r, struct spec_name n, unsigned of, unsigned position) {
  for (unsigned k = 0; k <= of; k++) {
    bool object = k != of && position == r->invocations[of].on; /* the object's parameter has one name in both */
    if (r->invocations[k].result.length && same_name(r->invocations[k].result, n)) return true;
    for (unsigned i = 0; i < r->invocations[k].nparameters; i++)
      if (same_name(r->invocations[k].parameters[i], n) && !(object && i == r->invocations[k].on)) return true;
  }
  return false;
}

static bool take_name(struct reading *r, const char *what, unsigned of, unsigned position, struct spec_name *n) {
  if (!name(r, what, n)) return false;
  if (is_word(*n, "_")) return true;
  if (is_word(*n, "state1") || is_word(*n, "state2") || is_word(*n, "true") || is_word(*n, "false"))
    return wrong(r, n->at, "\"%.*s\" has a meaning of its own", SHOWN(*n));
  return !is_taken(r, *n, of, position) || wrong(r, n->at, "\"%.*s\" is there already", SHOWN(*n));
}

static bool read_invocation(struct reading *r, unsigned of, uint16_t *method) {
  struct spec_name n;
  if (!name(r, "a method", &n)) return false;
  const struct spec_method *m = spec_method(r->spec, n.at, n.length);
  if (!m || &r->spec->objects[m->object] != r->object)
    return wrong(r, n.at, "\"%.*s\" is no method of object \"%.*s\"", SHOWN(n), SHOWN(r->object->name));
  *method = (uint16_t)(m - r->spec->methods);
  r->invocations[of].on = m->on;
  r->invocations[of].result = (struct spec_name){0};
  r->invocations[of].nparameters = 0;
  if (!must_come(r, '(', "\"(\" and the parameters")) return false;
  do {
    unsigned i = r->invocations[of].nparameters;
    struct spec_name parameter;
    if (i == SPEC_PARAMETERS) return wrong(r, r->at, "there can be up to %d parameters", SPEC_PARAMETERS);
    if (!take_name(r, "a parameter's name", of, i, &parameter)) return false;
    r->invocations[of].parameters[r->invocations[of].nparameters++] = parameter;
  } while (comes(r, ','));
  if (!must_come(r, ')', "\",\" or \")\"")) return false;
  skip(r);
  if (r->at[0] != '-' || r->at[1] != '>') return true;
  r->at += 2;
  if (!take_name(r, "the result's name", of, UINT32_MAX, &n)) return false;
  r->invocations[of].result = n;
  return true;
}

/* Of one method with itself: invocations in the other order are the same pair, so the formula must say the same. Values are tried; what
 * functions of the program say is looked at when they are called. */
static bool is_symmetric(struct reading *r, const struct spec_pair *p) {
  struct spec_invocation u = {.method = p->methods[0], .results = true}, v = u;
  uint64_t seed = 1;
  for (unsigned round = 0; round < 20000; round++) {
    struct spec_invocation *of[] = {&u, &v};
    for (unsigned k = 0; k < 2; k++) {
      of[k]->n = SPEC_PARAMETERS;
      for (unsigned i = 0; i <= SPEC_PARAMETERS; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int64_t value = (int64_t)(seed >> 33) % (round % 2 ? 3 : 12) - (round % 2 ? 0 : 3);
        *(i < SPEC_PARAMETERS ? &of[k]->arguments[i] : &of[k]->result) = value;
      }
    }
    v.arguments[r->invocations[0].on] = u.arguments[r->invocations[0].on];
    if (spec_holds(r->spec, p, &u, &v, NULL) != spec_holds(r->spec, p, &v, &u, NULL)) return false;
  }
  return true;
}

bool spec_read_commute(struct reading *r) {
  struct spec *s = r->spec;
  bool swapped;
  skip(r);
  const char *at = r->at;
  if (s->npairs == SPEC_PAIRS) return wrong(r, at, "there can be up to %d pairs of methods", SPEC_PAIRS);
  struct spec_pair *p = &s->pairs[s->npairs];
  *p = (struct spec_pair){.formula = SPEC_NOTHING, .line = r->number};
  if (!read_invocation(r, 0, &p->methods[0])) return false;
  if (!must_come(r, ',', "\"->\" or \",\" and the other method")) return false;
  if (!read_invocation(r, 1, &p->methods[1])) return false;
  if (spec_pair(s, p->methods[0], p->methods[1], &swapped)) return wrong(r, at, "of these two it is said already when they commute");
  if (!line_ends(r)) {
    if (!must_be_word(r, "if")) return false;
    r->depth = 0;
    if (!read_or(r, &p->formula)) return false;
  }
  if (!must_end(r, "an operator or the end of the line")) return false;
  if (p->methods[0] == p->methods[1] && p->formula != SPEC_NOTHING && !p->calls && !is_symmetric(r, p))
    return wrong(r, at, "the two are of one method, and the formula says something else if they change places");
  s->npairs++;
  return true;
}

bool spec_read_state(struct reading *r) {
  struct spec_name n, parameter;
  if (!name(r, "the function that gives the state", &n)) return false;
  if (r->object->state != SPEC_NOTHING) return wrong(r, n.at, "object \"%.*s\" has a state already", SHOWN(r->object->name));
  if (spec_method(r->spec, n.at, n.length)) return wrong(r, n.at, "\"%.*s\" is a method, and no pure function", SHOWN(n));
  if (!find_function(r, n, &r->object->state)) return false;
  if (!must_come(r, '(', "\"(\" and the object") || !name(r, "the object's name", &parameter)) return false;
  return must_come(r, ')', "\")\"") && must_end(r, "the end of the line");
}
