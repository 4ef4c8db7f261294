/* The machine's own state, shared by the files of this folder alone. See machine.h for what it does.
 *
 * How a step works. The interpreter (interpret.c) runs a thread until an instruction or builtin needs to be visible. That calls
 * machine_visible(): the first time it fills thread->pending and answers false, and the interpreter stops *before* the instruction; when
 * the scheduler grants the step the instruction runs again, and this time machine_visible() records the event and answers true. So an
 * instruction (or builtin) must do nothing that matters before that call. While only one thread exists (machine->single), nothing is
 * visible. */
#pragma once
#include "base/vec.h"
#include "machine/machine.h"
#include "machine/memory/memory.h"
#include "machine/told.h"
#include "objects/history.h"
#include "program/image.h"
#include "program/liveness.h"
#include "trace/path_log.h"
#include "trace/schedule.h"

/* What running came to. RUN_GO: go on; RUN_YIELD: stopped before a visible step; RUN_STOP: the execution is over (status is set);
 * RUN_FRAME: a frame was pushed or popped: reload; RUN_END: the thread ended; RUN_SWITCH: another instance of the
 * interpreter goes on (undefined.h). */
enum run { RUN_GO, RUN_YIELD, RUN_STOP, RUN_FRAME, RUN_END, RUN_SWITCH };

#define FRAME_MODEL 1u /* the function is a library model's */

struct frame {
  uint32_t function;
  uint32_t base; /* first slot in thread->slots */
  uint32_t pc;   /* code index: where the frame continues; for callers, the call instruction */
  uint32_t tag;  /* FRAME_MODEL, and a number that distinguishes frames at the same depth, for longjmp */
  uint64_t sp;   /* stack pointer on entry */
  uint64_t va;   /* address of the variadic area */
};

/* Where the machine looks for threads that its steps may enable. */
enum thread_list { LIST_NONE, LIST_WATCHED, LIST_SPINNING };
enum thread_state { THREAD_NONE, THREAD_LIVE, THREAD_ENDED };
/* Does its pending step end lives before the thread goes on unwinding its frames, or before it ends (lifetime.c)? GRANTED: that was done.
 * LAST: it stands before its end, where it may be interrupted once more; ENDS: it was not. */
enum leaves { LEAVES_NOTHING, LEAVES_FRAMES, LEAVES_THREAD, LEAVES_GRANTED, LEAVES_LAST, LEAVES_ENDS };
/* What the thread runs at its bottom: main thread: constructors, main, exit handlers; others: start routine, then exit destructors. */
enum thread_stage { STAGE_CTORS, STAGE_MAIN, STAGE_EXIT, STAGE_START, STAGE_DESTRUCTORS };

/* A read that a spinning loop may be repeating. */
struct spin_read {
  uint32_t pc;
  uint32_t least; /* locks that the thread has held ever since: the fewest at a time */
  uint64_t state; /* hash of the thread's local state before the read */
  uint64_t address, size, value;
  uint64_t expression; /* of the value, as of a slot (symbolic/symbolic.h) */
  uint32_t looks;      /* thread->looks before the read */
  bool lock;           /* the word of a lock that was acquired, not only tried: matters only if nothing else was read */
};
#define SPIN_READS 16

/* A thread's further read locks of a rwlock that it has locked for reading before. */
struct reader_hold {
  uint64_t object;
  uint32_t count; /* beyond the first; 0: entry is free */
};
#define READER_HOLDS 4

/* A slot, counted from the thread's first, and which of its bits are undefined. */
struct undefined_slot {
  uint64_t slot, mask;
};

/* What a thread was about to do when a handler began (interrupt.c): its fields of the same names. */
struct interrupted {
  struct event pending;
  uint64_t exception, selector, adjusted;
  uint64_t wait_object, wait_object2, wait_ticket;
  uint64_t sp;    /* its stack ends here: what the handler finds below was there before */
  uint32_t depth; /* frames */
  uint32_t slots;
  uint32_t phase, carried, spins;
  uint8_t need, leaves, kept;
  bool waiting, ends; /* ends: a call that the handler ends (EINTR) */
  struct spin_read spin[SPIN_READS];
};

/* Slots behind a frame's own, for what is passed. */
#define SLOTS_MARGIN 16u

