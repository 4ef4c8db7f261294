/* Accesses to a word that its two cells cannot hold: records, and sets of reads.
 *
 * A record belongs to its word and changes with it. It is for words whose bytes were touched at different times, and for those that
 * several threads read again and again. A set is a value: those that are equal and in use at the same time are one as a rule,
 * they never change, and they stay. They are for arrays that several threads read, each word by the same threads at the same places: a few
 * sets serve them all. */
#pragma once
#include "thread.h"

enum { ACCESSES = 500 }; /* of one word: later ones are not kept */

/* The accesses of a word, taken out of its cells. Writes come first. None is a reference, no byte is written by two. */
struct accesses {
  unsigned writes, count;
  cell at[ACCESSES + 1];
};

/* What a thread's scratch memory is for. */
struct scratch {
  struct accesses accesses;
  cell sorted[ACCESSES];
};

/* The same where they are: in the pair's record or set, or in `single`. They stay as long as the pair is BUSY. */
struct accesses_view {
  const cell *writes, *reads;
  unsigned nwrites, nreads;
  cell single[3];
};

/* What cells refer to. */
struct record {
  uint16_t cap, writes, count; /* count <= ACCESSES */
  cell at[];
};
struct set {
  uint32_t hash, count;
  cell at[];
};

/* The accesses of a pair with these cells. The reads leave out what the writes say already. */
HOT void accesses_view(cell write, cell read, struct accesses_view *v) {
  v->single[0] = write, v->single[1] = read;
  v->writes = &v->single[0], v->nwrites = write != 0;
  v->reads = &v->single[1], v->nreads = read != 0 && read != write;
  if (cell_is_ref(write)) {
    const struct record *r = cell_at(write);
    v->writes = r->at, v->nwrites = r->writes;
    v->reads = r->at + r->writes, v->nreads = r->count - r->writes;
  } else if (cell_is_ref(read)) {
    const struct set *s = cell_at(read);
    v->reads = s->at, v->nreads = s->count;
  } else if (cell_is_older(write)) {
    v->single[0] = write & ~OLDER, v->single[2] = cell_before(read);
    v->nwrites = v->single[0] != 0, v->nreads = 2;
  } else if (cell_is_both(read)) {
    cell newer = read & ~BOTH;
    v->single[1] = cell_with_mask(newer, both_wrote(write, read)), v->nwrites = 2;
    v->single[2] = cell_with_mask(newer, both_read(write, read));
    v->reads = &v->single[2], v->nreads = both_read(write, read) != 0;
  }
}
void accesses_load(cell write, cell read, struct accesses *a);
/* Puts `a` into p->read and returns the cell for pair_give(); the record of `old`, the pair's write cell, is used again or given back.
 * If there is a record, p->read becomes `did`. `again`: no set is made for it, as it would not last. */
cell accesses_store(struct pair *p, cell old, const struct accesses *a, cell did, bool again);
/* The same of a pair's record that was changed in its place: two cells take over if they hold what is left. */
cell record_settle(struct pair *p, struct record *r, cell did);
/* A new record of some accesses, writes first; 0 if there is no memory. */
cell record_of(const cell *at, unsigned writes, unsigned count);
/* Gives back what the write cell refers to. */
void record_drop(cell write);
/* True if the set has an access of that epoch to all these bytes that is not atomic. */
bool set_covers(cell set, epoch e, unsigned mask);
/* Bytes in records and sets. */
size_t records_bytes(void);
void records_before_fork(void);
void records_after_fork(void);
