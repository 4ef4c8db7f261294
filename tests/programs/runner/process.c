#include "process.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void append(char **text, size_t *n, const char *bytes, size_t count) {
  char *more = realloc(*text, *n + count + 1);
  if (!more) abort();
  for (size_t i = 0; i < count; i++) more[*n + i] = bytes[i];
  *n += count;
  more[*n] = 0;
  *text = more;
}

_Noreturn static void child(char *const *argv, const char *input, unsigned seconds, int out, int err) {
  int in = open(input ? input : "/dev/null", O_RDONLY);
  if (in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(126);
  alarm(seconds);
  execvp(argv[0], argv);
  perror(argv[0]);
  _exit(127);
}

struct process_result process_run(char *const *argv, const char *input, unsigned seconds) {
  struct process_result r = {0};
  append(&r.out, &r.nout, "", 0);
  append(&r.err, &r.nerr, "", 0);
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) abort();
  fflush(stdout);
  pid_t pid = fork();
  if (pid < 0) abort();
  if (pid == 0) child(argv, input, seconds, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  struct pollfd fds[2] = {{.fd = out[0], .events = POLLIN}, {.fd = err[0], .events = POLLIN}};
  for (int open_fds = 2; open_fds > 0;) {
    if (poll(fds, 2, -1) < 0) continue;
    for (int i = 0; i < 2; i++) {
      char bytes[4096];
      if (fds[i].fd < 0 || !fds[i].revents) continue;
      ssize_t n = read(fds[i].fd, bytes, sizeof bytes);
      if (n > 0) {
        append(i ? &r.err : &r.out, i ? &r.nerr : &r.nout, bytes, (size_t)n);
        continue;
      }
      close(fds[i].fd);
      fds[i].fd = -1;
      open_fds--;
    }
  }
  int status;
  waitpid(pid, &status, 0);
  r.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  r.code = WEXITSTATUS(status);
  return r;
}

void process_release(struct process_result *r) {
  free(r->out);
  free(r->err);
}
