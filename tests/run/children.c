/* finds: use after close A B; fixed: nothing. analysis: ovp. Children of vfork() close what they have of a pipe that the parent's threads read. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "moment.h"

static int ends[2];

static void *reads(void *argument) {
  char c;
  int n = 0;
  while (read(ends[0], &c, 1) == 1) moment_reach(n++); /* @A */
  moment_reach(n);
  return argument;
}

int main(void) {
  pthread_t t;
  int status;
  if (pipe(ends) != 0) return 2;
  pthread_create(&t, NULL, reads, NULL);
  for (int i = 0; i < 5; i++) {
    if (write(ends[1], "x", 1) != 1) return 2;
    moment_await(i);
    pid_t child = vfork();
    if (child == 0) {
      close(ends[0]), close(ends[1]);
      execl("/bin/true", "true", (char *)NULL);
      _exit(1);
    }
    if (waitpid(child, &status, 0) != child || status != 0) return 2;
  }
  close(ends[1]);
#ifdef FIXED
  pthread_join(t, NULL);
  close(ends[0]);
#else
  moment_await(5);
  close(ends[0]); /* @B */
  pthread_join(t, NULL);
#endif
  return 0;
}
