/* Which findings are one defect.
 *
 * One mistake shows itself in several places: a list that is changed under a lock held for reading races in each of its fields, and a
 * wait for the wrong condition variable leaves now this, now that thread behind. Such findings are told together, as one with the places it
 * was also seen at; none is left out. So two findings belong together only if a rule says so, and no rule is about more than
 *
 *   - races between the same two functions, of the same variable (or of blocks allocated at the same place); or in the same critical
 *     sections (the locks were acquired at the same places); or with an access in common; or where the address of one access is
 *     what another racing access has read;
 *   - failures of the same kind in one function, of what was freed or allocated at the same place;
 *   - a use after an object's end, and a race of this use with that end: the other order; so for a synchronisation object that is used
 *     when it is destroyed, or initialised when it has been used;
 *   - deadlocks and lost wake-ups with the same threads' places, whatever comes first; or whose threads wait under the same mutex for
 *     condition variables;
 *   - livelocks of threads in the same functions;
 *   - a leak that only some executions have, of a block that is raced for.
 *
 * Rules are links: numbers made from what findings have in common. Findings with a link in common are one defect. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "happens/race.h"
#include "trace/finding.h"

struct machine;

#define DEFECT_LINKS 8u

struct defect_links {
  uint64_t links[DEFECT_LINKS];
  uint32_t count;
  uint64_t block; /* of races and leaks: what identifies where the block was allocated; 0: it is none */
};

/* Of the finding that the present execution shows. `pair`: of a race; else NULL. */
struct defect_links defect_links_of(const struct machine *m, const struct finding *f, const struct race_pair *pair);
