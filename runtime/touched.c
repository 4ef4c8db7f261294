#include "touched.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Linux 6.7 and later tell of all pages at once, and pass over page tables that are not there. The headers of C libraries do not have it
 * yet.
 */
struct scan {
  uint64_t size, flags, start, end, walk_end, vector, count, most, inverted, mask, any_of, wanted;
};
struct region {
  uint64_t start, end, categories;
};
#define SCAN    _IOWR('f', 16, struct scan)
#define PRESENT (1ull << 3)
#define SWAPPED (1ull << 4)

/* The same by asking for each page: false if the kernel is older, or does not let us see. */
static bool scan(uintptr_t from, size_t bytes, void (*f)(uintptr_t, size_t, void *), void *data) {
  enum { REGIONS = 64 };
  struct region found[REGIONS];
  int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/pagemap", O_RDONLY | O_CLOEXEC);
  struct scan s = {.size = sizeof s, .start = from, .end = from + bytes, .vector = (uintptr_t)found, .count = REGIONS};
  s.any_of = s.wanted = PRESENT | SWAPPED;
  int n = -1;
  while (fd >= 0 && s.start < s.end && (n = ioctl(fd, SCAN, &s)) >= 0) {
    for (int i = 0; i < n; i++) f(found[i].start, found[i].end - found[i].start, data);
    s.start = s.walk_end;
  }
  if (fd >= 0) syscall(SYS_close, fd);
  return n >= 0;
}

static void ask_each(uintptr_t from, size_t bytes, void (*f)(uintptr_t, size_t, void *), void *data) {
  enum { AT_ONCE = 4096 };
  unsigned char in[AT_ONCE];
  for (uintptr_t end = from + bytes; from < end;) {
    size_t pages = (end - from) / PAGE < AT_ONCE ? (end - from) / PAGE : AT_ONCE;
    bool known = mincore((void *)from, pages * PAGE, in) == 0;
    for (size_t i = 0; i < pages; i++, from += PAGE)
      if (!known || (in[i] & 1)) f(from, PAGE, data);
  }
}

void touched_each(uintptr_t from, size_t bytes, void (*f)(uintptr_t, size_t, void *), void *data) {
  enum { SMALL = 4096 * PAGE }; /* as quick */
  int saved = errno;
  if (bytes <= SMALL || !scan(from, bytes, f, data)) ask_each(from, bytes, f, data);
  errno = saved;
}
