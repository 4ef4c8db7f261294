/* What threads synchronise by: mutexes, condition variables, atomics, and so on, found by address. An object comes about when something is
 * first asked of it and goes when its memory is freed or it is destroyed. */
#pragma once
#include "record/told.h"
#include "thread.h"

enum sync_kind { SYNC_OTHER, SYNC_MUTEX, SYNC_RWLOCK, SYNC_SPIN, SYNC_COND, SYNC_SEM, SYNC_BARRIER, SYNC_ONCE, SYNC_ATOMIC };

/* Such a lock may be used before it is made and when it is gone; may be told to be gone without being so, unless it was made so
 * (OWN_NOT_STATIC); was misused. Of any lock: another process may give it back, which nobody sees here; it was taken as such a one. */
enum sync_own { OWN_STAYS = 1, OWN_NOT_STATIC = 2, OWN_MISUSED = 4, OWN_ELSEWHERE = 8, OWN_MADE = 16 };

/* What locks and atomics change at each operation is in one line of the cache. */
struct sync {
  _Alignas(64) uint32_t next; /* of the same 16 bytes */
  uint32_t index;
  uintptr_t address;
  uint64_t id;               /* no other object has or had it */
  struct rt_lock lock;       /* for clock and what is below it, where the object itself does not see to it that one thread is there */
  uint8_t kind;              /* enum sync_kind */
  uint8_t own;               /* enum sync_own */
  struct vclock *clock;      /* what taking it tells */
  uint32_t owner;            /* exclusive holder's number + 1, or 0. Atomics: who made the last release store, or SEVERAL, or 0 */
  uint32_t depth;            /* how often it holds it; barriers: who has come */
  struct sections *sections; /* locks: what the weak order knows of them (section.h) */
  uint32_t begun;            /* how many sections */
  struct rt_lock ends;       /* for what is in `sections`; who has it takes no other */
  uint32_t site;             /* locks: of its initialisation (SITE_ALLOC), else of its first taking; of chains' ends: sync.c */
  struct vclock *readers;    /* atomics: what came before its reads, in the weak order */
  struct vclock *shared;     /* read-write locks: what shared holders told, for the next exclusive one */
  struct waiters *waiters;   /* conditions: who waited last (violation.h) */
  struct vclock *notified;   /* conditions: what the weak order hands on to those who wake up */
  struct round *round;       /* barriers: the one that gathers (intercept/sync.c) */
  uint32_t parties;          /* barriers */
  uint32_t inside;           /* conditions: waits that have not returned */
  uint32_t endless, blocked; /* conditions: those of them that have no time limit; how many of these nothing has ended yet, at least */
  uintptr_t with;            /* conditions: the mutex of the last wait, which `owner` began at `site` */
  uint32_t alone;            /* atomics: the last operation was of that thread, its number + 1, in the weak order; */
  uint8_t turns;             /* so many relaxed changes by it, one after the other; up to ALONE */
  uint8_t withheld;          /* and later ones were not handed on: enum withheld */
  uint64_t recorded;         /* events of it that have a number (record/record.h) */
  struct told told;          /* orders by its address, which are another object with numbers of its own */
  uint32_t holder, nested;   /* locks of the program's own making: `owner` and `depth`, which are an atomic's if they are made of one */
};

_Static_assert(offsetof(struct sync, site) == 64, "a line of the cache");

void sync_start(void);
/* The object at that address; it comes about if there is none. NULL if memory is exhausted. */
struct sync *sync_at(uintptr_t address, enum sync_kind kind);
/* NULL if there is none. */
struct sync *sync_find(uintptr_t address);
struct sync *sync_by_index(uint32_t index);
/* Calls f for all that exist; other threads may go on. */
void sync_each(void (*f)(struct sync *, void *), void *data);
/* The address is no object's any more. */
void sync_remove(uintptr_t address);

/* The object of that index. */
struct sync *sync_of(uint32_t index);

/* Around what t does to the object. */
void sync_lock(struct thread *t, struct sync *s);
void sync_unlock(struct thread *t, struct sync *s);
/* An atomic that one thread alone changes by relaxed operations, as counters of its own, hands on what that thread did in the weak order
 * alone, and each time the thread would be in a new epoch, in which nothing that it did is known. So from the ALONEth time in a row on, the
 * changes are withheld until somebody else comes, or another kind of operation: they have handed on then what the thread did and knew by
 * that time, which is more than by its last change. Nothing of this is happens-before. True if t's operation on the atomic need not be
 * handed on, nor tells t of anything in the weak order; s->lock is held. `changes`: it is a relaxed change; not so: it only reads, if
 * `reads`. */
#ifndef ALONE /* a test asks for less */
#define ALONE 64
#endif
enum withheld { WITHHELD_NONE, WITHHELD_SOME, WITHHELD_IN_SECTIONS /* some by who held locks (section_reads()) */ };
bool sync_alone_slow(struct thread *t, struct sync *s, bool changes, bool reads);
HOT bool sync_alone(struct thread *t, struct sync *s, bool changes, bool reads) {
  if (LIKELY(s->withheld > (t->nheld > 0) && s->alone == t->info->number + 1 && (changes || reads) && !t->nseats)) return true;
  return sync_alone_slow(t, s, changes, reads);
}
/* What was withheld is handed on, by whoever comes; s->lock is held. */
void sync_tell(struct thread *t, struct sync *s);
/* The same of all that t withheld; it holds no object. */
void sync_tell_all(struct thread *t);

/* t has seen what was handed on by the object at that address, if there is one. */
void sync_acquire(struct thread *t, uintptr_t address);
/* It hands on what t did so far, and what it had already. */
void sync_release(struct thread *t, uintptr_t address, enum sync_kind kind);

const char *sync_kind_name(uint8_t kind);
/* True if the object of that index is still the one with that id. */
bool sync_lives(uint32_t index, uint64_t id);

void sync_before_fork(void);
void sync_after_fork(bool child);

/* A block of the heap. */
struct block {
  uintptr_t start;
  uint32_t site;  /* of its allocation */
  uint32_t spare; /* bytes at its end beyond those that were asked for; BLOCK_SPARE: that many or more */
  uint32_t maker; /* number of the thread that allocated it, plus 1; 0: not known, as with blocks of 16 bytes or less */
};
enum { BLOCK_SPARE = (1 << 15) - 1 };
/* One of that size, spare bytes included, begins; or it goes on, and more or fewer of its bytes were asked for. */
void block_add(const struct block *b, size_t size);
/* Its memory ends, or another's: all objects in it go. */
void block_remove(uintptr_t address, size_t size);
/* The block that the address is in, if it begins at most `far` bytes before. False if it is in none that was seen. */
bool block_of(uintptr_t address, size_t far, struct block *b);
