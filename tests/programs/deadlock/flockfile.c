// Output waits for whoever has locked the stream.
// verdict: BUG
// finding: deadlock
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused) {
  puts("a line");
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  flockfile(stdout);
#ifdef FIXED
  funlockfile(stdout);
#endif
  pthread_join(t, NULL);
#ifndef FIXED
  funlockfile(stdout);
#endif
  return 0;
}
