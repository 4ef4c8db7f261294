#include "machine/symbolic/symbolic.h"

#include <assert.h>
#include <string.h>

#include "machine/memory/buffer.h"

/* Bytes of a symbol: what has to do with one byte of a text has nothing to do with the others. But the sets of symbols of what is computed
 * from a long input would be longer than the input; and a value is one. */
#define LONG_INPUT 1024u
static unsigned chunk_of(const struct given *input) { return input->value || input->size > LONG_INPUT ? 8 : 1; }

#define CONDITIONS_MOST (1u << 18)
#define PATH_MOST       (1u << 12) /* of a path that is compared with others at each step */

struct symbolic *symbolic_new(void) {
  struct symbolic *s = mem_alloc(sizeof *s);
  *s = (struct symbolic){.pool = value_pool_new(), .low = UINT64_MAX};
  s->names.pool = s->pool;
  s->solver = value_solver_new(s->pool, &(struct value_options){0}, NULL); /* the engine that is built in is always there */
  evaluator_begin(&s->evaluator, s->pool, &s->model);
  return s;
}

void symbolic_free(struct symbolic *s) {
  if (!s) return;
  pending_release(&s->pending);
  value_solver_free(s->solver);
  evaluator_release(&s->evaluator);
  value_model_release(&s->model);
  value_pool_free(s->pool);
  vec_release(&s->decisions);
  hashmap_release(&s->known);
  hashmap_release(&s->bytes);
  symbolic_release_tables(s);
  renaming_release(&s->names);
  evaluator_release(&s->scratch);
  symbolic_forget_reduced(s);
  vec_release(&s->undo);
  vec_release(&s->marks);
  mem_free(s, sizeof *s);
}

static struct expr expression(uint64_t of) { return (struct expr){(uint32_t)(of - 1)}; }
uint64_t symbolic_value(struct symbolic *s, struct expr e) { return (uint64_t)evaluator_value(&s->evaluator, e); }

/* --- slots --- */

void symbolic_set(struct thread *t, uint32_t slot, uint64_t expression) {
  if (slot >= t->expressions.count) {
    if (!expression) return;
    size_t more = slot + 1 - t->expressions.count;
    memset(vec_push_n(&t->expressions, more), 0, more * sizeof *t->expressions.data);
  }
  t->expressions.data[slot] = expression;
}

uint64_t symbolic_expression_hash(const struct machine *m, uint64_t of) { return expr_hash(m->symbolic->pool, expression(of)).lo | 1; }

void symbolic_set_value(struct symbolic *s, struct thread *t, uint32_t slot, struct expr e) {
  bits128 value;
  e = expr_zext(s->pool, e, 64);
  symbolic_set(t, slot, expr_is_constant(s->pool, e, &value) ? 0 : e.id + 1u);
}

uint64_t symbolic_hash(const struct machine *m, const struct thread *t, uint32_t slot) {
  uint64_t of = symbolic_of(t, slot);
  return of ? symbolic_expression_hash(m, of) : 0;
}

void symbolic_returned(struct machine *m, struct thread *t, uint32_t slot) {
  uint64_t *returned = m->symbolic->returned;
  if (returned[0]) symbolic_set(t, slot, returned[0]);
  if (returned[1]) symbolic_set(t, slot + 1, returned[1]);
  returned[0] = returned[1] = 0;
}

/* --- conditions --- */

bool symbolic_full(struct machine *m) {
  if (m->symbolic->decisions.count < (m->symbolic->paths ? PATH_MOST : CONDITIONS_MOST)) return false;
  m->data_limit = DATA_DECISIONS;
  return true;
}

/* `way`: that it holds; `other`: that it does not. */
static void note(struct symbolic *s, struct expr condition, uint64_t way, uint64_t other) {
  uint64_t *known = hashmap_at(&s->known, condition.id, 0, NULL);
  if (*known) return;
  *known = 1;
  *vec_push(&s->decisions) = (struct decision){condition, way, other, false};
}

