#include <inttypes.h>
#include <string.h>

#include "program/image.h"
#include "program/insn.h"
#include "program/layout.h"

struct printer {
  const struct image *image;
  const struct image_function *function;
  struct text *out;
};

static void put_slot(struct printer *p, uint32_t slot) {
  const struct image_function *f = p->function;
  if (slot < f->slots)
    text_printf(p->out, " r%u", slot);
  else if (slot - f->slots < f->nconstants)
    text_printf(p->out, " #0x%" PRIx64, p->image->constants[f->constants + slot - f->slots]);
  else
    text_printf(p->out, " ?%u", slot);
}

static void put_operands(struct printer *p, const union insn *insn, uint32_t at) {
  const char *operands = opcode_table[insn->op].operands;
  for (unsigned i = 0; i < 3; i++) {
    uint16_t x = insn->slots[i + 1];
    switch (operands[i]) {
      case 'd':
      case 'D':
      case 's':
      case 'S':
        put_slot(p, x);
        break;
      case 'i':
        text_printf(p->out, " %d", (int16_t)x);
        break;
      case 'j':
        text_printf(p->out, " ->%u", (uint32_t)((int32_t)at + (int16_t)x));
        break;
      case 'n':
        text_printf(p->out, " n%u", x);
        break;
      case 'u':
        text_printf(p->out, " %u", x);
        break;
      default:
        break;
    }
  }
}

static void put_callee(struct printer *p, const union insn *insn) {
  const struct image *im = p->image;
  if (insn->op == OP_CALL || insn->op == OP_CALLV)
    text_printf(p->out, " %s", image_string(im, im->functions[insn[1].lo].link_name));
  else if (insn->op == OP_CALLX)
    text_printf(p->out, " extern %s", image_string(im, im->externs[insn[1].lo].name));
  else if (insn->op == OP_INTR)
    text_printf(p->out, " %s", intrinsic_names[insn[1].lo]);
  else
    put_slot(p, insn[1].lo);
  text_puts(p->out, " (");
  for (unsigned i = 0; i < insn->b; i++) put_slot(p, insn[2 + i / 4].slots[i % 4]);
  text_puts(p->out, " )");
  if (insn->op != OP_INTR && insn[1].hi) text_printf(p->out, " pad %u", insn[1].hi - 1);
  if (!insn_is_variadic_call(insn->op)) return;
  const union insn *v = &insn[2 + (insn->b + 3) / 4];
  text_printf(p->out, " variadic %u bytes", v->lo);
  for (uint32_t i = 0; i < v->hi; i++) {
    put_slot(p, v[1 + 2 * i].slots[0]);
    text_printf(p->out, ":%u@%u", v[1 + 2 * i].slots[1], v[1 + 2 * i].hi);
  }
}

static void put_switch(struct printer *p, const union insn *insn) {
  const struct image *im = p->image;
  for (uint32_t i = 0; i < insn[1].hi; i++) {
    if (insn->op == OP_SWITCH)
      text_printf(p->out, " %" PRIu64 "->%u", im->cases[insn[1].lo + i].value, im->cases[insn[1].lo + i].target);
    else
      text_printf(p->out, " %" PRIu64 "->%u", insn[3].word + i, im->targets[insn[1].lo + i]);
  }
  text_printf(p->out, " default->%u", insn[2].lo);
}

static void put_insn(struct printer *p, uint32_t at) {
  const union insn *insn = &p->image->code[at];
  text_printf(p->out, "%6u  %s", at, opcode_table[insn->op].name);
  put_operands(p, insn, at);
  unsigned words = insn_words(insn);
  if (insn_is_call(insn->op) || insn->op == OP_INTR)
    put_callee(p, insn);
  else if (insn->op == OP_SWITCH || insn->op == OP_SWITCHD)
    put_switch(p, insn);
  else if (insn->op == OP_JMP)
    text_printf(p->out, " ->%" PRId64, (int64_t)at + (int64_t)insn[1].word);
  else if (insn->op == OP_SELECT || insn->op == OP_SELECTN || insn->op == OP_ATOMIC_CAS)
    put_slot(p, insn[1].lo);
  else if (insn->op == OP_REFUSE)
    text_printf(p->out, " \"%s\"", image_string(p->image, insn[1].lo));
  else
    for (unsigned i = 1; i < words; i++) text_printf(p->out, " {%u, %u}", insn[i].lo, insn[i].hi);
  uint32_t site = p->image->code_sites[at];
  const struct image_site *s = &p->image->sites[site];
  const char *file = image_string(p->image, s->file);
  const char *slash = strrchr(file, '/');
  if (s->line) text_printf(p->out, "\t; %s:%u:%u", slash ? slash + 1 : file, s->line, s->column);
  if (s->flags & SITE_LOOP) text_puts(p->out, " loop");
  text_putc(p->out, '\n');
}

static void put_locals(struct printer *p, uint32_t function, uint32_t *next) {
  const struct image *im = p->image;
  for (; *next < im->nlocals && im->locals[*next].function == function; ++*next) {
    const struct image_local *l = &im->locals[*next];
    text_printf(p->out, "  local %s: %s r%u, %u to %u\n", image_string(im, l->name), l->in_memory ? "at" : "in", l->slot, l->from, l->to);
  }
}

static void put_global(const struct image *image, const struct image_global *g, struct text *out) {
  text_printf(out, "global %s: %" PRIu64 " bytes at 0x%" PRIx64, image_string(image, g->name), g->size, g->address);
  if (g->type) text_printf(out, " type %u %s", g->type, image_string(image, image->types[g->type].name));
  if (g->flags & GLOBAL_CONST) text_puts(out, " constant");
  if (g->flags & GLOBAL_TLS) text_puts(out, " thread-local");
  if (g->flags & GLOBAL_MODEL) text_puts(out, " model");
  text_putc(out, '\n');
}

void image_disassemble(const struct image *image, struct text *out) {
  struct printer p = {.image = image, .out = out};
  uint32_t local = 0;
  for (uint32_t i = 0; i < image->nfunctions; i++) {
    const struct image_function *f = p.function = &image->functions[i];
    text_printf(out, "function %u %s: %u parameters, %u slots, %u constants, %u results%s%s\n", i, image_string(image, f->link_name),
                f->params, f->slots, f->nconstants, f->results, f->flags & FUNCTION_VARIADIC ? ", variadic" : "",
                f->flags & FUNCTION_MODEL ? ", model" : "");
    for (uint32_t at = f->code; at < f->code + f->ncode; at += insn_words(&image->code[at])) put_insn(&p, at);
    put_locals(&p, i, &local);
  }
  for (uint32_t i = 0; i < image->nexterns; i++) text_printf(out, "extern %u %s\n", i, image_string(image, image->externs[i].name));
  for (uint32_t i = 0; i < image->nglobals; i++) put_global(image, &image->globals[i], out);
}
