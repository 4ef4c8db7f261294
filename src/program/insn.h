/* What instructions mean for code that reads or rewrites them: which slots they touch, where they go on.
 *
 * For the checker of images, the disassembler and the loader; the machine's interpreter knows all this by heart. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "program/opcode.h"

struct image_layout;
struct image_leaf;

/* Bytes of saved registers that an area of variadic arguments begins with. */
enum { VARIADIC_SAVED = 176 };
enum variadic_kind { VARIADIC_SLOT, VARIADIC_LAYOUT, VARIADIC_MEMORY };

extern const char *const intrinsic_names[INTR_COUNT];

bool insn_is_call(unsigned op);
bool insn_is_variadic_call(unsigned op);
/* False for what never reaches the next instruction. */
bool insn_falls_through(unsigned op);

/* Slots of a value that lies in memory by `layout`. */
unsigned layout_slots(const struct image_layout *layout, const struct image_leaf *leaves);

struct insn_layouts {
  const struct image_layout *layouts;
  const struct image_leaf *leaves;
  uint32_t nlayouts;
};
/* The same by index; 0 if there is no such layout. */
unsigned insn_layout_slots(const struct insn_layouts *l, uint32_t layout);

/* Told of `n` consecutive slots, the first of them named by p[word].slots[field]. */
typedef void insn_slot_fn(void *context, unsigned word, unsigned field, uint32_t n, bool write);
/* Visits every slot operand of the instruction at `p`, reads before writes. */
void insn_each_slot(const union insn *p, const struct insn_layouts *layouts, insn_slot_fn *visit, void *context);
