#include "cli/spec_test.h"

#include <inttypes.h>

#include "base/deadline.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/session.h"
#include "explore/commutation.h"

struct printing {
  const struct options *o;
  const struct spec *spec;
  const struct spec_files *files;
  struct text out;
};

#define NAME(n) (int)(n).length, (n).at

/* set_add(o, 1) */
static void put_call(struct printing *p, const struct commutation_call *c) {
  const struct spec_method *m = &p->spec->methods[c->method];
  text_printf(&p->out, "%.*s(", NAME(m->name));
  for (unsigned i = 0; i < c->n; i++) {
    if (i) text_puts(&p->out, ", ");
    if (i == m->on)
      text_puts(&p->out, "o");
    else
      text_printf(&p->out, "%" PRId64, c->arguments[i]);
  }
  text_puts(&p->out, ")");
}

/* The two calls in one order, as a line of C with what it comes to. */
static void put_order(struct printing *p, const struct commutation_case *c, unsigned order) {
  const struct spec_object *object = &p->spec->objects[p->spec->methods[c->calls[0].method].object];
  text_puts(&p->out, "    ");
  for (unsigned i = 0; i < 2; i++) {
    unsigned which = i ^ order;
    text_printf(&p->out, "long %c = ", "ab"[which]);
    put_call(p, &c->calls[which]);
    text_puts(&p->out, "; ");
  }
  if (c->stopped[order]) {
    text_puts(&p->out, "/* does not end */\n");
    return;
  }
  text_printf(&p->out, "/* a == %" PRId64 ", b == %" PRId64, c->results[order][0], c->results[order][1]);
  if (object->state != SPEC_NOTHING)
    text_printf(&p->out, ", then %.*s(o) == %" PRId64, NAME(p->spec->functions[object->state].name), c->states[order]);
  else if (order && c->states[0] != c->states[1])
    text_puts(&p->out, ", and later calls return something else");
  text_puts(&p->out, " */\n");
}

static void put_case(struct printing *p, const struct commutation_case *c, bool both) {
  if (c->before.count) text_puts(&p->out, "  after");
  for (size_t i = 0; i < c->before.count; i++) {
    text_puts(&p->out, " ");
    put_call(p, &c->before.data[i]);
    text_puts(&p->out, ";");
  }
  if (c->before.count) text_puts(&p->out, "\n");
  put_order(p, c, 0);
  if (both) put_order(p, c, 1);
}

/* The line that says it, if one does; with the methods. */
static void put_place(struct printing *p, const struct commutation_pair *x) {
  bool swapped;
  const struct spec_pair *pair = spec_pair(p->spec, x->methods[0], x->methods[1], &swapped);
  size_t i = p->o->specs.count;
  while (i-- > 1)
    if (p->files->methods.data[i] <= x->methods[0]) break;
  text_puts(&p->out, p->o->specs.data[i]);
  if (pair) text_printf(&p->out, ":%u", pair->line);
  text_printf(&p->out, ": %.*s, %.*s: ", NAME(p->spec->methods[x->methods[0]].name), NAME(p->spec->methods[x->methods[1]].name));
}

static bool put_wrong(struct printing *p, const struct commutation_result *r) {
  bool wrong = false;
  for (size_t i = 0; i < r->pairs.count; i++) {
    const struct commutation_pair *x = &r->pairs.data[i];
    if (!x->wrong) continue;
    put_place(p, x);
    text_puts(&p->out, "WRONG: these do not commute, although it says so\n");
    put_case(p, &x->first_wrong, true);
    wrong = true;
  }
  return wrong;
}

static void put_odd(struct printing *p, const struct commutation_result *r) {
  for (size_t i = 0; i < r->pairs.count; i++) {
    const struct commutation_pair *x = &r->pairs.data[i];
    if (!x->odd) continue;
    put_place(p, x);
    text_printf(&p->out, "%s\n", spec_answer_text(x->first_odd.answer));
    put_case(p, &x->first_odd, false);
  }
}

