/* The runtime as a whole: its start, its options, its end. */
#pragma once
#include "analysis/section.h"

/* From the environment's HEDDLE_OPTIONS, words name=value, and TSAN_OPTIONS. */
struct options {
  int exit_code;          /* of a process that ends in the usual way but had findings; 0: its own */
  int log;                /* descriptor that reports go to */
  const char *log_prefix; /* of a file for each process, by its id, which is made with the first report; NULL: there is `log` */
  bool json;              /* one object a line */
  bool halt;              /* the first finding ends the process */
  bool unwatched;         /* findings in code that is not watched are shown, too */
  bool no_atomic_races;   /* races are not told of if one of the two is atomic, and none is an end */
  bool thread_leaks;      /* threads that were not joined are told of */
  int atexit_sleep;       /* milliseconds that threads have at the end of the process */
  uint32_t hidden;        /* findings of these kinds (finding.h) are not for the user: a bit for each */
  enum analysis analysis;
};
extern struct options options;
/* Ends the process with an explanation if something in it is wrong. `heddle` comes before `tsan`, and that before what the program brings
 * along; each may be NULL. */
void options_read(const char *heddle, const char *tsan, const char *program);
/* Where reports go now. One thread at a time. */
int options_log(void);
/* From now on they go to a file of that name for each process, or for "stdout" or "stderr" there; to that descriptor. */
void options_log_path(const char *path);
void options_log_descriptor(int fd);
/* The name of their file; NULL if they go to none. */
const char *options_log_file(void);

/* True from then on that the runtime works. */
extern bool runtime_on;
void runtime_start(void);
/* Around what makes a process of the calling thread. */
void runtime_before_fork(void);
void runtime_after_fork(bool child);
void intercept_threads_start(void);
void streams_start(void);
/* From then on, until it is called with false, the calling thread's malloc() gives memory that lasts until the next time: a report may have
 * been made by the handler of a signal that came within the C library's malloc(). One thread at a time, and only within the runtime. */
void report_memory(bool on);
/* malloc() is not the runtime's, but the program's or another library's: it may wait for a lock that the calling thread holds. */
bool malloc_is_foreign(void);
/* The C library's memcpy(), memmove() and memset(), unwatched. */
void *memory_copy(void *to, const void *from, size_t n);
void *memory_move(void *to, const void *from, size_t n);
void *memory_fill(void *p, int c, size_t n);
