#include "debug/registers.h"

#include "debug/packet.h"

/* gdb's numbers of them. */
enum { RBP = 6, RSP = 7, RIP = 16, KNOWN };

static uint64_t value_of(const struct frame_registers *r, uint64_t number) {
  return number == RBP ? r->base : number == RSP ? r->top : number == RIP ? r->pc : 0;
}

void registers_all(const struct frame_registers *r, struct text *out) {
  for (uint64_t i = 0; i < KNOWN; i++) hex_number(out, value_of(r, i), 8);
}

bool registers_one(const struct frame_registers *r, uint64_t number, struct text *out) {
  if (number < KNOWN) hex_number(out, value_of(r, number), 8);
  return number < KNOWN;
}
