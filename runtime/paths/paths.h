/* Recording of control flow in native programs (heddle record; src/trace/path_format.h has the format).
 *
 * Each thread appends bits to words of its own, in a mapping of the log's file, so that the kernel keeps them whatever becomes of the
 * process. There is no order between threads: no lock, no fence, no atomic operation and no call on the way of a branch
 * (src/weave/paths_native.h). Only where a chunk of 64 KB is full, or a thread begins, it takes the number of the next chunk by an atomic
 * addition.
 *
 * This library is linked into the program that src/weave/paths.c weaves, and uses the C library as the program does. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/path_format.h"

/* Where the thread is in its log. `at` always points to a word: of a thread that has no chunk yet, to one that is full. */
struct paths_thread {
  uint64_t *at, *last; /* the present word; the chunk's last one, NULL without a chunk */
  uint32_t thread, parent, nth;
  uint32_t children;
  uint64_t spare; /* the word of a thread whose branches are not kept */
};
extern __thread struct paths_thread hd_paths __attribute__((tls_model("initial-exec"), visibility("default")));

/* 1 until the process has made a thread (src/weave/paths_alone.h). */
extern unsigned char hd_paths_alone __attribute__((visibility("default")));

/* The present word has no room for the next one: goes on to the next word, which then is `*hd_paths.at`, empty. */
void __heddle_paths_next(void) __attribute__((preserve_most, visibility("default")));

/* NULL: nothing is recorded. */
extern struct path_header *paths_header __attribute__((visibility("hidden")));
/* The place in the file of the next chunk; 0: there is none. */
off_t paths_next_place(void) __attribute__((visibility("hidden")));
/* Room for a chunk, mapped, to be unmapped; NULL: there is none. */
void *paths_map(off_t place, bool is_new) __attribute__((visibility("hidden")));
/* given.c: what the process was begun with is all that is given by its environment. */
void given_begin(void) __attribute__((visibility("hidden")));
/* facets.c: brings C++'s library, if there is one, into the state that it begins with in the machine. */
void facets_fill(void) __attribute__((visibility("hidden")));
/* Has fatal signals tell the header where they came. */
void failure_watch(void) __attribute__((visibility("hidden")));