struct thread {
  uint32_t tid;
  uint8_t state;  /* enum thread_state */
  uint8_t stage;  /* enum thread_stage */
  bool granted;   /* the pending step may be taken */
  uint8_t leaves; /* enum leaves */
  bool detached, joined;
  bool waiting;            /* spins: disabled until one of spin[] changes */
  bool wrote;              /* wrote memory since the spin ring was cleared */
  bool wrote_private;      /* wrote its own stack or heap since then */
  bool noting;             /* spin_note() counts: the last step checked was in a loop */
  uint8_t list;            /* enum thread_list: machine->watched or ->spinning */
  uint32_t held;           /* locks held, as far as counted */
  uint32_t awaited_before; /* its events when it had last waited for a change, of `awaited` alone (0: of several things) */
  uint32_t counted;        /* events that `held` has seen */
  uint64_t awaited;
  uint64_t seen;       /* a lock that it holds and another thread has failed to take; 0: none, ANY_OBJECT: several */
  uint64_t spin_state; /* local state at the last spin_check(), if spin_known */
  bool spin_known;
  uint8_t next_order, next_flags; /* order and flags that machine_visible() gives the next pending event; then 0 */
  bool forced;                    /* unwinding without handlers (pthread_exit, cancellation) */
  bool cancel_disabled;           /* PTHREAD_CANCEL_DISABLE, or the thread is ending */
  bool cancel_asynchronous;       /* a request of its own ends it at once */
  bool stored;                    /* has buffered a store since its last step that waited for its buffer to be empty */
  bool rests;                     /* stands before a step of its own because the last one was long (patience.c) */
  bool cancel_taken;              /* the step just granted ends by a request for cancellation (sync/cancel.c) */
  uint32_t atomic;                /* depth of __hd_atomic_begin */
  uint32_t phase;                 /* progress within a builtin of several steps; 0 outside */
  uint32_t carried;               /* words at the end of its slots: what a copy has read and not written yet (access.c) */
  uint32_t choice;                /* alternative granted */
  uint32_t events;                /* index of the next event */
  uint32_t children;              /* numbers that it has given to threads */
  uint32_t inputs;                /* it was given so many */
  uint32_t maker, joiner;         /* the tids of who created and who joined it */
  uint32_t ordinal;               /* which of its maker's children it is */
  uint32_t serial;                /* frames pushed */
  uint32_t path, made;            /* its number in options.paths, PATH_THREADS: it has none; and how many threads it has made */
  uint32_t ctor;                  /* next constructor (STAGE_CTORS) */
  uint32_t spins;                 /* entries of spin[] */
  uint64_t low, span;             /* what it may touch unseen: its region of memory from `low` on; span 0: nothing */
  uint32_t floor;                 /* frames below the signal handler that runs; 0: none does, or there are none */
  uint8_t kept;                   /* while one runs: enum need of the wait that it interrupted, whose wait_* fields are still in use */
  uint32_t operation;             /* of options.scenario: 1 + the number of its thread that this one is, in an operation; else 0 */
  uint32_t operation_steps;       /* taken in operations, if it is to crash */
  uint32_t invocations;           /* of methods of a specification, begun and not ended, each in the one before */
  bool interrupted_call;          /* the call that the thread makes now was ended by a handler: it fails with EINTR */
  struct event pending;
  uint64_t path_at;             /* bits of its log that it has gone */
  uint64_t logged;              /* with options.records: bits of the log that it has made */
  uint64_t reaches, reaches_at; /* apart: the expression of the address of its last access that had one, as of a slot; the address */
  uint64_t result;              /* return value, for join */
  uint64_t exception, selector, adjusted; /* unwinding in progress */
  uint64_t reached, ahead;                /* what it knows of the time until it looks at the clock (clock.c) */
  uint32_t looks;                         /* how often it did */
  uint32_t leaps;                         /* of the time, in the loop that it spins in */
  uint32_t naps;                          /* how often it has slept since it looked at the clock */
  uint32_t row;                           /* looks before the last one that were at the same place, */
  uint64_t row_place;                     /* this one in a loop; 0: in none */
  /* Builtins' own: what a blocked thread waits for. */
  uint8_t need;                                    /* what the pending step needs to be taken: enum need (sync.h) */
  bool signalled;                                  /* a waiter on a condition variable: was woken */
  uint64_t wait_object, wait_object2, wait_ticket; /* condition variable and mutex waited on; barrier round and the like */
  uint32_t ends_at; /* site of its end: where its function returned, or it called pthread_exit(), or of its creation */
  uint64_t cleanup; /* innermost buffer of pthread_cleanup_push, 0: none */
  struct reader_hold again[READER_HOLDS]; /* rwlocks held for reading more than once */
  struct fingerprint own;                 /* its state (state.c) */
  bool own_known;
  struct spin_read spin[SPIN_READS]; /* the first of what thread_begin() does not clear */
  VEC(struct frame) frames;          /* the running one is last; its pc is stored when the thread stops */
  VEC(uint64_t) slots;
  VEC(struct undefined_slot) undefined; /* undefined.h */
  VEC(uint64_t) expressions;            /* of its slots, parallel to these as far as it goes (symbolic/symbolic.h) */
  VEC(struct interrupted) interrupted;  /* innermost last */
  size_t saved;                         /* where machine->saved has it as it is now; NOT_SAVED: it has changed since (start.c) */
};
#define NOT_SAVED SIZE_MAX
/* Something of the thread changes: by its own step, or by another thread's. */
static inline void thread_changes(struct thread *t) { t->saved = NOT_SAVED, t->own_known = false; }

/* Builtin functions: natively implemented externs. `args` are the call's argument slots, `result` its first result slot (there may be
 * two). Called again after RUN_YIELD once the step is granted. */
typedef enum run builtin_function(struct machine *m, struct thread *t, const uint64_t *args, uint32_t nargs, uint64_t *result);

struct builtin {
  const char *name;
  builtin_function *run;
  uint8_t params; /* fewest argument slots */
};

/* A native pure function called through libffi or a typed pointer; see native.c. */
struct native;

struct extern_binding {
  builtin_function *run; /* NULL: not bound: calling it is unsupported */
  const struct native *native;
  uint8_t params;
};

