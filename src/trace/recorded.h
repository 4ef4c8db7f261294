/* A recorded run of a native program: what its threads did, in one order, and what the numbers in it mean.
 *
 * Where it comes from: a trace file (heddle-trace(5)), a text in RAPID's STD format, or a test that writes it down. Who analyses it sees
 * no difference. Events are `struct event` (event.h) with what follows:
 *
 *   thread          numbers from 0 on, in the order of their first events; any number of them, so no tid
 *   index           position among the events of the thread, from 0 on
 *   site            index into the sites; 0 is "not known"
 *   READ, WRITE     value: the bytes as a little-endian number if there are at most 8; else 0, and RECORDED_NO_VALUE
 *   RMW             value: read, value2: written. Without RECORDED_ALWAYS_WRITES it may be a compare-exchange that succeeded: with another
 *                   value there, or others in its operands, it might not have written
 *   ACQUIRE         recursive inner pairs are left out
 *   TRYFAIL         RECORDED_COUNT: of a semaphore, whose count was 0; else of a lock, which another thread held
 *   FORK, JOIN      object: the other thread's number
 *   SIGNAL, BROADCAST  value: unused; value2: how many threads were woken, if that is known, else UINT64_MAX
 *   BRANCH          value: the direction or target; also where a value that was read from shared memory is used as an address: then
 *                   `object` is that address, if the thread's next event is an access there; else 0
 *   CALL, RETURN    object: index of the method in the names; an ARGUMENT for each argument, or for the result, follows at once
 *                   (a method that is RECORDED_UNWATCHED and a function's name is never called: races in that function are not wanted)
 *   ARGUMENT        object: its position, from 0 on; value
 *   INITIAL         from here on [object, object + size) holds value (size <= 8), or zeros (value 0; any size): variables when their module
 *                   was loaded, blocks of calloc()
 *   objects         are below RECORDED_ADDRESSES: what is behind the end of an access is an address, too
 *   POINT           put in by an analysis, never recorded: a moment between two events, without effect
 *
 * Order. Events of one thread are in program order; FORK comes before the child's BEGIN, END before JOIN; sections of a lock do not
 * overlap, unless shared; each read returns what the write before it wrote. Where a recording could not tell, an event has
 * RECORDED_UNORDERED: its place is one of several, and the value that it read is explained by no write, or by more than one order. Where a
 * later write may explain it, all events from it to that write are RECORDED_DOUBTFUL: who has come to one of them need not have been there
 * when the others had come to where they are. */
#pragma once
#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"
#include "trace/event.h"

/* Operations that the machine has no steps for, besides those of event.h. */
enum recorded_op {
  RECORDED_BRANCH = EVENT_COUNT,
  RECORDED_CALL,
  RECORDED_RETURN,
  RECORDED_ARGUMENT,
  RECORDED_INITIAL,
  RECORDED_POINT,
  RECORDED_OPS
};

/* Flags of recorded events, beside those of event.h. They share bits with flags of the machine's own (EVENT_INTERNAL, EVENT_BUFFERED,
 * EVENT_EXIT). */
enum recorded_flag {
  RECORDED_DOUBTFUL = 4,
  RECORDED_ALWAYS_WRITES = 32,
  RECORDED_COUNT = 32,
  RECORDED_NO_VALUE = 64,
  RECORDED_UNORDERED = 128
};

#define RECORDED_UNWATCHED "unwatched:"

/* Objects from here on are no memory: the recorder's variables, by which it tells how signals, pthread_once(), .. order threads. */
#define RECORDED_ORDERS    (1ull << 63)
#define RECORDED_ADDRESSES (UINT64_MAX - 63) /* no program has the last ones */

/* A static place. Strings are offsets into `strings`; 0 is the empty string. */
struct recorded_site {
  uint32_t file, function;
  uint32_t line, column; /* 0: not known */
};

/* Names and places of a trace. The strings end in zeros; offset 0 is the empty string. */
struct recorded_names {
  VEC(struct recorded_site) sites; /* [0]: not known */
  VEC(uint32_t) threads;           /* names of threads, offsets: "0.2.1" is the first child of the second child of the main thread */
  VEC(uint32_t) methods;           /* of CALL and RETURN */
  VEC(char) strings;
};

/* Events one after the other, so that a trace needs not fit into memory. After fork() each process has its own: what one takes the other
 * one will get, too. */
struct recorded_stream {
  /* The next events: at most `most`, and how many there are; 0: the end, or an error, which `e` says. */
  size_t (*next)(struct recorded_stream *s, struct event *out, size_t most);
  const struct recorded_names *names; /* grows as events come */
  uint64_t unordered;                 /* events so far with RECORDED_UNORDERED */
  uint64_t missing;                   /* parts that are known to be missing so far (what a ring or a full disk has no place for, damage) */
  enum err e;
  struct diag *d;
  void (*close)(struct recorded_stream *s);
};

/* A short trace as a whole, in memory. */
struct recorded {
  VEC(struct event) events;
  struct recorded_names names;
};

/* Opens a trace file, or a text in RAPID's STD format (std.h), whatever `path` is. `d` is used until recorded_close(). */
[[nodiscard]] enum err recorded_open(const char *path, struct recorded_stream **s, struct diag *d);
/* The events of `r`, which has to stay as it is. */
struct recorded_stream *recorded_stream_of(const struct recorded *r);
void recorded_close(struct recorded_stream *s);

/* All that is left of a stream, appended to `out`, whose names must be empty; they are copied. */
[[nodiscard]] enum err recorded_collect(struct recorded_stream *s, struct recorded *out);
void recorded_release(struct recorded *r);
void recorded_names_release(struct recorded_names *n);

/* Names of zeroed `struct recorded_names` get what all have: the empty string and place 0. */
void recorded_names_init(struct recorded_names *n);
/* Appends a string, and returns its offset. */
uint32_t recorded_add_string(struct recorded_names *n, const char *s, size_t length);
/* Never NULL: "" for offsets that are none. */
const char *recorded_text(const struct recorded_names *n, uint32_t offset);
/* "read", "branch", ... of enum event_op and enum recorded_op. */
const char *recorded_op_text(unsigned op);
