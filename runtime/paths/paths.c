#include "paths/paths.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

static uint64_t full_word = PATH_FULL; /* never written: it has no room */
__thread struct paths_thread hd_paths = {.at = &full_word};
unsigned char hd_paths_alone = 1;
struct path_header *paths_header;
/* The log, by a number that programs do not close: those that close all that they know of go up to some hundred. Which file it is, and
 * where. */
enum { FILE_NUMBER = 900 };
static int file = -1;
static struct stat identity;
static char file_path[PATH_MAX];
/* Main has begun to write. What comes before it, the loader's calls of constructors, is main's as well. */
static bool started;

/* --- words and chunks --- */

/* Without a chunk, a word that is forgotten when it is full. */
static void forget(struct paths_thread *t) {
  t->at = &t->spare, t->last = NULL;
  t->spare = 1;
}

static bool is_log(int fd) {
  struct stat s;
  return fd >= 0 && fstat(fd, &s) == 0 && s.st_dev == identity.st_dev && s.st_ino == identity.st_ino;
}

static int open_log(void) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, file_path, O_RDWR | O_CLOEXEC); /* not by open(), which keeps what is opened */
  int high = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, FILE_NUMBER) : -1;
  if (high < 0) return fd;
  close(fd);
  return high;
}

/* The program may have closed it, and have a file of its own by that number: nothing is written there. */
static bool has_file(void) {
  if (is_log(file)) return true;
  file = open_log();
  return is_log(file);
}

off_t paths_next_place(void) {
  uint32_t n = paths_header && has_file() ? __atomic_fetch_add(&paths_header->chunks, 1, __ATOMIC_RELAXED) : PATH_CHUNKS;
  return n < PATH_CHUNKS ? (off_t)(n + 1) * PATH_CHUNK : 0;
}

void *paths_map(off_t place, bool is_new) {
  /* Without room in the file a store would end the program. */
  bool has_room = place && has_file() && (!is_new || posix_fallocate(file, place, PATH_CHUNK) == 0);
  void *chunk = has_room ? mmap(NULL, PATH_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, file, place) : MAP_FAILED;
  return chunk == MAP_FAILED ? NULL : chunk;
}

static void lose(struct paths_thread *t) {
  if (paths_header) __atomic_fetch_add(&paths_header->lost, 1, __ATOMIC_RELAXED);
  forget(t);
}

static struct path_chunk *chunk_of(const struct paths_thread *t) {
  return (struct path_chunk *)(void *)((char *)(t->last + 1) - PATH_CHUNK);
}

static void begin_chunk(struct paths_thread *t) {
  void *chunk = paths_map(paths_next_place(), true);
  if (!chunk) {
    lose(t);
    return;
  }
  struct path_chunk *head = chunk;
  *head = (struct path_chunk){.thread = t->thread, .parent = t->parent, .nth = t->nth};
  t->at = (uint64_t *)(void *)(head + 1), t->last = t->at + PATH_WORDS - 1;
  *t->at = 1;
}

static bool copy_chunk(const struct paths_thread *t) {
  off_t place = paths_next_place();
  return place && pwrite(file, chunk_of(t), PATH_CHUNK, place) == PATH_CHUNK;
}

static void empty_chunk(struct paths_thread *t) {
  struct path_chunk *head = chunk_of(t);
  head->sequence++;
  t->at = (uint64_t *)(void *)(head + 1);
  memset(t->at, 0, PATH_WORDS * sizeof *t->at);
  *t->at = 1;
}

static bool is_main(void) { return getpid() == (pid_t)syscall(SYS_gettid); }
static void start(void);

void __heddle_paths_next(void) {
  struct paths_thread *t = &hd_paths;
  int error = errno; /* the program's */
  if (!started) start();
  if (t->at == &full_word && is_main())
    begin_chunk(t);
  else if (t->at == &full_word)
    lose(t); /* nobody saw it begin */
  else if (!t->last)
    forget(t);
  else if (t->at < t->last)
    *++t->at = 1;
  else if (copy_chunk(t))
    empty_chunk(t);
  else
    lose(t);
  errno = error;
}

/* What the program was given (src/weave/paths_given.h). */
__attribute__((visibility("default"))) void __heddle_path_bytes(const unsigned char *bytes, uint64_t size, const char *name);
void __heddle_path_bytes(const unsigned char *bytes, uint64_t size, const char *name) {
  (void)name;
  for (uint64_t i = 0; i < size; i++) {
    if (*hd_paths.at >> 56) __heddle_paths_next();
    *hd_paths.at = *hd_paths.at << 8 | bytes[i];
  }
}

/* --- beginning --- */

/* A child process writes to nothing that its parent has. */
static void in_child(void) {
  paths_header = NULL;
  forget(&hd_paths);
}

static void start(void) {
  started = true;
  const char *path = getenv(PATH_VARIABLE);
  if (!path || strlen(path) >= sizeof file_path) return;
  strcpy(file_path, path);
  file = open_log();
  if (file < 0 || fstat(file, &identity) != 0) return;
  unsetenv(PATH_VARIABLE);
  struct path_header *h = mmap(NULL, PATH_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (h == MAP_FAILED) return;
  paths_header = h;
  h->threads = 1;
  given_begin();
  pthread_atfork(NULL, NULL, in_child);
  failure_watch();
}

__attribute__((constructor(101))) static void begin(void) {
  if (!started) start();
  if (hd_paths.at == &full_word) begin_chunk(&hd_paths);
  if (paths_header) facets_fill();
}

/* --- threads --- */

/* The routine is one of pthread_create(), or of thrd_create(). */
struct beginning {
  union {
    void *(*posix)(void *);
    int (*standard)(void *);
  } routine;
  void *argument;
  uint32_t thread, parent, nth;
};

static struct beginning begin_thread(void *of) {
  struct beginning b = *(struct beginning *)of;
  free(of);
  hd_paths.thread = b.thread, hd_paths.parent = b.parent, hd_paths.nth = b.nth;
  begin_chunk(&hd_paths);
  return b;
}
static void *run_posix(void *of) {
  struct beginning b = begin_thread(of);
  return b.routine.posix(b.argument);
}
static int run_standard(void *of) {
  struct beginning b = begin_thread(of);
  return b.routine.standard(b.argument);
}

/* NULL: it is not recorded. */
static struct beginning *next_child(void *argument) {
  struct beginning *b = paths_header ? malloc(sizeof *b) : NULL;
  hd_paths_alone = 0;
  if (!b) return NULL;
  *b = (struct beginning){.argument = argument, .parent = hd_paths.thread, .nth = ++hd_paths.children};
  b->thread = __atomic_fetch_add(&paths_header->threads, 1, __ATOMIC_RELAXED);
  return b;
}
static void forget_child(struct beginning *b) {
  free(b);
  hd_paths.children--;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*routine)(void *),
                                                          void *argument) {
  static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "pthread_create"); /* the same for all */
  struct beginning *b = next_child(argument);
  if (!b) return real(handle, attributes, routine, argument);
  b->routine.posix = routine;
  int error = real(handle, attributes, run_posix, b);
  if (error) forget_child(b);
  return error;
}

__attribute__((visibility("default"))) int thrd_create(thrd_t *handle, thrd_start_t routine, void *argument) {
  static int (*real)(thrd_t *, thrd_start_t, void *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "thrd_create");
  struct beginning *b = next_child(argument);
  if (!b) return real(handle, routine, argument);
  b->routine.standard = routine;
  int error = real(handle, run_standard, b);
  if (error != thrd_success) forget_child(b);
  return error;
}
