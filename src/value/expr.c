#include "value/expr.h"

#include <assert.h>
#include <string.h>

#include "value/internal.h"

#define ALONE UINT32_MAX /* no other set of this hash */

unsigned node_operands(enum expr_op op) {
  if (op == EXPR_CONSTANT || op == EXPR_SYMBOL || op == EXPR_ARRAY_SYMBOL) return 0;
  if (op == EXPR_ITE || op == EXPR_STORE) return 3;
  return (op >= EXPR_ADD && op <= EXPR_SLE) || op == EXPR_CONCAT || op == EXPR_SELECT || (op >= EXPR_REAL_ADD && op <= EXPR_REAL_DIV) ? 2
                                                                                                                                      : 1;
}

/* Sets of symbols. */

static uint32_t set_make(struct value_pool *p, size_t first) {
  size_t count = p->members.count - first;
  uint64_t h = hash_bytes(p->members.data + first, count * sizeof *p->members.data, 1);
  uint64_t *newest = hashmap_at(&p->set_of, h, ALONE, NULL);
  for (uint32_t s = (uint32_t)*newest; s != ALONE; s = p->set_before.data[s]) {
    const struct set_entry *e = &p->sets.data[s];
    if (e->count != count || memcmp(p->members.data + e->first, p->members.data + first, count * sizeof *p->members.data) != 0) continue;
    p->members.count = first;
    return s;
  }
  *vec_push(&p->set_before) = (uint32_t)*newest;
  *newest = p->sets.count;
  *vec_push(&p->sets) = (struct set_entry){first, count};
  return (uint32_t)*newest;
}

static uint32_t set_union(struct value_pool *p, uint32_t a, uint32_t b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
  const uint64_t *known = hashmap_find(&p->union_of, key);
  if (known) return (uint32_t)*known;
  struct set_entry x = p->sets.data[a], y = p->sets.data[b];
  size_t first = p->members.count, i = 0, j = 0;
  vec_reserve(&p->members, x.count + y.count);
  const struct symbol *m = p->members.data;
  while (i < x.count || j < y.count) {
    uint32_t s = i < x.count ? m[x.first + i].id : UINT32_MAX, t = j < y.count ? m[y.first + j].id : UINT32_MAX;
    i += s <= t, j += t <= s;
    *vec_push(&p->members) = (struct symbol){s < t ? s : t};
  }
  uint32_t set = set_make(p, first);
  hashmap_at(&p->union_of, key, set, NULL);
  return set;
}

/* Nodes. */

static struct fingerprint mix_in(struct fingerprint h, uint64_t lo, uint64_t hi) {
  return (struct fingerprint){hash_pair(h.lo, lo), hash_pair(h.hi ^ 0x9fb21c651e98df25u, hi)};
}

static struct fingerprint symbol_hash(const struct value_pool *p, uint32_t symbol, struct fingerprint h) {
  const struct symbol_entry *s = &p->symbols.data[symbol];
  const char *thread = p->threads.data[s->thread];
  h = mix_in(h, hash_bytes(thread, strlen(thread), 2), hash_bytes(thread, strlen(thread), 3));
  return mix_in(mix_in(h, s->place, s->place), s->count, s->count);
}

static struct fingerprint node_hash(const struct value_pool *p, const struct node *n) {
  struct fingerprint h = mix_in((struct fingerprint){n->op, n->op}, n->width, n->width);
  if (n->op == EXPR_SYMBOL || n->op == EXPR_ARRAY_SYMBOL) return symbol_hash(p, n->args[0], h);
  unsigned operands = node_operands((enum expr_op)n->op);
  for (unsigned i = 0; i < operands; i++) {
    struct fingerprint of = node_at(p, n->args[i])->hash;
    h = mix_in(h, of.lo, of.hi);
  }
  for (unsigned i = operands; i < 4; i++) h = mix_in(h, n->args[i], n->args[i]);
  return h;
}

static size_t slot_for(const struct value_pool *p, const struct node *n) {
  size_t i = n->hash.lo & (p->slot_count - 1);
  for (; p->slots[i]; i = (i + 1) & (p->slot_count - 1)) {
    const struct node *m = node_at(p, p->slots[i] - 1);
    if (m->op == n->op && m->width == n->width && memcmp(m->args, n->args, sizeof n->args) == 0) break;
  }
  return i;
}

static void grow(struct value_pool *p) {
  mem_free(p->slots, p->slot_count * sizeof *p->slots);
  p->slot_count = p->slot_count ? p->slot_count * 2 : 1024;
  p->slots = mem_alloc(p->slot_count * sizeof *p->slots);
  for (uint32_t id = 0; id < p->nodes.count; id++) p->slots[slot_for(p, node_at(p, id))] = id + 1;
}

static uint32_t node_symbols(struct value_pool *p, const struct node *n) {
  if (n->op == EXPR_SYMBOL || n->op == EXPR_ARRAY_SYMBOL) {
    size_t first = p->members.count;
    *vec_push(&p->members) = (struct symbol){n->args[0]};
    return set_make(p, first);
  }
  uint32_t set = 0;
  for (unsigned i = 0; i < node_operands((enum expr_op)n->op); i++) set = set_union(p, set, node_at(p, n->args[i])->symbols);
  return set;
}

uint32_t node_make(struct value_pool *p, enum expr_op op, unsigned width, const uint32_t args[4]) {
  struct node n = {.op = (uint8_t)op, .width = (uint8_t)width, .args = {args[0], args[1], args[2], args[3]}};
  n.hash = node_hash(p, &n);
  if (2 * (p->nodes.count + 1) > p->slot_count) grow(p);
  size_t slot = slot_for(p, &n);
  if (p->slots[slot]) return p->slots[slot] - 1;
  n.symbols = node_symbols(p, &n);
  *vec_push(&p->nodes) = n;
  return p->slots[slot] = (uint32_t)p->nodes.count, p->slots[slot] - 1;
}

