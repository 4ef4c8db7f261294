/* Addresses of code and data as the program's author knows them: C++ names are demangled. Reads debug information when it is first asked.
 * One thread at a time. */
#pragma once
#include "base.h"

struct frame_name {
  const char *function, *file; /* NULL: not known */
  int line, column;            /* 0: not known. Columns are of innermost functions, and of calls in them; not of calls that were inlined */
  const char *module;          /* NULL: not known */
  const char *build_id;        /* the module's; NULL: none */
  uintptr_t offset;            /* in it */
  bool runtime;                /* the function is the runtime's, which stands for the C library's */
  bool somewhere;              /* where in the function is not known any more */
};

/* Libraries may have come and gone since then: asked before anything else by who needs names. */
void symbols_renew(void);
/* Calls f for the functions that the instruction at pc is in, inlined ones first; at least once. The names last until the next call. */
void symbol_of_code(uintptr_t pc, void (*f)(const struct frame_name *, void *), void *data);
/* The function that begins at that address, of the runtime. False if none is known. */
bool symbol_of_function(uintptr_t address, struct frame_name *name);
/* The variable at that address. False if none is known. The names last until the next call, too. */
bool symbol_of_data(uintptr_t address, const char **name, uintptr_t *start, size_t *size, const char **module);
