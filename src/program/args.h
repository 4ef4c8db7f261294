/* A command line under construction: owned, NULL-terminated strings. */
#pragma once
#include <stdbool.h>

#include "base/vec.h"

struct args {
  VEC(char *) list; /* without the terminator */
};

void args_add(struct args *a, const char *argument);
[[gnu::format(printf, 2, 3)]] void args_addf(struct args *a, const char *format, ...);
/* Adds the name of a file so that no program takes it for an option (-x) or a list of more of them (@x). */
void args_add_file(struct args *a, const char *path);
/* Appends a copy of all of `from`. */
void args_append(struct args *a, const struct args *from);
void args_append_argv(struct args *a, size_t n, const char *const *argv);
/* NULL-terminated view, valid until the next change. */
char *const *args_argv(struct args *a);
void args_clear(struct args *a);
void args_release(struct args *a);
