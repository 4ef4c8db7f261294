/* Everything that any program could have done that did a recorded run, by brute force: all states that recorded_machine.h can reach by
 * executing the run's events in whatever order (docs/model.md, section 2). What those states show is the whole truth about the run; a
 * sound analysis finds nothing else, and a maximal one finds it all. */
#pragma once
#include "recorded_machine.h"

#define TRUTH_CYCLES 64u

struct truth {
  bool complete; /* false: too many states */
  uint32_t states;
  bool race[RUN_EVENTS][RUN_EVENTS];                  /* both accesses can be next, and conflict; [a][b] and [b][a] */
  bool freed[RUN_EVENTS][RUN_EVENTS];                 /* [free][use]: the free has happened, the use is next */
  bool violation[RUN_EVENTS][RUN_EVENTS][RUN_EVENTS]; /* [a][b][c]: b comes between a and c, of one thread and one region; unserialisable */
  bool null[RUN_EVENTS];                              /* of a branch: what its thread read last, and used as an address there, can be 0 */
  bool lost[RUN_EVENTS];                              /* of the begin of a wait that was notified: next, and no notification is left */
  uint32_t cycles;
  uint32_t cycle[TRUTH_CYCLES][RUN_THREADS]; /* acquires, by their thread; UINT32_MAX: the thread takes no part */
};

void truth_find(struct truth *x, const struct run *r);
/* Adds what a window of the run shows, its events [from, to): the run's first `from` events have happened, in the order of the run (a
 * signal woke who left first, if somebody did), and then any of the window's events happen. `x` is zeroed, or has the truth of other
 * windows. */
void truth_add_window(struct truth *x, const struct run *r, uint32_t from, uint32_t to);
void truth_release(void);
/* Is there a state that is a goal, if events happen only when they may? `complete`: false if there are too many states. */
bool truth_reaches(const struct run *r, bool (*may)(const void *data, const struct run_state *s, const struct event *e),
                   bool (*is_goal)(const void *data, const struct run_state *s), const void *data, bool *complete);

/* Do the accesses of two threads race where both are next? */
bool truth_races(const struct run *r, const struct run_state *s, const struct event *a, const struct event *b);
/* Are both accesses, of one thread, in one region: a section of a lock, or a call of a method? */
bool truth_one_region(const struct run *r, uint32_t a, uint32_t c);
/* Is there no serial order that `a`, `b`, `c` could come from, `b` being another thread's? By what they read and write alone. */
bool truth_unserialisable(const struct event *a, const struct event *b, const struct event *c);
/* The read whose value the branch uses as an address: the thread's last one, with none of its branches between, of that value, which is not
 * 0; UINT32_MAX: there is none. */
uint32_t truth_pointer(const struct run *r, uint32_t branch);
