/* What makes the problem smaller before it is asked. */
#include <string.h>

#include "reproduce/internal.h"

/* With what is known in place of symbols. */
static struct expr known(struct formula *f, struct expr e) {
  size_t n;
  vec_clear(&f->substitutions);
  const struct symbol *of = symbol_set_list(f->pool, expr_symbols(f->pool, e), &n);
  for (size_t i = 0; i < n; i++) {
    struct expr by = f->becomes.data[reader_of(f, of[i])];
    if (by.id != NO_EXPR.id) *vec_push(&f->substitutions) = (struct substitution){of[i], by.id};
  }
  return f->substitutions.count ? expr_substitute(f->pool, e, f->substitutions.data, f->substitutions.count) : e;
}

/* What a read finds that can find one thing only: a number, or what the thread wrote itself. */
static bool settle_read(struct formula *f, uint32_t read) {
  const struct apart_event *e = event_at(f, read);
  bits128 constant;
  if (f->places.data[read].sources != 1 || f->becomes.data[read].id != NO_EXPR.id) return false;
  uint32_t write = source_at(f, read, 0)->write;
  unsigned width = expr_width(f->pool, f->read.data[read]);
  struct expr is = write == NOBODY ? expr_constant(f->pool, (unsigned)(8 * e->size), e->initial) : known(f, f->written.data[write]);
  is = expr_extract(f->pool, is, 0, width);
  if (write != NOBODY && write != f->places.data[read].own && !expr_is_constant(f->pool, is, &constant)) return false;
  f->becomes.data[read] = is;
  f->places.data[read].settled = write;
  return true;
}

/* Numbers that are known exclude others; so several times, as long as that goes on. */
enum err fewer_settle(struct formula *f) {
  bool more = true;
  for (unsigned rounds = 0; more && rounds < 8; rounds++) {
    enum err e = reads_find_sources(f);
    if (e) return e;
    more = false;
    for (uint32_t i = 0; i < f->a->events.count; i++) {
      if (apart_writes(event_at(f, i))) f->written.data[i] = known(f, f->written.data[i]);
      if (apart_reads(event_at(f, i))) more |= settle_read(f, i);
    }
    for (size_t i = 0; more && i < f->conditions.count; i++) f->conditions.data[i] = known(f, f->conditions.data[i]);
  }
  return ERR_NONE;
}

/* The last of the condition's symbols that its thread has read. */
static uint32_t last_reader(const struct formula *f, struct expr condition) {
  size_t n;
  uint32_t last = 0;
  const struct symbol *of = symbol_set_list(f->pool, expr_symbols(f->pool, condition), &n);
  for (size_t i = 0; i < n; i++)
    if (reader_of(f, of[i]) > last) last = reader_of(f, of[i]);
  return last;
}

static bool is_written(const struct formula *f, struct symbol s) { return hashmap_find(&f->in_writes, s.id) != NULL; }

static bool is_known(const struct formula *f, struct expr condition) {
  bits128 constant;
  return (expr_is_constant(f->pool, condition, &constant) && constant) || hashmap_find(&f->conditions_known, condition.id);
}

/* Is nothing new asked of `leader` if `read` finds the same? */
static bool may_merge(struct formula *f, uint32_t read, uint32_t leader) {
  struct symbol s = expr_the_symbol(f->pool, f->read.data[read]);
  if (is_written(f, s) || f->becomes.data[read].id != NO_EXPR.id) return false;
  f->becomes.data[read] = f->read.data[leader];
  bool good = true;
  for (uint32_t i = f->first_due.data[read]; i && good; i = f->next_due.data[i - 1])
    good = is_known(f, known(f, f->conditions.data[i - 1]));
  if (!good) f->becomes.data[read] = NO_EXPR;
  return good;
}

/* Of each thread: its last reads since it did anything else. */
struct recent {
  struct hashmap of; /* address -> event + 1 */
};

