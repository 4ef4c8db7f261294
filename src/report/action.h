/* What an event did, in words: "counter = 1 (was 0)", "locks mutex m", "starts thread 0.2". */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct image;
struct machine;
struct event;

/* `was`: the location's value before the event, if `has_was`. */
void action_text(const struct image *image, const struct machine *m, const struct event *e, bool has_was, uint64_t was, struct text *out);
/* What a thread that cannot go on waits for: "waits for mutex m". `e` is its pending event. */
void action_wait_text(const struct machine *m, const struct event *e, struct text *out);
