#include "program/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/text.h"
#include "program/args.h"

extern char **environ;

bool process_find(const char *name, struct text *path) {
  if (strchr(name, '/')) {
    text_puts(path, name);
    return access(name, X_OK) == 0;
  }
  const char *folders = getenv("PATH");
  for (const char *at = folders ? folders : "/usr/bin:/bin"; *at; at += *at == ':') {
    size_t n = strcspn(at, ":");
    text_clear(path);
    text_append(path, at, n);
    text_printf(path, "%s%s", n ? "/" : "./", name);
    if (access(text_str(path), X_OK) == 0) return true;
    at += n;
  }
  return false;
}

pid_t process_start(struct args *args, int in, int out, int errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (in >= 0) posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  if (out >= 0) posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  if (errors >= 0) posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  char *const *argv = args_argv(args);
  pid_t pid;
  int failure = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure) return errno = failure, -1;
  return pid;
}

int process_wait(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

int process_exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

static void show(const char *bytes, size_t n) {
  while (n > 0) {
    ssize_t k = write(STDERR_FILENO, bytes, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return;
    bytes += k, n -= (size_t)k;
  }
}

/* How often is looked whether the time is over while a program runs; and how long it may then take to end by itself. */
#define LOOK_MS  20
#define LEAVE_MS 200

/* Reads until the program closes its end, which it does by ending. At the end of the time the program is asked to end, too, and made to. */
static void drain(pid_t pid, int fd, bool forward, struct text *errors) {
  char chunk[4096];
  ssize_t n = 1;
  for (int waited = -1; n != 0;) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    if (deadline_passed && waited < 0) kill(pid, SIGTERM), waited = 0;
    int r = poll(&ready, 1, LOOK_MS);
    if (r == 0 && waited >= 0 && (waited += LOOK_MS) >= LEAVE_MS) kill(pid, SIGKILL);
    if (r <= 0 && (r == 0 || errno == EINTR)) continue;
    n = read(fd, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return;
    if (forward) show(chunk, (size_t)n);
    text_append(errors, chunk, (size_t)n);
  }
}

enum err process_run(struct args *args, enum process_errors mode, struct text *errors, int *status, struct diag *d) {
  int ends[2] = {-1, -1};
  if (deadline_passed) return diag_set(d, ERR_INTERRUPTED, "interrupted");
  if (mode != PROCESS_ERRORS_INHERIT && pipe2(ends, O_CLOEXEC) != 0)
    return diag_set(d, ERR_TOOL, "cannot make a pipe: %s", strerror(errno));
  pid_t pid = process_start(args, -1, -1, ends[1]);
  int failure = errno;
  if (ends[1] >= 0) close(ends[1]);
  if (pid >= 0 && ends[0] >= 0) drain(pid, ends[0], mode == PROCESS_ERRORS_SHOW, errors);
  if (ends[0] >= 0) close(ends[0]);
  if (pid < 0) return diag_set(d, ERR_TOOL, "cannot run %s: %s", args->list.data[0], strerror(failure));
  *status = process_wait(pid);
  if (WIFSIGNALED(*status) && (WTERMSIG(*status) == SIGINT || deadline_passed)) return diag_set(d, ERR_INTERRUPTED, "interrupted");
  return ERR_NONE;
}
