/* Addresses of code and data as the program's author knows them: C++ names are demangled. Reads debug information when it is first asked.
 * One thread at a time. */
#pragma once
#include "base.h"

struct frame_name {
  const char *function, *file; /* NULL: not known */
  int line;
  const char *module; /* NULL: not known */
  uintptr_t offset;   /* in it */
};

/* Libraries may have come and gone since then: asked before anything else by who needs names. */
void symbols_renew(void);
/* Calls f for the functions that the instruction at pc is in, inlined ones first; at least once. The names last until the next call. */
void symbol_of_code(uintptr_t pc, void (*f)(const struct frame_name *, void *), void *data);
/* The variable at that address. False if none is known. The names last until the next call, too. */
bool symbol_of_data(uintptr_t address, const char **name, uintptr_t *start, size_t *size, const char **module);
