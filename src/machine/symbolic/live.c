/* States up to the names of inputs: what a program that reads input for ever comes back to.
 *
 *     while (1) { x = in(); lock(m); if (x == 5) up = !up; unlock(m); }
 *
 * Each turn has an input of its own, and may have any. Behind the loop's end nobody has it any more, and the state is that of the turn
 * before. Two paths that lead to states which are equal but for the names of inputs that they still have, and which say the same of
 * these, can go on in the same ways: what one may be given from here on, the other may be given, too. So it does not matter which inputs
 * there were, nor how many.
 *
 * What a path says of inputs that nobody has any more does not matter either, as long as there are such (value/living.h). What a process
 * was given at its beginning, like a file, can be read at any time: these symbols are always there, and keep their places. */
#include <stdlib.h>

#include "machine/memory/buffer.h"
#include "machine/symbolic/symbolic.h"

static void number_given(struct machine *m, const struct given *g) {
  for (size_t i = 0; i < symbolic_symbols(g); i++) renaming_number(&m->symbolic->names, symbolic_symbol(m, g, i));
}

static void number_sources(struct machine *m) {
  for (size_t i = 0; i < m->given.count && m->given.data[i].thread == 0 && m->given.data[i].number < m->options.nsources; i++)
    number_given(m, &m->given.data[i]);
}

/* An input that a thread has been given, and has not got in its memory yet. */
static void number_under_way(struct machine *m, const struct thread *t) {
  if (!t->phase || !t->inputs) return;
  size_t i = m->given.count;
  while (i-- > 0)
    if (m->given.data[i].thread == t->tid) break;
  if (i != SIZE_MAX) number_given(m, &m->given.data[i]);
}

static int by_address(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Bytes in use have their expressions instead of their values. */
static void put_memory(struct machine *m, struct fingerprint *f) {
  struct symbolic *s = m->symbolic;
  VEC(uint64_t) at = {0};
  for (size_t i = 0; s->nbytes && i < s->bytes.cap; i++)
    if (s->bytes.used[i] && s->bytes.values[i] && *shadow_at(s->bytes.keys[i]) & SHADOW_OK) *vec_push(&at) = s->bytes.keys[i];
  if (at.count) qsort(at.data, at.count, sizeof *at.data, by_address);
  for (size_t i = 0; i < at.count;) {
    uint64_t granule = at.data[i] & ~7ull, mask = 0;
    for (; i < at.count && (at.data[i] & ~7ull) == granule; i++) {
      mask |= 255ull << 8 * (at.data[i] & 7);
      fingerprint_xor(f, fingerprint_of(at.data[i], renaming_hash(&s->names, symbolic_memory_byte(s, at.data[i]))));
    }
    fingerprint_xor(f, memory_state_masked(granule, mask));
  }
  vec_release(&at);
}

/* --- what the path says of them --- */

/* A state's reduced conditions go on in those behind it: what is gone there stays gone. They are kept for the states on the way to the
 * present one, with the symbols that were not there any more. */
static void forget_last(struct symbolic *s) {
  struct symbolic_reduced *last = &s->reduced.data[--s->reduced.count];
  for (size_t i = 0; i < last->gone.count; i++) *hashmap_find(&s->gone, last->gone.data[i]) = 0;
  living_release(&last->living);
  vec_release(&last->gone);
}

void symbolic_forget_reduced(struct symbolic *s) {
  while (s->reduced.count) forget_last(s);
  vec_release(&s->reduced);
  hashmap_release(&s->gone);
}

static uint64_t prefix_hash(const struct symbolic *s, size_t count) {
  uint64_t h = 0;
  for (size_t i = 0; i < count; i++) h = hash_pair(h, s->decisions.data[i].condition.id);
  return h;
}

/* Is a symbol in use again that was not? Then this is a state before that. */
static bool is_before(const struct symbolic *s) {
  const struct hashmap *living = &s->names.numbers;
  for (size_t i = 0; i < living->cap; i++) {
    const uint64_t *gone = living->used[i] ? hashmap_find(&s->gone, living->keys[i]) : NULL;
    if (gone && *gone) return true;
  }
  return false;
}

static void note_gone(struct symbolic *s, struct symbolic_reduced *r, const struct expr *of, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t n;
    const struct symbol *symbols = symbol_set_list(s->pool, expr_symbols(s->pool, of[i]), &n);
    for (size_t k = 0; k < n; k++) {
      if (hashmap_find(&s->names.numbers, symbols[k].id)) continue;
      uint64_t *gone = hashmap_at(&s->gone, symbols[k].id, 0, NULL);
      if (!*gone) *vec_push(&r->gone) = symbols[k].id;
      *gone = 1;
    }
  }
}

static void put_conditions(struct machine *m, struct fingerprint *f) {
  struct symbolic *s = m->symbolic;
  if (s->decisions.count == 0) return;
  while (s->reduced.count && (vec_last(&s->reduced).count > s->decisions.count ||
                              vec_last(&s->reduced).prefix != prefix_hash(s, vec_last(&s->reduced).count) || is_before(s)))
    forget_last(s);
  size_t from = s->reduced.count ? vec_last(&s->reduced).count : 0;
  struct symbolic_reduced now = {.count = s->decisions.count, .prefix = prefix_hash(s, s->decisions.count)};
  for (size_t i = 0; from && i < vec_last(&s->reduced).living.conditions.count; i++)
    *vec_push(&now.living.conditions) = vec_last(&s->reduced).living.conditions.data[i];
  for (size_t i = from; i < s->decisions.count; i++) *vec_push(&now.living.conditions) = s->decisions.data[i].condition;
  note_gone(s, &now, now.living.conditions.data, now.living.conditions.count);
  if (from == s->decisions.count && now.gone.count == 0 && from) {
    living_release(&now.living);
  } else {
    living_reduce(&now.living, s->pool, s->solver, &s->scratch, &s->names.numbers);
    *vec_push(&s->reduced) = now;
  }
  const struct living *living = &vec_last(&s->reduced).living;
  for (size_t i = 0; i < living->conditions.count; i++) { /* added: two that are alike but for their order do not cancel each other */
    struct fingerprint one = fingerprint_of(1, renaming_hash(&s->names, living->conditions.data[i]));
    f->lo += one.lo, f->hi += one.hi;
  }
}

/* Where more than slots and memory have expressions, or more frames than those that run: the state by itself, and all that was decided. */
static bool is_plain(const struct machine *m) {
  if (m->buffers && buffers_symbolic(m)) return false;
  for (uint32_t i = 0; i < m->ncreated; i++)
    if (m->threads[m->created[i]]->interrupted.count) return false;
  return true;
}

static struct fingerprint whole_state(struct machine *m, bool conditions) {
  const struct symbolic *s = m->symbolic;
  struct fingerprint f = machine_state(m);
  for (size_t i = 0; conditions && i < s->decisions.count; i++)
    fingerprint_xor(&f, fingerprint_of(expr_hash(s->pool, s->decisions.data[i].condition).lo, 2));
  return f;
}

struct fingerprint machine_live_state(struct machine *m, bool conditions) {
  if (!is_plain(m)) return whole_state(m, conditions);
  renaming_clear(&m->symbolic->names);
  number_sources(m);
  for (uint32_t i = 0; i < m->ncreated; i++) number_under_way(m, m->threads[m->created[i]]);
  struct fingerprint f = machine_state_with(m, &m->symbolic->names);
  put_memory(m, &f);
  if (conditions) put_conditions(m, &f);
  return f;
}
