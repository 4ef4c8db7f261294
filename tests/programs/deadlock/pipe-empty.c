// Who reads from a pipe that nobody writes to any more, though it is open, waits for ever: a deadlock, whoever wrote before. It is no lost wake-up:
// who reads looks whether there is anything first. So does who writes to a full pipe. The twin closes the other end.
// verdict: BUG
// finding: deadlock READ JOIN
// case: before -DBEFORE
// verdict: BUG
// finding: deadlock READ JOIN
// case: full -DFULL
// verdict: BUG
// finding: deadlock WRITE JOIN
// case: fixed -DBEFORE -DFIXED
// verdict: SAFE
// case: fixed-full -DFULL -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];
static char bytes[65536];

static void *other(void *unused) {
#ifdef FULL
  signal(SIGPIPE, SIG_IGN);
  (void)!write(ends[1], bytes, sizeof bytes);
  (void)!write(ends[1], bytes, 1);  // @WRITE
#else
  (void)!read(ends[0], bytes, 1);  // @READ
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  if (pipe(ends)) return 1;
#ifdef BEFORE
  char c = 0;
  (void)!write(ends[1], &c, 1);
  (void)!read(ends[0], &c, 1);
#endif
  pthread_create(&t, 0, other, 0);
#ifdef FIXED
#ifdef FULL
  close(ends[0]);
#else
  close(ends[1]);
#endif
#endif
  pthread_join(t, 0);  // @JOIN
  return 0;
}
