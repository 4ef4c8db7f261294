/* Processes that share the windows of a recorded run: each goes through the whole run, and looks at some of its windows. After each round
 * of windows all say what they found, and are told what is known then; so what a process does depends on the round alone, not on how many
 * processes there are.
 *
 * The first process is the caller's own, which is told everything; the others end in parts_leave(). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"

struct parts {
  uint32_t n, part;   /* processes; which one this is */
  void (*pipes)(int); /* what SIGPIPE did before */
  VEC(struct parts_process) others;
  struct parts_process {
    int pid, in, out; /* of the first: pipes from and to each other one; of another one: pid 0, from and to the first */
  } unused;
};

/* Makes `n` processes of this one. ERR_TOOL if that cannot be. */
[[nodiscard]] enum err parts_start(struct parts *p, uint32_t n, struct diag *d);
/* A message. Of the first process: to or from the `i`-th other one; of the others: 0, to or from the first. False if that has ended. */
[[nodiscard]] bool parts_send(struct parts *p, uint32_t i, const struct text *message);
[[nodiscard]] bool parts_receive(struct parts *p, uint32_t i, struct text *message);
/* The first process waits for the others; the others end here. */
void parts_leave(struct parts *p);
