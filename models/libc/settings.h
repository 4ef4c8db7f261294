/* What a thread has been told to be: its name, how it is to be scheduled, where its stack is. None of that makes a difference to what is
 * explored; a program may ask for it.
 *
 * Invariants:
 *   1. Everything 0 is the first thread, of which nothing was said.
 *   2. A new thread begins with its creator's name, scheduling and processors, and with what its attributes say: the machine writes that
 *      (src/machine/sync/settings.c), which knows these two layouts.
 *   3. Other threads read and write the words atomically. */
#pragma once
#include <pthread.h>
#include <sched.h>

#include "internal.h"

enum { HD_PROCESSORS = 2, HD_CEILINGS = 100 };

struct hd_settings {
  hd_wide name;                       /* 16 bytes of text; 0: the program's */
  uint64_t scheduling;                /* the policy in the low half, the priority in the high one */
  uint64_t processors;                /* a bit for each that it may run on; 0: all */
  uint64_t flags;                     /* those of its attributes */
  uint64_t guard;                     /* one more than its size; 0: none */
  uint64_t stack, stack_size;         /* 0: the machine's own, of the usual size */
  unsigned char ceilings[HD_CEILINGS]; /* how many mutexes that have this ceiling it holds */
};

/* What attributes have beyond glibc's fields, on the heap. */
struct hd_attributes_more {
  uint64_t signals, has_signals; /* the signals that the thread blocks at first */
  uint64_t usable;               /* of `processors`, a bit for each that there is */
  size_t processors_size;
  cpu_set_t *processors; /* NULL: all */
};

/* In the bytes of a pthread_attr_t; the first fields are glibc's. */
struct hd_attributes {
  int priority, policy, flags;
  unsigned processors; /* of attributes that tell of a thread: a bit for each that it may run on; 0: any */
  size_t guard;
  void *stack;       /* its lowest byte; NULL: any */
  size_t stack_size; /* 0: the usual one */
  struct hd_attributes_more *more;
};

enum { HD_ATTRIBUTE_DETACHED = 1, HD_ATTRIBUTE_EXPLICIT = 2, HD_ATTRIBUTE_SCOPE_PROCESS = 4 };

/* The processors of the set that there are. */
uint64_t __hd_usable_processors(size_t size, const cpu_set_t *set);
/* The attributes that threads have which are created without: NULL, or a block that nobody changes. Read and replaced in atomic sections. */
extern struct hd_attributes *__hd_default_attributes;
/* Mappings have so many bytes from now on. */
void __hd_limit_mappings(size_t most);
/* The handle of the thread that gettid() calls by this number. */
pthread_t __hd_thread_of_number(pid_t number);
