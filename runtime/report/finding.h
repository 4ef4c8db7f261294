/* Something that was found, whatever it is. An analysis describes it; report.c decides whether it is shown; text.c and json.c show it. What
 * a finding points to need only last until report_finding() returns. */
#pragma once
#include "report/origin.h"
#include "thread.h"

/* X(name, title, JSON's kind, type of suppressions) */
#define FINDING_KINDS(X)                                                                            \
  X(RACE, "data race", "data-race", "race")                                                         \
  X(FREED, "use after free (race with a free or destruction)", "use-after-free", "race")            \
  X(LATE, "use after free", "heap-use-after-free", "race")                                          \
  X(DEADLOCK, "deadlock", "deadlock", "deadlock")                                                   \
  X(CYCLE, "potential deadlock", "potential-deadlock", "deadlock")                                  \
  X(CLOSED, "use after close", "use-after-close", "race")                                           \
  X(LOST, "lost wake-up", "lost-wakeup", "race")                                                    \
  X(COMMUTING, "commutativity race", "commutativity-race", "race")                                  \
  X(ENDED, "use after end", "use-after-end", "race")                                                \
  X(SIGNAL, "call that a signal's handler may not make", "signal-unsafe-call", "signal")            \
  X(ERRNO, "handler that changes errno", "errno-in-handler", "signal")                              \
  X(LEAKED, "thread leak", "thread-leak", "thread")                                                 \
  X(UNHELD, "use of a lock that the thread does not hold", "lock-not-held", "mutex")                \
  X(LOCKED, "destruction of a lock that is held", "held-lock-destroyed", "mutex")                   \
  X(DESTROYED, "use of a destroyed lock", "lock-destroyed", "mutex")                                \
  X(MUTEXES, "waits for a condition with two mutexes", "condition-with-two-mutexes", "mutex")       \
  X(WAITED, "end of a condition variable that threads wait for", "waited-condition-ended", "mutex") \
  X(HELD, "locking of a lock that is held", "lock-held", "mutex")                                   \
  X(KEPT, "lock that is held where none may be", "lock-kept", "mutex")
enum finding_kind {
#define X(name, title, json, type) FINDING_##name,
  FINDING_KINDS(X)
#undef X
      FINDING_KIND_COUNT
};

/* A lock, as somebody holds it or wants it. */
struct finding_lock {
  uintptr_t address; /* 0: it does not exist any more */
  uint32_t site;     /* where it was taken, or SITE_UNKNOWN */
  uint32_t made;     /* where it was initialised (SITE_ALLOC), or first taken; or SITE_UNKNOWN */
  uint8_t kind;      /* enum sync_kind */
  bool shared;       /* with other readers */
};

enum locks_known {
  LOCKS_NOT_ASKED, /* which locks there were says nothing here */
  LOCKS_ALL,
  LOCKS_SOME, /* there may have been others, too */
};

struct finding_locks {
  const struct finding_lock *at;
  unsigned count;
  enum locks_known known;
};

/* What one thread did. */
struct finding_part {
  const char *what;                  /* "write", "wait" */
  bool previous;                     /* it was first */
  const struct thread_info *thread;  /* NULL: not known */
  uintptr_t address;                 /* of the memory; 0 if it was not about memory */
  unsigned size;                     /* 0: says nothing */
  const struct finding_lock *wanted; /* the lock that it was about; NULL if none */
  uint32_t site;
  struct finding_locks held;
};

/* Part of a note: text, and behind it a thread's name or a lock's, if it has one. */
struct finding_piece {
  const char *text; /* NULL: the notes end here */
  const struct thread_info *thread;
  const struct finding_lock *lock;
  bool ends; /* the sentence ends here */
};

/* Where a report that is held back (plan.h) is to say what became of it: offsets. */
struct finding_holes {
  size_t at[3];
};

struct finding {
  enum finding_kind kind;
  const struct finding_part *parts; /* those that the present thread did come first; the first one's place is the finding's */
  unsigned count;
  bool predicted;                    /* this run did not show it, another schedule would */
  uintptr_t location;                /* of the memory it is all about; 0: none */
  const struct origin *origin;       /* of what is there, if that may be gone; NULL: it is not */
  uint32_t sleep;                    /* what the present thread did may come behind a sleep there; SITE_UNKNOWN if not */
  const struct finding_piece *notes; /* sentences, without the full stop; NULL: none */
  struct finding_holes *holes;       /* to be noted; NULL: the report is shown as it is */
};

/* Its title, and the words that JSON and suppressions have for its kind. */
const char *finding_title(enum finding_kind kind);
const char *finding_json_kind(enum finding_kind kind);
const char *finding_suppression(enum finding_kind kind);
