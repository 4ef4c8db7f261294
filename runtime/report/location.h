/* What is at an address of memory, as far as the runtime knows. */
#pragma once
#include "report/origin.h"

enum location_kind { LOCATION_UNKNOWN, LOCATION_HEAP, LOCATION_GLOBAL, LOCATION_DESCRIPTOR };

struct location {
  enum location_kind kind;
  uintptr_t start;           /* of the block or variable */
  uint32_t site;             /* heap: of the allocation; descriptor: where it was opened, or SITE_UNKNOWN */
  size_t size;               /* global: 0 if not known */
  const char *name, *module; /* global */
  int descriptor;
};

/* `then`: its origin, if it may be gone. One thread at a time; names last until symbol.h is asked again. */
struct location location_of(uintptr_t address, const struct origin *then);
