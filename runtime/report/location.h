/* What is at an address of memory, as far as the runtime knows. */
#pragma once
#include "report/origin.h"
#include "thread.h"

enum location_kind { LOCATION_UNKNOWN, LOCATION_HEAP, LOCATION_GLOBAL, LOCATION_DESCRIPTOR, LOCATION_STACK, LOCATION_THREAD_LOCAL };

struct location {
  enum location_kind kind;
  uintptr_t start;                  /* of the block or variable */
  uint32_t site;                    /* heap: of the allocation; descriptor: where it was opened, or SITE_UNKNOWN */
  size_t size;                      /* heap, global: 0 if not known */
  const char *name, *module;        /* global */
  uintptr_t offset;                 /* global: of the address, in the module */
  const struct thread_info *thread; /* who allocated or opened it, or whose it is; NULL: not known */
  int descriptor;
};

/* `then`: its origin, if it may be gone. One thread at a time; names last until symbol.h is asked again. */
struct location location_of(uintptr_t address, const struct origin *then);
