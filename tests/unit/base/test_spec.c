/* Specifications: what is read, what is refused and where, and that no text at all does harm. */
#include "base/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char set[] =
    "# numbers\n"
    "object set\n"
    "  action set_init(s) on new s\n"
    "\taction set_add ( s , x )on s:change(x)# one\r\n"
    "  action set_contains(s, x) on s: look(x)\n"
    "\n"
    "  action set_swap(_, _, s, x, y) on s: change(x), change(y), size\n"
    "  action set_destroy(s) on s: destroy\n"
    "  conflict change change, look, size\n"
    "  depends size size\n"
    "  ends destroy change, look, size, destroy\n"
    "object new\n"
    "  action begin(new) on new: p\n"
    "  action begin_new(new) on new new: p";

static struct spec spec;

static bool read_text(const char *text, char error[SPEC_ERROR]) {
  memset(&spec, 0, sizeof spec);
  return spec_read(&spec, text, "F", error);
}

static void what_is_said_is_read(void **state) {
  char error[SPEC_ERROR] = "";
  (void)state;
  assert_true(read_text(set, error));
  assert_int_equal(spec.nobjects, 2);
  assert_int_equal(spec.nactions, 7);
  const struct spec_action *swap = spec_find(&spec, "set_swap", 8);
  assert_non_null(swap);
  assert_int_equal(swap->on, 2);
  assert_int_equal(swap->ntouches, 3);
  assert_int_equal(swap->touches[1].value, 4);
  assert_int_equal(swap->touches[2].value, -1);
  assert_false(swap->begins || swap->ends);
  const struct spec_action *init = spec_find(&spec, "set_init", 8), *destroy = spec_find(&spec, "set_destroy", 11);
  assert_true(init->begins && destroy->ends);
  const struct spec_object *o = &spec.objects[0];
  unsigned change = swap->touches[0].point, size = swap->touches[2].point, end = destroy->touches[0].point;
  assert_int_equal(spec_relation(o, change, size), SPEC_CONFLICT);
  assert_int_equal(spec_relation(o, size, change), SPEC_CONFLICT);
  assert_int_equal(spec_relation(o, size, size), SPEC_DEPENDS);
  assert_int_equal(spec_relation(o, end, size), SPEC_ENDS);
  assert_int_equal(spec_relation(o, size, end), SPEC_ENDED);
  assert_int_equal(spec_relation(o, end, end), SPEC_ENDS);
  assert_int_equal(spec_relation(o, SPEC_NEW, end), SPEC_DEPENDS);
  assert_true(o->points[end].ends && o->points[size].orders && !o->points[size].ends);
  const struct spec_action *plain = spec_find(&spec, "begin", 5), *new = spec_find(&spec, "begin_new", 9);
  assert_true(!plain->begins && plain->ntouches == 1 && new->begins &&new->ntouches == 2);
  assert_null(spec_find(&spec, "set_ad", 6));
}

