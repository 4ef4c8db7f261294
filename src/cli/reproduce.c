/* heddle reproduce: from the log of a run that failed, an execution that fails in the same way. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/check.h"
#include "cli/command.h"
#include "cli/console.h"
#include "trace/path_log.h"

/* What the machine calls that which ended a native run. Memory that was misused may show later, and otherwise than where it happened. */
#define MEMORY "use-after-free,out-of-bounds,double-free,bad-free,null-dereference,uninitialised"
static const char *kinds_of(const struct path_header *h) {
  if (h->end == PATH_END_HANG) return "deadlock,lost-wakeup,livelock,thread-misuse," MEMORY;
  if (h->end == PATH_END_EXIT) return h->code ? "exit-code" : NULL;
  switch (h->code) {
    case SIGABRT:
    case SIGTRAP:
    case SIGILL:
      return "assertion,abort,uncaught-exception,thread-misuse," MEMORY;
    case SIGFPE:
      return "division-by-zero," MEMORY;
    case SIGSEGV:
    case SIGBUS:
      return "thread-misuse," MEMORY;
    default:
      return NULL;
  }
}

static enum err check_log(const struct path_log *log, const char *path, struct diag *d) {
  const struct path_header *h = &log->header;
  if (h->end == PATH_END_UNKNOWN)
    return diag_set(d, ERR_UNSUPPORTED, "%s does not say how the run ended: heddle record was stopped before", path);
  if (h->end == PATH_END_EXIT && h->code == 0) {
    diag_hint(d, "heddle record --until-failure runs a program until it fails");
    return diag_set(d, ERR_UNSUPPORTED, "the run of %s did not fail: it ended with exit code 0", path);
  }
  if (!kinds_of(h))
    return diag_set(d, ERR_UNSUPPORTED, "the run of %s was ended from outside, by signal %u (%s)", path, h->code, strsignal((int)h->code));
  if (h->lost)
    return diag_set(d, ERR_UNSUPPORTED, "%s lacks %u thread%s of the run: there was no room", path, h->lost, h->lost == 1 ? "" : "s");
  return ERR_NONE;
}

static void set_words(struct words *to, size_t n, const char *const *words) {
  vec_clear(to);
  for (size_t i = 0; i < n; i++) *vec_push(to) = words[i];
}

static enum err start(struct options *o, int *code, struct diag *d) {
  struct path_log log = {0};
  if (o->programs.count != 1) return diag_set(d, ERR_USAGE, "heddle reproduce takes the log of one run");
  const char *path = o->programs.data[0];
  enum err e = path_log_read(&log, path, d);
  if (!e) e = check_log(&log, path, d);
  if (!e && access(log.program, R_OK) != 0) e = diag_set(d, ERR_FILE, "the program of the run, %s, is not there any more", log.program);
  if (!e) {
    const char *kinds = kinds_of(&log.header);
    set_words(&o->programs, 1, &log.program);
    set_words(&o->arguments, log.arguments.count, log.arguments.data);
    set_words(&o->only, 1, &kinds);
    o->stop_at_first = o->no_leaks = o->exit_codes = true;
    o->step_limit = 0; /* an execution has as many steps as the run had */

    *code = check_program(o, &log);
  }
  path_log_release(&log);
  return e;
}

int command_reproduce(int argc, char **argv) {
  struct options o;
  struct diag d = {0};
  int code;
  if (!command_options("reproduce", argc, argv, &o, &code)) return code;
  if (start(&o, &code, &d)) code = console_complain(&d);
  diag_release(&d);
  options_release(&o);
  return code;
}
