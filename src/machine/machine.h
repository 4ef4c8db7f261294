/* The virtual machine: runs an image, one visible step at a time.
 *
 * Between two calls every live thread stands before its next visible step, its *pending* event: an atomic access, a fence, a
 * synchronisation operation, a choice, or a plain access to memory that may be shared. machine_step() lets one thread take its step
 * and run on, invisibly, to its next one. Given the same image, options and steps, a machine does the same.
 *
 * Invariants:
 *   1. One machine a process: the program's memory is at a fixed address.
 *   2. Not thread safe: the thread that created it uses it.
 *   3. The image and the options' strings outlive the machine.
 *   4. After machine_reset() the machine is in the initial state: before the first step that could be scheduled otherwise
 *      (everything up to the first thread creation or choice has run).
 *
 * An execution that ends (status other than RUNNING) stays so until machine_reset(). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "program/image.h"
#include "trace/event.h"
#include "trace/finding.h"
#include "trace/tset.h"

struct history;
struct history_event;
struct machine;
struct object;
struct path_log;
struct properties;
struct spec;
struct scenario;
struct sequential;
struct text;
struct wire;

enum machine_memory { MEMORY_SC, MEMORY_TSO, MEMORY_PSO };

/* Data that nobody fixes: what a call of hd_symbolic() or __VERIFIER_nondet_*() is given. */
struct machine_input {
  const char *thread; /* hierarchical name */
  uint32_t number;    /* it is the thread's so many'th, from 0 */
  const char *name;
  const uint8_t *bytes;
  size_t size;
};

/* Bytes that the process is given when it begins, and that nobody fixes. They are thread 0's first inputs, in this order. */
enum machine_source_kind { SOURCE_STDIN, SOURCE_FILE, SOURCE_ARGUMENT, SOURCE_VARIABLE };
struct machine_source {
  enum machine_source_kind kind;
  const char *name; /* a file's, a variable's; of others it is not looked at */
  uint32_t size;    /* of an argument or variable: at most, as it ends at a zero */
};
#define SOURCE_MOST 65536u

/* A file with these bytes, whatever the host has: as a recorded run had it. */
struct machine_file {
  const char *name; /* NULL: standard input */
  const char *bytes;
  size_t size;
};

struct machine_options {
  const char *const *arguments;     /* argv[0].., NULL-terminated; NULL for a program named by the image alone */
  const char *const *environment;   /* "NAME=value".., NULL-terminated; NULL: empty */
  const char *input_file;           /* what standard input reads; NULL: empty */
  const char *const *allowed;       /* further native functions (--allow), NULL-terminated; may be NULL */
  const char *const *readable;      /* files that the program may open for reading; NULL-terminated; may be NULL */
  const struct machine_file *files; /* that the program may open for reading, too; of the same name, `readable` and `input_file` count */
  size_t nfiles;
  enum machine_memory memory;
  bool spurious_wakeups;               /* a waiting thread may wake without a signal */
  bool whole_deadlocks;                /* a deadlock of some threads does not end the execution as long as others go on */
  bool leaks;                          /* report blocks that nothing points to at exit */
  bool exit_codes;                     /* an exit code other than 0 is a failure; with `paths`, that of the run */
  bool echo;                           /* write standard output and error through as they are produced (heddle exec) */
  const struct properties *properties; /* that are watched: the image must tell of what they name; NULL: none. Outlives the machine */
  const struct spec *spec; /* whose methods' invocations are noted (invocation.h): the image must tell of them; NULL: none. Outlives the
                              machine */
  bool one_step;           /* with `spec`: an invocation is one step, of which nothing but its method and arguments is seen */
  const struct scenario *scenario;     /* of a program that is an object's operations: what its threads do; NULL: it is none. Outlives the
                                          machine, as does */
  const struct sequential *sequential; /* what they return one after the other. NULL: that is what is to be found out, unless `unjudged` */
  bool unjudged; /* the scenario's results are of no interest: whether its operations end is (objects/progress.h). Threads that look again
                    and again for what others write then take a step for each look */
  bool repeats;  /* with `unjudged`: each thread does its operations again and again */
  struct hashmap *crash_states; /* with scenario.crashes: states in which the thread crashed, which are added; NULL: nobody asks. Outlives
                                   the machine */
  const struct path_log *paths; /* of a run: executions in which a thread of woven code goes another way end as a false assumption does;
                                   NULL: none. Outlives the machine */
  bool records;                 /* machine_recorded() is asked for; not with `paths` */
  bool once;                    /* heddle exec: what memory is shared is not known, and will not be (patience.c) */
  bool all_inputs;              /* an exploration is to be about all inputs (machine_next_input()); `inputs` are not looked at */
  bool nondet;                  /* __VERIFIER_nondet_*() give inputs; else one of a few values, which is a choice */
  const struct machine_input *inputs; /* that calls of hd_symbolic() are given; those that are not there are zeros */
  size_t ninputs;
  const struct machine_source *sources; /* arguments come behind the others; files that the program may read */
  size_t nsources;
  bool outputs;        /* writing to standard output is visible: in which order threads do it counts */
  bool see_alone;      /* what a thread does after all others were joined is visible, too */
  bool no_narrowing;   /* every access to a global, the heap or an escaped local is visible */
  bool few_threads;    /* threads have the numbers that they have where stores wait in buffers */
  bool apart;          /* each thread is executed by itself (apart.h). With no_narrowing, MEMORY_SC and nothing symbolic besides */
  uint64_t insn_limit; /* jumps and calls of one step that is taken for one that ends; 0: none (patience.c) */
};

