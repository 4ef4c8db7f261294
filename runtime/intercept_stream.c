/* Streams: uses and ends as specs/streams.spec has them. Several of these functions take any number of arguments, so all of them are
 * jumped to: nothing of ours is on the stack then, and all registers are as they were. */
#include "action.h"
#include "base/spec.h"
#include "intercept.h"

#define FUNCTIONS(X)  \
  X(fclose)           \
  X(pclose)           \
  X(fflush)           \
  X(fread)            \
  X(fwrite)           \
  X(fgets)            \
  X(fputs)            \
  X(fgetc)            \
  X(fputc)            \
  X(getc)             \
  X(putc)             \
  X(ungetc)           \
  X(getline)          \
  X(getdelim)         \
  X(fprintf)          \
  X(vfprintf)         \
  X(fscanf)           \
  X(vfscanf)          \
  X(__isoc99_fscanf)  \
  X(__isoc99_vfscanf) \
  X(__fprintf_chk)    \
  X(__vfprintf_chk)   \
  X(fseek)            \
  X(fseeko)           \
  X(ftell)            \
  X(ftello)           \
  X(rewind)           \
  X(fgetpos)          \
  X(fsetpos)          \
  X(setvbuf)          \
  X(closedir)         \
  X(readdir)          \
  X(rewinddir)        \
  X(telldir)          \
  X(seekdir)          \
  X(dirfd)

enum function {
#define X(f) FUNCTION_##f,
  FUNCTIONS(X)
#undef X
};

static struct stream_function {
  void *function;
  const char *name;
  const struct spec_action *action;
} functions[] = {
#define X(f) [FUNCTION_##f] = {.name = #f},
    FUNCTIONS(X)
#undef X
};

static const char streams_spec[] =
#include "streams.inc"
    ;

/* Where the functions are is looked up when the runtime starts, as intercept.h says. */
#define X(f)                                                                                  \
  static const struct next_function next_##f = {&functions[FUNCTION_##f].function, #f, NULL}; \
  static const struct next_function *const listed_##f __attribute__((section("next_functions"), used)) = &next_##f;
FUNCTIONS(X)
#undef X

void streams_start(void) {
  actions_specify(streams_spec, "streams.spec");
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) functions[i].action = action_named(functions[i].name);
}

/* only the lines of assembly below call it; the arguments are the integer registers' */
void *stream_function(enum function which, const uintptr_t *arguments, uintptr_t pc);

void *stream_function(enum function which, const uintptr_t *arguments, uintptr_t pc) {
  struct stream_function *f = &functions[which];
  struct thread *t = f->action ? watched() : NULL;
  if (t) action_point(t, f->action, arguments[f->action->on], pc);
  if (UNLIKELY(!f->function)) f->function = next_function(f->name, NULL);
  return f->function;
}

__asm__(
    ".pushsection .text\n.type stream_call, @function\nstream_call:\n"
    "  .cfi_startproc\n  .cfi_adjust_cfa_offset 8\n" /* the number of the function was pushed */
    "  push %r9\n  push %r8\n  push %rcx\n  push %rdx\n  push %rsi\n  push %rdi\n  push %rax\n  .cfi_adjust_cfa_offset 56\n"
    "  sub $136, %rsp\n  .cfi_adjust_cfa_offset 136\n"
    "  movups %xmm0, 0(%rsp)\n  movups %xmm1, 16(%rsp)\n  movups %xmm2, 32(%rsp)\n  movups %xmm3, 48(%rsp)\n"
    "  movups %xmm4, 64(%rsp)\n  movups %xmm5, 80(%rsp)\n  movups %xmm6, 96(%rsp)\n  movups %xmm7, 112(%rsp)\n"
    "  mov 192(%rsp), %rdi\n  lea 144(%rsp), %rsi\n  mov 200(%rsp), %rdx\n  call stream_function\n  mov %rax, %r11\n"
    "  movups 0(%rsp), %xmm0\n  movups 16(%rsp), %xmm1\n  movups 32(%rsp), %xmm2\n  movups 48(%rsp), %xmm3\n"
    "  movups 64(%rsp), %xmm4\n  movups 80(%rsp), %xmm5\n  movups 96(%rsp), %xmm6\n  movups 112(%rsp), %xmm7\n"
    "  add $136, %rsp\n  .cfi_adjust_cfa_offset -136\n"
    "  pop %rax\n  pop %rdi\n  pop %rsi\n  pop %rdx\n  pop %rcx\n  pop %r8\n  pop %r9\n  .cfi_adjust_cfa_offset -56\n"
    "  add $8, %rsp\n  .cfi_adjust_cfa_offset -8\n  jmp *%r11\n"
    "  .cfi_endproc\n.size stream_call, . - stream_call\n.popsection\n");

/* The assembler counts along. */
__asm__(".set stream_number, 0\n");
#define X(f)                                                                                \
  __asm__(".pushsection .text\n.globl " #f "\n.type " #f ", @function\n" #f                 \
          ":\n  .cfi_startproc\n  endbr64\n"                                                \
          "  push $stream_number\n  jmp stream_call\n  .cfi_endproc\n.size " #f ", . - " #f \
          "\n.popsection\n"                                                                 \
          ".set stream_number, stream_number + 1\n");
FUNCTIONS(X)
#undef X
