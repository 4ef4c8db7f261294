#include "program/image_check.h"

#include "base/hash.h"
#include "base/mem.h"
#include "program/insn.h"
#include "program/layout.h"

struct checker {
  const struct image *image;
  struct text *why;
  struct insn_layouts layouts;
  unsigned char *starts; /* by code index: an instruction begins here */
  uint32_t function, code;
};

#define CHECK(c, condition, ...)                      \
  do {                                                \
    if (!(condition)) {                               \
      if (bad(c)) text_printf((c)->why, __VA_ARGS__); \
      return;                                         \
    }                                                 \
  } while (0)

static bool bad(struct checker *c) { return c->why->count == 0; }

static bool in_range(uint64_t first, uint64_t n, uint64_t count) { return first <= count && n <= count - first; }

static void check_strings(struct checker *c) {
  const struct image *i = c->image;
  CHECK(c, i->nstrings > 0 && i->strings[0] == 0 && i->strings[i->nstrings - 1] == 0, "strings are not terminated");
}

static void check_function_table(struct checker *c) {
  const struct image *im = c->image;
  uint64_t next = 0;
  for (uint32_t i = 0; i < im->nfunctions; i++) {
    const struct image_function *f = &im->functions[i];
    CHECK(c, f->name < im->nstrings && f->link_name < im->nstrings && f->file < im->nstrings, "function %u has a bad name", i);
    CHECK(c, f->code == next && f->ncode > 0 && in_range(f->code, f->ncode, im->ncode), "function %u has bad code bounds", i);
    CHECK(c, in_range(f->constants, f->nconstants, im->nconstants), "function %u has bad constants", i);
    CHECK(c, f->params <= f->slots && (uint64_t)f->slots + f->nconstants <= 65535, "function %u has too many slots", i);
    next += f->ncode;
  }
  CHECK(c, next == im->ncode && im->ncode_sites == im->ncode, "code and functions do not fit");
  for (uint32_t i = 0; i < im->nexterns; i++)
    CHECK(c, im->externs[i].name < im->nstrings && im->externs[i].site < im->nsites + 1, "extern %u is bad", i);
  CHECK(c, im->header->main == UINT32_MAX || im->header->main < im->nfunctions, "main is not a function");
}

static void check_tables(struct checker *c) {
  const struct image *im = c->image;
  for (uint32_t i = 0; i < im->nlayouts; i++) {
    const struct image_layout *l = &im->layouts[i];
    CHECK(c, in_range(l->first, l->count, im->nleaves) && l->count <= 65535 && l->align && (l->align & (l->align - 1)) == 0,
          "layout %u is bad", i);
    for (uint32_t k = 0; k < l->count; k++) {
      const struct image_leaf *leaf = &im->leaves[l->first + k];
      bool bit = leaf->kind == LEAF_BIT;
      unsigned most = leaf->kind == LEAF_WIDE ? 16 : 8;
      CHECK(c, leaf->kind <= LEAF_BIT && (bit || (leaf->bytes >= 1 && leaf->bytes <= most)), "leaf %u is bad", l->first + k);
      CHECK(c, bit ? leaf->offset / 8 < l->size : in_range(leaf->offset, leaf->bytes, l->size), "leaf %u lies outside", l->first + k);
    }
  }
  for (uint32_t i = 0; i < im->npads; i++)
    CHECK(c, in_range(im->pads[i].first, im->pads[i].count, im->nclauses) && im->pads[i].target < im->ncode, "pad %u is bad", i);
  for (uint32_t i = 0; i < im->nclauses; i++) CHECK(c, im->clauses[i].kind <= CLAUSE_FILTER, "clause %u is bad", i);
  for (uint32_t i = 0; i < im->nsites; i++)
    CHECK(c, im->sites[i].function < im->nfunctions && im->sites[i].file < im->nstrings, "site %u is bad", i);
  for (uint32_t i = 0; i < im->ncode_sites; i++) CHECK(c, im->code_sites[i] < im->nsites, "code word %u has no site", i);
  for (uint32_t i = 0; i < im->nctors; i++) CHECK(c, im->ctors[i].function < im->nfunctions, "constructor %u is bad", i);
  for (uint32_t i = 0; i < im->ndtors; i++) CHECK(c, im->dtors[i].function < im->nfunctions, "destructor %u is bad", i);
}