/* What machine_mark() saves besides memory and threads, which are in machine->saved: see start.c. */
struct machine_mark {
  struct tset enabled, alive, watched, spinning;
  uint32_t nspinning, ncomputed, ncreated, nrun, unjoined;
  enum machine_status status;
  int exit_code;
  bool single, was_atomic, exhausted;
  struct tset parked, circling, unended;
  size_t events, output[2];
  size_t saved; /* the list of its threads */
  size_t told, operations, inputs, recorded, invocations;
};

/* An input that was given. */
struct given {
  uint32_t thread, number; /* which of the thread's inputs */
  size_t bytes, size;      /* in machine->input, */
  size_t name, end;        /* where its name is behind them */
  bool value;              /* of a type, of at most 16 bytes; else bytes */
};

/* Looks for a circle that a thread goes round in: how it stood at first (patience.c). */
struct machine_circle {
  bool looking;
  uint32_t jumps, compared;
  uint64_t local;
  uint64_t heap; /* its frontier: what the thread allocates and forgets runs out */
  struct fingerprint state;
};

/* Jumps and calls from one look around to the next. */
#define BUDGET_SLICE 65536u

struct machine {
  const struct image *image;
  struct machine_options options;
  struct memory memory;
  enum machine_status status;
  uint64_t own_span;             /* of a thread's region: `span` of threads that run no handler */
  bool single;                   /* one thread, no other that is not joined: nothing is visible */
  bool stores_long;              /* single, or there are buffers: stores take the long way */
  struct buffers *buffers;       /* TSO and PSO; NULL under SC */
  uint64_t errno_offset;         /* of the library models' errno in the TLS block; UINT64_MAX: none */
  bool cancels;                  /* the program calls pthread_cancel() */
  bool detaches;                 /* the program calls pthread_detach() */
  bool interrupts;               /* it may send signals to other threads, or cancel them asynchronously */
  bool abandons;                 /* a handler was seen to leave what it interrupted for good; kept over resets */
  uint16_t joiners[THREADS_MAX]; /* by tid: the only thread that was seen to join it, + 1; 0: none; kept over resets */
  bool initialises; /* it calls an initialisation of what may be static as well: mutexes, condition variables, read-write locks */
  bool clocked;     /* the program has a call that looks at the clock */
  bool jumps;       /* the program calls setjmp() */
  VEC(uint32_t) thread_locals; /* the program's, as indices of globals */
  uint64_t signals_offset;     /* of their state of signals: see interrupt.c; UINT64_MAX: none */
  bool timers;                 /* it calls functions of timers */
  uint64_t process_signals;    /* address of the process's; 0: none */
  uint64_t files_lock;         /* of the mutex by which they protect descriptors; 0: none */
  uint64_t settings_offset;    /* of what they know of a thread; UINT64_MAX: the program does not ask (sync/settings.c) */
  uint64_t default_attributes; /* address of their pointer to those that it has set; 0: it does not */
  /* Of what the models do when a thread ends, which is nothing as long as these are 0: its destructors, its thread-specific values. */
  uint64_t destructors_offset, values_offset;
  uint16_t *remarks; /* by site: bits of 1 << enum machine_remark (remark.h) */
  bool was_atomic;   /* the last step ended inside an atomic section */
  struct tset enabled, alive;
  struct tset watched;         /* threads whose pending step needs a lock, a signal, a count, an end */
  bool remade;                 /* the present step has written where synchronisation objects are: watched threads may go on, or no longer */
  struct tset spinning;        /* threads whose pending step needs a value in memory */
  uint32_t nspinning;          /* how many */
  uint64_t wants[THREADS_MAX]; /* by watched thread: the object that it needs */
  uint32_t ncomputed;          /* created threads that `enabled` knows */
  uint32_t words;              /* of thread sets, that are in use */
  uint32_t unjoined;           /* threads that are live, or ended and not joined, less one */
  uint8_t created[THREADS_MAX]; /* tids of this execution, in the order they began */
  uint32_t ncreated, nrun;      /* those from nrun on have not run yet */
  uint8_t again[THREADS_MAX];   /* tids that were given to another thread in this step, which has not run yet */
  uint32_t nagain;
  struct thread *threads[THREADS_MAX]; /* kept over resets */
  VEC(struct event) trace;
  size_t step_from; /* the present step's first event */
  size_t insn_from; /* and that of the instruction in the slow path */
  struct finding finding;
  struct diag diag;
  struct text output[2];
  int exit_code;
  /* What was uninitialised where an atomic update took the long way, as bits of its first two words; and is that what a builtin has just
   * returned, in its result's first two slots? */
  uint64_t unset[2];
  bool returns_unset;
  uint32_t running; /* with buffers: the thread that takes a step */
  uint32_t site;    /* to name for the instruction being executed in a builtin or slow path: machine_blame_program() */
  struct extern_binding *externs;
  uint32_t model_begin, model_main_exit, model_thread_exit; /* function indices or UINT32_MAX */
  struct text names[THREADS_MAX];                           /* hierarchical names by tid, kept over resets; empty: unused */
  struct liveness liveness;
  struct hashmap children; /* parent << 32 | ordinal -> tid, kept over resets */
  struct machine_counts counts;
  int64_t budget;                 /* jumps until the interpreter looks around */
  uint64_t step_jumps;            /* jumps of this step so far, up to when it looked last */
  bool notes_steps;               /* steps are looked at as a whole: there are invocations, or a thread is to crash */
  struct machine_circle circle;   /* patience.c, as far as `unended` */
  struct hashmap patience;        /* by place: enum patience, kept over resets */
  VEC(uint64_t) impatient;        /* places where threads were given up in this execution: they will have more */
  struct tset circling;           /* of `parked`: they go round in a circle */
  struct tset unended;            /* of `parked`: their steps did not end so far */
  struct event scratch;           /* what machine_last_event() gives while single */
  struct event look;              /* machine_interruptible() */
  uint64_t arguments[3];          /* of main: argc, argv, envp */
  VEC(struct machine_mark) marks; /* number 0: the initial state */
  VEC(unsigned char) saved;
  bool exhausted;             /* see machine_exhausted() */
  struct tset parked;         /* see machine_park() */
  VEC(struct text) files;     /* contents of readable host files, index = handle; of sources (machine_source), zeros */
  VEC(uint32_t) file_sources; /* by handle: the source that the file is, + 1; 0: none */
  VEC(uint64_t) source_at;    /* by source: where an argument or variable has its bytes */
  struct monitor *monitor;    /* of properties (library/property.c); NULL: there are none */
  VEC(struct told) told;      /* in this execution */
  struct history *history;    /* of an object's operations (library/operation.c); NULL: nobody asks, or they run one after the other */
  VEC(struct history_event) operations; /* in this execution */
  struct fingerprint looked;            /* memory when a look at the object's state began */
  bool silent;                          /* one_step: a thread is in an invocation, as if it were alone (`single`); */
  bool waits;                           /* and it came to where it would have to wait there */
  struct invocations *invocations;      /* library/invocation.c; NULL: there is no specification */
  VEC(struct given) given;              /* inputs of this execution */
  VEC(uint8_t) input;                   /* their bytes */
  struct symbolic *symbolic;            /* NULL: nothing is symbolic */
  uint64_t draws;                       /* machine_draws() */
  bool nondet;                          /* the program calls __VERIFIER_nondet_*(), which give inputs */
  enum machine_data_limit data_limit;
  VEC(struct path_thread) recorded;   /* with options.records: the logs of this execution's threads */
  struct machine_departure departure; /* `whole` 0: there was none; kept over resets */
  struct depend *depend;              /* while an execution is repeated to find its dependencies: depend.c */
  const struct machine_watch *watch;  /* in machine_step_watched() */
};

