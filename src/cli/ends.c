#include "cli/ends.h"

#include <signal.h>
#include <stddef.h>

#define MEMORY "use-after-free,out-of-bounds,double-free,bad-free,null-dereference,uninitialised"

const char *ends_kinds(const struct path_header *h) {
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

void ends_by(struct path_header *h, enum finding_kind kind, int exit_code) {
  static const struct {
    uint8_t end, signal;
  } ends[FINDING_COUNT] = {
      [FINDING_DEADLOCK] = {PATH_END_HANG, 0},
      [FINDING_LOST_WAKEUP] = {PATH_END_HANG, 0},
      [FINDING_LIVELOCK] = {PATH_END_HANG, 0},
      [FINDING_EXIT_CODE] = {PATH_END_EXIT, 0},
      [FINDING_ASSERTION] = {PATH_END_SIGNAL, SIGABRT},
      [FINDING_ABORT] = {PATH_END_SIGNAL, SIGABRT},
      [FINDING_UNCAUGHT_EXCEPTION] = {PATH_END_SIGNAL, SIGABRT},
      [FINDING_DIVISION_BY_ZERO] = {PATH_END_SIGNAL, SIGFPE},
  };
  h->end = ends[kind].end ? ends[kind].end : PATH_END_SIGNAL;
  h->code = h->end == PATH_END_EXIT ? (uint32_t)exit_code : ends[kind].end ? ends[kind].signal : SIGSEGV;
}
