// What Heddle lacks ends the executions that come to it, and no others: inline assembly that it cannot read, and a variable that nobody
// defines. `wanted` is set by one thread and read by the other, so that some executions come there.
// cflags: -DKIND=1 -DLEVEL=1
// verdict: BOUNDED
// case: variable -DKIND=2 -DLEVEL=1
// verdict: BOUNDED
// case: thread-local -DKIND=3 -DLEVEL=1
// verdict: BOUNDED
// case: type -DKIND=4 -DLEVEL=1
// verdict: BOUNDED
// case: never-assembly -DKIND=1 -DLEVEL=2
// verdict: SAFE
// case: never-variable -DKIND=2 -DLEVEL=2
// verdict: SAFE
// case: never-thread-local -DKIND=3 -DLEVEL=2
// verdict: SAFE
// case: never-type -DKIND=4 -DLEVEL=2
// verdict: SAFE
// case: always -DKIND=1 -DALWAYS
// exit: 2
// verdict: BOUNDED
#include <pthread.h>
#include <stdatomic.h>

extern int missing;
extern struct unknown unknown;
extern _Thread_local int missing_too;
static const void *const addresses[] = {&missing, &unknown};
static atomic_int wanted;

static int odd(int n) {
  _Float16 half = (_Float16)n;
  return (int)half;
}

static void refuse(void) {
#if KIND == 1
  __asm__ volatile("vzeroupper");
#elif KIND == 2
  wanted = *(const int *)addresses[0];
#elif KIND == 3
  wanted = missing_too;
#else
  wanted = odd(2);
#endif
}

static void *thread(void *unused) {
#ifdef ALWAYS
  refuse();
#else
  if (wanted == LEVEL) refuse();
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  wanted = 1;
  pthread_join(t, 0);
  return addresses[0] == addresses[1];
}