/* In machine->joiners: several threads. */
#define JOINERS_MANY UINT16_MAX

/* Any object: no address of the program and no tid. */
#define ANY_OBJECT UINT64_MAX

/* The thread is watched: notes what it needs. */
void machine_watch(struct machine *m, const struct thread *t);

/* --- events and findings (machine.c) --- */

/* A visible step: see the head of this file. `blocks` says that the step cannot be taken now (so that it yields even while single).
 * On true the event was recorded; its value fields may be filled through machine_last_event(). */
bool machine_visible(struct machine *m, struct thread *t, enum event_op op, uint64_t object, uint64_t size, uint64_t value2, bool blocks);
/* Computes who is enabled, and the finding if nobody is. */
void machine_settle(struct machine *m);
/* The event that machine_visible() has just recorded; a scratch one while single. */
static inline struct event *machine_last_event(struct machine *m) {
  return m->single || m->trace.count == 0 ? &m->scratch : &vec_last(&m->trace);
}
/* Appends the event `e` of thread `t` to the trace. */
static inline struct event *event_append(struct machine *m, struct thread *t, const struct event *e) {
  struct event *to = vec_push(&m->trace);
  *to = *e;
  to->thread = t->tid;
  to->index = t->events++;
  to->choice = (uint8_t)t->choice;
  return to;
}
/* The short way through machine_visible() where nearly all steps go: true if the pending step, of kind `op`, was granted. Its event is
 * recorded. On false machine_visible() decides. */
static inline bool event_granted(struct machine *m, struct thread *t, enum event_op op) {
  if (!t->granted || t->pending.op != op) return false;
  t->granted = false;
  event_append(m, t, &t->pending);
  return true;
}
/* Appends an event that is no step of its own. */
struct event *machine_record(struct machine *m, struct thread *t, enum event_op op, uint64_t object, uint64_t size);
/* The flags of the pending event of a store, or of a fence, with this order. */
uint8_t store_flags(const struct machine *m, const struct thread *t, enum event_order order);
uint8_t fence_flags(const struct machine *m, enum event_order order);
/* Ends the execution with a finding. Its first site is the thread's present instruction, in role `role`. Returns RUN_STOP. */
/* The process ends with this code. */
enum run machine_exits(struct machine *m, struct thread *t, uint64_t code);
[[gnu::format(printf, 5, 6)]] enum run machine_fail(struct machine *m, struct thread *t, enum finding_kind kind, const char *role,
                                                    const char *format, ...);
