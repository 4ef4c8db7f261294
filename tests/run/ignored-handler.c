/* finds: nothing. A handler orders what it does by atomics, though the thread that it interrupts asked not to look at its own. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

void AnnotateIgnoreSyncBegin(const char *, int);
void AnnotateIgnoreSyncEnd(const char *, int);

static int data;
static atomic_int ready;

static void handle(int number) {
  data = number;
  atomic_store_explicit(&ready, 1, memory_order_release);
}

static void *work(void *argument) {
  AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
  raise(SIGUSR1);
  AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
  return argument;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handle);
  pthread_create(&t, NULL, work, NULL);
  while (!atomic_load_explicit(&ready, memory_order_acquire)) continue;
  int seen = data;
  pthread_join(t, NULL);
  return seen != SIGUSR1;
}
