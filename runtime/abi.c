/* What compilers call under -fsanitize=thread, but for atomics (atomic.c). gcc and clang differ in some names; all of them are here. */
#include "analysis/access.h"
#include "analysis/unseen.h"
#include "copying.h"
#include "record/record.h"
#include "runtime.h"
#include "sync.h"

#define CALLER   ((uintptr_t)__builtin_return_address(0))
#define PLACE(p) ((uintptr_t)(p))

#define PLAIN(size)                                                                                                    \
  PUBLIC void __tsan_read##size(void *p);                                                                              \
  PUBLIC void __tsan_write##size(void *p);                                                                             \
  PUBLIC void __tsan_read_write##size(void *p);                                                                        \
  PUBLIC void __tsan_volatile_read##size(void *p);                                                                     \
  PUBLIC void __tsan_volatile_write##size(void *p);                                                                    \
  PUBLIC void __tsan_read##size##_pc(void *p, void *pc);                                                               \
  PUBLIC void __tsan_write##size##_pc(void *p, void *pc);                                                              \
  void __tsan_read##size(void *p) { access_read(PLACE(p), size, CALLER); }                                             \
  void __tsan_write##size(void *p) { access_write(PLACE(p), size, CALLER); }                                           \
  void __tsan_read_write##size(void *p) { access_read(PLACE(p), size, CALLER), access_write(PLACE(p), size, CALLER); } \
  void __tsan_volatile_read##size(void *p) { access_read(PLACE(p), size, CALLER); }                                    \
  void __tsan_volatile_write##size(void *p) { access_write(PLACE(p), size, CALLER); }                                  \
  void __tsan_read##size##_pc(void *p, void *pc) { access_read(PLACE(p), size, PLACE(pc)); }                           \
  void __tsan_write##size##_pc(void *p, void *pc) { access_write(PLACE(p), size, PLACE(pc)); }

#define UNALIGNED(size)                                                                                                          \
  PUBLIC void __tsan_unaligned_read##size(void *p);                                                                              \
  PUBLIC void __tsan_unaligned_write##size(void *p);                                                                             \
  PUBLIC void __tsan_unaligned_read_write##size(void *p);                                                                        \
  PUBLIC void __tsan_unaligned_volatile_read##size(void *p);                                                                     \
  PUBLIC void __tsan_unaligned_volatile_write##size(void *p);                                                                    \
  void __tsan_unaligned_read##size(void *p) { access_read(PLACE(p), size, CALLER); }                                             \
  void __tsan_unaligned_write##size(void *p) { access_write(PLACE(p), size, CALLER); }                                           \
  void __tsan_unaligned_read_write##size(void *p) { access_read(PLACE(p), size, CALLER), access_write(PLACE(p), size, CALLER); } \
  void __tsan_unaligned_volatile_read##size(void *p) { access_read(PLACE(p), size, CALLER); }                                    \
  void __tsan_unaligned_volatile_write##size(void *p) { access_write(PLACE(p), size, CALLER); }

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

/* <sanitizer/common_interface_defs.h>: for code that knows that an address is not a multiple of the size. */
#define UNALIGNED_VALUE(size, type)                                   \
  PUBLIC type __sanitizer_unaligned_load##size(const void *p);        \
  PUBLIC void __sanitizer_unaligned_store##size(void *p, type value); \
  type __sanitizer_unaligned_load##size(const void *p) {              \
    access_read(PLACE(p), sizeof(type), CALLER);                      \
    return *(const __attribute__((aligned(1), may_alias)) type *)p;   \
  }                                                                   \
  void __sanitizer_unaligned_store##size(void *p, type value) {       \
    access_write(PLACE(p), sizeof(type), CALLER);                     \
    *(__attribute__((aligned(1), may_alias)) type *)p = value;        \
  }
UNALIGNED_VALUE(16, uint16_t)
UNALIGNED_VALUE(32, uint32_t)
UNALIGNED_VALUE(64, uint64_t)

PUBLIC void __tsan_read_range(void *p, size_t size);
PUBLIC void __tsan_write_range(void *p, size_t size);
PUBLIC void __tsan_read_range_pc(void *p, size_t size, void *pc);
PUBLIC void __tsan_write_range_pc(void *p, size_t size, void *pc);
PUBLIC void __tsan_vptr_update(void **p, void *value);
PUBLIC void __tsan_vptr_read(void **p);
PUBLIC void __tsan_func_entry(void *pc);
PUBLIC void __tsan_func_exit(void);
PUBLIC void __tsan_ignore_thread_begin(void);
PUBLIC void __tsan_ignore_thread_end(void);