static void what_is_wrong_is_said_where(void **state) {
  static const struct {
    const char *text, *error;
  } wrong[] = {
      {"action f(s) on s: p", "F:1:1: a line \"object NAME\" is expected first"},
      {"objects",
       "F:1:1: \"object\", \"action\", \"conflict\", \"depends\", \"ends\", \"commute\" or \"state\" is expected, not \"objects\""},
      {"\n  \x80",
       "F:2:3: \"object\", \"action\", \"conflict\", \"depends\", \"ends\", \"commute\" or \"state\" is expected, not a byte 128"},
      {"object", "F:1:7: the object's name is expected, not the end of the line"},
      {"object 1", "F:1:8: the object's name is expected, not \"1\""},
      {"object a b", "F:1:10: \"=\" or the end of the line is expected, not \"b\""},
      {"object a\nobject a", "F:2:8: object \"a\" is specified already"},
      {"object a\naction", "F:2:7: a function's name is expected, not the end of the line"},
      {"object a\naction f", "F:2:9: \"(\" and the parameters is expected, not the end of the line"},
      {"object a\naction f()", "F:2:10: a parameter's name is expected, not \")\""},
      {"object a\naction f(s s)", "F:2:12: \",\" or \")\" is expected, not \"s\""},
      {"object a\naction f(s, s)", "F:2:13: parameter \"s\" is there already"},
      {"object a\naction f(a,b,c,d,e,f,g)",
       "F:2:22: there can be up to 6 parameters: those behind the last one that matters may be left out"},
      {"object a\naction f(s)", "F:2:12: \"on\" and the object's parameter is expected, not the end of the line"},
      {"object a\naction f(s) of s", "F:2:13: \"on\" and the object's parameter is expected, not \"of\""},
      {"object a\naction f(s) on t: p", "F:2:16: there is no parameter \"t\""},
      {"object a\naction f(_) on _: p", "F:2:16: there is no parameter \"_\""},
      {"object a\naction f(s) on s", "F:2:17: \":\" and the access points is expected, not the end of the line"},
      {"object a\naction f(s) on s:", "F:2:18: an access point is expected, not the end of the line"},
      {"object a\naction f(s) on s: p(x)", "F:2:21: there is no parameter \"x\""},
      {"object a\naction f(s) on s: p(s", "F:2:22: \")\" is expected, not the end of the line"},
      {"object a\naction f(s) on s: p q", "F:2:21: \",\" or the end of the line is expected, not \"q\""},
      {"object a\naction f(s) on s: new", "F:2:19: \"new\" is no name of an access point"},
      {"object a\naction f(s, x) on s: p(x), p", "F:2:28: access point \"p\" has a value elsewhere"},
      {"object a\naction f(s, x) on s: p, p(x)", "F:2:25: access point \"p\" has no value elsewhere"},
      {"object a\naction f(s) on s: p, q, r, s, t", "F:2:31: an action touches up to 4 access points"},
      {"object a\naction f(s) on s: p\nobject b\naction f(s) on s: p", "F:4:8: action \"f\" is specified already"},
      {"object a\naction f(s) on s: p\nconflict p q", "F:3:12: no action above touches an access point \"q\""},
      {"object a\naction f(s) on s: p\nconflict p", "F:3:11: an access point is expected, not the end of the line"},
      {"object a\naction f(s) on s: p\nobject b\nconflict p p", "F:4:10: no action above touches an access point \"p\""},
      {"object a\naction f(s) on s: p, q\nconflict p q\nends q p", "F:4:8: these two are related already: \"conflict\""},
      {"object a\naction f(s) on s: p\nends p p, p", "F:3:11: these two are related already: \"ends\""},
      {"object a = arg of f", "F:1:16: the number of the argument that is the object is expected, not \"of\""},
      {"object a = arg 6 of f", "F:1:16: the object is one of the first 6 arguments, from 0"},
      {"object a = arg 0 of f, f", "F:1:24: \"f\" is a method already"},
      {"object a = arg 0 of f\nobject b = arg 0 of f", "F:2:21: \"f\" is a method already"},
      {"commute f(a), f(a)", "F:1:1: a line \"object NAME\" is expected first"},
      {"object a = arg 0 of f\ncommute h(a), f(a)", "F:2:9: \"h\" is no method of object \"a\""},
      {"object a = arg 0 of f\nobject b\ncommute f(a), f(a)", "F:3:9: \"f\" is no method of object \"b\""},
      {"object a = arg 0 of f\ncommute f(m)", "F:2:13: \"->\" or \",\" and the other method is expected, not the end of the line"},
      {"object a = arg 0 of f\ncommute f(m, k), f(m, k)", "F:2:23: \"k\" is there already"},
      {"object a = arg 0 of f\ncommute f(m, k) -> k, f(m, j)", "F:2:20: \"k\" is there already"},
      {"object a = arg 0 of f\ncommute f(m, state1), f(m)", "F:2:14: \"state1\" has a meaning of its own"},
      {"object a = arg 0 of f\ncommute f(m), f(m) when", "F:2:20: \"if\" is expected, not \"when\""},
      {"object a = arg 0 of f\ncommute f(m), f(m) if",
       "F:2:22: a parameter, a result, a number or a call is expected, not the end of the line"},
      {"object a = arg 0 of f\ncommute f(m), f(m) if x", "F:2:23: there is no parameter or result \"x\""},
      {"object a = arg 0 of f\ncommute f(m, k), f(m, j) if k = j", "F:2:31: an operator or the end of the line is expected, not \"=\""},
      {"object a = arg 0 of f\ncommute f(m, k), f(m, j) if (k == j", "F:2:36: an operator or \")\" is expected, not the end of the line"},
      {"object a = arg 0 of f\ncommute f(m, k), f(m, j) if k < j < 3", "F:2:35: comparisons in a row need parentheses"},
      {"object a = arg 0 of f\ncommute f(m, k), f(m, j) if k != j && state1",
       "F:2:39: object \"a\" has no state: a line \"state FUNCTION(OBJECT)\" is expected above"},
      {"object a = arg 0 of f\ncommute f(m, k), f(m, j) if k < j",
       "F:2:9: the two are of one method, and the formula says something else if they change places"},
      {"object a = arg 0 of f, g\ncommute f(m), g(m)\ncommute g(m), f(m)", "F:3:9: of these two it is said already when they commute"},
      {"object a = arg 0 of f, g\ncommute f(m), g(m) if g(m)", "F:2:23: \"g\" is a method, and no pure function"},
      {"object a = arg 0 of f, g\ncommute f(m), g(m) if 99999999999999999999", "F:2:23: the number does not fit into 64 bits"},
      {"object a = arg 0 of f, g\ncommute f(m), g(m) if 1x", "F:2:23: a number is expected, not \"1x\""},
      {"object a = arg 0 of f\nstate f(m)", "F:2:7: \"f\" is a method, and no pure function"},
      {"object a = arg 0 of f\nstate s(m)\nstate t(m)", "F:3:7: object \"a\" has a state already"},
      {"object a = arg 0 of f\nstate s m", "F:2:9: \"(\" and the object is expected, not \"m\""},
  };
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    char error[SPEC_ERROR] = "";
    assert_false(read_text(wrong[i].text, error));
    assert_string_equal(error, wrong[i].error);
  }
}

