/* The machine's instruction set: a register machine over 64-bit slots.
 *
 * Values. Every LLVM value of type T lives in slots(T) consecutive slots of its function's frame:
 *   i1..i64, pointers  one slot, zero-extended (canonical: bits above the width are zero; i1 is 0 or 1)
 *   float              one slot: the 32 bits, zero-extended;  double: one slot
 *   i65..i128, x86_fp80, fp128   two slots, low half first (canonical as above; fp80: 10 bytes, rest zero)
 *   vector, array, struct        the slots of its elements, one after the other (padding has none)
 * A frame is [parameters | other values | constants]: parameters come first, the function's constant slots are copied in behind
 * the values when it is entered.
 *
 * Encoding. An instruction is one 64-bit word {op, a, b, c} of four u16, little endian (op in the low bits), followed by the extension
 * words that its format says. Operand letters below:
 *   d  destination slot         s  source slot              D S  the same, two consecutive slots
 *   i  signed 16-bit immediate  u  unsigned 16-bit immediate
 *   j  signed 16-bit jump offset in words, from the first word of this instruction
 *   n  count of slots           -  unused (zero)
 * "32" ops work on and produce 32-bit values (result zero-extended), "64" on whole slots. Widths without an op of their own: compute
 * in the next larger width on extended operands, then TRUNC.
 *
 * Several words: w1, w2, ... are the extension words; LO(w) and HI(w) their low and high u32.
 * "args": ceil(n / 4) words of u16 slots, low bits first. */
#pragma once
#include <stdint.h>

