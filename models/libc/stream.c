/* Streams: their state, locking, reading and writing. What the program calls is in stdio.c, print.c and scanf.c. */
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#define STANDARD(name, number, is_direct)                                                                                                 \
  static struct hd_file name = {.io = {._fileno = number},                                                                                \
                                .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,                                                           \
                                .direct = is_direct,                                                                                      \
                                .readable = number == 0,                                                                                  \
                                .writable = number != 0,                                                                                  \
                                .is_static = true,                                                                                        \
                                .operations = {__hd_descriptor_read, __hd_descriptor_write, __hd_descriptor_seek, __hd_descriptor_close}, \
                                .cookie = (void *)number}

ssize_t __hd_descriptor_read(void *cookie, char *to, size_t n);
ssize_t __hd_descriptor_write(void *cookie, const char *from, size_t n);
int __hd_descriptor_seek(void *cookie, off64_t *offset, int whence);
int __hd_descriptor_close(void *cookie);

const cookie_io_functions_t __hd_descriptor_operations = {__hd_descriptor_read, __hd_descriptor_write, __hd_descriptor_seek,
                                                          __hd_descriptor_close};

STANDARD(input, 0l, false);
STANDARD(output, 1l, true);
STANDARD(error, 2l, true);

FILE *stdin = &input.io, *stdout = &output.io, *stderr = &error.io;

struct hd_file *__hd_open_streams;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;

void __hd_stream_lock(FILE *f) {
  if (!hd_file(f)->direct) pthread_mutex_lock(&hd_file(f)->lock);
}

void __hd_stream_unlock(FILE *f) {
  if (!hd_file(f)->direct) pthread_mutex_unlock(&hd_file(f)->lock);
}

void __hd_stream_indirect(int fd) { (fd == 1 ? &output : &error)->direct = false; }

static bool fail(struct hd_file *file, int number) {
  if (number) HD_ERRNO = number;
  file->io._flags |= STREAM_ERROR;
  return false;
}

/* A thread that is cancelled while it reads or writes leaves the stream unlocked, as the function was that it had called. */
static void unlock_cancelled(void *file) { pthread_mutex_unlock(&((struct hd_file *)file)->lock); }

static ssize_t take(struct hd_file *file, char *to, size_t n) {
  ssize_t done = 0;
  pthread_cleanup_push(unlock_cancelled, file);
  if (file->operations.read) done = file->operations.read(file->cookie, to, n);
  pthread_cleanup_pop(0);
  return done;
}

static ssize_t give(struct hd_file *file, const char *from, size_t n) {
  ssize_t done = (ssize_t)n;
  pthread_cleanup_push(unlock_cancelled, file);
  if (file->operations.write) done = file->operations.write(file->cookie, from, n);
  pthread_cleanup_pop(0);
  return done;
}

/* Gives bytes that were read ahead back to the file, so that its offset is what the program thinks. */
static void give_back(struct hd_file *file) {
  off64_t back = -(off64_t)(file->end - file->at + file->pushed_count);
  file->at = file->end = file->pushed_count = 0;
  if (back && file->operations.seek) file->operations.seek(file->cookie, &back, SEEK_CUR);
}

static bool write_through(struct hd_file *file, const char *bytes, size_t n) {
  if (!file->writable) return fail(file, EBADF);
  if (file->end != file->at || file->pushed_count) give_back(file);
  while (n) {
    ssize_t done = give(file, bytes, n);
    if (done <= 0) return fail(file, 0);
    bytes += done;
    n -= (size_t)done;
  }
  return true;
}

bool __hd_stream_put(FILE *f, const char *bytes, size_t n) {
  struct hd_file *file = hd_file(f);
  if (!file->direct) return write_through(file, bytes, n);
  __hd_output(file->io._fileno, bytes, n);
  return true;
}

size_t __hd_stream_write(FILE *f, const void *bytes, size_t n) {
  if (!hd_file(f)->direct) return write_through(hd_file(f), bytes, n) ? n : 0;
  char copy[SINK_BUFFER]; /* the program's bytes are read as the program reads: see internal.h, 1 */
  for (size_t done = 0; done < n;) {
    size_t part = n - done < sizeof copy ? n - done : sizeof copy;
    __builtin_memcpy(copy, (const char *)bytes + done, part);
    __hd_output(f->_fileno, copy, part);
    done += part;
  }
  return n;
}

static int refill(struct hd_file *file) {
  if (!file->readable) return fail(file, EBADF), EOF;
  ssize_t n = take(file, (char *)file->buffer, sizeof file->buffer);
  if (n > 0) {
    file->at = 1;
    file->end = (size_t)n;
    return file->buffer[0];
  }
  if (n < 0)
    fail(file, 0);
  else
    file->io._flags |= STREAM_EOF;
  return EOF;
}

int __hd_stream_get(FILE *f) {
  struct hd_file *file = hd_file(f);
  if (file->pushed_count) return file->pushed[--file->pushed_count];
  return file->at < file->end ? file->buffer[file->at++] : refill(file);
}