bool symbolic_decided(struct symbolic *s, struct expr condition, uint64_t which) {
  bits128 constant;
  if (expr_is_constant(s->pool, condition, &constant)) return constant;
  bool holds = symbolic_value(s, condition);
  if (!holds) condition = expr_not(s->pool, condition);
  note(s, condition, pending_way(s->place, 2 * which + holds), pending_way(s->place, 2 * which + !holds));
  return holds;
}

void symbolic_fix_value(struct symbolic *s, struct expr e) {
  unsigned width = expr_width(s->pool, e);
  struct expr is = expr_binary(s->pool, EXPR_EQ, e, expr_constant(s->pool, width, symbolic_value(s, e)));
  bits128 constant;
  if (!expr_is_constant(s->pool, is, &constant)) note(s, is, 0, 0);
}

void symbolic_fix(struct machine *m, struct thread *t, uint32_t slot) {
  uint64_t of = symbolic_of(t, slot);
  if (!of) return;
  symbolic_fix_value(m->symbolic, expression(of));
  symbolic_set(t, slot, 0);
}

/* --- memory --- */

static uint64_t byte_at(const struct symbolic *s, uint64_t address) {
  const uint64_t *of = hashmap_find(&s->bytes, address);
  return of ? *of : 0;
}

/* Most of what is read and written is in lines that have no symbolic byte, and needs no look at each of its bytes. */
static size_t line_of(uint64_t address) { return address / LINE_BYTES % SYMBOLIC_LINES; }

static void print_byte(struct symbolic *s, uint64_t address, uint64_t of) {
  if (!of) return;
  fingerprint_xor(&s->print, fingerprint_of(address, expr_hash(s->pool, expression(of)).lo));
}

static void put_byte(struct symbolic *s, uint64_t address, uint64_t of) {
  uint64_t *at = hashmap_at(&s->bytes, address, 0, NULL);
  print_byte(s, address, *at);
  print_byte(s, address, of);
  s->nbytes += (of != 0) - (size_t)(*at != 0);
  s->lines[line_of(address)] += (of != 0) - (uint32_t)(*at != 0);
  *at = of;
  if (of && address < s->low) s->low = address;
  if (of && address >= s->high) s->high = address + 1;
}

void symbolic_put(struct symbolic *s, uint64_t address, uint64_t of) {
  uint64_t before = byte_at(s, address);
  if (before == of) return;
  *vec_push(&s->undo) = (struct symbolic_undo){address, before};
  put_byte(s, address, of);
}

uint64_t symbolic_byte(const struct machine *m, uint64_t address) { return byte_at(m->symbolic, address); }
void symbolic_fix_expression(struct machine *m, uint64_t of) { symbolic_fix_value(m->symbolic, expression(of)); }

/* Is any of it among memory that may be symbolic? Then *address and *size are what is. */
static bool clip(const struct symbolic *s, uint64_t *address, uint64_t *size) {
  if (s->nbytes == 0 || *size == 0 || *address >= s->high || *address + *size <= s->low) return false;
  uint64_t end = *address + *size < s->high ? *address + *size : s->high;
  if (*address < s->low) *address = s->low;
  *size = end - *address;
  return *size > LINE_BYTES || s->lines[line_of(*address)] || s->lines[line_of(end - 1)];
}

bool symbolic_touches(const struct symbolic *s, uint64_t address, uint64_t size) { return clip(s, &address, &size); }

static void clear_byte(struct symbolic *s, uint64_t address, bool fixes) {
  uint64_t of = byte_at(s, address);
  if (of && fixes) symbolic_fix_value(s, expression(of));
  if (of) symbolic_put(s, address, 0);
}

/* No byte there has an expression any more. */
static void clear(struct symbolic *s, uint64_t address, uint64_t size, bool fixes) {
  if (!clip(s, &address, &size)) return;
  if (size < s->bytes.cap) {
    for (uint64_t i = 0; i < size && s->nbytes; i++) clear_byte(s, address + i, fixes);
    return;
  }
  for (size_t i = 0; i < s->bytes.cap && s->nbytes; i++) /* bytes are not removed, so they stay where they are */
    if (s->bytes.used[i] && s->bytes.keys[i] - address < size) clear_byte(s, s->bytes.keys[i], fixes);
}