/* clang-format off */
#define OPCODE_LIST(X) \
  /* name, operands a b c, extension words (or VAR) */ \
  X(MOV, "ds-", 0) \
  X(MOV2, "DS-", 0) \
  X(MOVN, "dsn", 0) /* a.. = b.., c slots; moves as memmove */ \
  X(UNDEF, "du-", 0) /* a = an undefined value of b bits (1..64); it is 0 */ \
  X(DEFINE, "ds-", 0) /* a = b, which is some value from now on, but a defined one */ \
  X(LI, "di-", 0) /* a = sign-extended to 64 bits b */ \
  X(ADD32, "dss", 0) \
  X(SUB32, "dss", 0) \
  X(MUL32, "dss", 0) \
  X(ADD64, "dss", 0) \
  X(SUB64, "dss", 0) \
  X(MUL64, "dss", 0) \
  X(AND, "dss", 0) \
  X(OR, "dss", 0) \
  X(XOR, "dss", 0) \
  X(SHL32, "dss", 0) \
  X(LSHR32, "dss", 0) \
  X(ASHR32, "dss", 0) /* amounts >= width give 0 (ASHR: sign) */ \
  X(SHL64, "dss", 0) \
  X(LSHR64, "dss", 0) \
  X(ASHR64, "dss", 0) \
  X(ADDI32, "dsi", 0) \
  X(MULI32, "dsi", 0) \
  X(ADDI64, "dsi", 0) \
  X(MULI64, "dsi", 0) \
  X(ANDI, "dsu", 0) \
  X(ORI, "dsu", 0) \
  X(XORI, "dsu", 0) /* immediate zero-extended */ \
  X(SHLI32, "dsu", 0) \
  X(LSHRI32, "dsu", 0) \
  X(ASHRI32, "dsu", 0) \
  X(SHLI64, "dsu", 0) \
  X(LSHRI64, "dsu", 0) \
  X(ASHRI64, "dsu", 0) \
  X(UDIV32, "dss", 0) \
  X(SDIV32, "dss", 0) \
  X(UREM32, "dss", 0) \
  X(SREM32, "dss", 0) /* by zero: a finding */ \
  X(UDIV64, "dss", 0) \
  X(SDIV64, "dss", 0) \
  X(UREM64, "dss", 0) \
  X(SREM64, "dss", 0) \
  X(TRUNC, "dsu", 0) /* keep the low c bits (1..63) */ \
  X(SEXT, "dsu", 0) /* c = from | to << 8 in bits: sign-extend from `from`, keep the low `to` (to <= 64) */ \
  X(SEXT8_32, "ds-", 0) \
  X(SEXT16_32, "ds-", 0) \
  X(SEXT8_64, "ds-", 0) \
  X(SEXT16_64, "ds-", 0) \
  X(SEXT32_64, "ds-", 0) /* comparisons: a = 0 or 1; unsigned ones serve every width, signed ones 32 and 64 */ \
  X(EQ, "dss", 0) \
  X(NE, "dss", 0) \
  X(ULT, "dss", 0) \
  X(ULE, "dss", 0) \
  X(SLT32, "dss", 0) \
  X(SLE32, "dss", 0) \
  X(SLT64, "dss", 0) \
  X(SLE64, "dss", 0) \
  X(EQI, "dsu", 0) \
  X(NEI, "dsu", 0) \
  X(ULTI, "dsu", 0) \
  X(UGTI, "dsu", 0) \
  X(SLTI32, "dsi", 0) \
  X(SGTI32, "dsi", 0) \
  X(SLTI64, "dsi", 0) \
  X(SGTI64, "dsi", 0) \
  X(SELECT, "dss", 1) /* a = b ? c : slot w1 */ \
  X(SELECTN, "dss", 1) /* the same for HI(w1) slots: a.. = b ? c.. : LO(w1).. */ \
  /* control */ \
  X(JMP, "---", 1) /* w1: offset in words from this instruction, signed 64 */ \
  X(JNZ, "s-j", 0) \
  X(JZ, "s-j", 0) \
  X(JEQ, "ssj", 0) \
  X(JNE, "ssj", 0) \
  X(JULT, "ssj", 0) \
  X(JULE, "ssj", 0) \
  X(JSLT32, "ssj", 0) \
  X(JSLE32, "ssj", 0) \
  X(JSLT64, "ssj", 0) \
  X(JSLE64, "ssj", 0) \
  X(JEQI, "suj", 0) \
  X(JNEI, "suj", 0) \
  X(JULTI, "suj", 0) \
  X(JUGTI, "suj", 0) \
  X(JSLTI32, "sij", 0) \
  X(JSGTI32, "sij", 0) \
  X(JSLTI64, "sij", 0) \
  X(JSGTI64, "sij", 0) \
  X(SWITCH, "s--", 2) /* w1: LO first entry of image cases, HI their number, sorted by value; LO(w2): default target */ \
  X(SWITCHD, "s--", 3) /* w1: LO first entry of image targets, HI number n; LO(w2): default; w3: smallest value; the entry for value v is v - w3 if that is < n (unsigned). All targets are code indices of the image. */ \
  X(IBR, "s--", 0) /* indirectbr: a holds LABEL_BASE + code index */ \
  X(UNREACHABLE, "---", 0) \
  X(COVER, "---", 0) /* the program comes to a line (--coverage) */ \
  X(REFUSE, "---", 1) /* LO(w1): string: what the program would need here, and Heddle lacks */ /* plain memory: address = slot b + c (bytes) */ \
  X(LD8, "dsi", 0) \
  X(LD16, "dsi", 0) \
  X(LD32, "dsi", 0) \
  X(LD64, "dsi", 0) \
  X(ST8, "ssi", 0) \
  X(ST16, "ssi", 0) \
  X(ST32, "ssi", 0) \
  X(ST64, "ssi", 0) /* a: value */ \
  /* address = slot b + (int64) slot c * access size */ \
  X(LDX8, "dss", 0) \
  X(LDX16, "dss", 0) \
  X(LDX32, "dss", 0) \
  X(LDX64, "dss", 0) \
  X(STX8, "sss", 0) \
  X(STX16, "sss", 0) \
  X(STX32, "sss", 0) \
  X(STX64, "sss", 0) \
  X(LDN, "dsi", 1) /* value of several leaves: LO(w1) is an image layout; one access of the layout's size */ \
  X(STN, "ssi", 1) \
  X(LEA1, "dss", 0) \
  X(LEA2, "dss", 0) \
  X(LEA4, "dss", 0) \
  X(LEA8, "dss", 0) /* a = b + c * scale */ \
  X(LEAS, "dss", 1) /* a = b + c * w1 */ \
  X(ALLOCA, "d--", 1) /* LO(w1): bytes, HI(w1): alignment */ \
  X(ALLOCAX, "ds-", 1) /* slot b: bytes, HI(w1): alignment */ \
  X(SPSAVE, "d--", 0) \
  X(SPRESTORE, "s--", 0) \
  X(LIFETIME, "su-", 1) /* a: address from an alloca; b: 1 start, 0 end; w1: bytes. Content becomes uninitialised */ \
  X(MEMCPY, "sss", 0) \
  X(MEMMOVE, "sss", 0) /* a: to, b: from, c: bytes */ \
  X(MEMSET, "sss", 0) /* a: to, b: byte, c: bytes */ \
  X(TLS, "d--", 1) /* a = address of this thread's copy of the thread-local at offset w1 */ \
  /* atomics: c = size in bytes | order << 8 (enum event_order) */ \
  X(ATOMIC_LD, "dsu", 0) \
  X(ATOMIC_ST, "ssu", 0) /* a: destination or value; b: address */ \
  X(ATOMIC_RMW, "dss", 1) /* a = old value; b: address; c: operand; w1: LO enum rmw_op, HI size | order << 8 */ \
  X(ATOMIC_CAS, "dss", 1) /* a = old value, a + 1 = 1 if exchanged; b: address; c: expected; w1: LO slot of the new value, HI size | success order << 8 | failure order << 16 | weak << 24 */ \
  X(FENCE, "u--", 0) /* a: order */ \
  /* calls: a = first destination slot, b = number of argument slots, c = number of result slots; HI(w1): 1 + index of the image pad that unwinding enters, 0 for none; then args */ \
  X(CALL, "dnn", VAR) /* LO(w1): function */ \
  X(CALLX, "dnn", VAR) /* LO(w1): extern; variadic arguments are passed like the others; no result slots if nobody uses the result */ \
  X(CALLI, "dnn", VAR) /* LO(w1): slot of the function's address */ \
  X(CALLV, "dnn", VAR) /* as CALL, to a variadic function; see "Variadic calls" below */ \
  X(CALLIV, "dnn", VAR) /* as CALLI, to a variadic function */ \
  X(RET, "sn-", 0) \
  X(VASTART, "suu", 0) /* a: address of the va_list; b, c: its first two fields */ \
  X(VACOPY, "ss-", 0) /* a: to, b: from */ \
  X(LANDINGPAD, "D--", 0) /* a = exception object, a + 1 = selector, as set by the unwinder */ \
  X(RESUME, "S--", 0) /* a, a + 1: as above: go on unwinding */ \
  X(INTR, "dnu", VAR) /* a: destination, b: number of argument slots, c: width in bits; LO(w1): enum intrinsic; then args */ \
  /* floating point: F float, G double; G/T and G/E comparisons swap operands. FU*: or unordered */ \
  X(FADD, "dss", 0) \
  X(FSUB, "dss", 0) \
  X(FMUL, "dss", 0) \
  X(FDIV, "dss", 0) \
  X(FREM, "dss", 0) \
  X(FNEG, "ds-", 0) \
  X(GADD, "dss", 0) \
  X(GSUB, "dss", 0) \
  X(GMUL, "dss", 0) \
  X(GDIV, "dss", 0) \
  X(GREM, "dss", 0) \
  X(GNEG, "ds-", 0) \
  X(FOEQ, "dss", 0) \
  X(FONE, "dss", 0) \
  X(FOLT, "dss", 0) \
  X(FOLE, "dss", 0) \
  X(FORD, "dss", 0) \
  X(FUEQ, "dss", 0) \
  X(FUNE, "dss", 0) \
  X(FULT, "dss", 0) \
  X(FULE, "dss", 0) \
  X(FUNO, "dss", 0) \
  X(GOEQ, "dss", 0) \
  X(GONE, "dss", 0) \
  X(GOLT, "dss", 0) \
  X(GOLE, "dss", 0) \
  X(GORD, "dss", 0) \
  X(GUEQ, "dss", 0) \
  X(GUNE, "dss", 0) \
  X(GULT, "dss", 0) \
  X(GULE, "dss", 0) \
  X(GUNO, "dss", 0) \
  X(F2G, "ds-", 0) \
  X(G2F, "ds-", 0) \
  X(F2S, "dsu", 0) \
  X(F2U, "dsu", 0) \
  X(G2S, "dsu", 0) \
  X(G2U, "dsu", 0) /* to an integer of c bits (<= 64), truncated to it */ \
  X(S2F, "ds-", 0) \
  X(U2F, "ds-", 0) \
  X(S2G, "ds-", 0) \
  X(U2G, "ds-", 0) /* from 64-bit integers: sign-extend first */ \
  /* x87 and wide: slot pairs; "fp80" is what long double is */ \
  X(XADD, "DSS", 0) \
  X(XSUB, "DSS", 0) \
  X(XMUL, "DSS", 0) \
  X(XDIV, "DSS", 0) \
  X(XREM, "DSS", 0) \
  X(XNEG, "DS-", 0) \
  X(XCMP, "dSS", 1) /* w1: LLVMRealPredicate (1 oeq .. 14 une) */ \
  X(F2X, "Ds-", 0) \
  X(G2X, "Ds-", 0) \
  X(X2F, "dS-", 0) \
  X(X2G, "dS-", 0) \
  X(S2X, "Ds-", 0) \
  X(U2X, "Ds-", 0) \
  X(X2S, "dSu", 0) \
  X(X2U, "dSu", 0) \
  X(WADD, "DSS", 0) \
  X(WSUB, "DSS", 0) \
  X(WMUL, "DSS", 0) \
  X(WUDIV, "DSS", 0) \
  X(WSDIV, "DSS", 0) \
  X(WUREM, "DSS", 0) \
  X(WSREM, "DSS", 0) \
  X(WAND, "DSS", 0) \
  X(WOR, "DSS", 0) \
  X(WXOR, "DSS", 0) \
  X(WSHL, "DSS", 0) \
  X(WLSHR, "DSS", 0) \
  X(WASHR, "DSS", 0) \
  X(WTRUNC, "DSu", 0) /* keep the low c bits, 65..127 */ \
  X(WSEXT, "DSu", 0) /* sign-extend from c bits (1..127) to 128; for c <= 64 only the first source slot counts */ \
  X(WEQ, "dSS", 0) \
  X(WNE, "dSS", 0) \
  X(WULT, "dSS", 0) \
  X(WULE, "dSS", 0) \
  X(WSLT, "dSS", 0) \
  X(WSLE, "dSS", 0) \
  X(WCONV, "dsu", 0) /* c: enum wide_conversion */ \
  X(EXTRACTX, "dss", 1) /* dynamic vector index: a.. = element slot c of b..; LO(w1): slots an element, HI(w1): elements */ \
  X(INSERTX, "dss", 1) /* a..: a vector, changed in place: element number slot c = b..; w1 as above */ \
  X(PACK, "dsu", 1) /* bit-cast through memory: a.. = b.. stored by layout LO(w1), loaded by layout HI(w1) */
