/* Random properties. */
#pragma once
#include "base/text.h"
#include "property/property.h"

struct pattern_maker {
  uint64_t seed;
  struct text text; /* the property's */
  unsigned regions;
};

uint32_t pattern_pick(struct pattern_maker *m, uint32_t below);
/* A property p(x, y, v) with events a, b, c, which has to be released. `put_source` appends " after ...", a source of an event. */
void pattern_make(struct pattern_maker *m, void (*put_source)(struct pattern_maker *m), struct properties *out);
