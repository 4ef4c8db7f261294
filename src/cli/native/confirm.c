#include "cli/native/confirm.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/confirm.h"
#include "base/text.h"
#include "cli/console.h"

enum {
  ATTEMPTS = 3,
  FIRST_HOLDS = 10 /* how often as long as others the first hold may be */,
  STEP_MS = 5,
  WAIT_HOLDS = 4 /* how often as long as a hold a wait is to go on */
};

/* Standard input of repeated runs. */
enum input { INPUT_FILE, INPUT_NOTHING, INPUT_STREAM };

struct confirmation {
  const char *file;
  char *const *words;
  const struct confirm_limits *limits;
  struct confirm_file *shared;
  char path[64];
  enum input input;
  off_t input_start, input_end;
  double first; /* seconds that the first run took */
  double spent; /* by the others */
  unsigned runs;
  int interrupted; /* the signal by which the user ended it; 0: none */
  bool killed;     /* this is its keeper, and it is gone */
  pid_t keeper;
  int to_keeper; /* -1: there is none */
};

/* What a user or the system may send to the program under its parent's number. */
static const int passed_on[] = {SIGHUP, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGINT, SIGQUIT, SIGCONT, SIGWINCH};

static sigset_t watched_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) sigaddset(&set, passed_on[i]);
  sigaddset(&set, SIGCHLD);
  return set;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static const char *stream_name(void) {
  struct stat about;
  if (isatty(STDIN_FILENO)) return "a terminal";
  return fstat(STDIN_FILENO, &about) == 0 && S_ISSOCK(about.st_mode) ? "a socket" : "a pipe";
}

/* A file can be read again from where it was; of what else there may be, nothing is left. */
static enum input input_kind(off_t *start) {
  struct stat about;
  if (fstat(STDIN_FILENO, &about) != 0) return INPUT_NOTHING;
  if (S_ISCHR(about.st_mode) && about.st_rdev == makedev(1, 3)) return INPUT_NOTHING;
  *start = lseek(STDIN_FILENO, 0, SEEK_CUR);
  return S_ISREG(about.st_mode) && *start >= 0 ? INPUT_FILE : INPUT_STREAM;
}

