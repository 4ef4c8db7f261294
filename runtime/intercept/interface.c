/* Functions that programs call because they were built for a sanitizer: <sanitizer/linux_syscall_hooks.h>, and those of
 * <sanitizer/common_interface_defs.h> and <sanitizer/allocator_interface.h> that ThreadSanitizer has. Programs must link and go on; what
 * says nothing of races does as little as it may. */
#include <malloc.h>
#include <stdint.h>

#include "intercept/intercept.h"
#include "intercept/library.h"

/* --- System calls of the program's own, told before and behind each --- */

/* What they read and write is not noted. One function is enough for those that order nothing. */
static void told(void) {}
#define HOOKS(name)                                                                     \
  PUBLIC void __sanitizer_syscall_pre_impl_##name(void) __attribute__((alias("told"))); \
  PUBLIC void __sanitizer_syscall_post_impl_##name(void) __attribute__((alias("told")));
#include "intercept/systemcalls.inc"

/* Those of a descriptor are what the C library's functions of the same name are. */
static void begins(const struct role *role, long fd, uintptr_t pc) {
  const uintptr_t arguments[LIBRARY_ARGUMENTS] = {(uintptr_t)fd};
  struct thread *t = watched();
  if (t && role->before) role->before(t, NULL, arguments, pc);
}
static void ended(const struct role *role, long fd, long result, uintptr_t pc) {
  const uintptr_t arguments[LIBRARY_ARGUMENTS] = {(uintptr_t)fd};
  struct thread *t = watched();
  if (t && role->after) role->after(t, NULL, arguments, result, pc);
}
#define DESCRIPTOR(name, role)                                                     \
  PUBLIC void __sanitizer_syscall_pre_impl_##name(long fd);                        \
  PUBLIC void __sanitizer_syscall_post_impl_##name(long result, long fd);          \
  void __sanitizer_syscall_pre_impl_##name(long fd) { begins(&role, fd, CALLER); } \
  void __sanitizer_syscall_post_impl_##name(long result, long fd) { ended(&role, fd, result, CALLER); }
DESCRIPTOR(close, CLOSES)
DESCRIPTOR(write, SENDS)
DESCRIPTOR(pwrite64, SENDS)
DESCRIPTOR(writev, SENDS)
DESCRIPTOR(pwritev, SENDS)
DESCRIPTOR(sendto, SENDS)
DESCRIPTOR(sendmsg, SENDS)
DESCRIPTOR(sendmmsg, SENDS)
DESCRIPTOR(send, SENDS)
DESCRIPTOR(read, RECEIVES)
DESCRIPTOR(pread64, RECEIVES)
DESCRIPTOR(readv, RECEIVES)
DESCRIPTOR(preadv, RECEIVES)
DESCRIPTOR(recvfrom, RECEIVES)
DESCRIPTOR(recvmsg, RECEIVES)
DESCRIPTOR(recv, RECEIVES)

/* --- The runtime's reports and its end: options of `heddle run` say this --- */

PUBLIC void __sanitizer_set_report_path(const char *path);
PUBLIC void __sanitizer_set_report_fd(void *fd);
PUBLIC const char *__sanitizer_get_report_path(void);
PUBLIC void __sanitizer_set_death_callback(void (*callback)(void));
PUBLIC void __sanitizer_report_error_summary(const char *summary);
PUBLIC void __sanitizer_print_stack_trace(void);
PUBLIC void __sanitizer_print_memory_profile(size_t percent, size_t contexts);
PUBLIC void __sanitizer_sandbox_on_notify(void *arguments);
PUBLIC int __sanitizer_acquire_crash_state(void);
PUBLIC void __sanitizer_symbolize_pc(void *pc, const char *format, char *out, size_t size);
PUBLIC void __sanitizer_symbolize_global(void *data, const char *format, char *out, size_t size);
PUBLIC int __sanitizer_get_module_and_offset_for_pc(void *pc, char *path, size_t size, void **offset);
void __sanitizer_set_report_path(const char *path) { (void)path; }
void __sanitizer_set_report_fd(void *fd) { (void)fd; }
const char *__sanitizer_get_report_path(void) { return ""; }
void __sanitizer_set_death_callback(void (*callback)(void)) { (void)callback; }
void __sanitizer_report_error_summary(const char *summary) { (void)summary; }
void __sanitizer_print_stack_trace(void) {}
void __sanitizer_print_memory_profile(size_t percent, size_t contexts) { (void)percent, (void)contexts; }
void __sanitizer_sandbox_on_notify(void *arguments) { (void)arguments; }
/* The first one that asks may report a crash. */
int __sanitizer_acquire_crash_state(void) {
  static int taken;
  return !__atomic_exchange_n(&taken, 1, __ATOMIC_ACQ_REL);
}
static void say_nothing(char *out, size_t size) {
  if (size) out[0] = 0;
}
void __sanitizer_symbolize_pc(void *pc, const char *format, char *out, size_t size) { (void)pc, (void)format, say_nothing(out, size); }
void __sanitizer_symbolize_global(void *data, const char *format, char *out, size_t size) {
  (void)data, (void)format, say_nothing(out, size);
}
int __sanitizer_get_module_and_offset_for_pc(void *pc, char *path, size_t size, void **offset) {
  (void)pc, (void)offset, say_nothing(path, size);
  return 0; /* it is not known */
}

/* --- The heap, which is the C library's or the program's own --- */

PUBLIC int __sanitizer_get_ownership(const volatile void *block);
PUBLIC const void *__sanitizer_get_allocated_begin(const void *block);
PUBLIC size_t __sanitizer_get_allocated_size(const volatile void *block);
PUBLIC size_t __sanitizer_get_allocated_size_fast(const volatile void *block);
PUBLIC size_t __sanitizer_get_estimated_allocated_size(size_t size);
PUBLIC size_t __sanitizer_get_current_allocated_bytes(void);
PUBLIC size_t __sanitizer_get_heap_size(void);
PUBLIC size_t __sanitizer_get_free_bytes(void);
PUBLIC size_t __sanitizer_get_unmapped_bytes(void);
PUBLIC int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                                     void (*freed)(const volatile void *));
PUBLIC void __sanitizer_purge_allocator(void);
int __sanitizer_get_ownership(const volatile void *block) { return block != NULL; }
const void *__sanitizer_get_allocated_begin(const void *block) { return block; }
size_t __sanitizer_get_allocated_size(const volatile void *block) { return malloc_usable_size((void *)(uintptr_t)block); }
size_t __sanitizer_get_allocated_size_fast(const volatile void *block) { return __sanitizer_get_allocated_size(block); }
size_t __sanitizer_get_estimated_allocated_size(size_t size) { return size; }
size_t __sanitizer_get_current_allocated_bytes(void) { return mallinfo2().uordblks; }
size_t __sanitizer_get_heap_size(void) { return mallinfo2().arena; }
size_t __sanitizer_get_free_bytes(void) { return mallinfo2().fordblks; }
size_t __sanitizer_get_unmapped_bytes(void) { return 0; }
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t), void (*freed)(const volatile void *)) {
  (void)allocated, (void)freed;
  return 0; /* there is no room for them */
}
void __sanitizer_purge_allocator(void) {}
