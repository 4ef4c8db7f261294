/* How the runtime hears of actions: from HD_ACTION() in <heddle.h>, and from calls that `heddle cc -fheddle-spec` wraps. */
#include "analysis/action.h"
#include "intercept/intercept.h"

#include "base/spec.h"

/* Of a program's own wrappers: src/cli/cc/wrap.c writes them. */
struct wrapped {
  void *function;
  const char *name;
  const struct spec_action *action; /* NULL as long as nobody asked */
};

PUBLIC void hd_action_specify(const char *text, const char *file);
PUBLIC void hd_action_begin(const char *name, unsigned n, const unsigned long *arguments, const void *mark);
PUBLIC void hd_action_end(const void *mark);
/* only the lines of assembly below call these two */
void action_wrapper_begins(struct wrapped *w, const unsigned long *arguments, const void *mark, uintptr_t pc);
void action_wrapper_ends(const void *mark);

void hd_action_specify(const char *text, const char *file) {
  struct thread *t = hd_fast.self;
  if (t) thread_enter(t);
  actions_specify(text, file);
  if (t) thread_leave(t);
}

void hd_action_begin(const char *name, unsigned n, const unsigned long *arguments, const void *mark) {
  struct thread *t = watched();
  const struct spec_action *a = t ? action_named(name) : NULL;
  uint64_t all[SPEC_PARAMETERS] = {0};
  if (!a) return;
  for (unsigned i = 0; i < n && i < SPEC_PARAMETERS; i++) all[i] = arguments[i];
  action_begin(t, a, all, mark, CALLER);
}

void hd_action_end(const void *mark) {
  struct thread *t = watched();
  if (t && t->inside) action_end(t, mark);
}

void action_wrapper_begins(struct wrapped *w, const unsigned long *arguments, const void *mark, uintptr_t pc) {
  struct thread *t = watched();
  if (!t) return;
  const struct spec_action *a = __atomic_load_n(&w->action, __ATOMIC_RELAXED);
  if (!a) __atomic_store_n(&w->action, a = action_named(w->name), __ATOMIC_RELAXED);
  if (a) action_begin(t, a, arguments, mark, pc);
}
void action_wrapper_ends(const void *mark) { hd_action_end(mark); }

/* Calls a wrapped function, %r11 pointing to its struct wrapped, with all that it may have been called with: registers, and as much of the
 * stack as anybody passes. Exceptions and cancellation that leave it come to 3:, which ends the action. The personality's address is not
 * the one that compilers share: as a part of a program, the runtime hides its names, and nothing of another's may stand for them.
 *
 *   -8(%rbp)  %r11      -64 .. -24  integer arguments      -80  %rax      -208 .. -96  %xmm0 .. %xmm7 */
#define STACKED "256"
__asm__(
    ".pushsection .text\n"
    ".globl hd_action_call\n.type hd_action_call, @function\n"
    "hd_action_call:\n"
    "0:\n"
    "  .cfi_startproc\n"
    "  .cfi_personality 0x9b, .Lhd_action_personality\n"
    "  .cfi_lsda 0x1b, .Lhd_action_lsda\n"
    "  endbr64\n"
    "  push %rbp\n  .cfi_def_cfa_offset 16\n  .cfi_offset %rbp, -16\n"
    "  mov %rsp, %rbp\n  .cfi_def_cfa_register %rbp\n"
    "  sub $208, %rsp\n"
    "  mov %r11, -8(%rbp)\n  mov %r10, -72(%rbp)\n  mov %rax, -80(%rbp)\n"
    "  mov %rdi, -64(%rbp)\n  mov %rsi, -56(%rbp)\n  mov %rdx, -48(%rbp)\n"
    "  mov %rcx, -40(%rbp)\n  mov %r8, -32(%rbp)\n  mov %r9, -24(%rbp)\n"
    "  movups %xmm0, -208(%rbp)\n  movups %xmm1, -192(%rbp)\n  movups %xmm2, -176(%rbp)\n  movups %xmm3, -160(%rbp)\n"
    "  movups %xmm4, -144(%rbp)\n  movups %xmm5, -128(%rbp)\n  movups %xmm6, -112(%rbp)\n  movups %xmm7, -96(%rbp)\n"
    "  mov %r11, %rdi\n  lea -64(%rbp), %rsi\n  mov %rbp, %rdx\n  mov 8(%rbp), %rcx\n"
    "  call action_wrapper_begins\n"
    "  sub $" STACKED ", %rsp\n  lea 16(%rbp), %rsi\n  mov %rsp, %rdi\n  mov $" STACKED
    " / 8, %ecx\n  rep movsq\n"
    "  mov -64(%rbp), %rdi\n  mov -56(%rbp), %rsi\n  mov -48(%rbp), %rdx\n"
    "  mov -40(%rbp), %rcx\n  mov -32(%rbp), %r8\n  mov -24(%rbp), %r9\n"
    "  movups -208(%rbp), %xmm0\n  movups -192(%rbp), %xmm1\n  movups -176(%rbp), %xmm2\n  movups -160(%rbp), %xmm3\n"
    "  movups -144(%rbp), %xmm4\n  movups -128(%rbp), %xmm5\n  movups -112(%rbp), %xmm6\n  movups -96(%rbp), %xmm7\n"
    "  mov -72(%rbp), %r10\n  mov -80(%rbp), %rax\n  mov -8(%rbp), %r11\n"
    "1:\n"
    "  call *(%r11)\n"
    "2:\n"
    "  mov %rax, -80(%rbp)\n  mov %rdx, -72(%rbp)\n  movups %xmm0, -208(%rbp)\n  movups %xmm1, -192(%rbp)\n"
    "  mov %rbp, %rdi\n  call action_wrapper_ends\n"
    "  mov -80(%rbp), %rax\n  mov -72(%rbp), %rdx\n  movups -208(%rbp), %xmm0\n  movups -192(%rbp), %xmm1\n"
    "  .cfi_remember_state\n"
    "  leave\n  .cfi_def_cfa %rsp, 8\n  ret\n"
    "  .cfi_restore_state\n"
    "3:\n"
    "  mov %rax, -80(%rbp)\n  mov %rbp, %rdi\n  call action_wrapper_ends\n"
    "  mov -80(%rbp), %rdi\n"
    "4:\n"
    "  call _Unwind_Resume@PLT\n"
    "5:\n"
    "  .cfi_endproc\n"
    ".size hd_action_call, . - hd_action_call\n"
    ".popsection\n"
    ".pushsection .gcc_except_table, \"a\", @progbits\n"
    ".Lhd_action_lsda:\n"
    "  .byte 0xff, 0xff, 1\n"
    "  .uleb128 7f - 6f\n"
    "6:\n"
    "  .uleb128 1b - 0b\n  .uleb128 2b - 1b\n  .uleb128 3b - 0b\n  .uleb128 0\n"
    "  .uleb128 4b - 0b\n  .uleb128 5b - 4b\n  .uleb128 0\n  .uleb128 0\n"
    "7:\n"
    ".popsection\n"
    ".pushsection .data.rel.ro, \"aw\", @progbits\n.balign 8\n"
    ".Lhd_action_personality:\n  .quad __gcc_personality_v0\n"
    ".popsection\n");
