// The target of a copy is freed between the copy's read and its write, which must not come to the allocator's own lists.
// verdict: BUG
// finding: use-after-free COPY
// finding?: data-race
// finding?: null-dereference
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: use-after-free COPY
// finding?: data-race
// finding?: null-dereference
// case: naive
// verdict: BUG
// options: --strategy=naive
// finding: use-after-free COPY
// finding?: data-race
// finding?: null-dereference
// case: tso
// verdict: BUG
// memory: tso
// finding: use-after-free COPY
// finding?: data-race
// finding?: null-dereference
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4096, MANY = 200 }; /* so many that freed blocks are used again */

static char *target;
static atomic_int copied;
static char source[SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *copy(void *argument) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
  if (target) memcpy(target, source, SIZE);
  pthread_mutex_unlock(&lock);
#else
  memcpy(target, source, SIZE);  // @COPY
#endif
  copied = 1;
  return argument;
}

int main(void) {
  pthread_t t;
  memset(source, 'A', SIZE);
  target = malloc(SIZE);
  char *other = malloc(SIZE);
  pthread_create(&t, 0, copy, 0);
  pthread_mutex_lock(&lock);
  source[0] = 'B';
  free(target);
  free(other);
  target = 0;
  pthread_mutex_unlock(&lock);
  if (copied)
    for (int i = 0; i < MANY; i++) free(malloc(SIZE));
  pthread_join(t, 0);
  return 0;
}
