#include "machine/apart.h"

#include <assert.h>
#include <string.h>

#include "machine/memory/access.h"
#include "machine/symbolic/symbolic.h"

struct value_pool *apart_pool(struct machine *m) {
  return m->symbolic->pool;
}
struct value_solver *apart_solver(struct machine *m) {
  return m->symbolic->solver;
}

/* Values of expressions with the symbol are forgotten; there are others only if it was said to be something else before. */
static void say(struct machine *m, struct symbol s, uint64_t value) {
  value_model_set(&m->symbolic->model, s, value);
  evaluator_begin(&m->symbolic->evaluator, m->symbolic->pool, &m->symbolic->model);
}

void apart_read(struct machine *m, uint32_t thread, struct expr symbol, uint64_t value) {
  struct symbolic *s = m->symbolic;
  const struct event *e = machine_pending(m, thread);
  struct symbol is = expr_the_symbol(s->pool, symbol);
  assert(e->size <= 8 && expr_width(s->pool, symbol) == 8 * e->size);
  if ((uint64_t)value_model_get(&s->model, is) != value) say(m, is, value);
  memory_log(&m->memory, e->object, e->size);
  uint8_t *shadow = shadow_at(e->object);
  for (uint64_t i = 0; i < e->size; i++) shadow[i] &= (uint8_t)~SHADOW_UNINIT;
  memcpy(host_at(e->object), &value, e->size);
  symbolic_put_value(s, e->object, e->size, symbol);
}

struct expr apart_memory(const struct machine *m, uint64_t address, uint64_t size) {
  const struct symbolic *s = m->symbolic;
  struct expr e = symbolic_memory_byte(s, address + size - 1);
  for (uint64_t i = size - 1; i-- > 0;) e = expr_concat(s->pool, e, symbolic_memory_byte(s, address + i));
  return e;
}

size_t apart_conditions(const struct machine *m) { return m->symbolic->decisions.count; }
struct expr apart_condition(const struct machine *m, size_t i) {
  return m->symbolic->decisions.data[i].condition;
}
bool apart_condition_fixes(const struct machine *m, size_t i) { return m->symbolic->decisions.data[i].way == 0; }

void apart_told(struct machine *m, uint32_t bits, uint64_t logged) {
  struct symbolic *s = m->symbolic;
  s->wanted = expr_constant(s->pool, 1, 0);
  if (!s->told) return;
  struct expr told = expr_extract(s->pool, (struct expr){(uint32_t)(s->told - 1)}, 0, bits);
  struct expr is = expr_binary(s->pool, EXPR_EQ, told, expr_constant(s->pool, bits, logged));
  bits128 constant;
  if (!symbolic_value(s, is))
    s->wanted = is;
  else if (!expr_is_constant(s->pool, is, &constant))
    *vec_push(&s->decisions) = (struct decision){.condition = is, .way = 1, .told = true};
}

bool apart_condition_told(const struct machine *m, size_t i) { return m->symbolic->decisions.data[i].told; }

/* Constants are no steps; nor is anything as long as there is one thread. */
bool apart_reaches(struct machine *m, struct thread *t, struct expr address, uint64_t at, uint64_t size) {
  if (!m->symbolic->apart || m->single) return false;
  if (in_arena(at, size) && *shadow_at(at) & SHADOW_READONLY) return false;
  t->reaches = address.id + 1u, t->reaches_at = at;
  return true;
}

bool apart_reached(const struct machine *m, uint32_t thread, struct expr *address, uint64_t *at) {
  const struct thread *t = m->threads[thread];
  if (!t->reaches) return false;
  *address = (struct expr){(uint32_t)(t->reaches - 1)};
  *at = t->reaches_at;
  return true;
}

bool apart_wanted(const struct machine *m, struct expr *condition) {
  bits128 constant;
  *condition = m->symbolic->wanted;
  return condition->id && !expr_is_constant(m->symbolic->pool, *condition, &constant);
}

uint64_t apart_log_at(const struct machine *m, uint32_t thread) { return m->threads[thread]->path_at; }

bool apart_log_ended(const struct machine *m, uint32_t thread) {
  const struct thread *t = m->threads[thread];
  return t->path == PATH_THREADS || t->path_at >= m->options.paths->threads.data[t->path].bits;
}

bool apart_is_own(const struct machine *m, uint32_t thread, uint64_t address) { return (void)m, region_of(address) == thread; }
