/* Memory mappings of this process's own: anonymous memory, and private copies of files. They are heap blocks, so that their bounds are
 * checked like those of any other; they are given back whole. */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "settings.h"

enum { PAGE = 4096 };

/* What setrlimit(RLIMIT_AS) has left for mappings. Counted from there on alone: else each mapping would be a step that others see. */
static size_t address_space = SIZE_MAX;

void __hd_limit_mappings(size_t most) { __atomic_store_n(&address_space, most, __ATOMIC_RELAXED); }

static bool is_limited(void) { return __atomic_load_n(&address_space, __ATOMIC_RELAXED) != SIZE_MAX; }

static bool take_space(size_t size) {
  if (!is_limited()) return true;
  size_t left = __atomic_load_n(&address_space, __ATOMIC_RELAXED);
  while (size <= left)
    if (__atomic_compare_exchange_n(&address_space, &left, left - size, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return true;
  return false;
}

static void give_space(size_t size) {
  if (is_limited()) __atomic_add_fetch(&address_space, size, __ATOMIC_RELAXED);
}

static size_t whole_pages(size_t n) { return (n + PAGE - 1) & ~(size_t)(PAGE - 1); }

static bool fill(void *to, size_t n, int fd, off_t offset) {
  for (size_t done = 0; done < n;) {
    ssize_t part = pread(fd, (char *)to + done, n - done, offset + (off_t)done);
    if (part < 0) return false;
    if (!part) break;
    done += (size_t)part;
  }
  return true;
}

static void *map(size_t size, int protection, int flags, int fd, off_t offset) {
  bool anonymous = flags & MAP_ANONYMOUS;
  if (flags & MAP_FIXED) __hd_unsupported("mmap", "mapping at a fixed address is not modelled");
  if (!anonymous && flags & MAP_SHARED && protection & PROT_WRITE)
    __hd_unsupported("mmap", "writing to files through memory is not modelled");
  if (!size || offset < 0) return HD_ERRNO = EINVAL, MAP_FAILED;
  size_t whole = whole_pages(size);
  void *block = take_space(whole) ? aligned_alloc(PAGE, whole) : NULL;
  if (!block) return HD_ERRNO = ENOMEM, MAP_FAILED;
  __builtin_memset(block, 0, whole);
  if (!anonymous && !fill(block, size, fd, offset)) {
    free(block);
    return MAP_FAILED;
  }
  return block;
}

void *mmap(void *wish, size_t size, int protection, int flags, int fd, off_t offset) {
  (void)wish;
  return map(size, protection, flags, fd, offset);
}

void *mmap64(void *wish, size_t size, int protection, int flags, int fd, off64_t offset) {
  (void)wish;
  return map(size, protection, flags, fd, offset);
}

/* A part of a mapping stays: its block goes only as a whole. */
int munmap(void *block, size_t size) {
  extern size_t malloc_usable_size(void *block);
  if (((uintptr_t)block & (PAGE - 1)) || !size) return HD_ERRNO = EINVAL, -1;
  if (whole_pages(size) < malloc_usable_size(block)) __hd_unsupported("munmap", "unmapping a part of a mapping is not modelled");
  free(block);
  give_space(whole_pages(size));
  return 0;
}

/* Protection is not modelled: memory that a program makes inaccessible stays accessible, which no correct program can tell. */
int mprotect(void *block, size_t size, int protection) { return (void)block, (void)size, (void)protection, 0; }
int madvise(void *block, size_t size, int advice) {
  if (advice == MADV_DONTNEED) __builtin_memset(block, 0, size);
  return 0;
}
int posix_madvise(void *block, size_t size, int advice) { return (void)block, (void)size, (void)advice, 0; }
int msync(void *block, size_t size, int flags) { return (void)block, (void)size, (void)flags, 0; }
int mlock(const void *block, size_t size) { return (void)block, (void)size, 0; }
int munlock(const void *block, size_t size) { return (void)block, (void)size, 0; }
