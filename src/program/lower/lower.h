/* Lowering: one linked LLVM module becomes one image.
 *
 * Two structs carry everything: `struct lower` for the module, `struct fn` for the function at hand. A function is lowered in three
 * steps: plan.c numbers its values and decides which of them need no code of their own (aliases, folded addresses and comparisons),
 * coalesce.c lets phis share slots with what flows into them, emit.c and its neighbours write the code.
 *
 * What is not supported does not stop the loader: the program may never come there. lower_fail() says why and sets `failed`; whatever is
 * emitted from then on does not matter, so that nearly nobody looks at it. Where an instruction's code is complete, emit.c puts an
 * OP_REFUSE with the reason in its place; if the function as a whole cannot be lowered (`hopeless`), it is one OP_REFUSE. Only what is
 * wrong outside of functions, in the initial bytes of a variable for example, ends the loading, with the reason in `diag`. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "program/image_build.h"

#define NONE UINT32_MAX

/* Types ---------------------------------------------------------------- */

enum type_class { T_VOID, T_INT, T_POINTER, T_FLOAT, T_DOUBLE, T_X87, T_VECTOR, T_ARRAY, T_STRUCT, T_UNSUPPORTED };

struct fn;

struct type_info {
  LLVMTypeRef type;
  enum type_class class;
  uint32_t bits;  /* of scalars; pointers 64 */
  uint32_t slots; /* UINT32_MAX: too many to be a value */
  uint64_t size;  /* in memory, with tail padding */
  uint64_t store; /* bytes that a store writes */
  uint32_t align;
  uint32_t layout;                 /* index in the image; NONE until asked for */
  const struct type_info *element; /* of vectors and arrays */
  uint32_t count;                  /* elements, members */
  uint32_t first_field;            /* of structs: into lower.fields */
};

struct field {
  const struct type_info *type;
  uint32_t slot;
  uint64_t offset;
};

/* Module --------------------------------------------------------------- */

enum callee_kind { CALLEE_FUNCTION, CALLEE_EXTERN, CALLEE_INTRINSIC };
struct callee {
  enum callee_kind kind;
  uint32_t index; /* function, extern, or row of the intrinsics' table */
};

/* A constant that needs label addresses, filled in when they are known. */
struct late {
  LLVMValueRef value;
  uint32_t slot;
};

/* A source variable of a function: DILocalVariable and DILocation. */
struct local_debug {
  LLVMMetadataRef variable, location;
};

struct lower {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  struct image_builder image;
  struct diag *diag;
  bool failed;
  bool coverage;        /* load.h */
  struct text why;      /* of the failure in the function at hand */
  LLVMValueRef where;   /* and its instruction, or NULL */
  struct hashmap types; /* LLVMTypeRef -> struct type_info * */
  VEC(struct type_info *) type_list;
  VEC(struct field) fields;
  struct hashmap callees; /* LLVMValueRef of a function -> kind | index << 2 */
  struct hashmap globals; /* LLVMValueRef -> address, or offset in the TLS block */
  struct hashmap labels;  /* LLVMBasicBlockRef whose address is taken -> code index */
  struct hashmap files;   /* hash of two pointers -> string */
  bool labels_known;
  VEC(LLVMValueRef) functions;         /* defined ones, by index */
  VEC(LLVMValueRef) variables;         /* as globals of the image before sorting */
  VEC(struct late) late;               /* slots: in image.constants */
  struct hashmap debug_types;          /* metadata -> image type */
  struct hashmap expressions;          /* metadata -> is it empty? */
  struct hashmap selectors;            /* address of a type_info -> selector */
  uint32_t filters;                    /* exception specifications so far */
  VEC(LLVMValueRef) site_insns;        /* by site of the image: the instruction; NULL: none */
  VEC(struct local_debug) local_debug; /* of each of the image's locals */
  struct fn *fn;                       /* the function at hand, for messages */
};

/* Keeps the first failure. `at` may be NULL: then it is the instruction at hand, if there is one. */
[[gnu::format(printf, 3, 4)]] void lower_fail(struct lower *l, LLVMValueRef at, const char *format, ...);

/* types.c */
const struct type_info *type_of(struct lower *l, LLVMTypeRef type);
static inline const struct type_info *type_of_value(struct lower *l, LLVMValueRef v) { return type_of(l, LLVMTypeOf(v)); }
static inline const struct field *type_field(const struct lower *l, const struct type_info *t, uint32_t i) {
  return &l->fields.data[t->first_field + i];
}
/* Slot and byte offset of element `i` of an aggregate or vector, and its type. */
const struct type_info *type_element(const struct lower *l, const struct type_info *t, uint32_t i, uint32_t *slot, uint64_t *offset);
/* Index of the image layout for values of this type. */
uint32_t type_layout(struct lower *l, const struct type_info *t);
/* May this be a value at all? Fails with the instruction if not. */
bool type_check_value(struct lower *l, const struct type_info *t, LLVMValueRef at);

