/* Data races by C11's happens-before on an executed trace.
 *
 * Vector clocks in the manner of FastTrack (Flanagan, Freund: "FastTrack: efficient and precise dynamic race detection", PLDI 2009), at
 * byte precision: each granule of 8 bytes has a short list of accesses with masks, from which those are dropped that a later, ordered and
 * at least as conflicting access makes superfluous. Happens-before is C11's: program order, fork and join, locks, condition
 * variables, semaphores, barriers, and atomics by their orders, with fences and release sequences (of read-modify-writes alone, as since
 * C++20: a later store by the releasing thread does not go on with one). It is not the order of history.h, which orders all
 * dependent steps. A buffered store (TSO, PSO) happens where it is issued, with the clock of then, but is compared with other accesses
 * where it is flushed: which accesses stand on which side of that does not depend on the order of independent steps.
 *
 * Two accesses race if they overlap, one is a write or a free, one is not atomic, and neither happens before the other. What the thread
 * library does with an object is an atomic read of it, its initialisation a write, its destruction a free (sync_edge.h). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "happens/lockset.h"
#include "trace/event.h"

struct finding;
struct machine;

/* Indices into the trace; first < second. */
struct race_pair {
  uint32_t first, second;
};

/* What is known of an address: a granule of memory, or a synchronisation object or atomic location. */
struct race_slot {
  uint64_t key;
  uint32_t stamp;  /* of the trace that it belongs to */
  uint32_t head;   /* of a granule: its list of accesses */
  uint32_t row;    /* of an object: index into rows of the clock released there; of a granule: of its first atomic location's */
  uint32_t shared; /* of a lock: that of the clock that readers released there */
};

struct race_access {
  uint32_t thread, clock, event, next;
  uint8_t mask;
  bool write, atomic;
};

/* A store that is still in its thread's buffer: nobody can read from it, and so acquire what it releases, before its flush. */
struct race_store {
  uint32_t event;
  uint32_t issued, released; /* indices into rows: its thread's clock, and the one that it releases */
};

/* A detector. Its memory is reused from one trace to the next; zeroed is ready for use. */
struct races {
  VEC(struct race_pair) found; /* of the last trace: one for each pair of sites that was not known */
  struct hashmap known;        /* pairs of sites reported before */
  struct locksets locksets;
  uint32_t width; /* threads that clocks have entries for: a multiple of 4 */
  uint32_t stamp; /* of the present trace: slots with another are free */
  struct race_slot *slots;
  uint32_t cap, used;
  VEC(uint32_t) rows; /* clocks of synchronisation objects and atomic locations */
  VEC(struct race_access) accesses;
  VEC(struct race_store) stores;
  uint32_t *clocks; /* three rows a thread */
  uint32_t started[THREADS_MAX];
  uint32_t section;      /* thread whose atomic section is open, or UINT32_MAX */
  uint32_t section_from; /* its first event */
};

/* Finds the races of a trace between pairs of sites that are not known yet, and makes them known. */
void races_find(struct races *r, const struct event *trace, uint32_t n);
/* Makes all pairs unknown. */
void races_forget(struct races *r);
/* Where the bytes begin that the two events of a race have in common. */
uint64_t race_object(const struct event *a, const struct event *b);
void races_release(struct races *r);

/* What a race of the machine's trace is called: a sentence, and the two accesses (collect.c). The caller releases `*f`. */
void race_finding(const struct machine *m, const struct event *trace, struct race_pair pair, struct finding *f);
