/* Problems of the shape that traces have, made at random: threads with lock sections, reads and writes, as one interleaving of them ran.
 *
 * Shared by all queries: program order; of two sections of a lock one comes first; each read that must keep its value has a write of that
 * value before it, with every other write of another value before that or after the read. A query lets one read return another value, with
 * all earlier reads of its thread as they were; or, if all reads must keep their values anyway, turns a read and a write around. */
#pragma once
#include "order/order.h"

struct shape {
  uint32_t chains, events;
  uint32_t locks, variables, values;
  bool observed; /* events are added as they were observed: the search knows an answer; else as another interleaving would have been */
  bool keep;     /* all reads must keep their values in every query; else those that the query names */
};

struct shape_problem;

[[nodiscard]] struct shape_problem *shape_new(struct shape shape, uint64_t seed);
void shape_free(struct shape_problem *p);
/* Puts the part that all queries share to `o`. */
void shape_build(struct shape_problem *p, struct order *o);
/* Puts one more query, in a level of its own, and asks it. */
enum order_answer shape_query(struct shape_problem *p, struct order *o, uint32_t index, uint64_t budget);
/* Asks about the reads of one thread, one after the other, until `*asked` reaches `most`: each for every value that it did not return, in
 * levels that nest, as each read needs those before it to be as they were. */
void shape_thread(struct shape_problem *p, struct order *o, uint32_t thread, uint32_t most, uint32_t *asked,
                  void (*answered)(void *to, enum order_answer answer), void *to);
