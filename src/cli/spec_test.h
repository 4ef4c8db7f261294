/* heddle check --test-spec: is a specification of commutativity right (explore/commutation.h)? */
#pragma once
#include "cli/options.h"

/* Prints what was found. The exit code: 0: no counterexample; 1: there is one; 2: it cannot be tested, which was said. */
int spec_test(const struct options *o);
