#include "program/args.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

void args_add(struct args *a, const char *argument) {
  size_t n = strlen(argument) + 1;
  char *copy = mem_alloc(n);
  memcpy(copy, argument, n);
  *vec_push(&a->list) = copy;
}

void args_addf(struct args *a, const char *format, ...) {
  struct text t = {0};
  va_list values;
  va_start(values, format);
  text_vprintf(&t, format, values);
  va_end(values);
  args_add(a, text_str(&t));
  text_release(&t);
}

void args_add_file(struct args *a, const char *path) { args_addf(a, "%s%s", *path == '-' || *path == '@' ? "./" : "", path); }

void args_append(struct args *a, const struct args *from) {
  for (size_t i = 0; i < from->list.count; i++) args_add(a, from->list.data[i]);
}

void args_append_argv(struct args *a, size_t n, const char *const *argv) {
  for (size_t i = 0; i < n; i++) args_add(a, argv[i]);
}

char *const *args_argv(struct args *a) {
  *vec_push(&a->list) = NULL;
  a->list.count--;
  return a->list.data;
}

void args_clear(struct args *a) {
  for (size_t i = 0; i < a->list.count; i++) mem_free(a->list.data[i], strlen(a->list.data[i]) + 1);
  vec_clear(&a->list);
}

void args_release(struct args *a) {
  args_clear(a);
  vec_release(&a->list);
}