void symbolic_fix_memory(struct machine *m, uint64_t address, uint64_t size) { clear(m->symbolic, address, size, true); }
void symbolic_forget(struct machine *m, uint64_t address, uint64_t size) { clear(m->symbolic, address, size, false); }

struct expr symbolic_memory_byte(const struct symbolic *s, uint64_t address) {
  uint64_t of = byte_at(s, address);
  return of ? expression(of) : expr_constant(s->pool, 8, *(const uint8_t *)host_at(address));
}

uint64_t *symbolic_seen(struct machine *m, struct thread *t, uint64_t address, uint64_t size) {
  if (m->single || !t->noting || !(*shadow_at(address) & SHADOW_SHARED)) return NULL;
  struct spin_read *seen = t->spins ? &t->spin[t->spins - 1] : NULL; /* spin_note() has just noted it, or a larger one */
  if (seen && seen->address == address && seen->size == size) return &seen->expression;
  symbolic_fix_memory(m, address, size);
  return NULL;
}

void symbolic_loaded(struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint64_t size) {
  struct symbolic *s = m->symbolic;
  uint64_t from = address, n = size;
  symbolic_set(t, slot, s->looked);
  if (s->looked) return;
  if (!clip(s, &from, &n)) return;
  uint64_t *seen = symbolic_seen(m, t, address, size);
  bool any = false;
  for (uint64_t i = 0; i < size; i++) any |= byte_at(s, address + i) != 0;
  if (!any) return;
  struct expr e = symbolic_memory_byte(s, address + size - 1);
  for (uint64_t i = size - 1; i-- > 0;) e = expr_concat(s->pool, e, symbolic_memory_byte(s, address + i));
  e = expr_zext(s->pool, e, 64);
  assert(symbolic_value(s, e) == t->slots.data[slot]);
  symbolic_set(t, slot, e.id + 1u);
  if (seen) *seen = e.id + 1u;
}

void symbolic_put_value(struct symbolic *s, uint64_t address, uint64_t size, struct expr e) {
  bits128 constant;
  for (unsigned i = 0; i < size; i++) {
    struct expr byte = expr_extract(s->pool, e, 8 * i, 8);
    symbolic_put(s, address + i, expr_is_constant(s->pool, byte, &constant) ? 0 : byte.id + 1u);
  }
}

void symbolic_stored(struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint64_t size) {
  struct symbolic *s = m->symbolic;
  uint64_t of = symbolic_of(t, slot);
  if (of && m->nspinning) { /* somebody waits for a change: is it one? */
    symbolic_fix(m, t, slot);
    of = 0;
  }
  if (s->aimed.set) {
    struct expr value = of ? expression(of) : expr_constant(s->pool, 64, t->slots.data[slot]);
    symbolic_stored_somewhere(s, value, address, size);
    return;
  }
  if (!of) {
    symbolic_forget(m, address, size);
    return;
  }
  symbolic_put_value(s, address, size, expression(of));
}

/* For each leaf of the layout, with the slot that holds it: the first of two for wide ones. */
typedef void leaf_fn(struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint64_t size);

static void each_leaf(struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint32_t layout, leaf_fn *each) {
  const struct image_layout *x = &m->image->layouts[layout];
  for (uint32_t i = 0; i < x->count; i++) {
    const struct image_leaf *leaf = &m->image->leaves[x->first + i];
    uint32_t first = leaf->bytes < 8 ? leaf->bytes : 8;
    if (leaf->kind == LEAF_BIT)
      symbolic_forget(m, address + leaf->offset / 8, 1);
    else
      each(m, t, slot, address + leaf->offset, first);
    if (leaf->kind == LEAF_WIDE && leaf->bytes > 8) each(m, t, slot + 1, address + leaf->offset + 8, leaf->bytes - 8u);
    slot += leaf->kind == LEAF_WIDE ? 2 : 1;
  }
}

