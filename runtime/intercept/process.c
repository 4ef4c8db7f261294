/* What changes the process as a whole: mappings, its end, jumps out of functions. */
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "analysis/action.h"
#include "heap.h"
#include "intercept/handler.h"
#include "record/module.h"
#include "record/opened.h"
#include "record/record.h"
#include "report/report.h"
#include "runtime.h"

/* Memory that comes or goes is nobody's, whatever was there before. */
static void renewed(const void *p, size_t size) {
  struct thread *t = watched();
  if (!t) return;
  thread_enter(t);
  heap_renewed((uintptr_t)p, size);
  thread_leave(t);
}
static void *mapped(void *p, size_t size, uintptr_t pc) {
  struct thread *t = p != MAP_FAILED ? watched() : NULL;
  if (t) heap_mapped(t, (uintptr_t)p, size, pc);
  return p;
}
PUBLIC void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
  return mapped(NEXT(mmap)(at, size, protection, flags, fd, offset), size, CALLER);
}
PUBLIC void *mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t offset) {
  return mapped(NEXT(mmap64)(at, size, protection, flags, fd, offset), size, CALLER);
}
/* What the system refuses to unmap stays. */
PUBLIC int munmap(void *at, size_t size) {
  const uintptr_t end = 1ul << 47;
  if (((uintptr_t)at & 4095) == 0 && (uintptr_t)at < end && size <= end - (uintptr_t)at) renewed(at, size);
  return NEXT(munmap)(at, size);
}
PUBLIC void *mremap(void *at, size_t size, size_t new_size, int flags, ...) {
  va_list more;
  va_start(more, flags);
  void *to = flags & MREMAP_FIXED ? va_arg(more, void *) : NULL;
  va_end(more);
  void *p = NEXT(mremap)(at, size, new_size, flags, to);
  if (p != MAP_FAILED && p != at) renewed(at, size), renewed(p, new_size);
  return p;
}
PUBLIC void *shmat(int id, const void *at, int flags) {
  struct shmid_ds about;
  void *p = NEXT(shmat)(id, at, flags);
  if (p != MAP_FAILED && shmctl(id, IPC_STAT, &about) == 0) renewed(p, about.shm_segsz);
  return p;
}

/* Libraries that are unloaded: their data is nobody's any more. */
enum { PARTS = 1024 };
struct parts {
  unsigned count;
  struct {
    uintptr_t at;
    size_t size;
  } at[PARTS];
};
static int writable_parts(struct dl_phdr_info *module, size_t size, void *data) {
  struct parts *p = data;
  (void)size;
  for (unsigned i = 0; i < module->dlpi_phnum && p->count < PARTS; i++) {
    const ElfW(Phdr) *h = &module->dlpi_phdr[i];
    if (h->p_type != PT_LOAD || !(h->p_flags & PF_W)) continue;
    p->at[p->count].at = module->dlpi_addr + h->p_vaddr;
    p->at[p->count++].size = h->p_memsz;
  }
  return 0;
}
static bool has_part(const struct parts *p, uintptr_t at) {
  for (unsigned i = 0; i < p->count; i++)
    if (p->at[i].at == at) return true;
  return false;
}
PUBLIC int dlclose(void *library) {
  struct parts *parts = watched() ? rt_alloc(2 * sizeof *parts) : NULL;
  if (!parts) return NEXT(dlclose)(library);
  parts[0].count = parts[1].count = 0;
  if (UNLIKELY(recording)) opened_look(hd_fast.self), modules_change();
  NEXT(dl_iterate_phdr)(writable_parts, &parts[0]);
  int e = NEXT(dlclose)(library);
  NEXT(dl_iterate_phdr)(writable_parts, &parts[1]);
  for (unsigned i = 0; i < parts[0].count && parts[1].count < PARTS; i++)
    if (!has_part(&parts[1], parts[0].at[i].at)) renewed((void *)parts[0].at[i].at, parts[0].at[i].size);
  rt_free(parts, 2 * sizeof *parts);
  return e;
}

