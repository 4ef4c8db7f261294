/* What `heddle` and the runtime of a process that is to carry out a witness tell each other: a file that both map.
 *
 * A witness (trace/witness_file.h) is an order of some of the events of a recorded run: its *steps*. The program is run again, woven so
 * that the runtime sees each event before it happens. A thread that comes to its next step waits for its turn; events that are no steps
 * pass. Behind its last step a thread stands still. The *ends* are what the finding is about: events before which threads shall stand when
 * all steps are done. The runtime looks whether what stands there is what the finding says (runtime/enforce/judge.c).
 *
 * What is carried out may also come from a schedule of the machine (cli/native/enact_schedule.h), in which places are lines and columns and
 * have no numbers: then there are *places*, by which steps are told, and the runtime finds out which of the program's places these are.
 *
 *   struct enforce_file, threads, own[], steps, ends, places
 *
 * Before the process begins everything is written but the fields that are said to be the runtime's. Those have several writers and are
 * accessed atomically. */
#pragma once
#include <stdint.h>

enum { ENFORCE_VERSION = 2, ENFORCE_NAME = 64, ENFORCE_ENDS = 16, ENFORCE_NOTES = 4, ENFORCE_FILE = 248 };

/* What the finding is, and so what must be seen. X(name, what was seen) */
#define ENFORCE_KIND_LIST(X)                                                                       \
  X(RACE, "both threads stood before their accesses of the same memory at the same time")          \
  X(DEADLOCK, "each thread stood before its lock, which the next one held")                        \
  X(USE_AFTER_FREE, "the memory was freed, and the other thread stood before its use")             \
  X(ATOMICITY, "the other thread's access came between the two, of the same memory")               \
  X(NULL_POINTER, "the thread stood before an access through NULL")                                \
  X(LOST_WAKEUP, "the thread waited behind the last notification, and nobody was left to wake it") \
  X(ORDER, "the events came in the order that the property forbids")                               \
  X(ENDING, "the program ended behind the last step")                                              \
  X(HANGING, "each thread waits, and nobody was left to wake one")                                 \
  X(UNSEEN, "")
enum enforce_kind {
#define X(name, seen) ENFORCE_##name,
  ENFORCE_KIND_LIST(X)
#undef X
      ENFORCE_KINDS
};

/* What came of it. */
enum enforce_result {
  ENFORCE_OPEN,      /* nothing yet */
  ENFORCE_CONFIRMED, /* the finding was there */
  ENFORCE_OTHER,     /* all steps were done, but what was there then is something else: `why` */
  ENFORCE_LEFT       /* a thread did something else in place of a step: `why`, `step` */
};

enum enforce_begun {
  ENFORCE_WAITING,
  ENFORCE_BEGUN,
  ENFORCE_BEGUN_LATELY, /* nobody says when it is over */
  ENFORCE_DONE,
  ENFORCE_MISSING /* the program, as it is built now, does not make this access */
};

struct enforce_step {
  uint64_t address; /* of an access; 0: any */
  uint32_t thread;  /* index */
  uint32_t site;    /* its number; if there are places: 1 + the index of one */
  uint32_t skip;    /* how many events of the same kind and place the thread does first, since its last step */
  uint8_t op;       /* enum trace_op */
  uint8_t flags;    /* enum event_flag */
  uint8_t note;     /* 1 and up: the finding is about this event, the so manieth; 0: not */
  uint8_t begun;    /* the runtime's: enum enforce_begun */
  uint8_t loose;    /* 1: an access that the program may lack, as it is built now */
};

enum enforce_state { ENFORCE_NOT_THERE, ENFORCE_RUNS, ENFORCE_WAITS, ENFORCE_RESTS, ENFORCE_STANDS, ENFORCE_ENDED };

struct enforce_thread {
  char name[ENFORCE_NAME]; /* "0.2.1" */
  uint32_t first, count;   /* its steps: own[first] and on, as indices of steps, and of ends behind those */
  uint32_t goes_on;        /* 1: it is not held behind its last one */
  uint32_t hangs;          /* HANGING: 1: it waits for ever then; if none does, all do */
  uint32_t task;           /* the runtime's: the system's number of the thread */
  uint32_t spare;
  uint32_t state, site; /* the runtime's: enum enforce_state; where it was last: as of a step, 0: at another place */
};

struct enforce_place {
  uint32_t line, column;
  char file[ENFORCE_FILE]; /* the last part of its name */
};

/* An access or operation as it came, the runtime's. */
struct enforce_seen {
  uint64_t address, size;
  uint32_t there; /* 1: all this is known */
  uint32_t thread;
  uint8_t op, flags, atomic;
};

struct enforce_file {
  uint32_t version, kind;
  uint32_t threads, steps, ends; /* how many */
  uint32_t places;
  uint32_t debugged; /* 1: a debugger watches: what came of it is told, and SIGTRAP raised, before the process ends */
  uint32_t reserved;
  uint64_t data_end; /* where the program's variables ended in the recorded run, which was of another code; 0: not known */
  /* The runtime's. */
  uint32_t position; /* steps that are done: the next one's index. Threads wait for it to change */
  uint32_t released; /* 1: nobody is held any more */
  uint32_t result;   /* enum enforce_result */
  uint32_t step;     /* LEFT: at which step */
  uint32_t other;    /* LEFT: where the thread was instead */
  uint32_t waits;    /* LOST_WAKEUP: 1: the wait goes on */
  uint32_t beats;    /* grows as threads do something after they were released */
  char why[128];
  struct enforce_seen notes[ENFORCE_NOTES], stands[ENFORCE_ENDS];
};

static inline struct enforce_thread *enforce_threads(const struct enforce_file *f) { return (struct enforce_thread *)(uintptr_t)(f + 1); }
static inline uint32_t *enforce_own(const struct enforce_file *f) { return (uint32_t *)(void *)(enforce_threads(f) + f->threads); }
static inline struct enforce_step *enforce_steps(const struct enforce_file *f) {
  return (struct enforce_step *)(void *)(enforce_own(f) + ((f->steps + f->ends + 1) & ~1u)); /* at a multiple of 8 */
}
static inline struct enforce_place *enforce_places(const struct enforce_file *f) {
  return (struct enforce_place *)(void *)(enforce_steps(f) + f->steps + f->ends);
}
static inline uint64_t enforce_size(uint64_t threads, uint64_t steps, uint64_t ends, uint64_t places) {
  return sizeof(struct enforce_file) + threads * sizeof(struct enforce_thread) + ((steps + ends + 1) & ~1ull) * sizeof(uint32_t) +
         (steps + ends) * sizeof(struct enforce_step) + places * sizeof(struct enforce_place);
}
