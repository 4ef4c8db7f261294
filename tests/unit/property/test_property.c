/* Properties: which cases a pattern has, what is refused and where; and the properties that Heddle comes with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "property/property.h"

static struct properties all;

static enum err read_text(const char *text, struct diag *d) {
  properties_release(&all);
  return properties_read(&all, text, "F", d);
}

static const struct property *one(const char *pattern) {
  static char text[2000];
  struct diag d = {0};
  snprintf(text, sizeof text,
           "property p(x) {\n"
           "event a before call a(x)\n"
           "event b before call b(x)\n"
           "event c before call c(x)\n"
           "pattern %s\n"
           "}",
           pattern);
  enum err e = read_text(text, &d);
  if (e) print_message("%s\n", text_str(&d.message));
  diag_release(&d);
  assert_int_equal(e, ERR_NONE);
  return &all.list.data[0];
}

static void refused(const char *pattern, const char *message) {
  char text[2000], expected[1000];
  struct diag d = {0};
  snprintf(text, sizeof text, "property p(x) { event a before call a(x) event b before call b(x) event c before call c(x) pattern\n%s\n}",
           pattern);
  snprintf(expected, sizeof expected, "F:%s", message);
  assert_int_equal(read_text(text, &d), ERR_FORMAT);
  assert_string_equal(text_str(&d.message), expected);
  diag_release(&d);
  assert_int_equal(all.list.count, 0);
}

/* Of an atom: its event's name, threads and regions as in patterns, and what it comes after. */
static void describe(const struct property *p, struct text *out) {
  text_clear(out);
  for (size_t k = 0; k < p->cases.count; k++) {
    const struct property_case *c = &p->cases.data[k];
    if (k) text_puts(out, " | ");
    for (unsigned i = 0; i < c->natoms; i++) {
      const struct property_atom *a = &c->atoms[i];
      text_printf(out, "%s%.*s", i ? " " : "", (int)p->events.data[a->event].name.length, p->events.data[a->event].name.at);
      if (a->thread >= 0) text_printf(out, "@%d", a->thread);
      if (a->begins >= 0) text_printf(out, "<%d", a->begins);
      if (a->ends >= 0) text_printf(out, ">%d", a->ends);
      if (a->maybe) text_puts(out, "?");
      for (unsigned j = 0; j < c->natoms; j++)
        if (a->before >> j & 1) text_printf(out, "+%u", j);
      for (unsigned j = 0; j < c->natoms; j++)
        if (a->parallel >> j & 1) text_printf(out, "=%u", j);
    }
    for (unsigned i = 0; i < c->nabsences; i++) {
      const struct property_absence *n = &c->absences[i];
      const struct property_text *name = &p->events.data[n->event].name;
      text_printf(out, " no %.*s%s", (int)name->length, name->at, n->had ? " (had)" : "");
      for (unsigned j = 0; j < c->natoms; j++)
        if (n->since >> j & 1) text_printf(out, "+%u", j);
      text_printf(out, "-%u", n->atom);
    }
  }
}

static void patterns_have_cases(void **state) {
  static const char *const expected[][2] = {
      {"a b c", "a b+0 c+0+1"},
      {"a | b c", "a | b c+0"},
      {"a & b c", "a b c+1"},
      {"(a | b) c", "a c+0 | b c+0"},
      {"(a b) & c", "a b+0 c"},
      {"(a b) (b c)", "a b+0 b+0+1 c+0+1+2"},
      {"a b* c", "a c+0"},
      {"a b+ c?", "a b+0"},
      {"a (b | c)+ a", "a b+0 a+0+1 | a c+0 a+0+1"},
      {"a (b c)? a", "a a+0"},
      {"a(t) || b(s)", "a@0=1 b@1=0"},
      {"c a || b c", "c a+0=2 b+0=1 c+0+1+2"},
      {"(a | b) || c", "a=1 c=0 | b=1 c=0"},
      {"a(t, <r) b(s) c(t, >r)", "a@0<0 b@1+0 c@0>0+0+1"},
      {"a(t, <r) b(s) c(t, >r)? b", "a@0<0 b@1+0 c@0>0?+0+1 b+0+1"},
      {"!(a b)", "b no a (had)-0"},
      {"!(a b c)", "b no a (had)-0 | c no b (had)-0"},
      {"c !(a b)", "c b+0 no a (had)-1"},
      {"a !b c", "a c+0 no b+0-1"},
      {"!b c", "c no b-0"},
      {"a !b !c a", "a a+0 no b+0-1 no c+0-1"},
      {"a !b(t) (b & c)", "a b+0 c+0 no b+0-1 no b+0-2"},
      {"a & !b c", "a c no b-1"},
      {"a (b)", "a b+0"},
      {"a(b) c", "a@0 c+0"},
  };
  (void)state;
  struct text got = {0};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    describe(one(expected[i][0]), &got);
    assert_string_equal(text_str(&got), expected[i][1]);
  }
  text_release(&got);
}

