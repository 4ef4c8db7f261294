// Cancels a thread that reads from a pipe into which nobody writes; the other end is closed in between, which wakes the reader.
// verdict: SAFE
// case: stream -DSTREAM
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused) {
  char text[8];
#ifdef STREAM
  FILE *file = fdopen(ends[0], "r");
  pthread_cleanup_push((void (*)(void *))fclose, file);
  if (fgets(text, sizeof text, file)) return unused;
  pthread_cleanup_pop(1);
#else
  if (read(ends[0], text, sizeof text) == sizeof text) return unused;
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  void *result;
  pipe(ends);
  pthread_create(&t, 0, reader, 0);
  pthread_cancel(t);
#ifdef STREAM
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED);
#else
  close(ends[0]); /* before the thread reads at all: it is not cancelled, but told so */
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED || !result);
#endif
  close(ends[1]);
  return 0;
}
