#include "program/lower/data/debug_file.h"

#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>

#include "program/layout.h"
#include "program/lower/link.h"
#include "program/lower/lower.h"

#define TRIPLE "x86_64-unknown-linux-gnu" /* whose registers and frames a debugger is shown, whatever runs the machine */

/* Operators of DWARF's expressions. */
enum { OP_DEREF = 0x06, OP_PLUS_CONSTANT = 0x23 };

struct debug_module {
  struct lower *l;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMDIBuilderRef debug;
  LLVMTypeRef type; /* of all functions: void(void) */
  uint32_t local;   /* the first of the image's locals that is not of an earlier function */
};

/* A variable is somewhere from here on, or nowhere any more. */
struct turn {
  uint32_t at, local;
  bool ends;
};

static int compare_turns(const void *a, const void *b) {
  const struct turn *x = a, *y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  if (x->ends != y->ends) return x->ends ? -1 : 1;
  return (x->local > y->local) - (x->local < y->local);
}

static void attribute(const struct debug_module *m, LLVMValueRef f, const char *name, const char *value) {
  LLVMAttributeRef a = LLVMCreateStringAttribute(m->l->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(f, FUNCTION_ATTRIBUTES, a);
}

static void put_assembly(const struct debug_module *m, const struct text *assembly) {
  LLVMValueRef code = LLVMGetInlineAsm(m->type, assembly->data, assembly->count, "", 0, true, false, LLVMInlineAsmDialectATT, false);
  LLVMBuildCall2(m->builder, m->type, code, NULL, 0, "");
}

static void put_words(const struct debug_module *m, uint32_t n, LLVMMetadataRef place) {
  struct text bytes = {0};
  text_printf(&bytes, ".fill %u, 1, 0x90", n);
  LLVMSetCurrentDebugLocation2(m->builder, place);
  put_assembly(m, &bytes);
  text_release(&bytes);
}

static void put_turn(const struct debug_module *m, const struct turn *turn, LLVMValueRef area, LLVMBasicBlockRef block) {
  const struct image_local *x = &m->l->image.locals.data[turn->local];
  const struct local_debug *node = &m->l->local_debug.data[turn->local];
  uint64_t ops[] = {OP_PLUS_CONSTANT, 8 * (uint64_t)x->slot, OP_DEREF, OP_DEREF};
  LLVMMetadataRef where = LLVMDIBuilderCreateExpression(m->debug, ops, turn->ends ? 0 : x->in_memory ? 4 : 3);
  LLVMValueRef value = turn->ends ? LLVMGetPoison(LLVMTypeOf(area)) : area;
  LLVMDIBuilderInsertDbgValueRecordAtEnd(m->debug, value, node->variable, where, node->location, block);
}

/* The place of a word of code; NULL: none. */
static LLVMMetadataRef place_of(const struct debug_module *m, uint32_t code) {
  LLVMValueRef v = m->l->site_insns.data[m->l->image.code_sites.data[code]];
  return v && LLVMIsAInstruction(v) ? LLVMInstructionGetDebugLoc(v) : NULL;
}

/* A value of several slots does not lie as in memory. */
static bool is_shown(const struct debug_module *m, const struct image_local *x) {
  return x->in_memory || m->l->image.types.data[x->type].size <= 8;
}

static void put_body(struct debug_module *m, const struct image_function *f, LLVMValueRef area, LLVMBasicBlockRef block, bool placed) {
  VEC(struct turn) turns = {0};
  for (uint32_t i = m->local; placed && i < m->l->image.locals.count && m->l->image.locals.data[i].from < f->code + f->ncode; i++) {
    const struct image_local *x = &m->l->image.locals.data[i];
    if (!is_shown(m, x)) continue;
    *vec_push(&turns) = (struct turn){x->from, i, false};
    if (x->to < f->code + f->ncode) *vec_push(&turns) = (struct turn){x->to, i, true};
  }
  if (turns.count) qsort(turns.data, turns.count, sizeof *turns.data, compare_turns);
  uint32_t from = f->code, end = f->code + f->ncode;
  LLVMMetadataRef place = NULL, next;
  for (size_t t = 0; from < end;) {
    for (; t < turns.count && turns.data[t].at <= from; t++) put_turn(m, &turns.data[t], area, block);
    uint32_t to = from + 1, stop = t < turns.count && turns.data[t].at < end ? turns.data[t].at : end;
    if (placed && (next = place_of(m, from))) place = next;
    while (to < stop && (!placed || !(next = place_of(m, to)) || next == place)) to++;
    put_words(m, to - from, place);
    from = to;
  }
  vec_release(&turns);
}

static void put_function(struct debug_module *m, uint32_t index) {
  struct lower *l = m->l;
  const struct image_function *f = &l->image.functions.data[index];
  LLVMValueRef from = l->functions.data[index];
  const char *name = &l->image.strings.data[f->link_name];
  LLVMMetadataRef subprogram = link_is_model(from) ? NULL : LLVMGetSubprogram(from);
  LLVMValueRef to = LLVMAddFunction(m->module, name, m->type);
  attribute(m, to, "frame-pointer", "all");
  unsigned uwtable = LLVMGetEnumAttributeKindForName("uwtable", 7);
  LLVMAddAttributeAtIndex(to, FUNCTION_ATTRIBUTES, LLVMCreateEnumAttribute(l->context, uwtable, 1));
  if (subprogram) LLVMSetSubprogram(to, subprogram);
  LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(l->context, to, "");
  LLVMPositionBuilderAtEnd(m->builder, block);
  LLVMSetCurrentDebugLocation2(m->builder, NULL);
  LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(l->context), debug_file_frame(f->slots));
  LLVMValueRef area = LLVMBuildAlloca(m->builder, bytes, "");
  LLVMSetAlignment(area, 16);
  struct text label = {0};
  text_printf(&label, ".Lheddle%u:", index);
  put_assembly(m, &label);
  text_release(&label);
  put_body(m, f, area, block, subprogram != NULL);
  LLVMBuildUnreachable(m->builder);
  while (m->local < l->image.locals.count && l->image.locals.data[m->local].from < f->code + f->ncode) m->local++;
}