#define MACHINE_STATUS_LIST(X)                                                                \
  X(RUNNING, "running")                                                                       \
  X(DONE, "done")               /* main returned, exit() was called, or every thread ended */ \
  X(FAILED, "failed")           /* machine_finding() says what */                             \
  X(ASSUMED, "assumption")      /* hd_assume was false: the execution does not count */       \
  X(BLOCKED, "blocked")         /* the process waits for a signal from outside */             \
  X(LIMIT, "limit")             /* insn_limit was hit, or the deadline passed */              \
  X(UNSUPPORTED, "unsupported") /* the program needs something Heddle lacks: machine_diag() */

enum machine_status {
#define X(name, text) MACHINE_##name,
  MACHINE_STATUS_LIST(X)
#undef X
};

/* Makes a machine and runs the program to its initial state. On error nothing is left and `*d` says why. */
[[nodiscard]] enum err machine_new(struct machine **out, const struct image *image, const struct machine_options *options, struct diag *d);
void machine_free(struct machine *m);

/* Back to the initial state. Costs what the last execution changed, not what the program has. */
void machine_reset(struct machine *m);
/* Saves the present state of an execution that is RUNNING. Marks are a stack; its number is returned, from 1 (0 is the initial state).
 * Costs what changed since the last one and what the threads have on their stacks; *bytes (may be NULL) is how much that was. */
size_t machine_mark(struct machine *m, size_t *bytes);
/* Back to that state; the marks behind it are gone. Not once machine_sharing_changed(): reset. */
void machine_rollback(struct machine *m, size_t number);

enum machine_status machine_status(const struct machine *m);
/* Threads that can take their pending step now. Empty exactly when the status is not RUNNING. Under TSO and PSO, here and below, agents
 * that flush stores are threads, too, of the tids from AGENTS_FROM on: alive while they have a store to flush, enabled while it may be. */
const struct tset *machine_enabled(const struct machine *m);
/* Threads that have begun and not ended, enabled or not. */
const struct tset *machine_alive(const struct machine *m);
/* The pending event of a live thread: op, order, flags, thread, site, object, size, value2 (index and values are not known yet). */
const struct event *machine_pending(const struct machine *m, uint32_t thread);
/* In how many ways an enabled thread's pending step can go (hd_choose(n): n; a signal: one for each waiter; a timed wait: expires
 * or not; besides these, one for each way in which it can be interrupted before that); at least 1. Depends on the state. */
uint32_t machine_alternatives(const struct machine *m, uint32_t thread);
/* Is this one of them something that happens to the thread, a signal's handler or its cancellation, and not its pending step? */
bool machine_interruption(const struct machine *m, uint32_t thread, uint32_t choice);
/* What a thread that is blocked, or any other, looks at besides what its pending step needs: whether it can be interrupted. An event, as
 * that of a step; NULL: it cannot in this program. Valid until the next call. */
const struct event *machine_interruptible(struct machine *m, uint32_t thread);
/* An event that says of a step by what signals, or by whose join, it could have been otherwise: of interest to strategies, not to people.
 */
