/* The rules that a recorded run keeps (recorded.h), checked on a run that somebody else has put in order. */
#pragma once
#include "trace/recorded.h"

/* X(name, what is wrong) */
#define CHECK_LIST(X)                                                                             \
  X(INDEX, "its number is not the next one of its thread")                                        \
  X(OPERATION, "there is no such operation")                                                      \
  X(ADDRESS, "no program has this address, or its end")                                           \
  X(BEFORE_BEGIN, "its thread begins behind it, or a second time")                                \
  X(BEFORE_FORK, "its thread is created behind it, or a second time")                             \
  X(AFTER_END, "its thread has ended before it")                                                  \
  X(JOIN, "the thread that it has waited for goes on, or ends, behind it")                        \
  X(HELD, "another thread holds the lock")                                                        \
  X(TWICE, "its thread holds the lock already")                                                   \
  X(NOT_HELD, "its thread does not hold the lock")                                                \
  X(TRIED, "nobody holds the lock that was tried in vain")                                        \
  X(WAIT, "the end of a wait that has not begun, or an operation of a thread that waits")         \
  X(VALUE, "it does not read what is there, and is not marked as a read that nobody can explain") \
  X(POINTER, "the pointer that its thread uses is not the value that it decides by")              \
  X(ARGUMENT, "an argument that follows no call or return")                                       \
  X(SITE, "there is no such place")

enum check_rule {
#define X(name, text) CHECK_##name,
  CHECK_LIST(X)
#undef X
      CHECK_COUNT
};
const char *check_rule_text(enum check_rule rule);

/* What was found: of each rule how many events break it, and the first one. */
struct check_result {
  uint64_t events, broken[CHECK_COUNT];
  struct event first[CHECK_COUNT];
};

/* Reads the run to its end. ERR_NONE, or what the stream says. */
enum err check_run(struct recorded_stream *s, struct check_result *r);
