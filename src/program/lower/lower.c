/* From a linked module to an image file. */
#include "program/lower/lower.h"

#include <string.h>

#include "program/lower/analysis/dependence.h"
#include "program/lower/data/debug_file.h"
#include "program/lower/link.h"
#include "program/lower/load.h"
#include "program/named_calls.h"

/* The instruction, as LLVM prints it: for what has no text of its own. */
static void put_instruction(LLVMValueRef at, struct text *out) {
  char *insn = LLVMPrintValueToString(at);
  char *newline = strchr(insn, '\n'), *debug = strstr(insn, ", !dbg");
  if (newline) *newline = 0;
  if (debug) *debug = 0;
  text_printf(out, " in:%.300s", insn);
  LLVMDisposeMessage(insn);
}

void lower_fail(struct lower *l, LLVMValueRef at, const char *format, ...) {
  if (l->failed) return;
  l->failed = true;
  if (!at && l->fn) at = l->fn->insn;
  text_clear(&l->why);
  text_puts(&l->why, "not supported: ");
  va_list args;
  va_start(args, format);
  text_vprintf(&l->why, format, args);
  va_end(args);
  l->where = at && LLVMGetValueKind(at) == LLVMInstructionValueKind ? at : NULL;
  if (l->where && LLVMGetInstructionOpcode(at) != LLVMCall) put_instruction(at, &l->why);
  if (!l->fn) diag_set(l->diag, ERR_UNSUPPORTED, "%s", text_str(&l->why));
}

static void lower_release(struct lower *l) {
  image_builder_release(&l->image);
  text_release(&l->why);
  for (size_t i = 0; i < l->type_list.count; i++) mem_free(l->type_list.data[i], sizeof *l->type_list.data[i]);
  vec_release(&l->type_list);
  vec_release(&l->fields);
  vec_release(&l->functions);
  vec_release(&l->variables);
  vec_release(&l->late);
  vec_release(&l->site_insns);
  vec_release(&l->local_debug);
  hashmap_release(&l->types), hashmap_release(&l->callees), hashmap_release(&l->globals), hashmap_release(&l->labels);
  hashmap_release(&l->files), hashmap_release(&l->debug_types), hashmap_release(&l->selectors), hashmap_release(&l->expressions);
}

/* What of properties' names the program has. */
static void place_known(struct lower *l) {
  unsigned n = LLVMGetNamedMetadataNumOperands(l->module, NAMED_CALLS_KNOWN);
  LLVMValueRef *nodes = mem_alloc((n + 1) * sizeof *nodes), string;
  if (n) LLVMGetNamedMetadataOperands(l->module, NAMED_CALLS_KNOWN, nodes);
  for (unsigned i = 0; i < n; i++) {
    struct text name = {0};
    unsigned length;
    LLVMGetMDNodeOperands(nodes[i], &string);
    text_printf(&name, "%s%s", IMAGE_KNOWN_PREFIX, LLVMGetMDString(string, &length));
    extern_index(l, text_str(&name), name.count);
    text_release(&name);
  }
  mem_free(nodes, (n + 1) * sizeof *nodes);
}

static enum err lower_module(LLVMModuleRef module, const struct load_options *options, struct diag *d) {
  struct lower l = {.module = module, .context = LLVMGetModuleContext(module), .layout = LLVMGetModuleDataLayout(module), .diag = d};
  l.coverage = options->coverage;
  struct fn f = {0};
  image_builder_init(&l.image);
  globals_place(&l);
  place_known(&l);
  for (uint32_t i = 0; i < l.functions.count && !l.failed; i++) fn_lower(&l, &f, i);
  if (!l.failed) globals_fill(&l);
  if (!l.failed) dependence_find(&l);
  fn_release(&f);
  enum err e = l.failed ? ERR_UNSUPPORTED : image_builder_write(&l.image, options->output, d);
  if (e == ERR_NONE && options->debug_file) e = debug_file_write(&l, options->debug_file);
  lower_release(&l);
  return e;
}

enum err load_program(const struct load_options *options, struct diag *d) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = NULL;
  enum err e = link_program(context, options, &module, d);
  if (e == ERR_NONE) e = lower_module(module, options, d);
  if (options->ends) return e;
  if (module) LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return e;
}