bool machine_is_note(const struct machine *m, const struct event *e);
/* Is it an event of the properties that are watched? */
bool machine_is_told(const struct event *e);
/* Do stores wait in buffers, so that there are agents? */
bool machine_buffers(const struct machine *m);
/* The thread itself, or the one whose stores an agent flushes. */
uint32_t machine_owner(const struct machine *m, uint32_t thread);
/* The enabled agent that flushes the oldest of the thread's stores that can be flushed now; THREADS_MAX: there is none. */
uint32_t machine_oldest_flush(const struct machine *m, uint32_t thread);
/* Quick: false if machine_alternatives() is certainly 1, as it usually is. */
bool machine_may_choose(const struct machine *m, uint32_t thread);
/* `thread` must be enabled and choice < machine_alternatives(). Appends one event (or more: a step that ends a thread adds `end`) to the
 * trace. */
enum machine_status machine_step(struct machine *m, uint32_t thread, uint32_t choice);

/* Is told of each instruction before its thread executes it: the thread's innermost frame stands there. That a thread stands before an
 * instruction which has to wait for a step is told when it comes there, and when it is executed. The program's memory is as the thread sees
 * it, with what waits in its own buffer in place. It may look at the machine, and at nothing else of it. */
struct machine_watch {
  void (*insn)(void *context, uint32_t thread);
  void *context;
};
/* machine_step(), several times slower, that tells of the instructions. */
enum machine_status machine_step_watched(struct machine *m, uint32_t thread, uint32_t choice, const struct machine_watch *watch);

/* The last step, of `thread`, with the events from `from` on, ended the execution by a failure. If it changed nothing, and nobody else
 * could make it end otherwise, the thread alone stops for ever, and the others go on, as they could have without that step: true. A
 * deadlock that they then come to is MACHINE_BLOCKED, not a finding. False: everything stays as it is. */
bool machine_park(struct machine *m, uint32_t thread, uint32_t from);
/* The threads that were parked in this execution; and those whose step was so long without being seen by others that they stopped in it
 * (patience.c). */
const struct tset *machine_parked(const struct machine *m);
/* Is there a thread that stopped in a long step of which it is not known that it has no end? Then this execution says nothing about what
 * comes behind that step. */
bool machine_unended(const struct machine *m);
/* Has the execution ended because a thread had more stores in its buffer (TSO, PSO) than there is room for? */
bool machine_buffer_full(const struct machine *m);
/* Why an execution has ended with LIMIT because of its inputs: a thread had NONDET_MOST values of __VERIFIER_nondet_*(); or, in an
 * execution of machine_explores_paths(), PATH_INPUTS_MOST inputs of whichever kind, or asked for one while what is said of earlier ones
 * grew; or inputs have decided more often than there is memory for. */
enum machine_data_limit { DATA_NO_LIMIT, DATA_CALLS, DATA_DECISIONS };
#define NONDET_MOST      256u
#define PATH_INPUTS_MOST 300u
enum machine_data_limit machine_data_limit(const struct machine *m);
/* Without a limit on jumps: was the thread stopped in the midst of a long step, so that others have their turn? Its pending step then only
 * goes on with it. */
bool machine_rests(const struct machine *m, uint32_t thread);
/* Everything else was explored: from the next reset on, threads that stopped in long steps have all the time that insn_limit gives. False:
 * there are no such threads, or they have had that time. */
bool machine_wait_longer(struct machine *m);

/* With options.paths: of all executions so far, of this process, that ended as a thread went another way, the one that had come furthest,
 * counted in branches of all threads. False: there was none. */
struct machine_departure {
  uint32_t thread, site; /* who left the log, and where */
  uint64_t at, of;       /* bits of its log that it had gone, and how many there are */
  uint64_t all, whole;   /* the same of all threads */
};
bool machine_departure(const struct machine *m, struct machine_departure *to);
/* With options.records: the threads of the log that a native run would have left which did what the execution has done so far. `to` has
 * none; whoever has it releases it. */
void machine_recorded(struct machine *m, struct path_log *to);
/* Which thread it is of that log, or of options.paths; PATH_THREADS (trace/path_format.h): of none. */
uint32_t machine_log_thread(const struct machine *m, uint32_t thread);

/* Events since the initial state. The array moves as it grows. */
const struct event *machine_trace(const struct machine *m, uint32_t *count);
const struct finding *machine_finding(const struct machine *m); /* status FAILED only */
const struct diag *machine_diag(const struct machine *m);       /* status UNSUPPORTED only */
/* What the program wrote so far to standard output (1) or error (2), from its start. */
const struct text *machine_output(const struct machine *m, int fd);
int machine_exit_code(const struct machine *m); /* status DONE, or FAILED with FINDING_EXIT_CODE, only */