static unsigned result_of_type(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMPointerTypeKind || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64)) return RESULT_NUMBER;
  if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind) return RESULT_REAL;
  return kind == LLVMX86_FP80TypeKind ? RESULT_EXTENDED : RESULT_NONE;
}

/* How a value of this type comes back from a call, as clang lowers C's types: one register, or two of a structure. */
static unsigned result_of(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return result_of_type(type);
  unsigned n = LLVMCountStructElementTypes(type), parts[2] = {0};
  for (unsigned i = 0; i < n && i < 2; i++) parts[i] = result_of_type(LLVMStructGetTypeAtIndex(type, i));
  bool good = n == 2 && parts[0] % RESULT_EXTENDED && parts[1] % RESULT_EXTENDED;
  return good ? parts[0] | parts[1] << RESULT_SECOND : RESULT_NONE;
}

/* The table of addresses, and the global variables' own ones. */
static void put_table(struct debug_module *m) {
  struct lower *l = m->l;
  struct text out = {0};
  text_puts(&out, ".section " DEBUG_FILE_CODE ",\"\",@progbits\n");
  for (uint32_t i = 0; i < l->functions.count; i++) text_printf(&out, ".quad .Lheddle%u\n", i);
  /* What calls a thread's first function: nobody does. */
  text_puts(&out, ".text\n.globl " DEBUG_FILE_START "\n.type " DEBUG_FILE_START ", @function\n" DEBUG_FILE_START
                  ":\n.cfi_startproc\n.cfi_undefined rip\nnop\nnop\n.cfi_endproc\n.size " DEBUG_FILE_START ", .-" DEBUG_FILE_START
                  "\n.section " DEBUG_FILE_CODE ",\"\",@progbits\n.quad " DEBUG_FILE_START "+1\n");
  text_puts(&out, ".section " DEBUG_FILE_RESULTS ",\"\",@progbits\n");
  for (uint32_t i = 0; i < l->functions.count; i++)
    text_printf(&out, ".byte %u\n", result_of(LLVMGetReturnType(LLVMGlobalGetValueType(l->functions.data[i]))));
  LLVMAppendModuleInlineAsm(m->module, out.data, out.count);
  text_release(&out);
}