struct value_pool *value_pool_new(void) {
  struct value_pool *p = mem_alloc(sizeof *p);
  vec_reserve(&p->members, 1); /* of nothing the address is not null */
  (void)set_make(p, 0);        /* the empty one */
  return p;
}

void value_pool_free(struct value_pool *p) {
  if (!p) return;
  for (size_t i = 0; i < p->threads.count; i++) mem_free(p->threads.data[i], strlen(p->threads.data[i]) + 1);
  mem_free(p->slots, p->slot_count * sizeof *p->slots);
  vec_release(&p->nodes);
  vec_release(&p->symbols);
  vec_release(&p->threads);
  vec_release(&p->sets);
  vec_release(&p->members);
  vec_release(&p->set_before);
  hashmap_release(&p->set_of);
  hashmap_release(&p->union_of);
  mem_free(p, sizeof *p);
}

/* Leaves. */

struct expr expr_constant(struct value_pool *p, unsigned width, bits128 value) {
  assert(width >= 1 && width <= EXPR_MAX_WIDTH);
  bits128 v = bits_trim(value, width);
  return (struct expr){
      node_make(p, EXPR_CONSTANT, width, (uint32_t[4]){(uint32_t)v, (uint32_t)(v >> 32), (uint32_t)(v >> 64), (uint32_t)(v >> 96)})};
}

static size_t thread_index(struct value_pool *p, const char *thread) {
  for (size_t i = 0; i < p->threads.count; i++)
    if (strcmp(p->threads.data[i], thread) == 0) return i;
  size_t size = strlen(thread) + 1;
  char *text = mem_alloc(size);
  memcpy(text, thread, size);
  *vec_push(&p->threads) = text;
  return p->threads.count - 1;
}

/* A symbol is looked for by making its node; if that is known already, the new entry goes. */
static uint32_t symbol_node(struct value_pool *p, enum expr_op op, struct symbol_name name, unsigned width) {
  struct symbol_entry entry = {thread_index(p, name.thread), name.place, name.count, width};
  *vec_push(&p->symbols) = entry;
  struct node n = {.op = (uint8_t)op, .width = (uint8_t)width, .args = {(uint32_t)p->symbols.count - 1}};
  n.hash = node_hash(p, &n);
  if (p->slot_count == 0) grow(p);
  for (size_t i = n.hash.lo & (p->slot_count - 1); p->slots[i]; i = (i + 1) & (p->slot_count - 1)) {
    const struct node *m = node_at(p, p->slots[i] - 1);
    if (m->op != op || m->width != width) continue;
    const struct symbol_entry *s = &p->symbols.data[m->args[0]];
    if (s->thread != entry.thread || s->place != entry.place || s->count != entry.count) continue;
    p->symbols.count--;
    return p->slots[i] - 1;
  }
  return node_make(p, op, width, n.args);
}

struct expr expr_symbol(struct value_pool *p, struct symbol_name name, unsigned width) {
  assert(width >= 1 && width <= EXPR_MAX_WIDTH);
  return (struct expr){symbol_node(p, EXPR_SYMBOL, name, width)};
}

struct expr_array expr_array_symbol(struct value_pool *p, struct symbol_name name) {
  return (struct expr_array){symbol_node(p, EXPR_ARRAY_SYMBOL, name, 0)};
}

/* What is known. */

unsigned expr_width(const struct value_pool *p, struct expr e) { return node_at(p, e.id)->width; }
enum expr_op expr_op(const struct value_pool *p, struct expr e) { return (enum expr_op)node_at(p, e.id)->op; }
struct fingerprint expr_hash(const struct value_pool *p, struct expr e) {
  return node_at(p, e.id)->hash;
}
struct fingerprint expr_array_hash(const struct value_pool *p, struct expr_array a) {
  return node_at(p, a.id)->hash;
}
struct symbol_set expr_symbols(const struct value_pool *p, struct expr e) {
  return (struct symbol_set){node_at(p, e.id)->symbols};
}
size_t value_pool_count(const struct value_pool *p) { return p->nodes.count; }

bool expr_is_constant(const struct value_pool *p, struct expr e, bits128 *value) {
  const struct node *n = node_at(p, e.id);
  if (n->op != EXPR_CONSTANT) return false;
  *value = node_value(n);
  return true;
}

const struct symbol *symbol_set_list(const struct value_pool *p, struct symbol_set set, size_t *count) {
  *count = p->sets.data[set.id].count;
  return p->members.data + p->sets.data[set.id].first;
}

struct symbol_name symbol_name(const struct value_pool *p, struct symbol s) {
  const struct symbol_entry *e = &p->symbols.data[s.id];
  return (struct symbol_name){p->threads.data[e->thread], e->place, e->count};
}

unsigned symbol_width(const struct value_pool *p, struct symbol s) { return p->symbols.data[s.id].width; }

struct symbol expr_the_symbol(const struct value_pool *p, struct expr e) {
  assert(expr_op(p, e) == EXPR_SYMBOL);
  return (struct symbol){node_at(p, e.id)->args[0]};
}

struct symbol expr_array_the_symbol(const struct value_pool *p, struct expr_array a) {
  assert(node_at(p, a.id)->op == EXPR_ARRAY_SYMBOL);
  return (struct symbol){node_at(p, a.id)->args[0]};
}