/* The execution ended because no thread could go on: all had ended, or every one was blocked. False if a step ended it: exit, a failure, a
 * deadlock of some threads while others, or others' steps before it, do not matter to it. */
bool machine_exhausted(const struct machine *m);

/* This execution touched, from a second thread, memory that had been taken for private: earlier accesses to it were not visible. The
 * memory is visible from the next machine_reset() on, and an exploration has to start again (docs/architecture.md, The way of a check). Or
 * a thread stopped in a long step that will be given more time from then on. */
bool machine_sharing_changed(const struct machine *m);
/* Numbers that grow with what a machine learns of a program and keeps over executions, besides shared memory: threads that have been given
 * tids, in the order in which they were seen in this process; and how its threads were seen to use memory that is not shared so far. */
uint64_t machine_threads_known(const struct machine *m);
uint64_t machine_uses_known(const struct machine *m);
/* Takes memory for shared from the next machine_reset() on, as another process found out. Addresses outside the program's memory are
 * ignored. */
void machine_share(struct machine *m, uint64_t address, uint64_t size);

/* With options.scenario: the operations' beginnings and ends in this execution, until the machine goes on; and the history that they are
 * states of, NULL without options.sequential. */
const struct history_event *machine_operations(const struct machine *m, size_t *n);
const struct history *machine_history(const struct machine *m);
/* The operations of a program that is an object's (program/object.h); of another one, none. */
void image_object(const struct image *image, struct object *to);
/* The first place of the function with that name in the linker's view; UINT32_MAX: there is none. */
uint32_t image_first_site(const struct image *image, const char *function);
/* The thread of the machine that is the scenario's thread `i`; THREADS_MAX: it was not made yet. */
uint32_t machine_scenario_thread(const struct machine *m, uint32_t i);
/* Is there an order of the operations that gives the results so far, and in which each of those that have not ended waits for ever when it
 * is run alone? Then it is no failure that they go on waiting. */
bool machine_may_wait(const struct machine *m);
/* With scenario.crashes: has the thread, in this execution? It is alive from then on, never enabled, and has a pending event EVENT_NONE. */
bool machine_crashed(const struct machine *m, uint32_t thread);
/* Is it the beginning or the end of an operation? */
bool machine_is_operation(const struct event *e);

/* Does the program call hd_symbolic()? */
bool image_asks_inputs(const struct image *image);
/* Does it call a function __VERIFIER_nondet_*() of which only a part of the values is a choice? */
bool image_asks_nondet(const struct image *image);
/* Is there data that an exploration has to be about all values of? */
bool machine_has_inputs(const struct machine *m);
/* May threads send signals to others, or cancel them between any two of their steps? */
bool machine_has_interrupts(const struct machine *m);
/* Do __VERIFIER_nondet_*(), which the program calls, give inputs? */
bool machine_gives_nondet(const struct machine *m);
/* From now on, after a reset, they are choices. What was said of inputs so far (machine_next_input()) is forgotten. */
void machine_sample_nondet(struct machine *m);
/* What a call of __VERIFIER_nondet_*() gave: `bits` of it, in `low` and from the 65th on in `high`; of a floating one, those that it is
 * stored as. */
enum nondet_kind { NONDET_SIGNED, NONDET_UNSIGNED, NONDET_POINTER, NONDET_FLOAT, NONDET_DOUBLE };
struct machine_nondet {
  enum nondet_kind kind;
  uint32_t bits;
  uint64_t low, high;
};
/* Of the event, from the trace, of a call of `function`. False: that is none of these functions. */
bool machine_nondet(const struct machine *m, const char *function, const struct event *e, struct machine_nondet *to);
/* The inputs of the present execution, in the order in which they were given. Texts and bytes are valid until the next step. */
size_t machine_inputs(const struct machine *m);
struct machine_input machine_input(const struct machine *m, size_t i);
/* Everything was explored with the present inputs (all_inputs). Are there others with which something may be different? MORE_INPUT: the
 * machine has those from the next reset on, and the exploration has to start again. MORE_UNKNOWN: the solver could not tell. */