static void check_data(struct checker *c) {
  const struct image *im = c->image;
  const struct image_header *h = im->header;
  CHECK(c, h->data_size <= GLOBALS_SIZE && im->ndata <= h->data_size, "the data do not fit");
  CHECK(c, h->tls_size <= REGION_STACK_SIZE / 2 && im->ntls <= h->tls_size, "the thread-local data do not fit");
  CHECK(c, h->tls_align && h->tls_align <= 4096 && (h->tls_align & (h->tls_align - 1)) == 0, "bad thread-local alignment");
  for (uint32_t i = 0; i < im->nglobals; i++) {
    const struct image_global *g = &im->globals[i];
    CHECK(c, g->name < im->nstrings && g->file < im->nstrings && g->type < im->ntypes, "global %u is bad", i);
    bool tls = g->flags & GLOBAL_TLS;
    CHECK(c,
          tls ? in_range(g->address, g->size, h->tls_size)
              : g->address >= GLOBALS_BASE && in_range(g->address - GLOBALS_BASE, g->size, h->data_size),
          "global %u lies outside", i);
    CHECK(c, i == 0 || im->globals[i - 1].address <= g->address, "globals are not sorted");
  }
}

static void check_depend(struct checker *c) {
  const struct image *im = c->image;
  if (im->ndepend_sites == 0 && im->ndepend_first == 0 && im->ndepend_edges == 0) return;
  CHECK(c, im->ndepend_sites == im->nsites && im->ndepend_first > DEPEND_NODES, "dependencies and sites do not fit");
  uint32_t nodes = im->ndepend_first - 1;
  for (uint32_t i = 0; i < im->ndepend_sites; i++) {
    const struct image_depend *d = &im->depend_sites[i];
    CHECK(c, d->control < nodes && d->value < nodes && d->read < nodes, "dependencies of site %u are bad", i);
  }
  for (uint32_t i = 0; i < nodes; i++) CHECK(c, im->depend_first[i] <= im->depend_first[i + 1], "node %u has bad dependencies", i);
  CHECK(c, im->depend_first[nodes] == im->ndepend_edges, "dependencies and nodes do not fit");
  for (uint32_t i = 0; i < im->ndepend_edges; i++) CHECK(c, im->depend_edges[i] < nodes, "dependency %u leads nowhere", i);
}

static void check_debug(struct checker *c) {
  const struct image *im = c->image;
  CHECK(c, im->ntypes > 0, "no types");
  for (uint32_t i = 0; i < im->ntypes; i++) {
    const struct image_type *t = &im->types[i];
    CHECK(c, t->name < im->nstrings && t->kind <= TYPE_ENUM && t->element < im->ntypes && in_range(t->first, t->nmembers, im->nmembers),
          "type %u is bad", i);
  }
  for (uint32_t i = 0; i < im->nmembers; i++)
    CHECK(c, im->members[i].name < im->nstrings && im->members[i].type < im->ntypes, "member %u is bad", i);
  for (uint32_t i = 0; i < im->nlocals; i++) {
    const struct image_local *l = &im->locals[i];
    CHECK(c, l->function < im->nfunctions && l->name < im->nstrings && l->type < im->ntypes, "local %u is bad", i);
    const struct image_function *f = &im->functions[l->function];
    CHECK(c, l->slot < f->slots + f->nconstants && l->from <= l->to && l->to <= im->ncode, "local %u is bad", i);
    CHECK(c, i == 0 || im->locals[i - 1].function <= l->function, "locals are not sorted");
  }
}

/* Instruction boundaries of one function, before anything is read behind its end. */
static void check_boundaries(struct checker *c, const struct image_function *f) {
  const struct image *im = c->image;
  uint32_t end = f->code + f->ncode;
  unsigned last = OP_COUNT;
  for (uint32_t p = f->code; p < end;) {
    const union insn *insn = &im->code[p];
    CHECK(c, insn->op < OP_COUNT, "no such instruction at word %u", p);
    uint64_t words = 1;
    if (opcode_table[insn->op].words != VAR) {
      words += opcode_table[insn->op].words;
    } else {
      words += 1 + (insn->b + 3u) / 4;
      if (insn_is_variadic_call(insn->op)) {
        CHECK(c, p + words < end, "an instruction is cut at word %u", p);
        words += 1 + 2 * (uint64_t)insn[words].hi;
      }
    }
    CHECK(c, words <= end - p, "an instruction is cut at word %u", p);
    c->starts[p] = 1, last = insn->op;
    p += (uint32_t)words;
  }
  CHECK(c, !insn_falls_through(last), "function %u runs off its end", c->function);
}

