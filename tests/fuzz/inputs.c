/* Campaigns: the inputs that are pending, as the state has them, and one that is explored. What was read is written, and read again. */
#include "machine/symbolic/pending.h"
#include "target.h"

struct reader {
  struct value_pool *pool;
  struct pending_inputs pending;
  struct value_model model;
};

static bool take(struct reader *r, struct wire part) {
  struct wire present = part;
  r->pool = value_pool_new();
  return pending_read(&r->pending, r->pool, &part) && pending_read_present(&r->pending, r->pool, &r->model, &present);
}

static void release(struct reader *r) {
  pending_release(&r->pending);
  value_model_release(&r->model);
  value_pool_free(r->pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  struct reader first = {0}, second = {0};
  struct text written = {0};
  if (take(&first, (struct wire){(const char *)data, (const char *)data + n, false})) {
    pending_write(&first.pending, first.pool, true, &written);
    second.pool = value_pool_new();
    struct wire from = {written.data, written.data + written.count, false};
    MUST(pending_read(&second.pending, second.pool, &from));
    MUST(pending_count(&second.pending) == pending_count(&first.pending) + 1);
    release(&second);
  }
  release(&first);
  text_release(&written);
  return 0;
}
