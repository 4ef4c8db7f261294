/* Is a specification of commutativity right (heddle check --test-spec)? Methods are called one after the other, by nobody but us, on an
 * object as the program has made it: in each abstract state that a few calls lead to, each two calls with small arguments are made in both
 * orders. They commute if both return the same either way, and the object's state is the same then: what the specification's state function
 * says of it, or, if there is none, what up to two further calls return (NCMC, Definition 4.3.4; soundness: 4.3.7). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/spec.h"
#include "base/vec.h"

struct machine;

struct commutation_options {
  uint32_t operations; /* states that so many calls lead to */
  uint32_t values;     /* arguments from 0 to one less */
};

struct commutation_call {
  uint16_t method;
  uint8_t n;
  int64_t arguments[SPEC_PARAMETERS];
};

/* Two calls, `calls[0]` first, and then in the other order. */
struct commutation_case {
  VEC(struct commutation_call) before; /* that lead to the state */
  struct commutation_call calls[2];
  bool stopped[2];       /* by order: a call failed, waited or did not end. What follows is 0 then */
  int64_t results[2][2]; /* by order, by call */
  int64_t states[2];     /* by order: afterwards; a number that stands for what can be seen if there is no state function */
  enum spec_answer answer;
};

/* Of two methods of an object. */
struct commutation_pair {
  uint16_t methods[2];
  uint64_t tried;            /* cases, each in one order */
  uint64_t said;             /* of them, those of which the specification says that they commute */
  uint64_t unsaid_commuting; /* of the others, those that do all the same */
  bool wrong, odd;           /* there is a case in which it says so, and they do not; in which the formula is wrong */
  struct commutation_case first_wrong, first_odd, first_unsaid;
};

struct commutation_result {
  VEC(struct commutation_pair) pairs;
  uint64_t states, cases, stopped; /* stopped: calls that failed, waited or did not end: cases with them say nothing */
  VEC(uint16_t) unmet;             /* objects of the specification that the program does not have when its threads begin */
};

/* The machine has a specification, and is in its initial state, as it is afterwards. ERR_UNSUPPORTED: there are too many arguments. */
[[nodiscard]] enum err commutation_test(struct machine *m, const struct spec *spec, const struct commutation_options *options,
                                        struct commutation_result *r, struct diag *d);
void commutation_release(struct commutation_result *r);
