/* What an event did, in words: "counter = 1 (was 0)", "locks mutex m", "starts thread 0.2". */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct image;
struct machine;
struct event;
struct names;

/* `names` shortens heap blocks (names.h); NULL: full words. `was`: the location's value before the event, or NULL. */
void action_text(struct names *names, const struct image *image, const struct machine *m, const struct event *e, const uint64_t *was,
                 struct text *out);
/* What a thread that cannot go on waits for: "waits for mutex m". `e` is its pending event. */
void action_wait_text(struct names *names, const struct machine *m, const struct event *e, struct text *out);