static enum err open_shared(struct confirmation *c, struct diag *d) {
  const char *folder = getenv("TMPDIR");
  if (!folder || !*folder || strchr(folder, ' ') || strlen(folder) > 40) folder = "/tmp";
  snprintf(c->path, sizeof c->path, "%s/heddle-XXXXXX", folder);
  int fd = mkostemp(c->path, O_CLOEXEC);
  if (fd < 0) return diag_set(d, ERR_FILE, "cannot write %s: %s", c->path, strerror(errno));
  void *at = ftruncate(fd, sizeof *c->shared) == 0 ? mmap(NULL, sizeof *c->shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  int error = errno;
  close(fd);
  if (at == MAP_FAILED) {
    unlink(c->path);
    return diag_set(d, ERR_FILE, "cannot write %s: %s", c->path, strerror(error));
  }
  c->shared = at;
  c->shared->version = CONFIRM_VERSION, c->shared->hold_ms = c->limits->hold_ms;
  return ERR_NONE;
}

static void hand_over(const char *path) {
  struct text value = {0};
  const char *before = getenv("HEDDLE_OPTIONS");
  text_printf(&value, "%s confirm=%s", before ? before : "", path);
  setenv("HEDDLE_OPTIONS", text_str(&value), 1);
  text_release(&value);
}

/* Repeated runs write nowhere, and have a session of their own, which is ended as a whole. */
static void step_aside(const struct confirmation *c) {
  int nowhere = open("/dev/null", O_RDWR);
  setsid();
  dup2(nowhere, STDOUT_FILENO), dup2(nowhere, STDERR_FILENO);
  if (c->input != INPUT_FILE) dup2(nowhere, STDIN_FILENO);
  if (nowhere > STDERR_FILENO) close(nowhere);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

static pid_t begin(const struct confirmation *c, bool again, const sigset_t *mask) {
  pid_t parent = getpid(), child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_WRONG);
  if (again) step_aside(c);
  sigprocmask(SIG_SETMASK, mask, NULL);
  execv(c->file, c->words);
  fprintf(stderr, "heddle: cannot run %s: %s\n", c->file, strerror(errno));
  _exit(EXIT_WRONG);
}

static bool cannot_start(const struct confirmation *c, pid_t child, struct diag *d) {
  if (child < 0) diag_set(d, ERR_FILE, "cannot run %s: %s", c->file, strerror(errno));
  return child < 0;
}

/* The first run: until it ends. Signals that come from a terminal have come to it already. */
static int watch_first(struct confirmation *c, pid_t child, const sigset_t *signals) {
  int status;
  while (waitpid(child, &status, WNOHANG) == 0) {
    siginfo_t about;
    int number = sigwaitinfo(signals, &about);
    if (number == SIGHUP || number == SIGTERM || number == SIGINT || number == SIGQUIT) c->interrupted = number;
    if (number > 0 && number != SIGCHLD && about.si_code != SI_KERNEL) kill(child, number);
  }
  if (!WIFSIGNALED(status) || WTERMSIG(status) != c->interrupted) c->interrupted = 0; /* the program has its own mind */
  return status;
}

static uint64_t waiting_since(const struct confirm_plan *p) { return __atomic_load_n(&p->waits, __ATOMIC_ACQUIRE); }

/* For how many seconds a wait is to go on. */
static double wait_limit(const struct confirmation *c) { return (double)WAIT_HOLDS * (double)c->limits->hold_ms / 1000; }

/* A wait that lasts, or that the process ends in. */
static void judge_wait(struct confirmation *c, struct confirm_plan *p, bool over) {
  uint64_t since = waiting_since(p);
  double limit = wait_limit(c);
  if (since && (over || now() - (double)since / 1000 > limit)) __atomic_store_n(&p->confirmed, over ? 2 : 1, __ATOMIC_RELEASE);
}

/* A repeated run: until it ends, says that the prediction is confirmed, or has taken too long. */
static void watch_again(struct confirmation *c, pid_t child, struct confirm_plan *p, const sigset_t *signals) {
  double start = now(), limit = 20 * c->first + 10 + 20 * c->limits->hold_ms / 1000.0, left = c->limits->seconds - c->spent;
  int status;
  bool over = false, cut = false;
  while (!over && !cut && !p->confirmed && !c->interrupted) {
    siginfo_t about;
    int number = sigtimedwait(signals, &about, &(struct timespec){.tv_nsec = STEP_MS * 1000000});
    if (number == SIGHUP || number == SIGTERM || number == SIGINT || number == SIGQUIT) c->interrupted = number;
    over = waitpid(child, &status, WNOHANG) == child;
    if (p->kind == CONFIRM_LOST && !p->confirmed) judge_wait(c, p, over);
    cut = now() - start > (limit < left ? limit : left);
  }
  kill(-child, SIGKILL);
  if (!over) kill(child, SIGKILL), waitpid(child, &status, 0);
  p->waits = 0;
  p->cut += cut && !over && !p->confirmed;
  c->spent += now() - start;
}

static void try_once(struct confirmation *c, struct confirm_plan *p, const sigset_t *signals, const sigset_t *mask) {
  c->shared->tries = 1, c->shared->active = (uint32_t)(p - c->shared->plans), c->shared->attempt = p->tried;
  if (c->input == INPUT_FILE) lseek(STDIN_FILENO, c->input_start, SEEK_SET);
  pid_t child = begin(c, true, mask);
  if (child < 0) return;
  p->tried++, c->runs++;
  watch_again(c, child, p, signals);
}

static unsigned plan_count(const struct confirmation *c) { return c->shared->nplans < CONFIRM_PLANS ? c->shared->nplans : CONFIRM_PLANS; }

static bool ended(const struct confirmation *c) { return c->runs >= c->limits->runs || c->spent >= c->limits->seconds || c->interrupted; }

static bool unreadable(const struct confirmation *c) { return c->input == INPUT_STREAM && c->shared->input; }

/* Whatever the first run did behind the place where a thread is held, the others do it while the thread is held so long. */
static void set_first_hold(struct confirmation *c) {
  double ms = c->first * 1000 + c->limits->hold_ms, most = (double)FIRST_HOLDS * c->limits->hold_ms;
  c->shared->first_hold_ms = (uint32_t)(ms < most ? ms : most);
}

static void try_all(struct confirmation *c, const sigset_t *signals, const sigset_t *mask) {
  c->input_end = c->input == INPUT_FILE ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
  for (unsigned attempt = 0; attempt < ATTEMPTS && !unreadable(c); attempt++)
    for (unsigned i = 0; i < plan_count(c) && !ended(c); i++) {
      struct confirm_plan *p = &c->shared->plans[i];
      if (p->ready && p->kind != CONFIRM_NONE && !p->confirmed && p->tried == attempt) try_once(c, p, signals, mask);
    }
  if (c->input == INPUT_FILE) lseek(STDIN_FILENO, c->input_end, SEEK_SET);
}

static const char *const shown[] = {
#define X(name, what) [CONFIRM_##name] = what,
    CONFIRM_KINDS(X)
#undef X
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void how_confirmed(const struct confirmation *c, const struct confirm_plan *p, struct text *out) {
  struct text time = {0};
  text_printf(&time, "%.1f s later", wait_limit(c));
  bool closed = strcmp(p->words[1], "close") == 0;
  text_puts(out, "Confirmed by a repeated run: ");
  if (p->kind == CONFIRM_LOST)
    text_printf(out, shown[p->kind], p->words[1], p->words[0], p->confirmed == 2 ? "when the process ended" : text_str(&time));
  else
    text_printf(out, shown[p->kind], p->words[1], p->words[0], closed ? "descriptor" : "memory");
  text_release(&time);
}
#pragma GCC diagnostic pop

static const char *why_not(const struct confirmation *c, const struct confirm_plan *p, struct text *own) {
  if (p->kind == CONFIRM_NONE) return p->why;
  if (unreadable(c)) {
    text_printf(own, "the program has read standard input, which is %s, so it cannot be run with the same input again", stream_name());
    return text_str(own);
  }
  if (c->killed) return "heddle run was killed";
  if (c->interrupted) return "heddle run was interrupted";
  if (c->runs >= c->limits->runs) return "there are more predictions than repeated runs (--confirm=N)";
  return "the time for repeated runs is over (--confirm-time)";
}

/* One sentence, without the full stop. */
static void outcome(const struct confirmation *c, const struct confirm_plan *p, struct text *out) {
  struct text own = {0};
  if (p->confirmed) {
    how_confirmed(c, p, out);
  } else if (!p->tried) {
    text_printf(out, "Not tried: %s", why_not(c, p, &own));
  } else {
    text_printf(out, "Not confirmed by %u repeated run%s, in which ", p->tried, p->tried == 1 ? "" : "s");
    if (p->holds)
      text_printf(out, "a thread was held back %u time%s", p->holds, p->holds == 1 ? "" : "s");
    else
      text_puts(out, "no thread came to where it was to be held back");
    if (p->cut) text_printf(out, " and of which %u took too long and %s ended", p->cut, p->cut == 1 ? "was" : "were");
    text_puts(out, ": that does not say that it cannot happen");
  }
  text_release(&own);
}

static void fill_json(const struct confirm_plan *p, const char *words, unsigned hole, struct text *out) {
  if (hole > 0) return;
  text_printf(out, "%s, \"tried\": %u, \"confirmation\": ", p->confirmed ? "true" : "false", p->tried);
  text_json_string(out, words);
}

static void fill_text(const struct confirm_plan *p, const char *words, unsigned hole, struct text *out) {
  if (hole == 1)
    text_printf(out, "  %s.\n\n", words);
  else if (p->confirmed)
    text_puts(out, ", confirmed");
}

static void write_all(int fd, const struct text *t) {
  const char *at = text_str(t);
  for (size_t done = 0; done < t->count;) {
    ssize_t n = write(fd, at + done, t->count - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    done += (size_t)n;
  }
}

/* Where the reports of the first run went. */
static void write_report(const struct confirm_plan *p, const struct text *report) {
  int fd = p->log[0] ? open(p->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : p->descriptor;
  if (fd < 0 || (!p->log[0] && fd > STDERR_FILENO)) fd = STDERR_FILENO;
  write_all(fd, report);
  if (fd > STDERR_FILENO) close(fd);
}

static void show(const struct confirmation *c, const struct confirm_plan *p) {
  struct text report = {0}, words = {0};
  const char *from = c->shared->text + p->text;
  size_t at = 0;
  outcome(c, p, &words);
  for (unsigned i = 0; i < CONFIRM_HOLES; i++) {
    text_append(&report, from + at, p->holes[i] - at);
    at = p->holes[i];
    (p->json ? fill_json : fill_text)(p, text_str(&words), i, &report);
  }
  text_append(&report, from + at, p->size - at);
  write_report(p, &report);
  text_release(&report);
  text_release(&words);
}

/* The end of all: "Heddle: 1 of 2 predictions confirmed, by 4 repeated runs". */
static void show_all(const struct confirmation *c) {
  unsigned all = 0, confirmed = 0, runs = 0;
  const struct confirm_plan *last = NULL;
  for (unsigned i = 0; i < plan_count(c); i++) {
    const struct confirm_plan *p = &c->shared->plans[i];
    if (!__atomic_load_n(&p->ready, __ATOMIC_ACQUIRE)) continue;
    show(c, p);
    all++, confirmed += p->confirmed != 0, runs += p->tried, last = p;
  }
  if (!last) return;
  struct text line = {0};
  unsigned dropped = c->shared->dropped;
  if (last->json)
    text_printf(&line, "{\"kind\": \"confirmation\", \"predictions\": %u, \"confirmed\": %u, \"runs\": %u, \"not_tried\": %u}\n",
                all + dropped, confirmed, runs, dropped);
  else
    text_printf(&line, "Heddle: %u of %u prediction%s confirmed, by %u repeated run%s\n", confirmed, all + dropped,
                all + dropped == 1 ? "" : "s", runs, runs == 1 ? "" : "s");
  write_report(last, &line);
  text_release(&line);
}

/* The reports are in shared memory until they are shown. A process of its own, the keeper, shows them if this one is killed: it comes to
 * the end of a pipe then. If not, this one kills the keeper. */
static _Noreturn void keep(struct confirmation *c, int end) {
  char nothing;
  setsid(); /* what a terminal sends, or is sent to the whole group, is not for it */
  while (read(end, &nothing, 1) < 0 && errno == EINTR) continue;
  c->killed = true;
  unlink(c->path);
  show_all(c);
  _exit(0);
}

static void begin_keeping(struct confirmation *c) {
  int ends[2];
  c->to_keeper = -1;
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  c->keeper = fork();
  if (c->keeper == 0) {
    close(ends[1]);
    keep(c, ends[0]);
  }
  close(ends[0]);
  if (c->keeper > 0)
    c->to_keeper = ends[1];
  else
    close(ends[1]);
}

static void end_keeping(const struct confirmation *c) {
  if (c->to_keeper < 0) return;
  kill(c->keeper, SIGKILL);
  waitpid(c->keeper, NULL, 0);
  close(c->to_keeper);
}

/* As the program was. */
static void end_by(int number) {
  sigset_t set;
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  signal(number, SIG_DFL);
  sigemptyset(&set);
  sigaddset(&set, number);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

enum err confirm_run(const char *file, char *const *words, const struct confirm_limits *limits, int *code, struct diag *d) {
  struct confirmation c = {.file = file, .words = words, .limits = limits};
  sigset_t signals = watched_signals(), mask;
  c.input = input_kind(&c.input_start);
  enum err e = open_shared(&c, d);
  if (e) return e;
  hand_over(c.path);
  begin_keeping(&c);
  sigprocmask(SIG_BLOCK, &signals, &mask);
  double start = now();
  pid_t child = begin(&c, false, &mask);
  int status = 0;
  if (cannot_start(&c, child, d)) {
    e = ERR_FILE;
  } else {
    status = watch_first(&c, child, &signals);
    c.first = now() - start;
    set_first_hold(&c);
    try_all(&c, &signals, &mask);
  }
  unlink(c.path);
  if (!e) show_all(&c);
  end_keeping(&c);
  munmap(c.shared, sizeof *c.shared);
  if (!e && c.interrupted) end_by(c.interrupted);
  if (!e && WIFSIGNALED(status)) end_by(WTERMSIG(status));
  sigprocmask(SIG_SETMASK, &mask, NULL);
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return e;
}