enum machine_more { MORE_NONE, MORE_INPUT, MORE_UNKNOWN };
enum machine_more machine_next_input(struct machine *m);

/* Several processes, or one on several days, explore a part of the inputs each (symbolic/pending.h); there is symbolic data.
 * machine_inputs_put() appends all that are pending here; with `present`, the present ones are among them: they are not explored, or not to
 * the end. machine_inputs_give() appends about half of them, which are not pending here any more. What either has appended becomes pending
 * by machine_inputs_get(), in a machine for the same program; false: these bytes are none of it. */
void machine_inputs_put(struct machine *m, bool present, struct text *out);
void machine_inputs_give(struct machine *m, struct text *out);
[[nodiscard]] bool machine_inputs_get(struct machine *m, struct wire *from);
/* Nothing is pending here, and nothing was decided; machine_next_input() finds what machine_inputs_get() has added since. Where the solver
 * could not tell, it is asked again with more work once nothing else is pending; or, not `patient`, that is left for others to do. */
void machine_inputs_drop(struct machine *m, bool patient);
/* The present input alone; and that it is explored from the next reset on. For machine_inputs_get() it is one that is pending. */
void machine_input_put(struct machine *m, struct text *out);
[[nodiscard]] bool machine_input_get(struct machine *m, struct wire *from);

/* For an exploration that takes every step of every state (strategy/sweep.c): what inputs decide is then a matter of a path, not of all
 * executions with one input, and states are the same whichever inputs led there (machine_live_state()). All is forgotten that was decided
 * so far, also by an earlier call; the next reset begins with the present input. */
void machine_explores_paths(struct machine *m);
/* Is there data that has no fixed value? */
bool machine_is_symbolic(const struct machine *m);
/* How many conditions have decided the present execution, which is one of machine_explores_paths(); else 0. */
size_t machine_decisions(const struct machine *m);
/* All inputs with the first `from` of them are covered; of the other conditions, each after the ones before it, the inverse is left
 * pending, with the caller's `tag`. False: there are none. */
bool machine_leaves_pending(struct machine *m, size_t from, uint64_t tag);
/* That of the input which machine_next_input() has found. */
uint64_t machine_input_tag(const struct machine *m);
/* machine_state() but for the names of inputs, and with that of the path's conditions which is about inputs that the state still has
 * (symbolic/live.c). `conditions`: false: without those. There is symbolic data. */
struct fingerprint machine_live_state(struct machine *m, bool conditions);

/* What finding the inputs took so far. */
struct machine_search {
  uint64_t inputs;      /* that were found */
  uint64_t pending;     /* conditions that may have others */
  uint64_t questions;   /* of the solver */
  uint64_t engine;      /* that no layer before its engine could answer */
  uint64_t undecided;   /* answered "unknown", those included that were asked again */
  uint64_t nanoseconds; /* of CPU time, for all of them */
  bool unsolved;        /* there are some of them that it could not answer in its limit of work; */
  bool unknown;         /* also with more work, and so for good */
};
/* False: there is no symbolic data. */
bool machine_search(const struct machine *m, struct machine_search *search);

/* Remarks: what executions did at a place that a verdict has to tell of. */
enum machine_remark {
  REMARK_SAMPLED,   /* an input was drawn, of which a few values are tried out of many */
  REMARK_INPUT_END, /* standard input was read, which was not given, so it is empty */
  REMARK_CLOCK,     /* the clock was read */
  REMARK_CIRCLE,    /* threads could go on for ever in step with each other, and need not (execution/livelock.h) */
  REMARK_RELAXED,   /* with several threads, an atomic access had this order, which allows more than any of the memory models; */
  REMARK_ACQUIRE,   /* so with the next three */
  REMARK_RELEASE,
  REMARK_ACQ_REL,
  REMARK_LIBRARY, /* a library was opened that the program was not given */
  REMARK_STACK,   /* a thread was given a stack of the program's own */
  REMARK_TEAM,    /* a team of OpenMP had as many threads as teams have of whom nobody has said it */
  REMARK_ASKS,    /* a thread was given as many inputs as it may have, and asked for another */
  REMARK_COVERED, /* an execution has come here (OP_COVER) */
  REMARK_NOT_OWN  /* no remark: the place is not the program's own, so its orders are not remarked on */
};
/* Of all executions so far, of this process and of those that were forked from it. */
bool machine_remarked(const struct machine *m, uint32_t site, enum machine_remark what);
bool machine_remarked_anywhere(const struct machine *m, enum machine_remark what);
/* How often an input was drawn of which not all values are tried: in this process, so far. */
uint64_t machine_draws(const struct machine *m);
/* Adds one, as another process found out before. */
void machine_remark(struct machine *m, uint32_t site, enum machine_remark what);
/* The same for the place in the program where the thread, which is alive, stands now. */
void machine_remark_thread(struct machine *m, uint32_t thread, enum machine_remark what);
/* Does the program's main() look at argc or argv? */
bool machine_reads_arguments(struct machine *m);

