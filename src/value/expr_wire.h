/* Expressions as bytes, for another pool: another process has it, or it is another day.
 *
 * Each expression and array is written once, behind its operands, and has a number, from 0 on. A symbol is written by its name. What is
 * read has the hash of what was written (expr.h): nothing is simplified anew. The bytes may come from anybody: what no pool could have
 * made, as operators with operands of wrong widths, is not read. */
#pragma once
#include "base/hash.h"
#include "base/wire.h"
#include "value/expr.h"

/* Zeroed but for the pool. `bytes` has all that was numbered so far. */
struct expr_writer {
  const struct value_pool *pool;
  struct text bytes;
  struct hashmap numbers; /* id -> number */
  VEC(uint32_t) stack;
};
/* The expression's number, or the array's: it is written if it was not. */
uint64_t expr_write(struct expr_writer *w, struct expr e);
uint64_t expr_write_array(struct expr_writer *w, struct expr_array a);
/* Appends the number of them, and `bytes`. */
void expr_writer_put(const struct expr_writer *w, struct text *out);
void expr_writer_release(struct expr_writer *w);

/* Zeroed but for the pool. */
struct expr_reader {
  struct value_pool *pool;
  VEC(uint32_t) ids; /* by number */
};
/* Reads what expr_writer_put() wrote. False: these bytes are none of it. */
[[nodiscard]] bool expr_reader_get(struct expr_reader *r, struct wire *from);
/* The expression of a number that is read from there, of this width (0: an array's id). Sets from->bad if there is none. */
struct expr expr_read(const struct expr_reader *r, struct wire *from, unsigned width);
/* Is there a symbol of this number, which is read from there? It may be an array. Sets from->bad if not. */
struct symbol expr_read_symbol(const struct expr_reader *r, struct wire *from);
void expr_reader_release(struct expr_reader *r);
