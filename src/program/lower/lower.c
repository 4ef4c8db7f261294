/* From a linked module to an image file. */
#include "program/lower/lower.h"

#include <string.h>

#include "program/lower/dependence.h"
#include "program/lower/link.h"
#include "program/lower/load.h"

void lower_place_text(struct lower *l, LLVMValueRef at, struct text *out) {
  size_t n;
  if (l->fn) text_printf(out, "function '%s'", LLVMGetValueName2(l->fn->f, &n));
  unsigned nf = 0, nd = 0;
  if (!at || LLVMGetValueKind(at) != LLVMInstructionValueKind) return;
  const char *file = LLVMGetDebugLocFilename(at, &nf);
  if (!file || !nf) return;
  const char *directory = LLVMGetDebugLocDirectory(at, &nd);
  uint32_t string = debug_file(l, directory, nd, file, nf);
  text_printf(out, ", %s:%u:%u", l->image.strings.data + string, LLVMGetDebugLocLine(at), LLVMGetDebugLocColumn(at));
}

void lower_fail(struct lower *l, LLVMValueRef at, const char *format, ...) {
  if (l->failed) return;
  l->failed = true;
  if (!at && l->fn) at = l->fn->insn;
  struct text what = {0}, where = {0};
  va_list args;
  va_start(args, format);
  text_vprintf(&what, format, args);
  va_end(args);
  lower_place_text(l, at, &where);
  diag_set(l->diag, ERR_UNSUPPORTED, "not supported: %s%s%s%s", text_str(&what), where.count ? " (" : "", text_str(&where),
           where.count ? ")" : "");
  if (at && LLVMGetValueKind(at) == LLVMInstructionValueKind) {
    char *insn = LLVMPrintValueToString(at);
    char *newline = strchr(insn, '\n');
    if (newline) *newline = 0;
    text_printf(&l->diag->message, " in:%.300s", insn);
    LLVMDisposeMessage(insn);
  }
  text_release(&what), text_release(&where);
}

static void lower_release(struct lower *l) {
  image_builder_release(&l->image);
  for (size_t i = 0; i < l->type_list.count; i++) mem_free(l->type_list.data[i], sizeof *l->type_list.data[i]);
  vec_release(&l->type_list);
  vec_release(&l->fields);
  vec_release(&l->functions);
  vec_release(&l->variables);
  vec_release(&l->late);
  vec_release(&l->site_insns);
  hashmap_release(&l->types), hashmap_release(&l->callees), hashmap_release(&l->globals), hashmap_release(&l->labels);
  hashmap_release(&l->files), hashmap_release(&l->debug_types), hashmap_release(&l->selectors), hashmap_release(&l->expressions);
}

static enum err lower_module(LLVMModuleRef module, const char *output, struct diag *d) {
  struct lower l = {.module = module, .context = LLVMGetModuleContext(module), .layout = LLVMGetModuleDataLayout(module), .diag = d};
  struct fn f = {0};
  image_builder_init(&l.image);
  globals_place(&l);
  for (uint32_t i = 0; i < l.functions.count && !l.failed; i++) fn_lower(&l, &f, i);
  if (!l.failed) globals_fill(&l);
  if (!l.failed) dependence_find(&l);
  fn_release(&f);
  enum err e = l.failed ? ERR_UNSUPPORTED : image_builder_write(&l.image, output, d);
  lower_release(&l);
  return e;
}

enum err load_program(const struct load_options *options, struct diag *d) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = NULL;
  enum err e = link_program(context, options, &module, d);
  if (e == ERR_NONE) e = lower_module(module, options->output, d);
  if (module) LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return e;
}
