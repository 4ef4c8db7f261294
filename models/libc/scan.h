/* The scanf family's engine. */
#pragma once
#include "internal.h"

/* Where characters come from. `get` gives EOF at the end; at most one character is given back at a time. */
struct hd_source {
  int (*get)(struct hd_source *source);
  void (*unget)(struct hd_source *source, int c);
  void *from;
  size_t count; /* characters taken so far */
};

/* As scanf; returns the number of conversions that were stored, or EOF. */
int __hd_scan(struct hd_source *source, const char *format, va_list arguments);
