/* finds: nothing. Programs that were built for a sanitizer call its functions, which have to be there: of system calls that they make
 * themselves (<sanitizer/linux_syscall_hooks.h>, as libuv does), of reports, of the heap. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void __sanitizer_syscall_pre_impl_close(long fd), __sanitizer_syscall_post_impl_close(long result, long fd);
void __sanitizer_syscall_pre_impl_write(long fd, long from, long n), __sanitizer_syscall_post_impl_write(long result, long fd, long from, long n);
void __sanitizer_syscall_pre_impl_exit(long code), __sanitizer_syscall_post_impl_getpid(long result);
void __sanitizer_set_death_callback(void (*callback)(void)), __sanitizer_print_stack_trace(void), __sanitizer_set_report_path(const char *);
int __sanitizer_get_ownership(const volatile void *), __sanitizer_acquire_crash_state(void);
size_t __sanitizer_get_allocated_size(const volatile void *), __sanitizer_get_current_allocated_bytes(void);
void __sanitizer_symbolize_pc(void *, const char *, char *, size_t);

static void dies(void) { abort(); }

static int ends[2], first;
static char text[] = "text";

static void writes(int fd) {
  __sanitizer_syscall_pre_impl_write(fd, (long)text, sizeof text);
  long written = syscall(SYS_write, fd, text, sizeof text);
  __sanitizer_syscall_post_impl_write(written, fd, (long)text, sizeof text);
  assert(written == sizeof text);
}

static void closes(int fd) {
  __sanitizer_syscall_pre_impl_close(fd);
  long result = syscall(SYS_close, fd);
  __sanitizer_syscall_post_impl_close(result, fd);
  assert(result == 0);
}

/* The number is the other thread's then: it sees that the pipe has an end. */
static void *reads(void *argument) {
  char c;
  while (read(ends[0], &c, 1) == 1) first += c;
  return argument;
}

int main(void) {
  pthread_t t;
  char name[8] = "name";
  int before = pipe(ends);
  assert(before == 0);
  pthread_create(&t, NULL, reads, NULL);
  first = 1; /* the thread waits for the pipe: what is written there comes behind this */
  writes(ends[1]);
  closes(ends[1]);
  pthread_join(t, NULL);
  __sanitizer_syscall_pre_impl_exit(0);
  __sanitizer_syscall_post_impl_getpid(getpid());
  __sanitizer_set_death_callback(dies);
  __sanitizer_set_report_path("nowhere");
  __sanitizer_print_stack_trace();
  __sanitizer_symbolize_pc((char *)main + 1, "%f", name, sizeof name); /* as a return address */
  void *block = malloc(24);
  int known = __sanitizer_get_ownership(block), crash = __sanitizer_acquire_crash_state(), again = __sanitizer_acquire_crash_state();
  size_t size = __sanitizer_get_allocated_size(block), all = __sanitizer_get_current_allocated_bytes();
  assert(known && size >= 24 && all >= 24 && crash && !again && strcmp(name, "main") == 0);
  free(block);
  return first > 1 ? 0 : 1;
}