void symbolic_loaded_layout(struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint32_t layout) {
  each_leaf(m, t, slot, address, layout, symbolic_loaded);
}

void symbolic_stored_layout(struct machine *m, struct thread *t, uint32_t slot, uint64_t address, uint32_t layout) {
  each_leaf(m, t, slot, address, layout, symbolic_stored);
}

void symbolic_copied(struct machine *m, uint64_t to, uint64_t from, uint64_t size) {
  struct symbolic *s = m->symbolic;
  uint64_t from_symbolic = from, from_size = size, to_symbolic = to, to_size = size;
  if (to == from || (!clip(s, &from_symbolic, &from_size) && !clip(s, &to_symbolic, &to_size))) return;
  for (uint64_t k = 0; k < size; k++) { /* as memmove() */
    uint64_t i = to > from ? size - 1 - k : k;
    symbolic_put(s, to + i, byte_at(s, from + i));
  }
}

void symbolic_waits(struct machine *m, const struct thread *t) {
  for (uint32_t i = 0; i < t->spins; i++) {
    if (t->spin[i].expression) symbolic_fix_value(m->symbolic, expression(t->spin[i].expression));
    symbolic_fix_memory(m, t->spin[i].address, t->spin[i].size);
  }
  if (m->buffers) buffer_fix(m, t->tid);
}

uint64_t symbolic_private_hash(const struct machine *m, uint64_t from, uint64_t to) {
  const struct symbolic *s = m->symbolic;
  uint64_t size = to - from, h = 0, of;
  if (!clip(s, &from, &size)) return 0;
  for (uint64_t a = from; a < from + size; a++)
    if ((of = byte_at(s, a)) && !(*shadow_at(a) & SHADOW_SHARED)) h ^= hash_pair(a, symbolic_expression_hash(m, of));
  return h;
}

/* --- inputs --- */

/* The symbol of the input that the byte at `offset` belongs to. */
static struct expr symbol_at(struct machine *m, const struct given *input, uint64_t offset) {
  unsigned chunk = chunk_of(input);
  uint64_t rest = input->size - offset / chunk * chunk;
  const struct symbol_name name = {.thread = text_str(&m->names[input->thread]), .place = offset / chunk, .count = input->number};
  return expr_symbol(m->symbolic->pool, name, 8 * (rest < chunk ? (unsigned)rest : chunk));
}

size_t symbolic_symbols(const struct given *input) {
  unsigned chunk = chunk_of(input);
  return (input->size + chunk - 1) / chunk;
}

struct symbol symbolic_symbol(struct machine *m, const struct given *input, size_t i) {
  return expr_the_symbol(m->symbolic->pool, symbol_at(m, input, i * chunk_of(input)));
}

void symbolic_bytes(struct machine *m, const struct given *input, uint8_t *bytes) {
  unsigned chunk = chunk_of(input);
  for (uint64_t i = 0; i < input->size; i += chunk) {
    uint64_t value = symbolic_value(m->symbolic, symbol_at(m, input, i)), rest = input->size - i;
    memcpy(bytes + i, &value, rest < chunk ? rest : chunk);
  }
}

void symbolic_made(struct machine *m, const struct given *input, uint64_t offset, uint64_t address, uint64_t size) {
  for (uint64_t i = 0; i < size; i++) {
    struct expr symbol = symbol_at(m, input, offset + i);
    unsigned of_chunk = (unsigned)((offset + i) % chunk_of(input));
    symbolic_put(m->symbolic, address + i, expr_extract(m->symbolic->pool, symbol, 8 * of_chunk, 8).id + 1u);
  }
}

void symbolic_gives(struct machine *m, const struct given *input) {
  for (uint64_t i = 0; i < input->size; i += 8)
    m->symbolic->returned[i / 8] = expr_zext(m->symbolic->pool, symbol_at(m, input, i), 64).id + 1u;
}

/* --- marks --- */

void symbolic_mark(struct symbolic *s) { *vec_push(&s->marks) = (struct symbolic_mark){s->undo.count, s->decisions.count}; }

