// A thread that is cancelled while it reads from an empty pipe, or before, leaves descriptors usable.
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused) {
  char c;
  read(ends[0], &c, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  void *result;
  char c = 0;
  pipe(ends);
  pthread_create(&t, 0, reader, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED);
  assert(write(ends[1], "x", 1) == 1);
  assert(read(ends[0], &c, 1) == 1 && c == 'x');
  return 0;
}