static void put_variable(struct debug_module *m, LLVMValueRef variable, uint64_t address) {
  struct lower *l = m->l;
  size_t n, length;
  unsigned dbg = LLVMGetMDKindIDInContext(l->context, "dbg", 3);
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(variable, &n);
  const char *name = LLVMGetValueName2(variable, &length);
  const char *symbol = name + (*name == '\1'); /* the rest is taken as it is: asm("name") */
  bool usable = length && *name != '.' && !strpbrk(name, "\"\\\n");
  LLVMValueRef to = NULL;
  for (unsigned i = 0; i < n && usable; i++) {
    if (LLVMValueMetadataEntriesGetKind(entries, i) != dbg) continue;
    if (!to) to = LLVMAddGlobal(m->module, LLVMInt8TypeInContext(l->context), name);
    LLVMGlobalSetMetadata(to, dbg, LLVMValueMetadataEntriesGetMetadata(entries, i));
  }
  LLVMDisposeValueMetadataEntries(entries);
  if (!to) return;
  struct text out = {0};
  text_printf(&out, ".globl \"%s\"\n.type \"%s\", @object\n.size \"%s\", %llu\n.set \"%s\", .Lheddle_globals + %llu\n", symbol, symbol,
              symbol, LLVMABISizeOfType(l->layout, LLVMGlobalGetValueType(variable)), symbol, (unsigned long long)(address - GLOBALS_BASE));
  LLVMAppendModuleInlineAsm(m->module, out.data, out.count);
  text_release(&out);
}

/* In a section where the machine has them: gdb takes no address for a variable's that lies in none. */
static void put_variables(struct debug_module *m) {
  struct text out = {0};
  text_printf(&out, ".section " DEBUG_FILE_GLOBALS ",\"aw\",@nobits\n.Lheddle_globals:\n.zero %llu\n",
              (unsigned long long)m->l->image.data_size);
  LLVMAppendModuleInlineAsm(m->module, out.data, out.count);
  text_release(&out);
  for (LLVMValueRef v = LLVMGetFirstGlobal(m->l->module); v; v = LLVMGetNextGlobal(v)) {
    const uint64_t *at = hashmap_find(&m->l->globals, (uint64_t)(uintptr_t)v);
    if (at && !LLVMIsThreadLocal(v)) put_variable(m, v, *at);
  }
}

static void copy_units(const struct debug_module *m) {
  unsigned n = LLVMGetNamedMetadataNumOperands(m->l->module, "llvm.dbg.cu");
  LLVMValueRef *nodes = mem_alloc((n + 1) * sizeof *nodes);
  if (n) LLVMGetNamedMetadataOperands(m->l->module, "llvm.dbg.cu", nodes);
  for (unsigned i = 0; i < n; i++) LLVMAddNamedMetadataOperand(m->module, "llvm.dbg.cu", nodes[i]);
  mem_free(nodes, (n + 1) * sizeof *nodes);
  LLVMMetadataRef version = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(m->l->context), LLVMDebugMetadataVersion(), false));
  LLVMAddModuleFlag(m->module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", 18, version);
}

static enum err emit_object(const struct debug_module *m, const char *path) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(TRIPLE, &target, &message) != 0) {
    diag_set(m->l->diag, ERR_TOOL, "LLVM cannot write a file for a debugger: %s", message);
    LLVMDisposeMessage(message);
    return ERR_TOOL;
  }
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(target, TRIPLE, "", "", LLVMCodeGenLevelNone, LLVMRelocStatic, LLVMCodeModelLarge);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(m->module, layout);
  enum err e = ERR_NONE;
  if (LLVMTargetMachineEmitToFile(machine, m->module, path, LLVMObjectFile, &message) != 0) {
    e = diag_set(m->l->diag, ERR_FILE, "cannot write %s: %s", path, message);
    LLVMDisposeMessage(message);
  }
  LLVMDisposeTargetData(layout);
  LLVMDisposeTargetMachine(machine);
  return e;
}

enum err debug_file_write(struct lower *l, const char *path) {
  struct debug_module m = {.l = l, .module = LLVMModuleCreateWithNameInContext("heddle", l->context)};
  LLVMSetTarget(m.module, TRIPLE);
  m.builder = LLVMCreateBuilderInContext(l->context);
  m.debug = LLVMCreateDIBuilderDisallowUnresolved(m.module);
  m.type = LLVMFunctionType(LLVMVoidTypeInContext(l->context), NULL, 0, false);
  copy_units(&m);
  for (uint32_t i = 0; i < l->functions.count; i++) put_function(&m, i);
  put_variables(&m);
  put_table(&m);
  LLVMDisposeDIBuilder(m.debug); /* not finalised: it has made no unit */
  LLVMDisposeBuilder(m.builder);
  enum err e = emit_object(&m, path);
  LLVMDisposeModule(m.module);
  return e;
}
