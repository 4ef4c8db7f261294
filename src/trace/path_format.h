/* Logs of control flow: how `heddle record` keeps, for each thread of a native run, which way its branches went. (CLAP, section 3: nothing
 * else is recorded: no value, no address, no order of accesses of different threads.)
 *
 * The file is written by the program itself, and holds all that happened before a crash, whatever the crash was. It is, in order:
 *
 *   struct path_header   and behind it texts: the program, its arguments, .. each with a zero behind it, up to PATH_CHUNK bytes
 *   chunks               of PATH_CHUNK bytes each, of one thread each: struct path_chunk and words of 64 bits
 *
 * Each thread has one chunk that it writes to, in a shared mapping, which the kernel keeps. When it is full, it is copied to a new place in
 * the file (64 KB at once: to have each page of a mapping written for the first time costs ten times that), and begins anew with the next
 * sequence number. If the process ends between the two, the thread has two chunks with the same number, which are the same.
 *
 * A word holds up to PATH_BITS bits: below its highest bit, which is set and says where they begin, the earlier ones in the higher places.
 * 0 is a word that was not written. So appending a bit is `word = 2 * word + bit`, and nothing else is needed to know how many there are.
 *
 * A branch of two ways is one bit, a number of several ways as many bits as PATH_WIDTH of the largest one, the highest first. A number
 * whose bits do not fit into what is left of a word begins the next one.
 *
 * Used by the runtime, too, so there is nothing of Heddle's own in it. */
#pragma once
#include <stdint.h>

/* The variable of the environment by which a woven program finds its log, which is there and has its header. */
#define PATH_VARIABLE "HEDDLE_PATHS"

#define PATH_MAGIC   "HEDDLEpl"
#define PATH_VERSION 1u
#define PATH_CHUNK   65536u
#define PATH_BITS    63u
#define PATH_FULL    (1ull << PATH_BITS) /* set in a word that has no room for another bit */
#define PATH_CHUNKS  (1u << 20)          /* at most: 64 GB */
#define PATH_THREADS (1u << 20)
#define PATH_NUMBERS 48u /* bits of a number at most */

/* How a run ended. */
enum path_end {
  PATH_END_UNKNOWN, /* nobody was there to see it: the recorder itself was killed */
  PATH_END_EXIT,    /* code: its exit code */
  PATH_END_SIGNAL,  /* code: the signal's number */
  PATH_END_HANG     /* it was stopped when its time was over */
};

/* Where a fatal signal came to the program, if that could be seen: written by its handler. */
struct path_failure {
  uint32_t signal; /* 0: none came, or nobody saw it */
  uint32_t thread;
  uint64_t address; /* that could not be accessed */
};

struct path_header {
  char magic[8];
  uint32_t version, size; /* of this structure */
  uint64_t build;         /* of the woven program: a hash of its code */
  uint32_t chunks;        /* that were begun; by all threads */
  uint32_t threads;       /* that were numbered, main included */
  uint32_t lost;          /* threads without a log: there was no room */
  uint32_t texts;         /* bytes of them */
  uint32_t end, code;     /* enum path_end */
  struct path_failure failure;
  uint64_t milliseconds; /* that it ran for */
};
_Static_assert(sizeof(struct path_header) == 72, "the header of a log of control flow");

/* Which thread it is: the `nth` child, from 1 on, of the thread `parent`; main is thread 0. */
struct path_chunk {
  uint32_t thread, parent, nth;
  uint32_t sequence; /* the thread's so many'th chunk, from 0 on, wherever it is in the file */
};
_Static_assert(sizeof(struct path_chunk) == 16, "the header of a chunk");
#define PATH_WORDS ((PATH_CHUNK - sizeof(struct path_chunk)) / sizeof(uint64_t))

/* How many bits numbers up to `most` have; at least 1. */
static inline uint32_t path_width(uint64_t most) { return most < 2 ? 1 : 64 - (uint32_t)__builtin_clzll(most); }
