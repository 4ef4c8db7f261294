#include "trace/intern.h"

#include <string.h>

const char *intern_name(const struct intern *t, uint32_t number, size_t *n) {
  size_t from = number ? t->ends.data[number - 1] : 0;
  *n = t->ends.data[number] - from;
  return t->bytes.data ? t->bytes.data + from : ""; /* no bytes: only the empty name is there */
}

uint32_t intern(struct intern *t, const char *name, size_t n, bool *is_new) {
  bool added = false;
  for (uint64_t key = hash_bytes(name, n, 0);; key++) {
    size_t length;
    uint64_t *number = hashmap_at(&t->numbers, key, t->ends.count, &added);
    if (!added) {
      const char *known = intern_name(t, (uint32_t)*number, &length);
      if (length != n || memcmp(known, name, n) != 0) continue;
    } else {
      if (n) memcpy(vec_push_n(&t->bytes, n), name, n);
      *vec_push(&t->ends) = t->bytes.count;
    }
    if (is_new) *is_new = added;
    return (uint32_t)*number;
  }
}

void intern_release(struct intern *t) {
  hashmap_release(&t->numbers);
  vec_release(&t->ends);
  vec_release(&t->bytes);
}
