/* Functions that open files, and that ask for variables of the environment: those of the C library, for the program and its libraries. What
 * a program defines itself is the program's: these are weak. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "paths/given.h"

#define OURS __attribute__((visibility("default"), weak))
#define REAL(type, name, ...)       \
  static type (*real)(__VA_ARGS__); \
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, name) /* the same for all */

/* --- a file that is named for the first time --- */

/* What is known of it before it is opened. */
struct opening {
  const char *path; /* NULL: it is known, or there is no such file */
  bool is_file;
};

/* Does the machine have it (models/libc/descriptor.c)? */
static bool is_known_device(const char *path) {
  static const char *const known[] = {"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(path, known[i]) == 0) return true;
  return false;
}

static struct opening before(int folder, const char *path) {
  struct opening o = {0};
  struct stat s;
  int error = errno;
  bool is_named = path && (folder == AT_FDCWD || *path == '/'); /* names in other folders mean nothing where the run is repeated */
  if (is_named && given_claim(PIECE_FILE, path) && syscall(SYS_newfstatat, AT_FDCWD, path, &s, 0) == 0 && !S_ISDIR(s.st_mode) &&
      !is_known_device(path))
    o = (struct opening){.path = path, .is_file = S_ISREG(s.st_mode)};
  errno = error;
  return o;
}

/* The program cannot read from it: a descriptor of our own. */
static void keep_unread(const char *path) {
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
  if (fd >= 0)
    given_file(path, fd), syscall(SYS_close, fd);
  else
    given_unkept(path, PATH_KEPT_ROOM);
}

/* fd: -1 if it could not be opened. */
static void after(const struct opening *o, int fd, int flags) {
  int error = errno;
  if (o->path && !o->is_file)
    given_unkept(o->path, PATH_KEPT_STREAM);
  else if (o->path && fd >= 0 && flags & O_TRUNC)
    given_file(o->path, -1);
  else if (o->path && fd >= 0 && (flags & O_ACCMODE) != O_WRONLY && !(flags & O_PATH))
    given_file(o->path, fd);
  else if (o->path && (fd >= 0 || flags & O_EXCL))
    keep_unread(o->path);
  errno = error;
}

/* As fopen() reads it. */
static int flags_of(const char *mode) {
  bool both = mode && strchr(mode, '+');
  if (!mode || *mode == 'r') return both ? O_RDWR : O_RDONLY;
  return (both ? O_RDWR : O_WRONLY) | (*mode == 'w' ? O_TRUNC : 0) | (strchr(mode, 'x') ? O_EXCL : 0);
}

/* --- the functions --- */

#define WITH_MODE                                            \
  mode_t mode = 0;                                           \
  if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) { \
    va_list list;                                            \
    va_start(list, flags);                                   \
    mode = va_arg(list, mode_t);                             \
    va_end(list);                                            \
  }

#define OPEN(name)                                  \
  OURS int name(const char *path, int flags, ...) { \
    REAL(int, #name, const char *, int, ...);       \
    WITH_MODE                                       \
    struct opening o = before(AT_FDCWD, path);      \
    int fd = real(path, flags, mode);               \
    after(&o, fd, flags);                           \
    return fd;                                      \
  }
#define OPEN_AT(name)                                           \
  OURS int name(int folder, const char *path, int flags, ...) { \
    REAL(int, #name, int, const char *, int, ...);              \
    WITH_MODE                                                   \
    struct opening o = before(folder, path);                    \
    int fd = real(folder, path, flags, mode);                   \
    after(&o, fd, flags);                                       \
    return fd;                                                  \
  }
#define OPEN_2(name)                           \
  OURS int name(const char *path, int flags);  \
  OURS int name(const char *path, int flags) { \
    REAL(int, #name, const char *, int);       \
    struct opening o = before(AT_FDCWD, path); \
    int fd = real(path, flags);                \
    after(&o, fd, flags);                      \
    return fd;                                 \
  }
#define CREATE(name)                             \
  OURS int name(const char *path, mode_t mode) { \
    REAL(int, #name, const char *, mode_t);      \
    struct opening o = before(AT_FDCWD, path);   \
    int fd = real(path, mode);                   \
    after(&o, fd, O_WRONLY | O_TRUNC);           \
    return fd;                                   \
  }
#define OPEN_STREAM(name)                                   \
  OURS FILE *name(const char *path, const char *mode) {     \
    REAL(FILE *, #name, const char *, const char *);        \
    struct opening o = before(AT_FDCWD, path);              \
    FILE *f = real(path, mode);                             \
    after(&o, f ? fileno_unlocked(f) : -1, flags_of(mode)); \
    return f;                                               \
  }
#define OPEN_AGAIN(name)                                              \
  OURS FILE *name(const char *path, const char *mode, FILE *stream) { \
    REAL(FILE *, #name, const char *, const char *, FILE *);          \
    struct opening o = before(AT_FDCWD, path);                        \
    FILE *f = real(path, mode, stream);                               \
    after(&o, f ? fileno_unlocked(f) : -1, flags_of(mode));           \
    return f;                                                         \
  }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
OPEN_2(__open_2)
OPEN_2(__open64_2)
CREATE(creat)
CREATE(creat64)
OPEN_STREAM(fopen)
OPEN_STREAM(fopen64)
OPEN_AGAIN(freopen)
OPEN_AGAIN(freopen64)

/* What the program has set itself it will set again. */
#define ASK(name)                                                                                                              \
  OURS char *name(const char *variable) {                                                                                      \
    REAL(char *, #name, const char *);                                                                                         \
    char *value = real(variable);                                                                                              \
    if (value && given_is_first(value) && given_claim(PIECE_VARIABLE, variable)) given_variable(value - strlen(variable) - 1); \
    return value;                                                                                                              \
  }

ASK(getenv)
ASK(secure_getenv)
