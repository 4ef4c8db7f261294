/* Columns of source lines, which libbacktrace does not tell: from the line tables of DWARF 2 to 5. */
#pragma once
#include "report/module.h"

/* The column of the innermost function's place at that instruction, if that line is what the tables have there, too; 0: not known. One
 * thread at a time. */
int column_of(const struct module *m, uintptr_t pc, int line);