/* constants.c */
/* The slots of a constant into out[0..slots). False: it needs label addresses that are not known yet, or a thread-local (then
 * lower_fail was called unless const_thread_local() is asked first). */
bool const_slots(struct lower *l, LLVMValueRef c, uint64_t *out);
/* Is `c` a thread-local's address (plus offset)? */
bool const_thread_local(struct lower *l, LLVMValueRef c, uint64_t *offset);
/* Is `c` an integer constant of at most 64 bits (or a null pointer)? */
bool const_integer(LLVMValueRef c, uint64_t *out);
/* Byte offset of a constant index list of a getelementptr; sets *index and *scale for the one variable index. False: several. */
bool gep_decompose(struct lower *l, LLVMValueRef gep, int64_t *offset, LLVMValueRef *index, int64_t *scale);
uint64_t function_address(struct lower *l, LLVMValueRef function);
struct callee function_callee(struct lower *l, LLVMValueRef function);
uint32_t extern_index(struct lower *l, const char *name, size_t n);
/* Follows aliases of functions. */
LLVMValueRef resolve_alias(struct lower *l, LLVMValueRef v);

/* globals.c */
void globals_place(struct lower *l); /* functions, externs, addresses of variables */
void globals_fill(struct lower *l);  /* initial bytes, constructors; after all code */

/* debug.c */
uint32_t debug_file(struct lower *l, const char *directory, unsigned nd, const char *file, unsigned nf);
/* Image type of a DIType; 0 if unknown. */
uint32_t debug_type(struct lower *l, LLVMMetadataRef type);
void debug_global(struct lower *l, LLVMValueRef variable, struct image_global *out);
/* Notes what a debugging intrinsic says about source variables. */
void debug_local(struct fn *f, LLVMValueRef v, LLVMOpcode op);
void debug_block_end(struct fn *f);
void debug_locals_end(struct fn *f, uint32_t base);
void debug_function(struct lower *l, LLVMValueRef function, struct image_function *out);

/* Function ------------------------------------------------------------- */

enum value_how {
  HOW_EMIT,  /* computed by code into its slots */
  HOW_ALIAS, /* lives in (a part of) another value's slots */
  HOW_FOLD,  /* recomputed by its users: comparison, address */
  HOW_NONE   /* nobody needs it */
};

struct value {
  LLVMValueRef v;
  const struct type_info *type;
  enum value_how how;
  uint32_t block, pos;  /* where it is defined; phis: pos 0 */
  uint32_t root, shift; /* HOW_ALIAS: the value it lives in, and from which slot of it */
  uint32_t leader;      /* coalescing class */
  uint32_t next_member;
  uint32_t slot;
  uint32_t uses;   /* first of fn.uses, or NONE */
  uint32_t shadow; /* of a phi behind an indirectbr: where that leaves the new value */
};

struct use {
  uint32_t block, pos, next;
};

struct block {
  LLVMBasicBlockRef bb;
  LLVMValueRef terminator;
  uint32_t first_succ, nsuccs; /* fn.succs */
  uint32_t label;              /* code index once emitted, else NONE */
  uint32_t size;               /* instructions that yield code, about */
  bool reachable, loop;
  bool stub; /* entered from indirectbr, and has phis */
  uint32_t stub_label, mark;
};

struct fixup {
  enum { FIX_JUMP, FIX_JUMP16, FIX_CASE, FIX_TARGET, FIX_DEFAULT, FIX_PAD } kind;
  uint32_t at;     /* word of the jump (extension word: at + 1), or index of case, target, pad */
  uint32_t target; /* label */
};

/* An edge with moves of its own, emitted behind the blocks. */
struct edge {
  uint32_t from, to, label;
  uint32_t restore; /* slot of the stack pointer to restore, or NONE */
  LLVMValueRef insn;
  uint32_t insn_number;
};

#define RECENT 64