/* 128-bit fingerprint of the state, to tell whether an execution goes round in a circle: memory that differs from the initial state, which
 * blocks are allocated, live parts of threads, synchronisation; not where the allocator will go on. Equal states have equal fingerprints,
 * whatever schedule led there. */
struct fingerprint machine_fingerprint(struct machine *m);

/* 128-bit fingerprint of all that can make a difference to what follows: states in which it is equal have the same continuations, with the
 * same findings (state.c says how far). For explorations that do not enter a state twice: costs what changed since the last call. What was
 * written to standard output is not part of it. */
struct fingerprint machine_state(struct machine *m);

/* The threads' part of the fingerprint: much cheaper where the program has much memory. */
struct fingerprint machine_threads_fingerprint(struct machine *m);

/* Hierarchical name of a thread: "0", "0.1". Static until machine_free(). */
const char *machine_thread_name(const struct machine *m, uint32_t thread);
/* The tid of a hierarchical name, as far as it was seen in this process; THREADS_MAX if not. */
uint32_t machine_thread_find(const struct machine *m, const char *name);
/* Appends what an address is in the program's terms: "counter", "heap block of 24 bytes from bank.c:31 +8", "mutex m". No raw addresses. */
void machine_object_text(const struct machine *m, uint64_t address, uint64_t size, struct text *out);
/* A number that the addresses of one variable, and of all blocks that were allocated at one place, have in common. */
uint64_t machine_object_of(const struct machine *m, uint64_t address);
/* That of the blocks allocated at this site. */
uint64_t machine_blocks_from(uint32_t site);
/* The sites of the call stack of `thread`, innermost first; at most `max`; returns how many. */
uint32_t machine_stack(const struct machine *m, uint32_t thread, uint32_t *sites, uint32_t max);
/* Frame `depth` (0: the innermost) of a thread's call stack: its function and the code index where it stands. False: there is none. */
bool machine_frame(const struct machine *m, uint32_t thread, uint32_t depth, uint32_t *function, uint32_t *code);
/* Does a live thread stand before a step in a loop of the program: its instruction, or a call that led to it? Then *code is the index of
 * the instruction. Loops of library models do not count. */
bool machine_in_loop(const struct machine *m, uint32_t thread, uint32_t *code);
/* A hash of what a live thread has read in the loop that it is in, as far as that decides how soon it is seen to wait. machine_state() has
 * not got it: the turns until then change nothing, but they are visits of a loop. */
uint64_t machine_turns(const struct machine *m, uint32_t thread);
/* A slot of that frame, those of constants included. False: there is none. */
bool machine_slot(const struct machine *m, uint32_t thread, uint32_t depth, uint32_t slot, uint64_t *value);
/* Reads `n` bytes (<= 8) of the program's memory as a little-endian number; false if not addressable. */
bool machine_peek(const struct machine *m, uint64_t address, uint32_t n, uint64_t *value);

/* Copies `n` bytes of it, at any time; false if they are not all addressable. */
bool machine_read(const struct machine *m, uint64_t address, uint64_t n, void *to);
/* The `i`th store, oldest first, that waits in the thread's buffer, also while machine_watch is told. False: there are not so many. */
struct machine_store {
  uint64_t address, size;
  uint64_t value; /* of its first 8 bytes */
  uint32_t site;
};
bool machine_store(const struct machine *m, uint32_t thread, uint32_t i, struct machine_store *to);

/* The same of the initial state; false also where it was not written yet. */
bool machine_initial(const struct machine *m, uint64_t address, uint32_t n, uint64_t *value);
/* The image that it runs. */
const struct image *machine_image(const struct machine *m);
/* The options that the machine was made with. */
const struct machine_options *machine_options(const struct machine *m);

struct machine_counts {
  uint64_t restores, steps;
};
struct machine_counts machine_counts(const struct machine *m);
