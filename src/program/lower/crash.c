#include "program/lower/crash.h"

#include <llvm-c/ErrorHandling.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STACK = 1 << 16, EXIT_DAMAGED = 2 };

/* Written by the one thread, read by its signal handlers. `blamed` is NULL when it may be any file. */
static const char *volatile whole = "the program", *volatile blamed;
static _Alignas(16) char stack[STACK]; /* the handlers': a reader that recurses without an end has used up its own */

/* No formatting: what allocates may be what crashed. */
static void say(const char *what) { (void)!write(STDERR_FILENO, what, strlen(what)); }

static _Noreturn void end(const char *why) {
  say("\nheddle-load: "); /* LLVM may have said something, without the end of its line */
  say(blamed ? blamed : whole);
  say(" is damaged: ");
  say(why);
  say("\nhint: make it again; if that does not help, Heddle or LLVM has a defect\n");
  _exit(EXIT_DAMAGED);
}

static void on_crash(int signal) { end(signal == SIGXCPU ? "LLVM comes to no end with its bitcode" : "LLVM crashes on its bitcode"); }

static void on_fatal_error(const char *reason) { end(reason); }

/* The limit, or the one that there is, if it is lower. */
static void limit_time(unsigned seconds) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur <= seconds) return;
  limit.rlim_cur = seconds;
  setrlimit(RLIMIT_CPU, &limit);
}

void crash_catch(const char *all, unsigned seconds) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXCPU};
  const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
  whole = all;
  sigaltstack(&alternate, NULL);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
  LLVMInstallFatalErrorHandler(on_fatal_error);
  limit_time(seconds);
}

void crash_blame(const char *file) { blamed = file; }
