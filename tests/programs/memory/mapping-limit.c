// setrlimit(RLIMIT_AS) bounds what can be mapped, and what is unmapped can be mapped again.
// verdict: SAFE
// case: unlimited -DUNLIMITED
// verdict: BUG
// finding: assertion
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

static void *map(void) { return mmap(NULL, 4096, PROT_READ, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0); }

int main(void) {
  struct rlimit two_pages = {.rlim_cur = 8192, .rlim_max = RLIM_INFINITY};
#ifndef UNLIMITED
  setrlimit(RLIMIT_AS, &two_pages);
#endif
  void *a = map(), *b = map(), *c = map();
  if (c != MAP_FAILED) munmap(c, 4096);
  munmap(a, 4096);
  void *d = map();
  if (d != MAP_FAILED) munmap(d, 4096);
  munmap(b, 4096);
  assert(c == MAP_FAILED && d != MAP_FAILED);
  return two_pages.rlim_cur != 8192;
}
