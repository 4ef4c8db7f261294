/* Errors of input and environment (never bugs of ours: those are asserts; never out of memory: mem.h).
 *
 * A function that can fail returns `enum err` and, beside it, fills a `struct diag` with what a reader in trouble
 * needs: what happened, where, what to do. `main` alone turns them into exit codes. */
#pragma once
#include "base/text.h"

#define ERR_LIST(X)                                \
  X(NONE, "no error")                              \
  X(USAGE, "wrong use")                            \
  X(FILE, "file cannot be read or written")        \
  X(FORMAT, "file is not what it should be")       \
  X(UNSUPPORTED, "not supported")                  \
  X(TOOL, "a program that Heddle needs failed")    \
  X(DIVERGED, "schedule does not fit the program") \
  X(INTERRUPTED, "interrupted")

enum err {
#define X(name, text) ERR_##name,
  ERR_LIST(X)
#undef X
};

const char *err_text(enum err e);

/* Where and why. Zeroed is empty; owned by the caller. */
struct diag {
  struct text message; /* one sentence, no trailing newline */
  struct text hint;    /* what to do about it; may be empty */
};

/* Sets the message (replacing an earlier one) and returns `e`, so that `return diag_set(d, ERR_FILE, ...)` reads well. */
[[gnu::format(printf, 3, 4)]] enum err diag_set(struct diag *d, enum err e, const char *format, ...);
[[gnu::format(printf, 2, 3)]] void diag_hint(struct diag *d, const char *format, ...);
void diag_release(struct diag *d);
