/* POSIX descriptors: a table of open file descriptions. Writing to standard output and error touches nothing that changes, unless the
 * program gives their descriptors to something else. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "files.h"

enum { DESCRIPTORS = 256, PIPE_BYTES = 65536 };
enum kind { KIND_OUTPUT, KIND_INPUT, KIND_FILE, KIND_NULL, KIND_ZERO, KIND_RANDOM, KIND_PIPE_READ, KIND_PIPE_WRITE };

struct pipe {
  unsigned char bytes[PIPE_BYTES];
  size_t start, count;
  unsigned readers, writers;
};

struct description {
  enum kind kind;
  int flags;
  unsigned references;
  size_t offset;
  struct hd_node *node;
  struct pipe *pipe;
  int output; /* 1 or 2 */
};

static struct description standard[3] = {{.kind = KIND_INPUT, .flags = O_RDONLY, .references = 1},
                                         {.kind = KIND_OUTPUT, .flags = O_WRONLY, .references = 1, .output = 1},
                                         {.kind = KIND_OUTPUT, .flags = O_WRONLY, .references = 1, .output = 2}};
static struct description *table[DESCRIPTORS] = {&standard[0], &standard[1], &standard[2]};
/* A deadlock says what is waited for by these names. */
static pthread_cond_t data_in_a_pipe = PTHREAD_COND_INITIALIZER, room_in_a_pipe = PTHREAD_COND_INITIALIZER;

extern void __hd_stream_indirect(int fd);

static void lock(void) { pthread_mutex_lock(&__hd_files_lock); }
static void unlock(void) { pthread_mutex_unlock(&__hd_files_lock); }
static struct description *description_of(int fd) {
  struct description *d = fd >= 0 && fd < DESCRIPTORS ? table[fd] : NULL;
  if (!d) HD_ERRNO = EBADF;
  return d;
}

static int install(struct description *d, int lowest) {
  for (int fd = lowest; fd < DESCRIPTORS; fd++)
    if (!table[fd]) {
      table[fd] = d;
      return fd;
    }
  return HD_ERRNO = EMFILE, -1;
}

static void pipe_release(struct description *d) {
  if (d->kind == KIND_PIPE_READ)
    d->pipe->readers--;
  else
    d->pipe->writers--;
  if (!d->pipe->readers && !d->pipe->writers)
    free(d->pipe);
  else
    pthread_cond_broadcast(d->kind == KIND_PIPE_READ ? &room_in_a_pipe : &data_in_a_pipe);
}

static void description_release(struct description *d) {
  if (--d->references) return;
  if (d->pipe) pipe_release(d);
  if (d->node) __hd_node_close(d->node);
  if (d < standard || d >= standard + 3) free(d);
}

/* Waits until there is something to read, or room to write; or until the pipe's other end is closed. Its descriptor may be closed meanwhile: whoever waits keeps the description (keep()). */
static void keep(struct description *d) { d->references++; }
static void wait_cancelled(void *d) { description_release(d), unlock(); }

static void wait_for_change(struct description *d) {
  pthread_cleanup_push(wait_cancelled, d);
  pthread_cond_wait(d->kind == KIND_PIPE_READ ? &data_in_a_pipe : &room_in_a_pipe, &__hd_files_lock);
  pthread_cleanup_pop(0);
}

static struct description *description_new(enum kind kind, int flags) {
  struct description *d = malloc(sizeof *d);
  if (d)
    *d = (struct description){.kind = kind, .flags = flags, .references = 1};
  else
    HD_ERRNO = ENOMEM;
  return d;
}

/* "/dev/null" and the like; KIND_FILE for everything else. */
static enum kind device_of(const char *path) {
  static const struct {
    const char *path;
    enum kind kind;
  } devices[] = {{"/dev/null", KIND_NULL}, {"/dev/zero", KIND_ZERO}, {"/dev/random", KIND_RANDOM}, {"/dev/urandom", KIND_RANDOM}};
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
    if (!hd_strcmp(path, devices[i].path)) return devices[i].kind;
  return KIND_FILE;
}