static void put_finer(struct printing *p, const struct commutation_result *r) {
  for (size_t i = 0; i < r->pairs.count; i++) {
    const struct commutation_pair *x = &r->pairs.data[i];
    uint64_t unsaid = x->tried - x->said;
    if (!x->unsaid_commuting) continue;
    put_place(p, x);
    if (x->unsaid_commuting == unsaid)
      text_puts(&p->out, "they always commuted, although it says that they need not");
    else
      text_printf(&p->out, "%" PRIu64 " of %" PRIu64 " cases commuted of which it says that they need not", x->unsaid_commuting, unsaid);
    text_puts(&p->out, ": it could be finer\n");
    put_case(p, &x->first_unsaid, false);
  }
}

static void put_summary(struct printing *p, const struct commutation_result *r) {
  text_printf(&p->out, "%" PRIu64 " states behind up to %" PRIu64 " calls, %" PRIu64 " cases, arguments from 0 to %" PRIu64 "\n", r->states,
              p->o->spec_operations, r->cases, p->o->spec_values - 1);
  if (r->stopped)
    text_printf(&p->out, "%" PRIu64 " calls failed, waited or did not end: what they were part of was left out\n", r->stopped);
}

/* What cannot be said by this program. */
static enum err check_met(const struct printing *p, const struct commutation_result *r, struct diag *d) {
  if (deadline_passed) return diag_set(d, ERR_INTERRUPTED, "%s", "the test was stopped before it was over");
  if (!r->unmet.count) return r->cases ? ERR_NONE : diag_set(d, ERR_UNSUPPORTED, "nothing could be tried: all calls failed or waited");
  diag_hint(d, "main() has to make one before it creates threads, and some method has to be called with it");
  return diag_set(d, ERR_UNSUPPORTED, "the program has no object \"%.*s\" when its threads begin",
                  NAME(p->spec->objects[r->unmet.data[0]].name));
}

static enum err test(const struct options *o, struct session *s, bool *wrong, struct diag *d) {
  struct printing p = {.o = o, .spec = &s->specs->spec, .files = s->specs};
  struct commutation_options options = {(uint32_t)o->spec_operations, (uint32_t)o->spec_values};
  struct commutation_result r = {0};
  enum err e = commutation_test(s->m, p.spec, &options, &r, d);
  if (!e) {
    *wrong = put_wrong(&p, &r);
    put_odd(&p, &r);
    put_finer(&p, &r);
    put_summary(&p, &r);
    e = *wrong ? ERR_NONE : check_met(&p, &r, d);
    if (!e && !*wrong) text_puts(&p.out, "no counterexample: the specification is right as far as this goes\n");
    if (console_write(&p.out, e ? &(struct diag){0} : d)) e = ERR_FILE;
  }
  commutation_release(&r);
  text_release(&p.out);
  return e;
}

static enum err check_options(const struct options *o, struct diag *d) {
  if (!o->specs.count) return diag_set(d, ERR_USAGE, "--test-spec needs --spec=FILE");
  if (o->strategy || o->json) return diag_set(d, ERR_USAGE, "--test-spec takes no strategy, and reports in no other format");
  if (o->spec_values == 0 || o->spec_values > 64) return diag_set(d, ERR_USAGE, "--spec-values takes a number from 1 to 64");
  if (o->spec_operations > 16) return diag_set(d, ERR_USAGE, "--spec-operations takes a number up to 16");
  return ERR_NONE;
}

int spec_test(const struct options *o) {
  struct diag d = {0};
  struct session s;
  bool wrong = false;
  enum err e = check_options(o, &d);
  struct session_inputs inputs = session_inputs_of(o);
  interrupt_catch();
  deadline_set(o->time > 0 ? deadline_now() + o->time : 0);
  if (!e && !(e = session_open(&s, &inputs, &d))) {
    e = test(o, &s, &wrong, &d);
    session_close(&s);
  }
  int code = e ? console_complain(&d) : wrong;
  diag_release(&d);
  return code;
}
