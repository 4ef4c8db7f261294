/* finds: data race A B, data race C D, data race G H; fixed: nothing. Blocks and mappings that threads get without order, before
 * anybody has written to them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifdef FIXED
#define ORDER memory_order_release
#else
#define ORDER memory_order_relaxed
#endif

enum { BLOCKS = 4, LARGE = 1 << 18 };
static _Atomic(long *) block[BLOCKS];
static atomic_int done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long *guarded;

static long *wait_for(int i) {
  long *p;
  while (!(p = atomic_load_explicit(&block[i], ORDER == memory_order_release ? memory_order_acquire : memory_order_relaxed))) {
  }
  return p;
}

static void *use(void *argument) {
  long *p = wait_for(0);
  p[1] = 1; /* @B */
  p = wait_for(1);
  __atomic_fetch_add(&p[3], 1, __ATOMIC_RELAXED); /* @D */
  free(wait_for(2)); /* nobody has touched it: no race */
  wait_for(3)[5] = 1; /* @H */
  pthread_mutex_lock(&mutex); /* whoever knows of the block comes after its allocation, whatever the lock says */
  long *mine = guarded;
  pthread_mutex_unlock(&mutex);
  if (mine) mine[0] = 1, mine[1] = mine[0];
  atomic_store_explicit(&done, 1, memory_order_release);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  guarded = malloc(100);
  pthread_mutex_unlock(&mutex);
  pthread_create(&t, NULL, use, NULL);
  atomic_store_explicit(&block[0], malloc(100), ORDER); /* @A */
  atomic_store_explicit(&block[1], calloc(10, sizeof(long)), ORDER); /* @C */
  atomic_store_explicit(&block[2], malloc(LARGE), ORDER);
  atomic_store_explicit(&block[3], mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), ORDER); /* @G */
  pthread_join(t, NULL);
  free(block[0]);
  free(block[1]);
  long *again = malloc(100); /* who has the block is ordered behind whoever had it before */
  again[0] = again[1];
  free(again);
  munmap(block[3], LARGE);
  return 0;
}
