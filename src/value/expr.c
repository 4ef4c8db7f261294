#include "value/expr.h"

#include <assert.h>
#include <string.h>

#include "value/internal.h"

#define ALONE UINT32_MAX /* no other of this hash */

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

/* What a node is found by: its parts as they are in this pool. */
static uint64_t parts_hash(const struct node *n) {
  uint64_t low = n->args[0] | (uint64_t)n->args[1] << 32, high = n->args[2] | (uint64_t)n->args[3] << 32;
  return hash_mix(low ^ hash_mix(high ^ (uint64_t)n->op << 8 ^ n->width));
}

/* What the node is in any pool: symbols by their names, operands by their hashes. These are mixed already, so that the sum of their
 * products with odd numbers tells their places apart. */
static struct fingerprint node_hash(const struct value_pool *p, const struct node *n) {
  static const uint64_t of_lo[] = {0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu};
  static const uint64_t of_hi[] = {0xd6e8feb86659fd93u, 0xa0761d6478bd642fu, 0xe7037ed1a0b428dbu};
  if (n->op == EXPR_CONSTANT) {
    uint64_t h = parts_hash(n);
    return (struct fingerprint){h, hash_pair(h ^ 0x9fb21c651e98df25u, n->args[0] | (uint64_t)n->args[1] << 32)};
  }
  if (n->op == EXPR_SYMBOL || n->op == EXPR_ARRAY_SYMBOL) {
    struct fingerprint name = p->symbols.data[n->args[0]].name;
    return (struct fingerprint){hash_pair(name.lo, n->width), hash_pair(name.hi, n->width)};
  }
  unsigned operands = node_operands((enum expr_op)n->op);
  uint64_t lo = (uint64_t)n->op << 8 | n->width, hi = lo;
  for (unsigned i = 0; i < operands; i++) {
    struct fingerprint of = node_at(p, n->args[i])->hash;
    lo += of.lo * of_lo[i], hi += of.hi * of_hi[i];
  }
  uint64_t bit = operands == 1 ? n->args[1] : 0; /* of an extract, or the mode of rounding */
  return (struct fingerprint){hash_pair(lo, bit), hash_pair(hi ^ 0x9fb21c651e98df25u, bit)};
}

static bool same_parts(const struct node *m, const struct node *n) {
  return m->op == n->op && m->width == n->width && memcmp(m->args, n->args, sizeof n->args) == 0;
}

/* Where the node is, or a free place. A place tells of most others' nodes that they are others without a look at these. */
static struct node_place *place_for(const struct value_pool *p, const struct node *n) {
  uint64_t h = parts_hash(n);
  uint32_t tag = (uint32_t)(h >> 32);
  size_t i = h & (p->place_count - 1);
  for (; p->places[i].id_plus_1; i = (i + 1) & (p->place_count - 1))
    if (p->places[i].tag == tag && same_parts(node_at(p, p->places[i].id_plus_1 - 1), n)) return &p->places[i];
  p->places[i].tag = tag;
  return &p->places[i];
}

static void grow(struct value_pool *p) {
  struct node_place *old = p->places;
  size_t count = p->place_count;
  p->place_count = count ? count * 2 : 1024;
  p->places = mem_alloc(p->place_count * sizeof *p->places);
  for (size_t i = 0; i < count; i++)
    if (old[i].id_plus_1) *place_for(p, node_at(p, old[i].id_plus_1 - 1)) = old[i];
  mem_free(old, count * sizeof *old);
}

static uint32_t find_by_place(struct value_pool *p, const struct node *n) {
  if (2 * (p->placed + 1) > p->place_count) grow(p);
  return place_for(p, n)->id_plus_1;
}

/* The youngest operand; NULL: there is none. */
static struct node *youngest_operand(struct value_pool *p, const struct node *n) {
  unsigned operands = node_operands((enum expr_op)n->op);
  uint32_t id = 0;
  for (unsigned i = 0; i < operands; i++) id = n->args[i] > id ? n->args[i] : id;
  return operands ? &p->nodes.data[id] : NULL;
}

/* The id of the same node plus 1; 0: there is none. What is made of an expression is mostly made soon after it, so nodes are looked for
 * among those that were made of their youngest operand, which are in the processor's cache, as a place in a large table is not. An operand
 * from which much is made keeps the first NODE_USERS there, and the table has the others. */
static uint32_t find(struct value_pool *p, const struct node *n) {
  const struct node *of = youngest_operand(p, n);
  if (!of) return find_by_place(p, n);
  for (uint32_t id = of->first_user; id; id = node_at(p, id - 1)->next_user)
    if (same_parts(node_at(p, id - 1), n)) return id;
  return of->users < NODE_USERS ? 0 : find_by_place(p, n);
}

/* Makes the node known as the pool's last one. */
static void enter(struct value_pool *p, struct node *n) {
  uint32_t id_plus_1 = (uint32_t)p->nodes.count + 1;
  struct node *of = youngest_operand(p, n);
  if (of && of->users < NODE_USERS) {
    of->users++;
    n->next_user = of->first_user;
    of->first_user = id_plus_1;
  } else {
    p->placed++;
    place_for(p, n)->id_plus_1 = id_plus_1;
  }
  *vec_push(&p->nodes) = *n;
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
  uint32_t known = find(p, &n);
  if (known) return known - 1;
  n.hash = node_hash(p, &n);
  n.symbols = node_symbols(p, &n);
  enter(p, &n);
  return (uint32_t)p->nodes.count - 1;
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
  mem_free(p->places, p->place_count * sizeof *p->places);
  hashmap_release(&p->symbol_of);
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

static struct fingerprint name_hash(struct symbol_name name, unsigned width) {
  size_t length = strlen(name.thread);
  uint64_t lo = hash_pair(hash_bytes(name.thread, length, 2), name.place), hi = hash_pair(hash_bytes(name.thread, length, 3), name.place);
  return (struct fingerprint){hash_pair(hash_pair(lo, name.count), width), hash_pair(hash_pair(hi, name.count), width)};
}

static uint32_t symbol_node(struct value_pool *p, enum expr_op op, struct symbol_name name, unsigned width) {
  struct symbol_entry entry = {thread_index(p, name.thread), name.place, name.count, width, ALONE, name_hash(name, width)};
  uint64_t *newest = hashmap_at(&p->symbol_of, entry.name.lo, ALONE, NULL);
  uint32_t i = (uint32_t)*newest;
  for (; i != ALONE; i = p->symbols.data[i].before) {
    const struct symbol_entry *s = &p->symbols.data[i];
    if (s->thread == entry.thread && s->place == entry.place && s->count == entry.count && s->width == width) break;
  }
  if (i == ALONE) {
    entry.before = (uint32_t)*newest;
    *newest = i = (uint32_t)p->symbols.count;
    *vec_push(&p->symbols) = entry;
  }
  return node_make(p, op, width, (uint32_t[4]){i});
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

struct expr expr_widened(const struct value_pool *p, struct expr e) {
  assert(expr_op(p, e) == EXPR_ZEXT || expr_op(p, e) == EXPR_SEXT);
  return operand(p, e, 0);
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
