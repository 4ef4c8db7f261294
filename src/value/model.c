/* Models: sorted arrays. */
#include <string.h>

#include "value/eval.h"

/* Where the value of (s, index) is or has to be. */
static size_t place(const struct value_model *m, uint32_t s, uint64_t index) {
  const struct model_value *v = m->values.data;
  size_t low = 0, high = m->values.count;
  if (high && (v[high - 1].symbol.id < s || (v[high - 1].symbol.id == s && v[high - 1].index < index))) return high;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    bool before = v[middle].symbol.id != s ? v[middle].symbol.id < s : v[middle].index < index;
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool is_at(const struct value_model *m, size_t at, uint32_t s, uint64_t index) {
  return at < m->values.count && m->values.data[at].symbol.id == s && m->values.data[at].index == index;
}

/* `count` new values at `at`, unset. */
static struct model_value *open_gap(struct value_model *m, size_t at, size_t count) {
  size_t behind = m->values.count - at;
  (void)vec_push_n(&m->values, count);
  if (behind) memmove(m->values.data + at + count, m->values.data + at, behind * sizeof *m->values.data);
  return m->values.data + at;
}

static void set(struct value_model *m, struct symbol s, uint64_t index, bits128 value) {
  size_t at = place(m, s.id, index);
  if (is_at(m, at, s.id, index))
    m->values.data[at].value = value;
  else
    *open_gap(m, at, 1) = (struct model_value){s, index, value};
}

static bits128 get(const struct value_model *m, struct symbol s, uint64_t index) {
  size_t at = place(m, s.id, index);
  return is_at(m, at, s.id, index) ? m->values.data[at].value : 0;
}

void value_model_set(struct value_model *m, struct symbol s, bits128 value) { set(m, s, 0, value); }
void value_model_set_byte(struct value_model *m, struct symbol array, uint64_t index, uint8_t byte) { set(m, array, index, byte); }
bits128 value_model_get(const struct value_model *m, struct symbol s) { return get(m, s, 0); }
uint8_t value_model_get_byte(const struct value_model *m, struct symbol array, uint64_t index) { return (uint8_t)get(m, array, index); }

static void close_gap(struct value_model *m, size_t at, size_t count) {
  size_t behind = m->values.count - at - count;
  if (behind && count) memmove(m->values.data + at, m->values.data + at + count, behind * sizeof *m->values.data);
  m->values.count -= count;
}

void value_model_take(struct value_model *m, struct symbol s, const struct value_model *from) {
  size_t first = place(from, s.id, 0), count = place(from, s.id + 1, 0) - first;
  size_t at = place(m, s.id, 0), old = place(m, s.id + 1, 0) - at;
  if (old > count) close_gap(m, at, old - count);
  if (old < count) (void)open_gap(m, at, count - old);
  if (count) memcpy(m->values.data + at, from->values.data + first, count * sizeof *m->values.data);
}

void value_model_copy(struct value_model *m, const struct value_model *from) {
  size_t count = from->values.count;
  vec_clear(&m->values);
  if (count) memcpy(vec_push_n(&m->values, count), from->values.data, count * sizeof *m->values.data);
}

void value_model_clear(struct value_model *m) { vec_clear(&m->values); }
void value_model_release(struct value_model *m) { vec_release(&m->values); }
