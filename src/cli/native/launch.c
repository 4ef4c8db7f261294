#include "cli/native/launch.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/file.h"
#include "cli/unseen.h"
#include "program/process.h"

/* The runtime reads it, perhaps in another folder. */
enum err launch_output(const char *output, const char *program, const char *ending, struct text *path, struct diag *d) {
  char folder[PATH_MAX];
  struct text name = {0};
  text_printf(&name, "%s%s", output ? output : file_last_part(program), output ? "" : ending);
  if (text_str(&name)[0] != '/' && getcwd(folder, sizeof folder)) text_printf(path, "%s/", folder);
  text_puts(path, text_str(&name));
  text_release(&name);
  if (strchr(text_str(path), ' ')) return diag_set(d, ERR_USAGE, "-o: a file's name with a space in it cannot be handed on");
  return ERR_NONE;
}

static volatile pid_t child;
static void pass_on(int number) {
  if (child > 0) kill(child, number);
}

/* Without a limit the kernel says when. */
static void await(pid_t pid, double seconds, struct launch_end *end) {
  static const struct timespec while_running = {.tv_nsec = 2000000};
  double limit = seconds > 0 ? deadline_now() + seconds : 0;
  while (limit > 0 && !end->hung && waitpid(pid, &end->status, WNOHANG) == 0) {
    if (deadline_now() > limit) end->hung = kill(pid, SIGKILL) == 0;
    nanosleep(&while_running, NULL);
  }
  if (limit <= 0 || end->hung) end->status = process_wait(pid);
}

/* Signals from the terminal reach the program without us; others are passed on. */
enum err launch_run(const char *path, char *const *words, double seconds, struct launch_end *end, struct diag *d) {
  static const int passed[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
  *end = (struct launch_end){0};
  fflush(NULL);
  void (*interrupt)(int) = signal(SIGINT, SIG_IGN), (*quit)(int) = signal(SIGQUIT, SIG_IGN);
  pid_t pid = fork();
  if (pid == 0) {
    signal(SIGINT, interrupt), signal(SIGQUIT, quit);
    personality(ADDR_NO_RANDOMIZE); /* so that another run has the same addresses, if that is allowed */
    execv(path, words);
    fprintf(stderr, "heddle: cannot run %s: %s\n", path, strerror(errno));
    _exit(127);
  }
  if (pid < 0) return diag_set(d, ERR_TOOL, "cannot start a process: %s", strerror(errno));
  child = pid;
  for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) signal(passed[i], pass_on);
  await(pid, seconds, end);
  child = 0;
  signal(SIGINT, interrupt), signal(SIGQUIT, quit);
  return ERR_NONE;
}

/* The C library's functions are known. */
static bool is_known_library(const char *name) {
  static const char *const known[] = {"libc.so",     "libm.so",  "libpthread.so", "libdl.so",  "librt.so",
                                      "libgcc_s.so", "ld-linux", "libtsan.so",    "libutil.so"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strncmp(name, known[i], strlen(known[i])) == 0) return true;
  return false;
}

static void say_unseen(const struct rebuild *r) {
  struct args places = {0};
  unseen_add(text_str(&r->program), &places);
  for (size_t i = 0; i < r->libraries.list.count; i++) unseen_add(strchr(r->libraries.list.data[i], '=') + 1, &places);
  size_t n = places.list.count;
  if (n) fprintf(stderr, "heddle: not recorded: what assembler code changes by an address in a register, at %s", places.list.data[0]);
  if (n > 1) fprintf(stderr, " and %zu more place%s", n - 1, n > 2 ? "s" : "");
  if (n) fprintf(stderr, "\n");
  args_release(&places);
}

void launch_say_missing(const struct rebuild *r) {
  enum { SHOWN = 3 };
  size_t n = r->missing.list.count;
  struct text libraries = {0};
  for (size_t i = 0; i < n && i < SHOWN; i++) fprintf(stderr, "heddle: not recorded: %s\n", r->missing.list.data[i]);
  if (n > SHOWN) fprintf(stderr, "heddle: not recorded: %zu more parts\n", n - SHOWN);
  for (size_t i = 0; i < r->bundle.bare_libraries.list.count; i++)
    if (!is_known_library(r->bundle.bare_libraries.list.data[i]))
      text_printf(&libraries, "%s%s", libraries.count ? ", " : "", r->bundle.bare_libraries.list.data[i]);
  if (libraries.count) fprintf(stderr, "heddle: not recorded, but for calls of the C library: %s\n", text_str(&libraries));
  text_release(&libraries);
  say_unseen(r);
}
