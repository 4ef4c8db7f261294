// The race is on a block that both threads reach through a pointer.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdlib.h>

struct job {
  int input;
  int result;
};

static void *work(void *argument) {
  struct job *job = argument;
  job->result = job->input * 2;  // @A
  return 0;
}

int main(void) {
  pthread_t t;
  struct job *job = malloc(sizeof *job);
  if (!job) return 0;
  job->input = 4;
  job->result = 0;
  pthread_create(&t, 0, work, job);
#ifdef FIXED
  pthread_join(t, 0);
#endif
  int result = job->result;  // @B
#ifndef FIXED
  pthread_join(t, 0);
#endif
  free(job);
  return result > 8;
}
