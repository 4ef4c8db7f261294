/* The runtime's start and end. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "intercept.h"
#include "joining.h"
#include "race.h"
#include "record.h"

struct options options = {.log = STDERR_FILENO};
bool runtime_on;

static void *look_up(const char *name, const char *version) { return version ? dlvsym(RTLD_NEXT, name, version) : dlsym(RTLD_NEXT, name); }

void *next_function(const char *name, const char *version) {
  struct thread *t = hd_fast.self;
  if (t) thread_enter(t);
  void *f = look_up(name, version);
  if (t) thread_leave(t);
  if (!f) rt_die("heddle: the C library has no %s: it is older than the runtime can work with\n", name);
  return f;
}

extern const struct next_function *const __start_next_functions[], *const __stop_next_functions[];
void next_functions_start(void) {
  for (const struct next_function *const *n = __start_next_functions; n < __stop_next_functions; n++)
    *(*n)->function = look_up((*n)->name, (*n)->version);
}

static int number(const char *value) {
  int n = 0;
  for (; *value >= '0' && *value <= '9' && n < 100000; value++) n = n * 10 + (*value - '0');
  return *value ? -1 : n;
}

static void set_option(const char *name, const char *value) {
  if (rt_equal(name, "exit_code")) {
    options.exit_code = number(value);
    if (options.exit_code < 0 || options.exit_code > 255)
      rt_die("heddle: HEDDLE_OPTIONS: exit_code is a number up to 255, not \"%s\"\n", value);
  } else if (rt_equal(name, "log")) {
    int fd = open(value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0) rt_die("heddle: HEDDLE_OPTIONS: cannot write %s: %s\n", value, strerrordesc_np(errno));
    options.log = fcntl(fd, F_DUPFD_CLOEXEC, 1000); /* out of the way of programs that count on low numbers */
    if (options.log < 0)
      options.log = fd;
    else
      close(fd);
  } else {
    rt_die("heddle: HEDDLE_OPTIONS: there is no option \"%s\": exit_code and log are\n", name);
  }
}

static void read_options(void) {
  const char *text = getenv("HEDDLE_OPTIONS");
  char word[4096], *value;
  while (text && *text) {
    size_t n = 0;
    while (*text == ' ') text++;
    for (value = NULL; *text && *text != ' ' && n < sizeof word - 1; text++) {
      if (*text == '=' && !value)
        word[n++] = 0, value = &word[n];
      else
        word[n++] = *text;
    }
    word[n] = 0;
    if (n) set_option(word, value ? value : "");
  }
}

/* The child has one thread, and no lock of the runtime may be held by one that is not there. */
static void before_fork(void) {
  struct thread *t = thread_self();
  if (t) thread_enter(t);
  reports_before_fork();
  threads_before_fork();
  sync_before_fork();
  endings_before_fork();
  records_before_fork();
  base_before_fork();
}

static void after_fork(bool child) {
  base_after_fork();
  records_after_fork();
  endings_after_fork();
  sync_after_fork(child);
  threads_after_fork(child);
  reports_after_fork(child);
  if (hd_fast.self) thread_leave(hd_fast.self);
}
static void after_fork_in_parent(void) { after_fork(false); }
static void after_fork_in_child(void) { after_fork(true); }

void runtime_start(void) {
  if (runtime_on) return;
  shadow_start();
  context_start();
  sync_start();
  threads_start();
  thread_enter(hd_fast.self);
  next_functions_start();
  intercept_threads_start();
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); /* the first of all: the others run outside of it */
  shadow_check();
  runtime_on = true;
  thread_leave(hd_fast.self);
}

PUBLIC void __tsan_init(void);
void __tsan_init(void) { runtime_start(); }
/* The C library has started by now: before, there is no environment. */
__attribute__((constructor(101))) static void first(void) {
  runtime_start();
  read_options();
}

/* Processes that end by _exit() or a signal have printed what they found by then. */
__attribute__((destructor)) static void finish(void) {
  unsigned n = reports_count();
  if (!runtime_on || n == 0) return;
  static struct rt_text out;
  rt_printf(&out, "Heddle: %u finding%s\n", n, n == 1 ? "" : "s");
  rt_text_write(&out, options.log);
  if (!options.exit_code) return;
  fflush(NULL);
  _exit(options.exit_code);
}