static const char formulas[] =
    "object map = arg 0 of put, get, size\n"
    "  state value(m)\n"
    "  commute put(m, k1, v1) -> r1, put(m, k2, v2) -> r2 if k1 != k2 || (v1 == v2 && r1 == r2)\n"
    "  commute get(m, k1), put(_, k2, v2) -> r2 if !(k1 == k2) || v2 - 2 * r2 == -4 # or so\n"
    "  commute get(_), get(_)\n"
    "  commute size(m) -> n, get(m, k) if k != 0 && n / k == 2\n"
    "  commute size(m) -> n, put(m, k, v) if has(state2, k) || state1 % 2 == 1\n"
    "object set\n"
    "  action add(s, x) on s: change(x)\n"
    "  action has(s, x) on s: look(x)\n"
    "  action end(s) on s: end\n"
    "  depends change look\n"
    "  ends end look\n";

static bool has_bit(void *data, unsigned function, const int64_t *arguments, unsigned n, int64_t *result) {
  assert_int_equal(n, 2);
  assert_string_equal(data, "data");
  assert_memory_equal(spec.functions[function].name.at, "has(", 4);
  *result = arguments[0] >> arguments[1] & 1;
  return arguments[1] < 60;
}

static struct spec_invocation invocation(const char *method, unsigned n, int64_t k, int64_t v) {
  return (struct spec_invocation){.method = (uint16_t)(spec_method(&spec, method, strlen(method)) - spec.methods),
                                  .n = (uint8_t)n,
                                  .object = 16,
                                  .arguments = {16, k, v}};
}
static struct spec_invocation returns(struct spec_invocation i, int64_t result) { return i.results = true, i.result = result, i; }
static struct spec_invocation in_state(struct spec_invocation i, int64_t state) { return i.states = true, i.state = state, i; }

