/* Sorting and searching arrays. */
#include <search.h>
#include <stdlib.h>

#include "internal.h"

typedef int compare_fn(const void *, const void *, void *);

/* A merge sort of halves, as glibc's up to version 2.36 is: it compares the same elements, one pair after the other, so that a comparison
 * that decides something else, too, is called as in a native run; and it is stable, which programs rely on. */
struct sorter {
  size_t size;
  compare_fn *compare;
  void *context;
};

static char *copy(char *to, const char *from, size_t bytes) {
  __builtin_memcpy(to, from, bytes);
  return to + bytes;
}

/* `spare` has room for as many elements. */
static void sort_halves(const struct sorter *s, char *base, size_t n, char *spare) {
  if (n < 2) return;
  size_t left = n / 2, right = n - left;
  char *a = base, *b = base + left * s->size, *to = spare;
  sort_halves(s, a, left, spare);
  sort_halves(s, b, right, spare);
  while (left && right) {
    if (s->compare(a, b, s->context) <= 0)
      to = copy(to, a, s->size), a += s->size, left--;
    else
      to = copy(to, b, s->size), b += s->size, right--;
  }
  to = copy(to, a, left * s->size);
  __builtin_memcpy(base, spare, (size_t)(to - spare)); /* the others are where they belong */
}

static void sort(void *base, size_t n, const struct sorter *s) {
  if (n < 2 || !s->size) return;
  /* The temporary of a small array is on the stack: sorting it is no allocation that a checker would have to order. */
  size_t bytes = n * s->size;
  char *heap = bytes > 4096 ? __builtin_malloc(bytes) : NULL;
  char *spare = heap ? heap : __builtin_alloca(bytes);
  sort_halves(s, base, n, spare);
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
