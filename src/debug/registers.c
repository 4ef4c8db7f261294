#include "debug/registers.h"

#include "debug/packet.h"
#include "program/lower/data/debug_file.h"

/* gdb's numbers of them. */
enum { RAX = 0, RDX = 3, RBP = 6, RSP = 7, RIP = 16, NUMBERS, ST0 = 24, XMM0 = 40, XMM1 = 41 };

/* The `i`th slot of this kind that was returned; NULL: there is none. */
static const uint64_t *returned(const struct frame_registers *r, enum debug_result kind, unsigned i) {
  unsigned first = r->results & 3u, second = r->results >> RESULT_SECOND;
  if (first == kind && i == 0) return &r->result[0];
  return second == kind && i == (first == kind) ? &r->result[1] : NULL;
}

static void put_number(const uint64_t *value, struct text *out) {
  if (value)
    hex_number(out, *value, 8);
  else
    text_puts(out, "xxxxxxxxxxxxxxxx"); /* gdb knows that there is none */
}

void registers_one(const struct frame_registers *r, uint64_t number, struct text *out) {
  switch (number) {
    case RAX:
    case RDX:
      put_number(returned(r, RESULT_NUMBER, number == RDX), out);
      return;
    case RBP:
      put_number(&r->base, out);
      return;
    case RSP:
      put_number(&r->top, out);
      return;
    case RIP:
      put_number(&r->pc, out);
      return;
    case XMM0:
    case XMM1:
      put_number(returned(r, RESULT_REAL, number == XMM1), out);
      put_number(&(const uint64_t){0}, out);
      return;
    case ST0: /* 80 bits */
      put_number(returned(r, RESULT_EXTENDED, 0), out);
      hex_number(out, r->result[1], 2);
      return;
    default:
      put_number(NULL, out);
  }
}

void registers_all(const struct frame_registers *r, struct text *out) {
  for (uint64_t i = 0; i < NUMBERS; i++) registers_one(r, i, out);
}
