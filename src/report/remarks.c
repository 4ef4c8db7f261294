#include "report/remarks.h"

#include <string.h>

#include "base/hash.h"
#include "report/place.h"
#include "report/report.h"

/* Places that a line names. JSON has all of them. */
#define PLACES_SHOWN 3

void remark_places_find(const struct machine *m, enum machine_remark what, struct remark_places *to) {
  const struct image *image = machine_image(m);
  struct hashmap known = {0}; /* several sites are one place: a ? b() : c() */
  for (uint32_t i = 0; i < image->nsites; i++) {
    if (!machine_remarked(m, i, what)) continue;
    struct text t = {0};
    struct place place = place_of_site(image, i);
    place_text(&place, &t);
    bool is_new;
    hashmap_at(&known, hash_bytes(t.data, t.count, 0), 1, &is_new);
    if (is_new)
      *vec_push(&to->at) = t;
    else
      text_release(&t);
  }
  hashmap_release(&known);
}

void remark_places_release(struct remark_places *p) {
  for (size_t i = 0; i < p->at.count; i++) text_release(&p->at.data[i]);
  vec_release(&p->at);
}

void remark_places_text(const struct remark_places *p, struct text *out) {
  size_t n = p->at.count, shown = n <= PLACES_SHOWN + 1 ? n : PLACES_SHOWN; /* "and 1 more place" is no shorter than the place */
  for (size_t i = 0; i < shown; i++) {
    if (i) text_puts(out, i + 1 == n ? " and " : ", ");
    text_puts(out, text_str(&p->at.data[i]));
  }
  if (n > shown) text_printf(out, " and %zu more places", n - shown);
}

/* The sentence, with the places where that happened; nothing if it did not. */
static struct text *add(const struct machine *m, enum machine_remark what, const char *sentence, struct text *to) {
  struct remark_places places = {0};
  remark_places_find(m, what, &places);
  if (places.at.count) {
    text_puts(to, sentence);
    remark_places_text(&places, to);
  }
  remark_places_release(&places);
  return to;
}

static void add_orders(struct report *r) {
  static const char *const names[] = {"relaxed", "acquire", "release", "acq_rel"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    struct remark_order order = {.order = names[i]};
    remark_places_find(r->m, (enum machine_remark)(REMARK_RELAXED + i), &order.places);
    if (order.places.at.count) *vec_push(&r->orders) = order;
  }
}

void remarks_report(struct report *r, bool arguments) {
  if (!r->m) return; /* the time was up before there was one */
  struct text t = {0};
  if (add(r->m, REMARK_SAMPLED, "inputs were sampled: a few of the values that they may have were tried, drawn at ", &t)->count)
    *vec_push(&r->uncovered) = t, t = (struct text){0};
  if (add(r->m, REMARK_ASKS, "input is read again and again, and what the program holds grew each time: at ", &t)->count)
    *vec_push(&r->notes) = t, t = (struct text){0};
  if (add(r->m, REMARK_INPUT_END, "standard input was empty (--input gives one): read at ", &t)->count)
    *vec_push(&r->notes) = t, t = (struct text){0};
  if (add(r->m, REMARK_CLOCK, "one course of time was explored for each order in which the clock is read: at ", &t)->count)
    *vec_push(&r->notes) = t, t = (struct text){0};
  if (add(r->m, REMARK_CIRCLE, "threads can hold each other up for ever, but only in step (one that runs alone for a while gets out): at ",
          &t)
          ->count)
    *vec_push(&r->notes) = t, t = (struct text){0};
  if (add(r->m, REMARK_LIBRARY, "a library that dlopen() asked for was not there (--loads=FILE gives one): at ", &t)->count)
    *vec_push(&r->notes) = t, t = (struct text){0};
  if (add(r->m, REMARK_STACK, "threads were given stacks in the program's memory, but had their locals elsewhere: created at ", &t)->count)
    *vec_push(&r->notes) = t, t = (struct text){0};
  if (add(r->m, REMARK_TEAM, "OpenMP's teams had 2 threads where nobody says how many (OMP_NUM_THREADS does): at ", &t)->count)
    *vec_push(&r->notes) = t, t = (struct text){0};
  if (!arguments && machine_reads_arguments(r->m)) {
    text_puts(&t, "the program looks at its arguments and was given none (behind --)");
    *vec_push(&r->notes) = t;
  }
  add_orders(r);
}

void remarks_orders_text(const struct report *r, struct text *out) {
  size_t places = 0;
  for (size_t i = 0; i < r->orders.count; i++) places += r->orders.data[i].places.at.count;
  if (places == 0) return;
  bool sc = strcmp(r->memory, "sc") == 0;
  text_printf(out, "%zu place%s with weaker orders than seq_cst %s explored as %s, C11 allows more: ", places, places == 1 ? "" : "s",
              places == 1 ? "was" : "were", sc ? "seq_cst" : r->memory);
  for (size_t i = 0; i < r->orders.count; i++) {
    text_printf(out, "%s%s at ", i ? "; " : "", r->orders.data[i].order);
    remark_places_text(&r->orders.data[i].places, out);
  }
}
