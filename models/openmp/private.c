/* Threadprivate variables, which are compiled to calls: each thread but the program's first has copies of its own, which last from one
 * region to the next for the thread of the same number, though each region has new threads. Copies belong to the thread that comes to the
 * regions: it keeps a list for each number. A region within another one has copies that end with it. */
#include "internal.h"

struct copy {
  struct copy *next, *next_abandoned;
  void *of;
  char bytes[] __attribute__((aligned(16)));
};

/* How C++ makes and ends copies of a variable; written before main() runs. */
struct registered {
  struct registered *next;
  void *of;
  void *(*construct)(void *to);
  void *(*construct_from)(void *to, void *from);
  void (*destroy)(void *at);
};
static struct registered *all;

void __kmpc_threadprivate_register(ident_t *where, void *of, void *(*construct)(void *), void *(*construct_from)(void *, void *),
                                   void (*destroy)(void *)) {
  struct registered *r = malloc(sizeof *r);
  if (!r) __hd_unsupported("OpenMP", "a threadprivate variable without memory");
  *r = (struct registered){all, of, construct, construct_from, destroy};
  all = r;
}

static __thread struct copy *lists[THREADS_MOST];
/* The copies of threads that the program has made itself outlive them: nobody gives those back. */
__attribute__((used)) static struct copy *abandoned;

static __thread bool has_lists;

/* Regions have the thread that comes to them for their number 0. */
void __hd_omp_private_lists(struct member *member) { member->copies = (void **)&lists[member->number]; }

__attribute__((constructor)) static void note_first(void) { self.is_first = self.is_main = true; }

static const struct registered *find_registered(const void *of) {
  const struct registered *r = all;
  while (r && r->of != of) r = r->next;
  return r;
}

static struct copy *make(void *of, size_t size) {
  struct copy *copy = malloc(sizeof *copy + size);
  if (!copy) __hd_unsupported("OpenMP", "a threadprivate variable without memory");
  const struct registered *r = find_registered(of);
  copy->of = of;
  if (!self.is_main) copy->next_abandoned = __atomic_exchange_n(&abandoned, copy, __ATOMIC_RELAXED);
  __hd_initial(copy->bytes, of, size);
  if (r && r->construct) r->construct(copy->bytes);
  if (r && !r->construct && r->construct_from) r->construct_from(copy->bytes, of);
  return copy;
}

void *__kmpc_threadprivate_cached(ident_t *where, int32_t gtid, void *of, size_t size, void ***cache) {
  struct copy **list = (struct copy **)self.copies;
  if (!list && self.is_first) return of;
  if (!list) list = &lists[0];
  for (struct copy *copy = *list; copy; copy = copy->next)
    if (copy->of == of) return copy->bytes;
  struct copy *copy = make(of, size);
  copy->next = *list, has_lists = true;
  return (*list = copy)->bytes;
}

/* A thread of a team ends: nobody comes back to the copies of regions within its own. */
void __hd_omp_private_end(void) {
  for (unsigned i = 0; has_lists && i < THREADS_MOST; i++) {
    for (struct copy *copy = lists[i], *next; copy; copy = next) {
      const struct registered *r = find_registered(copy->of);
      next = copy->next;
      if (r && r->destroy) r->destroy(copy->bytes);
      free(copy);
    }
    lists[i] = NULL;
  }
}