/* What a library model does is the doing of the program's line that called it: while `t` runs a model, m->site becomes the site of the
 * call in its innermost frame that is the program's own. Stays as it is if there is none (handlers at exit). */
void machine_blame_program(struct machine *m, const struct thread *t);
/* Adds another site to the finding just made. */
void machine_fail_site(struct machine *m, uint32_t thread, uint32_t site, const char *role);
/* Ends the execution: the program needs what Heddle lacks. Returns RUN_STOP. */
[[gnu::format(printf, 3, 4)]] enum run machine_unsupported(struct machine *m, struct thread *t, const char *format, ...);
/* Has the present step done nothing that others could see, so that what `t` does next could as well belong to what it did before? */
bool machine_only_read(const struct machine *m, const struct thread *t);
/* Ends the execution with a status (DONE, ASSUMED, LIMIT, ...). Returns RUN_STOP. */
enum run machine_stop(struct machine *m, enum machine_status status);

/* --- checked access for builtins (access.c): like the program's own accesses, but never a step of their own --- */

/* Checks that [address, +size) may be read (and, if `write`, written); else makes the finding and returns RUN_STOP. Does not look at
 * sharing. */
enum run access_check(struct machine *m, struct thread *t, uint64_t address, uint64_t size, bool write);
/* Checked read and write of n <= 8 bytes of a synchronisation object or result parameter. */
enum run access_read(struct machine *m, struct thread *t, uint64_t address, uint32_t n, uint64_t *value);
enum run access_write(struct machine *m, struct thread *t, uint64_t address, uint32_t n, uint64_t value);
/* A flush is about to store what `t` stored at m->site. RUN_STOP: it must not. */
enum run access_flush(struct machine *m, struct thread *t, uint64_t address, uint64_t size);
/* A flush found that memory [address, +size), to which `t` stored at m->site, was freed since. Makes the finding. */
void access_fail_flush(struct machine *m, struct thread *t, uint64_t address, uint64_t size);
/* A string of the program, checked; NULL if the execution was stopped. */
const char *access_string(struct machine *m, struct thread *t, uint64_t address);

/* --- threads (threads.c) --- */

/* Makes the child of `parent`, about to call `function(argument)`; NULL if there are too many (the execution is stopped). */
struct thread *thread_create(struct machine *m, struct thread *parent, uint64_t function, uint64_t argument);
/* The tid of the thread that `parent` will create next; THREADS_MAX: there are too many. */
uint32_t thread_next_child(struct machine *m, const struct thread *parent);
/* The thread ends (its END event is recorded); the caller returns RUN_END. */
void thread_end(struct machine *m, struct thread *t);
static inline uint64_t thread_handle(uint32_t tid) { return region_base(tid); } /* pthread_t */
/* The thread that a pthread_t names, or NULL. */
static inline struct thread *thread_of_handle(struct machine *m, uint64_t handle) {
  uint32_t tid = region_of(handle);
  if (tid >= THREADS_MAX || handle != thread_handle(tid)) return NULL;
  return m->threads[tid] && m->threads[tid]->state != THREAD_NONE ? m->threads[tid] : NULL;
}
/* One that does not live yet: pthread_create() has told its name, and creates it with its next step. What others do to it waits for that
 * (sync_need_of()). */
struct thread *thread_unborn(struct machine *m, uint64_t handle);
/* Either. */
static inline struct thread *thread_told(struct machine *m, uint64_t handle) {
  struct thread *t = thread_of_handle(m, handle);
  return t ? t : thread_unborn(m, handle);
}
/* Makes room for a thread whose name is told. */
void thread_reserve(struct machine *m, uint32_t tid);
/* The thread stops for good, alone: whatever the others do, it takes no further step. Returns RUN_YIELD. */
enum run thread_stays(struct machine *m, struct thread *t);
/* Starts running to the first visible step. */
void thread_run(struct machine *m, struct thread *t);

/* Ends the calling thread as pthread_exit does: clean-ups of its frames run, then its destructors. Returns what the builtin returns. */
enum run thread_exit(struct machine *m, struct thread *t, uint64_t result);
/* The thread's bottom frame has returned: RUN_FRAME: what comes next was pushed; RUN_END or RUN_STOP. */
enum run thread_bottom(struct machine *m, struct thread *t, uint64_t result);
/* A new thread with this number, before its first frame. */
struct thread *thread_begin(struct machine *m, uint32_t tid);
/* `t` was joined: it counts no longer as unordered with its joiner. */
void thread_joined(struct machine *m, struct thread *t);

/* --- lives of locals and thread-locals (lifetime.c) --- */

/* The locals of `t` in [from, to) of its own stack are about to end, or new ones to begin there. False: that is a step, which has yet to be
 * granted. */
bool life_ends(struct machine *m, struct thread *t, uint64_t from, uint64_t to);
bool life_begins(struct machine *m, struct thread *t, uint64_t from, uint64_t size);
/* The same of a new frame's `size` bytes with this alignment, as stack_alloc() will place them. */
static inline bool frame_begins(struct machine *m, struct thread *t, uint64_t size, uint64_t align) {
  return life_begins(m, t, stack_place(m->memory.regions[t->tid].sp, align), size);
}
/* And of all frames from `sp` on, where a builtin unwinds: RUN_GO, or RUN_YIELD, which it returns. */
enum run unwind_ends(struct machine *m, struct thread *t, uint64_t sp);
/* The thread ends: true: its thread-locals are about to, and that is a step which has yet to be granted. */
bool thread_locals_end(struct machine *m, struct thread *t);
/* `child`, which the present step of `t` makes, has the number and so the thread-locals of one that has ended, which others may still use.
 */
