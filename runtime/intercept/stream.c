/* Streams: uses and ends as specs/streams.spec has them. What is written to a pipe by one orders what another thread reads, as with
 * descriptors. */
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "analysis/action.h"
#include "base/spec.h"
#include "intercept/intercept.h"

/* Those that are jumped to: some take any number of arguments, so nothing of ours is on the stack then, and all registers are as they were.
 * Those of directories come last. */
#define DIRECTORIES(X) \
  X(closedir)          \
  X(readdir)           \
  X(rewinddir)         \
  X(telldir)           \
  X(seekdir)           \
  X(dirfd)
#define STREAMS(X)  \
  X(fclose)         \
  X(pclose)         \
  X(fflush)         \
  X(fwrite)         \
  X(fputs)          \
  X(fputc)          \
  X(putc)           \
  X(ungetc)         \
  X(fprintf)        \
  X(vfprintf)       \
  X(__fprintf_chk)  \
  X(__vfprintf_chk) \
  X(fseek)          \
  X(fseeko)         \
  X(ftell)          \
  X(ftello)         \
  X(rewind)         \
  X(fgetpos)        \
  X(fsetpos)        \
  X(setvbuf)
#define JUMPED(X) STREAMS(X) DIRECTORIES(X)
/* Those that read. */
#define READING(X)    \
  X(fread)            \
  X(fgets)            \
  X(fgetc)            \
  X(getc)             \
  X(getline)          \
  X(getdelim)         \
  X(fscanf)           \
  X(vfscanf)          \
  X(__isoc99_fscanf)  \
  X(__isoc99_vfscanf) \
  X(__fgets_chk)      \
  X(__fread_chk)
#define FUNCTIONS(X) JUMPED(X) READING(X)

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

static uint32_t closed; /* streams, so far */

/* t uses the stream, or ends it. True if it is a pipe or the like. To use it again in the same epoch says nothing new. */
static bool touched(struct thread *t, const struct spec_action *a, FILE *f, uintptr_t pc) {
  uint32_t ends = a->ends ? __atomic_add_fetch(&closed, 1, __ATOMIC_RELAXED) : __atomic_load_n(&closed, __ATOMIC_RELAXED);
  if (t->stream.at == f && t->stream.epoch == hd_fast.epoch && t->stream.closed == ends) return t->stream.channel;
  int saved = errno;
  thread_enter(t);
  action_point(t, a, (uintptr_t)f, pc);
  t->stream.channel = f && is_channel(fileno(f));
  thread_leave(t);
  errno = saved;
  t->stream.at = f, t->stream.epoch = hd_fast.epoch, t->stream.closed = ends;
  return t->stream.channel;
}

/* only the lines of assembly below call it; the arguments are the integer registers' */
void *stream_function(enum function which, const uintptr_t *arguments, uintptr_t pc);

void *stream_function(enum function which, const uintptr_t *arguments, uintptr_t pc) {
  struct stream_function *f = &functions[which];
  struct thread *t = f->action ? watched() : NULL;
  uintptr_t object = t ? arguments[f->action->on] : 0;
  if (t && which >= FUNCTION_closedir)
    action_point(t, f->action, object, pc);
  else if (t && touched(t, f->action, (FILE *)object, pc))
    channel_sends(t);
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
JUMPED(X)
#undef X

/* Those that read are called: what was read comes behind what was written. */
static struct thread *reads(enum function which, FILE *f, uintptr_t pc) {
  struct thread *t = functions[which].action ? watched() : NULL;
  return t && touched(t, functions[which].action, f, pc) ? t : NULL;
}
#define READS(result, name, parameters, arguments)        \
  PUBLIC result name parameters {                         \
    struct thread *t = reads(FUNCTION_##name, f, CALLER); \
    result value = NEXT(name) arguments;                  \
    if (t) channel_receives(t);                           \
    return value;                                         \
  }
/* The header has the newer ones for both names. */
#define SCANS(name, named, vname, vnamed)                                       \
  PUBLIC int vnamed(FILE *f, const char *format, va_list more) __asm__(#vname); \
  PUBLIC int named(FILE *f, const char *format, ...) __asm__(#name);            \
  int vnamed(FILE *f, const char *format, va_list more) {                       \
    struct thread *t = reads(FUNCTION_##vname, f, CALLER);                      \
    int value = NEXT(vname)(f, format, more);                                   \
    if (t) channel_receives(t);                                                 \
    return value;                                                               \
  }                                                                             \
  int named(FILE *f, const char *format, ...) {                                 \
    struct thread *t = reads(FUNCTION_##name, f, CALLER);                       \
    va_list more;                                                               \
    va_start(more, format);                                                     \
    int value = NEXT(vname)(f, format, more);                                   \
    va_end(more);                                                               \
    if (t) channel_receives(t);                                                 \
    return value;                                                               \
  }
READS(size_t, fread, (void *p, size_t size, size_t n, FILE *f), (p, size, n, f))
READS(char *, fgets, (char *line, int n, FILE *f), (line, n, f))
char *__fgets_chk(char *line, size_t size, int n, FILE *f);
size_t __fread_chk(void *p, size_t room, size_t size, size_t n, FILE *f);
READS(char *, __fgets_chk, (char *line, size_t size, int n, FILE *f), (line, size, n, f))
READS(size_t, __fread_chk, (void *p, size_t room, size_t size, size_t n, FILE *f), (p, room, size, n, f))
READS(int, fgetc, (FILE * f), (f))
READS(int, getc, (FILE * f), (f))
READS(ssize_t, getline, (char **line, size_t *n, FILE *f), (line, n, f))
READS(ssize_t, getdelim, (char **line, size_t *n, int end, FILE *f), (line, n, end, f))
int __isoc99_vfscanf(FILE *f, const char *format, va_list more);
SCANS(fscanf, older_fscanf, vfscanf, older_vfscanf)
SCANS(__isoc99_fscanf, newer_fscanf, __isoc99_vfscanf, newer_vfscanf)
