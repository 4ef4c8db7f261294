/* Moments of a run: they make threads come in one order as luck might have made them, on slow machines as well. No analysis sees them: they
 * are plain accesses, in functions that are not instrumented. Each moment is reached once, or by one thread. */
#pragma once
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOMENT __attribute__((no_sanitize("thread"), noinline, unused)) static
static volatile int moments[8]; /* the thread that has reached it, or 0 */

MOMENT void moment_reach(int n) {
  __asm__ volatile("" ::: "memory"); /* what comes before stays there */
  moments[n] = (int)syscall(SYS_gettid);
}

/* How many milliseconds a thread waits for a moment: for ever, or as long as it takes another by luck, so that a thread that is held back
 * need not be waited for (heddle run --confirm). */
#ifndef PATIENCE
#define PATIENCE (-1)
#endif
MOMENT void moment_await(int n) {
  for (int i = 0; moments[n] == 0 && i != PATIENCE; i++) usleep(1000);
}

/* Until the thread that has reached it sleeps since then, for a lock or a condition, or is gone. */
MOMENT void moment_await_asleep(int n) {
  char path[64], stat[256];
  moment_await(n);
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", moments[n]);
  for (int asleep = 0; asleep < 20; usleep(1000)) {
    long file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY), size = file < 0 ? -1 : syscall(SYS_read, file, stat, sizeof stat - 1);
    if (file >= 0) syscall(SYS_close, file);
    if (size <= 0) return;
    stat[size] = 0;
    const char *state = strrchr(stat, ')');
    asleep = state && strncmp(state, ") S", 3) == 0 ? asleep + 1 : 0;
  }
}
