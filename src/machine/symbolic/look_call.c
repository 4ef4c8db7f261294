/* Calls: what parameters and results have, and what is fixed since somebody else looks at it. */
#include <string.h>

#include "machine/symbolic/look.h"

static uint32_t frame_end(const struct machine *m, const struct frame *frame) {
  const struct image_function *f = &m->image->functions[frame->function];
  return frame->base + f->slots + f->nconstants;
}

/* Its argument is a condition: whether these bits of it are 0 is all that matters. 0: it is none. */
static unsigned condition_bits(const char *name) {
  static const char *const names[] = {"hd_assert", "hd_assume", "__VERIFIER_assert", "__VERIFIER_assume", "__hd_assume"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return 32;
  return strcmp(name, "klee_assume") == 0 ? 64 : 0;
}

static void call_extern(struct look *l, uint32_t callee) {
  const union insn *ip = l->ip;
  l->m->symbolic->builtin = true;
  const char *name = image_string(l->m->image, l->m->image->externs[callee].name);
  bool one = ip->b == 1 && of_slot(l, ip[2].slots[0]);
  unsigned bits = one ? condition_bits(name) : 0;
  l->m->symbolic->argument = one && strcmp(name, "klee_is_symbolic") == 0;
  l->m->symbolic->told = 0;
  bool logged = strncmp(name, "__heddle_path_", 14) == 0 || strcmp(name, "__hd_exit") == 0;
  if (l->m->symbolic->apart && logged && ip->b) { /* the log decides (apart.c) */
    l->m->symbolic->told = of_slot(l, ip[2].slots[0]);
    look_each_slot(l, look_clear_writes, l);
  } else if (bits) {
    struct expr argument = low(l, slot_expr(l, ip[2].slots[0]), bits);
    symbolic_decided(l->m->symbolic, expr_binary(pool_of(l), EXPR_EQ, argument, expr_constant(pool_of(l), bits, 0)), DECIDED);
    look_each_slot(l, look_clear_writes, l);
  } else if (l->m->symbolic->argument || (one && look_real_call(l, name))) {
    look_each_slot(l, look_clear_writes, l);
  } else {
    look_fix_all(l);
  }
}

/* What is handed over in memory, and memory that is handed over itself. */
static void call_variadic(const struct look *l) {
  const union insn *p = l->ip + 2 + (l->ip->b + 3) / 4;
  uint32_t n = p->hi;
  uint64_t sp = l->m->memory.regions[l->t->tid].sp, size = p->lo ? p->lo : 8;
  symbolic_forget(l->m, sp, stack_place(sp, 16) + size - sp);
  for (p++; n > 0; n--, p += 2) {
    if (p->slots[1] == VARIADIC_MEMORY) symbolic_fix_memory(l->m, l->r[p->slots[0]], p[1].word);
  }
}

/* The parameters have what the arguments had. */
static void call_function(const struct look *l, uint32_t callee) {
  const union insn *ip = l->ip;
  uint32_t base = frame_end(l->m, l->frame);
  uint32_t params = l->m->image->functions[callee].params, n = ip->b < params ? ip->b : params;
  symbolic_cut(l->t, base);
  for (uint32_t i = 0; i < n; i++) symbolic_set(l->t, base + i, of_slot(l, ip[2].slots[i]));
}

static void fix_variadic(void *context, unsigned word, unsigned field, uint32_t n, bool write) {
  const struct look *l = context;
  if (word >= 2u + (l->ip->b + 3u) / 4u) look_fix_reads(context, word, field, n, write);
}

void look_call(struct look *l) {
  const union insn *ip = l->ip;
  const struct image *image = l->m->image;
  uint32_t callee = ip[1].lo;
  if (ip->op == OP_CALLX) {
    call_extern(l, callee);
    return;
  }
  if (ip->op == OP_CALLI || ip->op == OP_CALLIV) {
    fix_slot(l, ip[1].lo);
    uint64_t target = l->r[ip[1].lo] - TEXT_BASE;
    if (target % 16 || target / 16 >= (uint64_t)image->nfunctions + image->nexterns) return;
    callee = (uint32_t)(target / 16);
    if (callee >= image->nfunctions) {
      call_extern(l, callee - image->nfunctions);
      return;
    }
  }
  if (insn_is_variadic_call(ip->op)) {
    look_each_slot(l, fix_variadic, l);
    call_variadic(l);
  }
  call_function(l, callee);
}

void look_return(struct look *l) {
  const union insn *ip = l->ip;
  struct thread *t = l->t;
  uint64_t sp = l->m->memory.regions[t->tid].sp;
  symbolic_forget(l->m, l->frame->sp, sp - l->frame->sp);
  if (l->m->symbolic->apart && t->stage == STAGE_MAIN && t->frames.count == t->floor + 1) { /* the exit code, which the log has */
    l->m->symbolic->told = ip->b ? of_slot(l, ip->a) : 0;
    return;
  }
  if (t->frames.count == t->floor + 1) { /* whoever joins the thread gets it, or the system */
    look_each_slot(l, look_fix_reads, l);
    return;
  }
  const struct frame *caller = l->frame - 1;
  const union insn *at = l->m->image->code + caller->pc;
  for (uint32_t i = 0; i < at->c; i++) symbolic_set(t, caller->base + at->a + i, i < ip->b ? of_slot(l, ip->a + i) : 0);
}