int __hd_stream_unget(FILE *f, int c) {
  struct hd_file *file = hd_file(f);
  if (c == EOF || file->pushed_count == STREAM_UNGET) return EOF;
  file->pushed[file->pushed_count++] = (unsigned char)c;
  f->_flags &= ~STREAM_EOF;
  return (unsigned char)c;
}

int __hd_stream_seek(FILE *f, int64_t offset, int whence) {
  struct hd_file *file = hd_file(f);
  if (!file->operations.seek) return HD_ERRNO = ESPIPE, -1;
  give_back(file);
  off64_t at = offset;
  if (file->operations.seek(file->cookie, &at, whence)) return -1;
  f->_flags &= ~STREAM_EOF;
  return 0;
}

int64_t __hd_stream_tell(FILE *f) {
  struct hd_file *file = hd_file(f);
  off64_t at = 0;
  if (!file->operations.seek) return HD_ERRNO = ESPIPE, -1;
  if (file->operations.seek(file->cookie, &at, SEEK_CUR)) return -1;
  return at - (off64_t)(file->end - file->at + file->pushed_count);
}

int __hd_stream_mode(const char *mode) {
  int flags = *mode == 'r' ? O_RDONLY : *mode == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : *mode == 'a' ? O_WRONLY | O_CREAT | O_APPEND : -1;
  if (flags < 0) return HD_ERRNO = EINVAL, -1;
  for (mode++; *mode && *mode != ','; mode++) {
    if (*mode == '+') flags = (flags & ~O_ACCMODE) | O_RDWR;
    if (*mode == 'x') flags |= O_EXCL;
    if (*mode == 'e') flags |= O_CLOEXEC;
  }
  return flags;
}

/* (Re)opens a FILE object; what it was is closed. */
static void set_up(struct hd_file *file, int flags, void *cookie, cookie_io_functions_t operations, int fd) {
  int access = flags & O_ACCMODE;
  file->io._flags = 0;
  file->io._fileno = fd;
  file->direct = false;
  file->readable = access != O_WRONLY;
  file->writable = access != O_RDONLY;
  file->operations = operations;
  file->cookie = cookie;
  file->at = file->end = file->pushed_count = 0;
}

FILE *__hd_stream_new(const char *mode, void *cookie, cookie_io_functions_t operations, int fd) {
  int flags = __hd_stream_mode(mode);
  if (flags < 0) return NULL;
  struct hd_file *file = malloc(sizeof *file);
  if (!file) return NULL;
  __builtin_memset(file, 0, offsetof(struct hd_file, buffer));
  file->lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  set_up(file, flags, cookie, operations, fd);
  pthread_mutex_lock(&open_lock);
  file->next = __hd_open_streams;
  if (__hd_open_streams) __hd_open_streams->previous = file;
  __hd_open_streams = file;
  pthread_mutex_unlock(&open_lock);
  return &file->io;
}

static int close_file(struct hd_file *file) {
  give_back(file);
  int result = file->operations.close ? file->operations.close(file->cookie) : 0;
  file->readable = file->writable = false;
  return result ? EOF : 0;
}

int fclose(FILE *f) {
  struct hd_file *file = hd_file(f);
  if (file->is_static) {
    file->direct = false;
    return close_file(file);
  }
  pthread_mutex_lock(&open_lock);
  if (file->next) file->next->previous = file->previous;
  if (file->previous)
    file->previous->next = file->next;
  else
    __hd_open_streams = file->next;
  pthread_mutex_unlock(&open_lock);
  pthread_mutex_lock(&file->lock);
  int result = close_file(file);
  pthread_mutex_unlock(&file->lock);
  pthread_mutex_destroy(&file->lock);
  free(file);
  return result;
}

/* At exit: nothing is unwritten, but a stream of the program's own operations is told (fopencookie, open_memstream). */
void __hd_streams_close(void) {
  while (__hd_open_streams) fclose(&__hd_open_streams->io);
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict f) {
  extern int __open(const char *path, int flags, ...);
  struct hd_file *file = hd_file(f);
  int flags = __hd_stream_mode(mode);
  if (flags < 0) return NULL;
  if (!path) __hd_unsupported("freopen", "it is given no file name: changing the mode of an open stream is not modelled");
  file->direct = false;
  int old = f->_fileno;
  close_file(file);
  int fd = __open(path, flags, 0666);
  if (fd < 0) return NULL;
  if (old >= 0 && old < 3 && fd != old) { /* standard streams keep their descriptors */
    extern int dup2(int from, int to);
    extern int __close(int fd);
    dup2(fd, old);
    __close(fd);
    fd = old;
  }
  set_up(file, flags, (void *)(intptr_t)fd, __hd_descriptor_operations, fd);
  return f;
}

FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict f) { return freopen(path, mode, f); }

FILE *fopencookie(void *restrict cookie, const char *restrict mode, cookie_io_functions_t operations) {
  return __hd_stream_new(mode, cookie, operations, -1);
}

/* The program's own lock of a stream: of a direct one as well, though what is written to it does not wait. */
void flockfile(FILE *f) { pthread_mutex_lock(&hd_file(f)->lock); }
void funlockfile(FILE *f) { pthread_mutex_unlock(&hd_file(f)->lock); }
int ftrylockfile(FILE *f) { return pthread_mutex_trylock(&hd_file(f)->lock); }
