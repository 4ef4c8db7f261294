/* StackUnsafe: two threads do SIZE operations each on a bounded stack, every one under its lock; nothing says that something must be on
 * the stack before it is taken off, so it underflows (in the order that pops first, from the beginning). The thread goes on after an
 * underflow; main finds that there was one. All items are equal; -DNUMBERED makes all differ. */
#include <heddle.h>
#include <pthread.h>

#ifndef SIZE
#define SIZE 5
#endif
#ifdef NUMBERED
#define ITEM(I) ((I) + 1)
#else
#define ITEM(I) 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int top;
static int items[SIZE];

static void *pusher(void *unused) {
  (void)unused;
  long overflows = 0;
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&lock);
    int at = top;
    if (at == SIZE) {
      overflows++;
    } else {
      items[at] = ITEM(i);
      top = at + 1;
    }
    pthread_mutex_unlock(&lock);
  }
  return (void *)overflows;
}

static void *popper(void *unused) {
  (void)unused;
  long underflows = 0;
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&lock);
    int at = top;
    if (at == 0) {
      underflows++;
    } else {
      top = at - 1;
      if (items[at - 1] == 0) underflows++;
    }
    pthread_mutex_unlock(&lock);
  }
  return (void *)underflows;
}

int main(void) {
  pthread_t thread[2];
  void *overflows, *underflows;
  pthread_create(&thread[0], 0, pusher, 0);
  pthread_create(&thread[1], 0, popper, 0);
  pthread_join(thread[0], &overflows);
  pthread_join(thread[1], &underflows);
  hd_assert(!overflows);
  hd_assert(!underflows);
  return 0;
}
