/* What is at an address of memory, as far as the runtime knows. */
#pragma once
#include "base.h"

enum location_kind { LOCATION_UNKNOWN, LOCATION_HEAP, LOCATION_GLOBAL, LOCATION_DESCRIPTOR };

struct location {
  enum location_kind kind;
  uintptr_t start;           /* of the block or variable */
  uint32_t site;             /* heap: of the allocation; descriptor: where it was opened, or SITE_UNKNOWN */
  size_t size;               /* global: 0 if not known */
  const char *name, *module; /* global */
  int descriptor;
};

/* Descriptors are words of memory, too, for the analyses: where the number's one is, 0 if there is none for it; and back, -1 if it is
 * none's. */
uintptr_t descriptor_word(int fd);
int descriptor_of(uintptr_t word);
/* It is a new one, from that place. */
void descriptor_opened(int fd, uint32_t site);

/* One thread at a time; names last until symbol.h is asked again. */
struct location location_of(uintptr_t address);
