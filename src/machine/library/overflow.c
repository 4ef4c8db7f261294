/* What clang's -fsanitize=signed-integer-overflow,shift-base has programs call when a computation overflows: __ubsan_handle_add_overflow()
 * and so on, with a description of the place and of the types, and the operands. A program is compiled so if overflows are asked for.
 *
 * An overflow is a result that its signed type does not have. That is less than what is undefined of a shift: of a negative number, one to
 * the left is -2 from -1, as programs expect, though C leaves it open. */
#include "machine/library/system.h"
#include "machine/sync/table.h"

enum { LOCATION_BYTES = 16, POINTER_BYTES = 8, INFO_OFFSET = 2 };

static enum run overflows(struct machine *m, struct thread *t, const char *what) {
  return machine_fail(m, t, FINDING_OVERFLOW, "computation", "%s overflows", what);
}

/* X(what it is called, parameters, what overflows) */
#define ALWAYS_LIST(X)                     \
  X(add_overflow, 3, "the addition")       \
  X(sub_overflow, 3, "the subtraction")    \
  X(mul_overflow, 3, "the multiplication") \
  X(negate_overflow, 2, "the negation")    \
  X(divrem_overflow, 3, "the division")

#define X(name, params, what)     \
  static BUILTIN(name) {          \
    (void)args, (void)result;     \
    return overflows(m, t, what); \
  }
ALWAYS_LIST(X)
#undef X

/* The bits of the left operand's type, which the description names behind the place: half of the number behind its kind. */
static unsigned left_bits(const struct machine *m, uint64_t description) {
  uint64_t type, info;
  if (!machine_peek(m, description + LOCATION_BYTES, POINTER_BYTES, &type) || !machine_peek(m, type + INFO_OFFSET, 2, &info)) return 0;
  return 1u << (info >> 1 & 31);
}

/* The number of places is less than the type has bits. Operands of more than 64 bits are in memory: there every overflow is one. */
static BUILTIN(shift_out_of_bounds) {
  (void)result;
  unsigned bits = left_bits(m, args[0]);
  if (bits == 0 || bits > 64 || args[2] >= bits) return overflows(m, t, "the shift");
  int64_t left = (int64_t)(args[1] << (64 - bits)), shifted = (int64_t)((uint64_t)left << args[2]);
  bool fits = left < 0 && shifted >> args[2] == left;
  return fits ? RUN_GO : overflows(m, t, "the shift");
}

/* Some compilers' flags have the program end there. */
#define BOTH(name, params) {"__ubsan_handle_" #name, name, params}, {"__ubsan_handle_" #name "_abort", name, params},

const struct builtin overflow_builtins[] = {
#define X(name, params, what) BOTH(name, params)
    ALWAYS_LIST(X)
#undef X
        BOTH(shift_out_of_bounds, 3){0},
};
