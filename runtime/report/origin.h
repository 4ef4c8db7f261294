/* Where blocks of the heap and descriptors came from. */
#pragma once
#include "base.h"

/* Descriptors are words of memory, too, for the analyses: where the number's one is, 0 if there is none for it; and back, -1 if it is
 * none's. */
uintptr_t descriptor_word(int fd);
int descriptor_of(uintptr_t word);
/* It is a new one, from that place, by the thread of that number. */
void descriptor_opened(int fd, uint32_t site, uint32_t thread);

struct origin {
  uint32_t site;   /* SITE_UNKNOWN: not known, or neither */
  uint32_t maker;  /* number of the thread that made it, plus 1; 0: not known */
  uintptr_t start; /* of the block; 0: a descriptor, or neither */
  size_t size;     /* of the block, as it was asked for */
};
/* How far away a block's begin may be, in bytes: the search takes a step for 16. */
enum origin_search { ORIGIN_SOON = 1 << 14, ORIGIN_FAR = 1 << 24 };
/* As long as it is there. Any thread. */
struct origin origin_of(uintptr_t address, enum origin_search how);
