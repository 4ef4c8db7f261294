/* The state of one exploration. session.c, collect.c and shorten.c share it with search/, which explores alone or with workers. */
#pragma once
#include <signal.h>

#include "base/hash.h"
#include "execution/run.h"
#include "explore/explore.h"
#include "happens/race.h"
#include "predict/predict.h"

/* What a master tells its workers, in memory that they share. */
struct worker_board {
  volatile sig_atomic_t hungry; /* somebody has nothing to do: give back what can be split */
  volatile sig_atomic_t stop;
};

/* Why something was left out that has nothing to do with how it was explored with the present inputs. */
#define REASONS_OF_INPUTS                                                                                                              \
  (1u << EXPLORE_REASON_MANY_INPUTS | 1u << EXPLORE_REASON_INPUTS_TIME | 1u << EXPLORE_REASON_CALLS | 1u << EXPLORE_REASON_DECISIONS | \
   1u << EXPLORE_REASON_UNSOLVED)

/* What was explored with earlier inputs (inputs.c): a restart goes back to it. */
struct session_bank {
  struct explore_counts counts;
  uint32_t reasons;
  uint64_t inputs;
  VEC(uint64_t) outcomes; /* how often each was seen */
};

/* What executions with the present input were given (inputs.c), if somebody wants to know. */
struct session_input {
  struct text thread, name;
  uint32_t number;
  VEC(uint8_t) bytes;
};

/* What was done for the same exploration elsewhere. */
struct session_search {
  uint64_t inputs, pending, questions, engine, undecided, nanoseconds; /* as in struct machine_search */
};

struct session {
  struct machine *machine;
  const struct explore_options *options;
  struct explore_options sweep; /* those once session_sweeps() */
  struct explore_result *result;
  struct strategy *strategy;
  struct predictor *predictor; /* NULL: nothing is predicted */
  struct run run;
  struct session_bank bank;
  uint64_t inputs;              /* that everything was explored with */
  bool in_sittings;             /* inputs that are left are for another day: nothing is sampled instead */
  struct session_search others; /* what other processes did */
  VEC(struct session_input) given;
  struct hashmap given_known; /* thread and number -> 1 */
  struct races races;
  struct hashmap outcomes; /* hash -> index into result->outcomes */
  struct hashmap known;    /* key of a finding -> 1 */
  struct hashmap linked;   /* link (defect.h) of a finding that has a schedule -> 1 */
  struct hashmap ignored;  /* lines of findings that are ignored and have been counted -> their kind */
  struct hashmap circles;  /* hash of a state that recurs -> 1: there is a way out of the circle; 2: there may be one with another input */
  size_t kept;             /* bytes of the findings' executions */
  bool ended_well;         /* an execution was complete and showed no failure of its own */
  double started, last_progress;
  double since; /* what the limit on time is counted from */
  bool over;    /* the deadline has passed. If that was in the midst of an execution (run.stopped), the strategy cannot go on */
  uint64_t made, made_at_progress, steps_since_look;
  VEC(struct schedule) lessons;     /* after each of these the exploration started again; kept if it is explored in parts */
  const struct worker_board *board; /* a worker's; NULL: it is none */
  bool no_parking;                  /* parked threads made an execution go on that would not end */
  struct commons *commons;          /* the strategy may still look there; NULL: nothing is shared */
  /* A worker, in common or by prefixes: the strategy's last execution (the run is another one if there were parked threads), and what the
   * machine knew of the program then. */
  struct schedule shown;
  uint64_t shown_uses;
  bool learnt; /* a worker: what was explored is not enough, as the last execution shows */
};

/* What an execution shows. */
struct shown_finding {
  uint64_t key;
  size_t steps; /* how many of its first steps are needed */
};

struct shown {
  VEC(struct shown_finding) findings;
};

/* session.c. Begins an exploration from the machine's initial state; `r` as in explore(). session_release() frees what it holds. */
void session_begin(struct session *s, struct machine *m, const struct explore_options *options, struct explore_result *r);
/* All executions have been made: settles the verdict, brings findings and outcomes into their order and, if wanted (`shortens`),
 * makes schedules shorter. */
void session_conclude(struct session *s, bool shortens);
void session_release(struct session *s);
/* If the exploration has stopped at a circle of states, it begins again with strategy_sweep, which ends where there are circles, too.
 * False: it has not stopped there, or it must end. */
bool session_sweeps(struct session *s);
/* Has the finished run come to a circle? Then it is settled whether that is a livelock; if not, the verdict has a remark. */
void session_judge_circle(struct session *s);
/* One execution. False when there is nothing left or something ends the exploration; *e is then set if that is an error. */
bool session_one(struct session *s, enum err *e, struct diag *d);
/* Are threads parked that fail in an execution of the strategy (run.h)? */
bool session_parks(const struct session *s);
/* Forgets what was explored, as the present run has shown that it is not enough. `shared`: because more steps are visible now. */
void session_restart(struct session *s, bool shared);
/* Nothing is left to explore but what comes behind threads that stopped in long steps: they get more time, and the exploration starts again
 * (machine_wait_longer()). False: it is over. */