struct fn {
  struct lower *l;
  LLVMValueRef f;
  uint32_t index;
  bool trusted; /* a library model: what is undefined in it does not matter */
  bool section; /* its body is one atomic section: __VERIFIER_atomic_* of SV-COMP */
  VEC(struct value) values;
  VEC(struct block) blocks;
  VEC(uint32_t) succs;
  VEC(struct use) uses;
  struct {
    LLVMValueRef *keys;
    uint32_t *ids, *epochs;
    uint32_t cap, count, epoch;
  } ids; /* values and blocks to indices */
  VEC(union insn) code;
  VEC(uint32_t) sites; /* one a word */
  VEC(struct fixup) fixups;
  VEC(uint32_t) labels; /* by label: code index, NONE if not placed yet; labels [0, nblocks) are the blocks' */
  VEC(struct edge) edges;
  VEC(uint64_t) constants;
  struct hashmap constant_index;
  VEC(struct late) late;          /* slots: in constants */
  VEC(struct image_local) locals; /* code indices relative to the function */
  VEC(uint64_t) local_keys;       /* of each local: the variable */
  VEC(struct local_debug) local_debug;
  struct hashmap local_last; /* key -> see debug_local() */
  uint32_t local_block;      /* first local of the block at hand */
  uint32_t recent[RECENT];   /* by hash: a value computed lately */
  uint32_t nvalue_slots, temps, max_temps;
  uint32_t block, pos; /* where emission is */
  LLVMValueRef insn;
  uint32_t insn_number, site;
  bool site_set;
  uint32_t laid_out; /* the block being laid out: differs from `block` in copies */
  unsigned duplicating;
  bool at_end;     /* behind the blocks: nothing falls through */
  bool far;        /* conditional jumps may not reach: go through JMP */
  bool no_sharing; /* setjmp: slots stay apart */
  bool hopeless;   /* none of it can be lowered */
  uint32_t mark;
  const struct type_info *result;
};

/* Slots of constants while a function is lowered start here; emission ends by moving them behind the values. */
#define CONSTANT_BASE 0xa000u

/* plan.c */
void fn_plan(struct fn *f);
uint32_t fn_id(const struct fn *f, LLVMValueRef v); /* NONE: not a value of this function */
static inline uint32_t fn_block_id(const struct fn *f, LLVMBasicBlockRef bb) { return fn_id(f, LLVMBasicBlockAsValue(bb)); }
/* The address that a load or store through `pointer` uses: base, constant offset, and an index scaled by the access size or NULL. */
struct address {
  LLVMValueRef base;
  int64_t offset;
  LLVMValueRef index;
};
struct address fn_address(struct fn *f, LLVMValueRef pointer);
bool is_integer_compare(LLVMValueRef v);
/* The operand that an instruction that yields no code passes on, or NULL: casts and the like. */
LLVMValueRef pass_through(struct lower *l, LLVMValueRef v);

/* flow.c */
void flow_analyse(struct fn *f); /* blocks, successors, reachability, loops */

/* coalesce.c */
void fn_coalesce(struct fn *f);

/* emit.c */
uint32_t emit(struct fn *f, unsigned op, uint32_t a, uint32_t b, uint32_t c);
void emit_word(struct fn *f, uint64_t word);
static inline void emit_halves(struct fn *f, uint32_t lo, uint32_t hi) { emit_word(f, lo | (uint64_t)hi << 32); }
uint32_t temp_slots(struct fn *f, uint32_t n);
/* First slot of an operand: a value's, or a constant's. */
uint32_t use_slot(struct fn *f, LLVMValueRef v);
/* The same, but an undefined constant is zeros: for what is filled in piece by piece, and where LLVM has made it a defined value. */
uint32_t use_slot_or_zero(struct fn *f, LLVMValueRef v);
/* Is `v` a constant that is no value (LLVM's undef and poison)? undefined_bits() are those of its slot `slot`. */
bool is_undefined(struct fn *f, LLVMValueRef v);
uint32_t undefined_bits(struct fn *f, const struct type_info *t, uint32_t slot);
/* First slot of the result of the instruction at hand. */
uint32_t def_slot(struct fn *f, LLVMValueRef v);
uint32_t constant_slot(struct fn *f, uint64_t value);
void emit_copy(struct fn *f, uint32_t to, uint32_t from, uint32_t n);
void emit_load_constant(struct fn *f, uint32_t to, uint64_t value);
uint32_t new_label(struct fn *f);
void place_label(struct fn *f, uint32_t label);
void emit_jump(struct fn *f, uint32_t label);
/* A conditional jump: op with operands a and b (b unused by JNZ, JZ). */
void emit_branch(struct fn *f, unsigned op, uint32_t a, uint32_t b, uint32_t label);
void fn_lower(struct lower *l, struct fn *f, uint32_t index);
void fn_release(struct fn *f);
void emit_block_body(struct fn *f, uint32_t block);
/* How far the code has come. */
struct code_place {
  size_t code, sites, fixups;
};
struct code_place code_place(const struct fn *f);
/* If lowering has failed since then: an OP_REFUSE in place of what was emitted since. */
void emit_refusal(struct fn *f, struct code_place since);
/* Slots of a function's parameters; 0 if there are so many or such ones that it is refused. */
uint32_t function_params(struct lower *l, LLVMValueRef function);

