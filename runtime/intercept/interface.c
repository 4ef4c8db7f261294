/* Functions that programs call because they were built for a sanitizer: <sanitizer/linux_syscall_hooks.h>, and those of
 * <sanitizer/common_interface_defs.h> and <sanitizer/allocator_interface.h> that ThreadSanitizer has. Programs must link and go on; what
 * says nothing of races does as little as it may. */
#include <stdint.h>

#include "intercept/intercept.h"
#include "intercept/library.h"

/* --- System calls of the program's own, told before and behind each --- */

/* Of most, what they read and write is not noted. One function is enough for those that order nothing. */
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
/* What they read of the program's memory is noted, and what they wrote there. */
#define GIVES(name)                                                                     \
  PUBLIC void __sanitizer_syscall_pre_impl_##name(long fd, const void *p, size_t size); \
  PUBLIC void __sanitizer_syscall_post_impl_##name(long result, long fd);               \
  void __sanitizer_syscall_pre_impl_##name(long fd, const void *p, size_t size) {       \
    begins(&SENDS, fd, CALLER);                                                         \
    touches(watched(), p, size, SITE_READ, CALLER);                                     \
  }                                                                                     \
  void __sanitizer_syscall_post_impl_##name(long result, long fd) { ended(&SENDS, fd, result, CALLER); }
#define GETS(name)                                                                       \
  PUBLIC void __sanitizer_syscall_pre_impl_##name(long fd);                              \
  PUBLIC void __sanitizer_syscall_post_impl_##name(long result, long fd, const void *p); \
  void __sanitizer_syscall_pre_impl_##name(long fd) { begins(&RECEIVES, fd, CALLER); }   \
  void __sanitizer_syscall_post_impl_##name(long result, long fd, const void *p) {       \
    ended(&RECEIVES, fd, result, CALLER);                                                \
    if (result > 0) touches(watched(), p, (size_t)result, SITE_WRITE, CALLER);           \
  }
DESCRIPTOR(close, CLOSES)
GIVES(write)
GIVES(pwrite64)
GIVES(sendto)
GIVES(send)
DESCRIPTOR(writev, SENDS)
DESCRIPTOR(pwritev, SENDS)
DESCRIPTOR(sendmsg, SENDS)
DESCRIPTOR(sendmmsg, SENDS)
GETS(read)
GETS(pread64)
GETS(recvfrom)
GETS(recv)
DESCRIPTOR(readv, RECEIVES)
DESCRIPTOR(preadv, RECEIVES)
DESCRIPTOR(recvmsg, RECEIVES)

/* --- What has no meaning here; other functions of these headers: sanitizer.c --- */

PUBLIC void __sanitizer_report_error_summary(const char *summary);
PUBLIC void __sanitizer_print_memory_profile(size_t percent, size_t contexts_max);
void __sanitizer_report_error_summary(const char *summary) { (void)summary; }
void __sanitizer_print_memory_profile(size_t percent, size_t contexts_max) { (void)percent, (void)contexts_max; }
