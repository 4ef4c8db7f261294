/* Who can tell that a block's memory was used before. Blocks that follow one another at an address are different things (lives.h), but
 * a thread that has pointers to two of them can compare them, and they are equal only if the earlier block had ended when the later one
 * began:
 *
 *     one thread          another one            a third one, which has kept `p`
 *     z = 1; free(p);
 *                         q = malloc(..);
 *                                                if (p == q) z = 2;
 *
 * The writes of z do not race. So a thread that has pointers to both goes on as it did only where the one's free comes before the other's
 * allocation. The model has it from hidden memory, a word for two such blocks. The free writes (1, 0) to its two bytes, the allocation 1 to
 * the second one, and the thread reads: it reads (1, 1), as in the run, if both have happened in that order. Who does not have both
 * pointers reads nothing, and the blocks' order is free.
 *
 * A thread has a pointer from where it reads it, from where it allocates the block, or as the argument that it was created with; who waits
 * for a thread's end has what that one had. One that uses a block, or writes a pointer to it, without any of these has had the earlier
 * block's pointer from its begin on, and the later one's since it was created or read something whose value is not known; if that was
 * before the block, since it uses it. Before the window, anyone may have read anything. But who allocates the later block, and has not been
 * seen with the earlier one's pointer but when it allocated that, or before the window, has given that away: so programs do that
 * create threads, each with a block of its own that the thread frees.
 *
 * A program may have a pointer in another form as well: hashed, in parts, as a number of a block. So what is found in an order that gives
 * memory out before it was given back is asked once more, `cautious`: each thread that may know of two blocks by what values can have told
 * it (flow.h) counts as having pointers to both. Then stacks of threads and mappings count as blocks, too. */
#pragma once
#include "predict/recorded/memory/flow.h"
#include "predict/recorded/state.h"

/* The hidden words; lower addresses are the program's and the recorder's. */
#define REUSE_OBJECTS (3ull << 62)

/* A block at whose address another one was, or will be. Positions in the window; RECORDED_NONE: before it, or not in it. */
struct reuse_life {
  uint64_t from, to;
  uint32_t begin, end;
  uint32_t over; /* `cautious`: `end`, or of a thread's stack its last event before its END, or of a mapping where it begins */
};
/* Two such blocks that a thread can tell apart: the end of `earlier` came before the begin of `later`. */
struct reuse_pair {
  uint32_t earlier, later;
};
/* The model has a hidden event before what happens at the position: of the thread's there for a read. */
struct reuse_event {
  uint32_t position, pair;
  enum reuse_kind { REUSE_READ, REUSE_BEGIN, REUSE_END /* behind what happens there */ } kind;
};

/* A thread has a pointer to the life from that position on. */
struct reuse_sight {
  uint32_t thread, life, position;
  bool kept; /* it has read it, or used it, or was created with it; else it has allocated it, or all may have it */
};
struct reuse_node {
  uint32_t life, before;
};

/* Zeroed is ready for use. */
struct reuse {
  VEC(struct reuse_event) events; /* in the order of their positions */
  VEC(struct reuse_pair) pairs;
  VEC(struct reuse_life) lives;
  /* used while it is found */
  VEC(struct reuse_sight) sights, told; /* told: of no life, where threads may have got any pointer */
  VEC(struct reuse_node) nodes;
  VEC(uint32_t) large, numbers; /* lives that are too large for granules; of the window's, by number (lives.h) */
  struct hashmap granules;      /* address / 16: the last node */
  struct hashmap written;       /* memory: the life of the pointer that the window wrote there, or RECORDED_NONE */
  struct hashmap seen, next;    /* thread and life: the sight; thread and position: its first event from there on */
  struct hashmap last, made;    /* granule: the last sight; earlier and later life: the pair */
  bool cautious;
  VEC(struct flow_block) blocks;
  struct flow flow;
};

/* `window`: with lives told apart. */
void reuse_find(struct reuse *r, struct recorded_state *state, const struct event *window, uint32_t n, bool cautious);
/* Is memory given out in that order before it is given back? `order`: of each position, where it stands in the order; RECORDED_NONE: it
 * does not. */
bool reuse_is_reversed(const struct reuse *r, const uint32_t *order);
static inline uint64_t reuse_object(uint32_t pair) { return REUSE_OBJECTS | (uint64_t)pair << 3; }
static inline uint32_t reuse_pair_of(uint64_t object) { return (uint32_t)(object & ~REUSE_OBJECTS) >> 3; }
void reuse_release(struct reuse *r);