static void answers(struct spec_invocation u, struct spec_invocation v, enum spec_answer answer) {
  const struct spec_caller caller = {has_bit, "data"};
  assert_int_equal(spec_commute(&spec, &u, &v, &caller), answer);
  assert_int_equal(spec_commute(&spec, &v, &u, &caller), answer);
}

static void formulas_say_what_commutes(void **state) {
  char error[SPEC_ERROR] = "";
  (void)state;
  read_text(formulas, error);
  assert_string_equal(error, "");
  struct spec_invocation put = invocation("put", 3, 1, 5), other = invocation("put", 3, 2, 5), equal = put,
                         get = invocation("get", 2, 1, 0);
  answers(put, other, SPEC_COMMUTE);
  answers(put, equal, SPEC_OPEN);
  answers(returns(put, 5), returns(equal, 5), SPEC_COMMUTE);
  answers(returns(put, 5), returns(equal, 0), SPEC_DIFFER);
  answers(returns(put, 5), equal, SPEC_OPEN);
  equal.object = 32;
  answers(put, equal, SPEC_COMMUTE);
  equal = invocation("put", 3, 1, 6);
  answers(put, equal, SPEC_DIFFER);
  answers(get, returns(put, 4), SPEC_DIFFER);
  answers(get, returns(invocation("put", 3, 1, 4), 4), SPEC_COMMUTE);
  answers(get, invocation("get", 2, 1, 0), SPEC_COMMUTE);
  answers(put, invocation("add", 2, 1, 0), SPEC_COMMUTE); /* another kind of object */
}

static void division_by_zero_does_not_commute(void **state) {
  char error[SPEC_ERROR] = "";
  (void)state;
  assert_true(
      read_text("object a = arg 0 of f, g\n commute f(m, k) -> r, g(m, j) if k / j == 2 || r % k == 0\n"
                " commute g(m, k), g(m, j) if k == 0 || j == 0 || k / j == j / k",
                error));
  answers(invocation("f", 2, 4, 0), invocation("g", 2, 0, 0), SPEC_DIVIDES);
  answers(invocation("f", 2, 4, 0), invocation("g", 2, 2, 0), SPEC_COMMUTE);
  answers(returns(invocation("f", 2, 4, 0), 8), invocation("g", 2, 3, 0), SPEC_COMMUTE);
  answers(returns(invocation("f", 2, 0, 0), 8), invocation("g", 2, 3, 0), SPEC_DIVIDES);
  answers(returns(invocation("f", 2, INT64_MIN, 0), 8), invocation("g", 2, -1, 0), SPEC_DIFFER);
  answers(invocation("g", 2, 0, 0), invocation("g", 2, 3, 0), SPEC_COMMUTE);
}

static void formulas_call_functions(void **state) {
  char error[SPEC_ERROR] = "";
  (void)state;
  assert_true(read_text(formulas, error));
  struct spec_invocation size = invocation("size", 1, 0, 0), put = invocation("put", 3, 1, 5);
  answers(size, in_state(put, 2), SPEC_COMMUTE);
  answers(size, in_state(put, 1), SPEC_OPEN);
  answers(in_state(size, 2), in_state(put, 1), SPEC_DIFFER);
  answers(in_state(size, 1), in_state(put, 1), SPEC_COMMUTE);
  answers(size, put, SPEC_OPEN);
  answers(size, in_state(invocation("put", 3, 60, 0), 2), SPEC_FAILS);
  assert_true(read_text("object a = arg 0 of f\n commute f(m, k), f(m, j) if has(k, j)", error));
  answers(invocation("f", 2, 3, 0), invocation("f", 2, 0, 0), SPEC_ASYMMETRIC);
  answers(invocation("f", 2, 0, 0), invocation("f", 2, 0, 0), SPEC_DIFFER);
}