static void check_slot(void *context, unsigned word, unsigned field, uint32_t n, bool write) {
  struct checker *c = context;
  const struct image_function *f = &c->image->functions[c->function];
  uint32_t slot = c->image->code[c->code + word].slots[field];
  CHECK(c, in_range(slot, n, write ? f->slots : f->slots + f->nconstants), "no such slot at word %u", c->code);
}

static void check_target(struct checker *c, int64_t target) {
  const struct image_function *f = &c->image->functions[c->function];
  CHECK(c, target >= f->code && target < (int64_t)f->code + f->ncode && c->starts[target], "a jump leads astray at word %u", c->code);
}

static void check_switch(struct checker *c, const union insn *p) {
  const struct image *im = c->image;
  bool dense = p->op == OP_SWITCHD;
  CHECK(c, in_range(p[1].lo, p[1].hi, dense ? im->ntargets : im->ncases), "a switch has bad cases at word %u", c->code);
  check_target(c, p[2].lo);
  for (uint32_t i = 0; i < p[1].hi && bad(c); i++) {
    uint32_t at = p[1].lo + i;
    check_target(c, dense ? im->targets[at] : im->cases[at].target);
    CHECK(c, dense || i == 0 || im->cases[at - 1].value < im->cases[at].value, "a switch is not sorted at word %u", c->code);
  }
}

static bool good_order(unsigned order) { return order <= 5; }

static bool good_size(unsigned size) { return size == 1 || size == 2 || size == 4 || size == 8 || size == 16; }

static void check_atomic(struct checker *c, const union insn *p) {
  unsigned how = p->op == OP_ATOMIC_RMW || p->op == OP_ATOMIC_CAS ? p[1].hi : p->c;
  CHECK(c, good_size(how & 255) && good_order(how >> 8 & 255) && good_order(how >> 16 & 255), "a bad atomic access at word %u", c->code);
  CHECK(c, p->op != OP_ATOMIC_RMW || p[1].lo <= RMW_UDEC_WRAP, "a bad atomic operation at word %u", c->code);
}

static void check_call(struct checker *c, const union insn *p) {
  const struct image *im = c->image;
  CHECK(c, p[1].hi <= im->npads, "no such pad at word %u", c->code);
  if (p[1].hi) check_target(c, im->pads[p[1].hi - 1].target);
  if (p->op == OP_CALL || p->op == OP_CALLV) {
    CHECK(c, p[1].lo < im->nfunctions, "no such function at word %u", c->code);
    const struct image_function *f = &im->functions[p[1].lo];
    CHECK(c, f->params == p->b && (p->c == f->results || p->c == 0), "a call does not fit its function at word %u", c->code);
    CHECK(c, !(f->flags & FUNCTION_VARIADIC) == (p->op == OP_CALL), "a call does not fit its function at word %u", c->code);
  }
  CHECK(c, p->op != OP_CALLX || p[1].lo < im->nexterns, "no such extern at word %u", c->code);
  if (!insn_is_variadic_call(p->op)) return;
  const union insn *v = &p[2 + (p->b + 3) / 4];
  for (uint32_t i = 0; i < v->hi; i++) {
    const union insn *a = &v[1 + 2 * i];
    uint64_t size = a->slots[1] == VARIADIC_SLOT ? 8 : a[1].word;
    CHECK(c, a->slots[1] <= VARIADIC_MEMORY, "a bad variadic argument at word %u", c->code);
    if (a->slots[1] == VARIADIC_LAYOUT) {
      CHECK(c, a[1].word < im->nlayouts, "no such layout at word %u", c->code);
      size = im->layouts[a[1].word].size;
    }
    CHECK(c, in_range(a->hi, size, v->lo), "a variadic argument lies outside at word %u", c->code);
  }
}

