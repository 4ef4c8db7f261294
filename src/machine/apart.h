/* Executing threads apart (machine_options.apart): whoever has the machine says what a thread finds in memory that others write, so that
 * each thread goes the way that its log says, whatever the others did and did not do. CLAP (Huang, Zhang, Dolby, PLDI 2013), section 3.1.
 *
 * What a read is said to find has a *symbol*. All that the thread computes from it is an expression, and what its log says of its branches
 * are conditions. Where the value that was said makes the thread leave its log, apart_wanted() is the condition that it should have met:
 * the machine goes back to a mark before some of the reads, they are said to find something else, and it goes on.
 *
 * What has no expression (arguments of builtin functions, where a lock is, ...) is fixed, which is a condition too: other values would be
 * others' executions. Addresses of accesses have expressions (CLAP, section 5): whoever has the machine asks for them. */
#pragma once
#include "machine/machine.h"
#include "value/solver.h"

/* Of all expressions here; lives as long as the machine. */
struct value_pool *apart_pool(struct machine *m);
struct value_solver *apart_solver(struct machine *m);

/* The pending step of `thread`, a READ or an RMW of at most 8 bytes, will find `symbol` in memory, which has as many bits. */
void apart_read(struct machine *m, uint32_t thread, struct expr symbol, uint64_t value);
/* The instruction that `thread` stands at, or has failed at, is an access whose address depends on symbols: what it is, and where it is
 * `at` with what was said. False: it is not. */
bool apart_reached(const struct machine *m, uint32_t thread, struct expr *address, uint64_t *at);
/* What memory has there, at most 8 bytes. */
struct expr apart_memory(const struct machine *m, uint64_t address, uint64_t size);

/* The conditions of the execution so far; they go back with it. Each holds with the values that were said. */
size_t apart_conditions(const struct machine *m);
struct expr apart_condition(const struct machine *m, size_t i);
/* It says that something has no expression and so has its value: an address, an argument. */
bool apart_condition_fixes(const struct machine *m, size_t i);
/* The log says it. All others come of what reads are said to find: they are others where that is something else. */
bool apart_condition_told(const struct machine *m, size_t i);
/* The last step left the log: false: it did not, or for nothing that depends on a symbol. */
bool apart_wanted(const struct machine *m, struct expr *condition);

/* Is the address on the thread's own stack or heap? */
bool apart_is_own(const struct machine *m, uint32_t thread, uint64_t address);

/* The log of a thread that has begun: has it come to its end, and how many bits has it gone? */
bool apart_log_ended(const struct machine *m, uint32_t thread);
uint64_t apart_log_at(const struct machine *m, uint32_t thread);