static int open_locked(const char *path, int flags, unsigned mode) {
  enum kind kind = device_of(path);
  struct hd_node *node = NULL;
  if (kind == KIND_FILE && !(node = __hd_node_open(path, flags, mode))) return -1;
  struct description *d = description_new(kind, flags);
  if (!d) return -1;
  if (node) node->opens++;
  d->node = node;
  int fd = install(d, 0);
  if (fd < 0) description_release(d);
  return fd;
}

static int open_path(const char *path, int flags, unsigned mode) {
  lock();
  int fd = open_locked(path, flags, mode);
  unlock();
  return fd;
}

/* Functions of descriptors that are cancellation points; those of streams, which may be, are not. */
#define POINT(call) (pthread_testcancel(), (call))

#define WITH_MODE(call)                  \
  unsigned mode = 0;                     \
  if (flags & (O_CREAT | __O_TMPFILE)) { \
    va_list list;                        \
    va_start(list, flags);               \
    mode = va_arg(list, unsigned);       \
    va_end(list);                        \
  }                                      \
  return POINT(call)

int __open(const char *path, int flags, ...);
int __open64(const char *path, int flags, ...);
int __open(const char *path, int flags, ...) { WITH_MODE(open_path(path, flags, mode)); }
int __open64(const char *path, int flags, ...) { WITH_MODE(open_path(path, flags, mode)); }
int open(const char *path, int flags, ...) { WITH_MODE(open_path(path, flags, mode)); }
int open64(const char *path, int flags, ...) { WITH_MODE(open_path(path, flags, mode)); }
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) { return POINT(open_path(path, flags, 0)); }
int creat(const char *path, mode_t mode) { return POINT(open_path(path, O_CREAT | O_WRONLY | O_TRUNC, mode)); }