/* clang-format on */

#define VAR 255

enum opcode {
#define X(name, operands, words) OP_##name,
  OPCODE_LIST(X)
#undef X
      OP_COUNT
};

/* Variadic calls (CALLV, CALLIV): after args comes one word {LO: bytes of the variadic area, HI: number n of variadic arguments}, then
 * for each of them two words {u16 slot, u16 kind, u32 offset in the area} {u64}: kind 0: the 8 bytes of the slot; kind 1: value stored by
 * the layout that the second word names; kind 2: memory at the address in the slot, as many bytes as the second word says. The machine puts
 * the area (aligned to 16) on the caller's stack; VASTART makes a va_list of it. Both are x86-64 System V's, so that programs go the same
 * way as natively: in the first 176 bytes are arguments in registers, where a callee saves those (the ones of parameters are left out);
 * behind them is the overflow area: 8-byte steps, 16-byte alignment for types that have it. */

enum rmw_op {
  RMW_XCHG,
  RMW_ADD,
  RMW_SUB,
  RMW_AND,
  RMW_NAND,
  RMW_OR,
  RMW_XOR,
  RMW_MAX,
  RMW_MIN,
  RMW_UMAX,
  RMW_UMIN,
  RMW_FADD,
  RMW_FSUB,
  RMW_FMAX,
  RMW_FMIN,
  RMW_UINC_WRAP,
  RMW_UDEC_WRAP
};