void thread_locals_begin(struct machine *m, struct thread *t, const struct thread *child);
/* It has ended: nobody may use its thread-locals any more. */
void thread_locals_close(struct machine *m, const struct thread *t);
/* Takes the granted step of a thread whose `leaves` is not 0. RUN_FRAME: it goes on there; RUN_END: it ends. */
enum run leave_go_on(struct machine *m, struct thread *t);

/* --- interpreter (interpret.c) --- */
#define MAX_EXTERN_ARGUMENTS 64
enum run interpret(struct machine *m, struct thread *t);
/* Pushes a frame for function `f` with these parameters; results go to nobody. False if the stack is full (execution stopped). */
bool frame_push(struct machine *m, struct thread *t, uint32_t f, const uint64_t *params, uint32_t n);

/* --- synchronisation (sync.c and sync_*.c): the thread library --- */
/* Can the pending step of `t` be taken in this state? (Spinning is the caller's business.) */
bool sync_enabled(const struct machine *m, const struct thread *t);
uint32_t sync_alternatives(const struct machine *m, const struct thread *t);
/* Nobody can move: makes the deadlock or lost-wakeup finding, naming what each thread waits for and who holds it. */
void sync_deadlock(struct machine *m);
/* After a step: threads that wait for each other's locks in a cycle while others run on (partial deadlock); true if found. */
bool sync_partial_deadlock(struct machine *m, struct thread *t);
/* After a thread has ended that held locks: does another one wait for them, which nobody will leave? */
bool sync_left_waiting(struct machine *m);

/* A store to [address, +size), where bytes are marked SHADOW_OBJECT, is about to be done. RUN_STOP: another thread uses an object there
 * now, which is wrong. RUN_GO: what is marked there is no object's any longer. */
enum run sync_overwrite(struct machine *m, struct thread *t, uint64_t address, uint64_t size);

/* --- other builtins --- */
extern const struct builtin heap_builtins[];   /* heap.c: malloc and friends */
extern const struct builtin system_builtins[]; /* system.c: hd_*, __hd_*, __VERIFIER_*, output, files, setjmp */
extern const struct builtin native_builtins[]; /* native.c: mathematics and other pure functions */
extern const struct builtin unwind_builtins[]; /* unwind.c */
extern const struct builtin clock_builtins[];  /* clock.c */

/* builtin.c: calls extern `i`; binds all at machine_new(). */
enum run builtin_call(struct machine *m, struct thread *t, uint32_t i, const uint64_t *args, uint32_t nargs, uint64_t *result);
void builtin_bind(struct machine *m);
/* A thread-local variable of the library models: its offset in the TLS block, UINT64_MAX if the program does not use it. */
uint64_t builtin_thread_local(const struct image *image, const char *name);
/* bind.c: extern `i` is a host function that --allow names. */
enum run native_call(struct machine *m, struct thread *t, uint32_t i, const uint64_t *args, uint32_t nargs, uint64_t *result);
/* bind.c: extern `i` is not bound: says so, and why if it is one of the refused. */
enum run builtin_unbound(struct machine *m, struct thread *t, uint32_t i);

/* invocation.c: there is a specification: told of its methods' calls; before each step of a thread; and a mark's list, of so many. */
void invocations_new(struct machine *m, const struct spec *spec);
void invocations_free(struct machine *m);
enum run invocation_begins(struct machine *m, struct thread *t, const char *name, const uint64_t *args);
void invocation_ends(struct machine *m, struct thread *t, const char *name, const uint64_t *args, bool results, uint64_t result);
void invocation_steps(struct machine *m, struct thread *t);
void invocation_stepped(struct machine *m, struct thread *t);
size_t invocations_count(const struct machine *m);
void invocations_cut(struct machine *m, size_t n);

/* heap.c */
struct heap_block {
  uint64_t address, size;
  uint32_t alloc_site, free_site;
  uint32_t alloc_thread, free_thread;
  bool live;
};
/* The block that `address` is in, or just behind; false if none. */
bool heap_find(const struct machine *m, uint64_t address, struct heap_block *out);
/* Of which blocks are live. */
struct fingerprint heap_fingerprint(const struct machine *m);
/* At exit: makes a leak finding if a live block cannot be reached. */
bool heap_check_leaks(struct machine *m);

/* unwind.c: raise or go on with t->exception; RUN_FRAME: a landing pad is next; RUN_GO: no handler. */
enum run unwind(struct machine *m, struct thread *t, bool search);

/* fingerprint.c: hash of the thread's frames, live slots alone. */
uint64_t thread_local_hash(struct machine *m, const struct thread *t);
/* And of what a handler has interrupted. */
uint64_t interrupted_hash(const struct thread *t, const struct interrupted *s);