static int open_at(int folder, const char *path, int flags, unsigned mode) {
  if (folder != AT_FDCWD && *path != '/') __hd_unsupported("openat", "names relative to an open directory are not modelled");
  return open_path(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) { WITH_MODE(open_at(folder, path, flags, mode)); }
int openat64(int folder, const char *path, int flags, ...) { WITH_MODE(open_at(folder, path, flags, mode)); }

static int close_descriptor(int fd) {
  lock();
  struct description *d = description_of(fd);
  if (d) {
    table[fd] = NULL;
    description_release(d);
    if (fd == 1 || fd == 2) __hd_stream_indirect(fd);
  }
  unlock();
  return d ? 0 : -1;
}

int __close(int fd);
int __close(int fd) { return POINT(close_descriptor(fd)); }
int close(int fd) { return POINT(close_descriptor(fd)); }

static void output(int fd, const char *bytes, size_t n) {
  char copy[512];
  for (size_t done = 0; done < n;) {
    size_t part = n - done < sizeof copy ? n - done : sizeof copy;
    __builtin_memcpy(copy, bytes + done, part);
    __hd_output(fd, copy, part);
    done += part;
  }
}

/* As much as there is room for; 0: the pipe is full. */
static size_t pipe_put(struct pipe *p, const unsigned char *from, size_t n) {
  size_t end = (p->start + p->count) % PIPE_BYTES, room = PIPE_BYTES - p->count;
  if (room > PIPE_BYTES - end) room = PIPE_BYTES - end;
  if (room > n) room = n;
  if (!room) return 0;
  __builtin_memcpy(p->bytes + end, from, room);
  p->count += room;
  pthread_cond_broadcast(&data_in_a_pipe);
  return room;
}

static ssize_t pipe_write(struct description *d, const unsigned char *from, size_t n) {
  size_t done = 0;
  bool kept = false, broken = false, full = false;
  while (done < n && !broken && !full) {
    broken = !d->pipe->readers;
    size_t part = broken ? 0 : pipe_put(d->pipe, from + done, n - done);
    done += part;
    if (part || broken) continue;
    full = d->flags & O_NONBLOCK;
    if (full) continue;
    if (!kept) keep(d);
    kept = true;
    wait_for_change(d);
  }
  if (kept) description_release(d);
  if (broken) {
    extern int raise(int signal);
    raise(13); /* SIGPIPE */
  }
  if (done || (!broken && !full)) return (ssize_t)done;
  return HD_ERRNO = broken ? EPIPE : EAGAIN, -1;
}

static size_t pipe_get(struct pipe *p, unsigned char *to, size_t n) {
  size_t done = 0;
  while (done < n && p->count) {
    size_t part = p->count < PIPE_BYTES - p->start ? p->count : PIPE_BYTES - p->start;
    if (part > n - done) part = n - done;
    __builtin_memcpy(to + done, p->bytes + p->start, part);
    p->start = (p->start + part) % PIPE_BYTES;
    p->count -= part;
    done += part;
  }
  if (done) pthread_cond_broadcast(&room_in_a_pipe);
  return done;
}

static ssize_t pipe_read(struct description *d, unsigned char *to, size_t n) {
  struct pipe *p = d->pipe;
  if (!n) return 0;
  if (!p->count && p->writers) {
    if (d->flags & O_NONBLOCK) return HD_ERRNO = EAGAIN, -1;
    keep(d);
    while (!p->count && p->writers) wait_for_change(d);
    size_t done = pipe_get(p, to, n);
    description_release(d);
    return (ssize_t)done;
  }
  return (ssize_t)pipe_get(p, to, n);
}

static size_t input_read(size_t offset, void *to, size_t n) {
  struct hd_node input = {.host = 0, .size = (size_t)__hd_file_size(0)};
  return __hd_node_read(&input, offset, to, n);
}

/* `at`: the offset to use and move, the description's own or pread's. */
static ssize_t read_locked(struct description *d, void *to, size_t n, size_t *at) {
  if ((d->flags & O_ACCMODE) == O_WRONLY) return HD_ERRNO = EBADF, -1;
  size_t done = 0;
  switch (d->kind) {
    case KIND_INPUT:
      done = input_read(*at, to, n);
      break;
    case KIND_FILE:
      if (d->node->directory) return HD_ERRNO = EISDIR, -1;
      done = __hd_node_read(d->node, *at, to, n);
      break;
    case KIND_PIPE_READ:
      return pipe_read(d, to, n);
    case KIND_ZERO:
      __builtin_memset(to, 0, n);
      return (ssize_t)n;
    case KIND_RANDOM:
      __hd_random_bytes(to, n);
      return (ssize_t)n;
    case KIND_NULL:
      return 0;
    case KIND_OUTPUT:
    case KIND_PIPE_WRITE:
      return HD_ERRNO = EBADF, -1;
  }
  *at += done;
  return (ssize_t)done;
}

static ssize_t write_locked(struct description *d, const void *from, size_t n, size_t *at) {
  if ((d->flags & O_ACCMODE) == O_RDONLY) return HD_ERRNO = EBADF, -1;
  switch (d->kind) {
    case KIND_OUTPUT:
      output(d->output, from, n);
      return (ssize_t)n;
    case KIND_PIPE_WRITE:
      return pipe_write(d, from, n);
    case KIND_NULL:
    case KIND_ZERO:
    case KIND_RANDOM:
      return (ssize_t)n;
    case KIND_INPUT:
    case KIND_PIPE_READ:
      return HD_ERRNO = EBADF, -1;
    case KIND_FILE:
      break;
  }
  if (d->flags & O_APPEND) *at = d->node->size;
  ssize_t done = __hd_node_write(d->node, *at, from, n);
  if (done > 0) *at += (size_t)done;
  return done;
}

static ssize_t read_descriptor(int fd, void *to, size_t n) {
  lock();
  struct description *d = description_of(fd);
  ssize_t done = d ? read_locked(d, to, n, &d->offset) : -1;
  unlock();
  return done;
}

static ssize_t write_descriptor(int fd, const void *from, size_t n) {
  if ((fd == 1 || fd == 2) && table[fd] == &standard[fd]) { /* never changes in most programs: no lock, no scheduling point */
    output(fd, from, n);
    return (ssize_t)n;
  }
  lock();
  struct description *d = description_of(fd);
  ssize_t done = d ? write_locked(d, from, n, &d->offset) : -1;
  unlock();
  return done;
}

ssize_t __read(int fd, void *to, size_t n);
ssize_t __read(int fd, void *to, size_t n) { return POINT(read_descriptor(fd, to, n)); }
ssize_t read(int fd, void *to, size_t n) { return POINT(read_descriptor(fd, to, n)); }
ssize_t __write(int fd, const void *from, size_t n);
ssize_t __write(int fd, const void *from, size_t n) { return POINT(write_descriptor(fd, from, n)); }
ssize_t write(int fd, const void *from, size_t n) { return POINT(write_descriptor(fd, from, n)); }

ssize_t __read_chk(int fd, void *to, size_t n, size_t object);
ssize_t __read_chk(int fd, void *to, size_t n, size_t object) {
  if (n > object) __hd_fail("out-of-bounds", "read is given a size that is larger than its buffer");
  return POINT(read_descriptor(fd, to, n));
}

static bool seekable(const struct description *d) {
  if (d->kind == KIND_FILE || d->kind == KIND_INPUT) return true;
  HD_ERRNO = ESPIPE;
  return false;
}

static ssize_t transfer_at(int fd, void *bytes, size_t n, off_t offset, bool writes) {
  if (offset < 0) return HD_ERRNO = EINVAL, -1;
  lock();
  struct description *d = description_of(fd);
  size_t at = (size_t)offset;
  ssize_t done = -1;
  if (d && seekable(d)) done = writes ? write_locked(d, bytes, n, &at) : read_locked(d, bytes, n, &at);
  unlock();
  return done;
}

ssize_t pread(int fd, void *to, size_t n, off_t offset) { return POINT(transfer_at(fd, to, n, offset, false)); }
ssize_t pread64(int fd, void *to, size_t n, off64_t offset) { return POINT(transfer_at(fd, to, n, offset, false)); }
ssize_t pwrite(int fd, const void *from, size_t n, off_t offset) { return POINT(transfer_at(fd, (void *)from, n, offset, true)); }
ssize_t pwrite64(int fd, const void *from, size_t n, off64_t offset) { return POINT(transfer_at(fd, (void *)from, n, offset, true)); }

static ssize_t transfer_vector(int fd, const struct iovec *parts, int count, bool writes) {
  ssize_t total = 0;
  for (int i = 0; i < count; i++) {
    ssize_t n =
        writes ? write_descriptor(fd, parts[i].iov_base, parts[i].iov_len) : read_descriptor(fd, parts[i].iov_base, parts[i].iov_len);
    if (n < 0) return total ? total : -1;
    total += n;
    if ((size_t)n < parts[i].iov_len) break;
  }
  return total;
}

ssize_t readv(int fd, const struct iovec *parts, int count) { return POINT(transfer_vector(fd, parts, count, false)); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return POINT(transfer_vector(fd, parts, count, true)); }

static off_t seek_locked(struct description *d, off_t offset, int whence) {
  if (!seekable(d)) return -1;
  size_t size = d->kind == KIND_FILE ? d->node->size : (size_t)__hd_file_size(0);
  off_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (off_t)d->offset : (off_t)size, at;
  if (whence < 0 || whence > SEEK_END || __builtin_add_overflow(from, offset, &at) || at < 0) return HD_ERRNO = EINVAL, -1;
  d->offset = (size_t)at;
  return at;
}

static off_t seek_descriptor(int fd, off_t offset, int whence) {
  lock();
  struct description *d = description_of(fd);
  off_t at = d ? seek_locked(d, offset, whence) : -1;
  unlock();
  return at;
}

off_t lseek(int fd, off_t offset, int whence) { return seek_descriptor(fd, offset, whence); }
off64_t lseek64(int fd, off64_t offset, int whence) { return seek_descriptor(fd, offset, whence); }

static int duplicate(int from, int lowest) {
  lock();
  struct description *d = description_of(from);
  int fd = d ? install(d, lowest) : -1;
  if (fd >= 0) d->references++;
  unlock();
  return fd;
}

int dup(int fd) { return duplicate(fd, 0); }

int dup2(int from, int to) {
  lock();
  struct description *d = description_of(from);
  if (!d || to < 0 || to >= DESCRIPTORS) {
    HD_ERRNO = EBADF;
    to = -1;
  } else if (from != to) {
    d->references++;
    if (table[to]) description_release(table[to]);
    table[to] = d;
    if (to == 1 || to == 2) __hd_stream_indirect(to);
  }
  unlock();
  return to;
}

int dup3(int from, int to, int flags) { return (void)flags, from == to ? (HD_ERRNO = EINVAL, -1) : dup2(from, to); }

static int pipe_locked(int ends[2], int flags) {
  struct pipe *p = malloc(sizeof *p);
  if (!p) return HD_ERRNO = ENOMEM, -1;
  struct description *in = description_new(KIND_PIPE_READ, O_RDONLY | flags), *out = description_new(KIND_PIPE_WRITE, O_WRONLY | flags);
  if (!in || !out) {
    free(p), free(in), free(out);
    return -1;
  }
  p->start = p->count = 0;
  p->readers = p->writers = 1;
  in->pipe = out->pipe = p;
  ends[0] = install(in, 0);
  ends[1] = install(out, 0);
  if (ends[1] >= 0) return 0;
  if (ends[0] >= 0) table[ends[0]] = NULL;
  description_release(in), description_release(out);
  return -1;
}

int pipe2(int ends[2], int flags) {
  lock();
  int result = pipe_locked(ends, flags & O_NONBLOCK);
  unlock();
  return result;
}

int pipe(int ends[2]) { return pipe2(ends, 0); }

static int control(int fd, int command, long argument) {
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) return duplicate(fd, (int)argument);
  lock();
  struct description *d = description_of(fd);
  int result = d ? 0 : -1;
  if (d && command == F_GETFL) result = d->flags;
  if (d && command == F_GETLK) ((struct flock *)argument)->l_type = F_UNLCK; /* one process: nobody else's lock is in the way */
  if (d && command == F_SETFL) d->flags = (d->flags & ~(O_NONBLOCK | O_APPEND)) | ((int)argument & (O_NONBLOCK | O_APPEND));
  unlock();
  switch (command) {
    case F_GETFL:
    case F_SETFL:
    case F_GETFD:
    case F_SETFD:
    case F_GETLK:
    case F_SETLK: /* one process: its locks do not conflict */
    case F_SETLKW:
      return result;
    default:
      __hd_unsupported("fcntl", "only F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK and F_SETLK are modelled");
  }
}