/* What exit() calls comes behind what was done before it was registered. */
int __cxa_atexit(void (*function)(void *), void *argument, void *library);
struct at_exit {
  void (*function)(void *);
  void *argument;
  void (*plain)(void);
};
static char exits; /* stands for them all */
static void run_at_exit(void *data) {
  struct at_exit e = *(struct at_exit *)data;
  struct thread *t = watched();
  if (t) sync_acquire(t, (uintptr_t)&exits);
  rt_free(data, sizeof e);
  if (e.plain)
    e.plain();
  else
    e.function(e.argument);
}
static int registered(struct at_exit e, void *library) {
  struct thread *t = watched();
  struct at_exit *kept = rt_alloc(sizeof *kept);
  if (!kept) return -1;
  *kept = e;
  if (t) sync_release(t, (uintptr_t)&exits, SYNC_OTHER);
  return NEXT(__cxa_atexit)(run_at_exit, kept, library);
}
PUBLIC int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  return registered((struct at_exit){.function = function, .argument = argument}, library);
}
PUBLIC int atexit(void (*function)(void)) { return registered((struct at_exit){.plain = function}, NULL); }

/* What it calls is no handler's doing any more. */
PUBLIC _Noreturn void exit(int status) {
  struct thread *t = watched();
  not_in_handler("exit", CALLER);
  if (t) t->handling = NULL;
  NEXT(exit)(status);
  __builtin_unreachable();
}

/* The process ends at once, but not in the midst of another thread's report. */
#define LEAVES(function, parameters, arguments, in_order)                                      \
  PUBLIC _Noreturn void function parameters {                                                  \
    const struct thread *t = watched();                                                        \
    if (t && !t->busy) reports_await(); /* else the report that is under way may be its own */ \
    if (in_order && recording && t) opened_look(hd_fast.self), record_finish();                \
    NEXT(function) arguments;                                                                  \
    __builtin_unreachable();                                                                   \
  }
LEAVES(_exit, (int status), (status), true)
LEAVES(_Exit, (int status), (status), true)
LEAVES(quick_exit, (int status), (status), false)
LEAVES(abort, (void), (), false)

/* Calls that a jump leaves behind have ended: the depth at setjmp() is kept beside the jump buffer. Called by what is below, with the
 * buffer. Only the lines of assembly below call these two. */
void jump_prepared(const void *buffer);
void *jump_function(int which);

void jump_prepared(const void *buffer) {
  struct thread *t = hd_fast.self;
  unsigned i = 0;
  if (!t) return;
  while (i < JUMPS && t->jumps[i].buffer != buffer) i++;
  if (i == JUMPS) i = t->next_jump++ % JUMPS;
  t->jumps[i] = (struct jump){buffer, hd_fast.top, t->inside};
}

static void jumps_to(const void *buffer) {
  struct thread *t = hd_fast.self;
  if (!t) return;
  for (unsigned i = 0; i < JUMPS; i++) {
    const struct jump *j = &t->jumps[i];
    if (j->buffer != buffer || !j->top || j->top > hd_fast.top) continue;
    hd_fast.top = j->top;
    actions_left(t, j->inside);
  }
  handler_left(t);
}

/* setjmp() returns twice, so nothing of ours may be on the stack when it is called: look, then jump there. */
void *jump_function(int which) {
  static const char *const names[] = {"_setjmp", "setjmp", "__sigsetjmp"};
  static void *functions[3];
  if (!functions[which]) functions[which] = next_function(names[which], NULL);
  return functions[which];
}
#define SETJMP(name, which)                                                      \
  __asm__(".pushsection .text\n.globl " name "\n.type " name ",@function\n" name \
          ":\n"                                                                  \
          "  endbr64\n  push %rdi\n  push %rsi\n  sub $8, %rsp\n"                \
          "  call jump_prepared\n  mov $" #which                                 \
          ", %edi\n  call jump_function\n"                                       \
          "  add $8, %rsp\n  pop %rsi\n  pop %rdi\n  jmp *%rax\n"                \
          ".size " name ", .-" name "\n.popsection\n")
SETJMP("_setjmp", 0);
SETJMP("setjmp", 1);
SETJMP("__sigsetjmp", 2);

#define LONGJMP(name, type)                      \
  PUBLIC _Noreturn void name(type b, int value); \
  void name(type b, int value) {                 \
    jumps_to(b);                                 \
    NEXT(name)(b, value);                        \
    __builtin_unreachable();                     \
  }
LONGJMP(longjmp, jmp_buf)
LONGJMP(_longjmp, jmp_buf)
LONGJMP(siglongjmp, sigjmp_buf)
LONGJMP(__longjmp_chk, jmp_buf)
