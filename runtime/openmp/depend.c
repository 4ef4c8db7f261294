#include "openmp/depend.h"

enum { BUCKETS = 64, AT_ONCE = 4 };

struct name {
  uintptr_t address;
  struct order read, written, together; /* by those who name it `in`, by those who name it `out`, by the others */
  struct name *next;
};
struct names {
  struct name *bucket[BUCKETS];
};
struct wish {
  struct name *name;
  enum dependence how;
};

static struct name *name_of(struct names **names, uintptr_t address) {
  if (!*names && (*names = rt_alloc(sizeof **names))) **names = (struct names){0};
  if (!*names) return order_lose(), NULL;
  struct name **bucket = &(*names)->bucket[address * 0x9e3779b97f4a7c15ull >> 58], *n = *bucket;
  while (n && n->address != address) n = n->next;
  if (n) return n;
  n = rt_alloc(sizeof *n);
  if (!n) return order_lose(), NULL;
  *n = (struct name){.address = address, .next = *bucket};
  return *bucket = n;
}

static size_t room(unsigned count) { return (count + AT_ONCE - 1) / AT_ONCE * AT_ONCE * sizeof(struct wish); }

void depend_add(struct names **names, struct dependences *d, uintptr_t address, enum dependence how) {
  struct name *n = name_of(names, address);
  if (!n) return;
  if (room(d->count + 1) > room(d->count)) {
    struct wish *more = rt_alloc(room(d->count + 1));
    if (!more) return order_lose();
    if (d->at) rt_copy(more, d->at, d->count * sizeof *more), rt_free(d->at, room(d->count));
    d->at = more;
  }
  d->at[d->count++] = (struct wish){n, how};
}

void depend_acquire(const struct dependences *d) {
  for (unsigned i = 0; i < d->count; i++) {
    struct name *n = d->at[i].name;
    enum dependence how = d->at[i].how;
    order_acquire(&n->written);
    if (how != DEPEND_IN) order_acquire(&n->read);
    if (how != DEPEND_SET) order_acquire(&n->together);
  }
}

void depend_release(const struct dependences *d) {
  for (unsigned i = 0; i < d->count; i++) {
    struct name *n = d->at[i].name;
    order_release(d->at[i].how == DEPEND_IN ? &n->read : d->at[i].how == DEPEND_OUT ? &n->written : &n->together);
  }
}

void depend_drop(struct dependences *d) {
  rt_free(d->at, room(d->count));
  *d = (struct dependences){0};
}

void names_drop(struct names *names) {
  for (unsigned i = 0; names && i < BUCKETS; i++)
    for (struct name *n = names->bucket[i], *next; n; n = next) {
      next = n->next;
      order_drop(&n->read), order_drop(&n->written), order_drop(&n->together);
      rt_free(n, sizeof *n);
    }
  rt_free(names, sizeof *names);
}
