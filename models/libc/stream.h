/* FILE. The head is glibc's struct _IO_FILE, because its headers' inline functions (getc_unlocked, feof_unlocked) read it: all its
 * pointers stay NULL, so that they call __uflow and __overflow.
 *
 * Invariants:
 *   1. A `direct` stream (standard output and error until they are reopened) has no state that changes, but `unlocked`: no lock, no
 *      scheduling point.
 *   2. Writes of other streams go through at once; reads are buffered; unread bytes are given back before a write or a seek.
 *   3. `lock` guards everything else. */
#pragma once
#include <pthread.h>
#include <stdio.h>

#include "internal.h"

enum { STREAM_EOF = 0x10, STREAM_ERROR = 0x20 }; /* bits of io._flags */
enum { STREAM_BUFFER = 4096, STREAM_UNGET = 8 };

struct hd_file {
  struct _IO_FILE io; /* _flags and _fileno are used */
  pthread_mutex_t lock;
  bool direct, readable, writable, is_static;
  signed char orientation;
  char unlocked; /* written by calls that leave locking to the program, before they lock: two at a time race */
  cookie_io_functions_t operations;
  void *cookie;
  size_t at, end;                     /* bytes read ahead, in `buffer` */
  unsigned char pushed[STREAM_UNGET]; /* ungetc: the last one is read first */
  unsigned pushed_count;
  struct hd_file *next, *previous; /* of the open streams */
  unsigned char buffer[STREAM_BUFFER];
};

static inline struct hd_file *hd_file(FILE *f) { return (struct hd_file *)f; }

/* Output of one call is collected in a buffer on the stack, so that it comes in one piece. */
enum { SINK_BUFFER = 512 };

void __hd_stream_lock(FILE *f);
void __hd_stream_unlock(FILE *f);
/* From here on, the stream must be locked (or direct). */
size_t __hd_stream_write(FILE *f, const void *bytes, size_t n); /* the program's bytes; how many were written */
bool __hd_stream_put(FILE *f, const char *bytes, size_t n);     /* bytes that no other thread can see */
int __hd_stream_get(FILE *f);                                   /* one byte, or EOF */
int __hd_stream_unget(FILE *f, int c);
int __hd_stream_seek(FILE *f, int64_t offset, int whence);
int64_t __hd_stream_tell(FILE *f);
/* Formats to a stream, locking it. */
int __hd_stream_format(FILE *f, const char *format, va_list arguments);
/* A stream over operations, opened as `mode` says ("r+"); NULL with errno set if there is no memory or `mode` is malformed. */
FILE *__hd_stream_new(const char *mode, void *cookie, cookie_io_functions_t operations, int fd);
/* The open(2) flags of a mode; -1 with errno set. */
int __hd_stream_mode(const char *mode);
/* Makes standard output or error an ordinary stream on its descriptor. */
void __hd_stream_indirect(int fd);
extern const cookie_io_functions_t __hd_descriptor_operations; /* cookie: the descriptor, cast */
