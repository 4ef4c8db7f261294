/* What the masters and workers of workers.c and team.c have in common: how a worker begins, and what it tells its master, as bytes
 * (wire.h).
 */
#pragma once
#include "base/wire.h"
#include "explore/session.h"

/* What one process explores before others are made. */
#define ALONE_SECONDS 0.05
/* How long workers may take to come back when everything ends. */
#define STOP_SECONDS 3.0
/* The same at the end of the time: in the first half of it they may finish an execution, then they are interrupted. */
#define LATE_SECONDS 0.4
/* How often in a row workers may be killed before something is thought to be wrong. */
#define KILLED_MOST 20
/* Reasons that end an exploration. */
#define REASONS_TO_END                                                                                                              \
  (1u << EXPLORE_REASON_INTERRUPTED | 1u << EXPLORE_REASON_TIME | 1u << EXPLORE_REASON_EXECUTIONS | 1u << EXPLORE_REASON_FINDINGS | \
   1u << EXPLORE_REASON_LIVELOCK)

/* The process is a worker from now on: its counts begin, and it ends with its master, who says when to stop. `o`: its options. */
void worker_begin(struct session *s, const struct explore_options *o, const struct worker_board *board);

/* Writes everything; a worker without a master ends. */
void answer_send(int fd, const struct text *what);
/* The same for a master whose worker may be gone: false then. */
bool answer_tell(int fd, const struct text *what);
/* Reads all of it; false: there will be no more. */
bool answer_read(int fd, void *to, size_t n);
/* Appends what has come. True if that is all there will ever be. */
bool answer_receive(int fd, struct text *what);

void answer_put_text(struct text *out, const struct text *t);
void answer_get_text(struct wire *w, struct text *t);
/* What the verdict has to tell of what earlier sittings did: pairs of a place and a remark. */
void answer_put_remarks(const struct machine *m, struct text *out);
void answer_get_remarks(struct machine *m, struct wire *w);
void answer_put_error(struct text *out, enum err e, const struct diag *d);
/* Returns the error. */
enum err answer_get_error(struct wire *w, struct diag *d);
/* All outcomes; they are added to those that are known. */
void answer_put_outcomes(const struct explore_result *r, struct text *out);
void answer_get_outcomes(struct session *s, struct wire *w);
/* The schedules of the findings from `from` on. */
void answer_put_findings(const struct explore_result *r, size_t from, struct text *out);

/* The errors of a master: what a worker said cannot be; workers are killed all the time. */
enum err answer_diverged(struct diag *d);
enum err answer_killed(struct diag *d, unsigned times);

void explore_counts_add(struct explore_counts *to, const struct explore_counts *n);
void session_clear_outcomes(struct session *s);
/* Makes an execution, or the beginning of one, that somebody else made. False if it is not possible. */
[[nodiscard]] bool session_repeat(struct session *s, const struct schedule *schedule);
