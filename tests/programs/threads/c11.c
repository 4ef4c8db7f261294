// C11 threads: threads, mutexes, condition variables, once, thread-specific storage.
// verdict: SAFE
// case: racy -DRACY
// verdict: BUG
// finding: data-race A A
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t slot;
static thread_local int mine = 1;
static int ready, count, initialised;

static void initialise(void) { initialised = 1; }

static int work(void *argument) {
  call_once(&once, initialise);
  assert(initialised);
  tss_set(slot, argument);
  assert(tss_get(slot) == argument && mine == 1);
  mine = 2;
#ifndef RACY
  mtx_lock(&lock);
#endif
  count++;  // @A
#ifndef RACY
  if (count == 2) {
    ready = 1;
    cnd_signal(&changed);
  }
  mtx_unlock(&lock);
#endif
  return *(int *)argument;
}

int main(void) {
  thrd_t t[2];
  int results[2], arguments[2] = {5, 6};
  assert(mtx_init(&lock, mtx_plain) == thrd_success && cnd_init(&changed) == thrd_success);
  tss_create(&slot, 0);
  for (int i = 0; i < 2; i++) assert(thrd_create(&t[i], work, &arguments[i]) == thrd_success);
#ifndef RACY
  mtx_lock(&lock);
  while (!ready) cnd_wait(&changed, &lock);
  mtx_unlock(&lock);
#endif
  for (int i = 0; i < 2; i++) assert(thrd_join(t[i], &results[i]) == thrd_success);
  assert(results[0] == 5 && results[1] == 6 && ready <= 1);
  mtx_destroy(&lock);
  cnd_destroy(&changed);
  tss_delete(slot);
  return 0;
}