#define WITH_ARGUMENT(call)           \
  va_list list;                       \
  va_start(list, command);            \
  long argument = va_arg(list, long); \
  va_end(list);                       \
  return call

int fcntl(int fd, int command, ...) { WITH_ARGUMENT(control(fd, command, argument)); }
int fcntl64(int fd, int command, ...) { WITH_ARGUMENT(control(fd, command, argument)); }

/* Nothing is a terminal. */
int isatty(int fd) {
  lock();
  if (description_of(fd)) HD_ERRNO = ENOTTY;
  unlock();
  return 0;
}

/* What can be read at once; -1: it is no such thing. */
static long readable(const struct description *d) {
  if (d->pipe) return (long)d->pipe->count;
  if (d->kind != KIND_INPUT && (d->kind != KIND_FILE || d->node->directory)) return -1;
  long size = d->kind == KIND_INPUT ? __hd_file_size(0) : (long)d->node->size;
  return size > (long)d->offset ? size - (long)d->offset : 0;
}

/* Files and pipes know few requests; devices are not modelled, so no descriptor is one that knows others. */
static int request_locked(int fd, unsigned long request, int *argument) {
  struct description *d = description_of(fd);
  if (!d) return -1;
  long count = request == FIONREAD ? readable(d) : -1;
  if (request == FIOCLEX || request == FIONCLEX) return 0;
  if (request == FIONBIO) return d->flags = *argument ? d->flags | O_NONBLOCK : d->flags & ~O_NONBLOCK, 0;
  if (count < 0) return HD_ERRNO = ENOTTY, -1;
  return *argument = count < INT_MAX ? (int)count : INT_MAX, 0;
}