void symbolic_rollback(struct symbolic *s, size_t number) {
  struct symbolic_mark to = s->marks.data[number];
  while (s->undo.count > to.undo) {
    const struct symbolic_undo *u = &s->undo.data[--s->undo.count];
    put_byte(s, u->address, u->before);
  }
  if (number == 0) symbolic_forget_reduced(s);
  while ((s->paths || s->apart) && s->decisions.count > to.decisions)
    *hashmap_at(&s->known, vec_pop(&s->decisions).condition.id, 0, NULL) = 0;
  s->marks.count = number + 1;
}

/* Nothing was decided so far, with the model. */
static void begin(struct symbolic *s) {
  evaluator_begin(&s->evaluator, s->pool, &s->model);
  symbolic_forget_reduced(s);
  vec_clear(&s->decisions);
  for (size_t i = 0; i < s->tables.count; i++) s->tables.data[i].made = 0;
  hashmap_clear(&s->known);
}

enum machine_more machine_next_input(struct machine *m) {
  struct symbolic *s = m->symbolic;
  if (!s) return MORE_NONE;
  pending_explored(&s->pending, s->pool, s->decisions.data, s->paths ? 0 : s->decisions.count);
  enum value_answer answer = pending_next(&s->pending, s->pool, s->solver, &s->model);
  begin(s);
  return answer == VALUE_YES ? MORE_INPUT : answer == VALUE_NO ? MORE_NONE : MORE_UNKNOWN;
}

void machine_inputs_put(struct machine *m, bool present, struct text *out) {
  pending_write(&m->symbolic->pending, m->symbolic->pool, present, out);
}

void machine_inputs_give(struct machine *m, struct text *out) { pending_give(&m->symbolic->pending, m->symbolic->pool, out); }

bool machine_inputs_get(struct machine *m, struct wire *from) { return pending_read(&m->symbolic->pending, m->symbolic->pool, from); }

void machine_inputs_drop(struct machine *m, bool patient) {
  pending_drop(&m->symbolic->pending);
  m->symbolic->pending.patient = patient, m->symbolic->pending.puts_off = !patient;
  begin(m->symbolic);
}

void machine_input_put(struct machine *m, struct text *out) {
  pending_write_present(&m->symbolic->pending, m->symbolic->pool, &m->symbolic->model, out);
}

bool machine_input_get(struct machine *m, struct wire *from) {
  struct symbolic *s = m->symbolic;
  bool ok = pending_read_present(&s->pending, s->pool, &s->model, from);
  begin(s);
  return ok;
}

void machine_explores_paths(struct machine *m) {
  struct symbolic *s = m->symbolic;
  if (!s) return;
  s->paths = true;
  pending_clear(&s->pending);
  begin(s);
}

bool machine_is_symbolic(const struct machine *m) { return m->symbolic; }
size_t machine_decisions(const struct machine *m) { return m->symbolic && m->symbolic->paths ? m->symbolic->decisions.count : 0; }

bool machine_leaves_pending(struct machine *m, size_t from, uint64_t tag) {
  struct symbolic *s = m->symbolic;
  return s && s->paths && pending_decided(&s->pending, s->pool, s->decisions.data, from, s->decisions.count, tag);
}

uint64_t machine_input_tag(const struct machine *m) { return m->symbolic->pending.tag; }

bool machine_search(const struct machine *m, struct machine_search *search) {
  const struct symbolic *s = m->symbolic;
  if (!s) return false;
  const struct value_counters *c = value_solver_counters(s->solver);
  const struct pending_inputs *p = &s->pending;
  *search = (struct machine_search){.inputs = p->found,
                                    .pending = pending_count(p),
                                    .questions = c->questions,
                                    .engine = c->engine_yes + c->engine_no + c->engine_unknown,
                                    .undecided = c->engine_unknown,
                                    .nanoseconds = p->nanoseconds,
                                    .unsolved = pending_unsolved(p),
                                    .unknown = p->unknown};
  return true;
}

void symbolic_again(struct symbolic *s) {
  pending_clear(&s->pending);
  value_model_clear(&s->model);
  begin(s);
}
