/* The trace file: what `heddle trace` writes while a program runs, and what src/trace reads (heddle-trace(5)).
 *
 * The recorder inside the traced program uses this header and encoding.h: they allocate nothing, and call nothing.
 *
 * A process writes one file, and a child of its fork() another one (its name with the child's process number behind it):
 *
 *   struct trace_header, its texts, zeros up to a multiple of 8
 *   blocks, each from a multiple of 8 on: struct trace_block, the payload, zeros
 *
 *   EVENTS   of one thread: its name ("0.2.1") and a zero, then records (encoding.h). Each block can be read without those before it
 *   NAMES    places and methods of a module: struct trace_names_head, then numbers and strings
 *   END      the program has ended in order: no payload
 *
 * Writing. Each thread fills a buffer of its own, and adds it to the file as one block: it takes the place by an atomic addition to the
 * end of the file, and writes there (pwrite). So threads do not wait for each other, and what could not be written (a full disk) is a gap.
 * Readers go on behind a gap: they look for the next block, and find by `sequence` what is missing of a thread.
 *
 * The buffers are *slots* of a second file, FILE.live, which the process maps (MAP_SHARED): after a crash, or SIGKILL, the reader takes
 * from there what no block has. A thread counts each record by one store to `used` behind it; x86 keeps the order of stores, the compiler
 * must, too. A process that ends in order removes that file. Slots are to be allocated on the disk first (posix_fallocate): a store to a
 * page that a full disk has no place for is a SIGBUS. A child of fork() must not touch the slots of its parent.
 *
 * A ring (header's `ring`, bytes): when the file has grown by more, the oldest part is made a hole (fallocate, FALLOC_FL_PUNCH_HOLE), but
 * NAMES blocks are kept. A reader cannot tell that from a gap at the beginning, and need not.
 *
 * Order. Events of synchronisation carry the number that they have among those of their object, from 1 on and without gaps, counted
 * while no other thread can take one: a mutex's by its owner, others' by an atomic addition: before the operation for what makes others go
 * on (RELEASE, SIGNAL, BROADCAST, SEM_POST, BARRIER_ENTER, WAIT_ENTER), behind it for what has waited (ACQUIRE, WAIT_LEAVE, SEM_WAIT,
 * BARRIER_LEAVE). A TRYFAIL of a semaphore has one, of a lock none. An atomic access has such a number, too, if it was made and counted
 * under one lock. WAIT_* name two objects and have two numbers. A TIME record says that what is before it was done before that time, and
 * what is behind it later: one stands before each event with a number, and one behind each TRACE_TIME_EVERY accesses. Times are the
 * processor's counter (rdtsc). */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_VERSION 1

/* Operations and their numbers in files, which never change. Names are those of enum event_op and enum recorded_op. */
#define TRACE_OP_LIST(X)     \
  X(EVENT_BEGIN, 1)          \
  X(EVENT_END, 2)            \
  X(EVENT_FORK, 3)           \
  X(EVENT_JOIN, 4)           \
  X(EVENT_READ, 5)           \
  X(EVENT_WRITE, 6)          \
  X(EVENT_RMW, 7)            \
  X(EVENT_FENCE, 8)          \
  X(EVENT_ACQUIRE, 9)        \
  X(EVENT_RELEASE, 10)       \
  X(EVENT_TRYFAIL, 11)       \
  X(EVENT_WAIT_ENTER, 12)    \
  X(EVENT_WAIT_LEAVE, 13)    \
  X(EVENT_SIGNAL, 14)        \
  X(EVENT_BROADCAST, 15)     \
  X(EVENT_BARRIER_ENTER, 16) \
  X(EVENT_BARRIER_LEAVE, 17) \
  X(EVENT_SEM_POST, 18)      \
  X(EVENT_SEM_WAIT, 19)      \
  X(EVENT_ALLOC, 20)         \
  X(EVENT_FREE, 21)          \
  X(RECORDED_BRANCH, 22)     \
  X(RECORDED_CALL, 23)       \
  X(RECORDED_RETURN, 24)     \
  X(RECORDED_ARGUMENT, 25)   \
  X(RECORDED_INITIAL, 26)

enum trace_op {
#define X(name, number) TRACE_##name = number,
  TRACE_OP_LIST(X)
#undef X
      TRACE_OPS
};

/* Flags and memory orders in files are the numbers of enum event_flag and enum event_order; beside them: */
enum { TRACE_NO_VALUE = 64 }; /* READ, WRITE, RMW: the value is not known (more than 8 bytes) */

#define TRACE_MAGIC       0x4543415254444548ull /* "HEDTRACE" */
#define TRACE_LIVE_MAGIC  0x3145564c44454844ull /* of FILE.live */
#define TRACE_SLOT_MAGIC  0x31544f4c53444548ull
#define TRACE_BLOCK_MAGIC 0x31425448u /* "HTB1" */

