/* An instruction that is about to be executed, for those who follow values beside the interpreter: undefined ones (undefined_insn.c), and
 * symbolic ones (symbolic/look.h). */
#pragma once
#include "machine/internal.h"
#include "program/insn.h"

struct look {
  struct machine *m;
  struct thread *t;
  struct frame *frame;
  const union insn *ip;
  const uint64_t *r; /* the frame's slots */
};

/* All slots of the instruction. */
static inline void look_each_slot(const struct look *l, insn_slot_fn *each, void *context) {
  const struct image *image = l->m->image;
  const struct insn_layouts layouts = {image->layouts, image->leaves, image->nlayouts};
  insn_each_slot(l->ip, &layouts, each, context);
}
