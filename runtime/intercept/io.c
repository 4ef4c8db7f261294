/* Descriptors: what one thread writes to a pipe, a socket or an event descriptor orders what another does that reads from one. All of them
 * count as one object: a program that tells threads apart by descriptors alone may so hide a race, but none is invented. Files order
 * nothing. */
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <errno.h>

#include "analysis/violation.h"
#include "intercept/intercept.h"
#include "report/origin.h"

static char channels; /* stands for them all */

bool is_channel(int fd) {
  struct stat s;
  int saved = errno;
  bool yes = fstat(fd, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode) && !S_ISCHR(s.st_mode) && !S_ISBLK(s.st_mode);
  errno = saved;
  return yes;
}

void channel_sends(struct thread *t) {
  struct sync *s = t->ignore_sync ? NULL : sync_at((uintptr_t)&channels, SYNC_OTHER);
  if (!s) return;
  sync_lock(t, s);
  section_writes(t, s);
  thread_release_join(t, &s->clock);
  sync_unlock(t, s);
}
void channel_receives(struct thread *t) {
  if (!t->ignore_sync) sync_acquire(t, (uintptr_t)&channels);
}
static void sends(int fd) {
  struct thread *t = watched();
  if (t && is_channel(fd)) channel_sends(t);
}
static void receives(void) {
  struct thread *t = watched();
  if (t) channel_receives(t);
}
/* Nothing was there yet. */
static void finds_nothing(void) {
  struct thread *t = analysis == ANALYSIS_OVP ? watched() : NULL;
  struct sync *s = t && !t->ignore_sync ? sync_at((uintptr_t)&channels, SYNC_OTHER) : NULL;
  if (!s) return;
  int saved = errno;
  sync_lock(t, s);
  section_reads(t, s);
  sync_unlock(t, s);
  errno = saved;
}

/* A descriptor that is used when it is closed already may be another one's by then. */
static void uses(int fd, uintptr_t pc) {
  struct thread *t = analysis == ANALYSIS_OVP ? watched() : NULL;
  uintptr_t word = descriptor_word(fd);
  if (t && word) touches(t, (void *)word, 1, SITE_USE, pc);
}
static void closes(int fd, uintptr_t pc) {
  struct thread *t = analysis == ANALYSIS_OVP ? watched() : NULL;
  uintptr_t word = descriptor_word(fd);
  if (!t || !word || t->info->id != gettid()) return; /* a child of vfork(), with its parent's memory, closes what is its own */
  thread_enter(t);
  violation_of_end(t, word, 1, thread_site(t, pc, SITE_CLOSE, 0));
  access_forget(word, sizeof(uint64_t));
  thread_leave(t);
}

#define SENDS(result, function, parameters, arguments, buffer, size) \
  PUBLIC result function parameters {                                \
    touches(watched(), buffer, size, SITE_READ, CALLER);             \
    uses(fd, CALLER);                                                \
    sends(fd);                                                       \
    return NEXT(function) arguments;                                 \
  }
#define RECEIVES(result, function, parameters, arguments, buffer) \
  PUBLIC result function parameters {                             \
    uses(fd, CALLER);                                             \
    result n = NEXT(function) arguments;                          \
    if (n < 0) {                                                  \
      finds_nothing();                                            \
      return n;                                                   \
    }                                                             \
    receives();                                                   \
    touches(watched(), buffer, (size_t)n, SITE_WRITE, CALLER);    \
    return n;                                                     \
  }

SENDS(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), p, n)
SENDS(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at), p, n)
SENDS(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n), v, (size_t)(n > 0 ? n : 0) * sizeof *v)
SENDS(ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags), p, n)
SENDS(ssize_t, sendto, (int fd, const void *p, size_t n, int flags, const struct sockaddr *to, socklen_t length),
      (fd, p, n, flags, to, length), p, n)
SENDS(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags), m, sizeof *m)
SENDS(int, eventfd_write, (int fd, eventfd_t value), (fd, value), NULL, 0)
SENDS(int, shutdown, (int fd, int how), (fd, how), NULL, 0)
PUBLIC int close(int fd) {
  closes(fd, CALLER);
  sends(fd);
  return NEXT(close)(fd);
}

RECEIVES(ssize_t, read, (int fd, void *p, size_t size), (fd, p, size), p)
RECEIVES(ssize_t, pread, (int fd, void *p, size_t size, off_t at), (fd, p, size, at), p)
RECEIVES(ssize_t, recv, (int fd, void *p, size_t size, int flags), (fd, p, size, flags), p)
RECEIVES(ssize_t, recvfrom, (int fd, void *p, size_t size, int flags, struct sockaddr *from, socklen_t *length),
         (fd, p, size, flags, from, length), p)

static int looked(int n) {
  if (n >= 0) receives();
  if (n <= 0) finds_nothing();
  return n;
}
#define LOOKS(function, parameters, arguments) \
  PUBLIC int function parameters { return looked(NEXT(function) arguments); }
LOOKS(eventfd_read, (int fd, eventfd_t *value), (fd, value))
PUBLIC int accept(int fd, struct sockaddr *a, socklen_t *length) { return opened(looked(NEXT(accept)(fd, a, length)), CALLER); }
PUBLIC int accept4(int fd, struct sockaddr *a, socklen_t *length, int flags) {
  return opened(looked(NEXT(accept4)(fd, a, length, flags)), CALLER);
}
LOOKS(epoll_wait, (int fd, struct epoll_event *events, int n_events, int timeout), (fd, events, n_events, timeout))
LOOKS(epoll_pwait, (int fd, struct epoll_event *events, int n_events, int timeout, const sigset_t *set),
      (fd, events, n_events, timeout, set))
LOOKS(poll, (struct pollfd * fds, nfds_t n_fds, int timeout), (fds, n_fds, timeout))
LOOKS(ppoll, (struct pollfd * fds, nfds_t n_fds, const struct timespec *timeout, const sigset_t *set), (fds, n_fds, timeout, set))
LOOKS(select, (int n_fds, fd_set *r, fd_set *w, fd_set *e, struct timeval *timeout), (n_fds, r, w, e, timeout))
LOOKS(pselect, (int n_fds, fd_set *r, fd_set *w, fd_set *e, const struct timespec *timeout, const sigset_t *set),
      (n_fds, r, w, e, timeout, set))

PUBLIC ssize_t readv(int fd, const struct iovec *v, int n) {
  uses(fd, CALLER);
  ssize_t got = NEXT(readv)(fd, v, n);
  if (got >= 0) receives();
  return got;
}
PUBLIC ssize_t recvmsg(int fd, struct msghdr *m, int flags) {
  uses(fd, CALLER);
  ssize_t got = NEXT(recvmsg)(fd, m, flags);
  if (got >= 0) receives();
  return got;
}
PUBLIC int epoll_ctl(int fd, int what, int of, struct epoll_event *event) {
  struct thread *t = watched();
  if (t && !t->ignore_sync) sync_release(t, (uintptr_t)&channels, SYNC_OTHER);
  return NEXT(epoll_ctl)(fd, what, of, event);
}