enum trace_limits {
  TRACE_RAW_MOST = 1 << 20,   /* bytes of a payload before packing */
  TRACE_RAW_USUAL = 1 << 16,  /* what recorders make blocks of */
  TRACE_TEXTS_MOST = 1 << 20, /* bytes of the header's texts: longer command lines are cut */
  TRACE_NAME_MOST = 1 << 12,  /* bytes of a thread's name with its zero */
  TRACE_EVENT_MOST = 96,      /* bytes that encoding one event, or time, may write to, and decoding may read from */
  TRACE_TIME_EVERY = 64,
  TRACE_NULL_MOST = 1 << 16, /* no program has memory below that address */
  TRACE_THREADS_MOST = 1 << 24
};

enum trace_header_flag {
  TRACE_FORKED = 1, /* child of a fork(): memory has unknown contents */
  TRACE_THIN = 2    /* some events were left out when the program had ended (thin.h); how many, END says */
};

struct trace_header {
  uint64_t magic;
  uint32_t version, flags;
  uint32_t pid, parent; /* process numbers; parent: 0 if this is no child of a traced process */
  uint64_t start;       /* nanoseconds since 1970 */
  uint64_t tick, hertz; /* the processor's counter at the start, and its steps in a second (0: not known) */
  uint64_t ring;        /* see above; 0: all is kept */
  uint32_t texts; /* bytes of the texts that follow, each with a zero: path of the program, a sum of its file in hexadecimal digits or "",
                     its arguments from argv[0] on */
  uint32_t reserved;
  uint64_t check; /* trace_check() of all this with 0 here, and of the texts */
};
_Static_assert(sizeof(struct trace_header) == 72, "part of the file format");

enum trace_kind { TRACE_EVENTS = 1, TRACE_NAMES, TRACE_END };
enum trace_packing { TRACE_PLAIN, TRACE_ZSTD };

struct trace_block {
  uint32_t magic;
  uint8_t kind, packing;
  uint16_t reserved;
  uint32_t thread;   /* EVENTS: the recorder's number, from 0 on; the name is in the payload */
  uint32_t sequence; /* EVENTS: number of this block among those of its thread, from 0 on */
  uint32_t raw;      /* bytes of the payload unpacked */
  uint32_t packed;   /* bytes of the payload in the file */
  uint64_t first;    /* EVENTS: index of the first event in its thread. NAMES: number of the first place. END: events that were dropped */
  uint64_t count;    /* EVENTS: number of events. NAMES: number of the first method. END: events that were left out (TRACE_THIN) */
  uint64_t time;     /* EVENTS: time at the beginning, no later than any time in it */
  uint64_t check;    /* trace_check() of all this with 0 here, and of the payload as it is in the file */
};
_Static_assert(sizeof(struct trace_block) == 56, "part of the file format");

/* Begin of a NAMES payload. Numbers (trace_put_number) follow: for each string its length and bytes; for each place the numbers of
 * the strings of its file and function (from 1 on; 0: the empty string), line, column; for each method that of its name. So it can be made
 * when a module is compiled: numbers of places and methods in the file are in the block's header. Place 0 is "not known". */
#define TRACE_OPENED                                                                                                  \
  "opened:" /* of a method that is none: with the path of a library that the program opened, and that is not recorded \
             */
struct trace_names_head {
  uint32_t strings, sites, methods;
};

/* FILE.live: this, then slots from TRACE_LIVE_FIRST on. */
struct trace_live {
  uint64_t magic;
  uint64_t start;   /* of the trace's header: they belong together */
  uint32_t slot;    /* bytes of a slot, its head included */
  uint32_t slots;   /* number of slots; those that are not in use have `used` 0 */
  uint64_t dropped; /* events that could not be written */
};
enum { TRACE_LIVE_FIRST = 4096 };

/* A thread's present buffer. To begin the next block: used = 0, then the other fields, then the thread's name and `used`. */
struct trace_slot {
  uint64_t magic;
  uint32_t thread, sequence; /* as in struct trace_block */
  uint64_t first, time;
  uint64_t used; /* bytes of the payload that are complete */
  uint64_t reserved[3];
};
_Static_assert(sizeof(struct trace_slot) == 64, "part of the file format; the payload follows");

/* A sum over bytes that finds damage; `seed` is the sum of what is before them. */
static inline uint64_t trace_check(uint64_t seed, const void *bytes, size_t n) {
  const unsigned char *p = (const unsigned char *)bytes;
  uint64_t h = seed ^ (n * 0x9e3779b97f4a7c15ull), word;
  for (; n >= 8; p += 8, n -= 8) {
    __builtin_memcpy(&word, p, 8);
    h = (h ^ word) * 0xff51afd7ed558ccdull;
    h ^= h >> 32;
  }
  for (word = 0; n > 0; n--) word = word << 8 | p[n - 1];
  h = (h ^ word) * 0xc4ceb9fe1a85ec53ull;
  return h ^ h >> 29;
}

/* Sets `check` of a block whose other fields are set. */
static inline uint64_t trace_block_check(const struct trace_block *b, const void *payload) {
  struct trace_block c = *b;
  c.check = 0;
  return trace_check(trace_check(0, &c, sizeof c), payload, b->packed);
}

static inline uint64_t trace_header_check(const struct trace_header *h, const void *texts) {
  struct trace_header c = *h;
  c.check = 0;
  return trace_check(trace_check(0, &c, sizeof c), texts, h->texts);
}

static inline uint64_t trace_padded(uint64_t n) { return (n + 7) & ~7ull; }