/* control.c */
void emit_terminator(struct fn *f, LLVMValueRef v, LLVMOpcode op);
void emit_edge(struct fn *f, uint32_t from, uint32_t to);
void emit_pending_edges(struct fn *f);
/* A label that leads to block `to` and makes the phi moves on the way. */
uint32_t edge_label(struct fn *f, uint32_t from, uint32_t to, uint32_t restore);

/* arith.c */
void emit_binary(struct fn *f, LLVMValueRef v, LLVMOpcode op);
void emit_cast(struct fn *f, LLVMValueRef v, LLVMOpcode op);
void emit_compare(struct fn *f, LLVMValueRef v, LLVMOpcode op);
void emit_select(struct fn *f, LLVMValueRef v);
/* A comparison in the form of the instruction set: an op from EQ to SGTI64 and its operands. */
struct compare {
  unsigned op;
  uint32_t a, b;
};
struct compare compare_form(struct fn *f, LLVMValueRef v, bool invert);
void emit_binary_lane(struct fn *f, LLVMOpcode op, const struct type_info *t, uint32_t d, uint32_t a, uint32_t b);
/* `v` says which comparison; t is the operands' type. */
void emit_compare_lane(struct fn *f, LLVMValueRef v, const struct type_info *t, uint32_t d, uint32_t a, uint32_t b);
void emit_cast_lane(struct fn *f, LLVMOpcode op, const struct type_info *from, const struct type_info *to, uint32_t d, uint32_t s);
void emit_select_slots(struct fn *f, uint32_t d, uint32_t condition, uint32_t yes, uint32_t no, uint32_t n);
/* Sign-extends slot `s` from `bits` to the next of 32 and 64 (or to `to`), into a temporary if needed. */
uint32_t sign_extended(struct fn *f, uint32_t s, uint32_t bits, uint32_t to);

/* wide.c: integers of more than 128 bits */
void wide_mask(struct fn *f, uint32_t d, uint32_t bits);
void emit_wide_binary(struct fn *f, LLVMValueRef v, LLVMOpcode op);
void emit_wide_cast(struct fn *f, LLVMOpcode op, uint32_t from, uint32_t to, uint32_t d, uint32_t s);
void emit_wide_compare(struct fn *f, LLVMValueRef v);

/* memory.c */
void emit_load(struct fn *f, LLVMValueRef v);
void emit_store(struct fn *f, LLVMValueRef v);
void emit_gep(struct fn *f, LLVMValueRef v);
void emit_alloca(struct fn *f, LLVMValueRef v);
void emit_atomic(struct fn *f, LLVMValueRef v, LLVMOpcode op);
/* A load or store of one value of type t between slots and address slot + offset. */
void emit_load_at(struct fn *f, uint32_t d, const struct type_info *t, uint32_t base, int64_t offset);
void emit_store_at(struct fn *f, uint32_t s, const struct type_info *t, uint32_t base, int64_t offset);
unsigned event_order_of(LLVMAtomicOrdering ordering);

void emit_gep_lane(struct fn *f, LLVMValueRef v, uint32_t d, uint32_t lane);

/* call.c */
/* The number that a handler for `type` compares the exception's selector with. */
uint32_t type_selector(struct lower *l, uint64_t type);
void emit_call(struct fn *f, LLVMValueRef v);
void emit_va_start(struct fn *f, LLVMValueRef list);
void emit_va_arg(struct fn *f, LLVMValueRef v);
/* A call of the machine's function `name` with arguments in n slots; its results go to so many slots from `to` on. */
void emit_extern_call(struct fn *f, const char *name, uint32_t to, uint32_t results, const uint32_t *args, uint32_t n);
/* A call of inline assembly (assembly.c). */
void emit_assembly(struct fn *f, LLVMValueRef v, LLVMValueRef assembly);
/* intrinsic.c */
uint32_t intrinsic_row(const char *name, size_t n);
bool intrinsic_is_nothing(uint32_t row);
bool intrinsic_is_alias(uint32_t row);
void emit_intrinsic(struct fn *f, LLVMValueRef v, uint32_t row);

/* vector.c */
void emit_vector(struct fn *f, LLVMValueRef v, LLVMOpcode op);
void emit_aggregate(struct fn *f, LLVMValueRef v, LLVMOpcode op);