/* patience.c */
/* The step of `t`, which is not alone, has made m->step_jumps jumps. RUN_GO: it goes on, for m->budget more; RUN_YIELD: it stands. */
enum run patience_spent(struct machine *m, struct thread *t);
/* The thread is all there is. Is it known by now that it goes round in a circle for ever? */
bool patience_alone(struct machine *m, const struct thread *t);
/* Before a reset: what was too short once more will be longer, unless more memory is shared now. */
void patience_learn(struct machine *m);

/* In how many ways the pending step itself can go: 0: it cannot be taken now. */
uint32_t step_alternatives(const struct machine *m, const struct thread *t);
/* False: in one way, which is usual and quick to tell. */
static inline bool step_may_choose(const struct machine *m, const struct thread *t) {
  const uint64_t several = OP(CHOICE) | OP(SIGNAL) | OP(JOIN) | OP(WAIT_LEAVE) | OP(SEM_WAIT);
  /* One branch for the caller: a join, which is the usual one of these, mostly has no choice. */
  uint32_t chooses = (uint32_t)(t->pending.op != EVENT_JOIN) | (t->pending.flags & (EVENT_TRY | EVENT_TIMED)) | (uint32_t)m->cancels;
  return (several >> t->pending.op & 1) & (chooses != 0);
}

/* interrupt.c */
/* In how many ways can something happen to `t` before its pending step? */
uint32_t interrupts_of(const struct machine *m, const struct thread *t);
static inline uint32_t interrupts(const struct machine *m, const struct thread *t) { return m->interrupts ? interrupts_of(m, t) : 0; }
/* One of them, counted from 0, happens: a step. RUN_FRAME: the thread goes on with what comes of it. */
enum run interrupt_take(struct machine *m, struct thread *t, uint32_t which);
/* The present step of `t` adds that it could have been interrupted before. */
void interrupt_note(struct machine *m, struct thread *t);
/* The thread is about to end: true: it may be interrupted before, so that is a step which has yet to be granted. */
bool interrupt_last(struct machine *m, struct thread *t);
/* Its function has returned: true: it may be cancelled before it is over, likewise. */
bool cancel_returns(struct machine *m, struct thread *t);
/* The handler has returned. RUN_YIELD: the thread stands before what it was about to do; RUN_FRAME: it ends its call with EINTR. */
enum run interrupt_over(struct machine *m, struct thread *t);
/* Frames were left other than by returning: handlers that were in them are gone. */
void interrupts_leave(struct machine *m, struct thread *t);
/* May the thread leave its handlers and what they have interrupted? Not a wait for a condition variable, which would have to lock its mutex
 * again: RUN_STOP. */
enum run interrupts_may_leave(struct machine *m, struct thread *t);
/* The process ends here; in a handler, perhaps. */
void interrupts_end(struct machine *m, const struct thread *t);
/* What the thread may touch unseen: see thread->span. */
uint64_t thread_span(const struct machine *m, const struct thread *t);
/* May the thread stop between any two of its steps for good? Then each write is one, for it may be the last. */
static inline bool may_be_abandoned(const struct machine *m, const struct thread *t) {
  return m->interrupts && ((m->abandons && m->process_signals) || (t->cancel_asynchronous && m->cancels && !t->cancel_disabled));
}
/* Does frame `i`, which is not the last, stand before an instruction, and not in a call? */
static inline bool frame_interrupted(const struct thread *t, size_t i) {
  for (size_t k = 0; k < t->interrupted.count; k++)
    if (t->interrupted.data[k].depth == i + 1) return true;
  return false;
}
/* Is frame `i` in a call? */
static inline bool frame_calls(const struct thread *t, size_t i) { return i + 1 < t->frames.count && !frame_interrupted(t, i); }
/* A thread's own memory, of its region, that it touches in a handler: was it there before, so that the two may meet? */
static inline bool interrupted_memory(const struct thread *t, uint64_t address) {
  return t->interrupted.count && (address < vec_last(&t->interrupted).sp || address - region_base(t->tid) >= REGION_STACK_SIZE);
}
/* Who touches globals: a handler counts as somebody else than the thread that it interrupts. */
static inline uint32_t toucher(const struct thread *t) { return t->tid + (uint32_t)t->interrupted.count * THREADS_MAX; }
/* Is this a word that stands for signals of thread `tid`? */
bool interrupt_word(const struct machine *m, uint32_t tid, uint64_t address);
/* Signals that were sent and not taken by anybody yet: what their receivers do is still of interest when no other thread is left. */
bool signals_pending(const struct machine *m);
/* Of a wait: true: a handler ended it. */
static inline bool interrupted_call(struct thread *t) {
  bool ended = t->interrupted_call;
  t->interrupted_call = false;
  return ended;
}