bool session_waits_longer(struct session *s);
/* inputs.c. Everything was explored with the present inputs of a program with symbolic data: the exploration starts again with others, and
 * what was counted and seen so far stays. False: there are no others, or they are not to be explored; the reason is entered. */
bool session_next_input(struct session *s);
/* The same for somebody who has others explore them. SESSION_HAS_INPUT: the machine has the next, and session_begin_again() starts;
 * SESSION_HAS_NONE: it knows of no other; SESSION_SAMPLES: it has started, with sampled values; SESSION_ENDS: the reason is entered. */
enum session_more { SESSION_ENDS, SESSION_SAMPLES, SESSION_HAS_INPUT, SESSION_HAS_NONE };
enum session_more session_ask_input(struct session *s);
bool session_begin_again(struct session *s);
/* The present input was explored, and has shown nothing that was asked for. */
void session_input_done(struct session *s);
/* What was counted and seen so far stays. */
void session_keep(struct session *s);
/* No other input is to be asked for: others ended with the reasons that the result has; `unknown`: the solver could not tell whether there
 * are more. True: the exploration has started with sampled values. */
bool session_stops_inputs(struct session *s, bool unknown);
/* May values be sampled where not all can be explored? */
bool session_may_sample(const struct session *s);
/* An execution with the present input has ended, and counts. */
void session_note_input(struct session *s);
void session_forget_input(struct session *s);
/* Tells options->tested of it, if it wants to know. */
void session_tell_input(struct session *s);
/* Have there been as many inputs as there may be? The reason is entered. */
bool session_ends_inputs(struct session *s);
/* Ignored findings become numbers. */
void session_leave_out(struct session *s);
/* Lines of findings of that kind are ignored. */
void session_ignore(struct session *s, uint64_t lines, enum finding_kind kind);
/* The strategy begins anew, and may keep so many bytes of states; 0: as many as options say. */
void session_renew_strategy(struct session *s, uint64_t memory);
/* Enters what the strategy has left out: as a reason, and as texts, which are static, in `limits`. */
void session_ask_strategy(struct session *s);
void session_note_limit(struct session *s, const char *limit);
/* What the machine's solver was asked, and that of others. */
struct session_search session_searched(const struct session *s);
/* Forgets outcomes, counts and reasons of the present inputs. */
void session_forget(struct session *s);
void session_because(struct session *s, enum explore_reason reason);
/* Notes what the program needed that Heddle lacks, for EXPLORE_REASON_REFUSED. */
void session_refused(struct session *s, const struct text *why);
/* ERR_UNSUPPORTED if nothing can be said of the program because every execution needs what Heddle lacks. */
enum err session_refusal(const struct session *s, struct diag *d);
/* Reports progress, if it is time to. `done`: as in explore_progress. */
void session_progress(struct session *s, double time, double done);
/* Findings so far of kinds that are not ignored. Until the exploration is over, ignored ones are among its findings. */
size_t session_asked(const struct session *s);
/* Are there as many as the exploration is to end at? */
bool session_has_enough(const struct session *s);

/* Looks at the finished execution of `s->run`: findings, races, outcome (collect.c). */
void collect(struct session *s);
/* The same for what is no execution of the strategy's: no outcome. */
void collect_findings(struct session *s);
void explore_finding_release(struct explore_finding *f);
/* Enters the key of a finding that another worker has, so that it is not collected again. */
void collect_know(struct session *s, uint64_t key);
/* Forgets all findings but the first `known`: they can be found again. */
void collect_drop(struct session *s, size_t known);
/* Looks at a finished execution in which threads were parked: what it shows is shown again by executions in which none is, and collected
 * there. `races`: it may have new ones. The run is another one afterwards. False: that cannot be: a step behind which one
 * of a parked thread is to come ends the execution. */
bool collect_parked(struct session *s, bool races);
/* Carries all findings over to a machine that has more visible steps (collect.c); those that cannot be shown again are dropped if
 * the exploration begins again (`explores`), which finds them again, and else kept without a schedule. */
void collect_again(struct session *s, bool explores);
/* Does the finished execution show this finding (by its key)? On true, `*steps` is how many of its first steps are needed. */
bool collect_shows(struct session *s, const struct explore_finding *f, size_t *steps);
/* All that it shows; `races`: data races, too. Appends. */
void collect_shown(struct session *s, bool races, struct shown *to);
/* The one with this key, or NULL. */
const struct shown_finding *shown_find(const struct shown *s, uint64_t key);
/* The finished execution shows the finding `f`: takes its message, sites and schedule from it. */
void collect_update(struct session *s, struct explore_finding *f);
/* Sets the time that exploring has to end at: when it begins, and when the first finding is there, as shortening takes time then. */
void session_set_deadline(const struct session *s);
/* Has the deadline passed? Then the reason (time, or an interruption) is entered, unless it is a worker's session. */
void session_look(struct session *s);
/* Orders the findings, and puts those together that are one defect (group.c). Those beyond options->findings defects go. */
void group_findings(struct session *s);
/* Makes the schedules of findings shorter, one of each defect (shorten.c), until the time ends or somebody interrupts: then they are as
 * short as they were by then. False if more memory turned out to be shared meanwhile: they then need collect_again(). */
bool shorten(struct session *s);
/* True if the exploration must end now: time or interruption. */
bool session_over(struct session *s);
