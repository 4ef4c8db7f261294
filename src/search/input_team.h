/* What inputs.c, the master, input_worker.c and input_store.c, the campaign, share of an exploration of inputs by several processes. */
#pragma once
#include <stdatomic.h>

#include "search/answer.h"
#include "search/campaign.h"
#include "search/inputs.h"
#include "search/pool.h"

/* A worker's messages; each has its state (input_put_state()). GOES_ON: it has given something away, or time has passed. WAITS: it has
 * nothing left that it could do. ENDS: it was told to stop, or something ends the exploration; the present input is pending. SHOWS: the
 * present input shows something; behind the state: the input, and executions that show it (input_put_shown()); it ends. FAILED: an error
 * alone; it ends. */
enum input_message { INPUT_GOES_ON, INPUT_WAITS, INPUT_ENDS, INPUT_SHOWS, INPUT_FAILED };

/* Pending inputs, as machine_inputs_put() writes them. */
struct input_part {
  struct text bytes;
  uint64_t count;
  bool patient;  /* the solver gets more work for them: it could not tell of them in the usual limit */
  bool unsolved; /* of some it could not tell so far */
};

struct input_parts {
  VEC(struct input_part) list;
};

/* The worker writes, and the master reads; but `wanted`. */
struct input_desk {
  _Atomic bool wanted;          /* give something away; false once it was done */
  _Atomic uint64_t pending;     /* inputs */
  struct explore_counts unsaid; /* what it has counted since it said something: for progress alone */
};

struct input_board {
  struct worker_board all;
  volatile sig_atomic_t drops;     /* what is left when workers stop is of no use: its number is enough */
  _Atomic uint64_t made, explored; /* executions of all kinds, and inputs, of everybody */
  struct input_desk desks[];
};

/* The master's, of the worker at a place. */
struct input_member {
  struct input_part has; /* when it last said something, or was given that */
  bool waits, ended;     /* ended: it said that it will not go on */
};

struct inputs {
  struct session *s;
  uint32_t jobs;
  struct campaign *campaign; /* NULL: none */
  struct input_board *board;
  size_t board_size;
  struct pool pool;
  struct input_member *members;
  struct input_parts parts; /* that nobody has */
  struct input_parts hard;  /* for when nothing else is left: the solver gets more work for them */
  struct text shown;        /* an input that the session has to explore, or explores; empty: none */
  struct text executions;   /* and what shows that there is something to be seen */
  bool unknown;             /* the solver could not tell of some, also with more work */
  bool stopping;
  bool exploring;           /* the session explores an input, or sampled values */
  double alone_until;       /* one process explores until then */
  double saved, save_takes; /* the campaign: when, and for how long that lasted */
  unsigned killed;
  enum err error;
  struct diag *diag;
};

/* input_worker.c. A worker's life: pool_type.work. `user` is the struct inputs. */
void input_work(void *user, uint32_t place, int in, int out);

/* input_state.c. What a worker has done since it said something last, and what is left. */
struct input_said {
  struct explore_counts counts; /* in all, these and the next since it began */
  struct machine_search search;
  uint64_t explored;  /* inputs, since */
  struct text tested; /* inputs for explore_options.tested, since */
  uint64_t tests;
};

/* Writes it; the session has said it then. `given` (NULL: nothing): what goes to somebody else. `present`: the present input is pending.
 * `whole`: with what is left, not its number alone. */
void input_put_state(struct session *s, struct input_said *said, bool present, bool whole, const struct input_part *given,
                     struct text *out);
/* The master hears it of a worker. */
void input_get_state(struct inputs *x, struct input_member *m, struct wire *w);
/* explore_options.tested for a worker; `data` is its struct input_said. */
void input_note_tested(const struct machine_input *inputs, size_t n, void *data);

void input_put_part(const struct input_part *part, struct text *out);
void input_get_part(struct input_part *part, struct wire *w);
void input_part_release(struct input_part *part);
/* The part goes there, if there is any input in it, and is empty then. */
void input_parts_add(struct input_parts *to, struct input_part *part);
/* Findings that are ignored, by their lines. */
void input_put_ignored(const struct session *s, struct text *out);
void input_get_ignored(struct session *s, struct wire *w);

/* input_store.c. Reads what the campaign has; false: x->error. */
bool input_resume(struct inputs *x);
[[nodiscard]] enum err input_store(struct inputs *x);
