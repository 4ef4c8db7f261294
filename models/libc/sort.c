/* Sorting and searching arrays. */
#include <search.h>
#include <stdlib.h>

#include "internal.h"

typedef int compare_fn(const void *, const void *, void *);

/* glibc's qsort is a merge sort, hence stable; programs whose output depends on that must see the same. Bottom up: insertion sort of
 * runs of 8, then merges through a temporary. */
enum { RUN = 8 };

struct sorter {
  size_t size;
  compare_fn *compare;
  void *context;
};

static void insertion_sort(const struct sorter *s, char *base, size_t n, char *spare) {
  for (size_t i = 1; i < n; i++) {
    char *at = base + i * s->size, *hole = at;
    while (hole > base && s->compare(hole - s->size, at, s->context) > 0) hole -= s->size;
    if (hole == at) continue;
    __builtin_memcpy(spare, at, s->size);
    __builtin_memmove(hole + s->size, hole, (size_t)(at - hole));
    __builtin_memcpy(hole, spare, s->size);
  }
}

/* Merges base[0..left) and base[left..left+right), both sorted; `spare` holds at least `left` elements. */
static void merge(const struct sorter *s, char *base, size_t left, size_t right, char *spare) {
  char *b = base + left * s->size, *b_end = b + right * s->size;
  if (s->compare(b - s->size, b, s->context) <= 0) return;
  __builtin_memcpy(spare, base, left * s->size);
  char *a = spare, *a_end = spare + left * s->size, *to = base;
  while (a < a_end && b < b_end) {
    bool first = s->compare(a, b, s->context) <= 0;
    __builtin_memcpy(to, first ? a : b, s->size);
    if (first)
      a += s->size;
    else
      b += s->size;
    to += s->size;
  }
  __builtin_memcpy(to, a, (size_t)(a_end - a));
}

static void sort(void *base, size_t n, const struct sorter *s) {
  if (n < 2 || !s->size) return;
  /* The temporary of a small array is on the stack: sorting it is no allocation that a checker would have to order. */
  size_t bytes = n > RUN ? n * s->size : s->size;
  char *heap = bytes > 4096 ? __builtin_malloc(bytes) : NULL;
  char *spare = heap ? heap : __builtin_alloca(bytes);
  for (size_t i = 0; i < n; i += RUN) insertion_sort(s, (char *)base + i * s->size, n - i < RUN ? n - i : RUN, spare);
  for (size_t width = RUN; width < n; width *= 2)
    for (size_t i = 0; i + width < n; i += 2 * width)
      merge(s, (char *)base + i * s->size, width, n - i - width < width ? n - i - width : width, spare);
  __builtin_free(heap);
}

void qsort_r(void *base, size_t n, size_t size, compare_fn *compare, void *context) {
  sort(base, n, &(struct sorter){size, compare, context});
}

static int compare_plain(const void *a, const void *b, void *context) { return (*(__compar_fn_t *)context)(a, b); }

void qsort(void *base, size_t n, size_t size, __compar_fn_t compare) { sort(base, n, &(struct sorter){size, compare_plain, &compare}); }

void *bsearch(const void *key, const void *base, size_t n, size_t size, __compar_fn_t compare) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const void *at = (const char *)base + middle * size;
    int order = compare(key, at);
    if (!order) return (void *)at;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

void *lfind(const void *key, const void *base, size_t *n, size_t size, __compar_fn_t compare) {
  for (size_t i = 0; i < *n; i++) {
    const void *at = (const char *)base + i * size;
    if (!compare(key, at)) return (void *)at;
  }
  return NULL;
}

void *lsearch(const void *key, void *base, size_t *n, size_t size, __compar_fn_t compare) {
  void *found = lfind(key, base, n, size, compare);
  if (found) return found;
  void *at = (char *)base + *n * size;
  __builtin_memcpy(at, key, size);
  ++*n;
  return at;
}
