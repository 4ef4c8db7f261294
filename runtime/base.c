#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static size_t mapped, reserved;

/* The program's mmap() is watched; this one is not. */
static void *map(void *at, size_t bytes, int flags) {
  return (void *)syscall(SYS_mmap, at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

void *rt_pages(size_t bytes) {
  int saved = errno;
  void *p = map(NULL, bytes, 0);
  errno = saved;
  if (p == MAP_FAILED) return NULL;
  __atomic_fetch_add(&mapped, bytes, __ATOMIC_RELAXED);
  return p;
}

void rt_pages_free(void *pages, size_t bytes) {
  munmap(pages, bytes);
  __atomic_fetch_sub(&mapped, bytes, __ATOMIC_RELAXED);
}

size_t rt_mapped(void) { return __atomic_load_n(&mapped, __ATOMIC_RELAXED); }

size_t rt_reserved(void) { return __atomic_load_n(&reserved, __ATOMIC_RELAXED); }

bool rt_reserve(uintptr_t at, size_t bytes) {
  void *want = (void *)at;
  void *p = map(want, bytes, MAP_FIXED_NOREPLACE);
  if (p == MAP_FAILED) return false;
  if (p != want) { /* a kernel that does not know MAP_FIXED_NOREPLACE */
    munmap(p, bytes);
    return false;
  }
  madvise(p, bytes, MADV_DONTDUMP);
  __atomic_fetch_add(&reserved, bytes, __ATOMIC_RELAXED);
  return true;
}

static void fill_zero(char *at, size_t bytes) { __asm__ volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(0) : "memory"); }

void rt_zero(void *at, size_t bytes) {
  enum { PAGE = 4096, MANY = 16 * PAGE };
  char *p = at, *end = p + bytes;
  if (bytes >= MANY) {
    char *first = (char *)(((uintptr_t)p + PAGE - 1) & ~(uintptr_t)(PAGE - 1)), *last = (char *)((uintptr_t)end & ~(uintptr_t)(PAGE - 1));
    int saved = errno;
    if (madvise(first, (size_t)(last - first), MADV_DONTNEED) == 0) {
      fill_zero(p, (size_t)(first - p));
      p = last;
    }
    errno = saved;
  }
  fill_zero(p, (size_t)(end - p));
}

void rt_copy(void *to, const void *from, size_t bytes) { __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory"); }

size_t rt_length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

bool rt_equal(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

/* Who has it does more than one thing meanwhile, in its own cache, if others do not look all the time: two threads that contend for one
 * atomic take half the time if the first pause is 64 instead of 1. */
void rt_lock_slow(struct rt_lock *l) {
  enum { LOOKS = 16, SHORTEST = 64, LONGEST = 1024, YIELDS = 64, SLEEP = 50000 };
  int saved = errno;
  for (unsigned times = 0, wait = SHORTEST;; times++) {
    if (times < LOOKS)
      for (unsigned i = 0; i < wait; i++) __builtin_ia32_pause();
    else if (times < LOOKS + YIELDS)
      syscall(SYS_sched_yield);
    else
      syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = SLEEP}, NULL);
    if (wait < LONGEST) wait *= 2;
    uint32_t free = __atomic_load_n(&l->held, __ATOMIC_RELAXED);
    if (free == 0 && __atomic_compare_exchange_n(&l->held, &free, 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) break;
  }
  errno = saved;
}

static bool room(struct rt_text *t, size_t more) {
  if (t->cap - t->count > more) return true;
  size_t cap = (t->cap + more) * 2 + 4096;
  char *bigger = rt_pages(cap);
  if (!bigger) return false;
  rt_copy(bigger, t->data, t->count);
  if (t->data) rt_pages_free(t->data, t->cap);
  t->data = bigger, t->cap = cap;
  return true;
}

/* vsnprintf() with integers and strings alone neither allocates nor locks. */
void rt_printf(struct rt_text *t, const char *format, ...) {
  va_list args;
  for (size_t more = 256;;) {
    if (!room(t, more)) return;
    va_start(args, format);
    int n = vsnprintf(t->data + t->count, t->cap - t->count, format, args);
    va_end(args);
    if (n < 0) return;
    if ((size_t)n < t->cap - t->count) {
      t->count += (size_t)n;
      return;
    }
    more = (size_t)n + 1;
  }
}

enum { LIMIT = 1 << (SIGXFSZ - 1) };
void rt_hold_limit(uint64_t *mask) {
  uint64_t limit = LIMIT;
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &limit, mask, sizeof limit);
}
void rt_let_limit(uint64_t mask, bool failed) {
  const struct timespec now = {0};
  uint64_t limit = LIMIT;
  int saved = errno;
  if (failed && !(mask & LIMIT)) syscall(SYS_rt_sigtimedwait, &limit, NULL, &now, sizeof limit);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
  errno = saved;
}

void rt_text_write(struct rt_text *t, int fd) {
  int saved = errno;
  size_t done = 0;
  uint64_t mask;
  rt_hold_limit(&mask);
  while (done < t->count) {
    ssize_t n = syscall(SYS_write, fd, t->data + done, t->count - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += (size_t)n;
  }
  rt_let_limit(mask, done < t->count);
  t->count = 0;
  errno = saved;
}

bool rt_text_read(struct rt_text *t, const char *file) {
  enum { AT_ONCE = 4096, MOST = 64 << 20 }; /* a device may have no end */
  char chunk[AT_ONCE];
  long total = 0;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd;
  rt_printf(t, "%s", "");
  while (fd >= 0 && (n = syscall(SYS_read, fd, chunk, sizeof chunk)) > 0 && (total += n) <= MOST) rt_printf(t, "%.*s", (int)n, chunk);
  if (n > 0) errno = EFBIG;
  int saved = errno;
  if (fd >= 0) syscall(SYS_close, fd);
  errno = saved;
  return n == 0;
}

static void say(const char *format, va_list args) {
  char line[512];
  int n = vsnprintf(line, sizeof line, format, args);
  uint64_t mask;
  if (n <= 0) return;
  if (n >= (int)sizeof line) n = sizeof line - 1;
  rt_hold_limit(&mask);
  rt_let_limit(mask, syscall(SYS_write, STDERR_FILENO, line, (size_t)n) < n);
}

void rt_say(const char *format, ...) {
  va_list args;
  va_start(args, format);
  say(format, args);
  va_end(args);
}

void rt_die(const char *format, ...) {
  va_list args;
  va_start(args, format);
  say(format, args);
  va_end(args);
  syscall(SYS_exit_group, 2);
  __builtin_unreachable();
}