/* long: one short case for each instruction with more than slots */
static void check_insn(struct checker *c, const union insn *p) {
  const struct image *im = c->image;
  const struct image_function *f = &im->functions[c->function];
  if (insn_is_call(p->op)) check_call(c, p);
  if (bad(c)) insn_each_slot(p, &c->layouts, check_slot, c);
  if (opcode_table[p->op].operands[2] == 'j') check_target(c, (int64_t)c->code + (int16_t)p->c);
  switch (p->op) {
    case OP_JMP:
      CHECK(c, (int64_t)p[1].word > -(1ll << 40) && (int64_t)p[1].word < 1ll << 40, "a jump leads astray at word %u", c->code);
      check_target(c, (int64_t)c->code + (int64_t)p[1].word);
      return;
    case OP_SWITCH:
    case OP_SWITCHD:
      check_switch(c, p);
      return;
    case OP_UNDEF:
      CHECK(c, p->b >= 1 && p->b <= 64, "a bad width at word %u", c->code);
      return;
    case OP_TRUNC:
      CHECK(c, p->c >= 1 && p->c <= 63, "a bad width at word %u", c->code);
      return;
    case OP_SEXT:
      CHECK(c, (p->c & 255) >= 1 && (p->c & 255) <= 63 && p->c >> 8 >= 1 && p->c >> 8 <= 64, "a bad width at word %u", c->code);
      return;
    case OP_WTRUNC:
      CHECK(c, p->c >= 65 && p->c <= 127, "a bad width at word %u", c->code);
      return;
    case OP_WSEXT:
      CHECK(c, p->c >= 1 && p->c <= 127, "a bad width at word %u", c->code);
      return;
    case OP_F2S:
    case OP_F2U:
    case OP_G2S:
    case OP_G2U:
    case OP_X2S:
    case OP_X2U:
      CHECK(c, p->c >= 1 && p->c <= 64, "a bad width at word %u", c->code);
      return;
    case OP_SHLI32:
    case OP_LSHRI32:
    case OP_ASHRI32:
      CHECK(c, p->c < 32, "a bad shift at word %u", c->code);
      return;
    case OP_SHLI64:
    case OP_LSHRI64:
    case OP_ASHRI64:
      CHECK(c, p->c < 64, "a bad shift at word %u", c->code);
      return;
    case OP_LDN:
    case OP_STN:
      CHECK(c, p[1].lo < im->nlayouts, "no such layout at word %u", c->code);
      return;
    case OP_PACK:
      CHECK(c, p[1].lo < im->nlayouts && p[1].hi < im->nlayouts, "no such layout at word %u", c->code);
      return;
    case OP_ALLOCA:
    case OP_ALLOCAX:
      CHECK(c, p[1].hi && p[1].hi <= 1u << 20 && (p[1].hi & (p[1].hi - 1)) == 0, "a bad alignment at word %u", c->code);
      return;
    case OP_TLS:
      CHECK(c, p[1].word <= im->header->tls_size, "no such thread-local at word %u", c->code);
      return;
    case OP_ATOMIC_LD:
    case OP_ATOMIC_ST:
    case OP_ATOMIC_RMW:
    case OP_ATOMIC_CAS:
      check_atomic(c, p);
      return;
    case OP_REFUSE:
      CHECK(c, p[1].lo < im->nstrings, "no such string at word %u", c->code);
      return;
    case OP_FENCE:
      CHECK(c, good_order(p->a), "a bad fence at word %u", c->code);
      return;
    case OP_RET:
      CHECK(c, p->b == f->results, "a bad return at word %u", c->code);
      return;
    case OP_INTR:
      CHECK(c, p[1].lo < INTR_COUNT && p->c <= 128, "no such intrinsic at word %u", c->code);
      return;
    case OP_XCMP:
      CHECK(c, p[1].word <= 15, "a bad comparison at word %u", c->code);
      return;
    case OP_WCONV:
      CHECK(c, p->c <= CONV_X2V, "a bad conversion at word %u", c->code);
      return;
    case OP_EXTRACTX:
    case OP_INSERTX:
      CHECK(c, p[1].lo <= 65535 && p[1].hi <= 65535, "a bad vector at word %u", c->code);
      return;
    default:
      return;
  }
}

static void check_code(struct checker *c) {
  const struct image *im = c->image;
  for (c->function = 0; c->function < im->nfunctions && bad(c); c->function++) check_boundaries(c, &im->functions[c->function]);
  for (c->function = 0; c->function < im->nfunctions && bad(c); c->function++) {
    const struct image_function *f = &im->functions[c->function];
    for (c->code = f->code; c->code < f->code + f->ncode && bad(c); c->code += insn_words(&im->code[c->code]))
      check_insn(c, &im->code[c->code]);
  }
}

void image_check(const struct image *image, struct text *why) {
  struct checker c = {.image = image, .why = why, .layouts = {image->layouts, image->leaves, image->nlayouts}};
  void (*const steps[])(struct checker *) = {check_strings, check_function_table, check_tables, check_data,
                                             check_debug,   check_depend,         check_code};
  c.starts = mem_alloc(image->ncode);
  for (unsigned i = 0; i < sizeof steps / sizeof *steps && bad(&c); i++) steps[i](&c);
  mem_free(c.starts, image->ncode);
}
