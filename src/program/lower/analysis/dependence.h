/* The static dependency setting (docs/model.md, Dependency): a system dependency graph of the program (Horwitz, Reps and Binkley,
 * "Interprocedural slicing using dependence graphs", TOPLAS 1990; the thesis, section 4.1), in the form that the image keeps: from each
 * site of an event to what decides whether and where it happens, and to what a write's value is computed from; at the other ends are reads.
 *
 * Nodes are values, blocks, branches, classes of memory (points.h), entries and results of functions. Edges go from what depends to what it
 * depends on, whatever the calling context:
 *
 *   - along SSA; from a load to all stores to its class of memory, unless it is atomic and so always seen; through arguments and results;
 *   - from a block to the branches that decide whether it is executed (control_flow.h), from a function's entry to its calls;
 *   - from a point of the program to what could have kept the thread from coming there, as JOANA's edges for exceptions do: addresses of
 *     accesses, conditions on which loops end, arguments of external functions, and all that may end the execution inside a call.
 *
 * The library models are not looked into: an event in one has the site of the call, and depends on everything. */
#pragma once

struct lower;

/* Fills the image's sections depend_*, once all code has been emitted. */
void dependence_find(struct lower *l);
