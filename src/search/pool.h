/* A pool of worker processes: forks them, reads what they write, tells who is gone, and kills them. What they are to do and what they say
 * is the business of those who explore with them (workers.c, team.c, prefixes.c).
 *
 * Each worker has a place, a number below `places`, under which its user keeps what belongs to it. One process calls all of this: the
 * master. */
#pragma once
#include <sys/types.h>

#include "base/err.h"
#include "base/text.h"
#include "base/wire.h"

/* How a worker came to its end: by itself; by a signal or with an error, so that its last words may be missing; by pool_kill_all(). */
enum pool_end { POOL_ENDED, POOL_CRASHED, POOL_KILLED };

/* Functions get pool.user. */
struct pool_type {
  /* The whole life of a worker, in its own process; does not return. It reads from `in` (-1 if it is not talked to) and writes to `out`. */
  void (*work)(void *user, uint32_t place, int in, int out);
  /* There is more in workers[place].said, from which it may take. False ends pool_listen(). NULL: it is looked at when the worker is gone.
   */
  bool (*heard)(void *user, uint32_t place);
  /* The worker is gone; what it said and nobody took is still there. False ends pool_listen(). */
  bool (*gone)(void *user, uint32_t place, enum pool_end end);
  bool talks; /* there is a pipe to each worker, too */
};

struct pool_worker {
  pid_t pid;        /* 0: nobody has this place */
  int from, to;     /* pipes from it and to it; -1: there is none */
  double since;     /* when it was hired (deadline_now()) */
  struct text said; /* what it has written */
};

struct pool {
  const struct pool_type *type;
  void *user;
  struct pool_worker *workers;
  uint32_t places, count; /* count: of places that somebody has */
  double stopped;         /* when workers were asked to stop; 0: they were not */
  bool late, interrupted; /* the deadline has passed; so they were interrupted */
};

void pool_init(struct pool *p, const struct pool_type *type, uint32_t places, void *user);
/* Nobody works any more. */
void pool_release(struct pool *p);
/* A place that nobody has, or `places`. */
uint32_t pool_free_place(const struct pool *p);
/* Starts a worker there. ERR_FILE, ERR_TOOL: the system does not let it. */
[[nodiscard]] enum err pool_hire(struct pool *p, uint32_t place, struct diag *d);
/* Nothing more will be written to the worker: it sees the end of its pipe. */
void pool_send_home(struct pool *p, uint32_t place);
/* Waits so many milliseconds for workers to say something, and hears them. False as soon as a function of the type says so. */
bool pool_listen(struct pool *p, int milliseconds);
void pool_kill_all(struct pool *p);
/* Called now and then with the present time: workers that were asked to stop for STOP_SECONDS and have not are killed. */
void pool_stop(struct pool *p, bool stopping, double time);
/* If the deadline has passed: workers have LATE_SECONDS to come to an end and to say what they have found, and so has the master to hear
 * it. Called before pool_stop(). */
void pool_hurry(struct pool *p, double time);

/* Messages of workers: a head, then as many bytes as it says. */
struct message_head {
  uint32_t kind, size;
};
void message_put(struct text *out, uint32_t kind, const struct text *what);
/* The next message that is there as a whole, from `*at` on, behind which `*at` is then; false: there is none. `what` borrows from `said`.
 */
bool message_next(const struct text *said, size_t *at, struct message_head *head, struct wire *what);
/* Forgets what was taken. */
void message_taken(struct text *said, size_t at);
