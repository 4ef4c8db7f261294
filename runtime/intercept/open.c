/* Where descriptors come from, for reports. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "analysis/section.h"
#include "intercept/intercept.h"
#include "report/origin.h"

int opened(int fd, uintptr_t pc) {
  struct thread *t = analysis == ANALYSIS_OVP && fd >= 0 ? watched() : NULL;
  if (!t || t->info->id != gettid()) return fd; /* io.c: vfork() */
  thread_enter(t);
  descriptor_opened(fd, thread_site(t, pc, SITE_ALLOC, 0), t->info->number);
  thread_leave(t);
  return fd;
}

#define OPENS(function, parameters, arguments) \
  PUBLIC int function parameters { return opened(NEXT(function) arguments, CALLER); }
OPENS(creat, (const char *path, mode_t mode), (path, mode))
OPENS(creat64, (const char *path, mode_t mode), (path, mode))
OPENS(mkstemp, (char *name), (name))
OPENS(mkstemp64, (char *name), (name))
OPENS(mkostemp, (char *name, int flags), (name, flags))
OPENS(mkostemp64, (char *name, int flags), (name, flags))
OPENS(mkstemps, (char *name, int n), (name, n))
OPENS(dup, (int fd), (fd))
OPENS(dup2, (int fd, int as), (fd, as))
OPENS(dup3, (int fd, int as, int flags), (fd, as, flags))
OPENS(socket, (int domain, int type, int protocol), (domain, type, protocol))
OPENS(eventfd, (unsigned value, int flags), (value, flags))
OPENS(timerfd_create, (clockid_t clock, int flags), (clock, flags))
OPENS(epoll_create, (int size), (size))
OPENS(epoll_create1, (int flags), (flags))
OPENS(inotify_init, (void), ())
OPENS(inotify_init1, (int flags), (flags))
OPENS(memfd_create, (const char *name, unsigned flags), (name, flags))

/* The mode is there only if a file may be made. */
#define OPENS_MODE(function, parameters, arguments, flags)       \
  PUBLIC int function parameters {                               \
    mode_t mode = 0;                                             \
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
      va_list list;                                              \
      va_start(list, flags);                                     \
      mode = va_arg(list, mode_t);                               \
      va_end(list);                                              \
    }                                                            \
    return opened(NEXT(function) arguments, CALLER);             \
  }
OPENS_MODE(open, (const char *path, int flags, ...), (path, flags, mode), flags)
OPENS_MODE(open64, (const char *path, int flags, ...), (path, flags, mode), flags)
OPENS_MODE(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), flags)
OPENS_MODE(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), flags)

/* What _FORTIFY_SOURCE makes of them. */
#define OPENS_CHECKED(function, parameters, arguments) \
  PUBLIC int function parameters;                      \
  OPENS(function, parameters, arguments)
OPENS_CHECKED(__open_2, (const char *path, int flags), (path, flags))
OPENS_CHECKED(__open64_2, (const char *path, int flags), (path, flags))
OPENS_CHECKED(__openat_2, (int folder, const char *path, int flags), (folder, path, flags))
OPENS_CHECKED(__openat64_2, (int folder, const char *path, int flags), (folder, path, flags))

#define OPENS_TWO(function, parameters, arguments)                   \
  PUBLIC int function parameters {                                   \
    int result = NEXT(function) arguments;                           \
    if (result == 0) opened(fds[0], CALLER), opened(fds[1], CALLER); \
    return result;                                                   \
  }
OPENS_TWO(pipe, (int fds[2]), (fds))
OPENS_TWO(pipe2, (int fds[2], int flags), (fds, flags))
OPENS_TWO(socketpair, (int domain, int type, int protocol, int fds[2]), (domain, type, protocol, fds))
