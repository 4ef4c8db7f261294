#include "trace/finding.h"

#include "base/hash.h"

const char *finding_kind_text(enum finding_kind kind) {
  static const char *const texts[] = {
#define X(name, text) text,
      FINDING_LIST(X)
#undef X
  };
  return texts[kind];
}

void finding_release(struct finding *f) {
  text_release(&f->message);
  vec_release(&f->sites);
}

uint64_t finding_key(const struct finding *f) {
  uint64_t a = f->sites.count > 0 ? f->sites.data[0].site : UINT32_MAX;
  uint64_t b = f->sites.count > 1 ? f->sites.data[1].site : UINT32_MAX;
  if (a > b) {
    uint64_t swap = a;
    a = b, b = swap;
  }
  uint64_t key = hash_pair(hash_pair((uint64_t)f->kind, a), b);
  bool named = f->kind == FINDING_PROPERTY; /* one place may be of several */
  return named ? hash_pair(key, hash_bytes(text_str(&f->message), f->message.count, 0)) : key;
}