static void access_points_say_what_commutes(void **state) {
  char error[SPEC_ERROR] = "";
  (void)state;
  assert_true(read_text(formulas, error));
  struct spec_invocation add = invocation("add", 2, 1, 0), has = invocation("has", 2, 1, 0);
  answers(add, has, SPEC_DIFFER);
  answers(add, invocation("has", 2, 2, 0), SPEC_COMMUTE);
  answers(has, has, SPEC_COMMUTE);
  answers(add, invocation("end", 1, 0, 0), SPEC_COMMUTE);
  answers(has, invocation("end", 1, 0, 0), SPEC_DIFFER);
  answers(invocation("size", 1, 0, 0), invocation("size", 1, 0, 0), SPEC_DIFFER); /* nothing is said of them */
}

static void names_have_a_length(void **state) {
  char text[1000], error[SPEC_ERROR];
  (void)state;
  snprintf(text, sizeof text, "object %0255d", 0);
  memset(text + 7, 'a', SPEC_NAME);
  assert_true(read_text(text, error));
  strcat(text, "a");
  assert_false(read_text(text, error));
  assert_string_equal(error, "F:1:8: a name has up to 255 characters");
}

static void what_is_too_much_is_refused(void **state) {
  static char text[200000];
  char error[SPEC_ERROR];
  size_t n = (size_t)sprintf(text, "object a\n");
  (void)state;
  for (int i = 0; i <= SPEC_ACTIONS; i++) n += (size_t)sprintf(text + n, "action f%d(s) on s: p\n", i);
  assert_false(read_text(text, error));
  assert_string_equal(error, "F:1026:8: there can be up to 1024 actions");
  n = (size_t)sprintf(text, "object a\n");
  for (int i = 0; i < SPEC_POINTS; i++) n += (size_t)sprintf(text + n, "action f%d(s) on s: p%d\n", i, i);
  assert_false(read_text(text, error));
  assert_string_equal(error, "F:17:21: an object has up to 15 access points");
  n = 0;
  for (int i = 0; i <= SPEC_OBJECTS; i++) n += (size_t)sprintf(text + n, "object a%d\n", i);
  assert_false(read_text(text, error));
  assert_string_equal(error, "F:65:8: there can be up to 64 objects");
}

/* Pieces of the text, bytes of all kinds, in any order. */
static void any_text_is_read_or_refused(void **state) {
  uint64_t random = 88172645463325252u;
  (void)state;
  for (int i = 0; i < 200000; i++) {
    char text[sizeof set + 64], error[SPEC_ERROR] = "";
    size_t n = sizeof set;
    memcpy(text, set, n);
    for (unsigned changes = (unsigned)(random >> 20) % 6; changes > 0; changes--) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      size_t at = (random >> 8) % (n - 1), other = (random >> 24) % (n - 1), length = (random >> 40) % 8;
      if (random & 1)
        text[at] = (char)(random >> 56);
      else if (random & 2)
        memmove(text + at, text + other, (other > at ? n - 1 - other : n - 1 - at) < length ? 0 : length);
      else
        text[at] = set[other];
    }
    text[n - 1] = 0;
    char *exact = malloc(strlen(text) + 1); /* a sanitizer sees reads behind the end */
    strcpy(exact, text);
    if (!read_text(exact, error)) assert_true(strncmp(error, "F:", 2) == 0 && strlen(error) < SPEC_ERROR);
    free(exact);
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_said_is_read),       cmocka_unit_test(what_is_wrong_is_said_where),
                                     cmocka_unit_test(formulas_say_what_commutes), cmocka_unit_test(division_by_zero_does_not_commute),
                                     cmocka_unit_test(formulas_call_functions),    cmocka_unit_test(access_points_say_what_commutes),
                                     cmocka_unit_test(names_have_a_length),        cmocka_unit_test(what_is_too_much_is_refused),
                                     cmocka_unit_test(any_text_is_read_or_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
