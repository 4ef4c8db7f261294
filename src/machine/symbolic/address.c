/* Loads and stores at addresses that depend on inputs: symbolic_address().
 *
 * For example `table[c & 15]`: memory around the address that may be accessed just as well, up to what may not be, is an *extent*. That the
 * address lies in it is a condition of its own, so that inputs with which it does not are tried at once. If the whole extent is small and
 * nobody else can write there, a load is the byte of an array at an index, for all addresses in it; and if nobody else can look there,
 * a store leaves at each place what was there or what is stored, as the address says. Else the address is fixed.
 *
 * Where memory is symbolic, or becomes so, that is done for simple addresses only: `count[c]++`. What comes to be there depends on all
 * indices so far, so with an index that is a hash, say, questions are so much harder that one exploration for each place takes less time
 * (bench/symbolic/table.c: 45 s; more than 10 minutes). */
#include <string.h>

#include "machine/symbolic/symbolic.h"

#define EXTENT_MOST 4096u /* bytes of an array */
#define STORES_MOST 1024u /* bytes of memory that a store may change, */
#define PLACES_MOST 256u  /* and where it may store: a question about more of them takes longer than one for each */
#define INDEX_MOST  32u   /* expressions that a simple index is made of */
#define EXTENT_LONG 65536u
#define MADE_MOST   65536u /* of an extent whose contents change, with one input: bytes of all its arrays, and that were made by stores */

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

/* More is made of the extent: false: it changes so often that this is not worth it. */
static bool may_make(struct symbolic *s, struct extent e, struct symbolic_table **table, bool *is_new) {
  size_t size = e.to - e.from;
  uint64_t *at = hashmap_at(&s->table_at, hash_pair(e.from, size), s->tables.count, is_new);
  if (*is_new) *vec_push(&s->tables) = (struct symbolic_table){0};
  *table = &s->tables.data[*at];
  return (*table)->made + size <= MADE_MOST;
}

/* What is in the extent, made before if that was the same. */
static bool kept_contents(struct symbolic *s, struct extent e, struct expr index, struct expr_array *array) {
  bool is_new, symbolic = any_symbolic(s, e);
  if (symbolic && (s->paths || !expr_is_simple(s->pool, index, INDEX_MOST))) return false;
  struct symbolic_table *t;
  bool more = may_make(s, e, &t, &is_new);
  size_t size = e.to - e.from;
  bool same = !is_new && !symbolic && t->bytes.count == size && memcmp(t->bytes.data, host_at(e.from), size) == 0;
  if (!same) {
    if (!more) return false;
    vec_clear(&t->bytes);
    if (!symbolic) memcpy(vec_push_n(&t->bytes, size), host_at(e.from), size);
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

static bool load_any(struct symbolic *s, struct extent e, struct expr index, uint64_t size) {
  struct expr_array array;
  if (e.to - e.from > EXTENT_MOST || !kept_contents(s, e, index, &array)) return false;
  struct expr value = expr_select(s->pool, array, expr_binary(s->pool, EXPR_ADD, index, expr_constant(s->pool, 64, size - 1)));
  for (uint64_t i = size - 1; i-- > 0;)
    value = expr_concat(s->pool, value, expr_select(s->pool, array, expr_binary(s->pool, EXPR_ADD, index, expr_constant(s->pool, 64, i))));
  value = expr_zext(s->pool, value, 64);
  s->looked = value.id + 1u;
  return true;
}

/* All places have the same distance from the next, or a store might change parts of two. Memory that nobody wrote has no value. In a
 * program that reads for ever, what is there would grow from turn to turn. */
static bool aim(struct symbolic *s, struct extent e, struct expr index, uint64_t at, uint64_t size) {
  bits128 first = 0;
  struct symbolic_table *t;
  bool is_new;
  unsigned bits = (unsigned)__builtin_ctzll(size);
  if (s->paths || e.to - e.from > STORES_MOST || (e.to - e.from) / size > PLACES_MOST) return false;
  if (!expr_is_simple(s->pool, index, INDEX_MOST) || !may_make(s, e, &t, &is_new)) return false;
  if (bits && !expr_is_constant(s->pool, expr_extract(s->pool, index, 0, bits), &first)) return false;
  for (uint64_t a = e.from; a < e.to; a++)
    if (*shadow_at(a) & SHADOW_UNINIT) return false;
  t->made += e.to - e.from;
  s->aimed = (struct symbolic_aim){.from = e.from, .first = (uint64_t)first, .end = e.to - e.from, .index = index, .set = true};
  for (uint64_t i = 0; i < size; i++) s->aimed.before[i] = symbolic_memory_byte(s, at + i);
  return true;
}

void symbolic_stored_somewhere(struct symbolic *s, struct expr value, uint64_t at, uint64_t size) {
  struct symbolic_aim aimed = s->aimed;
  bits128 constant;
  for (uint64_t place = aimed.first; place + size <= aimed.end; place += size) {
    struct expr here = expr_binary(s->pool, EXPR_EQ, aimed.index, expr_constant(s->pool, 64, place));
    for (uint64_t i = 0; i < size; i++) {
      uint64_t a = aimed.from + place + i;
      struct expr before = a - at < size ? aimed.before[a - at] : symbolic_memory_byte(s, a);
      struct expr byte = expr_ite(s->pool, here, expr_extract(s->pool, value, (unsigned)(8 * i), 8), before);
      symbolic_put(s, a, expr_is_constant(s->pool, byte, &constant) ? 0 : byte.id + 1u);
    }
  }
}

bool symbolic_address(struct machine *m, struct expr address, uint64_t at, uint64_t size, bool load) {
  struct symbolic *s = m->symbolic;
  const uint8_t plain = SHADOW_OK | SHADOW_SHARED, good = load ? plain | SHADOW_UNINIT : plain | SHADOW_READONLY;
  struct extent e;
  if (!find_extent(at, size, good, SHADOW_OK, &e)) return false;
  struct expr index = expr_binary(s->pool, EXPR_SUB, address, expr_constant(s->pool, 64, e.from));
  decide_inside(s, e, index, size);
  if (!load) return m->single && aim(s, e, index, at, size);
  bool constant = m->single;
  for (uint64_t a = e.from; !constant && a < e.to && *shadow_at(a) & SHADOW_READONLY; a++) constant = a + 1 == e.to;
  return constant && load_any(s, e, index, size);
}
