#include "shadow.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void shadow_start(void) {
  if (rt_reserve(SHADOW_BASE, SHADOW_SIZE) && rt_reserve(META_BASE, META_SIZE)) return;
  rt_die(
      "heddle: the address space for watching memory is not to be had (%s): is there a limit on address space (ulimit -v), or is\n"
      "heddle: vm.overcommit_memory 2? The runtime reserves 72 TB, of which only what is used takes memory.\n",
      strerror(errno));
}

bool pairs_orphaned, pairs_alone;
void (*word_lost)(uintptr_t address);

void pair_wait(struct pair *p, unsigned *times) {
  enum { NEVER = 1 << 22 }; /* a thread that is merely not running gets its turn before */
  __builtin_ia32_pause();
  if (++*times % 1000 == 0) sched_yield();
  if (!pairs_orphaned || (!pairs_alone && *times < NEVER)) return;
  *times = 0;
  if (word_lost) word_lost(((uintptr_t)p - SHADOW_BASE) >> 1);
  cell_store(&p->read, 0);
  pair_give(p, 0);
}

/* True if the two share pairs: they differ in the two highest bits of addresses alone. */
static bool collide(uintptr_t a, uintptr_t a_end, uintptr_t b, uintptr_t b_end) {
  const uintptr_t low = SHADOW_SIZE / 2 - 1;
  if (a >> 45 == b >> 45) return false;
  return (a & low) < (b & low) + (b_end - b) && (b & low) < (a & low) + (a_end - a);
}

/* The next mapping that /proc tells of, from *at on; the runtime's own are left out. */
static bool next_mapping(const char **at, uintptr_t *from, uintptr_t *to) {
  while (**at) {
    char *end;
    *from = strtoull(*at, &end, 16);
    *to = strtoull(end + 1, &end, 16);
    while (*end && *end != '\n') end++;
    *at = *end ? end + 1 : end;
    bool own = *from >= META_BASE && *to <= SHADOW_BASE + SHADOW_SIZE;
    if (!own && *to <= 1ull << 47) return true;
  }
  return false;
}

void shadow_check(void) {
  static char text[1 << 18];
  size_t n = 0;
  int fd = open("/proc/thread-self/maps", O_RDONLY | O_CLOEXEC);
  for (ssize_t more; fd >= 0 && n < sizeof text - 1 && (more = read(fd, text + n, sizeof text - 1 - n)) > 0;) n += (size_t)more;
  if (fd >= 0) close(fd);
  uintptr_t a, a_end, b, b_end;
  for (const char *i = text; next_mapping(&i, &a, &a_end);)
    for (const char *k = i; next_mapping(&k, &b, &b_end);)
      if (collide(a, a_end, b, b_end))
        rt_die(
            "heddle: two parts of the program's memory, at 0x%lx and 0x%lx, cannot be told apart: this happens by chance with address\n"
            "heddle: randomisation by 32 bits. Start the program again, or under setarch -R.\n",
            (unsigned long)a, (unsigned long)b);
}
