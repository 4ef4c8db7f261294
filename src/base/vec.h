/* Growable arrays, typed by macro:
 *
 *     VEC(struct event) trace = {0};
 *     *vec_push(&trace) = event;
 *     for (size_t i = 0; i < trace.count; i++) use(&trace.data[i]);
 *     vec_release(&trace);
 *
 * A zeroed struct is an empty vector. Elements move when it grows: address them by index across pushes. */
#pragma once
#include <stddef.h>

#include "base/mem.h"

#define VEC(type)      \
  struct {             \
    type *data;        \
    size_t count, cap; \
  }

/* Makes room for `n` more elements. */
#define vec_reserve(v, n) \
  ((v)->count + (n) > (v)->cap ? (void)vec_grow_((void **)&(v)->data, &(v)->cap, (v)->count + (n), sizeof *(v)->data) : (void)0)
/* Pointer to a new last element; its content is unspecified. */
#define vec_push(v) (vec_reserve(v, 1), &(v)->data[(v)->count++])
/* Pointer to `n` new last elements. */
#define vec_push_n(v, n) (vec_reserve(v, n), (v)->count += (n), &(v)->data[(v)->count - (n)])
#define vec_pop(v)       ((v)->data[--(v)->count])
#define vec_last(v)      ((v)->data[(v)->count - 1])
#define vec_clear(v)     ((void)((v)->count = 0))
#define vec_release(v)                                 \
  do {                                                 \
    mem_free((v)->data, (v)->cap * sizeof *(v)->data); \
    (v)->data = NULL;                                  \
    (v)->count = (v)->cap = 0;                         \
  } while (0)

/* Grows `*data` so that `*cap >= need`; the macro's helper. */
void vec_grow_(void **data, size_t *cap, size_t need, size_t element_size);