PUBLIC void *__tsan_memcpy(void *to, const void *from, size_t n);
PUBLIC void *__tsan_memmove(void *to, const void *from, size_t n);
PUBLIC void *__tsan_memset(void *p, int c, size_t n);

static void run(void *p, size_t size, enum site_kind kind, unsigned each, uintptr_t pc) {
  struct thread *t = thread_self();
  if (!t || t->busy || access_ignored(t, PLACE(p), size, kind, pc)) return;
  thread_enter(t);
  access_run(t, PLACE(p), size, kind, each, pc);
  thread_leave(t);
}
static void range(void *p, size_t size, enum site_kind kind, uintptr_t pc) { run(p, size, kind, access_size(size), pc); }

/* What heddle cc calls before a loop (src/weave/runs.h). */
#define RUNS(each)                                                                                  \
  PUBLIC void __heddle_run_read##each(void *p, size_t length);                                      \
  PUBLIC void __heddle_run_write##each(void *p, size_t length);                                     \
  void __heddle_run_read##each(void *p, size_t length) { run(p, length, SITE_READ, each, CALLER); } \
  void __heddle_run_write##each(void *p, size_t length) { run(p, length, SITE_WRITE, each, CALLER); }
RUNS(1)
RUNS(2)
RUNS(4)
RUNS(8)
RUNS(16)

void __tsan_read_range(void *p, size_t size) { range(p, size, SITE_READ, CALLER); }
void __tsan_write_range(void *p, size_t size) { range(p, size, SITE_WRITE, CALLER); }
void __tsan_read_range_pc(void *p, size_t size, void *pc) { range(p, size, SITE_READ, PLACE(pc)); }
void __tsan_write_range_pc(void *p, size_t size, void *pc) { range(p, size, SITE_WRITE, PLACE(pc)); }

/* The values are at another place, too. */
static void copied_with(void *at, const void *values, size_t n, enum site_kind kind, uintptr_t pc) {
  if (n <= RECORD_VALUES) record_copies(at, values);
  range(at, n, kind, pc);
  record_copies(NULL, NULL);
}
PUBLIC void __heddle_recorder_copied_read(void *at, const void *values, size_t n);
PUBLIC void __heddle_recorder_copied_write(void *at, const void *values, size_t n);
void __heddle_recorder_copied_read(void *at, const void *values, size_t n) { copied_with(at, values, n, SITE_READ, CALLER); }
void __heddle_recorder_copied_write(void *at, const void *values, size_t n) { copied_with(at, values, n, SITE_WRITE, CALLER); }

static void touch(const void *p, size_t n, enum site_kind kind, uintptr_t pc) { range((void *)(uintptr_t)p, n, kind, pc); }

/* clang's names for the functions that it makes calls of by itself. */
void *__tsan_memcpy(void *to, const void *from, size_t n) { return copying_copy(to, from, n, false, CALLER, touch); }
void *__tsan_memmove(void *to, const void *from, size_t n) { return copying_copy(to, from, n, true, CALLER, touch); }
void *__tsan_memset(void *p, int c, size_t n) { return copying_fill(p, c, n, CALLER, touch); }

/* Constructors and destructors set the pointer to what it is already: no news to anybody. */
void __tsan_vptr_update(void **p, void *value) {
  if (*p != value) access_write(PLACE(p), sizeof *p, CALLER);
}
void __tsan_vptr_read(void **p) { access_read(PLACE(p), sizeof *p, CALLER); }

void __tsan_func_entry(void *pc) {
  static bool entered;
  if (UNLIKELY(!entered)) entered = true, unseen_begins();
  if (UNLIKELY(!call_begins(PLACE(pc)))) call_begins_slow(PLACE(pc));
}
void __tsan_func_exit(void) {
  if (UNLIKELY(!call_ends())) call_ends_slow();
}

void __tsan_ignore_thread_begin(void) {
  struct thread *t = thread_self();
  if (t) t->ignore_reads++, t->ignore_writes++;
}
void __tsan_ignore_thread_end(void) {
  struct thread *t = thread_self();
  if (t && t->ignore_reads > 0) t->ignore_reads--, t->ignore_writes--;
}