int ioctl(int fd, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  int *argument = va_arg(list, int *);
  va_end(list);
  lock();
  int result = request_locked(fd, request, argument);
  unlock();
  return result;
}

static int stat_locked(int fd, struct stat *to) {
  struct description *d = description_of(fd);
  if (!d) return -1;
  if (d->node) {
    __hd_node_stat(d->node, to);
    return 0;
  }
  bool stream = d->kind == KIND_PIPE_READ || d->kind == KIND_PIPE_WRITE || d->kind == KIND_OUTPUT;
  *to = (struct stat){.st_dev = 1, .st_ino = (ino_t)fd + 1, .st_nlink = 1, .st_blksize = 4096};
  to->st_mode = d->kind == KIND_INPUT ? S_IFREG | 0644 : stream ? S_IFIFO | 0600 : S_IFCHR | 0666;
  if (d->kind == KIND_INPUT) to->st_size = __hd_file_size(0);
  return 0;
}

int fstat(int fd, struct stat *to) {
  lock();
  int result = stat_locked(fd, to);
  unlock();
  return result;
}

int fstat64(int fd, struct stat64 *to) { return fstat(fd, (struct stat *)to); }
int __fxstat(int version, int fd, struct stat *to);
int __fxstat(int version, int fd, struct stat *to) { return (void)version, fstat(fd, to); }
int __fxstat64(int version, int fd, struct stat64 *to);
int __fxstat64(int version, int fd, struct stat64 *to) { return (void)version, fstat(fd, (struct stat *)to); }

