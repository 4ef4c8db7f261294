/* Do two lines of a program race in any of its executions? An exploration names one race for each pair of instructions that its detector
 * meets, and the detector forgets an access when a later one stands for it (happens/race.h): of `r = x; r = x;` in one thread it names
 * the second read alone, and a run may tell the first. Here nothing stands for anything: all executions are made, one for each order of
 * dependent steps (dpor), and in each of them every two accesses of these lines are compared by happens-before. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct image;
struct machine;
struct diag;

enum pair_answer { PAIR_RACES, PAIR_NEVER, PAIR_UNKNOWN /* there are more than `most` executions, or some are not explored */ };

/* `lines`: of each of the image's sites. Accesses are those of memory, ends of blocks, and uses of the thread library's objects. */
enum pair_answer pair_decide(struct machine *m, const unsigned *lines, unsigned one, unsigned other, uint64_t most, struct diag *d);