/* WCONV: from the name's left side to its right side; W: 128-bit signed, V: 128-bit unsigned, F float, G double, X long double. */
enum wide_conversion {
  CONV_W2F,
  CONV_W2G,
  CONV_W2X,
  CONV_V2F,
  CONV_V2G,
  CONV_V2X,
  CONV_F2W,
  CONV_G2W,
  CONV_X2W,
  CONV_F2V,
  CONV_G2V,
  CONV_X2V
};

/* INTR: on integers of the width given (<= 64 in one slot, else two); floating ones by width 32, 64, 80. OVERFLOW ones give the value
 * and, in the next slot, 1 if it overflowed. MINNUM and MAXNUM as in C's fmin; MINIMUM propagates NaN. POWI's second argument is i32.
 * FPCLASS: second argument is the mask. The _SAT conversions' width is the result's; FROM says the source type. */
/* clang-format off */
#define INTRINSIC_LIST(X) \
  X(CTPOP) \
  X(CTLZ) \
  X(CTTZ) \
  X(BSWAP) \
  X(BITREVERSE) \
  X(FSHL) \
  X(FSHR) \
  X(ABS) \
  X(SMAX) \
  X(SMIN) \
  X(UMAX) \
  X(UMIN) \
  X(SADD_OVERFLOW) \
  X(UADD_OVERFLOW) \
  X(SSUB_OVERFLOW) \
  X(USUB_OVERFLOW) \
  X(SMUL_OVERFLOW) \
  X(UMUL_OVERFLOW) \
  X(SADD_SAT) \
  X(UADD_SAT) \
  X(SSUB_SAT) \
  X(USUB_SAT) \
  X(SSHL_SAT) \
  X(USHL_SAT) \
  X(FPTOSI_SAT_F) \
  X(FPTOUI_SAT_F) \
  X(FPTOSI_SAT_G) \
  X(FPTOUI_SAT_G) \
  X(FPTOSI_SAT_X) \
  X(FPTOUI_SAT_X) \
  X(SQRT) \
  X(FABS) \
  X(COPYSIGN) \
  X(FLOOR) \
  X(CEIL) \
  X(FTRUNC) \
  X(RINT) \
  X(NEARBYINT) \
  X(ROUND) \
  X(ROUNDEVEN) \
  X(FMA) \
  X(FMULADD) /* not fused, as clang's code for x86-64 without FMA */ \
  X(MINNUM) \
  X(MAXNUM) \
  X(MINIMUM) \
  X(MAXIMUM) \
  X(SIN) \
  X(COS) \
  X(TAN) \
  X(EXP) \
  X(EXP2) \
  X(EXP10) \
  X(LOG) \
  X(LOG2) \
  X(LOG10) \
  X(POW) \
  X(POWI) \
  X(LDEXP) \
  X(FREXP) \
  X(LROUND) \
  X(LLROUND) \
  X(LRINT) \
  X(LLRINT) \
  X(FPCLASS) \
  X(FLT_ROUNDS) \
  X(RETURNADDRESS) \
  X(FRAMEADDRESS) \
  X(TRAP) \
  X(DEBUGTRAP)
/* clang-format on */

enum intrinsic {
#define X(name) INTR_##name,
  INTRINSIC_LIST(X)
#undef X
      INTR_COUNT
};

union insn {
  struct {
    uint16_t op, a, b, c;
  };
  struct {
    uint32_t lo, hi;
  };
  uint64_t word;
  uint16_t slots[4];
};

_Static_assert(sizeof(union insn) == 8, "one instruction word");

struct opcode_info {
  const char *name;
  const char *operands;
  uint8_t words; /* extension words, or VAR */
};
extern const struct opcode_info opcode_table[OP_COUNT];

/* Words that the instruction at `p` takes, extension words included. */
unsigned insn_words(const union insn *p);
