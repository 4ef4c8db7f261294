/* Invocations of the methods that a specification names (base/spec.h), as an execution comes to them. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/spec.h"

struct machine;

/* One begins or ends. The events of its thread from `index` on, up to that of its end, are inside it. An invocation that a method makes is
 * a part of that method's; only the outermost ones are here. */
struct machine_invocation {
  uint32_t thread, index;
  bool ends;
  struct spec_invocation what; /* results: with its end alone; states: the state before its first event, with its beginning alone */
};
/* Those of the present execution, in their order. Holds until the machine goes on. NULL: there is no specification. */
const struct machine_invocation *machine_invocations(const struct machine *m, uint32_t *n);
/* What the function of the specification (spec.functions) returns for these arguments, called in the present state, which stays as it is.
 * False: it failed, waited, or did not end. Only between steps; the execution may be over. */
bool machine_call(struct machine *m, unsigned function, const int64_t *arguments, unsigned n, int64_t *result);

/* A call of a method (spec.methods), or of another function of the specification (spec.functions), to be made, and what came of it. */
struct machine_called {
  bool method;
  uint16_t index;
  uint8_t n;
  int64_t arguments[SPEC_PARAMETERS];
  int64_t result;
};
/* Makes the calls one after the other, each by a thread of its own, from the present state on, which stays as it is. Returns how many came
 * back: fewer than `n` if one failed, waited, or did not end. Where machine_call() may be used. */
unsigned machine_call_all(struct machine *m, struct machine_called *calls, unsigned n);
/* How many parameters the method has, in words; false: the program defines no function of that name. */
bool machine_method_parameters(const struct machine *m, unsigned method, uint32_t *n);