static void merge_read(struct formula *f, uint32_t read, struct recent *recent) {
  uint64_t *last = hashmap_at(&recent->of, event_at(f, read)->object, 0, NULL);
  uint32_t leader = (uint32_t)*last - 1;
  if (*last && may_merge(f, read, leader)) {
    f->leader.data[read] = leader;
    f->places.data[leader].until = f->places.data[read].step;
  } else {
    *last = read + 1;
  }
  for (uint32_t i = f->first_due.data[read]; i; i = f->next_due.data[i - 1]) {
    f->conditions.data[i - 1] = known(f, f->conditions.data[i - 1]);
    hashmap_at(&f->conditions_known, f->conditions.data[i - 1].id, 1, NULL);
  }
}

static void note_written(struct formula *f, struct expr e) {
  size_t n;
  const struct symbol *of = symbol_set_list(f->pool, expr_symbols(f->pool, e), &n);
  for (size_t i = 0; i < n; i++) hashmap_at(&f->in_writes, of[i].id, 1, NULL);
}

void fewer_note_symbol(struct formula *f, uint32_t read) {
  struct symbol s = expr_the_symbol(f->pool, f->read.data[read]);
  value_model_set(&f->values, s, 0);
  *hashmap_at(&f->reader, s.id, 0, NULL) = read;
}

#define NARROW 8u

/* Is all that is known to be there small? */
static bool is_small(struct formula *f, const struct location *l) {
  bits128 value;
  for (size_t i = 0; i < l->writes.count; i++)
    if (expr_is_constant(f->pool, f->written.data[l->writes.data[i]], &value) && value >> (NARROW - 1)) return false;
  return l->size > NARROW / 8 && l->reads.count && !(event_at(f, l->reads.data[0])->initial >> (NARROW - 1));
}

/* Flags, states and counters are small numbers: of their symbols, a few bits are taken to be all. As with fewer_reads(), solutions are
 * solutions, but there may be others. */
void fewer_bits(struct formula *f) {
  for (size_t i = 0; i < f->locations.count; i++) {
    const struct location *l = &f->locations.data[i];
    for (size_t k = 0; is_small(f, l) && k < l->reads.count; k++) {
      uint32_t read = l->reads.data[k];
      struct symbol_name name = symbol_name(f->pool, expr_the_symbol(f->pool, f->read.data[read]));
      struct expr symbol = expr_symbol(f->pool, name, NARROW);
      f->becomes.data[read] = expr_zext(f->pool, symbol, (unsigned)(8 * l->size));
      f->read.data[read] = symbol;
    }
  }
  for (uint32_t i = 0; i < f->a->events.count; i++)
    if (apart_writes(event_at(f, i))) f->written.data[i] = known(f, f->written.data[i]);
  for (size_t i = 0; i < f->conditions.count; i++) f->conditions.data[i] = known(f, f->conditions.data[i]);
  for (uint32_t i = 0; i < f->a->events.count; i++) {
    f->becomes.data[i] = NO_EXPR;
    if (apart_reads(event_at(f, i))) fewer_note_symbol(f, i);
  }
}

/* Turns of a loop that waits ask the same of what they read. They are taken to find the same, and so are one read that takes its time: a
 * smaller problem, whose solutions are solutions; but there may be others. */
void fewer_reads(struct formula *f) {
  struct recent *recent = mem_alloc(THREADS_MAX * sizeof *recent);
  memset(recent, 0, THREADS_MAX * sizeof *recent);
  (void)vec_push_n(&f->first_due, f->a->events.count);
  memset(f->first_due.data, 0, f->first_due.count * sizeof *f->first_due.data);
  for (uint32_t i = 0; i < f->conditions.count; i++) {
    uint32_t last = last_reader(f, f->conditions.data[i]);
    *vec_push(&f->next_due) = f->first_due.data[last];
    f->first_due.data[last] = i + 1;
  }
  for (uint32_t i = 0; i < f->a->events.count; i++)
    if (apart_writes(event_at(f, i))) note_written(f, f->written.data[i]);
  for (uint32_t i = 0; i < f->a->events.count; i++) {
    const struct apart_event *e = event_at(f, i);
    if (apart_reads(e) && !apart_writes(e))
      merge_read(f, i, &recent[e->thread]);
    else
      hashmap_clear(&recent[e->thread].of);
  }
  for (unsigned t = 0; t < THREADS_MAX; t++) hashmap_release(&recent[t].of);
  mem_free(recent, THREADS_MAX * sizeof *recent);
}
