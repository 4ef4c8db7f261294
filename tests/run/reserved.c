/* finds: data race A B; fixed: nothing. Address space that is reserved, but hardly used, costs next to nothing; what was known of it is forgotten. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>

#include "written.h"

enum { GB = 1 << 30 };
static const size_t size = (size_t)1024 * GB, far = (size_t)777 * GB;
static volatile char *at;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Older kernels have to be asked for each page. */
static int tells_all_at_once(void) {
  struct utsname u;
  int major = 0, minor = 0;
  return uname(&u) == 0 && sscanf(u.release, "%d.%d", &major, &minor) == 2 && (major > 6 || (major == 6 && minor >= 7));
}

static void *reserve(void *where) {
  return mmap(where, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (where ? MAP_FIXED : 0), -1, 0);
}

static void *writes(void *argument) {
  at[far] = 1; /* @A */
  return argument;
}
static void *reads(void *argument) {
#ifdef FIXED
  at[far + 1] = 1;
#else
  at[far] = 1; /* @B */
#endif
  return argument;
}
static void *writes_anew(void *argument) {
  at[far] = 1;
  return argument;
}

int main(void) {
  pthread_t t;
  double begin = seconds();
  at = reserve(NULL);
  if (at == MAP_FAILED) return 1;
  at[0] = at[size - 1] = 1;
  run_both();
  reserve((void *)(unsigned long)at); /* other memory */
  pthread_create(&t, NULL, writes_anew, NULL);
  at[far + 4096 * 5] = 1;
  pthread_join(t, NULL);
  munmap((void *)(unsigned long)at, size);
  double took = seconds() - begin;
  fprintf(stderr, "%f s\n", took);
  return tells_all_at_once() && took > 1.5;
}