int ftruncate(int fd, off_t size) {
  lock();
  struct description *d = description_of(fd);
  int result = -1;
  if (d && (!d->node || (d->flags & O_ACCMODE) == O_RDONLY || size < 0))
    HD_ERRNO = EINVAL;
  else if (d)
    result = __hd_node_resize(d->node, (size_t)size);
  unlock();
  return result;
}

int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

static int check_open(int fd) {
  lock();
  struct description *d = description_of(fd);
  unlock();
  return d ? 0 : -1;
}

int fsync(int fd) { return POINT(check_open(fd)); }
int fdatasync(int fd) { return POINT(check_open(fd)); }
int fchmod(int fd, mode_t mode) { return (void)mode, check_open(fd); }
int fchown(int fd, uid_t owner, gid_t group) { return (void)owner, (void)group, check_open(fd); }
int posix_fadvise(int fd, off_t offset, off_t size, int advice) {
  return (void)offset, (void)size, (void)advice, check_open(fd) ? EBADF : 0;
}
int flock(int fd, int operation);
int flock(int fd, int operation) { return (void)operation, check_open(fd); }

/* What streams on descriptors do: cancelled only while they wait at a pipe. */
ssize_t __hd_descriptor_read(void *cookie, char *to, size_t n);
ssize_t __hd_descriptor_read(void *cookie, char *to, size_t n) { return read_descriptor((int)(intptr_t)cookie, to, n); }

ssize_t __hd_descriptor_write(void *cookie, const char *from, size_t n);
ssize_t __hd_descriptor_write(void *cookie, const char *from, size_t n) { return write_descriptor((int)(intptr_t)cookie, from, n); }

int __hd_descriptor_seek(void *cookie, off64_t *offset, int whence);
int __hd_descriptor_seek(void *cookie, off64_t *offset, int whence) {
  off_t at = seek_descriptor((int)(intptr_t)cookie, *offset, whence);
  if (at < 0) return -1;
  *offset = at;
  return 0;
}

int __hd_descriptor_close(void *cookie);
int __hd_descriptor_close(void *cookie) { return close_descriptor((int)(intptr_t)cookie); }
