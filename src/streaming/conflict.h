/* Sections of one lock that exclude each other, and what orders them in weak orders. */
#pragma once
#include "streaming/memory.h"
#include "streaming/sync.h"

/* Where sections' ends are learnt, and by which layers a thread knows of something. */
struct conflict_rule {
  unsigned to;       /* what a thread learns goes to this layer */
  unsigned known[2]; /* knowing in one of these is enough (may be the same) */
};

/* Thread t reads or writes the bytes, or both, holding locks: the ends of other threads' sections of these locks that touched the bytes in
 * conflict come before it (rule (a)). Its own sections touch them from now on. */
void conflict_access(struct sync *s, struct memory *m, const struct conflict_rule *r, struct granule *g, uint32_t t, uint8_t reads,
                     uint8_t writes);

/* Rule (b): the ends of those sections of the lock whose begins t knows; `shared`: t has it for reading. */
void conflict_complete(struct sync *s, const struct conflict_rule *r, uint32_t t, uint32_t lock, bool shared);
