/* Logs of control flow: how `heddle record` keeps, for each thread of a native run, which way its branches went. (CLAP, section 3: of what
 * threads share nothing is recorded: no value, no address, no order of accesses.) And what the run was given: standard input, files,
 * variables of the environment.
 *
 * The file is written by the program itself, and holds all that happened before a crash, whatever the crash was. It is, in order:
 *
 *   struct path_header   and behind it texts: the program, what it was called by, its arguments, .. each with a zero behind it, up to
 *                        PATH_CHUNK bytes
 *   chunks               of PATH_CHUNK bytes each, of one thread each: struct path_chunk and words of 64 bits;
 *                        or of no thread: struct path_chunk and struct path_piece, each with its bytes
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
 * What was given is in pieces: one that says what it is and what it is called, and, before it in time, those that its bytes are in. A piece
 * is begun as PIECE_PENDING and gets its kind when the rest of it is there; so the process may end anywhere between the two.
 *
 * Used by the runtime, too, so there is nothing of Heddle's own in it. */
#pragma once
#include <assert.h>
#include <stdint.h>

/* The variable of the environment by which a woven program finds its log, which is there and has its header. */
#define PATH_VARIABLE "HEDDLE_PATHS"

#define PATH_MAGIC   "HEDDLEpl"
#define PATH_VERSION 2u /* 1: the header ends before `items`, and there are no pieces, and no text that the program was called by */
#define PATH_CHUNK   65536u
#define PATH_BITS    63u
#define PATH_FULL    (1ull << PATH_BITS) /* set in a word that has no room for another bit */
#define PATH_CHUNKS  (1u << 20)          /* at most: 64 GB */
#define PATH_THREADS (1u << 20)
#define PATH_NUMBERS 48u        /* bits of a number at most */
#define PATH_GIVEN   UINT32_MAX /* in the place of a thread's number: a chunk of pieces */
/* Bytes that are kept: of one file or of standard input, and of all. */
#define PATH_KEPT_MOST     (16u << 20)
#define PATH_KEPT_MOST_ALL (64u << 20)

/* What is in the words: a bit for each branch, but those left out that whoever runs the thread again computes; for each branch; or the
 * numbers of paths (weave/paths_numbered.h). */
enum path_how { PATH_HOW_BITS, PATH_HOW_ALL, PATH_HOW_NUMBERS, PATH_HOWS };

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

/* Is it known what a file, or standard input, had? */
enum path_kept {
  PATH_KEPT_NOT, /* nothing is known of it */
  PATH_KEPT,
  PATH_KEPT_LARGE,  /* no: it has more than PATH_KEPT_MOST, or all have more than PATH_KEPT_MOST_ALL */
  PATH_KEPT_ROOM,   /* no: there was no room for it, or it could not be read */
  PATH_KEPT_STREAM, /* no: it is a terminal, a socket, a device, or (a file) a pipe */
  PATH_KEPT_COUNT
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
  uint32_t items;        /* that were numbered: what was given */
  uint32_t unkept;       /* how often something was given that there is no piece of: there was no room */
  uint64_t kept;         /* bytes of files */
  uint32_t input;        /* standard input's enum path_kept; without an item it is empty */
  uint32_t how;          /* enum path_how */
};
static_assert(sizeof(struct path_header) == 96, "the header of a log of control flow");
#define PATH_HEADER_1 72u /* bytes of it in version 1 */

/* Which thread it is: the `nth` child, from 1 on, of the thread `parent`; main is thread 0. */
struct path_chunk {
  uint32_t thread, parent, nth;
  uint32_t sequence; /* the thread's so many'th chunk, from 0 on, wherever it is in the file */
};
static_assert(sizeof(struct path_chunk) == 16, "the header of a chunk");
#define PATH_WORDS ((PATH_CHUNK - sizeof(struct path_chunk)) / sizeof(uint64_t))

enum path_piece_kind {
  PIECE_NONE,     /* nor is there one behind it */
  PIECE_PENDING,  /* not written to its end */
  PIECE_BYTES,    /* a part of an item */
  PIECE_INPUT,    /* standard input; it has no name */
  PIECE_FILE,     /* its name, as the program has opened it for the first time; what it had just before that */
  PIECE_VARIABLE, /* "NAME=VALUE", which the program asked for; it has no other bytes */
  PIECE_KINDS
};

/* Behind it are `room` bytes, a multiple of 8, `bytes` of them used. */
struct path_piece {
  uint16_t kind, kept; /* enum path_piece_kind; of a file enum path_kept */
  uint32_t room, bytes;
  uint32_t item; /* its number */
  uint64_t at;   /* PIECE_BYTES: where they are in the item; else how many it has */
};
static_assert(sizeof(struct path_piece) == 24, "the header of a piece");
#define PATH_PIECE_MOST ((uint32_t)(PATH_CHUNK - sizeof(struct path_chunk) - sizeof(struct path_piece)))

/* How many bits numbers up to `most` have; at least 1. */
static inline uint32_t path_width(uint64_t most) { return most < 2 ? 1 : 64 - (uint32_t)__builtin_clzll(most); }
