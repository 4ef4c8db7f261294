/* Loads and stores at addresses that depend on inputs: symbolic_address().
 *
 * For example `table[c & 15]`: memory around the address that may be accessed just as well, up to what may not be, is an *extent*. That the
 * address lies in it is a condition of its own, so that inputs with which it does not are tried at once. If the whole extent is small and
 * nobody else can write there, a load is the byte of an array at an index, for all addresses in it. Else the address is fixed. */
#include <string.h>

#include "machine/symbolic/symbolic.h"

#define EXTENT_MOST 4096u /* bytes of an array */
#define EXTENT_LONG 65536u
#define MADE_MOST   65536u /* of an extent whose contents change: bytes of all its arrays */

struct extent {
  uint64_t from, to;
};

static bool is_like(uint64_t address, uint64_t size, uint64_t mask, uint64_t want) {
  if (!in_arena(address, size)) return false;
  return ((size == 8 ? *(const uint64_t *)shadow_at(address) : *shadow_at(address)) & mask) == want;
}

/* How many bytes from `address` on, or before it, have a shadow that is so: eight at a time where that can be. */
static uint64_t how_many(uint64_t address, bool before, uint8_t mask, uint8_t want) {
  const uint64_t every = 0x0101010101010101u;
  uint64_t n = 0;
  while (n < EXTENT_LONG) {
    uint64_t word = before ? address - n - 8 : address + n, byte = before ? address - n - 1 : address + n;
    bool eight = word % 8 == 0 && is_like(word, 8, mask * every, want * every);
    if (!eight && !is_like(byte, 1, mask, want)) break;
    n += eight ? 8 : 1;
  }
  return n;
}

/* All around [address, +size) whose shadow is so. False: that itself is not, or there is too much. */
static bool find_extent(uint64_t address, uint64_t size, uint8_t mask, uint8_t want, struct extent *e) {
  uint64_t before = how_many(address, true, mask, want), from = how_many(address, false, mask, want);
  *e = (struct extent){address - before, address + from};
  return from >= size && from < EXTENT_LONG && before < EXTENT_LONG;
}

/* What an array has in place of the extent's memory. */
static struct expr_array contents(struct symbolic *s, struct extent e) {
  struct expr_array array = expr_array_constant(s->pool, expr_constant(s->pool, 8, 0));
  for (uint64_t a = e.from; a < e.to; a++)
    array = expr_store(s->pool, array, expr_constant(s->pool, 64, a - e.from), symbolic_memory_byte(s, a));
  return array;
}

static bool any_symbolic(const struct symbolic *s, struct extent e) {
  if (s->nbytes == 0 || e.from >= s->high || e.to <= s->low) return false;
  for (uint64_t a = e.from; a < e.to; a++) {
    const uint64_t *of = hashmap_find(&s->bytes, a);
    if (of && *of) return true;
  }
  return false;
}

/* The same, if that was made before. False: it changes so often that its arrays are not worth it. */
static bool kept_contents(struct symbolic *s, struct extent e, struct expr_array *array) {
  bool is_new;
  size_t size = e.to - e.from;
  uint64_t *at = hashmap_at(&s->table_at, hash_pair(e.from, size), s->tables.count, &is_new);
  if (is_new) *vec_push(&s->tables) = (struct symbolic_table){0};
  struct symbolic_table *t = &s->tables.data[*at];
  bool same = !is_new && t->bytes.count == size && memcmp(t->bytes.data, host_at(e.from), size) == 0;
  if (!same) {
    if (t->made + size > MADE_MOST) return false;
    vec_clear(&t->bytes);
    memcpy(vec_push_n(&t->bytes, size), host_at(e.from), size);
    t->made += size;
    t->array = contents(s, e);
  }
  *array = t->array;
  return true;
}

void symbolic_release_tables(struct symbolic *s) {
  for (size_t i = 0; i < s->tables.count; i++) vec_release(&s->tables.data[i].bytes);
  vec_release(&s->tables);
  hashmap_release(&s->table_at);
}

/* `address` is in the extent, with all bytes that are accessed. */
static void decide_inside(struct symbolic *s, struct extent e, struct expr index, uint64_t size) {
  struct expr last = expr_constant(s->pool, 64, e.to - e.from - size);
  symbolic_decided(s, expr_binary(s->pool, EXPR_ULE, index, last), 0);
}

bool symbolic_address(struct machine *m, struct expr address, uint64_t at, uint64_t size, bool load) {
  struct symbolic *s = m->symbolic;
  const uint8_t plain = SHADOW_OK | SHADOW_SHARED, good = load ? plain | SHADOW_UNINIT : plain | SHADOW_READONLY;
  struct extent e;
  if (!find_extent(at, size, good, SHADOW_OK, &e)) return false;
  struct expr index = expr_binary(s->pool, EXPR_SUB, address, expr_constant(s->pool, 64, e.from));
  decide_inside(s, e, index, size);
  bool constant = m->single;
  for (uint64_t a = e.from; !constant && a < e.to && *shadow_at(a) & SHADOW_READONLY; a++) constant = a + 1 == e.to;
  if (!load || !constant || e.to - e.from > EXTENT_MOST || any_symbolic(s, e)) return false;
  struct expr_array array;
  if (!kept_contents(s, e, &array)) return false;
  struct expr value = expr_select(s->pool, array, expr_binary(s->pool, EXPR_ADD, index, expr_constant(s->pool, 64, size - 1)));
  for (uint64_t i = size - 1; i-- > 0;)
    value = expr_concat(s->pool, value, expr_select(s->pool, array, expr_binary(s->pool, EXPR_ADD, index, expr_constant(s->pool, 64, i))));
  value = expr_zext(s->pool, value, 64);
  s->looked = value.id + 1u;
  return true;
}
