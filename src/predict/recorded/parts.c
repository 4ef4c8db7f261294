#include "predict/recorded/parts.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"

static void close_all(struct parts *p) {
  for (size_t i = 0; i < p->others.count; i++) close(p->others.data[i].in), close(p->others.data[i].out);
  vec_clear(&p->others);
}

/* The new process knows the first one alone, and ends with it. */
static void become(struct parts *p, uint32_t part, int in, int out, pid_t first) {
  close_all(p);
  p->part = part;
  *vec_push(&p->others) = (struct parts_process){0, in, out};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  deadline_inherit(0);
  if (getppid() != first) _exit(1);
}

enum err parts_start(struct parts *p, uint32_t n, struct diag *d) {
  pid_t first = getpid();
  *p = (struct parts){.n = n, .pipes = signal(SIGPIPE, SIG_IGN)};
  fflush(NULL);
  for (uint32_t part = 1; part < n; part++) {
    int there[2], back[2];
    if (pipe(there) != 0) return diag_set(d, ERR_TOOL, "cannot make a pipe: %s", strerror(errno));
    pid_t pid = pipe(back) == 0 ? fork() : -1;
    if (pid < 0) return diag_set(d, ERR_TOOL, "cannot start a process: %s", strerror(errno));
    if (pid == 0) {
      close(there[1]), close(back[0]);
      become(p, part, there[0], back[1], first);
      return ERR_NONE;
    }
    close(there[0]), close(back[1]);
    *vec_push(&p->others) = (struct parts_process){pid, back[0], there[1]};
  }
  return ERR_NONE;
}

static bool move(int fd, void *bytes, size_t n, bool out) {
  for (char *at = bytes; n > 0;) {
    ssize_t done = out ? write(fd, at, n) : read(fd, at, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done, n -= (size_t)done;
  }
  return true;
}

bool parts_send(struct parts *p, uint32_t i, const struct text *message) {
  uint64_t n = message->count;
  int fd = p->others.data[i].out;
  return move(fd, &n, sizeof n, true) && (n == 0 || move(fd, message->data, n, true));
}

bool parts_receive(struct parts *p, uint32_t i, struct text *message) {
  uint64_t n = 0;
  int fd = p->others.data[i].in;
  text_clear(message);
  if (!move(fd, &n, sizeof n, false)) return false;
  char *to = vec_push_n(message, n + 1);
  message->count--;
  to[n] = 0;
  return move(fd, to, n, false);
}

void parts_leave(struct parts *p) {
  if (p->part > 0) _exit(0);
  for (size_t i = 0; i < p->others.count; i++) {
    close(p->others.data[i].in), close(p->others.data[i].out);
    while (waitpid(p->others.data[i].pid, NULL, 0) < 0 && errno == EINTR) continue;
  }
  vec_release(&p->others);
  signal(SIGPIPE, p->pipes);
}