/* spin.c */
/* Before each visible read. Is the thread in a loop that may spin, so that spin_check() has to be asked? */
bool spin_in_loop(const struct machine *m, const struct thread *t);
static inline bool spin_possible(struct machine *m, struct thread *t) {
  if (t->wrote) t->spins = t->leaps = 0, t->wrote = t->wrote_private = false;
  t->noting = !m->options.apart && !m->options.unjudged && spin_in_loop(m, t);
  t->spin_known = false;
  return t->noting && t->spins;
}
/* True if the thread repeats itself and must wait. Its repeated read is then the first of spin[]. */
bool spin_check(struct machine *m, struct thread *t, uint32_t pc);
void spin_note(struct machine *m, struct thread *t, uint32_t pc, uint64_t address, uint64_t size, uint64_t value, bool lock);
/* The step of `t` just taken has found that `lock` is held, or that nothing is there to take: it has read it. */
void spin_failed(struct thread *t, uint64_t lock);
/* So `t` has noticed that `holder` holds it. */
void spin_seen(struct machine *m, const struct thread *t, uint32_t holder, uint64_t lock);
/* `t`, of which somebody has noticed a lock, gives `lock` up with the present step. */
void spin_released(struct machine *m, struct thread *t, uint64_t lock);
/* Follows the thread's locks and writes by its last step, which is more than one event where it could have been cancelled; called before
 * each visible step. */
void spin_follow_event(struct thread *t, const struct event *e);
void spin_follow_events(const struct machine *m, struct thread *t, size_t fresh);
static inline bool spin_event_counts(const struct thread *t, const struct event *e) {
  const uint64_t idle = 1ull << EVENT_READ | 1ull << EVENT_RMW | 1ull << EVENT_FENCE | 1ull << EVENT_YIELD | 1ull << EVENT_AWAIT;
  return e->thread == t->tid && !(idle >> e->op & 1);
}
static inline void spin_follow(const struct machine *m, struct thread *t) {
  size_t fresh = t->events - t->counted;
  t->counted = t->events;
  if (__builtin_expect(fresh == 1 && m->trace.count, 1)) {
    const struct event *e = &vec_last(&m->trace);
    if (spin_event_counts(t, e)) spin_follow_event(t, e);
  } else if (fresh) {
    spin_follow_events(m, t, fresh);
  }
}
/* clock.c: a wait of the thread was over by its time: the clock is not before that when it looks. */
static inline void clock_reach(struct thread *t, uint64_t nanoseconds) {
  if (nanoseconds > t->reached) t->reached = nanoseconds;
}
/* Looks of one thread until its ticks double, and how often they do. */
#define CLOCK_LOOKS   16u
#define CLOCK_DOUBLED 40u
/* How often the thread has looked, as far as its ticks tell: in the end, at days a look, a loop that waits for a time has come to it. */
static inline uint32_t clock_looks(const struct thread *t) {
  return t->looks < CLOCK_LOOKS * CLOCK_DOUBLED ? t->looks : CLOCK_LOOKS * CLOCK_DOUBLED;
}
/* The word of memory that is the clock. */
static inline uint64_t clock_word(void) { return thread_handle(0) + 8; }
/* The word of memory that is the state of the properties' monitor. */
static inline uint64_t property_word(void) { return thread_handle(0) + 40; }
/* library/operation.c: nobody can go on. Is that what the operations which have not ended would do alone, too? */
bool operations_may_block(const struct machine *m);
/* The thread has taken a step of its own: it may be the one that crashes there. */
void operation_stepped(struct machine *m, struct thread *t, bool inside);
/* Has it stopped in an operation for ever? */
bool operation_crashed(const struct machine *m, const struct thread *t);
/* Is it found out what an object's operations return one after the other? */
static inline bool operations_are_alone(const struct machine *m) {
  return m->options.scenario && !m->options.sequential && !m->options.unjudged;
}
/* The word that is the state of the history of an object's operations; the bytes in which each thread of the scenario counts those that
 * have ended (library/operation.c). */
static inline uint64_t history_word(void) { return thread_handle(0) + 48; }
static inline uint64_t ended_bytes(void) { return thread_handle(0) + 56; }
/* The word that stands for whether thread `tid` is detached; nothing is stored there. */
static inline uint64_t detached_word(uint32_t tid) { return thread_handle(tid) + 16; }
/* And for whether it is joined. */
static inline uint64_t joined_word(uint32_t tid) { return thread_handle(tid) + 32; }
/* The thread is in a loop that may spin: if it repeats itself its pending step becomes a wait. */
void step_may_wait(struct machine *m, struct thread *t);
/* Names the pending step of a thread that is not alone and has yet to be granted it: the short way through machine_visible(). */
static inline void step_name(struct machine *m, struct thread *t, enum event_op op, uint8_t order, uint8_t flags, uint64_t object,
                             uint64_t size, uint64_t value2) {
  /* Written in place, field by field: building it elsewhere and copying stalls on store forwarding. */
  struct event *e = &t->pending;
  e->op = (uint8_t)op, e->order = order, e->flags = flags, e->thread = t->tid, e->site = m->site;
  e->object = object, e->size = size, e->value = 0, e->value2 = value2;
  spin_follow(m, t);
  bool may_spin = op == EVENT_READ || op == EVENT_RMW || op == EVENT_ACQUIRE ||
                  op == EVENT_SEM_WAIT; /* such a step of a loop may be repeated for ever: spin.c */
  if (may_spin && spin_possible(m, t)) step_may_wait(m, t);
}
/* The loop's reads are known: forgets those that need not be watched. */
void spin_settle(struct thread *t);
bool spin_changed(const struct machine *m, const struct thread *t);
static inline void spin_clear(struct thread *t) { t->spins = 0, t->waiting = false; }
