/* finds: potential deadlock A B; fixed: nothing. Locks of the program's own making, which it tells of. */
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct lock {
  atomic_int holder;
  int depth;
};
static struct lock a, b;
static _Thread_local char me;

#define take(l)                                                                                                       \
  do {                                                                                                                \
    int free_;                                                                                                        \
    __tsan_mutex_pre_lock(l, __tsan_mutex_write_reentrant);                                                           \
    while (free_ = 0, !is_mine(l) && !atomic_compare_exchange_weak(&(l)->holder, &free_, (int)(long)&me)) usleep(10); \
    (l)->depth++;                                                                                                     \
    __tsan_mutex_post_lock(l, __tsan_mutex_write_reentrant, 0);                                                       \
  } while (0)

static int is_mine(struct lock *l) { return atomic_load(&l->holder) == (int)(long)&me; }
static int try(struct lock *l) {
  int free_ = 0;
  __tsan_mutex_pre_lock(l, __tsan_mutex_try_lock);
  int got = atomic_compare_exchange_strong(&l->holder, &free_, (int)(long)&me);
  if (got) l->depth = 1;
  __tsan_mutex_post_lock(l, got ? __tsan_mutex_try_lock : __tsan_mutex_try_lock | __tsan_mutex_try_lock_failed, 0);
  return got;
}
static void give(struct lock *l) {
  if (__tsan_mutex_pre_unlock(l, 0) != 1) abort();
  if (--l->depth == 0) atomic_store(&l->holder, 0);
  __tsan_mutex_post_unlock(l, 0);
}

static atomic_int done;

static void *one(void *argument) {
  take(&a);
  take(&b); /* @A */
  take(&a); /* once more */
  give(&a);
  give(&b);
  give(&a);
  atomic_store(&done, 1);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, one, NULL);
  while (!atomic_load(&done)) usleep(1000); /* orders no locks */
  take(&b);
#ifdef FIXED
  if (try(&a)) give(&a);
#else
  take(&a); /* @B */
  give(&a);
#endif
  give(&b);
  if (try(&a)) give(&a);
  return pthread_join(t, NULL);
}