static void what_is_wrong_is_said_where(void **state) {
  (void)state;
  refused("a d", "2:3: `d' is no event of the property");
  refused("a*", "2:1: the pattern is matched although nothing happens");
  refused("a | b*", "2:1: the pattern is matched although nothing happens");
  refused("(a b", "3:1: expected `)', found `}'");
  refused("a b)", "2:4: expected `}', found `)'");
  refused("!(a b*)", "2:6: `*' cannot be denied: `!' is for events one after the other");
  refused("!(a)", "2:2: `!' is for two events or more, one after the other");
  refused("!(a b)+", "2:7: `!' and `+' do not go together");
  refused("a !b", "3:1: expected an event behind what must not come before it, found `}'");
  refused("a || b || c", "2:8: `||' stands between two events, and not more");
  refused("(a b) || c", "2:7: `||' stands between two events");
  refused("a(t) || b(t)", "2:1: a thread does not do two things at a time");
  refused("a(t) b(t, >r)", "2:6: `b' ends a region that no event before it, of the same thread, begins");
  refused("a(t, <r) b(s, >r)", "2:10: `b' ends a region that no event before it, of the same thread, begins");
  refused("a(t, s)", "2:6: an event is of one thread");
  refused("!(a(<r) b)", "2:6: no region can be named within `!'");
  refused("a $ b", "2:3: `$' means nothing here");
  refused("a a a a a a a a a a a a a", "2:25: more than 12 events have to come together for a match");
  refused("", "3:1: expected an event, found `}'");
}

static void refused_text(const char *text, const char *message) {
  struct diag d = {0};
  assert_int_equal(read_text(text, &d), ERR_FORMAT);
  assert_string_equal(text_str(&d.message), message);
  diag_release(&d);
}

static void declarations_are_checked(void **state) {
  (void)state;
  refused_text("hello", "F:1:1: expected `property', found `hello'");
  refused_text("property p(x, x) {", "F:1:15: parameter `x' is there twice");
  refused_text("property p(x) { pattern a }", "F:1:17: expected `event', found `pattern'");
  refused_text("property p(x)\n{ event a before call f(y) pattern a }", "F:2:25: `y' is no parameter of the property");
  refused_text("property p(x) { event a before call f() returns x pattern a }",
               "F:1:41: what a function returns is not known before the call: write `after call'");
  refused_text("property p(x) { event a before read y value 1 pattern a }", "F:1:39: what is read is not known before: write `after read'");
  refused_text("property p() { event a during call f() pattern a }", "F:1:24: expected `before', `after' or `at', found `during'");
  refused_text("property p() { event a before\ncall f(", "F:2:8: expected a parameter, a number or *, found the end of the file");
  refused_text("property p() { event a after call f() event a after call f() pattern a }", "F:1:45: event `a' is there twice");
  refused_text("property p() { event a after call f(12x) pattern a }", "F:1:37: a number that goes on with a letter");
}

static void sources_say_what_they_are(void **state) {
  struct diag d = {0};
  (void)state;
  assert_int_equal(read_text("property p(x, y) { # an example\n"
                             "  event a after call f(x, *, 0x10, -1, NULL, ...) returns y | std::g(x) | before write t.field of x value 3\n"
                             "  event b before acquire y\n"
                             "  event c at mark here | at mark there(x)\n"
                             "  pattern a b c }",
                             &d),
                   ERR_NONE);
  const struct property *p = properties_find(&all, "p");
  assert_non_null(p);
  assert_null(properties_find(&all, "q"));
  assert_int_equal(p->sources.count, 6);
  const struct property_source *f = &p->sources.data[0], *g = f + 1, *w = f + 2, *mark = f + 4;
  assert_true(f->what == PROPERTY_CALL && f->after && f->more && f->narguments == 5);
  assert_true(f->arguments[0].kind == PROPERTY_PARAMETER && f->arguments[1].kind == PROPERTY_ANY);
  assert_true(f->arguments[2].number == 16 && f->arguments[3].number == UINT64_MAX && f->arguments[4].kind == PROPERTY_NUMBER);
  assert_true(f->result.kind == PROPERTY_PARAMETER && f->result.parameter == 1);
  assert_true(g->what == PROPERTY_CALL && g->after && !g->more && g->name.length == 6);
  assert_true(w->what == PROPERTY_WRITE && !w->after && w->name.length == 7 && w->value.number == 3 && w->object.parameter == 0);
  assert_true(mark->what == PROPERTY_MARK && mark->narguments == 0);
  assert_int_equal(p->events.data[0].parameters, 1); /* x alone is given by all */
  assert_int_equal(p->events.data[2].parameters, 0);
}

static void shipped_properties_are_right(void **state) {
  static const char *const names[] = {"data-race",        "atomicity-violation",   "deadlock",
                                      "null-dereference", "check-then-act",        "use-before-initialise",
                                      "use-after-close",  "iterator-invalidation", "authenticate-before-use"};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct text path = {0}, text = {0};
    struct diag d = {0};
    text_printf(&path, "%s/specs/properties/%s.property", SOURCE_ROOT, names[i]);
    assert_int_equal(file_read(text_str(&path), FILE_TEXT, &text, &d), ERR_NONE);
    enum err e = read_text(text_str(&text), &d);
    if (e) print_message("%s: %s\n", names[i], text_str(&d.message));
    assert_int_equal(e, ERR_NONE);
    assert_int_equal(all.list.count, 1);
    properties_release(&all);
    all = (struct properties){0};
    text_release(&path), text_release(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_have_cases),          cmocka_unit_test(what_is_wrong_is_said_where),
      cmocka_unit_test(declarations_are_checked),     cmocka_unit_test(sources_say_what_they_are),
      cmocka_unit_test(shipped_properties_are_right),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  properties_release(&all);
  return failed;
}
